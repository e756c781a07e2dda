"""Reduce repetitions or ranks to one value for each point, and derive metrics from others:
speed-up, efficiency, cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from looplaw_common.errors import InputError

from .measurements import Floats, Series
from .parameter_roles import Scaling, dependent_size, processes_of, scaling_of

REDUCTIONS: Mapping[str, Callable[[Floats], float]] = {
    "mean": lambda v: float(v.mean()),
    "median": lambda v: float(np.median(v)),
    "min": lambda v: float(v.min()),
    "max": lambda v: float(v.max()),
    "sum": lambda v: float(v.sum()),
}
"""Name -> reduction; besides these, q00 .. q100 are quantiles in %."""


def reduction(name: str) -> Callable[[Floats], float]:
    """The reduction of that name.

    Raises:
        InputError: there is none.
    """
    if name in REDUCTIONS:
        return REDUCTIONS[name]
    if name[:1] == "q" and name[1:].isdigit() and 0 <= int(name[1:]) <= 100:
        return lambda v: float(np.quantile(v, int(name[1:]) / 100))
    raise InputError(
        f"reduction {name}: there are {', '.join(REDUCTIONS)}, and quantiles such as q90"
    )


def reduced(
    callpath: str,
    metric: str,
    parameters: Sequence[str],
    points: Sequence[Sequence[float]],
    values: Sequence[Sequence[float]],
    name: str,
) -> Series:
    """A series with one value for each point, reduced from the repetitions (or ranks) there.

    Raises:
        InputError: no such reduction.
        DataError: a value is not finite.
    """
    reduce = reduction(name)
    return Series.from_values(
        callpath, metric, parameters, points, [reduce(np.asarray(v, dtype=float)) for v in values]
    )


def cost(series: Series, processes: str | None = None) -> Series:
    """Time times processes, which perfect strong scaling keeps constant.

    Args:
        processes: the parameter that is their number; by default n_resources, else p.

    Raises:
        InputError: no such parameter.
    """
    return _scaled(series, series.points[:, _column(series, processes)], "cost")


def speedup(series: Series, processes: str | None = None, scaling: Scaling | None = None) -> Series:
    """Speed-up over the fewest processes with the same other parameters: work per time relative to
    theirs. In strong scaling it is the ratio of the times; in weak scaling, where the work grows
    with the processes, that ratio times the ratio of the processes.

    Args:
        processes: the parameter that is their number; by default n_resources, else p.
        scaling: how the program was scaled; by default as the problem sizes tell, else strong.

    Raises:
        InputError: no such parameter, or a time is not positive.
    """
    time, fewest = _base(series, _column(series, processes))
    grown = (
        series.points[:, _column(series, processes)] / fewest
        if _kind(series, scaling) == "weak"
        else 1.0
    )
    return _scaled(_inverse(series), time * grown, "speedup")


def efficiency(
    series: Series, processes: str | None = None, scaling: Scaling | None = None
) -> Series:
    """Speed-up over the ratio of the processes: 1 for perfect scaling. Arguments as for `speedup`.

    Raises:
        InputError: no such parameter, or a time is not positive.
    """
    time, fewest = _base(series, _column(series, processes))
    grown = series.points[:, _column(series, processes)] / fewest
    return _scaled(
        _inverse(series), time / (1.0 if _kind(series, scaling) == "weak" else grown), "efficiency"
    )


def _kind(series: Series, scaling: Scaling | None) -> Scaling:
    return scaling or scaling_of(series) or "strong"


def _column(series: Series, processes: str | None) -> int:
    return series.parameters.index(processes_of(series, processes))


def _base(series: Series, k: int) -> tuple[Floats, Floats]:
    """(time, number of processes) (P,) of the fewest processes, the k-th parameter, that were
    measured with each point's other parameters; a dependent size is not one of these."""
    dependent = dependent_size(series.parameters, series.points)
    same = [n for n, name in enumerate(series.parameters) if n != k and name != dependent]
    others = series.points[:, same]
    _, label = np.unique(others, axis=0, return_inverse=True)
    label = label.reshape(-1)
    time, number = np.empty(len(label)), np.empty(len(label))
    for one in range(label.max() + 1):
        rows = np.flatnonzero(label == one)
        first = rows[series.points[rows, k].argmin()]
        time[rows], number[rows] = series.means[first], series.points[first, k]
    return time, number


def _inverse(series: Series) -> Series:
    """1 / y; relative deviations are the same, to first order."""
    if (series.means <= 0).any():
        raise InputError(
            f"{series.callpath}, {series.metric}: not positive everywhere, so there is no speed-up"
        )
    return Series(
        series.callpath,
        series.metric,
        series.parameters,
        series.points,
        series.counts,
        1 / series.means,
        series.squares / series.means**4,
    )


def _scaled(series: Series, factor: Floats, metric: str) -> Series:
    return Series(
        series.callpath,
        metric,
        series.parameters,
        series.points,
        series.counts,
        series.means * factor,
        series.squares * factor**2,
        None if series.lows is None else series.lows * factor,
        None if series.highs is None else series.highs * factor,
    )
