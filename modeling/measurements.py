"""Measurements: for each call path and metric, observed values at points of the parameter space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import DataError

if TYPE_CHECKING:
    import pandas
    import xarray

Floats = NDArray[np.float64]
_LARGEST = 1e150


@dataclass(frozen=True)
class Series:
    """One call path and metric.

    parameters (m names); points (P, m), distinct rows in ascending order; per point the number of observations
    `counts` (P,), their `means` (P,), the sums of squared deviations `squares` (P,), and where single observations were
    seen at every point the least and the greatest, `lows` and `highs` (P,). These suffice for everything that is fitted,
    so single observations are not kept.
    """

    callpath: str
    metric: str
    parameters: tuple[str, ...]
    points: Floats
    counts: Floats
    means: Floats
    squares: Floats
    lows: Floats | None = None
    highs: Floats | None = None

    def __post_init__(self) -> None:
        size = len(self.points)
        if self.points.shape != (size, len(self.parameters)):
            raise DataError(f"{self.callpath}: points have {self.points.shape} values, not {len(self.parameters)} each")
        extremes = [a for a in (self.lows, self.highs) if a is not None]
        if not all(len(a) == size for a in (self.counts, self.means, self.squares, *extremes)):
            raise DataError(f"{self.callpath}: values and points differ in number")
        if not all(np.isfinite(a).all() for a in (self.points, self.means, self.squares, *extremes)):
            raise DataError(f"{self.callpath}, {self.metric}: a value is not a finite number")
        largest = np.abs(self.means).max(initial=0.0)
        if largest > _LARGEST or 0 < largest < 1 / _LARGEST:
            raise DataError(f"{self.callpath}, {self.metric}: values of {largest:g} cannot be squared; use another unit")

    def part(self, rows: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Series:
        """The series at some of its points."""
        low, high = (None if a is None else a[rows] for a in (self.lows, self.highs))
        return replace(self, points=self.points[rows], counts=self.counts[rows], means=self.means[rows],
                       squares=self.squares[rows], lows=low, highs=high)

    @staticmethod
    def from_values(callpath: str, metric: str, parameters: Iterable[str], points: Iterable[Iterable[float]],
                    values: Iterable[Iterable[float] | float]) -> Series:
        """From the repetitions at each point; equal points are merged."""
        names = tuple(parameters)
        statistics: dict[tuple[float, ...], Statistics] = {}
        for point, found in zip(points, values, strict=True):
            key = tuple(float(x) for x in point)
            for value in (found if isinstance(found, Iterable) else (found,)):
                statistics[key] = statistics.get(key, Statistics()).plus(Statistics.of(float(value)))
        return from_statistics(callpath, metric, names, statistics)


@dataclass(frozen=True)
class Statistics:
    """Sufficient statistics of observations: number, mean, sum of squared deviations, and the least and the greatest where
    they are known."""

    count: float = 0
    mean: float = 0.0
    squares: float = 0.0
    low: float | None = None
    high: float | None = None

    @staticmethod
    def of(value: float) -> Statistics:
        """Those of one observation."""
        return Statistics(1, value, 0.0, value, value)

    def plus(self, other: Statistics) -> Statistics:
        """Merge two sets of observations, in any order (Chan, Golub and LeVeque, 1983)."""
        count = self.count + other.count
        if not self.count or not other.count:
            return other if other.count else self
        delta = other.mean - self.mean
        return Statistics(count, self.mean + delta * other.count / count,
                          self.squares + other.squares + delta * delta * self.count * other.count / count,
                          None if self.low is None or other.low is None else min(self.low, other.low),
                          None if self.high is None or other.high is None else max(self.high, other.high))


def from_statistics(callpath: str, metric: str, parameters: tuple[str, ...],
                    statistics: Mapping[tuple[float, ...], Statistics]) -> Series:
    """A series from statistics per point."""
    keys = sorted(statistics)
    rows = [statistics[k] for k in keys]
    lows, highs = [r.low for r in rows if r.low is not None], [r.high for r in rows if r.high is not None]
    return Series(callpath, metric, parameters, np.array(keys, dtype=float).reshape(len(keys), len(parameters)),
                  np.array([r.count for r in rows], dtype=float), np.array([r.mean for r in rows], dtype=float),
                  np.array([r.squares for r in rows], dtype=float),
                  np.array(lows) if len(lows) == len(rows) else None, np.array(highs) if len(highs) == len(rows) else None)


@dataclass(frozen=True)
class Measurements:
    """All series of a set of experiments; call paths may have different points."""

    series: tuple[Series, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Every parameter that occurs, in order of appearance."""
        return tuple(dict.fromkeys(p for s in self.series for p in s.parameters))

    @staticmethod
    def from_pandas(frame: pandas.DataFrame, parameters: Sequence[str] | None = None) -> Measurements:
        """From a tidy table; see `modeling.frames`."""
        from .frames import from_pandas
        return from_pandas(frame, parameters)

    def to_pandas(self) -> pandas.DataFrame:
        """As a tidy table: count, mean and std of every point; see `modeling.frames`."""
        from .frames import to_pandas
        return to_pandas(self)

    @staticmethod
    def from_xarray(data: xarray.DataArray | xarray.Dataset) -> Measurements:
        """From an array over parameters, call path, metric and repetition; see `modeling.frames`."""
        from .frames import from_xarray
        return from_xarray(data)

    def to_xarray(self) -> xarray.Dataset:
        """As arrays of count, mean and std over call path, metric and parameters; see `modeling.frames`."""
        from .frames import to_xarray
        return to_xarray(self)
