"""Sums of powers of an index and of powers with the index as exponent, in closed form.

sum i**k by Faulhaber's formula, sum i**k r**i by the geometric series and its derivatives (Graham,
Knuth and Patashnik, Concrete Mathematics, sections 2.3, 2.6 and 6.5).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from ..expr import ONE, ZERO, CLog, Expr, Pow, TooComplex, from_atom, is_nonnegative

_MAX_DEGREE = 24
"""The highest power that is summed; sums of higher ones are refused as too complex."""


@lru_cache(maxsize=_MAX_DEGREE + 2)
def _faulhaber(degree: int) -> tuple[Fraction, ...]:
    """Coefficients of sum_{i=0}^{c-1} i**degree in powers of c, from c**1 on (Bernoulli numbers, B1
    = -1/2)."""
    # S_k(c) follows from c**(k+1) = sum_{j<=k} binom(k+1, j) S_j(c).
    coefficients = [Fraction(0)] * (degree + 1)
    coefficients[degree] = Fraction(1)
    binomial = 1
    for j in range(degree):
        if j:
            binomial = binomial * (degree + 2 - j) // j
        lower = _faulhaber(j)
        for at, value in enumerate(lower):
            coefficients[at] -= binomial * value
    return tuple(value / (degree + 1) for value in coefficients)


def power_sum(degree: int, count: Expr) -> Expr:
    """sum_{i=0}^{count-1} i**degree."""
    if degree > _MAX_DEGREE:
        raise TooComplex
    result, reached = ZERO, ONE
    for coefficient in _faulhaber(degree):
        reached = reached * count
        if coefficient:
            result = result + reached * coefficient
    return result


def geometric_sum(ratio: int, degree: int, count: Expr) -> Expr:
    """sum_{i<c} i**degree ratio**i = ratio**c p(c) - p(0), p found by p(i+1) ratio - p(i) =
    i**degree."""
    p = [Fraction(0)] * (degree + 1)
    for k in range(degree, -1, -1):
        # coefficient of i**k in ratio * p(i+1) - p(i) must be 1 for k = degree and 0 below
        value = Fraction(1 if k == degree else 0)
        for j in range(k + 1, degree + 1):
            value -= ratio * p[j] * math.comb(j, k)
        p[k] = value / (ratio - 1)
    polynomial, reached = ZERO, ONE
    for coefficient in p:
        polynomial = polynomial + reached * coefficient
        reached = reached * count
    return _raised(ratio, count) * polynomial - p[0]


def falling_sum(ratio: Fraction, count: Expr) -> Expr:
    """sum_{i<c} (1/b)**i = (b - b * b**-c) / (b - 1)."""
    if ratio.numerator != 1:
        raise TooComplex
    base = ratio.denominator
    return (base - _raised(base, -count) * base).over(base - 1)


def _raised(base: int, exponent: Expr) -> Expr:
    """base ** exponent with base a power of a prime kept as written: 4**c, 8**c."""
    atom = exponent.atom
    if (
        isinstance(atom, CLog)
        and atom.base == base
        and isinstance(atom.arg.atom, Pow)
        and atom.arg.atom.base == base
        and is_nonnegative(atom.arg.atom.exponent)
    ):
        return from_atom(atom.arg.atom)
    return Pow(base, ZERO).rebuild((exponent,))
