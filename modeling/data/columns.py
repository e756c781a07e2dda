"""Observations, one by one and in columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .measurements import Floats

Number = int | float
Params = tuple[tuple[str, Number], ...]
"""Names and values of parameters, sorted by name."""
Codes = NDArray[np.intc]
_CHUNK = 4096
_K = TypeVar("_K")


class Observation(NamedTuple):
    """One value at one point: params are (name, value) sorted by name. Numbers are as they are
    written."""

    callpath: str
    metric: str
    params: Params
    value: Number


class Numbers(dict[_K, int]):
    """Keys numbered from 0 on, in the order in which they are first asked for."""

    def __missing__(self, key: _K) -> int:
        number = self[key] = len(self)
        return number

    def of(self, keys: Collection[_K]) -> Codes:
        """The numbers of keys."""
        return np.fromiter(map(self.__getitem__, keys), np.intc, len(keys))


class Columns:
    """Observations as numbers of their series and points, and their values in floating point; grows
    at its end.

    series: (callpath, metric) -> number; points: parameters -> number, both in order of appearance.
    A reader of large files returns one, those of small files yield observations; as an iterable it
    is both.
    """

    def __init__(self) -> None:
        self.series: Numbers[tuple[str, str]] = Numbers()
        self.points: Numbers[Params] = Numbers()
        self._blocks: list[tuple[Codes, Codes, Floats]] = []

    @staticmethod
    def of(observations: Iterable[Observation]) -> Columns:
        """All observations; those that are in columns already as they are."""
        if isinstance(observations, Columns):
            return observations
        found = Columns()
        found.add(observations)
        return found

    def add(self, observations: Iterable[Observation]) -> None:
        """Add observations."""
        rest = iter(observations)
        while some := tuple(islice(rest, _CHUNK)):
            callpaths, metrics, points, values = zip(*some, strict=True)
            series = tuple(zip(callpaths, metrics, strict=True))
            self.extend(
                self.series.of(series), self.points.of(points), np.array(values, dtype=float)
            )

    def extend(self, series: Codes, points: Codes, values: Floats) -> None:
        """Add observations (n,) by the numbers of their series and points."""
        self._blocks.append((series, points, values))

    def take(self, other: Columns, points: Sequence[Params]) -> None:
        """Add all observations of others; `points` stand for theirs, in the order of their numbers."""
        of_series = self.series.of(other.series)
        of_points = self.points.of(points)
        self._blocks += [(of_series[s], of_points[p], values) for s, p, values in other._blocks]

    def arrays(self) -> tuple[Codes, Codes, Floats]:
        """(N,) each: numbers of series, numbers of points, values."""
        series, points, values = zip(*self._blocks, strict=True)
        return np.concatenate(series), np.concatenate(points), np.concatenate(values)

    def __iter__(self) -> Iterator[Observation]:
        names, params = tuple(self.series), tuple(self.points)
        for columns in self._blocks:
            for s, p, value in zip(*(column.tolist() for column in columns), strict=True):
                callpath, metric = names[s]
                yield Observation(callpath, metric, params[p], value)
