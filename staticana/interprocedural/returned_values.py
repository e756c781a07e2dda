"""Integers and pointers that functions return, as formulas of their arguments."""

from __future__ import annotations

from ..expr.budget import Provisional
from ..scev.context import ProgramContext
from ..scev.values import Value


class ReturnedValues:
    """What the functions of a program return."""

    def __init__(self, program: ProgramContext) -> None:
        self.program = program
        self._returned: dict[str, Value | None] = {}

    def value(self, callee: str) -> Value | None:
        """The integer a function returns, over its arguments; None where it is not a formula of
        them."""
        if callee not in self._returned:
            with Provisional(self._returned, callee, None):
                self._returned[callee] = self._find_returned(callee)
        return self._returned[callee]

    def _find_returned(self, callee: str) -> Value | None:
        if callee not in self.program.defined or callee in self.program.calls.recursive:
            return None
        view = self.program.view(callee)
        returns = [
            b
            for b in view.function.blocks.values()
            if b.terminator.opcode == "ret" and b.name in view.reachable
        ]
        if len(returns) != 1 or not returns[0].terminator.operands:
            return None
        value = view.scalars.value(returns[0].terminator.operands[0])
        return value if self.program.is_portable(value) else None
