"""Grey-box prediction of parallel time: performance laws corrected by what small runs teach.

Every method learns from runs with at most c_f processes and problem sizes up to w_f, and may use
the small runs (up to c_f / 2 processes) of any size, as the learned overhead does (Alasandagutti,
Bridges and Estrada, "Grey-Box Machine Learning Prediction of Parallel Application Scaling", HiPC
2024, sections 3 and 4.4).

"auto" repeats the fit with smaller cut-offs, where the larger runs are known, and averages the
methods by how well they predict those runs: the logarithm of a time is the mean over the methods
with weights error**-2, each held within a factor of two of their median. The error of the cost law
(`costs`) counts two thirds, since its form holds beyond the data, unless another method's is far
less. Where too few processes were run to try a learned overhead, one has the median error. No
method is best for every program, and choosing the wrong one costs more than averaging. The interval
has two sources: the spread of the methods at a point, and the growth of the errors at the smaller
cut-offs with the distance from the known runs. Its width is scaled to contain 90 % of those errors
(conformal prediction; Vovk, Gammerman and Shafer, 2005), and is never below the noise. Exponents
wander on the way, so that it opens faster the farther it reaches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from looplaw_common.errors import DataError, InputError

from ..data.measurements import Floats, Measurements, Series
from ..data.timed_runs import Mask, Runs
from ..fitter.fit import fit
from ..pmnf.model import Model
from ..settings import DEFAULT
from . import amdahl as law
from .cost_law import Cost, CostLaw, fit_costs
from .learned_overhead import LEARNERS, Learner, Observed, learn_overhead
from .oliveira import fit_oliveira

Times = Callable[[Floats, Floats, Floats], Floats]
"""Seconds at (size, nodes, cores)."""

PEERS = ("Amdahl", "Oliveira", "RF", "GBT", "NN")
"""The methods of the paper (sections 3 and 5.1)."""
METHODS = (*PEERS, "costs", "costs+GBT", "PMNF")
_QUANTILE = 1.645  # of the normal distribution, for a two-sided 90 % interval
_LEVEL = 0.9
_EXTRAPOLATION_WEIGHT = {"costs": 1.5}  # errors are divided by this before methods are averaged
_OUTDONE = 1.4  # times the least error, above which a law's form is no reason to believe it
_UNTRIED: Learner = "RF"  # the one of the learners that is believed untried: they say the same
_SHARPNESS = 2.0  # power of the errors in the weights: 3 believes what was right by chance
_FEWEST_BELOW = 3  # numbers of processes below half the cut-off, without which it tells little
_HOPELESS = 10.0  # times the least error: such a method would get a weight below 1 %
_MOST_APART = np.log(2.0)  # of a method's logarithm from the median of all, beyond it diverges
_DOUBTED = np.log(4.0)  # the same in the interval, which is to hold what may be true
_BELIEVED_AT_ALL = 0.05  # a weight
_SCALES = 2  # how many smaller cut-offs are tried
_LEAST_ERROR = 1e-4  # held-out errors below this count as equal
# Deviation by which the logarithm of what a doubling of the processes makes of the time changes
# from one doubling to the next: the forecast's error is then an integrated random walk (Harvey,
# "Forecasting, Structural Time Series Models and the Kalman Filter", 1989, local linear trend).
# Of 44 real series of ten sets, half of whose points were held out, 91 % are covered with it, as
# `benchmarks.bench_scaling --only beyond` prints, and 83 % with 0.
_WANDERS = 0.1
# Scatter of few numbers of processes looks like a change of regime: on LULESH's times the worst
# ratio to the best method is 1.99 where changes are looked for.
_ONE_LAW = replace(DEFAULT, regimes=replace(DEFAULT.regimes, fewest_on_grid=sys.maxsize))
_FEWEST_LEARNED = 64  # configurations that a learner of residuals needs


@dataclass(frozen=True)
class Task:
    """The runs that a method may use. trained: those with at most c_f processes (`cutoff`) and
    sizes up to w_f; small: those with at most c_f / 2 processes, of any size; static: terms of a
    static law (W/N, D)."""

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
    """Split runs at c_f processes (`cutoff`) and problem size w_f (`largest`).

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
    """Seconds (R,) with the ends of their 90 % interval."""

    time: Floats
    lower: Floats
    upper: Floats


@dataclass(frozen=True)
class Band:
    """Standard deviations of the logarithm of a prediction: `near` among the known runs, `far` for
    each doubling of the processes beyond them; factor: half-width of the interval in standard
    deviations."""

    near: float
    far: float
    factor: float = _QUANTILE

    def variance(self, reach: Floats) -> Floats:
        """Of the logarithm, so many doublings beyond the known runs."""
        return self.near**2 + (self.far * reach) ** 2 + _WANDERS**2 * reach**3 / 3


@dataclass(frozen=True)
class GreyBox:
    """A weighted mean of fitted methods. parts: what each predicts; weights: of each, with sum 1;
    errors: root mean square relative error of each on the larger runs that were held out; band: of
    the interval."""

    parts: Mapping[str, Times]
    weights: Mapping[str, float]
    errors: Mapping[str, float]
    band: Band
    cutoff: float
    law: CostLaw | None = None

    @property
    def method(self) -> str:
        """The method with the greatest weight."""
        return max(self.weights, key=lambda m: self.weights[m])

    def times(self, size: Floats, nodes: Floats, cores: Floats) -> Floats:
        """(R,) seconds at configurations."""
        return self._averaged(size, nodes, cores)[0]

    def _averaged(self, size: Floats, nodes: Floats, cores: Floats) -> tuple[Floats, Floats]:
        """(R,) seconds, and the variance of the methods' logarithms. A learned overhead needs small
        runs of the size; where there are none, the other methods are averaged.

        Raises:
            DataError: no method predicts these sizes.
        """
        predicted: dict[str, Floats] = {}
        reason = DataError("no method")
        for method in (m for m, w in self.weights.items() if w > 0):
            try:
                predicted[method] = self.parts[method](size, nodes, cores)
            except DataError as error:
                reason = error
        if not predicted:
            raise reason
        share = np.array([self.weights[m] for m in predicted])
        return _mean(list(predicted.values()), share / share.sum())

    def predict(self, size: Floats, nodes: Floats, cores: Floats) -> Prediction:
        """Times with their 90 % intervals."""
        time, apart = self._averaged(size, nodes, cores)
        reach = np.maximum(np.log2(nodes * cores / self.cutoff), 0)
        variance = self.band.variance(reach) + apart
        if self.law is not None:
            draws = np.log(np.maximum(self.law.sampled(size, nodes, cores), 1e-300))
            variance = variance + self.weights.get("costs", 1.0) ** 2 * np.var(draws, axis=0)
        factor = np.exp(np.minimum(self.band.factor * np.sqrt(variance), 300.0))
        return Prediction(time, time / factor, time * factor)

    def speedup(self, serial: Floats, size: Floats, nodes: Floats, cores: Floats) -> Prediction:
        """Speed-up against the serial time of the original problem: strong scaling if the sizes are
        equal, weak or hybrid scaling if the original is smaller (Eq. 2, the ratio w included)."""
        p = self.predict(size, nodes, cores)
        return Prediction(serial / p.time, serial / p.upper, serial / p.lower)


def _mean(times: Sequence[Floats], weights: Floats) -> tuple[Floats, Floats]:
    """(weighted geometric mean, variance of the logarithms), (R,) each. A method that diverges
    beyond its data is held within a factor of the weighted median of all."""
    logs = np.log(np.maximum(np.stack(times), 1e-300))
    order = np.argsort(logs, axis=0)
    below = np.cumsum(weights[order], axis=0) < 0.5
    middle = np.take_along_axis(logs, order, axis=0)[
        np.minimum(below.sum(axis=0), len(logs) - 1), np.arange(logs.shape[1])
    ]
    mean = weights @ np.clip(logs, middle - _MOST_APART, middle + _MOST_APART)
    logs = np.clip(logs, middle - _DOUBTED, middle + _DOUBTED)
    return np.exp(mean), weights @ (logs - mean) ** 2


def fit_greybox(t: Task, method: str = "auto") -> GreyBox:
    """Fit one method, or average all by how well they predict held-out runs ("auto").

    Raises:
        InputError: no such method.
        DataError: the runs do not suffice.
    """
    if method != "auto" and method not in METHODS:
        raise InputError(f"--method {method}: there are auto, {', '.join(METHODS)}")
    names = METHODS if method == "auto" else (method,)
    trials = _trials(t, names)
    errors = _errors(trials)
    if method == "auto" and not errors:
        raise DataError(
            "too few processes to weigh methods: run at least 1, 2 and 4, or name a --method"
        )
    believed = _believed(errors) if method == "auto" else errors
    fitted = _fitted(t, tuple(believed) if method == "auto" else names)
    if not fitted:
        raise DataError("no method could be fitted: time more configurations")
    errors = {m: e for m, e in errors.items() if m in fitted}
    worth = {m: believed[m] ** -_SHARPNESS if m in believed else 1.0 for m in fitted}
    weights = {m: w / sum(worth.values()) for m, w in worth.items()}
    costs = next((c for _, c in fitted.values() if c is not None), None)
    parts = {m: times for m, (times, _) in fitted.items()}
    return GreyBox(parts, weights, errors, _band(t, fitted, weights, trials), t.cutoff, costs)


def _believed(errors: Mapping[str, float]) -> dict[str, float]:
    """Errors by which methods are weighted, from those at the smaller cut-offs: that of a law whose
    form holds beyond the data is smaller, unless the data contradict it there; a learner that had
    nothing to learn from at the smaller cut-offs is as good as the median of the others."""
    least = min(errors.values())
    found = {
        m: e / _EXTRAPOLATION_WEIGHT.get(m, 1.0) if e <= _OUTDONE * least else e
        for m, e in errors.items()
    }
    if not set(LEARNERS) & set(found):
        found[_UNTRIED] = float(np.median(list(errors.values())))
    return found


def fitted_times(t: Task, method: str) -> Times:
    """What one method predicts, without an interval.

    Raises:
        InputError: no such method.
        DataError: the runs do not suffice.
    """
    if method not in METHODS:
        raise InputError(f"{method}: there are the methods {', '.join(METHODS)}")
    return _fit(method, t)[0]


def refit(t: Task, weights: Mapping[str, float], band: Band) -> GreyBox:
    """A law that `fit_greybox` found before for the same runs: its methods are fitted again, but
    not compared again.

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
    """Those of the methods that can be fitted to the runs.

    Raises:
        DataError: the only one asked for cannot.
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
        model = fit_oliveira(t.runs.select(t.trained))
        return _from_speedup(t, lambda m, a, c: model.speedup(a * c, m)), None
    share = law.aggregate_share(t.runs.select(t.trained))
    if method == "Amdahl":
        return _from_speedup(t, lambda m, a, c: law.amdahl(a * c, share)), None
    return _from_speedup(
        t, _learned(next(name for name in LEARNERS if name == method), share, t)
    ), None


def _serial(t: Task) -> Callable[[Floats], Floats]:
    """Seconds of one process as a function of the size: as measured, else from a power law fitted
    to the measured sizes.

    Raises:
        DataError: no run has one process.
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
    """The cost law times a correction that gradient boosting learns from its residuals.

    Raises:
        DataError: too few runs to learn from.
    """
    costs = fit_costs(t.known, t.static, t.seed)
    k = t.known
    if len(k.time) < _FEWEST_LEARNED:
        raise DataError(
            f"{len(k.time)} runs; {_FEWEST_LEARNED} are needed to learn a correction from"
        )
    x = np.stack([np.log(k.size), np.log(k.nodes), np.log(k.cores)], axis=1)
    regressor = LEARNERS["GBT"](t.seed).set_params(n_estimators=40, max_depth=2, loss="huber")
    regressor.fit(x, np.log(k.time / costs.time(k.size, k.nodes, k.cores)))

    def time(m: Floats, a: Floats, c: Floats) -> Floats:
        points = np.stack([np.log(m), np.log(a), np.log(c)], axis=1)
        return np.asarray(costs.time(m, a, c) * np.exp(regressor.predict(points)))

    return time, costs


def _normal_form(t: Task) -> Times:
    """A model in the performance model normal form of the times over size and processes."""
    k = t.known
    series = Series.from_values(
        "program", "time", ("m", "N"), np.stack([k.size, k.processes], axis=1), k.time
    )
    model: Model = fit(Measurements((series,)), settings=_ONE_LAW).models[0]
    least = 1e-3 * float(k.time.min())
    return lambda m, a, c: np.maximum(model.evaluate({"m": m, "N": a * c}), least)


def _earlier(t: Task) -> list[Task]:
    """The same task with smaller cut-offs, the nearest first: half the processes each, or the next
    smaller number that was run; that one first where half leaves too few numbers to learn from."""
    many = np.unique(t.runs.processes[t.trained & (t.runs.processes > 1)])
    cutoffs: list[float] = []
    below = t.cutoff
    for _ in range(_SCALES):
        left = many[many < many[many <= below][-1]] if (many <= below).any() else many[:0]
        if not len(left):
            break
        half = left[left <= below / 2]
        below = float(half[-1] if len(half) else left[-1])
        if not cutoffs and left[-1] > below and len(half) < _FEWEST_BELOW:
            cutoffs.append(float(left[-1]))
        cutoffs.append(below)
    return [_up_to(t, cutoff) for cutoff in cutoffs]


def _up_to(t: Task, cutoff: float) -> Task:
    """The same task with a smaller cut-off."""
    trained = t.trained & (t.runs.processes <= cutoff)
    small = t.trained & (t.runs.processes <= cutoff / 2)
    return replace(t, cutoff=cutoff, trained=trained, small=small)


@dataclass(frozen=True)
class _Trial:
    """What methods fitted up to a smaller cut-off predict for the larger runs: seconds (R,) of
    each."""

    cutoff: float
    known: Runs
    predicted: Mapping[str, Floats]


def _trials(t: Task, methods: Sequence[str]) -> list[_Trial]:
    """One trial for each smaller cut-off, the nearest first; methods that are far off there are not
    tried again."""
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
    predicted = {}
    for method in methods:
        try:
            times = _fit(method, inner)[0](known.size, known.nodes, known.cores)
        except DataError:
            continue
        if np.isfinite(times).all() and (times > 0).all():
            predicted[method] = times
    return _Trial(inner.cutoff, known, predicted)


def _errors(trials: Sequence[_Trial]) -> dict[str, float]:
    """Relative error of each method, the geometric mean over the trials; methods that failed in a
    trial in which others did not are left out."""
    often = {m: sum(m in trial.predicted for trial in trials) for m in METHODS}
    most = max(often.values())
    return {
        m: float(
            np.exp(
                np.mean(
                    [
                        np.log(_error(trial.known.time, trial.predicted[m]))
                        for trial in trials
                        if m in trial.predicted
                    ]
                )
            )
        )
        for m in METHODS
        if often[m] == most > 0
    }


def _error(truth: Floats, predicted: Floats) -> float:
    """Root mean square of the relative errors of the speed-ups."""
    ratio = np.exp(np.clip(np.log(truth / predicted), -5, 5))
    return max(float(np.sqrt(np.mean((ratio - 1) ** 2))), _LEAST_ERROR)


def _band(t: Task, fitted: _Fitted, weights: Mapping[str, float], trials: Sequence[_Trial]) -> Band:
    """The band that would have contained 90 % of the runs held out in the trials; without trials,
    that of the noise."""
    used = [m for m in weights if all(m in trial.predicted for trial in trials)]
    share = np.array([weights[m] for m in used])
    k = t.known
    times, costs = fitted[_with_noise_alone(weights)]
    residual = np.log(k.time / times(k.size, k.nodes, k.cores))
    near = max(_scale(residual[np.isfinite(residual)]), costs.noise if costs is not None else 0.0)
    if not trials or not share.sum() > 0:
        return Band(near, near)
    means = [_mean([trial.predicted[m] for m in used], share / share.sum()) for trial in trials]
    error = np.concatenate(
        [np.log(trial.known.time / time) for trial, (time, _) in zip(trials, means, strict=True)]
    )
    apart = np.concatenate([variance for _, variance in means])
    reach = np.concatenate([np.log2(trial.known.processes / trial.cutoff) for trial in trials])
    far = float(np.sqrt(max(np.mean(error**2 - near**2), 0.0) / np.mean(reach**2)))
    expected = np.sqrt(Band(near, far).variance(reach) + apart)
    rank = min(_LEVEL * (1 + 1 / len(error)), 1.0)  # conformal: the next error among those seen
    seen = float(np.quantile(np.abs(error) / np.maximum(expected, _LEAST_ERROR), rank))
    return Band(near, far, max(seen, _QUANTILE))


def _with_noise_alone(weights: Mapping[str, float]) -> str:
    """The method whose residuals are taken for the noise of the runs: the law of costs if it is
    believed at all, else one with a form, as learners follow the noise itself."""
    if weights.get("costs", 0.0) >= _BELIEVED_AT_ALL:
        return "costs"
    return max(weights, key=lambda m: (m not in LEARNERS, weights[m]))


def _scale(residual: Floats) -> float:
    return float(np.sqrt(np.mean(np.clip(residual, -1, 1) ** 2))) if len(residual) else 0.0
