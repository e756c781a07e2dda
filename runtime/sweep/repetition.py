"""How often a run is repeated: until the confidence interval of its time is tight.

Times have outliers, always upwards: another program, an interrupt. The interval is that of the 20 %
trimmed mean with the winsorized variance (Tukey and McLaughlin, Sankhya A 25, 1963) and Yuen's
degrees of freedom (Biometrika 61, 1974). Of fewer than five values nothing is trimmed: an outlier
then widens the interval, so that more runs are made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

TRIM = 0.2
"""Share of the values left out at each end: 20 % keeps a breakdown point of one outlier in five at
little loss of efficiency for normal values (Wilcox, Introduction to Robust Estimation, 2012)."""
LEVEL = 0.95
"""Confidence level of the interval."""


@dataclass(frozen=True)
class Estimate:
    """A robust mean, and half the width of its 95 % confidence interval; infinite for one value."""

    mean: float
    half: float

    @property
    def relative(self) -> float:
        """Half the width relative to the mean."""
        return self.half / abs(self.mean) if self.mean else (0.0 if self.half == 0 else math.inf)


def trimmed_mean(values: Sequence[float]) -> Estimate:
    """The 20 % trimmed mean of at least one value, with its confidence interval."""
    x = np.sort(np.asarray(values, dtype=float))
    n = len(x)
    cut = int(TRIM * n)
    kept = x[cut : n - cut]
    if n < 2:
        return Estimate(float(kept.mean()), math.inf)
    from scipy import special  # takes a fifth of a second, and most commands repeat nothing

    h = len(kept)
    winsorized = np.clip(x, kept[0], kept[-1])
    error = math.sqrt((n - 1) * float(winsorized.var(ddof=1)) / (h * (h - 1)))
    return Estimate(float(kept.mean()), float(special.stdtrit(h - 1, 0.5 + LEVEL / 2)) * error)


def widest(series: Sequence[Sequence[float]], *, share: float = 0.05) -> float:
    """The relative half-width of the widest interval among series measured together.

    Args:
        series: one list of repetitions for each.
        share: series that hold a smaller share of the sum are left out: what takes no time need not
            be known well.

    Returns:
        Infinity where nothing was measured.
    """
    found = [trimmed_mean(values) for values in series if values]
    total = sum(e.mean for e in found)
    return max(
        (e.relative for e in found if e.mean >= share * total and e.mean > 0), default=math.inf
    )
