"""Floating-point registers that hold multiples of a power of two, so that nothing is rounded.

A counter that steps by 0.25 is exact as long as it stays below 2**51; one that steps by 0.1 is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...expr import expr, is_nonnegative
from ...ir.matchers import is_any, is_phi
from ...ir.types import Instruction, Operand, int_bits
from ..context import FunctionContext
from ..values import NO_PRECONDITIONS, Real, Value
from .fits import as_signed, fitting, unsigned
from .real_values import PRECISION, RealValues, common_denominator, number_of

_INT = 32
"""Bits of the widest integers that floating-point numbers of 64 bits hold exactly."""
_LONGEST = 64
"""Operations in a chain, unrolled by hand in programs that measure machines, whose result is
sought."""
_FINEST, _LARGEST = 1 << 20, 1 << 31  # of constants whose sums need no rounding


class FloatValues:
    """Exact values of floating-point registers of one function."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._narrow: set[str] = set()  # registers that rest on no wide integer
        self._grains: dict[str, int] = {}
        self._depth = 0
        self._reals = RealValues(view, self)

    def exact(self, token: Operand) -> Value | None:
        """The value of a register or constant; None where its arithmetic may round."""
        i = self.view.function.definitions.get(token)
        if i is None:
            return _constant(token)
        if is_any(i, "sitofp", "uitofp"):
            inner = self.view.scalars.value(i.operands[0])
            inner = fitting(self.view, inner, i, i.extra[0], is_any(i, "sitofp"))
            if is_any(i, "sitofp"):
                inner = as_signed(self.view, inner, i, i.operands[0])
            else:
                inner = unsigned(self.view, inner, i)
            return self._unrounded(i, inner)
        if is_any(i, "fpext"):
            return self.exact(i.operands[0])
        if is_phi(i):
            block = self.view.function.block_of[token]
            if block not in self.view.loops:
                return None
            variable = self.view.variables.variable(i, block)
            return Value(variable.expr * Fraction(1, self.grain(i)))
        if i.is_call:
            return self._reals.called(i)
        return self._arithmetic(i) if is_any(i, "fadd", "fsub", "fmul", "fneg") else None

    def real(self, token: Operand) -> Real | None:
        """The real number behind a register that is rounded."""
        return self._reals.of(token)

    def _arithmetic(self, i: Instruction) -> Value | None:
        known = self._each(i.operands)
        if known is None:
            return None
        preconditions = NO_PRECONDITIONS.union(*(p.preconditions for p in known))
        if is_any(i, "fneg"):
            return Value(-known[0].expr, preconditions)
        a, b = known[0].expr, known[1].expr
        if is_any(i, "fmul"):
            is_scaled = a.constant is not None or b.constant is not None
            return self._unrounded(i, Value(a * b, preconditions)) if is_scaled else None
        total = a + b if is_any(i, "fadd") else a - b
        return self._unrounded(i, Value(total, preconditions))

    def _each(self, operands: Sequence[Operand]) -> list[Value] | None:
        """The values of operands; None where one has none, or the chain that leads here is long."""
        if self._depth == _LONGEST:
            return None
        known: list[Value] = []
        self._depth += 1
        try:
            for o in operands:
                value = self.exact(o)
                if value is None:  # the others may be as long
                    return None
                known.append(value)
        finally:
            self._depth -= 1
        return known

    def _unrounded(self, i: Instruction, value: Value) -> Value:
        """The value of an instruction, which must fit the significand: integers of 32 bits and
        sums of some of them do in double precision, not in single."""
        if i.type == "double" and not self._rests_on_wide(i.token):
            return value
        largest = (1 << PRECISION.get(i.type, 0)) // common_denominator(value)
        # not under what holds there: that may ask for the very loop whose grain is being found
        needed = {n for n in (largest - value.expr, value.expr + largest) if not is_nonnegative(n)}
        return Value(value.expr, value.preconditions | needed)

    def _rests_on_wide(self, token: Operand) -> bool:
        """Is it computed from an integer of more than 32 bits?"""
        seen: set[str] = set()
        work = [token]
        while work:
            token = work.pop()
            i = self.view.function.definitions.get(token)
            if i is None or token in seen or token in self._narrow:
                continue
            seen.add(token)
            if is_any(i, "sitofp", "uitofp"):
                if (int_bits(i.extra[0]) or 64) > _INT:
                    return True
            else:
                work.extend(i.operands)
        self._narrow |= seen
        return False

    def grain(self, phi: Instruction) -> int:
        """What a floating-point loop variable is multiplied with to be an integer: 2 for one that
        steps by 0.5."""
        if phi.token not in self._grains:
            self._grains[phi.token] = 1  # for the variable within its own update
            values = [self.exact(o) for o in phi.operands]
            self._grains[phi.token] = common_denominator(*(v for v in values if v is not None))
        return self._grains[phi.token]


def _constant(token: Operand) -> Value | None:
    exact = number_of(token)
    if exact is None or exact.denominator > _FINEST or abs(exact) >= _LARGEST:
        return None
    return Value(expr(exact))
