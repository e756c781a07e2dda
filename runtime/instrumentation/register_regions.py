"""Where a counter may live in a register: the nests of loops that surely run to their end.

The counter of such a nest is a local variable, zeroed on entry and added to the thread's words on
exit, which the optimiser keeps in a register or folds into the loop. Everywhere else counts go to
memory at once, so that whatever ends the function from outside finds them there.
"""

from __future__ import annotations

from collections.abc import Mapping

from staticana.ir.graph import callee
from staticana.ir.loop_info import Loop
from staticana.ir.types import Function, Instruction

from .abnormal_exits import AbnormalExits
from .counter_forwarding import Forwarding

_MAX_HEIGHT = 3
"""Loops inside each other whose counts stay in registers until the outermost is left: a reader who
follows a running program sees them only then."""


class RegisterRegions:
    """The regions of one function.

    Args:
        forwarding: what functions forward, by name.
        loops: the function's, by header.
        precise: every count is right at every moment, so that there are none.
    """

    def __init__(
        self,
        abnormal: AbnormalExits,
        forwarding: Mapping[str, Forwarding],
        function: Function,
        loops: Mapping[str, Loop],
        *,
        precise: bool,
    ) -> None:
        self._abnormal, self._forwarding = abnormal, forwarding
        self._precise = precise
        self._function, self._loops = function, loops

    def region(self, header: str | None) -> Loop | None:
        """The outermost loop around (or at) the header in which its counter may be in a register;
        None if there is none."""
        region = None
        while header is not None and not self._precise:
            loop = self._loops[header]
            if any(map(self._may_last, self._inside(loop))) or self._height(loop) > _MAX_HEIGHT:
                break
            region, header = loop, loop.parent
        return region

    def forwarded_by(self, i: Instruction) -> Forwarding | None:
        """What the called function forwards; None for one that does not, and for no call."""
        return self._forwarding.get(callee(i) or "")

    def _inside(self, loop: Loop) -> list[Instruction]:
        return [i for b in loop.blocks for i in self._function.blocks[b].instructions]

    def _may_last(self, i: Instruction) -> bool:
        return self._abnormal.may_last(i) and self.forwarded_by(i) is None

    def _height(self, region: Loop) -> int:
        """Loops inside each other, those of functions that forward included."""
        deepest = region.depth
        for loop in self._loops.values():
            if loop.blocks <= region.blocks:
                inner = [c.height for i in self._inside(loop) if (c := self.forwarded_by(i))]
                deepest = max(deepest, loop.depth + max(inner, default=0))
        return deepest - region.depth + 1
