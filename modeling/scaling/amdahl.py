"""Amdahl's law, generalised to problems that grow with the machine.

    S(N, w, p) = w / (1 - p + p / N)

p is the parallel share of the work and w the ratio of the original to the scaled problem size: 1
for strong scaling, 1 / N for weak scaling (Alasandagutti, Bridges and Estrada, "Grey-Box Machine
Learning Prediction of Parallel Application Scaling", HiPC 2024, Eq. 2).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize

from looplaw_common.errors import DataError

from ..data.measurements import Floats
from ..data.timed_runs import Runs

_GRID = 2001  # values of p that the search for the least error starts from


def amdahl(processes: ArrayLike, p: ArrayLike, w: ArrayLike = 1.0) -> Floats:
    """The speed-up on N processes (Eq. 2); arrays broadcast."""
    n, p = np.asarray(processes, dtype=float), np.asarray(p, dtype=float)
    result: Floats = np.asarray(w, dtype=float) / (1 - p + p / n)
    return result


def parallel_share(processes: Floats, speedups: Floats, w: ArrayLike = 1.0) -> float:
    """The parallel share p in [0, 1] with the least squared error of the speed-ups (Eq. 4).

    The error may have several minima: a grid finds the lowest, a bounded search refines it.

    Args:
        processes, speedups: (R,) measured speed-ups S on N processes.
        w: ratio of the original to the scaled problem size, for all or for each.

    Raises:
        DataError: no speed-ups.
    """
    if not len(speedups):
        raise DataError(
            "no speed-ups to estimate the parallel share from: run more than one process"
        )

    def error(p: float) -> float:
        return float(((amdahl(processes, p, w) - speedups) ** 2).sum())

    grid = np.linspace(0, 1, _GRID)
    errors = (
        (
            amdahl(processes[None], grid[:, None], np.broadcast_to(w, processes.shape)[None])
            - speedups
        )
        ** 2
    ).sum(axis=1)
    k = int(errors.argmin())
    low, high = grid[max(k - 1, 0)], grid[min(k + 1, _GRID - 1)]
    found = optimize.minimize_scalar(
        error, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    )
    return float(min([float(found.x), float(grid[k])], key=error))


def speedups(runs: Runs) -> Floats:
    """(R,) time of one process over the time, at the same size; NaN where one process was not run
    at that size."""
    return runs.serial(runs.size) / runs.time


def aggregate_share(runs: Runs) -> float:
    """p fitted to all sizes at once (section 5.1, "aggregate p")."""
    s = speedups(runs)
    used = np.isfinite(s) & (runs.processes > 1)
    return parallel_share(runs.processes[used], s[used])


def share_per_size(runs: Runs) -> dict[float, float]:
    """p fitted to each size on its own (Eq. 9, "optimal p")."""
    s = speedups(runs)
    used = np.isfinite(s) & (runs.processes > 1)
    return {
        float(m): parallel_share(
            runs.processes[used & (runs.size == m)], s[used & (runs.size == m)]
        )
        for m in np.unique(runs.size[used])
    }
