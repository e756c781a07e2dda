"""Description lengths in bits: of formulas, and of counts that follow no formula.

A formula is believed where it shortens the description of the counts (Rissanen, "Modeling by
shortest data description", Automatica 1978): a hypothesis of L bits that says nothing true fits
data of D bits with a probability of at most 2**(L - D), whatever the number of hypotheses, since
the lengths are those of a prefix code (Kraft's inequality).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import log2

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Point = tuple[int, ...]
"""Values of the parameters, in the order of their names."""

_SMOOTH_DEGREE = 5
"""Largest degree of the smooth curves that counts are compared with."""
_KEPT = 8
"""Sets of points whose columns are kept: series of a study share their points."""
_LARGEST = 2.0**52
"""Residuals of fits in double precision mean nothing beyond this."""


def integer_bits(value: int) -> float:
    """Length of an integer of unknown size: a sign, its digits, and the number of its digits
    (Rissanen, "A universal prior for integers", Annals of Statistics 1983, cut after two terms)."""
    if not value:
        return 0.5
    digits = log2(abs(value))
    return (2 if value < 0 else 1) + digits + 2 * log2(digits + 1)


def rational_bits(value: Fraction) -> float:
    """Length of a rational number."""
    below = integer_bits(value.denominator) - 1 if value.denominator != 1 else 0.0
    return integer_bits(value.numerator) + below


def count_bits(points: Sequence[Point], values: Sequence[int]) -> float:
    """Length of counts that follow no formula: the shorter one of the numbers themselves, and of
    their deviations from a smooth curve (a polynomial or a power law of the parameters).

    A curve that goes through all counts is no alternative to a formula, it is one, and is left
    out.
    """
    each = log2(max(map(abs, values)) + 1) + 1
    best = each * len(values)
    for columns, seen, back in _curves(points, values):
        free = columns.shape[1]
        if free > len(values) - 2:
            continue
        solution = np.linalg.lstsq(columns, seen, rcond=None)[0]
        fitted = back(columns @ solution)
        if not np.isfinite(fitted).all() or np.abs(fitted).max() > _LARGEST:
            continue
        residuals = sorted(
            abs(y - round(float(f))) for y, f in zip(values, fitted.tolist(), strict=True)
        )
        if residuals[-1]:
            rest = residuals[free:]
            best = min(best, free * each + sum(log2(1 + 2 * r) + 1 for r in rest))
    return best


def _curves(
    points: Sequence[Point], values: Sequence[int]
) -> Iterator[tuple[Floats, Floats, Callable[[Floats], Floats]]]:
    """(columns, what they are fitted to, how fitted values become counts) of smooth curves."""
    y = np.array(values, dtype=float)
    plain, powers, logarithm = _columns(tuple(points))
    for columns in plain:
        yield columns, y, np.asarray
    if logarithm and (y > 0).all():
        for columns in powers:
            yield columns, np.log(y), _exponential
    for columns in logarithm:
        yield columns, y, np.asarray


@lru_cache(maxsize=_KEPT)
def _columns(points: tuple[Point, ...]) -> tuple[list[Floats], ...]:
    """Columns of polynomials, of power laws and of the logarithm, the last two where they are
    defined."""
    x = np.array(points, dtype=float)
    scaled = x / np.maximum(np.abs(x).max(axis=0), 1)
    plain = [_monomials(scaled, degree) for degree in range(_SMOOTH_DEGREE + 1)]
    if not (x > 0).all():
        return plain, [], []
    powers = [_monomials(np.log(x), degree) for degree in (1, 2)]
    return plain, powers, powers[:1]


def _exponential(values: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(values))


def _monomials(x: Floats, degree: int) -> Floats:
    """All products of columns up to a total degree."""
    found = [np.ones(len(x))]
    layer: list[tuple[Floats, int]] = [(np.ones(len(x)), 0)]
    for _ in range(degree):
        layer = [(c * x[:, k], k) for c, first in layer for k in range(first, x.shape[1])]
        found += [c for c, _ in layer]
    return np.stack(found, axis=1)
