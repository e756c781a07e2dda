"""Observations in columns of numbers: what readers of large files fill and `collect` aggregates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .measurements import Floats
from .observations import Observation, Point, SeriesName

Codes = NDArray[np.intc]
_CHUNK = 4096
_K = TypeVar("_K")


class Numbers(dict[_K, int]):
    """Keys numbered from 0 in the order in which they are first asked for."""

    def __missing__(self, key: _K) -> int:
        number = self[key] = len(self)
        return number

    def of(self, keys: Collection[_K]) -> Codes:
        """The numbers of keys."""
        return np.fromiter(map(self.__getitem__, keys), np.intc, len(keys))


class Columns:
    """The numbers of series and points of observations and their values, in floating point. Ranks,
    threads and repetitions only repeat a point here.

    series: (callpath, metric) -> number; points: parameters -> number; both in order of appearance.
    """

    def __init__(self) -> None:
        self.series: Numbers[SeriesName] = Numbers()
        self.points: Numbers[Point] = Numbers()
        self._blocks: list[tuple[Codes, Codes, Floats]] = []

    @staticmethod
    def of(observations: Iterable[Observation]) -> Columns:
        """All observations in columns."""
        found = Columns()
        rest = iter(observations)
        while some := tuple(islice(rest, _CHUNK)):
            found.extend(
                found.series.of([o.series for o in some]),
                found.points.of([o.point for o in some]),
                np.array([o.value for o in some], dtype=float),
            )
        return found

    def extend(self, series: Codes, points: Codes, values: Floats) -> None:
        """Add observations (n,) by the numbers of their series and points."""
        self._blocks.append((series, points, values))

    def take(self, other: Columns, points: Sequence[Point]) -> None:
        """Add all observations of `other`; `points` replace its points, in the order of their
        numbers."""
        of_series = self.series.of(other.series)
        of_points = self.points.of(points)
        self._blocks += [(of_series[s], of_points[p], values) for s, p, values in other._blocks]

    def arrays(self) -> tuple[Codes, Codes, Floats]:
        """(N,) each: numbers of series, numbers of points, values."""
        if not self._blocks:
            none = np.zeros(0, dtype=np.intc)
            return none, none, np.zeros(0)
        series, points, values = zip(*self._blocks, strict=True)
        return np.concatenate(series), np.concatenate(points), np.concatenate(values)
