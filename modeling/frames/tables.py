"""Tidy tables of pandas and labelled arrays of xarray, as rows of numbers and back.

A tidy table has a row for each observation: the columns callpath (or region, kernel, function),
metric and value; every other column is a parameter. An aggregated table has count, mean and std
(of a sample) instead of value. `to_pandas` writes the aggregated form, since measurements keep no
single observations. In an array, the parameters, call path, metric and repetition are dimensions;
NaN stands for what was not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError, InputError

if TYPE_CHECKING:
    import pandas
    import xarray

CALLPATH = ("callpath", "region", "kernel", "function")
"""Names of the column, or of the dimension, that holds call paths; the first one found counts."""
REPEATED = ("rank", "thread", "repetition")
"""Columns, and dimensions of an array, that only tell observations at one point apart."""
_STATISTICS = ("count", "mean", "std")
_MOST_CELLS = 50_000_000


@dataclass(frozen=True)
class Rows:
    """N rows of a tidy table: callpaths and metrics (N,); names of the m parameters; points (N, m),
    NaN where a row has no value of a parameter; and of the observations that a row stands for their
    number `counts`, their `means` and sums of squared deviations `squares`, each (N,)."""

    callpaths: Sequence[str]
    metrics: Sequence[str]
    names: tuple[str, ...]
    points: NDArray[np.float64]
    counts: NDArray[np.float64]
    means: NDArray[np.float64]
    squares: NDArray[np.float64]

    @property
    def deviations(self) -> NDArray[np.float64]:
        """(N,) standard deviations of a sample; NaN where a row stands for one observation."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found: NDArray[np.float64] = np.where(
                self.counts > 1, np.sqrt(self.squares / (self.counts - 1)), np.nan
            )
        return found


def from_pandas(frame: pandas.DataFrame, parameters: Sequence[str] | None = None) -> Rows:
    """The rows of a tidy table.

    Args:
        frame: one row for each observation, or one for each point with `count`, `mean` and `std`.
            Without a column for call paths they are "main", without a column metric it is "time".
        parameters: which columns are parameters; by default all that have no other meaning.

    Raises:
        InputError: a column is missing, or a column that should be a parameter is not numeric.
        DataError: a value is missing or infinite, or the table is empty.
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
    columns = [_numbers(frame, n) for n in names]
    size = len(frame)
    counts = _numbers(frame, "count") if aggregated else np.ones(size)
    means = _numbers(frame, "mean" if aggregated else "value")
    wrong = np.flatnonzero(~np.isfinite(means))
    if len(wrong):
        raise DataError(
            f"row {frame.index[wrong[0]]}: its value is {means[wrong[0]]}, not a finite number; "
            "leave such rows out with frame.dropna()"
        )
    if not size:
        raise DataError("the table has no rows")
    has_std = aggregated and "std" in frame
    deviations = np.nan_to_num(_numbers(frame, "std")) if has_std else np.zeros(size)
    return Rows(
        frame[path].astype(str).tolist() if path else ["main"] * size,
        frame["metric"].astype(str).tolist() if "metric" in frame else ["time"] * size,
        tuple(names),
        np.stack(columns, axis=1) if columns else np.empty((size, 0)),
        counts,
        means,
        deviations**2 * np.maximum(counts - 1, 0),
    )


def _numbers(frame: pandas.DataFrame, name: str) -> NDArray[np.float64]:
    if name not in frame:
        raise InputError(f"the table has no column {name}, only {_listed(frame.columns)}")
    try:
        found: NDArray[np.float64] = frame[name].to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError):
        raise InputError(
            f"the column {name} is not numbers; name the parameters, as in parameters=['n']"
        ) from None
    if np.isinf(found).any():
        raise DataError(f"the column {name} has infinite values")
    return found


def _listed(names: Sequence[object]) -> str:
    return ", ".join(map(str, names)) or "none"


def to_pandas(rows: Rows) -> pandas.DataFrame:
    """A table with one line for each row: callpath, metric, the parameters, count, mean, std."""
    import pandas

    return pandas.DataFrame(
        {
            "callpath": rows.callpaths,
            "metric": rows.metrics,
            **{n: rows.points[:, k] for k, n in enumerate(rows.names)},
            **dict(zip(_STATISTICS, (rows.counts, rows.means, rows.deviations), strict=True)),
        }
    )


def from_xarray(data: xarray.DataArray | xarray.Dataset) -> Rows:
    """The rows of an array, or of a dataset whose arrays are named after metrics (or are count,
    mean and std).

    The dimensions callpath (or region, kernel, function), metric, repetition, rank and thread have
    the meaning of their names; every other dimension is a parameter with numbers as coordinates.
    NaN stands for what was not measured.

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


def to_xarray(rows: Rows) -> xarray.Dataset:
    """count, mean and std over callpath, metric and every parameter. Where nothing was measured,
    count is 0 and the others are NaN.

    Raises:
        DataError: call paths have different parameters, or the points fill too little of their grid
            for an array.
    """
    import xarray

    if np.isnan(rows.points).any():
        raise DataError(
            "call paths have different parameters: an array has the same everywhere; use to_pandas"
        )
    axes: dict[str, Any] = {
        "callpath": list(dict.fromkeys(rows.callpaths)),
        "metric": list(dict.fromkeys(rows.metrics)),
        **{n: np.unique(rows.points[:, k]) for k, n in enumerate(rows.names)},
    }
    shape = tuple(map(len, axes.values()))
    if np.prod([float(k) for k in shape]) > _MOST_CELLS:
        raise DataError(
            f"an array of {' x '.join(map(str, shape))} cells for {len(rows.means)} points;"
            " use to_pandas"
        )
    number = {name: {key: k for k, key in enumerate(axes[name])} for name in ("callpath", "metric")}
    at = (
        np.array([number["callpath"][c] for c in rows.callpaths], dtype=np.intp),
        np.array([number["metric"][m] for m in rows.metrics], dtype=np.intp),
        *(np.searchsorted(axes[n], rows.points[:, k]) for k, n in enumerate(rows.names)),
    )
    statistics = (np.zeros(shape), np.full(shape, np.nan), np.full(shape, np.nan))
    for table, column in zip(statistics, (rows.counts, rows.means, rows.deviations), strict=True):
        table[at] = column
    dims = tuple(axes)
    return xarray.Dataset(
        {n: (dims, v) for n, v in zip(_STATISTICS, statistics, strict=True)}, coords=axes
    )
