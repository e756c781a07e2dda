"""The scripts that look at the repository itself, and the page that they write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.places import ROOT
from tools import changed_tests, duplicated_shapes, newer_pythons, rooms

_FILE = re.compile(r"`((?:[a-z_]+/)+[a-z_]+\.(?:py|h|c))`")


def test_files_named_in_the_design_exist() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    named = _FILE.findall(text)
    assert len(named) > 30
    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("looplaw/gate/words.py", ["tests/looplaw/gate"]),
        ("tests/looplaw/gate/test_pairs.py", ["tests/looplaw/gate/test_pairs.py"]),
        ("tests/looplaw/gate/test_gone.py", []),
        ("docs/ci.md", ["tests/test_documentation.py"]),
        ("tests/claims/programs/abort_in_callee.c", ["tests/claims"]),
    ],
)
def test_what_is_changed_leads_to_its_tests(changed: str, tests: list[str]) -> None:
    assert set(tests) <= set(changed_tests.tests_of([Path(changed)]))
    assert tests or not changed_tests.tests_of([Path(changed)])


def test_who_imports_a_module_is_tested() -> None:
    found = changed_tests.tests_of([Path("looplaw/gate/judging.py")])
    assert "tests/looplaw/gate" in found
    assert not any(t.startswith("tests/looplaw/gate/") for t in found)


def _tree(root: Path) -> None:
    texts = {
        "looplaw_common/__init__.py": '"""Shared things: errors. More text."""\n',
        "runtime/__init__.py": '"""Runs."""\nfrom .low.base import f\n',
        "runtime/low/__init__.py": '"""What\nis below."""\n',
        "runtime/low/base.py": "import looplaw_common\n\nf = 1\n",
        "runtime/high/__init__.py": '"""What is above."""\n',
        "runtime/high/user.py": "from staticana import g\n\nfrom ..low.base import f\n",
        "staticana/__init__.py": '"""Counts."""\n',
    }
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_rooms_say_what_they_hold_and_import(tmp_path: Path) -> None:
    _tree(tmp_path)
    found = {room.name: room for room in rooms.rooms(tmp_path)}
    assert list(found) == [
        "runtime", "runtime.high", "runtime.low", "staticana", "looplaw_common",
    ]  # fmt: skip
    assert found["looplaw_common"].holds == "Shared things: errors"
    assert found["runtime.low"] == rooms.Room(
        "runtime.low", "What is below", 1, 5, ("looplaw_common",)
    )
    assert found["runtime.high"].imports == ("runtime.low", "staticana")
    assert found["runtime"].imports == (), "a package's face may show what it likes"
    table = rooms.table(list(found.values()))
    assert "| `runtime.high` | What is above | 1 | 4 | `low`, `staticana` |" in table


ONE = '''
def total(numbers):
    """Sum of what is positive."""
    result = 0
    for n in numbers:
        if n > 0:
            result += n
    print(f"{result}")
    return result
'''
OTHER = """
import os

def count(
    words,
):
    # the same shape, laid out otherwise
    found = 1
    for w in words:
        if (w > 5):
            found += w
    print("found")
    return found
"""


def test_code_of_one_shape_in_two_files_is_found_once(tmp_path: Path) -> None:
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "one.py").write_text(ONE)
    (tmp_path / "runtime" / "other.py").write_text(OTHER)
    found = duplicated_shapes.duplicates(duplicated_shapes.read(tmp_path), 6)
    assert found == [duplicated_shapes.Pair("runtime/one.py:2", "runtime/other.py:4", 7)]
    assert duplicated_shapes.duplicates(duplicated_shapes.read(tmp_path), 8) == []


def test_lists_of_fields_are_no_duplicates_unless_asked_for(tmp_path: Path) -> None:
    (tmp_path / "runtime").mkdir()
    fields = "".join(f"    {name}: int = {k}\n" for k, name in enumerate("abcdef"))
    for name in ("One", "Other"):
        (tmp_path / "runtime" / f"{name}.py").write_text(f"class {name}:\n{fields}")
    assert duplicated_shapes.duplicates(duplicated_shapes.read(tmp_path), 6) == []
    everything = duplicated_shapes.read(tmp_path, declarations=True)
    assert max(p.length for p in duplicated_shapes.duplicates(everything, 6)) == 7


def test_without_a_newer_python_a_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(newer_pythons, "pythons", lambda _: {})
    assert newer_pythons.main([]) == 0
    assert "no newer Python than this one is found" in capsys.readouterr().out


def test_packages_that_cannot_be_had_are_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(newer_pythons, "_KEPT", tmp_path)
    monkeypatch.setattr(newer_pythons, "pythons", lambda _: {"3.99": "/nowhere/python3.99"})
    assert newer_pythons.main([]) == 0
    assert "Python 3.99: its packages cannot be had" in capsys.readouterr().out


def test_what_newer_pythons_run_is_there() -> None:
    assert all((ROOT / name).exists() for name in newer_pythons.TESTS)
