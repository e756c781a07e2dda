"""Sizes that were run are answered by their runs, not by the models."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import replace

from ..documents.study import StudyDocument
from .run_seconds import clock_of, seconds_of
from .time_prediction import PredictedKernel, PredictedTime


def as_measured(
    study: StudyDocument, at: Mapping[str, float], foretold: PredictedTime
) -> PredictedTime:
    """The times at a point as its runs have them: medians, and the least and the largest; what was
    foretold where it was not run. What limits a kernel, which no run shows, stays the models'."""
    point = _key(at)
    clock = clock_of(study)
    here = [r for r in study.runs if r.status == "ok" and _key(r.params) == point]
    whole = [seconds_of(r, clock) for r in here]
    seconds = [s for s in whole if s is not None]
    if not seconds or len(seconds) < len(whole):
        return foretold
    rows = {
        loop.at: row.values
        for loop in study.loops
        for row in loop.time or ()
        if _key(row.params) == point and row.values
    }
    kernels = tuple(_kernel(k, rows.get(k.at, ())) for k in foretold.kernels)
    total = statistics.median(seconds)
    outside = max(total - sum(k.seconds for k in kernels if not k.is_part), 0.0)
    rest = replace(
        foretold.outside,
        seconds=outside,
        low=min(foretold.outside.low, outside),
        high=max(foretold.outside.high, outside),
    )
    return replace(
        foretold,
        seconds=total,
        low=min(seconds),
        high=max(seconds),
        rest=outside,
        kernels=tuple(sorted(kernels, key=lambda k: -k.own)),
        outside=rest,
        runs=len(seconds),
    )


def _kernel(k: PredictedKernel, values: tuple[float, ...]) -> PredictedKernel:
    if not values:
        return k
    seconds = statistics.median(values)
    own = k.own * seconds / k.seconds if k.seconds > 0 else seconds
    return replace(k, seconds=seconds, low=min(values), high=max(values), own=own)


def _key(params: Mapping[str, int | float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted((n, float(v)) for n, v in params.items()))
