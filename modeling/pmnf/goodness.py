"""Errors of a model on the points it was fitted to: SMAPE, R**2 and adjusted R**2.

Every part of the package that reports or compares errors takes them from here. All functions work
along the last axis, so the same one serves a single series (P,) and a stack of them (..., P).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..data.measurements import Floats
from ..settings import ARITHMETIC

PERCENT = 100


def smape(y: Floats, f: Floats) -> Floats:
    """Symmetric mean absolute percentage error in %, 0 to 200 (Reisert et al., Euro-Par 2017, Eq.
    3); where both values are zero there is no error.

    Args:
        y: (..., P) observations.
        f: (..., P) values of the model; broadcasts against y.
    """
    total = np.abs(y) + np.abs(f)
    result: Floats = (
        2
        * PERCENT
        * np.where(total > 0, np.abs(y - f) / np.where(total > 0, total, 1.0), 0.0).mean(axis=-1)
    )
    return result


def determination(y: Floats, f: Floats) -> Floats:
    """Coefficient of determination R**2 (...) of values f (..., P) for observations y (..., P); 1
    where the observations vary by no more than rounding."""
    total = ((y - y.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    residual = ((y - f) ** 2).sum(axis=-1)
    varies = total > (ARITHMETIC.column * np.abs(y).max(axis=-1)) ** 2
    return np.where(varies, 1 - residual / np.where(varies, total, 1.0), 1.0)


def adjusted_determination(r2: Floats, points: int, terms: ArrayLike) -> Floats:
    """R**2 (...) adjusted for the number of terms beside the constant; as it is where there are no
    degrees of freedom left."""
    freedom = points - np.asarray(terms) - 1
    return np.where(freedom > 0, 1 - (1 - r2) * (points - 1) / np.maximum(freedom, 1), r2)
