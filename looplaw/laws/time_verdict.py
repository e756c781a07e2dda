"""Do times follow their law, memory included? Where not: from which size on, and at which level."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from modeling.data.observations import Point
from modeling.pmnf.time_law import TimeLaw, level_at, regimes_of

Floats = NDArray[np.float64]
SLACK = 0.2
"""A time that grows as its law to a power between 0.8 and 1.2 obeys it."""
_DEAR = 3.0
"""Lines that cost so many times what the machine measured are not explained by it: the deviation
of the prior of these costs is 0.5 to 0.7, so that this lies about two deviations out."""
_SHARE = 0.15
"""A level with a smaller share of the time decides nothing."""
_LEAST_POINTS = 3
_SURE = 1.64
"""Standard errors of the power that a verdict must be sure of: one in twenty is beyond."""


def judge_time(
    law: TimeLaw, times: Mapping[Point, Sequence[float]], shortest_s: float
) -> tuple[str, str] | None:
    """(obeys, exceeds or below, why); None where too few times are long enough to tell.

    Args:
        times: point -> seconds of the repetitions.
        shortest_s: shorter times are left out.
    """
    known = [
        (dict(p), min(v), statistics.median(v)) for p, v in times.items() if min(v) > shortest_s
    ]
    if len(known) < _LEAST_POINTS:
        return None
    columns = {n: np.array([float(p[n]) for p, _, _ in known]) for n in known[0][0]}
    seconds = np.array([s for _, s, _ in known])
    expected = law.seconds(columns)
    x, y = np.log(expected), np.log(seconds)
    if np.ptp(x) < np.log(2):
        return None
    power, error = _power(x, y, np.log([m / s for _, s, m in known]))
    seen = f"time follows its law with memory to the power {power:.2f}"
    if power - _SURE * error > 1 + SLACK:
        return "exceeds", f"{seen}, above it {_beginning(law, columns, seconds / expected)}"
    if power + _SURE * error < 1 - SLACK:
        return "below", seen
    dear = _dear_level(law, columns)
    if dear is not None:
        return "exceeds", dear
    where = ", ".join(f"{r.level} for {r.until}" for r in regimes_of(law))
    return "obeys", f"{seen} ({where})"


def _power(x: Floats, y: Floats, spread: Floats) -> tuple[float, float]:
    """The slope of y over x, and its standard error where each y is off by its spread."""
    slope = float(np.polyfit(x, y, 1)[0])
    away = x - x.mean()
    return slope, float(np.sqrt(((away * spread) ** 2).sum()) / (away**2).sum())


def _beginning(law: TimeLaw, columns: Mapping[str, Floats], ratio: Floats) -> str:
    """The size from which on times stay above the law, and the level there."""
    order = np.argsort(law.seconds(columns))
    above = ratio[order] > 1
    first = len(above) - int(np.argmin(above[::-1])) if not above.all() else 0
    k = int(order[min(first, len(order) - 1)])
    return f"from {_place(columns, k)} on, in {level_at(law, columns)[k]}"


def _dear_level(law: TimeLaw, columns: Mapping[str, Floats]) -> str | None:
    """The level whose lines cost far more than the machine measured, and where that begins."""
    parts = law.parts(columns)
    order = np.argsort(parts.total)
    groups = len(law.counts)
    for k, level in enumerate(law.costs.levels[1:]):
        factor = float(np.exp(law.theta[groups + k]))
        share = (parts.levels[k] / parts.total)[order]
        if factor < _DEAR or share[-1] < _SHARE:
            continue
        begins = int(order[int(np.argmax(share >= _SHARE))])
        return (
            f"lines from {level.name} cost {factor:.1f} times what this machine's streams do,"
            f" from {_place(columns, begins)} on"
        )
    return None


def _place(columns: Mapping[str, Floats], k: int) -> str:
    return ", ".join(f"{n} = {v[k]:g}" for n, v in columns.items())
