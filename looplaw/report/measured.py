"""A report of measurements alone: each call path and metric stands where a study has a loop."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from modeling import Measurements, Model, Models, Series
from modeling.data.observations import Number
from modeling.data.ranks import RankedMeasurements
from modeling.data.units import shown_metric

from ..documents.count import Params
from ..documents.study import (
    RankedKernel,
    StudyDocument,
    StudyLoop,
    SummaryDocument,
    SweptParameter,
    TimesDocument,
)
from .cells import counted_noun

_REACH = 10.0
"""Kernels are ranked by what their models say at this multiple of the largest values measured."""


def measured_study(
    measurements: Measurements,
    models: Models,
    *,
    title: str,
    ranked: RankedMeasurements | None = None,
) -> StudyDocument:
    """The study that the report page reads, `kind` "measurements": no source, no laws, no runs.

    Points carry the mean and, where there are several observations, mean minus and plus their
    standard deviation. Rows are ranked, times first: the largest model value at ten times the
    largest parameter values leads.

    Args:
        ranked: the same with ranks apart, for what the page says of them.
    """
    several = len({s.metric for s in measurements.series}) > 1
    rows = tuple(_row(s, m, several) for s, m in _ranked(measurements, models))
    points = sum(len(s.points) for s in measurements.series)
    return StudyDocument(
        loops=rows,
        title=title,
        about=f"{len(rows)} series of measurements, {counted_noun(points, 'point')}",
        program=(title,),
        parameters=tuple(
            SweptParameter(n, "the measurements", _values(measurements, n))
            for n in measurements.parameters
        ),
        summary=SummaryDocument(loops=len(rows)),
        ranks=() if ranked is None else _ranks(ranked),
        kind="measurements",
    )


def _ranks(ranked: RankedMeasurements) -> tuple[RankedKernel, ...]:
    from modeling.rank_classes.class_models import fit_diverging

    from .ranks import ranks_section  # which most measurements do not need

    return ranks_section(fit_diverging(ranked))


def ranked_models(measurements: Measurements, models: Models) -> Models:
    """The models in the order of the page: times first, the largest value beyond the measurements
    leads."""
    return Models(tuple(model for _, model in _ranked(measurements, models) if model is not None))


def _ranked(measurements: Measurements, models: Models) -> list[tuple[Series, Model | None]]:
    target = _target(measurements)
    found = [(s, models.find(s.callpath, s.metric)) for s in measurements.series]
    return sorted(
        found, key=lambda pair: (pair[0].metric != "time", pair[0].metric, -_at(pair[1], target))
    )


def _row(series: Series, model: Model | None, several: bool) -> StudyLoop:
    verdict, reason = _verdict(model)
    return StudyLoop(
        f"{series.callpath} [{series.metric}]" if several else series.callpath,
        series.callpath.split("->")[-1],
        parameters=series.parameters,
        time=tuple(
            TimesDocument(_params(series, k), _spread(series, k)) for k in range(len(series.points))
        ),
        time_model=None if model is None else model.document,
        verdict=verdict,
        verdict_reason=reason,
        metric=shown_metric(series.metric, series.unit),
        callpath=series.callpath,
    )


def _verdict(model: Model | None) -> tuple[str, str]:
    if model is None:
        return "unmeasured", "no model"
    if not model.identifiable:
        return "not identifiable", model.reason or "the points do not tell"
    return (
        "modeled",
        f"grows as {model.lead}" if model.lead.factors else "does not grow with a parameter",
    )


def _params(series: Series, k: int) -> Params:
    return {
        n: int(v) if float(v).is_integer() else float(v)
        for n, v in zip(series.parameters, series.points[k], strict=True)
    }


def _spread(series: Series, k: int) -> tuple[float, ...]:
    mean, count = float(series.means[k]), float(series.counts[k])
    if count < 2:
        return (mean,)
    deviation = float(np.sqrt(series.squares[k] / (count - 1)))
    return (mean - deviation, mean, mean + deviation) if deviation else (mean,)


def _values(measurements: Measurements, name: str) -> tuple[Number, ...]:
    found = {
        float(v)
        for s in measurements.series
        if name in s.parameters
        for v in s.points[:, s.parameters.index(name)]
    }
    return tuple(int(v) if v.is_integer() else v for v in sorted(found))


def _target(measurements: Measurements) -> dict[str, float]:
    return {n: _REACH * max(_values(measurements, n)) for n in measurements.parameters}


def _at(model: Model | None, target: Mapping[str, float]) -> float:
    value = float(model.evaluate(target)) if model is not None else float("-inf")
    return value if np.isfinite(value) else float("inf")
