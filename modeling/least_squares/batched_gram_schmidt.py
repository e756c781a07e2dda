"""Many small least squares problems at once, by modified Gram-Schmidt.

All problems of one size (one to five columns, a handful of points) are solved together, a column a
step; the number of the problem is the last axis, so that each step is a few long vector operations.
Normal equations would lose half of the digits, which decide whether counts are reproduced exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.measurements import Floats
from ..settings import ARITHMETIC


@dataclass(frozen=True)
class Factored:
    """A = Q R for each of N problems: basis (k, P, N), orthonormal for each; upper (k, k, N), R;
    root (k, k, N), the inverse of R, so that the covariance of coefficients is root @ root.T;
    log_volume (N,) = log det R, infinite where a column depends on others: it is zero in Q."""

    basis: Floats
    upper: Floats
    root: Floats
    log_volume: Floats


def factor(columns: Floats) -> Factored:
    """Factor columns (k, P, N), which are overwritten; dependent columns add nothing to Q."""
    k, _, n = columns.shape
    upper = np.zeros((k, k, n))
    volume = np.zeros(n)
    for j in range(k):
        v = columns[j]
        least = ARITHMETIC.dependent * np.sqrt(_dot(v, v)) + ARITHMETIC.tiny
        for _ in range(2 if j else 0):  # twice is enough (Kahan, Parlett)
            for i in range(j):
                part = _dot(columns[i], v)
                upper[i, j] += part
                v -= part * columns[i]
        length = np.sqrt(_dot(v, v))
        upper[j, j] = np.maximum(length, least)
        volume += np.where(length > least, np.log(upper[j, j]), np.inf)
        v *= np.where(length > least, 1 / upper[j, j], 0.0)
    return Factored(columns, upper, _inverse_of(upper), volume)


def _dot(a: Floats, b: Floats) -> Floats:
    result: Floats = np.einsum("pn,pn->n", a, b)
    return result


def _inverse_of(upper: Floats) -> Floats:
    """Inverses of upper triangular matrices (k, k, N)."""
    inverse = np.zeros_like(upper)
    for j in range(len(upper)):
        inverse[j, j] = 1 / upper[j, j]
        for i in range(j - 1, -1, -1):
            total = upper[i, i + 1] * inverse[i + 1, j]
            for l in range(i + 2, j + 1):
                total += upper[i, l] * inverse[l, j]
            inverse[i, j] = -total / upper[i, i]
    return inverse
