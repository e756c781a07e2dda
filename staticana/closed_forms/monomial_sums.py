"""Closed forms of sums of one monomial: powers, exponentials, and functions with whole values."""

from __future__ import annotations

from fractions import Fraction

from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Atom,
    CLog,
    Expr,
    Floor,
    Monomial,
    Pow,
    Root,
    Sym,
    floor_div,
    is_integer,
    is_nonnegative,
    power,
    sym,
    symbols,
)
from .affine import integer_slope
from .index_range import Summation
from .power_sums import falling_sum, geometric_sum, power_sum

_MAX_LAYERS = 4  # powers of the index and of a logarithm or root


def monomial_sum(
    monomial: Monomial, index: str, count: Expr, assumptions: Assumptions, summation: Summation
) -> Expr | None:
    """Closed form for one monomial, None where there is none."""
    degree, ratio, fixed = 0, Fraction(1), ONE
    whole: list[tuple[Atom, int]] = []
    for a, n in monomial:
        if index not in a.symbols:
            fixed = fixed * Expr({((a, n),): 1})
        elif isinstance(a, Sym):
            degree = n
        elif isinstance(a, Pow) and (affine := integer_slope(a.exponent, index)) is not None:
            ratio *= Fraction(a.base) ** (affine[0] * n)
            fixed = fixed * a.rebuild((affine[1],)) ** n
        elif isinstance(a, (Floor, CLog, Root)):
            whole.append((a, n))
        else:
            return None
    if whole:
        total = (
            _whole_sum(*whole[0], degree, index, count, assumptions, summation)
            if len(whole) == 1 and ratio == 1
            else None
        )
        return None if total is None else fixed * total
    if ratio == 1:
        return fixed * power_sum(degree, count)
    if ratio.denominator != 1:
        return None if degree else fixed * falling_sum(ratio, count)
    return fixed * geometric_sum(int(ratio), degree, count)


def _whole_sum(
    a: Atom,
    exponent: int,
    degree: int,
    index: str,
    count: Expr,
    assumptions: Assumptions,
    summation: Summation,
) -> Expr | None:
    """sum_{i<c} i**degree a(i)**exponent for a function that takes whole values."""
    if isinstance(a, (CLog, Root)):
        return _layers(a, exponent, degree, index, count, summation)
    if exponent > 1 or degree:
        return None
    return _floor_sum(a, index, count, assumptions) if isinstance(a, Floor) else None


def _layers(
    a: CLog | Root, exponent: int, degree: int, index: str, count: Expr, summation: Summation
) -> Expr | None:
    """sum of i**degree f(x)**exponent for a logarithm or a root f of x = r + i or x = r - i.

    Counted by layers: f(x) > k exactly from some x on, b**k + 1 or (k + 1)**d, so that the sum over
    x < t of P(x) f(x) is the sum over k < f(t - 1) of S(t) - S(first x with f(x) > k), S(t) =
    sum_{x<t} P(x). f is 0 up to x = 0, hence the difference of two such sums is right for negative
    bounds, too.
    """
    affine = integer_slope(a.arg, index)
    if (
        affine is None
        or abs(affine[0]) != 1
        or not is_integer(affine[1])
        or degree + exponent > _MAX_LAYERS
    ):
        return None
    sign, r = affine
    x, t, k = "%x", "%t", symbols.nested(index)
    total = ZERO  # S(t)
    for power_of, factor in ((((sym(x) - r) * sign) ** degree).split(x) or {}).items():
        total = total + factor * power_sum(power_of, sym(t))
    first = power(a.base, sym(k)) + 1 if isinstance(a, CLog) else (sym(k) + 1) ** a.degree
    layer = ((sym(k) + 1) ** exponent - sym(k) ** exponent) * (total - total.substitute({t: first}))

    def before(end: Expr) -> Expr:
        return summation(layer.substitute({t: end}), k, a.rebuild((end - 1,)), None)

    return before(r + count) - before(r) if sign == 1 else before(r + 1) - before(r + 1 - count)


def _floor_sum(a: Floor, index: str, count: Expr, assumptions: Assumptions) -> Expr | None:
    """sum of floor((i + r) / d) or floor((r - i) / d) for a fixed d >= 1, by G(t) = sum_{x<t}
    floor(x / d)."""
    affine = integer_slope(a.num, index)
    if (
        affine is None
        or abs(affine[0]) != 1
        or index in a.den.symbols
        or not is_nonnegative(a.den - 1, assumptions)
    ):
        return None
    if not is_integer(affine[1]) or not is_integer(a.den):
        return None
    low = affine[1] if affine[0] == 1 else affine[1] - count + 1
    return _floor_prefix(low + count, a.den) - _floor_prefix(low, a.den)


def _floor_prefix(t: Expr, divisor: Expr) -> Expr:
    """sum_{x=0}^{t-1} floor(x / divisor) = divisor q (q - 1) / 2 + q (t - divisor q), q = floor(t /
    divisor)."""
    q = floor_div(t, divisor)
    return (q * (q - 1) * divisor).over(2) + q * (t - q * divisor)
