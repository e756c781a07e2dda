"""Errors of all hypotheses for all series that share their points, in one matrix product.

The residual of a linear least squares fit is r = (I - Q'Q) z with an orthonormal basis Q of the
hypothesis' columns, so the leave-one-out error sum_p (r_p / (1 - h_p))**2 is a quadratic form z'Mz
in the observations. M depends on the points
alone. With M packed into P(P+1)/2 numbers and the products z_i z_j of each series packed likewise,
one matrix product gives the errors of all hypotheses for all series.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..settings import ARITHMETIC, FORM_ROWS
from .batched_gram_schmidt import factor


@dataclass(frozen=True)
class Forms:
    """Quadratic forms of H hypotheses at P points: packed (P (P + 1) / 2, H)."""

    packed: Floats
    points: int

    def errors(self, values: Floats) -> Floats:
        """Errors (K, H) for values (K, P) times the square roots of their weights."""
        result: Floats = products(values) @ self.packed
        return result

    def best(self, values: Floats) -> NDArray[np.int64]:
        """(K,): the hypothesis with the least error for each row of values; errors never leave the
        cache."""
        found = np.empty(len(values), dtype=np.int64)
        for start in range(0, len(values), FORM_ROWS):
            found[start : start + FORM_ROWS] = self.errors(
                values[start : start + FORM_ROWS]
            ).argmin(axis=1)
        return found


def products(values: Floats) -> Floats:
    """z_i z_j, i <= j, of each row: (K, P (P + 1) / 2)."""
    rows, columns = np.triu_indices(values.shape[1])
    return values.take(rows, axis=1) * values.take(columns, axis=1)


def left_out_forms(columns: Floats) -> Forms:
    """Forms of leave-one-out errors: M = R D R with R = I - Q'Q, D = diag(1 / (1 - h_p)**2);
    columns (k, P, H)."""
    basis = factor(columns.copy()).basis
    residual = np.eye(columns.shape[1])[..., None] - np.einsum("kph,kqh->pqh", basis, basis)
    scaled = residual / (
        1 - np.minimum(np.einsum("kph,kph->ph", basis, basis), 1 - ARITHMETIC.leverage)
    )
    return _pack(np.einsum("prh,qrh->pqh", scaled, scaled))


def _pack(matrices: Floats) -> Forms:
    """Symmetric matrices (P, P, H)."""
    points = len(matrices)
    rows, columns = np.triu_indices(points)
    packed = matrices[rows, columns] * np.where(rows == columns, 1.0, 2.0)[:, None]
    return Forms(packed, points)
