"""Group observations into series with their statistics, all series of a file at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from ..data.checks import symbols
from ..data.columns import Columns
from ..data.measurements import Floats, Measurements, Series, sample_of
from ..data.observations import Point
from ..data.units import unit_in

Integers = NDArray[np.int64]


def collect(columns: Columns, name: str, *, strict: bool = False) -> Measurements:
    """Series of all call paths and metrics; observations at equal points are repetitions.

    A series that cannot be used is left out, and `left_out` of the measurements says why: one of
    its observations is no number, its values cannot be squared, or it has different parameters at
    different points.

    Args:
        strict: refuse all where one cannot be used.

    Raises:
        DataError: there are no observations, or none that can be used; the first reason.
    """
    if not columns.series and not columns.faults:
        raise DataError(f"{name}: holds no observations")
    left_out = [m if m.startswith(name) else f"{name}: {m}" for m in columns.faults.values()]
    found = []
    for series in _gathered(columns, name) if columns.series else ():
        if isinstance(series, Series):
            found.append(series)
        else:
            left_out.append(str(series))
    if left_out and (strict or not found):
        raise DataError(left_out[0])
    return Measurements(tuple(found), tuple(left_out), columns.reading).independent()


def _gathered(columns: Columns, name: str) -> Iterator[Series | DataError]:
    """Series in the order of their numbers, or why one is none; those at the same points share one
    array of points."""
    series, points, values = columns.arrays()
    grid = _Grid.of(tuple(columns.points))
    cells = series.astype(np.int64) * len(grid.kinds) + grid.places[points]
    if (cells[1:] < cells[:-1]).any():  # files are mostly in order, and large
        order = np.argsort(cells, kind="stable")
        cells, values = cells[order], values[order]
    starts = np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))
    statistics = _statistics(values, starts)
    of_series, places = np.divmod(cells[starts], len(grid.kinds))
    ends = np.searchsorted(of_series, np.arange(len(columns.series)), side="right").tolist()
    designs: dict[bytes, tuple[tuple[str, ...], Floats]] = {}
    for number, (callpath, metric) in enumerate(columns.series):
        if (callpath, metric) in columns.faults:
            continue
        some = slice(ends[number - 1] if number else 0, ends[number])
        same = places[some].tobytes()
        try:
            if same not in designs:
                names = grid.names_at(places[some])
                if len(names) > 1:  # for the message, as they appear
                    names = grid.names_at(grid.places[points[series == number]])
                designs[same] = (
                    _parameters(names, name, f"{callpath}, {metric}"),
                    grid.values_at(places[some]),
                )
            counts, means, squares, lows, highs = (column[some] for column in statistics)
            own = values[starts[some][0] :][: int(counts.sum())]
            sample = sample_of(own, counts.astype(np.int64))
            found = Series(
                callpath, metric, *designs[same], counts, means, squares, lows, highs, sample
            )
            unit = columns.units.get(metric) or unit_in(metric)
            yield replace(found, unit=unit) if unit else found
        except DataError as error:
            yield error


def _parameters(found: Sequence[tuple[str, ...]], name: str, series: str) -> tuple[str, ...]:
    """The symbols of the parameters of a series, whose observations must all have the same."""
    called = symbols(found[0], name)
    if len(found) > 1:
        raise DataError(
            f"{name}: {series}: some observations have the parameters {', '.join(found[0])}, others"
            f" {', '.join(found[1])}"
        )
    return called


def _statistics(values: Floats, starts: Integers) -> tuple[Floats, ...]:
    """Number, mean, sum of squared deviations, least and greatest of the values from each start to
    the next."""
    counts = np.diff(starts, append=len(values))
    with np.errstate(over="ignore", invalid="ignore"):
        means = np.add.reduceat(values, starts) / counts
        deviations = values - np.repeat(means, counts)
        squares = np.add.reduceat(np.square(deviations, out=deviations), starts)
    return (
        counts.astype(float),
        means,
        squares,
        np.minimum.reduceat(values, starts),
        np.maximum.reduceat(values, starts),
    )


@dataclass(frozen=True)
class _Grid:
    """The distinct points, ordered by kind (the names of their parameters), then by value.

    places: number of the distinct point for each point as given; kinds: kind of each distinct
    point; names and values (points of the kind, m): parameters of each kind.
    """

    places: Integers
    kinds: Integers
    names: tuple[tuple[str, ...], ...]
    values: tuple[Floats, ...]

    @staticmethod
    def of(points: Sequence[Point]) -> _Grid:
        alike: dict[tuple[str, ...], list[int]] = {}
        for number, params in enumerate(points):
            alike.setdefault(tuple(n for n, _ in params), []).append(number)
        places, values, used = np.empty(len(points), dtype=np.int64), [], 0
        for names, numbers in alike.items():
            table = np.array([[v for _, v in points[k]] for k in numbers], dtype=float).reshape(
                len(numbers), len(names)
            )
            order = np.lexsort(
                (np.zeros(len(numbers)), *table.T[::-1])
            )  # the zeros are for points without parameters
            table = table[order]
            new = np.append(True, (table[1:] != table[:-1]).any(axis=1))
            places[np.array(numbers)[order]] = used + np.cumsum(new) - 1
            values.append(table[new])
            used += len(values[-1])
        return _Grid(
            places,
            np.repeat(np.arange(len(values)), [len(v) for v in values]),
            tuple(alike),
            tuple(values),
        )

    def names_at(self, places: Integers) -> list[tuple[str, ...]]:
        """The parameters at places, those of each kind once, in the order of the places."""
        return [self.names[kind] for kind in dict.fromkeys(self.kinds[places].tolist())]

    def values_at(self, places: Integers) -> Floats:
        """(places, m) values at places of one kind, for series to share."""
        kind = self.kinds[places[0]]
        values: Floats = self.values[kind][places - np.searchsorted(self.kinds, kind)]
        values.flags.writeable = False
        return values
