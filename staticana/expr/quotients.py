"""Whole quotients: rounded down, up, or towards zero as C divides."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Self

from .atoms import Atom
from .extrema import maximum
from .integer_valued import is_integer
from .polynomial import ONE, ZERO, Expr, expr, from_atom
from .printing import is_parity_hidden, rounded
from .proofs import Assumptions, is_nonnegative
from .terms import Monomial, Number, number


class Quotient(Atom):
    """A quotient made whole; subclasses say how."""

    __slots__ = ("den", "num")
    name = ""
    num: Expr
    den: Expr

    def __new__(cls, num: Expr, den: Expr) -> Self:
        return cls._of(f"{cls.name}({num}|{den})", num=num, den=den)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.num, self.den

    @property
    def is_parity_hidden(self) -> bool:
        return is_parity_hidden(self.num)

    def exact(self, values: Mapping[str, Number]) -> Fraction:
        """The quotient before it is made whole."""
        return Fraction(self.num.evaluate(values)) / Fraction(self.den.evaluate(values))

    def never_negative(self, assumptions: Assumptions | None) -> bool:
        return is_nonnegative(self.num, assumptions) and is_nonnegative(self.den, assumptions)


class Floor(Quotient):
    """floor(num / den)."""

    __slots__ = ()
    name = "floor"
    is_rounded = True

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return floor_div(*parts)

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return math.floor(self.exact(values))

    def never_positive(self, assumptions: Assumptions | None) -> bool:
        return is_nonnegative(-self.num, assumptions) and is_nonnegative(self.den, assumptions)

    def bounds(self, assumptions: Assumptions | None = None) -> Sequence[Expr]:
        return self._bounds

    @cached_property
    def _bounds(self) -> tuple[Expr, ...]:
        den = self.den.constant
        if den is None or den <= 0:
            return ()
        below = from_atom(self) * den
        return self.num - below, below + (den - 1) - self.num

    def written(self) -> str:
        constant = self.num.terms.get((), 0)
        if (
            self.den.constant is not None
            and constant == self.den.constant - 1
            and self.den.constant > 1
        ):
            return rounded("ceiling", self.num - constant, self.den)
        return rounded("floor", self.num, self.den)

    def written_opposite(self, *, is_negative: bool) -> str | None:
        """-floor(-x/d) is written ceiling(x/d), and floor(-x/d) so where there is no plus in x."""
        signs = {c < 0 for m, c in self.num.terms.items() if m}
        if True in signs and (is_negative or False not in signs):
            return rounded("ceiling", -self.num, self.den)
        return None


class Trunc(Quotient):
    """num / den rounded towards zero, as C divides; `den` is positive."""

    __slots__ = ()
    name = "trunc"

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return trunc_div(*parts)

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return math.trunc(self.exact(values))

    def bounds(self, assumptions: Assumptions | None = None) -> list[Expr]:
        den = self.den.constant
        return (
            [self.num - from_atom(self) * den]
            if den is not None and is_nonnegative(self.num)
            else []
        )

    def where_positive(self) -> Expr | None:
        return floor_div(self.num, self.den)

    def written(self) -> str:
        up, down = maximum(0, self.num), maximum(0, -self.num)
        return f"({rounded('floor', up, self.den)} - {rounded('floor', down, self.den)})"


def floor_div(num: Expr, den: Expr | int) -> Expr:
    """floor(num / den); whole multiples of the divisor are taken out."""
    den = expr(den)
    divisor = den.constant
    if divisor is None:
        if num == ZERO:
            return ZERO
        if num == den:
            return ONE
        outside, inside = _take_multiples(num, den)
        if not inside:
            return outside
        if inside.terms.get((), 0) == -1 and inside.constant is None and is_integer(inside):
            # one form for one value, the one people write: floor((x - 1) / p) = ceiling(x / p) - 1
            return outside - from_atom(Floor(-inside - 1, den)) - 1
        return outside + from_atom(Floor(inside, den))
    if divisor == 0:
        return from_atom(Floor(num, den))  # evaluates to the division error that it is
    scaled = num.over(divisor)
    whole: dict[Monomial, Number] = {}
    part: dict[Monomial, Number] = {}
    for monomial, coefficient in scaled.terms.items():
        if all(a.is_whole for a, _ in monomial):
            floor = math.floor(coefficient)
            if floor == coefficient:
                whole[monomial] = coefficient
                continue
            if not monomial:
                if floor:
                    whole[monomial] = floor
                coefficient = coefficient - floor
        part[monomial] = coefficient
    outside = Expr(whole)
    if not part:
        return outside
    if set(part) == {()}:
        return outside  # a fraction below one
    if is_integer(Expr(part)):
        return outside + Expr(part)
    common = math.lcm(*(c.denominator for c in part.values()))
    inside = Expr({m: number(c * common) for m, c in part.items()})
    nested = _nested_floor(inside, common)
    if nested is not None:
        return outside + nested
    lead = max((m for m in inside.terms if m), key=lambda m: [(a.key, e) for a, e in m])
    if inside.terms[lead] < 0 and is_integer(inside):
        # one form for one value: floor(-x / d) = -floor((x + d - 1) / d)
        return outside - floor_div(-inside + (common - 1), common)
    return outside + from_atom(Floor(inside, expr(common)))


def _nested_floor(num: Expr, den: int) -> Expr | None:
    """floor(floor(a / b) / c) = floor(a / (b c)); with an integer added: floor((floor(a / b) + k) /
    c) likewise."""
    floors = [
        (m, c)
        for m, c in num.terms.items()
        if len(m) == 1 and isinstance(m[0][0], Floor) and c == 1
    ]
    if len(floors) != 1 or len(num.terms) > 2:
        return None
    a = floors[0][0][0][0]
    rest = num - from_atom(a)
    inner = a.parts[1].constant
    if (
        floors[0][0][0][1] != 1
        or inner is None
        or inner <= 0
        or rest.constant is None
        or not is_integer(rest)
    ):
        return None
    return floor_div(a.parts[0] + rest * inner, expr(den * inner))


def _take_multiples(num: Expr, den: Expr) -> tuple[Expr, Expr]:
    """num = q den + rest for a symbolic divisor that is one atom or one monomial with coefficient
    a whole coefficient."""
    if len(den.terms) != 1:
        return (ONE, num - den) if len((num - den).terms) < len(num.terms) else (ZERO, num)
    ((monomial, unit),) = den.terms.items()
    outside: dict[Monomial, Number] = {}
    inside: dict[Monomial, Number] = {}
    for m, c in num.terms.items():
        powers = dict(m)
        if (
            isinstance(unit, int)
            and all(powers.get(a, 0) >= e for a, e in monomial)
            and isinstance(c, int)
            and c % unit == 0
        ):
            rest = tuple(
                (a, e - dict(monomial).get(a, 0)) for a, e in m if e - dict(monomial).get(a, 0)
            )
            outside[rest] = c // unit
        else:
            inside[m] = c
    return Expr(outside), Expr(inside)


def ceil_div(num: Expr, den: Expr | int) -> Expr:
    """ceiling(num / den)."""
    return -floor_div(-num, den)


def trunc_div(num: Expr, den: Expr | int) -> Expr:
    """num / den as C divides, for a positive divisor."""
    den = expr(den)
    if num.constant is not None and den.constant:
        a, b = int(num.constant), int(den.constant)
        return expr(abs(a) // abs(b) * (1 if a * b >= 0 else -1))
    if den == ONE:
        return num
    if den.constant and is_integer(num.over(den.constant)):
        return num.over(den.constant)
    if is_nonnegative(num):
        return floor_div(num, den)
    return from_atom(Trunc(num, den))


def relaxed(e: Expr, sign: int) -> Expr:
    """A formula below (-1) or above (1) e without quotients by numbers: x/d - 1 + 1/d <= floor(x/d)
    <= x/d."""
    result = ZERO
    for monomial, coefficient in e.terms.items():
        a = monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else None
        term = Expr({monomial: coefficient})
        if (
            isinstance(a, Floor)
            and is_integer(a.num)
            and isinstance(d := a.den.constant, int)
            and d > 0
        ):
            up = sign * coefficient > 0
            term = ((a.num if up else a.num - (d - 1)) * coefficient).over(d)
        result = result + term
    return result
