"""Do times follow their law, memory included? Where not: from which size on, and at which level."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

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
_MOST_WAITED = 0.9
"""Largest share of a time that a run may have waited for: the rest is no less than a tenth."""
SCATTERED = "times scatter too much to judge"
NO_WAITS: Mapping[Point, float] = MappingProxyType({})


@dataclass(frozen=True)
class FollowedPower:
    """The power of a law that times follow, and its standard error."""

    power: float
    error: float

    @property
    def verdict(self) -> str:
        """exceeds or below where that is sure, else obeys."""
        if self.power - _SURE * self.error > 1 + SLACK:
            return "exceeds"
        return "below" if self.power + _SURE * self.error < 1 - SLACK else "obeys"

    @property
    def unknown(self) -> bool:
        """Do the times tell neither that they grow no faster than the law nor that they grow no
        slower?"""
        away = _SURE * self.error
        return self.power + away > 1 + SLACK and self.power - away < 1 - SLACK


@dataclass(frozen=True)
class LongTimes:
    """Times that are long enough to be judged: values (P,) of each parameter, the least seconds
    (P,) of the repetitions, and by what part each is off (P,), a difference of logarithms."""

    columns: Mapping[str, Floats]
    seconds: Floats
    spread: Floats

    def growth(self, expected: Floats) -> FollowedPower | None:
        """How they grow with what a law says of them, (P,); None where that hardly varies. Where it
        says nothing or no number, a time is left out."""
        told = np.isfinite(expected) & (expected > 0)
        x, y = np.log(expected[told]), np.log(self.seconds[told])
        if len(x) < _LEAST_POINTS or np.ptp(x) < np.log(2):
            return None
        slope, start = np.polyfit(x, y, 1)
        residual = y - slope * x - start
        scatter = float(np.sqrt((residual**2).sum() / max(len(x) - 2, 1)))
        spread = np.where(np.isnan(self.spread[told]), scatter, self.spread[told])
        away = x - x.mean()
        error = float(np.sqrt(((away * spread) ** 2).sum()) / (away**2).sum())
        return FollowedPower(float(slope), error)


def long_times(
    times: Mapping[Point, Sequence[float]],
    shortest_s: float,
    waited: Mapping[Point, float] = NO_WAITS,
) -> LongTimes | None:
    """The times that are long enough; None where they are too few to tell how they grow.

    A time is off by what lies between the least of its repetitions and their median, and by what it
    would be shorter without waiting. One repetition tells nothing of it: it is then what is usual
    for the others, or else what the law leaves.

    Args:
        times: point -> seconds of the repetitions.
        shortest_s: shorter times are left out.
        waited: point -> seconds of the least time that the run may have waited for a processor.
    """
    known = {p: v for p, v in times.items() if min(v) > shortest_s}
    if len(known) < _LEAST_POINTS:
        return None
    names = [n for n, _ in next(iter(known))]
    columns = {n: np.array([float(dict(p)[n]) for p in known]) for n in names}
    seconds = np.array([min(v) for v in known.values()])
    often = np.array([len(v) > 1 for v in known.values()])
    spread = np.array([statistics.median(v) for v in known.values()]) / seconds
    spread = np.log(
        np.where(often, spread, float(np.median(spread[often])) if any(often) else np.nan)
    )
    share = np.minimum([waited.get(p, 0.0) for p in known] / seconds, _MOST_WAITED)
    return LongTimes(columns, seconds, np.hypot(spread, -np.log1p(-share)))


def judge_time(law: TimeLaw, found: LongTimes | None) -> tuple[str, str] | None:
    """(obeys, exceeds, below or, where the times scatter too much, modeled; why); None where they
    are too few."""
    if found is None:
        return None
    columns = found.columns
    expected = law.seconds(columns)
    growth = found.growth(expected)
    if growth is None:
        return None
    seen = f"time follows its law with memory to the power {growth.power:.2f}"
    if growth.unknown:
        return "modeled", f"{SCATTERED}: {seen}"
    if growth.verdict == "exceeds":
        return "exceeds", f"{seen}, above it {_beginning(law, columns, found.seconds / expected)}"
    if growth.verdict == "below":
        return "below", seen
    dear = _dear_level(law, columns)
    if dear is not None:
        return "exceeds", dear
    where = ", ".join(f"{r.level} for {r.until}" for r in regimes_of(law))
    return "obeys", f"{seen} ({where})"


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
