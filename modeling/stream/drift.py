"""Does the law change while observations stream in? A CUSUM test of standardised prediction errors.

Each observation is predicted from those before it: at a point that was measured already by their
mean, at a new point between others by a polynomial of second degree in the logarithms. The errors e
= (log y - prediction) / sqrt(1 + leverage) are recursive residuals (Brown, Durbin and Evans, 1975):
alike and independent as long as the law stays. The rank of each among the last ones before it is
uniform whatever the noise (McDonald, 1990), so its normal score z feeds a two-sided CUSUM, S =
max(0, S + z - 1/2), whose limit follows from the number of observations between two false alarms
(Siegmund, 1985). The change began where a shift of the errors since S left zero is most likely.
Time and memory of an observation do not depend on how many came before.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections import deque
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from ..data.measurements import Floats

BETWEEN_ALARMS = 1e6
"""Observations of one series between two false alarms, on average."""
_REFERENCE = 0.5
"""Half of the shift, in standard deviations, that the CUSUM detects fastest: one."""
_OVERSHOOT = 1.166
"""Mean overshoot of the limit by sums of normal scores, twice 0.583 (Siegmund, 1985)."""
_NORMAL = NormalDist()
_REMEMBERED = 256
"""Errors whose ranks are known; bounds time and memory, and resolves scores up to 2.9."""
_LEAST = 4
"""Errors before ranks say anything."""
_LEAST_LOG = -700.0
"""The logarithm that stands for zero: that of the least normal number is -708."""
_RIDGE = 1e-9
"""Added to the diagonal of the trend's Gram matrix, which is singular at first."""

Coordinates = tuple[float, ...]
"""Values of the parameters, in the order of these."""


@dataclass(frozen=True)
class Drift:
    """A change of the law: the number of the first observation of the new one (from 1, in its
    series) and where that was made, the number of the one at which the change was certain, and new
    over old value."""

    callpath: str
    metric: str
    began: int
    params: dict[str, float]
    certain: int
    ratio: float

    def __str__(self) -> str:
        at = ", ".join(f"{n}={v:g}" for n, v in self.params.items())
        return (
            f"{self.callpath}, {self.metric}: the law has changed since observation {self.began}"
            f"{f' (at {at})' if at else ''}: values are about {self.ratio:.3g} times those before"
        )


def limit(between_alarms: float) -> float:
    """The value of S at which false alarms are so many observations apart (Siegmund's
    approximation)."""
    b = 1.0
    for _ in range(50):
        b = math.log(between_alarms + 1 + b)
    return b - _OVERSHOOT


@dataclass
class _Errors:
    """The last recursive residuals of one kind, in order of time and of size."""

    latest: deque[float] = field(default_factory=deque)
    ordered: list[float] = field(default_factory=list)

    def score(self, error: float) -> float | None:
        """The normal score of the error's rank among earlier ones; None while they are too few."""
        below, upto = bisect_left(self.ordered, error), bisect_right(self.ordered, error)
        known = len(self.ordered)
        self.latest.append(error)
        insort(self.ordered, error)
        if len(self.latest) > _REMEMBERED:
            del self.ordered[bisect_left(self.ordered, self.latest.popleft())]
        if known < _LEAST:
            return None
        return _NORMAL.inv_cdf((0.5 * (below + upto) + 0.5) / (known + 1))


@dataclass
class _Trend:
    """Least squares of log y on a polynomial in the logarithms of the parameters, one observation a
    point."""

    low: Floats
    high: Floats
    gram: Floats
    moments: Floats
    number: int = 0

    @staticmethod
    def of(parameters: int) -> _Trend:
        size = 1 + 2 * parameters + parameters * (parameters - 1) // 2
        return _Trend(
            np.full(parameters, np.inf),
            np.full(parameters, -np.inf),
            _RIDGE * np.eye(size),
            np.zeros(size),
        )

    def error(self, x: Floats, y: float) -> float | None:
        """The scaled error of the prediction of y at a new point; None where that lies outside of
        the others or these are too few. Takes the point in."""
        terms = np.concatenate([[1.0], x, np.outer(x, x)[np.triu_indices(len(x))]])
        found = None
        if self.number > len(terms) and (self.low <= x).all() and (x <= self.high).all():
            solved = np.linalg.solve(self.gram, np.stack([self.moments, terms], axis=1))
            found = (y - float(terms @ solved[:, 0])) / math.sqrt(
                1 + max(float(terms @ solved[:, 1]), 0.0)
            )
        self.low, self.high = np.minimum(self.low, x), np.maximum(self.high, x)
        self.gram = self.gram + np.outer(terms, terms)
        self.moments = self.moments + y * terms
        self.number += 1
        return found


@dataclass
class _Side:
    """The CUSUM in one direction: its sum, and the last errors since it left zero, with their
    numbers and points."""

    sign: float
    total: float = 0.0
    since: deque[tuple[int, Coordinates, float]] = field(
        default_factory=lambda: deque(maxlen=_REMEMBERED)
    )

    def add(self, z: float, error: float, at: int, point: Coordinates) -> None:
        if not self.total:
            self.since.clear()
        self.total = max(0.0, self.total + self.sign * z - _REFERENCE)
        self.since.append((at, point, error))

    def change(self) -> tuple[int, Coordinates, float]:
        """The first observation after the change, its point, and the mean error from there on:
        where a shift of the mean is most likely."""
        best, found, total = -1.0, self.since[-1], 0.0
        for number, (at, point, error) in enumerate(reversed(self.since), 1):
            total += error
            if total * self.sign > 0 and total * total / number > best:
                best, found = total * total / number, (at, point, total / number)
        return found


@dataclass
class DriftDetector:
    """Watches one series of non-negative values; negative ones are ignored.

    Args:
        parameters: names of the coordinates of points.
        between_alarms: observations between two false alarms, on average.
    """

    callpath: str
    metric: str
    parameters: tuple[str, ...]
    between_alarms: float = BETWEEN_ALARMS
    seen: int = 0
    found: list[Drift] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._limit = limit(self.between_alarms)
        self._restart()

    def _restart(self) -> None:
        self._means: dict[Coordinates, tuple[int, float]] = {}
        self._repeated, self._new = _Errors(), _Errors()
        self._trend = _Trend.of(len(self.parameters))
        self._sides = (_Side(1.0), _Side(-1.0))

    def observe(self, point: Coordinates, value: float) -> Drift | None:
        """Take in one observation; the change of the law that it makes certain, if it does. After
        one, the new law is the one that is watched."""
        self.seen += 1
        if value < 0:
            return None
        y = math.log(value) if value > 0 else _LEAST_LOG
        number, mean = self._means.get(point, (0, 0.0))
        self._means[point] = number + 1, mean + (y - mean) / (number + 1)
        if number:
            error: float | None = (y - mean) / math.sqrt(1 + 1 / number)
            kind = self._repeated
        else:
            error = self._trend.error(np.log(point), y) if min(point, default=0.0) > 0 else None
            kind = self._new
        if error is None or (z := kind.score(error)) is None:
            return None
        for side in self._sides:
            side.add(z, error, self.seen, point)
            if side.total > self._limit:
                return self._changed(side)
        return None

    def _changed(self, side: _Side) -> Drift:
        began, point, error = side.change()
        ratio = math.exp(max(_LEAST_LOG, min(-_LEAST_LOG, error)))
        drift = Drift(
            self.callpath,
            self.metric,
            began,
            dict(zip(self.parameters, point, strict=True)),
            self.seen,
            ratio,
        )
        self.found.append(drift)
        self._restart()
        return drift
