"""Measurements as tables of pandas and arrays of xarray, both ways; neither is
needed for anything else.

A tidy table has a row for each observation: columns callpath (or region, kernel, function), metric
and value, others are parameters. Aggregated, it has count, mean and std (that of a sample) instead
of value; this is what `to_pandas` writes, since measurements keep no single observations. In an
array the parameters, call path, metric and repetition are dimensions, and what was not measured is
NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from looplaw_common.errors import DataError, InputError

from ..data.checks import symbols
from ..data.measurements import Floats, Measurements, Series
from ..data.parameter_roles import independent

if TYPE_CHECKING:
    import pandas
    import xarray

CALLPATH = ("callpath", "region", "kernel", "function")
REPEATED = ("rank", "thread", "repetition")
"""Columns of a tidy table, and dimensions of an array, that only tell observations at one point
apart."""
_STATISTICS = ("count", "mean", "std")
_MOST_CELLS = 50_000_000


def from_pandas(frame: pandas.DataFrame, parameters: Sequence[str] | None = None) -> Measurements:
    """Measurements from a tidy table.

    Args:
        frame: one row an observation, or one a point with `count`, `mean` and `std`. Without a
            column callpath it is "main", without a column metric "time". Where a parameter is
            missing (NaN) the observation has none of it.
        parameters: which columns are parameters; else all that have no other meaning.

    Raises:
        InputError: columns are missing, or one that should be a parameter is not numbers.
        DataError: a value is missing or not finite; some observations of a series have other
            parameters than others.
    """
    aggregated = "value" not in frame and {"count", "mean"} <= set(frame.columns)
    if "value" not in frame and not aggregated:
        raise InputError(
            f"the table has no column value (nor count and mean), only {_listed(frame.columns)}"
        )
    path = next((c for c in CALLPATH if c in frame), None)
    known = {path, "metric", *REPEATED, *(_STATISTICS if aggregated else ("value",))}
    names = (
        sorted(str(c) for c in frame.columns if c not in known)
        if parameters is None
        else sorted(parameters)
    )
    values = {
        n: _numbers(frame, n) for n in (*names, *(("count", "mean") if aggregated else ("value",)))
    }
    measured = values["mean" if aggregated else "value"]
    wrong = np.flatnonzero(~np.isfinite(measured))
    if len(wrong):
        raise DataError(
            f"row {frame.index[wrong[0]]}: its value is {measured[wrong[0]]}, not a finite number; "
            "leave such rows out with frame.dropna()"
        )
    counts = values["count"] if aggregated else np.ones(len(frame))
    spread = (
        np.nan_to_num(_numbers(frame, "std"))
        if aggregated and "std" in frame
        else np.zeros(len(frame))
    )
    paths = frame[path].astype(str).to_numpy() if path else np.full(len(frame), "main")
    metrics = (
        frame["metric"].astype(str).to_numpy() if "metric" in frame else np.full(len(frame), "time")
    )
    points = np.stack([values[n] for n in names], axis=1) if names else np.empty((len(frame), 0))
    rows: dict[tuple[str, str], list[int]] = {}
    for k, key in enumerate(zip(paths.tolist(), metrics.tolist(), strict=True)):
        rows.setdefault(key, []).append(k)
    if not rows:
        raise DataError("the table has no rows")
    squares = spread**2 * np.maximum(counts - 1, 0)
    return independent(
        Measurements(
            tuple(
                _series(*key, names, points[r], counts[r], measured[r], squares[r])
                for key, r in rows.items()
            )
        )
    )


def _series(
    callpath: str,
    metric: str,
    names: Sequence[str],
    points: Floats,
    counts: Floats,
    means: Floats,
    squares: Floats,
) -> Series:
    """A series of rows that may repeat points; parameters that it has nowhere are none of its own."""
    missing = np.isnan(points)
    own = np.logical_not(missing.all(axis=0))
    if missing[:, own].any():
        name = names[int(np.flatnonzero((missing & own).any(axis=0))[0])]
        raise DataError(
            f"{callpath}, {metric}: some observations have no value of the parameter {name}"
        )
    if not (counts >= 1).all():
        raise DataError(f"{callpath}, {metric}: a count is missing or below 1")
    places, label = np.unique(points[:, own], axis=0, return_inverse=True)
    label = label.reshape(-1)

    def summed(x: Floats) -> Floats:
        return np.bincount(label, x, len(places)).astype(float)

    total = summed(counts)
    mean = summed(counts * means) / total
    called = symbols(
        [n for n, has in zip(names, own.tolist(), strict=True) if has], f"{callpath}, {metric}"
    )
    low, high = None, None
    if (counts == 1).all():
        low, high = np.full(len(places), np.inf), np.full(len(places), -np.inf)
        np.minimum.at(low, label, means)
        np.maximum.at(high, label, means)
    return Series(
        callpath,
        metric,
        called,
        places,
        total,
        mean,
        summed(squares + counts * (means - mean[label]) ** 2),
        low,
        high,
    )


def _numbers(frame: pandas.DataFrame, name: str) -> Floats:
    if name not in frame:
        raise InputError(f"the table has no column {name}, only {_listed(frame.columns)}")
    try:
        found: Floats = frame[name].to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError):
        raise InputError(
            f"the column {name} is not numbers; name the parameters, as in parameters=['n']"
        ) from None
    if np.isinf(found).any():
        raise DataError(f"the column {name} has infinite values")
    return found


def _listed(names: Sequence[object]) -> str:
    return ", ".join(map(str, names)) or "none"


def to_pandas(measurements: Measurements) -> pandas.DataFrame:
    """One row a point of each series: callpath, metric, the parameters, count, mean, std (NaN where
    the count is 1)."""
    import pandas

    names = measurements.parameters
    parts = []
    for s in measurements.series:
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.where(s.counts > 1, np.sqrt(s.squares / (s.counts - 1)), np.nan)
        columns = {
            n: (
                s.points[:, s.parameters.index(n)]
                if n in s.parameters
                else np.full(len(s.points), np.nan)
            )
            for n in names
        }
        parts.append(
            pandas.DataFrame(
                {
                    "callpath": s.callpath,
                    "metric": s.metric,
                    **columns,
                    "count": s.counts,
                    "mean": s.means,
                    "std": spread,
                }
            )
        )
    return (
        pandas.concat(parts, ignore_index=True)
        if parts
        else pandas.DataFrame(columns=["callpath", "metric", *names, *_STATISTICS])
    )


def from_xarray(data: xarray.DataArray | xarray.Dataset) -> Measurements:
    """Measurements from an array, or from a set of arrays that is named by metrics (or is count,
    mean and std of them).

    Dimensions callpath (or region, kernel, function), metric, repetition, rank and thread have that
    meaning, every other one is a parameter whose coordinates are numbers. NaN is what was not
    measured.

    Raises:
        InputError: a parameter has no coordinates, or they are not numbers.
        DataError: nothing was measured, or a value is infinite.
    """
    unnamed = [str(d) for d in data.dims if d not in data.coords and d not in REPEATED]
    if unnamed:
        raise InputError(
            f"the dimension {unnamed[0]} has no coordinates; give its values with assign_coords"
        )
    kept = data.reset_coords(drop=True)
    if not hasattr(kept, "data_vars"):
        table, values = kept.to_dataframe(name="value"), "value"
    elif {"count", "mean"} <= set(map(str, kept.data_vars)):
        table, values = kept.to_dataframe(), "mean"
    else:
        table, values = kept.to_array("metric").to_dataframe(name="value"), "value"
    return from_pandas(table.reset_index().dropna(subset=[values]))


def to_xarray(measurements: Measurements) -> xarray.Dataset:
    """count, mean and std over callpath, metric and every parameter; count is 0 and the others NaN
    where nothing was measured.

    Raises:
        DataError: call paths have different parameters, or the points fill too little of their grid
            for an array.
    """
    import xarray

    names = measurements.parameters
    if any(set(s.parameters) != set(names) for s in measurements.series):
        raise DataError(
            "call paths have different parameters: an array has the same everywhere; use to_pandas"
        )
    axes: dict[str, Any] = {
        "callpath": list(dict.fromkeys(s.callpath for s in measurements.series)),
        "metric": list(dict.fromkeys(s.metric for s in measurements.series)),
    }
    axes |= {
        n: np.unique(
            np.concatenate([s.points[:, s.parameters.index(n)] for s in measurements.series])
        )
        for n in names
    }
    shape = tuple(map(len, axes.values()))
    if np.prod([float(k) for k in shape]) > _MOST_CELLS:
        raise DataError(
            f"an array of {' x '.join(map(str, shape))} cells for "
            f"{sum(len(s.points) for s in measurements.series)} points; use to_pandas"
        )
    count, mean, spread = np.zeros(shape), np.full(shape, np.nan), np.full(shape, np.nan)
    for s in measurements.series:
        place = tuple(np.searchsorted(axes[n], s.points[:, s.parameters.index(n)]) for n in names)
        at = (axes["callpath"].index(s.callpath), axes["metric"].index(s.metric), *place)
        count[at], mean[at] = s.counts, s.means
        with np.errstate(divide="ignore", invalid="ignore"):
            spread[at] = np.where(s.counts > 1, np.sqrt(s.squares / (s.counts - 1)), np.nan)
    dims = tuple(axes)
    return xarray.Dataset(
        {n: (dims, v) for n, v in zip(_STATISTICS, (count, mean, spread), strict=True)}, coords=axes
    )
