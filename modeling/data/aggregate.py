"""Merge the statistics of many processes, bit by bit the same in any order and along any tree.

A process keeps the number, mean and sum of squared deviations of its observations at each point of
each series. The number, sum and sum of squares follow from these without rounding (see
`exact_sums`) and are added up over processes. They become means and squared deviations again only
at the end, rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from looplaw_common.errors import DataError

from .exact_sums import ExactSums, Integers, two_product
from .measurements import Floats, Measurements, Statistics, from_statistics

_LARGEST = 1e150  # larger values cannot be squared
_MOST_COUNTS = 2.0**53  # beyond this, floating point has no odd numbers
SeriesKey = tuple[str, str, tuple[str, ...]]
"""(callpath, metric, parameters)."""


@dataclass(frozen=True)
class Layout:
    """The order of cells in a record: series, and the points of each (with a value for every
    parameter)."""

    series: tuple[SeriesKey, ...]
    points: tuple[tuple[tuple[float, ...], ...], ...]

    @property
    def cells(self) -> int:
        """The number of points of all series."""
        return sum(map(len, self.points))

    @staticmethod
    def of(measurements: Measurements) -> Layout:
        """The layout of measurements, in their order."""
        return Layout(
            tuple((s.callpath, s.metric, s.parameters) for s in measurements.series),
            tuple(tuple(map(tuple, s.points.tolist())) for s in measurements.series),
        )


@dataclass(frozen=True)
class Sums:
    """Exact sums of the n cells of a layout: counts (n,), limbs of the sums and of the sums of
    squares (n, w), and the number of the first limb of each."""

    counts: Integers
    first: Integers
    lowest_first: int
    second: Integers
    lowest_second: int


class Aggregate:
    """The merged statistics of all processes so far. Memory grows with the number of series and
    points, not with the number of processes."""

    def __init__(self) -> None:
        self._cells: dict[SeriesKey, dict[tuple[float, ...], int]] = {}
        self._size = 0
        self._counts: Integers = np.zeros(0, dtype=np.int64)
        self._first, self._second = ExactSums(0), ExactSums(0)
        self._places: dict[int, tuple[Layout, Integers]] = {}

    def add(self, layout: Layout, counts: Floats, means: Floats, squares: Floats) -> None:
        """Add the statistics (..., cells) of one process, or of several.

        Args:
            counts, means, squares: number, mean and sum of squared deviations of the observations.

        Raises:
            DataError: a count is not a whole number, a mean or square is not finite, or values are
                too large to be squared.
        """
        whole = (counts >= 0) & (counts <= _MOST_COUNTS) & (counts == np.floor(counts))
        if not (
            whole.all()
            and np.isfinite(means).all()
            and np.isfinite(squares).all()
            and (squares >= 0).all()
        ):
            raise DataError(
                "statistics: a number of observations is not whole, or a mean or sum of squares not"
                " finite"
            )
        if (np.abs(means) * np.sqrt(np.maximum(counts, 1)) > _LARGEST).any():
            raise DataError("statistics: values are too large to be squared; use another unit")
        cells = self._located(layout)
        np.add.at(self._counts, np.broadcast_to(cells, counts.shape), counts.astype(np.int64))
        total, total_rest = two_product(counts, means)
        for value in (total, total_rest):
            self._first.add(cells, value)
        for value in (
            *two_product(total, means),
            *two_product(total_rest, means),
            np.where(counts > 0, squares, 0.0),
        ):
            self._second.add(cells, value)

    def plus(self, layout: Layout, sums: Sums) -> None:
        """Add sums that were merged elsewhere."""
        cells = self._located(layout)
        self._counts[cells] += sums.counts
        self._first.plus(cells, sums.first, sums.lowest_first)
        self._second.plus(cells, sums.second, sums.lowest_second)

    def layout(self) -> Layout:
        """All series by name with ascending points: an order that does not depend on what came
        first."""
        keys = sorted(self._cells)
        return Layout(tuple(keys), tuple(tuple(sorted(self._cells[key])) for key in keys))

    def sums(self) -> Sums:
        """The exact sums, in the order of `layout`."""
        cells = self._located(self.layout())
        (first, low), (second, lower) = self._first.limbs(), self._second.limbs()
        return Sums(self._counts[cells], first[cells], low, second[cells], lower)

    def measurements(self) -> Measurements:
        """The measurements of all processes together.

        Raises:
            DataError: nothing was observed.
        """
        layout = self.layout()
        self._first.normalize()
        self._second.normalize()
        series = []
        for (callpath, metric, parameters), points in zip(
            layout.series, layout.points, strict=True
        ):
            numbers = self._cells[callpath, metric, parameters]
            found = {
                point: self._statistics(numbers[point])
                for point in points
                if self._counts[numbers[point]]
            }
            if found:
                series.append(from_statistics(callpath, metric, parameters, found))
        if not series:
            raise DataError("statistics: nothing was observed")
        return Measurements(tuple(series))

    def _statistics(self, cell: int) -> Statistics:
        count, total = int(self._counts[cell]), self._first.value(cell)
        squares = self._second.value(cell) - total * total / count
        # the means of processes are rounded, so the sum for equal values may be slightly negative
        return Statistics(count, float(total / count), max(0.0, float(squares)))

    def _located(self, layout: Layout) -> Integers:
        """The numbers of the cells of a layout; those of the last layout are cached."""
        known = self._places.get(id(layout))
        if known is not None and known[0] is layout:
            return known[1]
        cells = np.array(
            [
                self._cell(key, point)
                for key, points in zip(layout.series, layout.points, strict=True)
                for point in points
            ],
            dtype=np.int64,
        )
        self._first.grow(self._size)
        self._second.grow(self._size)
        self._counts = np.concatenate(
            [self._counts, np.zeros(self._size - len(self._counts), dtype=np.int64)]
        )
        self._places = {id(layout): (layout, cells)}
        return cells

    def _cell(self, key: SeriesKey, point: tuple[float, ...]) -> int:
        found = self._cells.setdefault(key, {})
        if point not in found:
            found[point] = self._size
            self._size += 1
        return found[point]
