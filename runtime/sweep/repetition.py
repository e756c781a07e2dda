"""How often a run has to be repeated: until the confidence interval of a time is tight.

Times have outliers, always upwards: another program, an interrupt. The interval is that of the 20 %
trimmed mean with the winsorized variance (Tukey and McLaughlin, Sankhya A 25, 1963; with Yuen's
degrees of freedom, Biometrika 61, 1974): of fewer than five values nothing is trimmed and an
outlier only makes the interval wide, so that more runs are made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

TRIM = 0.2
LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A robust mean and half the width of its 95 % confidence interval (infinite for a single
    value)."""

    mean: float
    half: float

    @property
    def relative(self) -> float:
        """Half the width as a part of the mean."""
        return self.half / abs(self.mean) if self.mean else (0.0 if self.half == 0 else math.inf)


def trimmed_mean(values: Sequence[float]) -> Estimate:
    """The 20 % trimmed mean of at least one value, with its confidence interval."""
    x = np.sort(np.asarray(values, dtype=float))
    n = len(x)
    cut = int(TRIM * n)
    kept = x[cut : n - cut]
    if n < 2:
        return Estimate(float(kept.mean()), math.inf)
    h = len(kept)
    winsorized = np.clip(x, kept[0], kept[-1])
    error = math.sqrt((n - 1) * float(winsorized.var(ddof=1)) / (h * (h - 1)))
    return Estimate(float(kept.mean()), float(special.stdtrit(h - 1, 0.5 + LEVEL / 2)) * error)


def widest(series: Sequence[Sequence[float]], *, share: float = 0.05) -> float:
    """The relative half-width of the widest interval among series measured together (one list of
    repetitions each), those left out that hold less than `share` of the sum: what takes no time
    need not be known well.

    Infinite where nothing was measured.
    """
    found = [trimmed_mean(values) for values in series if values]
    total = sum(e.mean for e in found)
    return max(
        (e.relative for e in found if e.mean >= share * total and e.mean > 0), default=math.inf
    )
