"""Errors of all hypotheses for all series that share their points, in one matrix product.

The residual of a linear least squares fit is r = (I - Q'Q) z with an orthonormal basis Q of the
hypothesis' columns, so both the residual sum of squares z'(I - Q'Q) z and the leave-one-out error
sum_p (r_p / (1 - h_p))**2 are quadratic forms z'Mz in the observations. M depends on the points
alone. With M packed into P(P+1)/2 numbers and the products z_i z_j of each series packed likewise,
one matrix product gives the errors of all hypotheses for all series.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..settings import ARITHMETIC, ERRORS_AGAIN, FORM_ROWS, MOST_FORM_POINTS
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


def residual_forms(basis: Floats) -> Forms:
    """Forms of residual sums of squares of hypotheses with orthonormal columns (k, P, H)."""
    return _pack(-_projection(basis), diagonal=1.0)


def residual_errors(basis: Floats, values: Floats, scale: Floats) -> Iterator[tuple[slice, Floats]]:
    """Residual sums of squares of hypotheses with orthonormal columns `basis` (k, P, H) for
    weighted values (K, P), those of each hypothesis multiplied by its scale (H,): some rows, (rows,
    H) of them, at a time, which the cache holds.

    By forms where points are few and series many; else from the projections on the basis itself.
    """
    points = basis.shape[1]
    if points <= MOST_FORM_POINTS and len(values) > points:
        yield from form_errors(residual_forms(basis).packed * scale, values)
        return
    for rows in _slices(len(values)):
        left = np.repeat((values[rows] ** 2).sum(axis=1)[:, None], basis.shape[2], axis=1)
        for part in basis:
            left -= (values[rows] @ part) ** 2
        left *= scale
        yield rows, left


def form_errors(packed: Floats, values: Floats) -> Iterator[tuple[slice, Floats]]:
    """The same by packed forms (P (P + 1) / 2, H) of the scaled errors."""
    return ((rows, products(values[rows]) @ packed) for rows in _slices(len(values)))


def left_by(basis: Floats, values: Floats, number: NDArray[np.int64]) -> Floats:
    """(N,): the squares of what hypotheses with these numbers (N,) and orthonormal columns `basis`
    (k, P, H) leave of weighted values (N, P): from the residuals themselves, which have more digits
    than the difference of sums that quadratic forms give."""
    found = np.empty(len(number))
    for start in range(0, len(number), ERRORS_AGAIN):
        some = slice(start, start + ERRORS_AGAIN)
        left = values[some].copy()
        for q in basis[:, :, number[some]].transpose(0, 2, 1):
            left -= np.einsum("np,np->n", q, left)[:, None] * q
        found[some] = np.einsum("np,np->n", left, left)
    return found


def summed_errors(
    basis: Floats, forms: Callable[[], Forms], values: Floats, owner: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Floats]:
    """The owners of the rows of values (K, P), and the sums (owners, H) of the residual sums of
    squares of their rows for hypotheses with orthonormal columns `basis` (k, P, H), whose quadratic
    forms are made when they are needed.

    Quadratic forms are linear in the products z_i z_j, so these are summed first; `owner` (K,) is
    in ascending order.
    """
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    if basis.shape[1] <= MOST_FORM_POINTS and len(starts) > basis.shape[1]:
        owners, summed = summed_products(values, owner)
        return owners, summed @ forms().packed
    errors = np.concatenate([e for _, e in residual_errors(basis, values, np.ones(basis.shape[2]))])
    return owner[starts], np.add.reduceat(errors, starts)


def summed_products(values: Floats, owner: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
    """The owners of the rows of values (K, P), and their products z_i z_j, summed over the rows of
    each (owners, P (P + 1) / 2); `owner` (K,) is in ascending order."""
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    return owner[starts], np.add.reduceat(products(values), starts)


def _slices(count: int) -> Iterator[slice]:
    return (slice(start, min(start + FORM_ROWS, count)) for start in range(0, count, FORM_ROWS))


def left_out_forms(columns: Floats) -> Forms:
    """Forms of leave-one-out errors: M = R D R with R = I - Q'Q, D = diag(1 / (1 - h_p)**2);
    columns (k, P, H)."""
    basis = factor(columns.copy()).basis
    residual = np.eye(columns.shape[1])[..., None] - _projection(basis)
    scaled = residual / (
        1 - np.minimum(np.einsum("kph,kph->ph", basis, basis), 1 - ARITHMETIC.leverage)
    )
    return _pack(np.einsum("prh,qrh->pqh", scaled, scaled))


def _projection(basis: Floats) -> Floats:
    result: Floats = np.einsum("kph,kqh->pqh", basis, basis)
    return result


def _pack(matrices: Floats, diagonal: float = 0.0) -> Forms:
    """Symmetric matrices (P, P, H), something added to their diagonals."""
    points = len(matrices)
    rows, columns = np.triu_indices(points)
    packed = matrices[rows, columns] * np.where(rows == columns, 1.0, 2.0)[:, None]
    packed[rows == columns] += diagonal
    return Forms(packed, points)
