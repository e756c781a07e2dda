"""The speed-up model of Oliveira et al. (ICPE 2018), fitted by global optimisation.

    S = 1 / ((1 - f) + f / N + Q),   f = min(1, max(0, f1 + f2 / N + f3 f4**n)),   Q = f5 + f6 N / f7**n

n is the problem size. It enters as an exponent, which its authors use with sizes numbered so that each is about twice the
one before; n here is 1 + log2(size / smallest size).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from .amdahl import speedups
from .errors import DataError
from .measurements import Floats
from .runs import Runs

_evolve: Any = optimize.differential_evolution  # its stubs know no vectorised functions
_minimize: Any = optimize.minimize
_BOUNDS = [(-1.0, 1.5), (-2.0, 2.0), (-2.0, 1.0), (0.0, 1.0), (0.0, 0.5), (0.0, 0.1), (0.5, 10.0)]


@dataclass(frozen=True)
class Oliveira:
    """A fitted model: f1 .. f7, and the smallest size, from which sizes are numbered."""

    parameters: tuple[float, ...]
    smallest: float

    def speedup(self, processes: Floats, size: Floats) -> Floats:
        """Strong-scaling speed-up."""
        found: Floats = _speedup(np.array(self.parameters)[:, None], processes, 1 + np.log2(size / self.smallest))[0]
        return found


def _speedup(f: Floats, processes: Floats, n: Floats) -> Floats:
    """(S, R) for S parameter vectors in the columns of f (7, S)."""
    f1, f2, f3, f4, f5, f6, f7 = (row[:, None] for row in f)
    parallel = np.clip(f1 + f2 / processes + f3 * f4**n, 0, 1)
    return np.asarray(1 / (1 - parallel + parallel / processes + np.maximum(f5 + f6 * processes / f7**n, 0)))


def fit_oliveira(runs: Runs, seed: int = 0) -> Oliveira:
    """Least squared error in the speed-ups, by differential evolution over bounded parameters.

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
    found = _evolve(error, _BOUNDS, rng=seed, popsize=12, maxiter=400, tol=1e-8, vectorized=True,
                                            updating="deferred", polish=False)
    polished = _minimize(lambda f: float(error(np.clip(f, *np.array(_BOUNDS).T))[0]), found.x, method="Nelder-Mead",
                                 options={"maxiter": 4000, "xatol": 1e-10, "fatol": 1e-14})
    best = min((found.x, np.clip(polished.x, *np.array(_BOUNDS).T)), key=lambda f: float(error(np.asarray(f))[0]))
    return Oliveira(tuple(map(float, best)), smallest)
