"""Grey-box prediction of how a parallel program scales: performance laws, corrected by what small runs teach.

Each method learns from runs with at most c_f processes and sizes of at most w_f, and may use the small runs (up to
c_f / 2 processes) of any size, as the learned overhead does (Alasandagutti, Bridges and Estrada, HiPC 2024). "auto" tries
the methods inside the training runs, with halved cut-offs, and takes the one that predicts the held-out larger runs best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from . import amdahl as law
from .costs import Cost, CostLaw, fit_costs
from .errors import DataError, InputError
from .fitting import fit
from .measurements import Floats, Measurements, Series
from .model import Model
from .oliveira import fit_oliveira
from .overhead import LEARNERS, Learner, Observed, learn_overhead
from .runs import Mask, Runs

Times = Callable[[Floats, Floats, Floats], Floats]
"""Seconds at (size, nodes, cores)."""

PEERS = ("Amdahl", "Oliveira", "RF", "GBT", "NN")
"""The methods of the paper."""
METHODS = (*PEERS, "costs", "costs+GBT", "PMNF")
_QUANTILE = 1.645  # of the normal distribution, for 90 %
_CLOSE, _GOOD = 2.0, 0.1
_SEEN = 64  # configurations below which a learner has nothing to learn from


@dataclass(frozen=True)
class Task:
    """What a method may use. runs: all; trained: those of at most c_f processes and sizes of at most w_f; small: at most
    c_f / 2 processes, of any size; static: terms of a static law (W/N, D)."""

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


def task(runs: Runs, cutoff: float, largest: float, static: Sequence[Cost] = (), seed: int = 0) -> Task:
    """Split runs at c_f processes and size w_f.

    Raises:
        DataError: nothing is left to learn from.
    """
    trained = (runs.processes <= cutoff) & (runs.size <= largest)
    if not (trained & (runs.processes > 1)).any():
        raise DataError(f"no runs with 2 to {cutoff:g} processes and sizes up to {largest:g} to learn from")
    return Task(runs, cutoff, trained, runs.processes <= cutoff / 2, tuple(static), seed)


@dataclass(frozen=True)
class Prediction:
    """Times (R,) with the ends of their 90 % interval."""

    time: Floats
    lower: Floats
    upper: Floats


@dataclass(frozen=True)
class GreyBox:
    """A fitted method. errors: held-out relative errors in logarithms, for each method tried; spread: of the chosen one
    as a function of how far a prediction reaches, sigma**2 = near**2 + (far log2(N / c_f))**2."""

    method: str
    times: Times
    errors: dict[str, float]
    near: float
    far: float
    cutoff: float
    law: CostLaw | None = None

    def predict(self, size: Floats, nodes: Floats, cores: Floats) -> Prediction:
        """Times with intervals."""
        time = self.times(size, nodes, cores)
        reach = np.maximum(np.log2(nodes * cores / self.cutoff), 0)
        variance = self.near**2 + (self.far * reach) ** 2
        if self.law is not None:
            draws = self.law.sampled(size, nodes, cores)
            variance = variance + np.var(np.log(np.maximum(draws, 1e-300)), axis=0)
        factor = np.exp(_QUANTILE * np.sqrt(variance))
        return Prediction(time, time / factor, time * factor)

    def speedup(self, serial: Floats, size: Floats, nodes: Floats, cores: Floats) -> Prediction:
        """Speed-up against the serial time of the original problem: strong scaling where that has the same size, weak or
        hybrid where it was smaller (then it is a rate, w included)."""
        p = self.predict(size, nodes, cores)
        return Prediction(serial / p.time, serial / p.upper, serial / p.lower)


def fit_greybox(t: Task, method: str = "auto") -> GreyBox:
    """Fit one method, or the one that predicts held-out runs best.

    Raises:
        InputError: no such method.
        DataError: the runs do not suffice.
    """
    if method == "auto":
        return _automatic(t)
    if method not in METHODS:
        raise InputError(f"--method {method}: there are auto, {', '.join(METHODS)}")
    found, costs = _fit(method, t)
    residual = np.log(t.known.time / found(t.known.size, t.known.nodes, t.known.cores))
    near = _scale(residual[np.isfinite(residual)])
    return GreyBox(method, found, {}, near, near, t.cutoff, costs)


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
    return _from_speedup(t, _learned(next(name for name in LEARNERS if name == method), share, t)), None


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
    overhead = learn_overhead(learner, observed(t.runs.select(t.trained)), observed(t.known), t.cutoff, t.seed)
    return lambda m, a, c: law.amdahl(a * c, share) * overhead.at(m, a, c, m)


def _corrected_costs(t: Task) -> tuple[Times, CostLaw]:
    """The costs' law times what a learner makes of its residuals, where there are enough runs to learn from."""
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
    series = Series.from_values("program", "time", ("m", "N"), np.stack([k.size, k.processes], axis=1), k.time)
    model: Model = fit(Measurements((series,))).models[0]
    least = 1e-3 * float(k.time.min())
    return lambda m, a, c: np.maximum(model.evaluate({"m": m, "N": a * c}), least)


def _automatic(t: Task) -> GreyBox:
    """The method of the least held-out error; the correction and the interval of the chosen one from the same errors."""
    inner = _inner(t)
    held = t.trained & ~(inner.trained | inner.small)
    known = t.runs.select(held)
    errors: dict[str, Floats] = {}
    for method in METHODS:
        try:
            times, _ = _fit(method, inner)
            errors[method] = np.log(known.time / times(known.size, known.nodes, known.cores))
        except DataError:
            continue
    scores = {m: float(np.sqrt(np.mean(np.expm1(np.clip(e, -5, 5)) ** 2))) for m, e in errors.items() if np.isfinite(e).all()}
    if not scores:
        raise DataError("no method could be fitted: time more configurations")
    best = min(scores, key=lambda m: (scores[m], METHODS.index(m)))
    if "costs" in scores and scores["costs"] <= max(_CLOSE * scores[best], _GOOD):
        best = "costs"  # a law of what things cost goes on beyond the data; others win only where they are clearly better
    times, costs = _fit(best, t)
    reach = np.maximum(np.log2(known.processes / inner.cutoff), 1)
    residual = np.log(t.known.time / times(t.known.size, t.known.nodes, t.known.cores))
    near = max(_scale(residual), costs.noise if costs is not None else 0.0)
    far = float(np.sqrt(np.maximum(np.mean(errors[best] ** 2 - near**2), 0) / np.mean(reach**2)))
    return GreyBox(best, times, scores, near, far, t.cutoff, costs)


def _inner(t: Task) -> Task:
    """The training runs split once more: half the processes, or the next fewer that were run.

    Raises:
        DataError: fewer than two numbers of processes above one.
    """
    many = np.unique(t.runs.processes[t.trained & (t.runs.processes > 1)])
    if len(many) < 2:
        raise DataError("too few processes to choose a method: run at least 1, 2 and 4, or name a --method")
    half = many[many <= t.cutoff / 2]
    cutoff = float(half[-1] if len(half) and half[-1] < many[-1] else many[-2])
    trained = t.trained & (t.runs.processes <= cutoff)
    return replace(t, cutoff=cutoff, trained=trained, small=t.trained & (t.runs.processes <= cutoff / 2))


def _scale(residual: Floats) -> float:
    return float(np.sqrt(np.mean(np.clip(residual, -1, 1) ** 2)))
