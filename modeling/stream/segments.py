"""Segments: values of a parameter at which the behaviour changes (a cache is full, another
algorithm takes over).

Ilyas et al. (Euro-Par 2017) find such changes from six points on. Here a change is a hypothesis
like any other: the points below and above it follow laws of their own, each with its own evidence,
and the change must outweigh the evidence of one law throughout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from looplaw_common.errors import InputError

from ..data.measurements import Measurements, Series
from ..fitter.fit import evidence_of, fit
from ..pmnf.model import Model

LEAST_POINTS = 6
"""Points without which no change is looked for (Ilyas et al., Euro-Par 2017)."""
_SEGMENT = 3
"""Least points of a segment: two determine any law of one term."""
_PRIOR = np.log(0.1)
"""Log prior of each change, beside that of its place, one of all points."""


@dataclass(frozen=True)
class Segment:
    """The law from one value of the parameter to another, both measured and inclusive."""

    low: float
    high: float
    model: Model


def segments(series: Series, most: int = 3) -> tuple[Segment, ...]:
    """The segments of a series with one varying parameter, at most `most`; one when nothing
    changes.

    Raises:
        InputError: several parameters vary.
    """
    varying = [k for k in range(len(series.parameters)) if np.ptp(series.points[:, k]) > 0]
    if len(varying) > 1:
        raise InputError(
            f"{series.callpath}: segments are found along one parameter; fix all but one of "
            f"{', '.join(series.parameters[k] for k in varying)}"
        )
    count = len(series.means)
    cuts = _best_cuts(series, most) if varying and count >= LEAST_POINTS else ()
    column = varying[0] if varying else 0
    found = []
    for start, end in zip((0, *cuts), (*cuts, count), strict=True):
        part = _part(series, start, end)
        model = fit(Measurements((part,))).models[0]
        found.append(Segment(float(part.points[0, column]), float(part.points[-1, column]), model))
    return tuple(found)


def _best_cuts(series: Series, most: int) -> tuple[int, ...]:
    """Row numbers at which segments start, by dynamic programming over the evidence of every
    stretch."""
    count = len(series.means)
    stretch = {
        (a, b): evidence_of(_part(series, a, b))
        for a in range(count)
        for b in range(a + _SEGMENT, count + 1)
        if a == 0 or b == count or most > 2
    }
    best: list[dict[int, tuple[float, tuple[int, ...]]]] = [
        {b: (stretch[0, b], ()) for b in range(_SEGMENT, count + 1)}
    ]
    for _ in range(most - 1):
        level: dict[int, tuple[float, tuple[int, ...]]] = {}
        for b in range(2 * _SEGMENT, count + 1):
            options = [
                (score + stretch[a, b] + _PRIOR - np.log(count), (*cuts, a))
                for a, (score, cuts) in best[-1].items()
                if (a, b) in stretch
            ]
            if options:
                level[b] = max(options)
        best.append(level)
    return max(level[count] for level in best if count in level)[1]


def _part(series: Series, start: int, end: int) -> Series:
    return series.part(slice(start, end))
