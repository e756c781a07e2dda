"""Grey-box prediction of how a parallel program scales: performance laws, corrected by what small
runs teach.

Each method learns from runs with at most c_f processes and sizes of at most w_f, and may use the
small runs (up to c_f / 2 processes) of any size, as the learned overhead does (Alasandagutti,
Bridges and Estrada, HiPC 2024).

"auto" goes back to smaller cut-offs, where the larger runs are known, and weighs the methods by how
well they predict those: the logarithm of a time is the mean of what the methods say, with weights
error**-2, the error of a law of costs (`costs`) counted as two thirds of it, since only such a law
goes on beyond the data. No method is best for every program, and a wrong choice costs more than a
mean. How far the methods lie apart at a place, and how the errors at the smaller cut-offs grew with
the distance from what was known, give the interval: its width is scaled so that it would have held
90 % of those errors (conformal prediction; Vovk, Gammerman and Shafer, 2005), and never less than
noise demands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from looplaw_common.errors import DataError, InputError

from ..data.measurements import Floats, Measurements, Series
from ..data.timed_runs import Mask, Runs
from ..fitter.fit import fit
from ..pmnf.model import Model
from . import amdahl as law
from .cost_law import Cost, CostLaw, fit_costs
from .learned_overhead import LEARNERS, Learner, Observed, learn_overhead
from .oliveira import fit_oliveira

Times = Callable[[Floats, Floats, Floats], Floats]
"""Seconds at (size, nodes, cores)."""

PEERS = ("Amdahl", "Oliveira", "RF", "GBT", "NN")
"""The methods of the paper."""
METHODS = (*PEERS, "costs", "costs+GBT", "PMNF")
_WEIGHED = (
    *PEERS,
    "costs",
    "costs+GBT",
)  # a model in the normal form may leave the ground far from its points
_QUANTILE = 1.645  # of the normal distribution, for 90 %
_LEVEL = 0.9
_TRUST = {"costs": 1.5}  # errors are divided by this before they are weighed
_HOPELESS = 10.0  # times the least error: such a method weighs less than 1 %
_SCALES = 2  # smaller cut-offs that are gone back to
_LEAST_ERROR = 1e-4  # held-out errors below this are alike
_SEEN = 64  # configurations below which a learner has nothing to learn from


@dataclass(frozen=True)
class Task:
    """What a method may use. runs: all; trained: those of at most c_f processes and sizes of at
    most w_f; small: at most c_f / 2 processes, of any size; static: terms of a static law (W/N, D).
    """

    runs: Runs
    cutoff: float
    trained: Mask
    small: Mask
    static: tuple[Cost, ...] = ()
    seed: int = 0

    @property
    def known(self) -> Runs:
        """All runs that a method may use."""
        return self.runs.select(self.trained | self.small)


def task(
    runs: Runs, cutoff: float, largest: float, static: Sequence[Cost] = (), seed: int = 0
) -> Task:
    """Split runs at c_f processes and size w_f.

    Raises:
        DataError: nothing is left to learn from.
    """
    trained = (runs.processes <= cutoff) & (runs.size <= largest)
    if not (trained & (runs.processes > 1)).any():
        raise DataError(
            f"no runs with 2 to {cutoff:g} processes and sizes up to {largest:g} to learn from"
        )
    return Task(runs, cutoff, trained, runs.processes <= cutoff / 2, tuple(static), seed)


@dataclass(frozen=True)
class Prediction:
    """Times (R,) with the ends of their 90 % interval."""

    time: Floats
    lower: Floats
    upper: Floats


@dataclass(frozen=True)
class Band:
    """How far a prediction may be off, as standard deviations of its logarithm: `near` where runs
    are known, `far` for each doubling of the processes beyond; factor: half-width of the interval
    over the standard deviation."""

    near: float
    far: float
    factor: float = _QUANTILE


@dataclass(frozen=True)
class GreyBox:
    """A fitted law. parts: the methods in it; weights: of each, in all 1; errors: of each in the
    larger runs held out (root of the mean square, relative); band: of the interval."""

    parts: Mapping[str, Times]
    weights: Mapping[str, float]
    errors: Mapping[str, float]
    band: Band
    cutoff: float
    law: CostLaw | None = None

    @property
    def method(self) -> str:
        """The method of the greatest weight."""
        return max(self.weights, key=lambda m: self.weights[m])

    def times(self, size: Floats, nodes: Floats, cores: Floats) -> Floats:
        """Seconds (R,)."""
        return self._said(size, nodes, cores)[0]

    def _said(self, size: Floats, nodes: Floats, cores: Floats) -> tuple[Floats, Floats]:
        """Times, and the variance between the methods' logarithms (R,). A learned overhead says
        nothing of sizes without small runs; the others speak for it there.

        Raises:
            DataError: no method says anything of these sizes.
        """
        said: dict[str, Floats] = {}
        reason = DataError("no method")
        for method in (m for m, w in self.weights.items() if w > 0):
            try:
                said[method] = self.parts[method](size, nodes, cores)
            except DataError as error:
                reason = error
        if not said:
            raise reason
        share = np.array([self.weights[m] for m in said])
        return _mean(list(said.values()), share / share.sum())

    def predict(self, size: Floats, nodes: Floats, cores: Floats) -> Prediction:
        """Times with intervals."""
        time, apart = self._said(size, nodes, cores)
        reach = np.maximum(np.log2(nodes * cores / self.cutoff), 0)
        variance = self.band.near**2 + apart + (self.band.far * reach) ** 2
        if self.law is not None:
            draws = np.log(np.maximum(self.law.sampled(size, nodes, cores), 1e-300))
            variance = variance + self.weights.get("costs", 1.0) ** 2 * np.var(draws, axis=0)
        factor = np.exp(np.minimum(self.band.factor * np.sqrt(variance), 300.0))
        return Prediction(time, time / factor, time * factor)

    def speedup(self, serial: Floats, size: Floats, nodes: Floats, cores: Floats) -> Prediction:
        """Speed-up against the serial time of the original problem: strong scaling where that has
        the same size, weak or hybrid where it was smaller (then it is a rate, w included)."""
        p = self.predict(size, nodes, cores)
        return Prediction(serial / p.time, serial / p.upper, serial / p.lower)


def _mean(times: Sequence[Floats], weights: Floats) -> tuple[Floats, Floats]:
    """Weighted geometric mean and variance of the logarithms."""
    logs = np.log(np.maximum(np.stack(times), 1e-300))
    mean = weights @ logs
    return np.exp(mean), weights @ (logs - mean) ** 2


def fit_greybox(t: Task, method: str = "auto") -> GreyBox:
    """Fit one method, or all weighed by how well they predict held-out runs.

    Raises:
        InputError: no such method.
        DataError: the runs do not suffice.
    """
    if method != "auto" and method not in METHODS:
        raise InputError(f"--method {method}: there are auto, {', '.join(METHODS)}")
    names = _WEIGHED if method == "auto" else (method,)
    trials = _trials(t, names)
    errors = _errors(trials)
    if method == "auto" and not errors:
        raise DataError(
            "too few processes to weigh methods: run at least 1, 2 and 4, or name a --method"
        )
    fitted = _fitted(t, tuple(errors) if method == "auto" else names)
    if not fitted:
        raise DataError("no method could be fitted: time more configurations")
    errors = {m: e for m, e in errors.items() if m in fitted}
    worth = {m: (_TRUST.get(m, 1.0) / errors[m]) ** 2 if m in errors else 1.0 for m in fitted}
    weights = {m: w / sum(worth.values()) for m, w in worth.items()}
    costs = next((c for _, c in fitted.values() if c is not None), None)
    parts = {m: times for m, (times, _) in fitted.items()}
    return GreyBox(parts, weights, errors, _band(t, fitted, weights, trials), t.cutoff, costs)


def fitted_times(t: Task, method: str) -> Times:
    """What one method says, without an interval.

    Raises:
        InputError: no such method.
        DataError: the runs do not suffice.
    """
    if method not in METHODS:
        raise InputError(f"{method}: there are the methods {', '.join(METHODS)}")
    return _fit(method, t)[0]


def refit(t: Task, weights: Mapping[str, float], band: Band) -> GreyBox:
    """A law that was fitted before to the same runs, from what `fit_greybox` found: no method is
    tried anew.

    Raises:
        InputError: no such method.
        DataError: the runs do not suffice.
    """
    if unknown := [m for m in weights if m not in METHODS]:
        raise InputError(f"{', '.join(unknown)}: there are the methods {', '.join(METHODS)}")
    used = {m: w for m, w in weights.items() if w > 0}
    fitted = {m: _fit(m, t) for m in used}
    costs = next((c for _, c in fitted.values() if c is not None), None)
    return GreyBox({m: times for m, (times, _) in fitted.items()}, used, {}, band, t.cutoff, costs)


_Fitted = dict[str, tuple[Times, CostLaw | None]]


def _fitted(t: Task, methods: Sequence[str]) -> _Fitted:
    """The methods that can be fitted.

    Raises:
        DataError: the only one cannot.
    """
    found: _Fitted = {}
    for method in methods:
        try:
            found[method] = _fit(method, t)
        except DataError:
            if len(methods) == 1:
                raise
    return found


def _fit(method: str, t: Task) -> tuple[Times, CostLaw | None]:
    if method == "costs":
        costs = fit_costs(t.known, t.static, t.seed)
        return costs.time, costs
    if method == "costs+GBT":
        return _corrected_costs(t)
    if method == "PMNF":
        return _normal_form(t), None
    if method == "Oliveira":
        model = fit_oliveira(t.runs.select(t.trained), t.seed)
        return _from_speedup(t, lambda m, a, c: model.speedup(a * c, m)), None
    share = law.aggregate_share(t.runs.select(t.trained))
    if method == "Amdahl":
        return _from_speedup(t, lambda m, a, c: law.amdahl(a * c, share)), None
    return _from_speedup(
        t, _learned(next(name for name in LEARNERS if name == method), share, t)
    ), None


def _serial(t: Task) -> Callable[[Floats], Floats]:
    """Times of one process; those of sizes that nobody ran so follow from a power of the size.

    Raises:
        DataError: nobody ran one process.
    """
    alone = t.known.processes == 1
    if not alone.any():
        raise DataError("a law of speed-ups needs runs with one process")
    sizes, times = np.log(t.known.size[alone]), np.log(t.known.time[alone])
    power = np.polyfit(sizes, times, 1) if len(sizes) > 1 else np.array([1.0, times[0] - sizes[0]])

    def time(m: Floats) -> Floats:
        known = t.known.serial(m)
        return np.where(np.isfinite(known), known, np.exp(np.polyval(power, np.log(m))))

    return time


def _from_speedup(t: Task, speedup: Times) -> Times:
    serial = _serial(t)
    return lambda m, a, c: serial(m) / speedup(m, a, c)


def _learned(learner: Learner, share: float, t: Task) -> Times:
    serial = _serial(t)

    def observed(runs: Runs) -> Observed:
        return Observed(runs, serial(runs.size) / law.amdahl(runs.processes, share) / runs.time)

    overhead = learn_overhead(
        learner, observed(t.runs.select(t.trained)), observed(t.known), t.cutoff, t.seed
    )
    return lambda m, a, c: law.amdahl(a * c, share) * overhead.at(m, a, c, m)


def _corrected_costs(t: Task) -> tuple[Times, CostLaw]:
    """The costs' law times what a learner makes of its residuals, where there are enough runs to
    learn from."""
    costs = fit_costs(t.known, t.static, t.seed)
    k = t.known
    if len(k.time) < _SEEN:
        raise DataError(f"{len(k.time)} runs; {_SEEN} are needed to learn a correction from")
    x = np.stack([np.log(k.size), np.log(k.nodes), np.log(k.cores)], axis=1)
    regressor = LEARNERS["GBT"](t.seed).set_params(n_estimators=40, max_depth=2, loss="huber")
    regressor.fit(x, np.log(k.time / costs.time(k.size, k.nodes, k.cores)))

    def time(m: Floats, a: Floats, c: Floats) -> Floats:
        points = np.stack([np.log(m), np.log(a), np.log(c)], axis=1)
        return np.asarray(costs.time(m, a, c) * np.exp(regressor.predict(points)))

    return time, costs


def _normal_form(t: Task) -> Times:
    """A model of the times in processes and size, as `fit` finds it."""
    k = t.known
    series = Series.from_values(
        "program", "time", ("m", "N"), np.stack([k.size, k.processes], axis=1), k.time
    )
    model: Model = fit(Measurements((series,))).models[0]
    least = 1e-3 * float(k.time.min())
    return lambda m, a, c: np.maximum(model.evaluate({"m": m, "N": a * c}), least)


def _earlier(t: Task) -> list[Task]:
    """The training runs cut once and twice more: at half the processes, or the next fewer that were
    run."""
    found: list[Task] = []
    for _ in range(_SCALES):
        many = np.unique(t.runs.processes[t.trained & (t.runs.processes > 1)])
        if len(many) < 2:
            break
        half = many[many <= t.cutoff / 2]
        cutoff = float(half[-1] if len(half) and half[-1] < many[-1] else many[-2])
        trained = t.trained & (t.runs.processes <= cutoff)
        t = replace(
            t, cutoff=cutoff, trained=trained, small=t.trained & (t.runs.processes <= cutoff / 2)
        )
        found.append(t)
    return found


@dataclass(frozen=True)
class _Trial:
    """What methods that know the runs up to an earlier cut-off say of the larger ones: times (R,)
    of each."""

    cutoff: float
    known: Runs
    said: Mapping[str, Floats]


def _trials(t: Task, methods: Sequence[str]) -> list[_Trial]:
    """At each earlier cut-off, the nearest first; methods that are hopeless there are not tried at
    the others."""
    found: list[_Trial] = []
    for inner in _earlier(t):
        found.append(_trial(inner, t, methods))
        errors = _errors(found)
        methods = [
            m for m in methods if m in errors and errors[m] <= _HOPELESS * min(errors.values())
        ]
    return found


def _trial(inner: Task, t: Task, methods: Sequence[str]) -> _Trial:
    known = t.runs.select(t.trained & (t.runs.processes > inner.cutoff))
    said = {}
    for method in methods:
        try:
            times = _fit(method, inner)[0](known.size, known.nodes, known.cores)
        except DataError:
            continue
        if np.isfinite(times).all() and (times > 0).all():
            said[method] = times
    return _Trial(inner.cutoff, known, said)


def _errors(trials: Sequence[_Trial]) -> dict[str, float]:
    """Relative error of each method, the geometric mean over the trials, where it could be tried as
    often as any."""
    often = {m: sum(m in trial.said for trial in trials) for m in METHODS}
    most = max(often.values())
    return {
        m: float(
            np.exp(
                np.mean(
                    [
                        np.log(_error(trial.known.time, trial.said[m]))
                        for trial in trials
                        if m in trial.said
                    ]
                )
            )
        )
        for m in METHODS
        if often[m] == most > 0
    }


def _error(truth: Floats, said: Floats) -> float:
    """Root of the mean squared relative error of speed-ups."""
    ratio = np.exp(np.clip(np.log(truth / said), -5, 5))
    return max(float(np.sqrt(np.mean((ratio - 1) ** 2))), _LEAST_ERROR)


def _band(t: Task, fitted: _Fitted, weights: Mapping[str, float], trials: Sequence[_Trial]) -> Band:
    """The interval that would have held 90 % of what the trials held out; what noise leaves where
    there was none."""
    used = [m for m in weights if all(m in trial.said for trial in trials)]
    share = np.array([weights[m] for m in used])
    k = t.known
    leading = "costs" if "costs" in fitted else max(weights, key=lambda m: weights[m])
    times, costs = fitted[leading]
    residual = np.log(k.time / times(k.size, k.nodes, k.cores))
    near = max(_scale(residual[np.isfinite(residual)]), costs.noise if costs is not None else 0.0)
    if not trials or not share.sum() > 0:
        return Band(near, near)
    told = [_mean([trial.said[m] for m in used], share / share.sum()) for trial in trials]
    error = np.concatenate(
        [np.log(trial.known.time / time) for trial, (time, _) in zip(trials, told, strict=True)]
    )
    apart = np.concatenate([variance for _, variance in told])
    reach = np.concatenate([np.log2(trial.known.processes / trial.cutoff) for trial in trials])
    far = float(np.sqrt(max(np.mean(error**2 - near**2), 0.0) / np.mean(reach**2)))
    expected = np.sqrt(near**2 + apart + (far * reach) ** 2)
    rank = min(_LEVEL * (1 + 1 / len(error)), 1.0)  # of the next one among those seen
    seen = float(np.quantile(np.abs(error) / np.maximum(expected, _LEAST_ERROR), rank))
    return Band(near, far, max(seen, _QUANTILE))


def _scale(residual: Floats) -> float:
    return float(np.sqrt(np.mean(np.clip(residual, -1, 1) ** 2))) if len(residual) else 0.0
