"""Isoefficiency: how fast a problem must grow to keep a machine busy; and serial fractions.

The efficiency is E = T(m, 1) / (N T(m, N)). The isoefficiency function m(N) is the problem size
that keeps E at a given value (Grama, Gupta and Kumar, IEEE Parallel & Distributed Technology 1993).
The experimentally determined serial fraction e = (1/S - 1/N) / (1 - 1/N) is constant in N if serial
work limits scaling and rises if overhead does (Karp and Flatt, CACM 1990).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize

from looplaw_common.errors import InputError

from ..data.measurements import Floats, Measurements, Series
from ..fitter.fit import fit
from ..pmnf.model import Model

TimeAt = Callable[[Floats, Floats], Floats]
"""(R,) seconds at (R,) sizes and (R,) numbers of processes."""

_FEWEST_POINTS = 3
_GRID = 129
"""Sizes, evenly spread in logarithms, between which the one that keeps the efficiency is found."""


def karp_flatt(speedup: ArrayLike, processes: ArrayLike) -> Floats:
    """The experimentally determined serial fraction e of speed-ups; NaN for one process."""
    s, n = np.asarray(speedup, dtype=float), np.asarray(processes, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(n > 1, (1 / s - 1 / n) / (1 - 1 / n), np.nan)


def efficiency(time: TimeAt, size: ArrayLike, processes: ArrayLike) -> Floats:
    """The efficiencies E (R,) that a law of times predicts at sizes and numbers of processes, (R,)
    each or one for all."""
    m, n = np.broadcast_arrays(
        np.atleast_1d(np.asarray(size, dtype=float)), np.asarray(processes, dtype=float)
    )
    return time(m, np.ones(len(m))) / (n * time(m, n))


@dataclass(frozen=True)
class Isoefficiency:
    """The sizes (P,) that keep the efficiency at each number of processes (NaN: none in the range
    does), and a model of their growth in N (None: fewer than three sizes)."""

    efficiency: float
    processes: Floats
    sizes: Floats
    model: Model | None


def isoefficiency(
    time: TimeAt, wanted: float, processes: Sequence[float], sizes: tuple[float, float]
) -> Isoefficiency:
    """The smallest size in a range with at least the wanted efficiency, for each number of
    processes.

    Args:
        time: seconds at sizes and numbers of processes.
        wanted: the efficiency to keep.
        sizes: the smallest and the largest size to consider.

    Raises:
        InputError: the efficiency is not between 0 and 1, or the range is empty.
    """
    if not 0 < wanted < 1:
        raise InputError(f"an efficiency of {wanted:g} is not between 0 and 1")
    if not 0 < sizes[0] < sizes[1]:
        raise InputError(f"sizes from {sizes[0]:g} to {sizes[1]:g} are no range")
    grid = np.geomspace(*sizes, _GRID)
    lacking = (
        efficiency(time, np.tile(grid, len(processes)), np.repeat(processes, _GRID)) - wanted
    ).reshape(-1, _GRID)
    found = np.array(
        [_least_size(time, wanted, n, grid, row) for n, row in zip(processes, lacking, strict=True)]
    )
    known = np.isfinite(found) & (found > sizes[0])
    model = None
    if known.sum() >= _FEWEST_POINTS:
        series = Series.from_values(
            "isoefficiency", "size", ("N",), np.array(processes)[known, None], found[known]
        )
        model = fit(Measurements((series,))).models[0]
    return Isoefficiency(wanted, np.array(processes, dtype=float), found, model)


def _least_size(
    time: TimeAt, wanted: float, processes: float, grid: Floats, lacking: Floats
) -> float:
    """Where the efficiency first reaches what is wanted; `lacking`: how far it is above that at
    each size of the grid."""
    enough = np.flatnonzero(lacking >= 0)
    if not len(enough):
        return float("nan")
    k = int(enough[0])
    if k == 0:
        return float(grid[0])
    root = optimize.brentq(
        lambda x: float(efficiency(time, np.exp(x), processes)[0]) - wanted,
        np.log(grid[k - 1]),
        np.log(grid[k]),
    )
    return float(np.exp(root))
