"""Integers and pointers that functions return, as formulas of their arguments."""

from __future__ import annotations

from ..expr import Expr
from ..expr.budget import Provisional
from ..expr.predicates import Cond
from ..ir.matchers import is_any, is_load, is_return
from ..ir.types import Operand
from ..scev.arithmetic.fits import handed_on
from ..scev.context import FunctionContext, ProgramContext
from ..scev.values import Value


class ReturnedValues:
    """What the functions of a program return."""

    def __init__(self, program: ProgramContext) -> None:
        self.program = program
        self._returned: dict[str, Value | None] = {}
        self._active: set[str] = set()
        self._bits: dict[tuple[str, int, int, int], Value | None] = {}
        self._conditions: dict[str, tuple[Cond, frozenset[Expr]] | None] = {}

    def value(self, callee: str) -> Value | None:
        """The integer a function returns, over its arguments; None where it is not a formula of
        them."""
        if callee in self._active:
            # the callers were asked for what they agree on, and it rests on this function
            below = self.program.from_below
            return None if below is None else below.returned(callee)
        if callee not in self._returned:
            self._active.add(callee)
            try:
                self._returned[callee] = self._find_returned(callee)
            finally:
                self._active.discard(callee)
        return self._returned[callee]

    def condition(self, callee: str) -> tuple[Cond, frozenset[Expr]] | None:
        """The truth value a function returns, over its arguments."""
        if callee not in self._conditions:
            with Provisional(self._conditions, callee, None):
                self._conditions[callee] = self._find_condition(callee)
        return self._conditions[callee]

    def bits(self, callee: str, shift: int, width: int, at: int = -1) -> Value | None:
        """The number in some bits of what a function returns, over its arguments; `at`: of this
        part of the structure that it returns."""
        key = (callee, shift, width, at)
        if key not in self._bits:
            with Provisional(self._bits, key, None):
                found = self._result(callee)
                value = _bits(*found, at, shift, width) if found else None
                portable = value is not None and self.program.is_portable(value)
                self._bits[key] = value if portable else None
        return self._bits[key]

    def field(self, callee: str, at: int) -> Value | None:
        """A part of the structure that a function returns in registers, over its arguments."""
        key = (callee, -1, -1, at)
        if key not in self._bits:
            with Provisional(self._bits, key, None):
                found = self._result(callee)
                value = _field(found[0], found[1], at) if found else None
                portable = value is not None and self.program.is_portable(value)
                self._bits[key] = value if portable else None
        return self._bits[key]

    def _find_returned(self, callee: str) -> Value | None:
        found = self._result(callee)
        if found is None:
            return None
        value = handed_on(*found)
        return value if self.program.is_portable(value) else None

    def _find_condition(self, callee: str) -> tuple[Cond, frozenset[Expr]] | None:
        found = self._result(callee)
        if found is None:
            return None
        condition, needs = found[0].conditions.of(found[1])
        if condition.is_undecided or not condition.formulas():
            return None
        formulas = (*condition.formulas(), *needs)
        if not all(self.program.is_portable(Value(e)) for e in formulas):
            return None
        return condition, needs

    def _result(self, callee: str) -> tuple[FunctionContext, Operand] | None:
        """The one register that a function returns."""
        if callee not in self.program.defined or callee in self.program.calls.recursive:
            return None
        view = self.program.view(callee)
        returns = [
            b
            for b in view.function.blocks.values()
            if is_return(b.terminator) and b.name in view.reachable
        ]
        if len(returns) != 1 or not returns[0].terminator.operands:
            return None
        return view, returns[0].terminator.operands[0]


def _bits(view: FunctionContext, token: Operand, at: int, shift: int, width: int) -> Value | None:
    """Bits of what is returned, or of one of its parts."""
    if at < 0:
        return view.scalars.bits(token, shift, width)
    part = _inserted(view, token, at)
    return view.scalars.bits(part, shift, width) if part is not None else None


def _inserted(view: FunctionContext, token: Operand, at: int) -> Operand | None:
    """What is put into a structure as its part number `at`."""
    i = view.function.definitions.get(token)
    while is_any(i, "insertvalue"):
        if i.extra == (str(at),):
            return i.operands[1]
        i = view.function.definitions.get(i.operands[0])
    return None


def _field(view: FunctionContext, token: Operand, at: int) -> Value | None:
    """A part of a structure that is put together or loaded whole."""
    inserted = _inserted(view, token, at)
    if inserted is not None:
        return handed_on(view, inserted)
    i = view.function.definitions.get(token)
    if not is_load(i) or i.flags & {"volatile", "atomic"}:
        return None
    memory, layout = view.program.memory, view.program.layout
    part = layout.offset(i.type, at)
    whole = memory.aliasing.location(view.function, i.operands[0], i.type, i.tbaa)
    if part is None or whole.underlying_object is None or whole.offset is None:
        return None
    place = whole._replace(
        offset=whole.offset + part[0], size=layout.size(part[1]), kind=part[1], tag=None
    )
    found = memory.reaching(view, place, view.function.block_of[i.token], i)
    if found.value is not None:
        view.program.assume_outside(found.outside, view.function.name)
    return found.value
