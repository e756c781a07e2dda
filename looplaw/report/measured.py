"""A report of measurements alone: each call path and metric stands where a study has a loop."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from modeling import Measurements, Model, Models, Series
from modeling.data.ranks import RankedMeasurements
from modeling.rank_classes.class_models import fit_diverging

from .ranks import ranks_section

Json = dict[str, object]

_REACH = 10.0
"""Kernels are ranked by what their models say at this multiple of the largest values measured."""


def measured_study(
    measurements: Measurements,
    models: Models,
    *,
    title: str,
    ranked: RankedMeasurements | None = None,
) -> Json:
    """The object that the report page reads, `kind` "measurements": no source, no laws, no runs.

    Points carry the mean and, where there are several observations, mean minus and plus their
    standard deviation. Rows are ranked, times first: the largest model value at ten times the
    largest parameter values leads.

    Args:
        ranked: the same with ranks apart, for what the page says of them.
    """
    several = len({s.metric for s in measurements.series}) > 1
    rows = [_row(s, m, several) for s, m in _ranked(measurements, models)]
    points = sum(len(s.points) for s in measurements.series)
    return {
        "format": "looplaw-study/1",
        "kind": "measurements",
        "title": title,
        "about": f"{len(rows)} series of measurements, {points} points",
        "program": [title],
        "parameters": [
            {"name": n, "origin": "the measurements", "values": _values(measurements, n)}
            for n in measurements.parameters
        ],
        "environment": {},
        "runs": [],
        "functions": [],
        "sources": [],
        "loops": rows,
        "summary": {
            "loops": len(rows),
            "exact": 0,
            "obey": 0,
            "miscounted": 0,
            "failed_runs": 0,
            "runs": 0,
        },
        "ranks": [] if ranked is None else ranks_section(fit_diverging(ranked)),
    }


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


def _row(series: Series, model: Model | None, several: bool) -> Json:
    verdict, reason = _verdict(model)
    return {
        "at": f"{series.callpath} [{series.metric}]" if several else series.callpath,
        "metric": series.metric,
        "callpath": series.callpath,
        "function": series.callpath.split("->")[-1],
        "nesting": 1,
        "parent": None,
        "parameters": list(series.parameters),
        "total": None,
        "counted": [],
        "obeys": "unchecked",
        "time": [
            {"params": _params(series, k), "values": _spread(series, k)}
            for k in range(len(series.points))
        ],
        "time_model": None if model is None else model.to_json(),
        "verdict": verdict,
        "verdict_reason": reason,
    }


def _verdict(model: Model | None) -> tuple[str, str]:
    if model is None:
        return "unmeasured", "no model"
    if not model.identifiable:
        return "not identifiable", model.reason or "the points do not tell"
    return (
        "modeled",
        f"grows as {model.lead}" if model.lead.factors else "does not grow with a parameter",
    )


def _params(series: Series, k: int) -> dict[str, float]:
    return {
        n: int(v) if float(v).is_integer() else float(v)
        for n, v in zip(series.parameters, series.points[k], strict=True)
    }


def _spread(series: Series, k: int) -> list[float]:
    mean, count = float(series.means[k]), float(series.counts[k])
    if count < 2:
        return [mean]
    deviation = float(np.sqrt(series.squares[k] / (count - 1)))
    return [mean - deviation, mean, mean + deviation] if deviation else [mean]


def _values(measurements: Measurements, name: str) -> list[float]:
    found = {
        float(v)
        for s in measurements.series
        if name in s.parameters
        for v in s.points[:, s.parameters.index(name)]
    }
    return [int(v) if v.is_integer() else v for v in sorted(found)]


def _target(measurements: Measurements) -> dict[str, float]:
    return {n: _REACH * max(_values(measurements, n)) for n in measurements.parameters}


def _at(model: Model | None, target: Mapping[str, float]) -> float:
    value = float(model.evaluate(target)) if model is not None else float("-inf")
    return value if np.isfinite(value) else float("inf")
