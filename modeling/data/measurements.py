"""Measurements: for each call path and metric, statistics of the values observed at points of the
parameter space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, repeat
from math import isfinite
from operator import attrgetter, is_
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from ..frames import tables
from ..frames.tables import Rows
from .checks import symbols
from .parameter_roles import dependent_size
from .units import measures_time

if TYPE_CHECKING:
    import pandas
    import xarray

Floats = NDArray[np.float64]
_DOUBLE = np.dtype(np.float64)
_STATISTICS = attrgetter("counts", "means", "squares", "lows", "highs")
_FEWEST, _MOST = 3, 256
"""Repetitions whose observations are kept: two are the least and the greatest, and beyond some
hundred the mean bears any disturbance."""
_LARGEST = 1e150  # larger values, and the inverse of smaller ones, cannot be squared
_LARGEST_POINT = 1e60
"""Larger values of parameters, and the inverse of smaller ones, have no fourth power."""


@dataclass(frozen=True)
class Series:
    """The statistics of one metric of one call path.

    parameters (m names); points (P, m), distinct rows in ascending order; for each point the number
    of observations `counts` (P,), their `means` (P,), the sums of squared deviations `squares`
    (P,), and the extremes `lows` and `highs` (P,), None if they are unknown at some point. Laws are
    fitted to these. `sample` (P, R), if it is known, holds the single observations in any order,
    NaN behind the last one of a point: they tell disturbances from noise (see `disturbances`).
    `unit` is that of the values, empty where it is unknown.

    Raises:
        DataError: shapes disagree, a value is not finite, or cannot be squared.
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
    sample: Floats | None = None
    unit: str = ""

    def __post_init__(self) -> None:  # a quick check first: there may be millions of series
        for name, array in self.__dict__.items():
            if isinstance(array, np.ndarray) and not (
                array.dtype == _DOUBLE and array.flags.c_contiguous
            ):
                object.__setattr__(self, name, np.ascontiguousarray(array, dtype=_DOUBLE))
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
            counts, means, squares, lows, highs = (a[None] for a in columns)
            Stack(
                *((self.callpath,), (self.metric,), self.parameters, self.points),
                *(counts, means, squares, lows, highs),
            )

    def _is_usual(self, arrays: Iterable[Floats]) -> bool:
        largest = max(float(self.means.max(initial=0.0)), -float(self.means.min(initial=0.0)))
        total = (
            float(self.points.sum()) + float(self.means.sum()) + sum(float(a.sum()) for a in arrays)
        )
        if not isfinite(total) or not (largest == 0 or 1 / _LARGEST <= largest <= _LARGEST):
            return False
        size = np.abs(self.points)
        return bool(((size == 0) | ((size <= _LARGEST_POINT) & (size >= 1 / _LARGEST_POINT))).all())

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
            sample=None if self.sample is None else self.sample[rows],
        )

    @staticmethod
    def from_values(
        callpath: str,
        metric: str,
        parameters: Iterable[str],
        points: Iterable[Iterable[float]],
        values: Iterable[Iterable[float] | float],
    ) -> Series:
        """A series from the repetitions, or the one value, at each point; equal points are
        merged."""
        names = tuple(parameters)
        statistics: dict[tuple[float, ...], Statistics] = {}
        observed: dict[tuple[float, ...], list[float]] = {}
        for point, found in zip(points, values, strict=True):
            key = tuple(float(x) for x in point)
            for value in found if isinstance(found, Iterable) else (found,):
                statistics[key] = statistics.get(key, Statistics()).plus(
                    Statistics.of(float(value))
                )
                observed.setdefault(key, []).append(float(value))
        series = from_statistics(callpath, metric, names, statistics)
        every = [observed[key] for key in sorted(observed)]
        flat = np.array([v for one in every for v in one])
        return replace(series, sample=sample_of(flat, np.array([len(v) for v in every])))

    @staticmethod
    def from_rows(
        callpath: str,
        metric: str,
        names: Sequence[str],
        points: Floats,
        counts: Floats,
        means: Floats,
        squares: Floats,
    ) -> Series:
        """A series from statistics at points (N, m) that may repeat, NaN where a row has no value
        of a parameter; statistics (N,) as those of a `Series`.

        Raises:
            DataError: some rows have a parameter that others lack, or a count is below 1.
        """
        missing = np.isnan(points)
        own = np.logical_not(missing.all(axis=0))
        if missing[:, own].any():
            name = names[int(np.flatnonzero((missing & own).any(axis=0))[0])]
            raise DataError(
                f"{callpath}, {metric}: some observations have no value of the parameter {name}"
            )
        if not (counts >= 1).all():
            raise DataError(f"{callpath}, {metric}: a count is missing or below 1")
        distinct, label = np.unique(points[:, own], axis=0, return_inverse=True)
        label = label.reshape(-1)

        def summed(x: Floats) -> Floats:
            return np.bincount(label, x, len(distinct)).astype(float)

        total = summed(counts)
        mean = summed(counts * means) / total
        spread = summed(squares + counts * (means - mean[label]) ** 2)
        called = symbols(
            [n for n, has in zip(names, own.tolist(), strict=True) if has], f"{callpath}, {metric}"
        )
        low, high = None, None
        if (counts == 1).all():  # every row is one observation, so the extremes are known
            low, high = np.full(len(distinct), np.inf), np.full(len(distinct), -np.inf)
            np.minimum.at(low, label, means)
            np.maximum.at(high, label, means)
        return Series(callpath, metric, called, distinct, total, mean, spread, low, high)

    def without(self, name: str) -> Series:
        """The series without one of its parameters, whose values follow from the others."""
        kept = [k for k, n in enumerate(self.parameters) if n != name]
        ordered = self.part(np.lexsort(self.points[:, kept[::-1]].T))
        return replace(
            ordered,
            parameters=tuple(self.parameters[k] for k in kept),
            points=ordered.points[:, kept],
        )


@dataclass(frozen=True)
class Stack:
    """K series at the same points: callpaths, metrics (K,); parameters (m names); points (P, m),
    distinct rows in ascending order; counts, means, squares, lows, highs (K, P) as those of a
    `Series`, NaN for unknown extremes; sample (K, P, R), NaN where observations are unknown; units
    (K,), or none where they are unknown.

    Raises:
        DataError: shapes disagree, a value is not finite, or cannot be squared.
    """

    callpaths: Sequence[str]
    metrics: Sequence[str]
    parameters: tuple[str, ...]
    points: Floats
    counts: Floats
    means: Floats
    squares: Floats
    lows: Floats
    highs: Floats
    sample: Floats | None = None
    units: Sequence[str] = ()

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
        of_points = np.abs(self.points)
        far = (of_points > _LARGEST_POINT) | ((of_points > 0) & (of_points < 1 / _LARGEST_POINT))
        for row, column in np.argwhere(far)[:1].tolist():
            raise DataError(
                f"{self.callpaths[0]}, {self.metrics[0]}: {self.parameters[column]} is"
                f" {self.points[row, column]:g}, which has no powers; use another unit"
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
        """A stack of series that have the same points."""
        first = series[0]
        rows = list(chain.from_iterable(map(_STATISTICS, series)))
        if any(map(is_, rows, repeat(None))):
            unknown = np.full(len(first.points), np.nan)
            rows = [unknown if row is None else row for row in rows]
        # bytes are joined in half the time of numpy's concatenate, for arrays as short as these
        found = np.frombuffer(bytearray().join(rows)).reshape(len(series), -1, len(first.points))
        counts, means, squares, lows, highs = np.ascontiguousarray(found.swapaxes(0, 1))
        return Stack(
            list(map(attrgetter("callpath"), series)),
            list(map(attrgetter("metric"), series)),
            first.parameters,
            first.points,
            counts,
            means,
            squares,
            lows,
            highs,
            _samples(series),
            list(map(attrgetter("unit"), series)),
        )

    @cached_property
    def are_times(self) -> NDArray[np.bool_]:
        """(K,): which of the metrics are times."""
        units = self.units or [""] * len(self)
        named = list(zip(self.metrics, units, strict=True))
        known = {of: measures_time(*of) for of in set(named)}
        return np.array([known[of] for of in named], dtype=np.bool_)

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
            None if self.sample is None else self.sample[rows],
            [self.units[k] for k in rows] if self.units else (),
        )

    def part(self, points: NDArray[np.bool_]) -> Stack:
        """The series at some of their points (P,)."""
        return Stack(
            self.callpaths,
            self.metrics,
            self.parameters,
            self.points[points],
            self.counts[:, points],
            self.means[:, points],
            self.squares[:, points],
            self.lows[:, points],
            self.highs[:, points],
            None if self.sample is None else self.sample[:, points],
            self.units,
        )

    def unit(self, k: int) -> str:
        """The unit of the k-th series, empty where it is unknown."""
        return self.units[k] if self.units else ""

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
            None if self.sample is None or np.isnan(self.sample[k]).all() else self.sample[k],
            self.unit(k),
        )


def sample_of(values: Floats, counts: NDArray[np.int64]) -> Floats | None:
    """(P, R): observations, those of one point after those of the one before, as rows padded with
    NaN; None where they follow from number and extremes, or are too many to keep."""
    most = int(counts.max(initial=0))
    if not _FEWEST <= most <= _MOST:
        return None
    found = np.full((len(counts), most), np.nan)
    found[np.arange(most) < counts[:, None]] = values
    return found


def _samples(series: Sequence[Series]) -> Floats | None:
    """(K, P, R): the observations of series at the same points, NaN for those that are unknown."""
    most = max((s.sample.shape[1] for s in series if s.sample is not None), default=0)
    if not most:
        return None
    found = np.full((len(series), len(series[0].points), most), np.nan)
    for own, s in zip(found, series, strict=True):
        if s.sample is not None:
            own[:, : s.sample.shape[1]] = s.sample
    return found


@dataclass(frozen=True)
class Statistics:
    """Sufficient statistics of observations: number, mean, sum of squared deviations, and the
    extremes if they are known."""

    count: float = 0
    mean: float = 0.0
    squares: float = 0.0
    low: float | None = None
    high: float | None = None

    @staticmethod
    def of(value: float) -> Statistics:
        """The statistics of one observation."""
        return Statistics(1, value, 0.0, value, value)

    def plus(self, other: Statistics) -> Statistics:
        """The statistics of two sets of observations together (Chan, Golub and LeVeque, "Algorithms
        for computing the sample variance", The American Statistician 1983)."""
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
    """A series from the statistics at each point."""
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
    """All series of a set of experiments; call paths may differ in their points and parameters.
    `left_out` says what is wrong with those that cannot be used, `reading` what the columns of a
    table were taken for."""

    series: tuple[Series, ...]
    left_out: tuple[str, ...] = ()
    reading: str = field(default="", compare=False)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Every parameter that occurs, in order of appearance."""
        return tuple(dict.fromkeys(p for s in self.series for p in s.parameters))

    def independent(self) -> Measurements:
        """The measurements without problem sizes that follow from the other parameters: no fit
        could tell the two apart."""
        sizes = [dependent_size(s.parameters, s.points) for s in self.series]
        return replace(
            self,
            series=tuple(
                s if n is None else s.without(n) for s, n in zip(self.series, sizes, strict=True)
            ),
        )

    @staticmethod
    def from_rows(rows: Rows) -> Measurements:
        """Group the rows of a tidy table into series, in the order in which these first appear.

        A parameter that no row of a series has (NaN) is none of its own.

        Raises:
            DataError: a series lacks a parameter at some of its points only, or a count is below 1.
        """
        found: dict[tuple[str, str], list[int]] = {}
        for k, key in enumerate(zip(rows.callpaths, rows.metrics, strict=True)):
            found.setdefault(key, []).append(k)
        columns = rows.points, rows.counts, rows.means, rows.squares
        return Measurements(
            tuple(
                Series.from_rows(callpath, metric, rows.names, *(column[of] for column in columns))
                for (callpath, metric), of in found.items()
            )
        )

    def to_rows(self) -> Rows:
        """One row for each point of each series; NaN where a series lacks a parameter."""
        names, series = self.parameters, self.series
        empty = np.empty((0, len(names)))
        return Rows(
            [s.callpath for s in series for _ in s.means],
            [s.metric for s in series for _ in s.means],
            names,
            np.concatenate([empty, *(_aligned(s, names) for s in series)]),
            np.concatenate([empty[:, :0].ravel(), *(s.counts for s in series)]),
            np.concatenate([empty[:, :0].ravel(), *(s.means for s in series)]),
            np.concatenate([empty[:, :0].ravel(), *(s.squares for s in series)]),
        )

    @staticmethod
    def from_pandas(
        frame: pandas.DataFrame, parameters: Sequence[str] | None = None
    ) -> Measurements:
        """Measurements from a tidy table.

        Args:
            frame: one row for each observation with a column `value`, or one for each point with
                `count`, `mean` and `std`; see `modeling.frames.tables`. A parameter that is NaN is
                missing there.
            parameters: which columns are parameters; by default all that have no other meaning.

        Raises:
            InputError: a column is missing, or a parameter is not numeric.
            DataError: a value is missing or infinite, or a series lacks a parameter at some of its
                points only.
        """
        return Measurements.from_rows(tables.from_pandas(frame, parameters)).independent()

    def to_pandas(self) -> pandas.DataFrame:
        """A tidy table with one row for each point: callpath, metric, the parameters, count, mean
        and std (NaN where count is 1)."""
        return tables.to_pandas(self.to_rows())

    @staticmethod
    def from_xarray(data: xarray.DataArray | xarray.Dataset) -> Measurements:
        """Measurements from an array over parameters, call path, metric and repetition; see
        `modeling.frames.tables.from_xarray`.

        Raises:
            InputError: a parameter has no coordinates, or they are not numbers.
            DataError: nothing was measured, or a value is infinite.
        """
        return Measurements.from_rows(tables.from_xarray(data)).independent()

    def to_xarray(self) -> xarray.Dataset:
        """Arrays of count, mean and std over call path, metric and parameters.

        Raises:
            DataError: call paths have different parameters, or the points fill too little of their
                grid for an array.
        """
        return tables.to_xarray(self.to_rows())


def _aligned(series: Series, names: Sequence[str]) -> Floats:
    """(P, names) the points of a series in columns of these names, NaN where it has no such
    parameter."""
    found = np.full((len(series.points), len(names)), np.nan)
    found[:, [names.index(n) for n in series.parameters]] = series.points
    return found


def independent(measurements: Measurements) -> Measurements:
    """Measurements without the problem sizes that follow from other parameters; see
    `Measurements.independent`."""
    return measurements.independent()
