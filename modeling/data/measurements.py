"""Measurements: for each call path and metric, observed values at points of the parameter space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

if TYPE_CHECKING:
    import pandas
    import xarray

Floats = NDArray[np.float64]
_LARGEST = 1e150


@dataclass(frozen=True)
class Series:
    """One call path and metric.

    parameters (m names); points (P, m), distinct rows in ascending order; per point the number of
    observations `counts` (P,), their `means` (P,), the sums of squared deviations `squares` (P,),
    and where single observations were seen at every point the least and the greatest, `lows` and
    `highs` (P,). These suffice for everything that is fitted, so single observations are not kept.
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

    def __post_init__(self) -> None:  # the usual case first: there may be many
        arrays = (self.counts, self.squares, *(a for a in (self.lows, self.highs) if a is not None))
        if any(len(a) != len(self.means) for a in arrays):
            raise DataError(f"{self.callpath}: values and points differ in number")
        if self.points.shape != (len(self.means), len(self.parameters)) or not self._is_usual(
            arrays
        ):
            columns = (
                self.counts,
                self.means,
                self.squares,
                *(self.means if a is None else a for a in (self.lows, self.highs)),
            )
            Stack(
                (self.callpath,),
                (self.metric,),
                self.parameters,
                self.points,
                *(a[None] for a in columns),
            )

    def _is_usual(self, arrays: Iterable[Floats]) -> bool:
        largest = max(float(self.means.max(initial=0.0)), -float(self.means.min(initial=0.0)))
        total = (
            float(self.points.sum()) + float(self.means.sum()) + sum(float(a.sum()) for a in arrays)
        )
        return isfinite(total) and (largest == 0 or 1 / _LARGEST <= largest <= _LARGEST)

    def part(self, rows: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Series:
        """The series at some of its points."""
        low, high = (None if a is None else a[rows] for a in (self.lows, self.highs))
        return replace(
            self,
            points=self.points[rows],
            counts=self.counts[rows],
            means=self.means[rows],
            squares=self.squares[rows],
            lows=low,
            highs=high,
        )

    @staticmethod
    def from_values(
        callpath: str,
        metric: str,
        parameters: Iterable[str],
        points: Iterable[Iterable[float]],
        values: Iterable[Iterable[float] | float],
    ) -> Series:
        """From the repetitions at each point; equal points are merged."""
        names = tuple(parameters)
        statistics: dict[tuple[float, ...], Statistics] = {}
        for point, found in zip(points, values, strict=True):
            key = tuple(float(x) for x in point)
            for value in found if isinstance(found, Iterable) else (found,):
                statistics[key] = statistics.get(key, Statistics()).plus(
                    Statistics.of(float(value))
                )
        return from_statistics(callpath, metric, names, statistics)


@dataclass(frozen=True)
class Stack:
    """K series with the same points: callpaths, metrics (K,); parameters (m names); points (P, m),
    distinct rows in ascending order; counts, means, squares, lows, highs (K, P) as those of a
    `Series`, NaN where the least and the greatest are unknown."""

    callpaths: Sequence[str]
    metrics: Sequence[str]
    parameters: tuple[str, ...]
    points: Floats
    counts: Floats
    means: Floats
    squares: Floats
    lows: Floats
    highs: Floats

    def __post_init__(self) -> None:
        size = len(self.points)
        if self.points.shape != (size, len(self.parameters)):
            raise DataError(
                f"{self.callpaths[0]}: points have {self.points.shape} values, not"
                f" {len(self.parameters)} each"
            )
        if any(
            a.shape != (len(self.callpaths), size)
            for a in (self.counts, self.means, self.squares, self.lows, self.highs)
        ):
            raise DataError(f"{self.callpaths[0]}: values and points differ in number")
        if not np.isfinite(self.points).all():
            raise DataError(
                f"{self.callpaths[0]}, {self.metrics[0]}: a value is not a finite number"
            )
        infinite = (
            ~(np.isfinite(self.means) & np.isfinite(self.squares))
            | np.isinf(self.lows)
            | np.isinf(self.highs)
        )
        largest = np.abs(self.means).max(axis=1, initial=0.0)
        wrong = (
            infinite.any(axis=1) | (largest > _LARGEST) | (largest > 0) & (largest < 1 / _LARGEST)
        )
        for k in np.flatnonzero(wrong)[:1].tolist():
            raise DataError(
                f"{self.callpaths[k]}, {self.metrics[k]}: "
                + (
                    "a value is not a finite number"
                    if infinite[k].any()
                    else f"values of {largest[k]:g} cannot be squared; use another unit"
                )
            )

    @staticmethod
    def of(series: Sequence[Series]) -> Stack:
        """Series that have the same points."""
        first = series[0]
        unknown = np.full(len(first.points), np.nan)
        columns = [
            [s.counts for s in series],
            [s.means for s in series],
            [s.squares for s in series],
            [unknown if s.lows is None else s.lows for s in series],
            [unknown if s.highs is None else s.highs for s in series],
        ]
        return Stack(
            [s.callpath for s in series],
            [s.metric for s in series],
            first.parameters,
            first.points,
            *(np.concatenate(rows).reshape(-1, len(first.points)) for rows in columns),
        )

    def __len__(self) -> int:
        return len(self.callpaths)

    def take(self, rows: Sequence[int]) -> Stack:
        """Some of the series."""
        return Stack(
            [self.callpaths[k] for k in rows],
            [self.metrics[k] for k in rows],
            self.parameters,
            self.points,
            self.counts[rows],
            self.means[rows],
            self.squares[rows],
            self.lows[rows],
            self.highs[rows],
        )

    def series(self, k: int) -> Series:
        """The k-th series."""
        low, high = (None if np.isnan(a[k]).any() else a[k] for a in (self.lows, self.highs))
        return Series(
            self.callpaths[k],
            self.metrics[k],
            self.parameters,
            self.points,
            self.counts[k],
            self.means[k],
            self.squares[k],
            low,
            high,
        )


@dataclass(frozen=True)
class Statistics:
    """Sufficient statistics of observations: number, mean, sum of squared deviations, and the least
    and the greatest where they are known."""

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
        return Statistics(
            count,
            self.mean + delta * other.count / count,
            self.squares + other.squares + delta * delta * self.count * other.count / count,
            None if self.low is None or other.low is None else min(self.low, other.low),
            None if self.high is None or other.high is None else max(self.high, other.high),
        )


def from_statistics(
    callpath: str,
    metric: str,
    parameters: tuple[str, ...],
    statistics: Mapping[tuple[float, ...], Statistics],
) -> Series:
    """A series from statistics per point."""
    keys = sorted(statistics)
    rows = [statistics[k] for k in keys]
    lows, highs = (
        [r.low for r in rows if r.low is not None],
        [r.high for r in rows if r.high is not None],
    )
    return Series(
        callpath,
        metric,
        parameters,
        np.array(keys, dtype=float).reshape(len(keys), len(parameters)),
        np.array([r.count for r in rows], dtype=float),
        np.array([r.mean for r in rows], dtype=float),
        np.array([r.squares for r in rows], dtype=float),
        np.array(lows) if len(lows) == len(rows) else None,
        np.array(highs) if len(highs) == len(rows) else None,
    )


@dataclass(frozen=True)
class Measurements:
    """All series of a set of experiments; call paths may have different points."""

    series: tuple[Series, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Every parameter that occurs, in order of appearance."""
        return tuple(dict.fromkeys(p for s in self.series for p in s.parameters))

    @staticmethod
    def from_pandas(
        frame: pandas.DataFrame, parameters: Sequence[str] | None = None
    ) -> Measurements:
        """From a tidy table; see `modeling.frames.frames`."""
        from ..frames.frames import from_pandas

        return from_pandas(frame, parameters)

    def to_pandas(self) -> pandas.DataFrame:
        """As a tidy table: count, mean and std of every point; see `modeling.frames.frames`."""
        from ..frames.frames import to_pandas

        return to_pandas(self)

    @staticmethod
    def from_xarray(data: xarray.DataArray | xarray.Dataset) -> Measurements:
        """From an array over parameters, call path, metric and repetition; see
        `modeling.frames.frames`."""
        from ..frames.frames import from_xarray

        return from_xarray(data)

    def to_xarray(self) -> xarray.Dataset:
        """As arrays of count, mean and std over call path, metric and parameters; see
        `modeling.frames.frames`."""
        from ..frames.frames import to_xarray

        return to_xarray(self)
