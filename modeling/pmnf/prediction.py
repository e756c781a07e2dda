"""What a model says about parameter values: the value and its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.measurements import Floats

LEVEL = 0.9
"""The share of new observations that an interval holds, unless another one is asked for."""


@dataclass(frozen=True)
class Prediction:
    """A value of a model and the interval in which a new observation lies with probability
    `level`, in the unit of what was measured: numbers for numbers, arrays of one shape for arrays.

    `numpy.asarray` and `float` give the value.
    """

    value: Any
    low: Any
    high: Any
    level: float = LEVEL

    @staticmethod
    def of(value: Floats, low: Floats, high: Floats, level: float) -> Prediction:
        """Arrays of no dimension become numbers."""
        middle, below, above = (
            float(x) if np.ndim(x) == 0 else x.copy() for x in np.broadcast_arrays(value, low, high)
        )
        return Prediction(middle, below, above, level)

    def __float__(self) -> float:
        return float(self.value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self.value, dtype=dtype)
