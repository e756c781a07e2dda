"""The overhead tau that a performance law leaves out, learned from small runs.

tau = T_estimated / T_observed, T_estimated the law's time (Alasandagutti, Bridges and Estrada, HiPC 2024, Eq. 5 and 6). An
input is made of five runs of one size: four with at most c_h = c_f / 2 processes, whose tau is given, and a fifth with
more, whose tau is learned (section 3); beside it the original size and w, original over scaled size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from .errors import DataError
from .measurements import Floats
from .runs import Runs

Learner = Literal["RF", "GBT", "NN"]
LEARNERS: dict[Learner, Callable[[int], Any]] = {
    "RF": lambda seed: RandomForestRegressor(100, max_depth=5, random_state=seed),
    "GBT": lambda seed: GradientBoostingRegressor(max_depth=5, random_state=seed),
    "NN": lambda seed: make_pipeline(StandardScaler(), MLPRegressor(hidden_layer_sizes=(16, 16, 8), max_iter=400,
                                                                    random_state=seed))}
"""The regressors of section 5.2 as scikit-learn has them (its forest no longer offers Friedman's criterion)."""

_CONTEXT = 4
_SAMPLES = 1500
_PREDICTIONS = 8  # random contexts that a prediction is the mean of


@dataclass(frozen=True)
class Observed:
    """Runs with the overhead that a law leaves at each."""

    runs: Runs
    tau: Floats


@dataclass(frozen=True)
class Overhead:
    """A learned tau: a regressor, and the runs that serve as context."""

    regressor: Any
    context: Observed
    most: float
    positive: bool
    seed: int

    def at(self, size: Floats, nodes: Floats, cores: Floats, original: Floats) -> Floats:
        """tau at configurations; w is original / size.

        Raises:
            DataError: a size without small runs.
        """
        rng = np.random.default_rng(self.seed)
        rows = []
        for m, a, c, m0 in zip(size, nodes, cores, original, strict=True):
            small = _small(self.context, m, self.most)
            if not len(small):
                raise DataError(f"size {m:g}: needs a run with 2 to {self.most:g} processes")
            for _ in range(_PREDICTIONS):
                rows.append(_features(self.context, rng.choice(small, _CONTEXT, replace=len(small) < _CONTEXT), m0, m, a, c))
        raw = np.asarray(self.regressor.predict(np.array(rows)))
        tau: Floats = np.logaddexp(0, raw) if self.positive else raw
        means: Floats = tau.reshape(len(size), _PREDICTIONS).mean(axis=1)
        return np.maximum(means, 1e-6)


def learn_overhead(learner: Learner, observed: Observed, context: Observed, cutoff: float, seed: int = 0) -> Overhead:
    """Train on runs with at most `cutoff` processes (c_f).

    Args:
        observed: the training runs.
        context: runs from which the four small ones of a prediction are drawn; may hold sizes that were not trained on.

    Raises:
        DataError: no size has runs on both sides of c_h.
    """
    rng = np.random.default_rng(seed)
    half = cutoff / 2
    runs = observed.runs
    sizes = [m for m in np.unique(runs.size) if len(_small(observed, m, half)) and len(_large(observed, m, half, cutoff))]
    if not sizes:
        raise DataError(f"no size was run with 2 to {half:g} and with {half:g} to {cutoff:g} processes")
    rows, target = [], []
    for _ in range(_SAMPLES):
        m = sizes[rng.integers(len(sizes))]
        small, large = _small(observed, m, half), _large(observed, m, half, cutoff)
        k = large[rng.integers(len(large))]
        chosen = rng.choice(small, _CONTEXT, replace=len(small) < _CONTEXT)
        smaller = [s for s in sizes if s <= m]
        rows.append(_features(observed, chosen, smaller[rng.integers(len(smaller))], m, runs.nodes[k], runs.cores[k]))
        target.append(observed.tau[k])
    goal = np.array(target)
    positive = learner == "NN"  # a softplus output: tau is above 0
    regressor = LEARNERS[learner](seed)
    regressor.fit(np.array(rows), np.log(np.expm1(np.maximum(goal, 1e-6))) if positive else goal)
    return Overhead(regressor, context, half, positive, seed)


def _small(observed: Observed, size: float, half: float) -> Any:
    n = observed.runs.processes
    return np.flatnonzero((observed.runs.size == size) & (n > 1) & (n <= half) & np.isfinite(observed.tau))


def _large(observed: Observed, size: float, half: float, cutoff: float) -> Any:
    n = observed.runs.processes
    return np.flatnonzero((observed.runs.size == size) & (n > half) & (n <= cutoff) & np.isfinite(observed.tau))


def _features(observed: Observed, chosen: Any, original: float, size: float, nodes: float, cores: float) -> Floats:
    """m_original, w, C1 .. C4 (processes, nodes, cores, size, tau) in ascending order of processes, C5 without tau (Eq. 7)."""
    r = observed.runs
    order = chosen[np.argsort(r.processes[chosen], kind="stable")]
    context = np.stack([r.processes[order], r.nodes[order], r.cores[order], r.size[order], observed.tau[order]], axis=1)
    return np.concatenate([[original, original / size], context.ravel(), [nodes * cores, nodes, cores, size]])
