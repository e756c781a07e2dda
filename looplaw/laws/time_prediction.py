"""The time of a run at sizes that were not measured, from the models of a study: in all, kernel by
kernel, and what each is bound by."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log1p

import numpy as np
from numpy.typing import NDArray

from modeling import DataError, Measurements, Model, Series, fit
from modeling.pmnf.machine_costs import Costs
from modeling.pmnf.prediction import WIDEST, is_useless
from modeling.pmnf.time_law import CORE, FRESH, LATENCY, UNEXPLAINED, level_at, limits_at
from modeling.timelaw.elsewhere import Speed, elsewhere, speed_of

from ..documents.study import StudyDocument
from .loop_call_tree import gathered
from .own_time import Callers, callers_of, only_inside, own_seconds, own_shares
from .run_seconds import clock_of, seconds_of
from .within_counts import most_seconds

Floats = NDArray[np.float64]
Point = tuple[tuple[str, float], ...]
_LEVEL = 0.9
_ALIKE = 0.5
"""Correlation of the errors of two kernels: they share the machine, but not the law."""
_QUANTILE = 1.645
"""Deviations to either end of an interval that holds 90 of 100 values."""
_NS = 1e-9
DISTURBED = "other programs"
"""Stands among the limits of a kernel where others had the processor while it was measured."""


@dataclass(frozen=True)
class PredictedKernel:
    """A kernel's seconds at a point, `low` to `high` in 90 of 100 cases.

    function: where it is. is_part: is it inside another kernel, whose time has it in it? law: is
    there a law of time? bound_by: what takes most of the time: core, a level, latency, first touch;
    None without a law. level: where most lines come from. parts: seconds of each part on its own,
    of which the first ones may hide each other. own: seconds without the kernels that run inside
    this one alone. limits: how likely each part takes most of the time, the likeliest first.
    """

    at: str
    function: str
    seconds: float
    low: float
    high: float
    is_part: bool
    has_law: bool
    bound_by: str | None = None
    level: str | None = None
    parts: Mapping[str, float] | None = None
    own: float = 0.0
    limits: Mapping[str, float] | None = None

    @property
    def unknown(self) -> str | None:
        """Why its time is not known; None where it is."""
        return why_unknown(self.low, self.high)


@dataclass(frozen=True)
class PredictedRest:
    """CPU seconds of a run outside of all kernels: start-up, input and output, loops that are not
    timed. formula: of its model; None where the runs are too few for one, and it is a median."""

    seconds: float
    low: float
    high: float
    formula: str | None = None


@dataclass(frozen=True)
class PredictedTime:
    """A run's CPU seconds; kernels with the largest own time first. rest: outside all kernels.
    runs: how many were made at this point, where the times are those of the runs; 0 where they are
    foretold.

    The kernels that are no part of another one and the rest add up to the whole.
    """

    seconds: float
    low: float
    high: float
    rest: float
    kernels: tuple[PredictedKernel, ...]
    outside: PredictedRest = PredictedRest(0.0, 0.0, 0.0)
    runs: int = 0

    @property
    def unknown(self) -> str | None:
        """Why the time of a run is not known; None where it is."""
        return why_unknown(self.low, self.high)

    @property
    def outermost(self) -> tuple[PredictedKernel, ...]:
        """The kernels that are no part of another one."""
        return tuple(k for k in self.kernels if not k.is_part)


def predict_time(
    study: StudyDocument,
    at: Mapping[str, float],
    *,
    costs: Costs | None = None,
    level: float = _LEVEL,
    rest: RestModel | None = None,
) -> PredictedTime:
    """The time of a run of a study's program: the sum of its kernels, and what is outside.

    Args:
        at: values of the parameters.
        costs: of another machine, where the program never ran; see `modeling.timelaw.elsewhere`.
        level: probability of the intervals.
        rest: what `rest_model` says of the study, where that is known.

    Raises:
        DataError: the study has no model of a kernel's time, or a parameter has no value; or no
            kernel has a law of time, and costs of another machine are given.
    """
    models = time_models(study)
    outside = rest_at(rest or rest_model(study), at, level)
    speed = None
    if costs is not None:
        models, speed = _moved(models, costs)
        value, low, high = _slowed(outside.seconds, outside.low, outside.high, speed)
        outside = replace(outside, seconds=value, low=low, high=high)
    below = _below(study, models)
    misfits = {k.at: log1p(k.model_error / 100) for k in study.loops if k.model_error}
    kernels = [
        replace(
            predicted_kernel(
                function, model, at, level, is_part=place in below, misfit=misfits.get(place, 0.0)
            ),
            at=place,
        )
        for place, (function, model) in models.items()
    ]
    most = most_seconds(study, [k.at for k in kernels if not k.has_law], at)
    kernels = [_no_longer(k, most.get(k.at, np.inf)) for k in kernels]
    if speed is not None:
        kernels = [k if k.has_law else _slowed_kernel(k, speed) for k in kernels]
    if _is_disturbed(study):
        kernels = [
            replace(k, bound_by=None, limits={DISTURBED: 1.0}) if k.has_law else k for k in kernels
        ]
    top = [k for k in kernels if not k.is_part]
    below_all, above_all = together([(k.seconds, k.low, k.high) for k in top])
    total = sum(k.seconds for k in top) + outside.seconds
    callers = callers_of(study, list(models))
    kernels = within_their_whole(kernels, callers)
    own = own_seconds(
        callers,
        {k.at: k.seconds for k in kernels},
        own_shares(study, only_inside(callers)),
        rest=outside.seconds,
        most=sum(k.seconds for k in top),
    )
    kernels = [replace(k, own=own[k.at]) for k in kernels]
    ordered = tuple(sorted(kernels, key=lambda k: -k.own))
    low = max(total - float(np.hypot(below_all, outside.seconds - outside.low)), 0.0)
    high = total + float(np.hypot(above_all, outside.high - outside.seconds))
    return PredictedTime(total, low, high, outside.seconds, ordered, outside)


def _moved(
    models: Mapping[str, tuple[str, Model]], costs: Costs
) -> tuple[dict[str, tuple[str, Model]], Speed]:
    """The models on another machine, and how fast its core is: kernels without a law of time take
    as many times as long as computing does.

    Raises:
        DataError: no kernel has a law of time.
    """
    laws = [m.law for _, m in models.values() if m.law is not None]
    if not laws:
        raise DataError(
            "no kernel has a law of time, so nothing tells what another machine takes: make the"
            " study again with --machine HERE.json, of looplaw machine --json HERE.json"
        )
    found = {place: (function, _there(m, costs)) for place, (function, m) in models.items()}
    return found, speed_of(laws[0].costs, costs)


def _there(model: Model, costs: Costs) -> Model:
    """A model on another machine; without a law of time it stays."""
    return model if model.law is None else replace(model, law=elsewhere(model.law, costs))


def model_elsewhere(
    model: Model, here: Costs, there: Costs, at: Mapping[str, float], level: float = _LEVEL
) -> tuple[float, float, float]:
    """Seconds of one kernel on another machine, and their interval.

    Args:
        model: of its time here.
        here: costs of the machine that it was learned on; there: of the other one.
    """
    found = predicted_kernel("", _there(model, there), at, level, is_part=False)
    if not found.has_law:
        found = _slowed_kernel(found, speed_of(here, there))
    return found.seconds, found.low, found.high


def _no_longer(k: PredictedKernel, most: float) -> PredictedKernel:
    """A kernel that takes no more than so many seconds."""
    if k.high <= most:
        return k
    seconds = min(k.seconds, most)
    return replace(k, seconds=seconds, low=min(k.low, seconds), high=most)


def _slowed_kernel(k: PredictedKernel, speed: Speed) -> PredictedKernel:
    seconds, low, high = _slowed(k.seconds, k.low, k.high, speed)
    return replace(k, seconds=seconds, low=low, high=high)


def _slowed(seconds: float, low: float, high: float, speed: Speed) -> tuple[float, float, float]:
    """A time that computing takes, and its interval, on another machine."""
    wide = exp(_QUANTILE * speed.deviation)
    return seconds * speed.ratio, low * speed.ratio / wide, high * speed.ratio * wide


def _is_disturbed(study: StudyDocument) -> bool:
    """Did every run at half of the points or more wait for a processor that others had?"""
    points = {_key(r.params) for r in study.runs if r.status == "ok"}
    return 2 * study.summary.disturbed_points >= max(len(points), 1)


def why_unknown(low: float, high: float) -> str | None:
    """Why a time in an interval is not told: the interval is so wide that it says nothing."""
    if not is_useless(low, high):
        return None
    return f"its interval spans more than a factor of {WIDEST:g}"


def within_their_whole(
    kernels: Sequence[PredictedKernel], callers: Callers
) -> list[PredictedKernel]:
    """Kernels that run inside others, with no more time than these take: their models know nothing
    of each other. One that takes more even at the low end of its interval contradicts them: its
    time is anything up to theirs."""
    found = {k.at: k for k in kernels}
    for _ in kernels:  # from the outermost inwards, so far as it changes anything
        changed = False
        for k in list(found.values()):
            by = callers.get(k.at, ())
            known = [found[a] for a in by if a is not None and a in found]
            if not k.is_part or not known or len(known) < len(by):
                continue
            around, most = sum(a.seconds for a in known), sum(a.high for a in known)
            if k.seconds <= around and k.high <= most:
                continue
            low = 0.0 if k.low > around else k.low
            capped = replace(
                k, seconds=min(k.seconds, around), low=low, high=max(min(k.high, most), around)
            )
            if capped != k:
                found[k.at], changed = capped, True
        if not changed:
            break
    return list(found.values())


def time_models(study: StudyDocument) -> dict[str, tuple[str, Model]]:
    """Place of a kernel -> its function and the model of its time.

    Raises:
        DataError: there is none.
    """
    models = {
        loop.at: (loop.function, Model.of(loop.time_model, loop.at))
        for loop in study.loops
        if loop.time_model is not None
    }
    if not models:
        raise DataError("the study has no model of a kernel's time")
    return models


def _below(study: StudyDocument, models: Mapping[str, tuple[str, Model]]) -> set[str]:
    """The kernels that run inside others."""
    inside = gathered(
        {loop.at: tuple(n for n in loop.inner) for loop in study.loops},
        {loop.at: (loop.at,) for loop in study.loops},
    )
    return {b for a in models for b in inside.get(a, ()) if b != a}


def predicted_kernel(
    function: str,
    model: Model,
    at: Mapping[str, float],
    level: float,
    *,
    is_part: bool,
    misfit: float = 0.0,
) -> PredictedKernel:
    """The time of one kernel. misfit: deviation of the logarithm by which its model misses points.

    Raises:
        DataError: a parameter has no value.
    """
    _expect_values(model, at)
    given: dict[str, Floats | float] = {n: float(v) for n, v in at.items()}
    found = model.predict(given, level)
    law = model.law
    if law is None:
        value, low, high = float(found.value), float(found.low), float(found.high)
        if not np.isfinite(value):  # below zero, where no law holds
            value, low, high = 0.0, 0.0, np.inf
        return PredictedKernel(
            model.callpath, function, max(value, 0.0), max(low, 0.0), high, is_part, False
        )
    columns = {n: np.array([float(v)]) for n, v in at.items()}
    parts = law.parts(columns)
    seconds = _NS * float(parts.total[0])
    names = [v.name for v in law.costs.levels[1:]]
    shares = {
        CORE: _NS * float(parts.core[0]),
        **{n: _NS * float(v[0]) for n, v in zip(names, parts.levels, strict=True)},
        LATENCY: _NS * float(parts.latency[0]),
        FRESH: _NS * float(parts.fresh[0]),
    }
    limits = limits_at(law, at, misfit)
    likeliest = next(iter(limits))
    return PredictedKernel(
        model.callpath,
        function,
        seconds,
        float(found.low),
        float(found.high),
        is_part,
        True,
        None if likeliest == UNEXPLAINED else likeliest,
        level_at(law, columns)[0],
        shares,
        limits=limits,
    )


def _expect_values(model: Model, given: Collection[str]) -> None:
    missing = sorted(model.needed - set(given))
    if missing:
        raise DataError(f"{model.callpath}: no value for {', '.join(missing)}")


@dataclass(frozen=True)
class RestModel:
    """The time outside of kernels: a model; without one the median, least and largest."""

    model: Model | None
    middle: float
    low: float
    high: float


_FEWEST_POINTS = 5
"""Points that a model of the rest needs, as any model (Extra-P's rule)."""


def rest_model(study: StudyDocument) -> RestModel:
    """The time of the runs outside of their outermost kernels, as a model."""
    models = time_models(study)
    top = set(models) - _below(study, models)
    times: dict[Point, float] = {}
    for loop in study.loops:
        if loop.at in top:
            for row in loop.time or ():
                key = _key(row.params)
                times[key] = times.get(key, 0.0) + statistics.median(row.values)
    runs: dict[Point, list[float]] = {}
    clock = clock_of(study)
    for run in study.runs:
        seconds = seconds_of(run, clock)
        if seconds is not None and _key(run.params) in times:
            runs.setdefault(_key(run.params), []).append(seconds)
    found = {k: max(0.0, statistics.median(v) - times[k]) for k, v in runs.items()}
    if not found:
        return RestModel(None, 0.0, 0.0, 0.0)
    values = sorted(found.values())
    plain = RestModel(None, statistics.median(values), values[0], values[-1])
    names = tuple(name for name, _ in next(iter(found)))
    if len(found) < _FEWEST_POINTS or not plain.middle:
        return plain
    points = [[v for _, v in key] for key in found]
    series = Series.from_values("outside of kernels", "time", names, points, list(found.values()))
    return replace(plain, model=fit(Measurements((series,))).models[0])


def _key(params: Mapping[str, int | float]) -> Point:
    return tuple(sorted((n, float(v)) for n, v in params.items()))


def rest_at(rest: RestModel, at: Mapping[str, float], level: float = _LEVEL) -> PredictedRest:
    """The time outside of kernels at a point."""
    if rest.model is None:
        return PredictedRest(rest.middle, rest.low, rest.high)
    found = rest.model.predict({n: float(v) for n, v in at.items()}, level)
    value = max(float(np.nan_to_num(found.value)), 0.0)
    return PredictedRest(
        value, min(max(float(found.low), 0.0), value), float(found.high), rest.model.formula
    )


@dataclass(frozen=True)
class RunModels:
    """What adds up to a run: the kernels that are no part of another one, and the rest."""

    outermost: tuple[Model, ...]
    rest: RestModel

    def seconds(self, points: Sequence[Mapping[str, float]]) -> Floats:
        """(P,) seconds of a run at each of P points of the same parameters: those that
        `predict_time` foretells, without an interval, in a small part of its time.

        Raises:
            DataError: a parameter has no value.
        """
        total = np.zeros(len(points))
        if not points:
            return total
        columns: dict[str, Floats | float] = {
            n: np.array([float(p[n]) for p in points]) for n in points[0]
        }
        for model in self.outermost:
            _expect_values(model, columns)
            total = total + np.maximum(model.evaluate(columns), 0.0)
        if self.rest.model is None:
            return total + self.rest.middle
        found: Floats = total + np.maximum(self.rest.model.evaluate(columns), 0.0)
        return found


def run_models(study: StudyDocument, rest: RestModel) -> RunModels:
    """The models of a study's runs.

    Raises:
        DataError: it has no model of a kernel's time.
    """
    models = time_models(study)
    below = _below(study, models)
    return RunModels(tuple(m for at, (_, m) in models.items() if at not in below), rest)


def together(parts: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Half-widths of the interval of a sum of (value, low, high) that err alike in part."""

    def width(values: Sequence[float]) -> float:
        own, total = sum(v * v for v in values), sum(values)
        return float(((1 - _ALIKE) * own + _ALIKE * total * total) ** 0.5)

    return (
        width([value - low for value, low, _ in parts]),
        width([high - value for value, _, high in parts]),
    )
