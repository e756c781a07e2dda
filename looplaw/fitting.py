"""`looplaw.fit`: models of measurements as Python holds them, in arrays, tables and files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from looplaw_common.errors import DataError, InputError
from modeling.data.measurements import Floats, Measurements, Series
from modeling.data.units import unit_in
from modeling.fitter.fit import fit as fit_measurements
from modeling.pmnf.labelled import is_labelled
from modeling.pmnf.model import Models
from modeling.pmnf.terms import Prior

_NAME = "n"
"""The parameter of points that are plain numbers."""
_TOLD_APART = ("callpath", "region", "kernel", "function", "metric")


def fit(
    points: Any,
    values: Any = None,
    *,
    method: Any = "default",
    law: str | None = None,
    callpath: str = "main",
    metric: str = "time",
) -> Any:
    """Fit a model in the performance model normal form to each series of measurements.

    f = c0 + sum_k c_k prod_l x_l^i_kl log2(x_l)^j_kl with rational exponents (Calotoiu et al.,
    SC 2013, Eq. 1); which terms, and how sure that is, the evidence of each hypothesis says.

    Args:
        points: name of each parameter -> its values (P,), as a dict, a DataFrame or an array
            (structured, or (P,) for one parameter called n). Values that broadcast, as n[:, None]
            and p[None, :], are a grid. Alone, without `values`, a table that holds both: a tidy
            DataFrame, a DataArray or Dataset, `Measurements`, or the path of a file (JSON Lines,
            CSV, Extra-P, Google Benchmark, ...).
        values: what was measured at the points, in any unit: (P,), or (P, R) with R repetitions,
            NaN where one is missing, or a list of repetitions for each point. Several series are a
            dict, the columns of a DataFrame, or the dimensions callpath and metric of a DataArray.
        method: how terms are found: "default", or one of `modeling.METHODS`, as "lasso".
        law: a formula whose form is known, as "rows*nnz": only its coefficients are fitted.
        callpath: what the one series is called.
        metric: what was measured; time, and what is named as times are ("wall_time_ms"), is a
            time as in files: its law may end beyond the data.

    Returns:
        A `Model` for one series, `Models` for a table of them. `model.predict({"n": 4096})` has
        value, low and high (a 90 % interval) in the unit of the values.

    Raises:
        InputError: a file is missing, or shapes do not fit together.
        DataError: a value is not a finite number, or there are too few points.
    """
    measurements, is_one = _measurements(points, values, callpath, metric)
    priors: dict[tuple[str, str], Prior] = {}
    if law is not None:
        from modeling.pmnf.known_laws import prior_of

        priors = {(s.callpath, s.metric): prior_of(law, fixed=True) for s in measurements.series}
    models: Models = fit_measurements(measurements, priors, method=method)
    if not is_one:
        return models
    (model,) = models.models
    return model


def _measurements(
    points: Any, values: Any, callpath: str, metric: str
) -> tuple[Measurements, bool]:
    """The measurements, and whether they are one series and no table."""
    if values is None:
        return _table(points)
    if hasattr(values, "dims") and hasattr(values, "coords") and values.coords:
        found, is_one = _of_array(values)
        return found, is_one
    names, columns = _points(points)
    several = _columns(values)
    series = tuple(
        _series(name, metric, names, columns, found)
        for name, found in ([(callpath, values)] if several is None else several)
    )
    if not series:
        raise DataError("no series: the table of values has no columns")
    return Measurements(series), several is None


def _table(table: Any) -> tuple[Measurements, bool]:
    if isinstance(table, Measurements):
        return table, False
    if isinstance(table, (str, Path)):
        from modeling.readers import read

        return read(table), False
    if hasattr(table, "dims") and hasattr(table, "coords"):
        return _of_array(table)
    if hasattr(table, "columns"):
        return _of_frame(table), False
    raise InputError(
        f"looplaw.fit: {type(table).__name__} without values is no table; give fit(points, values),"
        " a DataFrame, a DataArray or the path of a file"
    )


def _of_frame(frame: Any) -> Measurements:
    """The measurements in a tidy DataFrame of pandas, or in any of pandas or polars whose columns
    tell what was measured, as those of files do."""
    names = list(map(str, frame.columns))
    if hasattr(frame, "itertuples") and ("value" in names or {"count", "mean"} <= set(names)):
        return Measurements.from_pandas(frame)
    from modeling.readers.tables import of_rows

    if hasattr(frame, "itertuples"):
        named = frame.index.names != [None]
        frame = frame.reset_index() if named else frame
        rows = frame.itertuples(index=False)
    else:
        rows = frame.iter_rows()
    return of_rows(list(map(str, frame.columns)), rows, "the table")


def _of_array(array: Any) -> tuple[Measurements, bool]:
    found = Measurements.from_xarray(array)
    is_one = not hasattr(array, "data_vars") and not set(_TOLD_APART) & set(map(str, array.dims))
    return found, is_one and len(found.series) == 1


def _points(points: Any) -> tuple[tuple[str, ...], list[Any]]:
    """Names of the parameters and their values, not yet broadcast."""
    if isinstance(points, Mapping):
        named = {str(name): points[name] for name in points}
    elif hasattr(points, "columns"):
        named = {str(name): points[name] for name in points.columns}
    elif hasattr(points, "name") and is_labelled(points):
        named = {str(points.name or _NAME): points}
    else:
        array = np.asarray(points)
        if array.dtype.names:
            named = {name: array[name] for name in array.dtype.names}
        elif array.ndim == 1:
            named = {_NAME: array}
        else:
            raise InputError(
                "points without names are (P,) values of one parameter n; name several, as in"
                ' fit({"n": [...], "p": [...]}, values)'
            )
    return tuple(named), [_numbers(column, name) for name, column in named.items()]


def _columns(values: Any) -> list[tuple[str, Any]] | None:
    """The series of a table; None where the values are one."""
    if isinstance(values, Mapping):
        return [(str(name), found) for name, found in values.items()]
    if hasattr(values, "columns"):
        return [(str(name), values[name]) for name in values.columns]
    return None


def _series(
    callpath: str, metric: str, names: tuple[str, ...], columns: list[Floats], values: Any
) -> Series:
    measured = _numbers(_padded(values), callpath)
    try:
        grid = np.broadcast_arrays(*columns)
    except ValueError:
        shapes = ", ".join(f"{n} {c.shape}" for n, c in zip(names, columns, strict=True))
        raise InputError(f"the values of the parameters do not fit together: {shapes}") from None
    shape = grid[0].shape if grid else ()
    if measured.shape[: len(shape)] != shape or measured.ndim > len(shape) + 1:
        raise InputError(
            f"{callpath}: values {measured.shape} for points {shape}; they are {shape}, or"
            f" {(*shape, 'R')} with R repetitions".replace("'R'", "R")
        )
    points = np.stack([g.reshape(-1) for g in grid], axis=1)
    rows = measured.reshape(len(points), -1)
    if np.isinf(rows).any():
        raise DataError(f"{callpath}: a value is infinite")
    kept = [(p, r[~np.isnan(r)]) for p, r in zip(points.tolist(), rows, strict=True)]
    found = Series.from_values(
        callpath, metric, names, *_unzipped((p, r.tolist()) for p, r in kept if len(r))
    )
    unit = unit_in(metric)
    return replace(found, unit=unit) if unit else found


def _unzipped(pairs: Iterable[tuple[Any, Any]]) -> Iterator[list[Any]]:
    found = list(pairs)
    yield [a for a, _ in found]
    yield [b for _, b in found]


def _padded(values: Any) -> Any:
    """Repetitions of each point, where points have more or fewer of them, as rows of one length."""
    if not isinstance(values, list | tuple) or not all(isinstance(v, list | tuple) for v in values):
        return values
    longest = max(map(len, values), default=0)
    return [[*v, *[math.nan] * (longest - len(v))] for v in values]


def _numbers(column: Any, name: str) -> Floats:
    try:
        return np.asarray(column, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{name}: its values are not numbers") from None
