"""Calls of functions whose bodies are not among the sources: what they cost nobody can tell here.

Where such a call moved into a loop, the function does more of whatever it costs: growth. Where it
is new there, that is undecided, unless it stands for another one that went: a function that was
renamed, or exchanged.
"""

from __future__ import annotations

from dataclasses import replace

from staticana.ir.demangling import demangled

from .judging import CALLS, Change, shown
from .nested_calls import MEMBER, POINTER, NestedCall
from .program import FunctionLaws
from .shapes import DepthOf


def foreign_calls(
    old: FunctionLaws, new: FunctionLaws, depths: tuple[DepthOf, DepthOf]
) -> Change | None:
    """The gravest finding of the calls of a function before and after; None where none stands in
    more loops than before.

    Args:
        depths: how deep functions are before and after.
    """

    def costs(name: str) -> bool | None:
        return depths[1](name, 1).costs

    grown = {n: c for n, c in _foreign(new).items() if c.loops > _loops(old, n)}
    grown = {n: c for n, c in grown.items() if costs(n) is not False}
    gone = {n: c for n, c in _foreign(old).items() if _loops(new, n) < c.loops}
    idle = {n for n in gone if depths[0](n, 1).costs is False}
    spare = sorted((c.loops for n, c in gone.items() if n not in idle), reverse=True)
    found = []
    for name, call in sorted(grown.items(), key=lambda one: -one[1].loops):
        before = old.nested_calls.get(name)
        stands_for = next((loops for loops in spare if loops >= call.loops), None)
        if stands_for is not None:
            spare.remove(stands_for)
        if before is None and (stands_for is not None or name == POINTER):
            continue
        is_known = before is not None or costs(name) is True
        is_sure = is_known and stands_for is None and name != POINTER
        found.append(_finding(name, before, call, old, new, is_sure=is_sure, costs=costs(name)))
    return min(found, key=lambda c: c.kind != "growth", default=None)


def _foreign(f: FunctionLaws) -> dict[str, NestedCall]:
    return {n: c for n, c in f.nested_calls.items() if c.is_foreign}


def _loops(f: FunctionLaws, name: str) -> int:
    return f.nested_calls[name].loops if name in f.nested_calls else 0


def _finding(
    name: str,
    before: NestedCall | None,
    call: NestedCall,
    old: FunctionLaws,
    new: FunctionLaws,
    *,
    is_sure: bool,
    costs: bool | None,
) -> Change:
    spoken = demangled(name) or name
    who = "functions that pointers choose" if name == POINTER else f"{spoken}()"
    is_chosen = name.startswith((POINTER, MEMBER))
    whose = "which walks something" if costs else "whose body is not in the sources"
    whose = "which a pointer chooses" if is_chosen else whose
    once = "0" if before is None else _times(before, old)
    place, _, column = call.at.rpartition(":")
    at = place if column.isdigit() and ":" in place else call.at
    unit = f"{CALLS}{who}"
    change = Change("undecided", new.name, at, once, _times(call, new), unit=unit)
    if is_sure:
        return replace(change, kind="growth", reason=f"{who}, {whose}, is called in a loop now")
    return replace(change, reason=f"it calls {who}, {whose}, in a loop")


def _times(call: NestedCall, f: FunctionLaws) -> str:
    """How often a call is made, as the loop around it has it."""
    if call.loops == 0:
        return "1"
    around = [loop for loop in f.loops if loop.at == call.at]
    return shown(around[0].total) if around else "unknown"
