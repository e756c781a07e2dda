"""What the checks of a release and of the tests themselves look at."""

from __future__ import annotations

import ast
from pathlib import Path

from tools import mutants, release_check


def test_what_a_wheel_needs_is_in_the_repository() -> None:
    assert all((release_check.ROOT / name).is_file() for name in release_check._NEEDED)
    found = release_check.missing([*release_check._NEEDED[1:], "tests/x.py"])
    assert found == [f"lacks {release_check._NEEDED[0]}", "has tests/x.py"]


def test_mutants_are_other_programs(tmp_path: Path) -> None:
    for room in mutants.ROOMS:
        found = mutants.mutants_of(room)
        assert len(found) > 100
        for m in found[:: len(found) // 8]:
            source = (mutants.ROOT / m.file).read_text(encoding="utf-8")
            changed = source[: m.start] + m.text + source[m.end :]
            assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source)), m.name
    sample = mutants.sample(list(mutants.ROOMS), 20, 1)
    assert sample == mutants.sample(list(mutants.ROOMS), 40, 1)[:20]
    assert len({m.room for m in sample}) == len(mutants.ROOMS)
