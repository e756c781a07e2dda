"""The writes that may have touched a place before an instruction, told at once and one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import canonical, compile_sources, parse_module
from staticana.interprocedural.facts import Facts

PROGRAMS = Path(__file__).parents[2] / "programs"


@pytest.mark.parametrize(
    "name", ["members.c", "member_changes.c", "filled_arrays.c", "error_exits.c", "list.c"]
)
def test_writes_that_arrive_are_those_before_that_may_touch(name: str) -> None:
    module = parse_module(canonical(compile_sources((str(PROGRAMS / name),))))
    writes = Facts.of(module, "main", strict=False).writes
    asked = 0
    for function in module.functions.values():
        for block in function.blocks.values():
            for load in block.instructions:
                if load.opcode != "load":
                    continue
                place = writes.aliasing.location(function, load.operands[0], load.type, load.tbaa)
                sparing = writes.sparing(function, place)
                before = writes.before(function, block.name, load)
                touching = [w for w in before if sparing[w.number] is None]
                trusted = frozenset[str]().union(*(sparing[w.number] or () for w in before))
                assert writes.arriving(function, place, block.name, load) == (touching, trusted)
                asked += 1
    assert asked > 1
