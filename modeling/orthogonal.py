"""Many small least squares problems at once, by modified Gram-Schmidt.

All problems of one size (two to five columns, a handful of points) are solved together, a column a step, so that the
cost of the interpreter does not grow with their number. Normal equations would lose half of the digits, which decide
whether counts are reproduced exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .measurements import Floats


@dataclass(frozen=True)
class Factored:
    """A = Q R for each of N problems: basis (N, k, P) with orthonormal rows, root (N, k, k) the inverse of R, so that
    coefficients are root @ (Q z) and their covariance root @ root.T; log_volume (N,) = log det R."""

    basis: Floats
    root: Floats
    log_volume: Floats


def factor(columns: Floats) -> Factored:
    """Factor columns (N, k, P); dependent columns get a huge root instead of an error."""
    n, k, _ = columns.shape
    basis = np.empty_like(columns)
    upper = np.zeros((n, k, k))
    for j in range(k):
        v = columns[:, j].copy()
        size = np.sqrt(np.einsum("np,np->n", v, v))
        for _ in range(2 if k > 1 else 1):  # twice is enough (Kahan, Parlett)
            for i in range(j):
                part = np.einsum("np,np->n", basis[:, i], v)
                upper[:, i, j] += part
                v -= part[:, None] * basis[:, i]
        length = np.sqrt(np.einsum("np,np->n", v, v))
        length = np.maximum(length, 1e-13 * size + 1e-300)
        upper[:, j, j] = length
        basis[:, j] = v / length[:, None]
    diagonal = np.einsum("nii->ni", upper)
    return Factored(basis, _inverse(upper), np.log(diagonal).sum(axis=1))


def _inverse(upper: Floats) -> Floats:
    """Inverses of upper triangular matrices (N, k, k)."""
    n, k, _ = upper.shape
    inverse = np.zeros((n, k, k))
    for j in range(k):
        inverse[:, j, j] = 1 / upper[:, j, j]
        for i in range(j - 1, -1, -1):
            total = np.einsum("nl,nl->n", upper[:, i, i + 1:j + 1], inverse[:, i + 1:j + 1, j])
            inverse[:, i, j] = -total / upper[:, i, i]
    return inverse


def solve(factored: Factored, z: Floats) -> Floats:
    """Coefficients (N, k) for right-hand sides z (N, P)."""
    projected = np.einsum("nkp,np->nk", factored.basis, z)
    result: Floats = np.einsum("nij,nj->ni", factored.root, projected)
    return result
