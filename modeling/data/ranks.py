"""Measurements that keep ranks apart: for each kernel and experiment, every metric's value on every
rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from .measurements import Floats
from .observations import Point, observations

Integers = NDArray[np.int64]
Row = tuple[str, str, Point, int, object, float]
"""(callpath, metric, parameters, rank, repetition, value)."""
_TIMES = ("time", "second", "energy", "joule", "power", "watt", "cycle")


@dataclass(frozen=True)
class Experiment:
    """One kernel at one parameter vector: `ranks` (R,) ascending, `values` metric -> (R,
    repetitions), no gaps."""

    point: tuple[float, ...]
    ranks: Integers
    values: Mapping[str, Floats]

    def __post_init__(self) -> None:
        for metric, table in self.values.items():
            if table.ndim != 2 or len(table) != len(self.ranks) or not table.shape[1]:
                raise DataError(f"{metric}: values must be (ranks, repetitions), not {table.shape}")
            if not np.isfinite(table).all():
                raise DataError(f"{metric}: a value is not a finite number")

    def per_rank(self, metric: str) -> Floats:
        """(R,) the median of each rank's repetitions."""
        table = self.values[metric]
        return table[:, 0] if table.shape[1] == 1 else np.median(table, axis=1)


@dataclass(frozen=True)
class RankedKernel:
    """One call path: its experiments, points distinct; every experiment has the same metrics."""

    callpath: str
    parameters: tuple[str, ...]
    experiments: tuple[Experiment, ...]

    def __post_init__(self) -> None:
        if not self.experiments:
            raise DataError(f"{self.callpath}: no experiment")
        if any(set(e.values) != set(self.experiments[0].values) for e in self.experiments):
            raise DataError(f"{self.callpath}: some experiments lack a metric that others have")

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.experiments[0].values)

    def is_count(self, metric: str) -> bool:
        """Does the metric count, so that any difference is one of behaviour and not of noise?

        Whole numbers that repeat exactly and take few levels: at most half as many as there are
        ranks in the largest experiment. A metric named after a time, an energy or cycles never
        counts.
        """
        if any(word in metric.lower() for word in _TIMES):
            return False
        tables = [e.values[metric] for e in self.experiments]
        if any((t != np.round(t)).any() or (t != t[:, :1]).any() for t in tables):
            return False
        largest = max(tables, key=len)
        return len(np.unique(largest)) <= max(1, len(largest) // 2)


@dataclass(frozen=True)
class RankedMeasurements:
    """All kernels of a set of experiments, ranks kept apart."""

    kernels: tuple[RankedKernel, ...]


def ranked_from_json_lines(text: str, name: str) -> RankedMeasurements:
    """Read JSON Lines in which every observation has a "rank" ("repetition" may tell runs apart).

    Raises:
        DataError: FILE:LINE: what is wrong; a rank without a value of a metric that others have.
    """
    rows: list[Row] = []
    for o in observations(text, name):
        if o.rank is None:
            raise DataError(
                f'{name}:{o.line}: "rank" is missing; clusters need the value of every rank'
            )
        rows.append((o.callpath, o.metric, o.point, o.rank, o.repetition or "0", o.value))
    if not rows:
        raise DataError(f"{name}: holds no observations")
    return from_rows(rows, name)


def from_rows(rows: Iterable[Row], name: str = "measurements") -> RankedMeasurements:
    """From observations.

    Several values for one rank and repetition (threads, calls) are added up.
    """
    cells: dict[str, dict[Point, dict[str, dict[tuple[int, object], float]]]] = {}
    for callpath, metric, params, rank, repetition, value in rows:
        cell = cells.setdefault(callpath, {}).setdefault(params, {}).setdefault(metric, {})
        cell[rank, repetition] = cell.get((rank, repetition), 0.0) + value
    return RankedMeasurements(
        tuple(_kernel(callpath, points, name) for callpath, points in cells.items())
    )


def _kernel(
    callpath: str,
    points: Mapping[Point, Mapping[str, Mapping[tuple[int, object], float]]],
    name: str,
) -> RankedKernel:
    names = {tuple(p for p, _ in params) for params in points}
    if len(names) > 1:
        raise DataError(f"{name}: {callpath}: observations differ in which parameters they have")
    experiments = []
    for params in sorted(points):
        metrics = points[params]
        ranks = sorted({rank for cell in metrics.values() for rank, _ in cell})
        values = {}
        for metric, cell in metrics.items():
            repetitions = sorted({repetition for _, repetition in cell}, key=str)
            if len(cell) != len(ranks) * len(repetitions):
                at = ", ".join(f"{p}={v:g}" for p, v in params)
                raise DataError(f"{name}: {callpath}, {metric}: some rank has no value at {at}")
            values[metric] = np.array([[cell[rank, r] for r in repetitions] for rank in ranks])
        experiments.append(
            Experiment(tuple(v for _, v in params), np.array(ranks, dtype=np.int64), values)
        )
    return RankedKernel(callpath, names.pop(), tuple(experiments))
