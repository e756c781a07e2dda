"""Observations in columns of numbers: what readers of large files fill and `collect` aggregates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from .measurements import Floats
from .observations import Fault, Number, Observation, Point, SeriesName
from .units import factor

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
    units: metric -> the unit of all its values, where it is known. faults: series -> what is wrong
    with the first of its observations that cannot be used. reading: what a table's columns were
    taken for, empty where the format says it.
    """

    def __init__(self) -> None:
        self.series: Numbers[SeriesName] = Numbers()
        self.points: Numbers[Point] = Numbers()
        self.units: dict[str, str] = {}
        self.faults: dict[SeriesName, str] = {}
        self.reading = ""
        self._blocks: list[tuple[Codes, Codes, Floats]] = []

    @staticmethod
    def of(observations: Iterable[Observation]) -> Columns:
        """All observations in columns."""
        found = Columns()
        rest = iter(observations)
        while some := tuple(islice(rest, _CHUNK)):
            usable = [(o, v) for o in some if not isinstance(v := found.value_of(o), Fault)]
            found.extend(
                found.series.of([o.series for o, _ in usable]),
                found.points.of([o.point for o, _ in usable]),
                np.array([v for _, v in usable], dtype=float),
            )
        return found

    def value_of(self, observation: Observation) -> Number:
        """The value of an observation in the unit of its metric; one that cannot be used is noted
        and stays a `Fault`."""
        value = observation.value
        if not isinstance(value, Fault) and observation.unit:
            value = self._in_unit(value, observation)
        if isinstance(value, Fault):
            self.faults.setdefault(observation.series, value.message)
        return value

    def _in_unit(self, value: Number, observation: Observation) -> Number:
        metric, unit = observation.metric, observation.unit
        if not self.units.get(metric):
            self.units[metric] = unit
            return value
        if unit == self.units[metric]:
            return value
        where = f"{observation.callpath}, {metric}"
        try:
            return value * factor(unit, self.units[metric], where)
        except DataError as error:
            return Fault(str(error))

    def extend(self, series: Codes, points: Codes, values: Floats) -> None:
        """Add observations (n,) by the numbers of their series and points."""
        self._blocks.append((series, points, values))

    def take(self, other: Columns, points: Sequence[Point]) -> None:
        """Add all observations of `other`; `points` replace its points, in the order of their
        numbers."""
        scale = np.ones(len(other.series))
        for (callpath, metric), number in other.series.items():
            unit = other.units.get(metric, "")
            try:
                scale[number] = factor(unit, self.units.get(metric, ""), f"{callpath}, {metric}")
            except DataError as error:
                self.faults.setdefault((callpath, metric), str(error))
        for metric, unit in other.units.items():
            self.units[metric] = self.units.get(metric) or unit
        self.reading = self.reading or other.reading
        for series, message in other.faults.items():
            self.faults.setdefault(series, message)
        of_series = self.series.of(other.series)
        of_points = self.points.of(points)
        self._blocks += [
            (of_series[s], of_points[p], values * scale[s]) for s, p, values in other._blocks
        ]

    def renamed(self, name: Callable[[str], str]) -> Columns:
        """The same observations with other call paths, `name` of each, which differ if they do."""
        result = Columns()
        result.series.of([(name(callpath), metric) for callpath, metric in self.series])
        result.points, result.units, result.reading = self.points, self.units, self.reading
        result.faults = {(name(c), metric): why for (c, metric), why in self.faults.items()}
        result._blocks = self._blocks
        return result

    def arrays(self) -> tuple[Codes, Codes, Floats]:
        """(N,) each: numbers of series, numbers of points, values."""
        if not self._blocks:
            none = np.zeros(0, dtype=np.intc)
            return none, none, np.zeros(0)
        series, points, values = zip(*self._blocks, strict=True)
        return np.concatenate(series), np.concatenate(points), np.concatenate(values)
