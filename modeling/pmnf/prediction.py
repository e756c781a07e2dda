"""What a model says about parameter values: the value and its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..settings import ARITHMETIC

LEVEL = 0.9
"""The share of new measurements that an interval holds, unless another one is asked for."""
Of = Literal["mean", "observation"]
"""What an interval holds: the mean of as many repetitions as were measured at a point, or one
observation."""
Certainty = Literal["sure", "rough", "open"]
"""How far a forecast is known: within a quarter, within a factor of two, or not."""
SURE, ROUGH = 0.25, 2.0
WIDEST = 100.0
"""Ratio of the ends of an interval from which a value between them says nothing."""


def certainty(value: Floats, low: Floats, high: Floats) -> NDArray[np.str_]:
    """(...): "sure" where the interval lies within a quarter of the value, "rough" where it lies
    within a factor of two, else "open"."""
    size = np.abs(value) + ARITHMETIC.value  # what is zero is known to be
    with np.errstate(invalid="ignore"):
        below, above = value - low, high - value
        sure = np.maximum(below, above) <= SURE * size
        rough = (below <= (1 - 1 / ROUGH) * size) & (above <= (ROUGH - 1) * size)
    return np.where(sure, "sure", np.where(rough, "rough", "open"))


def is_useless(low: float, high: float) -> bool:
    """Is an interval so wide that a value in it says nothing, and people are not shown one? One
    around zero is not judged by the ratio of its ends."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return True
    return low >= 0 and high > WIDEST * low and high > 0 and low > 0


@dataclass(frozen=True)
class Prediction:
    """A value of a model and the interval in which a new measurement, the mean of as many
    repetitions as were measured or one observation, lies with probability `level`, in the unit of
    what was measured: numbers for numbers, arrays of one shape for arrays. The value is NaN where
    the law is below zero though nothing that is measured can be. `certainty` tells how far the mean
    is known: "sure", "rough" or "open".

    `numpy.asarray` and `float` give the value.
    """

    value: Any
    low: Any
    high: Any
    level: float = LEVEL
    of: Of = "mean"
    certainty: Any = "open"

    @staticmethod
    def at(
        value: Floats,
        low: Floats,
        high: Floats,
        level: float = LEVEL,
        of: Of = "mean",
        known: Any = "open",
    ) -> Prediction:
        """Arrays of no dimension become numbers; `known` is how certain the values are."""
        middle, below, above = (
            float(x) if np.ndim(x) == 0 else x.copy() for x in np.broadcast_arrays(value, low, high)
        )
        return Prediction(
            middle, below, above, level, of, str(known) if np.ndim(known) == 0 else known
        )

    def __float__(self) -> float:
        return float(self.value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self.value, dtype=dtype)
