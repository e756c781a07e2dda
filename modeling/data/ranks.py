"""Measurements that keep ranks apart: every metric's value on every rank, for each kernel and
experiment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from .measurements import Floats
from .observations import Observation, Point

Integers = NDArray[np.int64]
_Kernel = dict[Point, dict[str, dict[tuple[int, int], float]]]
"""point -> metric -> (rank, repetition) -> value."""
_TIME = "time"
_TIMES = ("time", "second", "energy", "joule", "power", "watt", "cycle")


@dataclass(frozen=True)
class Experiment:
    """One kernel at one parameter vector: `ranks` (R,) in ascending order, `values` metric -> (R,
    repetitions), without gaps.

    Raises:
        DataError: a shape is wrong or a value is not finite.
    """

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
        """(R,) the median over the repetitions of each rank."""
        table = self.values[metric]
        return table[:, 0] if table.shape[1] == 1 else np.median(table, axis=1)


@dataclass(frozen=True)
class RankedKernel:
    """One call path: experiments at distinct points, all with the same metrics."""

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
        """Whether a metric counts, so that every difference is one of behaviour and not of noise.

        Values of such a metric are whole numbers that repeat exactly and have few levels, at most
        half as many as there are ranks in the largest experiment. A metric named after a time, an
        energy or cycles never counts.
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


def by_rank(observations: Iterable[Observation], name: str = "measurements") -> RankedMeasurements:
    """Group observations, each of which names its rank, by call path, point and metric.

    Several values of one rank and repetition (of threads, of calls) are added up.

    Raises:
        DataError: an observation without a rank; a rank without a value of a metric that others
            have; no observations. `name` begins the message.
    """
    cells: dict[str, _Kernel] = {}
    for o in observations:
        if o.rank is None:
            line = "" if o.line is None else f":{o.line}"
            raise DataError(
                f'{name}{line}: "rank" is missing; clusters need the value of every rank'
            )
        cell = cells.setdefault(o.callpath, {}).setdefault(o.point, {}).setdefault(o.metric, {})
        key = o.rank, o.repetition or 0
        cell[key] = cell.get(key, 0.0) + o.value
    if not cells:
        raise DataError(f"{name}: holds no observations")
    return RankedMeasurements(
        tuple(_kernel(callpath, points, name) for callpath, points in cells.items())
    )


def by_rank_where_known(observations: Iterable[Observation]) -> RankedMeasurements | None:
    """The call paths whose every observation names its rank; None where no two ranks are told
    apart.

    A rank that recorded no time of a call path at a point where others did, or whose counts of it
    are all 0, is taken to have spent none there. A repetition in which a rank lacks a value of a
    metric otherwise, as of a time that was left out, is left out of the metric, and a point that
    lacks a metric then, out of the call path.
    """
    known = list(observations)
    without = {o.callpath for o in known if o.rank is None}
    known = [o for o in known if o.callpath not in without]
    if len({o.rank for o in known}) < 2:
        return None
    seen: dict[tuple[str, Point, int], dict[int | None, dict[str, Observation]]] = {}
    for o in known:
        key = o.callpath, o.point, o.repetition or 0
        seen.setdefault(key, {}).setdefault(o.rank, {})[o.metric] = o
    timed: dict[tuple[str, Point], set[int | None]] = {}
    for o in (o for o in known if o.metric == _TIME):
        timed.setdefault((o.callpath, o.point), set()).add(o.rank)
    paths = {callpath for callpath, _ in timed}
    for (callpath, point, _), ranks in seen.items():
        if callpath in paths:
            known += _idle_times(ranks, timed.get((callpath, point), set()))
    known = _of_all_ranks(known)
    complete = _complete_points(known)
    kept = [o for o in known if o.point in complete[o.callpath]]
    return by_rank(kept) if kept else None


def _idle_times(
    ranks: Mapping[int | None, Mapping[str, Observation]], timed: Collection[int | None]
) -> Iterator[Observation]:
    """Times of 0 on the ranks that did nothing in one call path, point and repetition.

    Args:
        timed: the ranks that have a time in any repetition there.
    """
    called = any(_TIME in metrics for metrics in ranks.values())
    for rank, metrics in ranks.items():
        is_idle = not any(o.value for o in metrics.values()) or (called and rank not in timed)
        if _TIME not in metrics and is_idle:
            yield replace(next(iter(metrics.values())), metric=_TIME, value=0.0)


def _of_all_ranks(observations: Collection[Observation]) -> list[Observation]:
    """The values of those repetitions in which each rank that the point has left one."""
    expected: dict[tuple[str, Point], set[int | None]] = {}
    found: dict[tuple[str, Point, str, int], set[int | None]] = {}
    for o in observations:
        expected.setdefault((o.callpath, o.point), set()).add(o.rank)
        found.setdefault((o.callpath, o.point, o.metric, o.repetition or 0), set()).add(o.rank)
    return [
        o
        for o in observations
        if found[o.callpath, o.point, o.metric, o.repetition or 0] == expected[o.callpath, o.point]
    ]


def _complete_points(observations: Iterable[Observation]) -> dict[str, set[Point]]:
    """The points of each call path that have every metric of it."""
    metrics: dict[str, dict[Point, set[str]]] = {}
    for o in observations:
        metrics.setdefault(o.callpath, {}).setdefault(o.point, set()).add(o.metric)
    return {
        callpath: {at for at, own in points.items() if own == set().union(*points.values())}
        for callpath, points in metrics.items()
    }


def _kernel(callpath: str, points: _Kernel, name: str) -> RankedKernel:
    names = {tuple(p for p, _ in point) for point in points}
    if len(names) > 1:
        raise DataError(f"{name}: {callpath}: observations differ in which parameters they have")
    experiments = []
    for point in sorted(points):
        metrics = points[point]
        ranks = sorted({rank for cell in metrics.values() for rank, _ in cell})
        values = {}
        for metric, cell in metrics.items():
            repetitions = sorted({repetition for _, repetition in cell}, key=str)
            if len(cell) != len(ranks) * len(repetitions):
                at = ", ".join(f"{p}={v:g}" for p, v in point)
                raise DataError(f"{name}: {callpath}, {metric}: some rank has no value at {at}")
            values[metric] = np.array(
                [[cell[rank, r] for r in repetitions] for rank in ranks], dtype=float
            )
        experiments.append(
            Experiment(tuple(float(v) for _, v in point), np.array(ranks, dtype=np.int64), values)
        )
    return RankedKernel(callpath, names.pop(), tuple(experiments))
