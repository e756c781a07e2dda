"""Loop variables that count iterations by themselves: i = i + 1 or i = i - 1 in every iteration."""

from __future__ import annotations

from dataclasses import dataclass

from staticana.ir import Function
from staticana.loops import Loop


@dataclass(frozen=True)
class LoopVariable:
    """A register `token` of the header that begins at `start` and changes by `step`, which is 1 or -1; it does not wrap,
    or is 64 bits wide, where sums are right in any case. `extension` widens it."""

    token: str
    start: str
    type: str
    step: int
    extension: str


def find_variable(function: Function, loop: Loop) -> LoopVariable | None:
    """A variable whose change from the way in to the way out is the number of iterations."""
    if loop.latch is None or loop.preheader is None:
        return None
    for phi in function.blocks[loop.header].phis:
        if set(phi.labels) != {loop.latch, loop.preheader}:
            continue
        incoming = dict(zip(phi.labels, phi.operands, strict=True))
        change, start = function.definitions.get(incoming[loop.latch]), incoming[loop.preheader]
        if change is None or change.opcode != "add" or not (start.startswith("%") or _is_number(start)):
            continue
        steps = {"1": 1, "-1": -1}
        step = steps.get(change.operands[1]) if change.operands[0] == phi.token else None
        if step is None or not (phi.type[:1] == "i" and phi.type[1:].isdigit() and 8 <= int(phi.type[1:]) <= 64):
            continue
        if phi.type == "i64" or "nsw" in change.flags:
            return LoopVariable(phi.token, start, phi.type, step, "sext")
        if "nuw" in change.flags and not start.startswith("-"):
            return LoopVariable(phi.token, start, phi.type, step, "zext")
    return None


def _is_number(token: str) -> bool:
    return token.lstrip("-").isdigit()
