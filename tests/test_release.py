"""What the checks of a release and of the tests themselves look at."""

from __future__ import annotations

import ast
import tarfile
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tools import mutants, release_check


def test_what_a_wheel_needs_is_in_the_repository() -> None:
    wanted = (*release_check._NEEDED, *release_check._OF_SOURCE)
    assert all((release_check.ROOT / name).is_file() for name in wanted)
    first, *others = release_check._NEEDED
    kernel = "modeling/kernel/kernel-0123abcd.bc"
    assert release_check.missing([*others, kernel, "tests/x.py"]) == [
        f"lacks {first}",
        "has tests/x.py",
    ]
    assert release_check.missing([first, *others]) == ["lacks the kernel of fits"]


def test_a_wheel_has_the_packages_and_nothing_else(tmp_path: Path) -> None:
    wheel, source = tmp_path / "x.whl", tmp_path / "x.tar.gz"
    kernel = "modeling/kernel/kernel-0123abcd.bc"
    needed = [*release_check._NEEDED, kernel, "looplaw-0.1.0.dist-info/METADATA"]
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in needed:
            archive.writestr(name, "")
    with tarfile.open(source, "w:gz") as packed:
        for name in (*needed, *release_check._OF_SOURCE):
            packed.addfile(tarfile.TarInfo(f"looplaw-0.1.0/{name}"))
    assert release_check.check_contents(wheel, source) == []
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("tests/x.py", "")
    assert len(release_check.check_contents(wheel, source)) == 2


def test_mutants_are_other_programs() -> None:
    keys = set[str]()
    for room in mutants.ROOMS:
        found = mutants.mutants_of(room)
        keys |= {m.key for m in found}
        assert len(found) > 100
        assert len({m.key for m in found}) == len(found)
        for m in found[:: len(found) // 8]:
            source = (mutants.ROOT / m.file).read_text(encoding="utf-8")
            changed = m.applied(source)
            assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source)), m.key
    assert set(mutants.EXPLAINED) <= keys


def test_a_sample_takes_as_many_mutants_of_each_room() -> None:
    rooms = ["store", "escaping"]
    sample = mutants.sample(rooms, 20, 1)
    assert sample == mutants.sample(rooms, 40, 1)[:20]
    assert sample != mutants.sample(rooms, 20, 2)
    assert Counter(m.room for m in sample) == {"store": 10, "escaping": 10}


def test_mutants_keep_their_keys_when_other_functions_change(tmp_path: Path) -> None:
    room = next(r for r in mutants.ROOMS if "modeling/evidence/*.py" in mutants.ROOMS[r].files)
    file = tmp_path / "modeling" / "evidence" / "noise.py"
    file.parent.mkdir(parents=True)
    text = (
        "def f(a):\n    return a + 1 if a else '  '.join(['', a + 1])\n\n\n"
        "class C:\n    @property\n    def f(self):\n        return self.a < 3\n"
    )
    file.write_text(text)
    before = mutants.mutants_of(room, tmp_path)
    assert {m.key.split(": ")[1] for m in before} == {"f", "C.f"}
    assert {m.applied(text).count("'  '") for m in before} == {1}, "texts stay as they are"
    file.write_text(f"def g(a):\n    return a + 1\n\n\n{text}")
    after = {m.key: m for m in mutants.mutants_of(room, tmp_path)}
    assert all(after[m.key].function_digest == m.function_digest for m in before)
    assert all(after[m.key].line == m.line + 4 for m in before)
    file.write_text(text.replace("< 3", "< 4"))
    changed = {m.key: m.function_digest for m in mutants.mutants_of(room, tmp_path)}
    assert {m.key.split(": ")[1] for m in before if changed.get(m.key) == m.function_digest} == {
        "f"
    }


def test_outcomes_hold_until_code_or_tests_change(tmp_path: Path) -> None:
    one, other, *_ = mutants.mutants_of("store")
    path, tests = tmp_path / "found.json", {"tests/a.py": "1", "tests/b.py": "1"}
    ledger = mutants._Ledger(path, 1)
    assert ledger.task(one, tests, 9) == mutants.Task(one)
    ledger.keep(mutants.Outcome(one, "tests/a.py::test[1]", ()), tests, 9)
    ledger.keep(mutants.Outcome(other, None, ("tests/b.py::test",)), tests, 9)
    ledger = mutants._Ledger(path, 1)
    assert (ledger.is_killed(one), ledger.is_killed(other)) == (True, False)
    assert ledger.left(other) == 1
    assert ledger.task(one, tests, 9) is None
    assert ledger.task(other, tests, 9) is None
    more = ledger.task(other, tests, 10)
    assert more is not None, "a larger budget allows the tests that were left"
    assert (more.seen, more.left) == ({"tests/a.py", "tests/b.py"}, {"tests/b.py::test"})
    tests["tests/b.py"] = "2"
    assert ledger.task(one, tests, 9) is None
    again = ledger.task(other, tests, 9)
    assert again is not None
    assert again.seen == {"tests/a.py"}
    tests["tests/a.py"] = "2"
    assert ledger.task(one, tests, 9) == mutants.Task(one, first="tests/a.py::test[1]")
    changed = replace(one, function_digest="another")
    assert ledger.task(changed, tests, 9) == mutants.Task(changed)
