"""Observations, one by one and in columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..measurements import Floats

Number = int | float
Params = tuple[tuple[str, Number], ...]
"""Names and values of parameters, sorted by name."""
Integers = NDArray[np.int64]
_CHUNK = 4096
_K = TypeVar("_K")


class Observation(NamedTuple):
    """One value at one point: params are (name, value) sorted by name. Numbers are as they are written."""

    callpath: str
    metric: str
    params: Params
    value: Number


class Numbers(dict[_K, int]):
    """Keys numbered from 0 on, in the order in which they are first asked for."""

    def __missing__(self, key: _K) -> int:
        number = self[key] = len(self)
        return number


class Columns:
    """Observations as numbers of their series and points, and their values in floating point; grows at its end.

    series: (callpath, metric) -> number; points: parameters -> number, both in order of appearance. A reader of large files
    returns one, those of small files yield observations; as an iterable it is both.
    """

    def __init__(self) -> None:
        self.series: Numbers[tuple[str, str]] = Numbers()
        self.points: Numbers[Params] = Numbers()
        self._series, self._points, self._values = array("i"), array("i"), array("d")

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
            self.extend(map(self.series.__getitem__, zip(callpaths, metrics, strict=True)),
                        map(self.points.__getitem__, points), values)

    def extend(self, series: Iterable[int], points: Iterable[int], values: Iterable[Number]) -> None:
        """Add observations by the numbers of their series and points."""
        self._series.extend(series)
        self._points.extend(points)
        self._values.extend(values)

    def take(self, other: Columns, points: Sequence[Params]) -> None:
        """Add all observations of others; `points` stand for theirs, in the order of their numbers."""
        series, places, _ = other.arrays()
        numbers = (np.array([known[key] for key in keys], dtype=np.intc)[column]
                   for known, keys, column in ((self.series, other.series, series), (self.points, points, places)))
        for column, found in zip((self._series, self._points), numbers, strict=True):
            column.frombytes(found.tobytes())
        self._values.extend(other._values)

    def arrays(self) -> tuple[Integers, Integers, Floats]:
        """(N,) each: numbers of series, numbers of points, values."""
        return (np.array(self._series, dtype=np.int64), np.array(self._points, dtype=np.int64),
                np.array(self._values, dtype=float))

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Observation]:
        series, points = tuple(self.series), tuple(self.points)
        for s, p, value in zip(self._series, self._points, self._values, strict=True):
            yield Observation(*series[s], points[p], value)
