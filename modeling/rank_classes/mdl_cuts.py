"""Cut noisy sorted values into clusters by minimum description length (MDL).

For ascending logarithms x of n values, cut into k runs of n_j values with a common relative noise
sigma, the description length is

    L = n ln(sigma) + sum_j SS_j / (2 sigma^2) + sum_j n_j ln(n / n_j) + COST k

with SS_j the sum of squares about the run's mean: the fit of the runs, the assignment of values to
runs, and a price for each run (Rissanen, Automatica 1978). For a fixed sigma all but the first term
are sums over runs, so dynamic programming finds the best cuts; sigma takes the values of a grid.
Cuts between runs whose means are closer than the threshold of the clustering are rejected: noise
alone, however large, does not make two behaviours of one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats

LEAST_FREEDOM = 3
"""Values beyond one for each cluster that are needed to estimate the noise."""

_SIGMA = np.array([0.005, 0.01, 0.015, 0.022, 0.033, 0.05, 0.075, 0.11, 0.16])
# price of a run: no false cut in 1,000 sets with +-5 % noise, as benchmarks/bench_scaling.py prints
_COST = 4.0
_AGREED = 2.0  # discount for a cut that the single pass makes as well
_MOST = 512  # values of a set that are cut one by one; more are put into bins
_BIN = 0.002  # least width of a bin, as a difference of logarithms
_CELLS = 1_500_000  # of the tables of one batch, which bounds the memory

Starts = NDArray[np.bool_]


def mdl_cuts(logs: Floats, starts: Starts, least: float) -> Starts:
    """Where clusters start: the cuts with the least description length.

    Args:
        logs: (B, R) ascending logarithms.
        starts: (B, R) the cuts of the single pass, which have a lower price.
        least: difference of logarithms by which the means of neighbouring clusters must differ.
    """
    found = starts.copy()
    if logs.shape[1] > _MOST:
        for k in range(len(logs)):
            found[k] = _binned(logs[k], starts[k], least)
        return found
    size = max(1, _CELLS // (logs.shape[1] * len(_SIGMA)))
    for k in range(0, len(logs), size):
        part = logs[k : k + size]
        found[k : k + size] = _best_cuts(part, np.ones_like(part), starts[k : k + size], least)
    return found


def _binned(logs: Floats, starts: Starts, least: float) -> Starts:
    """The cuts of one large set, whose values are put into bins."""
    width = max(_BIN, float(logs[-1] - logs[0]) / _MOST)
    bins = np.floor((logs - logs[0]) / width)
    first = np.flatnonzero(np.r_[True, np.diff(bins) > 0])
    weights = np.diff(np.r_[first, len(logs)]).astype(float)
    means = np.add.reduceat(logs, first) / weights
    cuts = _best_cuts(means[None], weights[None], starts[None, first], least)[0]
    found = np.zeros(len(logs), dtype=bool)
    found[first[cuts]] = True
    return found


def _best_cuts(x: Floats, weights: Floats, starts: Starts, least: float) -> Starts:
    """Cuts (B, n) of B sets of n ascending values with weights; `starts` are the cuts of the single
    pass."""
    sets, size = x.shape
    zero = np.zeros((sets, 1))
    x = x - x[:, :1]  # small numbers: their squares lose no digits
    count = np.concatenate([zero, np.cumsum(weights, axis=1)], axis=1)
    total = np.concatenate([zero, np.cumsum(weights * x, axis=1)], axis=1)
    square = np.concatenate([zero, np.cumsum(weights * x * x, axis=1)], axis=1)
    length, back = _lengths(count, total, square, np.where(starts, _COST - _AGREED, _COST))
    all_values = count[:, -1:]
    length = length + all_values * np.log(_SIGMA)
    spread = square[:, -1:] - total[:, -1:] ** 2 / all_values
    one = (spread / (2 * _SIGMA**2) + all_values * np.log(_SIGMA)).min(axis=1) + _COST
    best, result = one, np.zeros((sets, size), dtype=bool)
    for s in range(len(_SIGMA)):
        cuts = _walk(back[:, s])
        better = (length[:, s] < best) & _apart(cuts, count, total, least)
        best = np.where(better, length[:, s], best)
        result[better] = cuts[better]
    return result


def _lengths(
    count: Floats, total: Floats, square: Floats, price: Floats
) -> tuple[Floats, NDArray[np.intp]]:
    """Least description length (B, S) for each sigma, without its first term, and (B, S, n + 1)
    where the last run of the first j values starts. `price` (B, n) is that of a run that starts
    there."""
    sets, size = count.shape[0], count.shape[1] - 1
    weight = 1 / (2 * _SIGMA**2)
    found = np.zeros((sets, len(_SIGMA), size + 1))
    back = np.zeros((sets, len(_SIGMA), size + 1), dtype=np.intp)
    everything = count[:, -1:]
    for j in range(1, size + 1):
        members = count[:, j : j + 1] - count[:, :j]
        spread = np.maximum(
            square[:, j : j + 1]
            - square[:, :j]
            - (total[:, j : j + 1] - total[:, :j]) ** 2 / members,
            0,
        )
        choice = members * np.log(everything / members) + price[:, :j]
        options = found[:, :, :j] + (spread[:, None, :] * weight[:, None] + choice[:, None, :])
        start = options.argmin(axis=2)
        back[:, :, j] = start
        found[:, :, j] = np.take_along_axis(options, start[:, :, None], axis=2)[:, :, 0]
    return found[:, :, -1], back


def _walk(back: NDArray[np.intp]) -> Starts:
    """The starts of runs that (B, n + 1) back pointers lead to."""
    sets, size = back.shape[0], back.shape[1] - 1
    cuts = np.zeros((sets, size), dtype=bool)
    rows, at = np.arange(sets), np.full(sets, size)
    while len(rows):
        at = back[rows, at]
        rows, at = rows[at > 0], at[at > 0]
        cuts[rows, at] = True
    return cuts


def _apart(cuts: Starts, count: Floats, total: Floats, least: float) -> NDArray[np.bool_]:
    """Sets (B,) in which the means of neighbouring runs differ by at least `least`."""
    sets, place = np.nonzero(cuts)
    first = np.r_[True, np.diff(sets) > 0] if len(sets) else np.zeros(0, dtype=bool)
    last = np.r_[np.diff(sets) > 0, True] if len(sets) else first
    left = np.where(first, 0, np.r_[0, place[:-1]] if len(place) else place)
    right = np.where(last, count.shape[1] - 1, np.r_[place[1:], 0] if len(place) else place)
    below = (total[sets, place] - total[sets, left]) / (count[sets, place] - count[sets, left])
    above = (total[sets, right] - total[sets, place]) / (count[sets, right] - count[sets, place])
    result = np.ones(len(cuts), dtype=bool)
    result[sets[above - below < least]] = False
    return result
