"""Least squares with coefficients that are not negative."""

from __future__ import annotations

import numpy as np

from ..data.measurements import Floats
from ..settings import ACTIVE_SET_ROUNDS


def nonnegative(table: Floats, target: Floats) -> Floats:
    """argmin |a . table - target| over a >= 0.

    Rows (K, R) may differ by orders of magnitude: they are brought to one size first. Where the
    active-set method (Lawson and Hanson) runs in circles, as it may between rows that are almost
    parallel, a trust region finds the minimum.
    """
    from scipy import optimize  # takes half a second

    largest = np.abs(table).max(axis=1)  # squares of large numbers are beyond floating point
    largest = np.where(largest > 0, largest, 1.0)
    size = largest * np.sqrt(((table / largest[:, None]) ** 2).sum(axis=1))
    size = np.where(size > 0, size, 1.0)
    scaled = (table / size[:, None]).T
    try:
        found, _ = optimize.nnls(scaled, target, maxiter=ACTIVE_SET_ROUNDS * len(table))
    except RuntimeError:
        found = np.maximum(optimize.lsq_linear(scaled, target, bounds=(0, np.inf)).x, 0.0)
    return np.asarray(found / size)
