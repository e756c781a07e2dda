"""What repetitions tell beside the least of them: how much longer one run takes.

A law is learned from the least of the repetitions at each point, since what disturbs a run makes it
longer. Nobody runs a program seven times to keep the quickest run, though, and a run at a large
size lasts too long to find a quiet moment as a short one does. What other programs do to shared
caches and to memory, and what clocks and the system do, is in the repetitions; it belongs to the
interval of a forecast, on its upper side alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import NormalDist

import numpy as np

from .fit import DEFAULT_TIME


def excess(points: Iterable[Sequence[float]], floor_s: float = DEFAULT_TIME.floor_s) -> float:
    """Deviation of a normal distribution that has as much in its upper twentieth as the logarithms
    by which runs take longer than the least of the others at their point; 0 where no point was
    measured twice.

    A run that is the least itself counts with 0. The others are compared with what is left without
    it, so that a run that was not measured is to them as each is to the rest. These logarithms are
    not negative and skewed; the root of their mean square would leave out a tenth on the upper side
    of an interval of 90 %, and hang on the one longest run.

    Args:
        points: seconds of the repetitions of each point, positive.
        floor_s: absolute error of a time: what is longer by less tells nothing.
    """
    longer = []
    for seconds in points:
        if len(seconds) < 2:
            continue
        first, second = np.partition(np.asarray(seconds, dtype=float), 1)[:2].tolist()
        for value in seconds:
            least = second if value == first else first
            longer.append(np.log(max((value - floor_s) / least, 1.0)))
    quantile = NormalDist().inv_cdf(_SHARE)
    return float(np.quantile(longer, _SHARE)) / quantile if longer else 0.0


_SHARE = 0.95
"""What lies below the upper end of an interval of 90 %."""
