"""The time of a run at sizes that were not measured, from the models of a study: in all, kernel by
kernel, and what each is bound by."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from modeling import DataError, Model
from modeling.pmnf.machine_costs import Costs
from modeling.pmnf.time_law import CORE, FRESH, LATENCY, bound_by, level_at

from ..documents.study import StudyDocument
from .loop_call_tree import gathered

Floats = NDArray[np.float64]
_LEVEL = 0.9
_ALIKE = 0.5
"""Correlation of the errors of two kernels: they share the machine, but not the law."""
_NS = 1e-9


@dataclass(frozen=True)
class PredictedKernel:
    """A kernel's seconds at a point, `low` to `high` in 90 of 100 cases.

    function: where it is. is_part: is it inside another kernel, whose time has it in it? law: is
    there a law of time? bound_by: what takes most of the time: core, a level, latency, first touch;
    None without a law. level: where most lines come from. parts: seconds of each part on its own,
    of which the first ones may hide each other.
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


@dataclass(frozen=True)
class PredictedTime:
    """A run's CPU seconds; kernels with the largest first. rest: what is outside all kernels."""

    seconds: float
    low: float
    high: float
    rest: float
    kernels: tuple[PredictedKernel, ...]


def predict_time(
    study: StudyDocument,
    at: Mapping[str, float],
    *,
    costs: Costs | None = None,
    level: float = _LEVEL,
) -> PredictedTime:
    """The time of a run of a study's program.

    Args:
        at: values of the parameters.
        costs: of another machine; core costs stay those of the machine of the study.
        level: probability of the intervals.

    Raises:
        DataError: the study has no model of a kernel's time, or a parameter has no value.
    """
    inside = gathered(
        {loop.at: tuple(n for n in loop.inner) for loop in study.loops},
        {loop.at: (loop.at,) for loop in study.loops},
    )
    models = {
        loop.at: (loop.function, Model.of(loop.time_model, loop.at))
        for loop in study.loops
        if loop.time_model is not None
    }
    if not models:
        raise DataError("the study has no model of a kernel's time")
    below = {b for a in models for b in inside.get(a, ()) if b != a}
    kernels = [
        _kernel(function, model, at, costs, level, is_part=place in below)
        for place, (function, model) in models.items()
    ]
    top = [k for k in kernels if not k.is_part]
    rest = _rest(study, {k.at for k in top})
    below_all, above_all = _together(top)
    total = sum(k.seconds for k in top) + rest
    ordered = tuple(sorted(kernels, key=lambda k: -k.seconds))
    return PredictedTime(total, max(total - below_all, 0.0), total + above_all, rest, ordered)


def _kernel(
    function: str,
    model: Model,
    at: Mapping[str, float],
    costs: Costs | None,
    level: float,
    *,
    is_part: bool,
) -> PredictedKernel:
    missing = sorted(model.needed - set(at))
    if missing:
        raise DataError(f"{model.callpath}: no value for {', '.join(missing)}")
    given: dict[str, Floats | float] = {n: float(v) for n, v in at.items()}
    found = model.predict(given, level)
    law = model.law
    if law is None:
        value, low, high = float(found.value), float(found.low), float(found.high)
        return PredictedKernel(
            model.callpath, function, max(value, 0.0), max(low, 0.0), high, is_part, False
        )
    columns = {n: np.array([float(v)]) for n, v in at.items()}
    parts = law.parts(columns, costs)
    seconds = _NS * float(parts.total[0])
    scale = seconds / float(found.value)
    names = [v.name for v in (costs or law.costs).levels[1:]]
    shares = {
        CORE: _NS * float(parts.core[0]),
        **{n: _NS * float(v[0]) for n, v in zip(names, parts.levels, strict=True)},
        LATENCY: _NS * float(parts.latency[0]),
        FRESH: _NS * float(parts.fresh[0]),
    }
    return PredictedKernel(
        model.callpath,
        function,
        seconds,
        float(found.low) * scale,
        float(found.high) * scale,
        is_part,
        True,
        bound_by(law, columns, costs)[0],
        level_at(law, columns, costs)[0],
        shares,
    )


def _rest(study: StudyDocument, top: set[str]) -> float:
    """CPU seconds of a run outside of the outermost kernels: the median over the runs."""
    times: dict[tuple[tuple[str, float], ...], float] = {}
    for loop in study.loops:
        if loop.at in top:
            for row in loop.time or ():
                key = tuple(sorted((n, float(v)) for n, v in row.params.items()))
                times[key] = times.get(key, 0.0) + statistics.median(row.values)
    found: list[float] = []
    for run in study.runs:
        key = tuple(sorted((n, float(v)) for n, v in run.params.items()))
        if run.status == "ok" and key in times and run.cpu_s is not None:
            found.append(max(0.0, run.cpu_s - times[key]))
    return statistics.median(found) if found else 0.0


def _together(kernels: Sequence[PredictedKernel]) -> tuple[float, float]:
    """Half-widths of the interval of a sum whose parts err alike in part."""

    def width(values: Sequence[float]) -> float:
        own, total = sum(v * v for v in values), sum(values)
        return float(((1 - _ALIKE) * own + _ALIKE * total * total) ** 0.5)

    return (
        width([k.seconds - k.low for k in kernels]),
        width([k.high - k.seconds for k in kernels]),
    )
