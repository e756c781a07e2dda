"""The speed-up model of Oliveira et al. (ICPE 2018), fitted by global optimisation.

    S = 1 / ((1 - f) + f / N + Q)
    f = min(1, max(0, f1 + f2 / N + f3 f4**n)),   Q = f5 + f6 N / f7**n

n numbers the problem sizes. It is an exponent, and the authors number sizes so that each is about
twice the previous one; so n = 1 + log2(size / smallest size) here. Alasandagutti et al. (HiPC 2024,
section 5) compare their grey box with this model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from looplaw_common.errors import DataError

from ..data.measurements import Floats
from ..data.timed_runs import Runs
from .amdahl import speedups

_evolve: Any = optimize.differential_evolution  # its stubs know no vectorised functions
_least_squares: Any = optimize.least_squares
_BOUNDS = [(-1.0, 1.5), (-2.0, 2.0), (-2.0, 1.0), (0.0, 1.0), (0.0, 0.5), (0.0, 0.1), (0.5, 10.0)]
# of differential evolution, which only has to find the basins: least squares refines its best
_POPULATION, _GENERATIONS = 12, 150
_BEST, _RANDOM = 3, 9  # starts of least squares: the best of the search, and random ones
_INSIDE = 1e-6  # distance of a start from the bounds


@dataclass(frozen=True)
class Oliveira:
    """A fitted model: f1 .. f7, and the smallest size, which has the number 1."""

    parameters: tuple[float, ...]
    smallest: float

    def speedup(self, processes: Floats, size: Floats) -> Floats:
        """(R,) strong-scaling speed-up."""
        found: Floats = _speedup(
            np.array(self.parameters)[:, None], processes, 1 + np.log2(size / self.smallest)
        )[0]
        return found


def _speedup(f: Floats, processes: Floats, n: Floats) -> Floats:
    """(S, R) for S parameter vectors in the columns of f (7, S)."""
    f1, f2, f3, f4, f5, f6, f7 = (row[:, None] for row in f)
    parallel = np.clip(f1 + f2 / processes + f3 * f4**n, 0, 1)
    return np.asarray(
        1 / (1 - parallel + parallel / processes + np.maximum(f5 + f6 * processes / f7**n, 0))
    )


def fit_oliveira(runs: Runs, seed: int = 0) -> Oliveira:
    """Minimise the squared error of the speed-ups over bounded parameters: differential evolution,
    then least squares from its best points and from random ones.

    Raises:
        DataError: no speed-ups: no size was run with one process and with more.
    """
    s = speedups(runs)
    used = np.isfinite(s)
    if not (used & (runs.processes > 1)).any():
        raise DataError("Oliveira's model needs runs with one process and with more at some size")
    smallest = float(runs.size.min())
    n, processes, s = 1 + np.log2(runs.size[used] / smallest), runs.processes[used], s[used]

    def error(f: Floats) -> Floats:
        return np.asarray(((_speedup(f.reshape(7, -1), processes, n) - s) ** 2).mean(axis=1))

    def misfit(f: Floats) -> Floats:
        return np.asarray(_speedup(f[:, None], processes, n)[0] - s)

    found = _evolve(
        error,
        _BOUNDS,
        rng=seed,
        popsize=_POPULATION,
        maxiter=_GENERATIONS,
        tol=1e-8,
        vectorized=True,
        updating="deferred",
        polish=False,
    )
    low, high = np.array(_BOUNDS).T
    best = found.population[np.argsort(found.population_energies)[:_BEST]]
    starts = (*best, *np.random.default_rng(seed).uniform(low, high, (_RANDOM, len(low))))
    polished = [
        _least_squares(
            misfit,
            np.clip(f, low + _INSIDE, high - _INSIDE),
            bounds=(low, high),
            x_scale=high - low,
        ).x
        for f in starts
    ]
    least = min((found.x, *polished), key=lambda f: float(error(np.asarray(f))[0]))
    return Oliveira(tuple(map(float, least)), smallest)
