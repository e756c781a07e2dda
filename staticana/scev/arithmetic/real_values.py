"""Floating-point registers that are rounded, by the whole numbers next to them.

All that a loop learns of `sqrt(n)` or `n / 3.0` is how it compares with whole numbers, so that a
floating-point number is known by its floor and its ceiling. Those of the number in the register are
those of the real one, provided that

- a whole result is met exactly: a quotient and a root are rounded correctly (IEEE 754, 5.4.1), so
  that what a machine number can hold is not rounded; `log2` and `log10` of powers of their base and
  `pow` where its result is whole are exact (fdlibm, e_log10.c; glibc, "Errors in Math Functions");
- no other result is rounded to a whole number: it is further away from all of them, by `gap`, than
  what is lost in rounding. a/b is away by 1/b, the root of n by 1/(2 sqrt(n)), log2(n) by 1/n.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ...expr import (
    Expr,
    ceil_div,
    ceil_log,
    choose,
    expr,
    floor_div,
    is_integer,
    is_nonnegative,
    maximum,
    power,
    root,
    step,
    sym,
    symbols,
    trunc_div,
)
from ...expr.intervals import interval
from ...interpreter.numbers import literal
from ...ir.graph import callee
from ...ir.matchers import is_any
from ...ir.types import Constant, Instruction, Operand
from ..context import FunctionContext
from ..values import NO_PRECONDITIONS, Real, Value
from .fits import assumptions_at

if TYPE_CHECKING:
    from .float_values import FloatValues

PRECISION = {"float": 24, "double": 53, "x86_fp80": 64}
"""Bits of the significand; IEEE 754, table 3.5."""
_DENOMINATORS = (10, 100, 1_000, 10_000, 1_000_000)
"""Of fractions that a constant may stand for."""
_LARGEST_EXPONENT = 1_000
"""Of a power of two that is a floating-point number."""
_HALF = Fraction(1, 2)
_SMALL = 1 << 30
"""Numbers that may be added to a root and leave it an int."""


class RealValues:
    """The real numbers behind the floating-point registers of one function."""

    def __init__(self, view: FunctionContext, floats: FloatValues) -> None:
        self.view, self._floats = view, floats
        self._known: dict[str, Real | None] = {}

    def of(self, token: Operand) -> Real | None:
        """The number behind a register; None where it is not known, or a number without rounding
        (`FloatValues.exact`)."""
        if token not in self._known:
            self._known[token] = None  # for one that depends on itself
            i = self.view.function.definitions.get(token)
            if i is not None:
                self._known[token] = self._find(i)
        return self._known[token]

    def called(self, i: Instruction) -> Value | None:
        """What a function of the library yields that is a whole number, or a number without
        rounding."""
        name, arguments = self._name(i), i.operands[1:]
        of_two, of_one = _OF_TWO.get(name), _OF_ONE.get(name)
        if of_two is not None and len(arguments) == 2:
            return of_two(self, i, arguments[0], arguments[1])
        if of_one is not None and len(arguments) == 1:
            return of_one(self, i, arguments[0])
        if name not in _ROUNDINGS or len(arguments) != 1:
            return None
        value = self._floats.exact(arguments[0])
        found = self.of(arguments[0]) if value is None else _of_fraction(self, i, value)
        if found is None:
            return None
        rounded = _ROUNDINGS[name](found)
        return None if rounded is None else Value(rounded, found.needs)

    def _find(self, i: Instruction) -> Real | None:
        if is_any(i, "fpext"):
            return self.of(i.operands[0])
        if i.type not in PRECISION:
            return None
        if is_any(i, "fdiv"):
            return self._quotient(i)
        if is_any(i, "fmul"):
            return self._product(i, *i.operands) or self._product(i, *i.operands[::-1])
        if is_any(i, "fadd", "fsub"):
            one, other = i.operands
            number = _whole(self._floats.exact(other))
            if number is None and is_any(i, "fadd"):
                one, number = other, _whole(self._floats.exact(one))
            sign = 1 if is_any(i, "fadd") else -1
            return self._moved(i, self.of(one), None if number is None else sign * number)
        if is_any(i, "call"):
            name, arguments = self._name(i), i.operands[1:]
            if name == "fmuladd":
                product = self._product(i, *arguments[:2]) or self._product(i, *arguments[1::-1])
                return self._moved(i, product, _whole(self._floats.exact(arguments[2])))
            if name == "pow" and len(arguments) == 2 and number_of(arguments[1]) == _HALF:
                return self._of_whole(i, "sqrt", arguments[0])
            if name in _FUNCTIONS and len(arguments) == 1:
                return self._of_whole(i, name, arguments[0])
        return None

    def _name(self, i: Instruction) -> str:
        """The name of a function of the library, without what says its type."""
        name = callee(i) or ""
        if name in self.view.program.defined:
            return ""
        base = name.removeprefix("llvm.").partition(".")[0]
        plain = base[:-1] if base.endswith(("f", "l")) else base  # of float and long double
        return plain if plain in _NAMES else base

    # -- quotients
    def _quotient(self, i: Instruction) -> Real | None:
        above, below = self._floats.exact(i.operands[0]), self._floats.exact(i.operands[1])
        if above is None:
            return None
        if below is None:
            by = number_of(i.operands[1])
            told = _told(by) if by is not None else None
            if by is None or not by or not told:
                return None
            return self._scaled(i, above, 1 / by, 1 / told)
        scale = common_denominator(above, below)
        num, den = above.expr * scale, below.expr * scale
        number = den.constant
        if number is not None and number < 0:
            num, den = -num, -den
        needs = above.preconditions | below.preconditions
        if not is_nonnegative(den - 1, assumptions_at(self.view, i)):
            needs |= {den - 1}
        gap = Fraction(0) if den.constant is None else 1 / Fraction(den.constant)
        return self._fraction(i, num, den, needs | self._below(i, num * 2), gap)

    def _product(self, i: Instruction, whole: Operand, factor: Operand) -> Real | None:
        """A whole number times a constant that stands for a fraction."""
        by, value = number_of(factor), self._floats.exact(whole)
        if by is None or value is None or self._floats.exact(factor) is not None:
            return None
        return self._scaled(i, value, by, _told(by))

    def _scaled(self, i: Instruction, value: Value, by: Fraction, told: Fraction) -> Real | None:
        """A whole number times a constant, which is written as a fraction near it, `told`: where
        the product is whole, what the constant is off by must be lost in rounding, or lead to the
        side that the reader does not see."""
        if not is_integer(value.expr) or not told:
            return None
        off, bits = by / told - 1, PRECISION[i.type]
        num, den = value.expr * told.numerator, expr(told.denominator)
        needs = value.preconditions | self._below(i, num * 2)
        found = self._fraction(i, num, den, needs, Fraction(1, told.denominator))
        if abs(off) <= Fraction(1, 1 << (bits + 1)) or found is None:
            return found
        return None

    def _fraction(
        self, i: Instruction, num: Expr, den: Expr, needs: frozenset[Expr], gap: Fraction
    ) -> Real | None:
        if not is_integer(num) or not is_integer(den):
            return None
        up = floor_div(num * 2 + den, den * 2)
        down = ceil_div(num * 2 - den, den * 2)
        nearest = up if is_nonnegative(num, assumptions_at(self.view, i)) else None
        return Real(
            floor_div(num, den),
            ceil_div(num, den),
            choose(step(num), up, down) if nearest is None else nearest,
            trunc_div(num, den),
            needs,
            gap,
            self._loss(i, num),
        )

    # -- functions
    def _of_whole(self, i: Instruction, name: str, argument: Operand) -> Real | None:
        """A function of a whole number."""
        value = self._floats.exact(argument)
        if value is None or not is_integer(value.expr):
            return None
        x, bits = value.expr, PRECISION[i.type]
        least, most, make = _FUNCTIONS[name]
        needs = value.preconditions | self._between(i, x, least, 1 << (bits - most))
        if name != "sqrt":  # which IEEE 754 says itself
            needs |= _as_libraries_do(name)
        largest = self._largest(x) or 1 << (bits - most)
        gap = Fraction(1, 4 * largest) if name != "sqrt" else Fraction(1, 4 * int(largest**0.5 + 1))
        return replace(
            make(x), needs=needs, gap=gap, lost=Fraction(largest.bit_length(), 1 << bits)
        )

    def _moved(self, i: Instruction, found: Real | None, number: int | None) -> Real | None:
        """A number and a whole constant: sqrt(n) + 1."""
        if found is None or number is None or not found.gap:
            return None
        lost = found.lost * 2 + Fraction(abs(number), 1 << (PRECISION[i.type] - 1))
        if lost >= found.gap:
            return None
        floor, ceiling = found.floor + number, found.ceiling + number
        whole = floor
        if not is_nonnegative(floor, assumptions_at(self.view, i)):
            whole = choose(step(floor), floor, ceiling)
        is_small = found.is_small and abs(number) < _SMALL
        return Real(floor, ceiling, None, whole, found.needs, found.gap, lost, is_small)

    # -- how large numbers are
    def _largest(self, e: Expr) -> int | None:
        """The largest absolute value that a formula can have by the types of its symbols."""
        found = interval(e, self.view.program.range_of)
        return None if found is None else math.ceil(max(-found[0], found[1], 1)) + 1

    def _loss(self, i: Instruction, e: Expr) -> Fraction:
        bits = PRECISION.get(i.type, 53)  # a function that rounds to an integer reads doubles
        return Fraction(self._largest(e) or 1 << bits, 1 << (bits - 1))

    def _below(self, i: Instruction, e: Expr) -> frozenset[Expr]:
        """What must hold for a formula to be small enough to be whole in the type."""
        limit = 1 << PRECISION[i.type]
        return self._between(i, e, -limit, limit)

    def _between(self, i: Instruction, e: Expr, low: int, high: int) -> frozenset[Expr]:
        found = interval(e, self.view.program.range_of)
        known = assumptions_at(self.view, i)
        needed = []
        if found is None or found[0] < low:
            needed.append(e - low)
        if found is None or found[1] > high:
            needed.append(high - e)
        return frozenset(n for n in needed if not is_nonnegative(n, known))

    # -- functions of two numbers
    def power_of(self, i: Instruction, base: Operand, exponent: Operand) -> Value | None:
        """pow(2, k) or pow(n, 2)."""
        b, e = self._floats.exact(base), self._floats.exact(exponent)
        if b is None or e is None or not is_integer(b.expr) or not is_integer(e.expr):
            return None
        bits, number, times = PRECISION.get(i.type, 0), b.expr.constant, e.expr.constant
        if isinstance(times, int) and 0 < times <= 4:
            found = expr(1)
            for _ in range(times):
                found = found * b.expr
            needs = b.preconditions | self._below(i, found)
            return Value(found, needs | _as_libraries_do("pow"))
        if number == 2 and bits:
            needs = self._between(i, e.expr, 0, _LARGEST_EXPONENT) | _as_libraries_do("pow")
            return Value(power(2, e.expr), e.preconditions | needs)
        return None

    def extreme(self, i: Instruction, a: Operand, b: Operand) -> Value | None:
        """fmin(a, b) or fmax(a, b)."""
        one, other = self._floats.exact(a), self._floats.exact(b)
        if one is None or other is None:
            return None
        difference = one.expr - other.expr
        least, most = (one.expr, other.expr)
        is_min = self._name(i) in ("fmin", "minnum")
        chosen = choose(step(difference), most if is_min else least, least if is_min else most)
        return Value(chosen, one.preconditions | other.preconditions)

    def exponential(self, i: Instruction, exponent: Operand) -> Value | None:
        """exp2(k)."""
        e = self._floats.exact(exponent)
        if e is None or not is_integer(e.expr):
            return None
        needs = self._between(i, e.expr, 0, _LARGEST_EXPONENT) | _as_libraries_do("exp2")
        return Value(power(2, e.expr), e.preconditions | needs)

    def absolute(self, i: Instruction, x: Operand) -> Value | None:
        """fabs(x)."""
        value = self._floats.exact(x)
        return (
            None if value is None else Value(maximum(value.expr, -value.expr), value.preconditions)
        )


def _as_libraries_do(name: str) -> frozenset[Expr]:
    """What glibc, musl and fdlibm keep, and no standard asks for."""
    return frozenset((sym(symbols.assumed(f"{name} is exact where its result is whole")),))


def _whole(value: Value | None) -> int | None:
    """A whole constant."""
    number = None if value is None or value.preconditions else value.expr.constant
    return number if isinstance(number, int) else None


def _of_fraction(reals: RealValues, i: Instruction, value: Value) -> Real | None:
    """A number without rounding."""
    scale = common_denominator(value)
    return reals._fraction(i, value.expr * scale, expr(scale), value.preconditions, Fraction(0))


def common_denominator(*values: Value) -> int:
    """What the values are multiplied with to have whole coefficients."""
    return math.lcm(*(Fraction(c).denominator for v in values for c in v.expr.terms.values()))


def number_of(token: Operand) -> Fraction | None:
    """A floating-point constant, exactly."""
    number = literal(token, "double") if isinstance(token, Constant) else None
    return Fraction(number) if isinstance(number, float) else None


def _told(number: Fraction) -> Fraction:
    """The simplest fraction of which a constant is the nearest floating-point number; 0 where it
    has no simple one, as pi."""
    for most in _DENOMINATORS:
        found = number.limit_denominator(most)
        if float(found) == float(number):
            return found
    return Fraction(0)


# -- x -> what is known of the function at x
def _sqrt(x: Expr) -> Real:
    floor = root(2, x)
    nearest = floor_div(root(2, x * 4) + 1, expr(2))
    return Real(floor, step(x - 1) * (root(2, x - 1) + 1), nearest, floor, NO_PRECONDITIONS)


def _log(base: int) -> Callable[[Expr], Real]:
    def made(x: Expr) -> Real:
        floor = ceil_log(base, x + 1) - 1
        return Real(floor, ceil_log(base, x), None, floor, NO_PRECONDITIONS)

    return made


_FUNCTIONS: Mapping[str, tuple[int, int, Callable[[Expr], Real]]] = {
    "sqrt": (0, 1, _sqrt),
    "log2": (1, 10, _log(2)),
    "log10": (1, 13, _log(10)),
}
"""Function -> the least argument, how many bits of the significand arguments must leave, and what
it yields. The root of n = m**2 - 1 is away from m by more than 1/(2m), and rounded by less than
that for n < 2**(bits - 1); log2(n) is away by more than 1/n."""
_ROUNDINGS: Mapping[str, Callable[[Real], Expr | None]] = {
    "floor": lambda r: r.floor,
    "ceil": lambda r: r.ceiling,
    "trunc": lambda r: r.whole,
    **dict.fromkeys(("round", "lround", "llround"), lambda r: r.nearest),
}
_OF_TWO: Mapping[str, Callable[[RealValues, Instruction, Operand, Operand], Value | None]] = {
    "pow": RealValues.power_of,
    **dict.fromkeys(("fmin", "fmax", "minnum", "maxnum"), RealValues.extreme),
}
_OF_ONE: Mapping[str, Callable[[RealValues, Instruction, Operand], Value | None]] = {
    "exp2": RealValues.exponential,
    "fabs": RealValues.absolute,
}
_NAMES = frozenset((*_FUNCTIONS, *_ROUNDINGS, *_OF_TWO, *_OF_ONE))
