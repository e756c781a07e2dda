"""Rank kernels by the values that their models predict at a target scale, and find where the first
place changes on the way there.

A scalability bug shows in the trend before it shows in a profile, so the ranking is made at a scale
that nobody has run (Calotoiu et al., "Using Automated Performance Modeling to Find Scalability Bugs
in Complex Codes", SC 2013).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from looplaw_common.errors import DataError

from ..pmnf.model import Model

_STEPS = 400  # points on the way from start to target
_NUDGE = 1.001  # factor between the two points of a local exponent


@dataclass(frozen=True)
class Ranked:
    """A kernel at the target: its value with the 90 % interval, its share of the sum over all
    kernels there and at the start (None without a start), and the local exponent d ln f / d ln x
    for each parameter x."""

    model: Model
    value: float
    lower: float
    upper: float
    share: float
    share_before: float | None
    exponents: Mapping[str, float]


@dataclass(frozen=True)
class Crossing:
    """At this point on the way from start to target, `after` replaces `before` in the first
    place."""

    before: str
    after: str
    at: Mapping[str, float]


@dataclass(frozen=True)
class Ranking:
    """Kernels in descending order of their value at the target; crossings in their order from start
    to target."""

    ranked: tuple[Ranked, ...]
    crossings: tuple[Crossing, ...]


def rank(
    models: Sequence[Model], target: Mapping[str, float], start: Mapping[str, float] | None = None
) -> Ranking:
    """Rank the models of one metric at a target scale.

    Args:
        models: one for each kernel; negative predictions count as 0.
        start: the first point of the way to the target, on which each parameter grows by a constant
            factor; without it there are no crossings.

    Raises:
        DataError: no models, a parameter without a value, one that is not positive.
    """
    if not models:
        raise DataError("there are no models to rank")
    for name, value in (*target.items(), *(start or {}).items()):
        if not value > 0:
            raise DataError(f"{name}={value:g}: scales are above 0")
    values = [_at(m, target) for m in models]
    before = [_at(m, start) for m in models] if start is not None else None
    total, total_before = sum(values), sum(before or ())
    found = []
    for k, model in enumerate(models):
        low, high = model.interval(target)
        found.append(
            Ranked(
                model,
                values[k],
                float(low),
                float(high),
                values[k] / total if total else 0.0,
                before[k] / total_before if before and total_before else None,
                _exponents(model, target),
            )
        )
    found.sort(key=lambda r: (-r.value, r.model.callpath))
    return Ranking(tuple(found), _crossings(models, start, target) if start is not None else ())


def _at(model: Model, at: Mapping[str, float]) -> float:
    value = float(model.value_at(at))
    return max(value, 0.0) if np.isfinite(value) else 0.0


def _exponents(model: Model, at: Mapping[str, float]) -> dict[str, float]:
    """The local exponent of the model in each of its parameters: 1 is linear, 0 constant."""
    here = _at(model, at)
    found = {}
    for name in sorted({p for _, t in model.terms for p in t.parameters}):
        there = _at(model, {**at, name: at[name] * _NUDGE})
        found[name] = (
            float(np.log(there / here) / np.log(_NUDGE)) if here > 0 and there > 0 else 0.0
        )
    return found


def _crossings(
    models: Sequence[Model], start: Mapping[str, float], target: Mapping[str, float]
) -> tuple[Crossing, ...]:
    names = [n for n in target if n in start]
    way = {n: np.geomspace(start[n], target[n], _STEPS) for n in names}
    way |= {n: np.full(_STEPS, v) for n, v in target.items() if n not in start}
    table = np.stack([np.broadcast_to(m.evaluate(way), (_STEPS,)) for m in models])
    first = np.argmax(np.where(np.isfinite(table), table, 0.0), axis=0)
    return tuple(
        Crossing(
            models[first[k - 1]].callpath,
            models[first[k]].callpath,
            {n: float(v[k]) for n, v in way.items()},
        )
        for k in range(1, _STEPS)
        if first[k] != first[k - 1]
    )
