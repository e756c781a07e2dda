"""The overhead tau that a performance law leaves out, learned from small runs.

tau = T_estimated / T_observed, where T_estimated is the time that the law predicts (Alasandagutti,
Bridges and Estrada, HiPC 2024, Eq. 5 and 6). A training input holds five runs of one size, four
with at most c_h = c_f / 2 processes and known tau, and a fifth with more processes, whose tau is
the target; and the original size and the ratio w of original to scaled size (section 3, Eq. 7).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from ..data.measurements import Floats
from ..data.timed_runs import Runs

Indices = NDArray[np.intp]
Learner = Literal["RF", "GBT", "NN"]


def _forest(seed: int) -> Any:
    from sklearn.ensemble import RandomForestRegressor  # slow to import

    return RandomForestRegressor(100, max_depth=5, random_state=seed)


def _boosted_trees(seed: int) -> Any:
    from sklearn.ensemble import GradientBoostingRegressor

    return GradientBoostingRegressor(max_depth=5, random_state=seed)


def _network(seed: int) -> Any:
    from sklearn.neural_network import MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    network = MLPRegressor(hidden_layer_sizes=(16, 16, 8), max_iter=400, random_state=seed)
    return make_pipeline(StandardScaler(), network)


LEARNERS: dict[Learner, Callable[[int], Any]] = {
    "RF": _forest,
    "GBT": _boosted_trees,
    "NN": _network,
}
"""The regressors of section 5.2 as scikit-learn has them (its forest no longer offers Friedman's
criterion)."""

_CONTEXT = 4
_WIDTH = 6 + 5 * _CONTEXT  # numbers of an input
_SAMPLES = 400
_PREDICTIONS = 8  # random contexts that a prediction is the mean of


@dataclass(frozen=True)
class Observed:
    """Runs with the overhead tau (R,) of a law at each."""

    runs: Runs
    tau: Floats


@dataclass(frozen=True)
class Overhead:
    """A learned tau: a regressor, and the runs from which the four small ones are drawn; most:
    their largest number of processes; positive: the regressor predicts the inverse softplus of
    tau."""

    regressor: Any
    context: Observed
    most: float
    positive: bool
    seed: int

    def at(self, size: Floats, nodes: Floats, cores: Floats, original: Floats) -> Floats:
        """(R,) tau at configurations; the ratio w is original / size.

        Raises:
            DataError: a size without small runs.
        """
        rng = np.random.default_rng(self.seed)
        rows = np.empty((len(size), _PREDICTIONS, _WIDTH))
        for m in np.unique(size):
            here = np.flatnonzero(size == m)
            small = _between(self.context, m, 1, self.most)
            if not len(small):
                raise DataError(f"size {m:g}: needs a run with 2 to {self.most:g} processes")
            often = np.repeat(here, _PREDICTIONS)
            drawn = _features(
                self.context,
                _contexts(small, len(often), rng),
                original[often],
                m,
                nodes[often],
                cores[often],
            )
            rows[here] = drawn.reshape(len(here), _PREDICTIONS, _WIDTH)
        raw = np.asarray(self.regressor.predict(rows.reshape(-1, _WIDTH))).reshape(
            len(size), _PREDICTIONS
        )
        tau: Floats = (np.logaddexp(0, raw) if self.positive else raw).mean(axis=1)
        return np.maximum(tau, 1e-6)


def learn_overhead(
    learner: Learner, observed: Observed, context: Observed, cutoff: float, seed: int = 0
) -> Overhead:
    """Train on runs with at most `cutoff` processes (c_f).

    Args:
        observed: the training runs.
        context: runs from which the four small ones of a prediction are drawn; may have sizes that
            are not among the training runs.

    Raises:
        DataError: no size has runs on both sides of c_h.
    """
    rows, goal = _samples(observed, cutoff, np.random.default_rng(seed))
    positive = learner == "NN"  # its output goes through softplus, since tau is above 0
    regressor = LEARNERS[learner](seed)
    regressor.fit(rows, _softplus_inverse(np.maximum(goal, 1e-6)) if positive else goal)
    return Overhead(regressor, context, cutoff / 2, positive, seed)


def _softplus_inverse(tau: Floats) -> Floats:
    return np.asarray(tau + np.log(-np.expm1(-tau)))


def _samples(observed: Observed, cutoff: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """(inputs, tau of the fifth run): random sets of five runs of one size (section 3)."""
    half, runs = cutoff / 2, observed.runs
    pools = [
        (m, _between(observed, m, 1, half), _between(observed, m, half, cutoff))
        for m in np.unique(runs.size)
    ]
    pools = [pool for pool in pools if len(pool[1]) and len(pool[2])]
    if not pools:
        raise DataError(
            f"no size was run with 2 to {half:g} and with {half:g} to {cutoff:g} processes"
        )
    sizes = np.array([m for m, _, _ in pools])
    drawn = rng.integers(len(pools), size=_SAMPLES)
    rows, goals = [], []
    for k in np.unique(drawn):
        m, small, large = pools[k]
        count = int((drawn == k).sum())
        chosen = large[rng.integers(len(large), size=count)]
        original = sizes[rng.integers(k + 1, size=count)]  # as large or smaller
        rows.append(
            _features(
                observed,
                _contexts(small, count, rng),
                original,
                m,
                runs.nodes[chosen],
                runs.cores[chosen],
            )
        )
        goals.append(observed.tau[chosen])
    return np.concatenate(rows), np.concatenate(goals)


def _between(observed: Observed, size: float, above: float, most: float) -> Indices:
    """Runs of a size with more than `above` and at most `most` processes and known overhead."""
    n = observed.runs.processes
    return np.flatnonzero(
        (observed.runs.size == size) & (n > above) & (n <= most) & np.isfinite(observed.tau)
    )


def _contexts(small: Indices, count: int, rng: np.random.Generator) -> Indices:
    """(count, 4) random small runs, without repetition if there are at least four."""
    if len(small) < _CONTEXT:
        return small[rng.integers(len(small), size=(count, _CONTEXT))]
    return small[np.argsort(rng.random((count, len(small))), axis=1)[:, :_CONTEXT]]


def _features(
    observed: Observed, chosen: Indices, original: Floats, size: float, nodes: Floats, cores: Floats
) -> Floats:
    """(count, _WIDTH): m_original, w, C1 .. C4 (processes, nodes, cores, size, tau) in ascending
    order of processes, C5 without tau (Eq. 7)."""
    r = observed.runs
    order = np.take_along_axis(
        chosen, np.argsort(r.processes[chosen], axis=1, kind="stable"), axis=1
    )
    context = np.stack(
        [r.processes[order], r.nodes[order], r.cores[order], r.size[order], observed.tau[order]],
        axis=2,
    )
    sizes = np.full(len(chosen), size)
    return np.column_stack(
        [
            original,
            original / size,
            context.reshape(len(chosen), -1),
            nodes * cores,
            nodes,
            cores,
            sizes,
        ]
    )
