"""Whole quotients in normal form: rounded down, up, or towards zero as C divides."""

from __future__ import annotations

import math
from collections.abc import Mapping

from .atoms import Floor, Trunc
from .integer_valued import is_integer
from .polynomial import ONE, ZERO, Expr, Monomial, expr, from_atom, lone_atom, rebuilt
from .proofs import is_nonnegative
from .terms import Number


def floor_div(num: Expr, den: Expr | int) -> Expr:
    """floor(num / den); whole multiples of the divisor are taken out."""
    den = expr(den)
    divisor = den.constant
    if divisor is None:
        return _over_formula(num, den)
    if divisor == 0:
        return from_atom(Floor(num, den))  # evaluates to the division error that it is
    return _over_number(num, divisor)


def _over_formula(num: Expr, den: Expr) -> Expr:
    """floor(num / den) for a divisor that is no number."""
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


def _take_multiples(num: Expr, den: Expr) -> tuple[Expr, Expr]:
    """(q, rest) of num = q den + rest for a symbolic divisor: terms that one monomial with a whole
    coefficient divides, or once a sum where that shortens the rest."""
    unit = den.only_term
    if unit is None:
        return (ONE, num - den) if len((num - den).terms) < len(num.terms) else (ZERO, num)
    outside: dict[Monomial, Number] = {}
    inside: dict[Monomial, Number] = {}
    for m, c in num.terms.items():
        quotient = _exact_quotient(m, c, *unit)
        if quotient is None:
            inside[m] = c
        else:
            outside[quotient[0]] = quotient[1]
    return Expr(outside), Expr(inside)


def _exact_quotient(
    monomial: Monomial, coefficient: Number, below: Monomial, unit: Number
) -> tuple[Monomial, int] | None:
    """(monomial, coefficient) of a term divided by another; None where one does not divide the
    other, or a coefficient is a fraction."""
    if not isinstance(unit, int) or not isinstance(coefficient, int) or coefficient % unit:
        return None
    powers, taken = dict(monomial), dict(below)
    if any(powers.get(a, 0) < e for a, e in below):
        return None
    rest = tuple((a, e - taken.get(a, 0)) for a, e in monomial if e != taken.get(a, 0))
    return rest, coefficient // unit


def _over_number(num: Expr, divisor: Number) -> Expr:
    """floor(num / divisor) for a number that is not zero."""
    outside, part = _parted(num.over(divisor).terms)
    if part.keys() <= {()}:
        return outside  # what is left is a fraction below one
    if is_integer(Expr(part)):
        return outside + Expr(part)
    common = Expr(part).denominator
    inside = Expr(part) * common
    nested = _nested_floor(inside, common)
    if nested is not None:
        return outside + nested
    if inside.leading < 0 and is_integer(inside):
        # one form for one value: floor(-x / d) = -floor((x + d - 1) / d)
        return outside - floor_div(-inside + (common - 1), common)
    return outside + from_atom(Floor(inside, expr(common)))


def _parted(terms: Mapping[Monomial, Number]) -> tuple[Expr, dict[Monomial, Number]]:
    """(whole terms, other terms); the constant is parted into a whole number and a fraction."""
    whole: dict[Monomial, Number] = {}
    part: dict[Monomial, Number] = {}
    for monomial, coefficient in terms.items():
        if not all(a.is_whole for a, _ in monomial):
            part[monomial] = coefficient
            continue
        below = math.floor(coefficient)
        if below == coefficient:
            whole[monomial] = coefficient
        elif monomial:
            part[monomial] = coefficient
        else:
            part[()] = coefficient - below
            if below:
                whole[()] = below
    return Expr(whole), part


def _nested_floor(num: Expr, den: int) -> Expr | None:
    """floor(floor(a / b) / c) = floor(a / (b c)); with an integer added: floor((floor(a / b) + k) /
    c) likewise."""
    line = num.line
    if line is None:
        return None
    a, slope, added = line
    if not isinstance(a, Floor) or slope != 1 or not isinstance(added, int):
        return None
    inner = a.den.constant
    if inner is None or inner <= 0:
        return None
    return floor_div(a.num + inner * added, expr(den * inner))


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


@rebuilt.register(Floor)
def _floor(a: Floor, parts: tuple[Expr, ...]) -> Expr:
    return floor_div(*parts)


@rebuilt.register(Trunc)
def _trunc(a: Trunc, parts: tuple[Expr, ...]) -> Expr:
    return trunc_div(*parts)


def relaxed(e: Expr, sign: int) -> Expr:
    """A formula below (-1) or above (1) e without quotients by numbers: x/d - 1 + 1/d <= floor(x/d)
    <= x/d."""
    return sum((_relaxed_term(m, c, is_above=sign * c > 0) for m, c in e.terms.items()), ZERO)


def _relaxed_term(monomial: Monomial, coefficient: Number, *, is_above: bool) -> Expr:
    """A term, or what its quotient is not above, or not below."""
    a = lone_atom(monomial)
    if not isinstance(a, Floor) or not is_integer(a.num):
        return Expr({monomial: coefficient})
    divisor = a.den.constant
    if not isinstance(divisor, int) or divisor <= 0:
        return Expr({monomial: coefficient})
    limit = a.num if is_above else a.num - (divisor - 1)
    return (limit * coefficient).over(divisor)
