"""Flow facts of OTAWA: the largest number of iterations of each loop, by its place in the source.

Source: OTAWA, "Flow Facts" (the F4 format): loop "FILE":LINE max N total M;
"""

from __future__ import annotations

from collections.abc import Sequence

from .loop_bounds import LoopBound


def flow_facts(bounds: Sequence[LoopBound]) -> str:
    """One statement a loop; a loop without a bound is a comment."""
    return "".join(map(_statement, bounds))


def _statement(bound: LoopBound) -> str:
    place = f'loop "{bound.file}":{bound.line}'
    if bound.most is None:
        return f"// {place} ?; // {bound.function}: no bound is known\n"
    total = "" if bound.total is None else f" total {bound.total}"
    rests = f"; provided that {', '.join(bound.rests_on)}" if bound.rests_on else ""
    return f"{place} max {bound.most}{total}; // {bound.function}{rests}\n"
