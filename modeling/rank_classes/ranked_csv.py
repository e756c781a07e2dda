"""Per-rank measurements in CSV: a header, a row for each rank of a run, several metrics in columns
of their own.

Columns called callpath (or region, kernel, function), rank and repetition (or rep, run) have that
meaning; metrics and parameters are either named by the caller or, as in tidy CSV, the columns
`value` and `metric:NAME`, and all others.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from looplaw_common.errors import DataError, InputError

from ..data.checks import number_text
from ..data.observations import Point
from ..data.ranks import RankedMeasurements, Row, from_rows
from .rank_rules import ClassOf

_CALLPATH = ("callpath", "region", "kernel", "function")
_REPETITION = ("repetition", "rep", "run")
_PREFIX = "metric:"


@dataclass(frozen=True)
class _Layout:
    """Which column is what: metrics and parameters name -> place; the others None where there is no
    such column."""

    header: tuple[str, ...]
    rank: int
    callpath: int | None
    repetition: int | None
    metric: int | None
    metrics: dict[str, int]
    parameters: dict[str, int]


def ranked_from_csv(
    text: str, name: str, metrics: Sequence[str] = (), parameters: Sequence[str] = ()
) -> RankedMeasurements:
    """Read the table.

    Args:
        metrics: the columns that hold values; by default `value` and those called metric:NAME.
        parameters: the columns that say where a run was measured; by default all that are nothing
            else.

    Raises:
        InputError: there is no such column.
        DataError: FILE:LINE: what is wrong with that line; a rank without a value that others have.
    """
    return from_rows(_observations(text, name, metrics, parameters), name)


def classes_from_csv(text: str, name: str, column: str, parameters: Sequence[str]) -> ClassOf:
    """The class of each rank at each point as a column of the table says it.

    Raises:
        InputError: there is no such column.
        DataError: a rank is in two classes at one point.
    """
    layout = _layout(text, name, (), parameters, column)
    place = layout.header.index(column)
    found: dict[tuple[Point, int], str] = {}
    for where, row in _rows(text, name, layout):
        key = _point(row, layout, where), _rank(row, layout, where)
        if found.setdefault(key, row[place].strip()) != row[place].strip():
            raise DataError(
                f"{where}: rank {key[1]} is in the class {row[place].strip()} here and in"
                f" {found[key]} before"
            )
    return ClassOf(column, found)


def _layout(
    text: str,
    name: str,
    metrics: Sequence[str],
    parameters: Sequence[str],
    label: str | None = None,
) -> _Layout:
    header = [c.strip() for c in next(csv.reader(io.StringIO(text.lstrip("\ufeff"))), [])]
    if len(set(header)) != len(header):
        raise DataError(f"{name}:1: two columns have the same name")
    if missing := [
        c for c in (*metrics, *parameters, *([label] if label else [])) if c not in header
    ]:
        raise InputError(f"{name}: no column {', '.join(missing)}; there are {', '.join(header)}")
    if "rank" not in header:
        raise DataError(
            f"{name}:1: no column is called rank; clusters need the value of every rank"
        )
    path = next((header.index(c) for c in _CALLPATH if c in header), None)
    repetition = next((header.index(c) for c in _REPETITION if c in header), None)
    found = {m: header.index(m) for m in metrics} or {
        c.removeprefix(_PREFIX): k
        for k, c in enumerate(header)
        if c.startswith(_PREFIX) or c == "value"
    }
    if not found and label is None:
        raise InputError(
            f"{name}: which columns hold values? Name them, as in --values time_s; there are"
            f" {', '.join(header)}"
        )
    taken = {path, repetition, header.index("rank"), *found.values()}
    kind = header.index("metric") if "metric" in header and not metrics else None
    own = {c: k for k, c in enumerate(header) if k not in taken and k != kind and c != label}
    return _Layout(
        tuple(header),
        header.index("rank"),
        path,
        repetition,
        kind,
        found,
        {c: header.index(c) for c in parameters} or own,
    )


def _rows(text: str, name: str, layout: _Layout) -> Iterator[tuple[str, list[str]]]:
    """(FILE:LINE, fields) of every row."""
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff")))
    next(rows, None)
    try:
        for row in rows:
            where = f"{name}:{rows.line_num}"
            if row and len(row) != len(layout.header):
                raise DataError(f"{where}: {len(row)} fields, the header has {len(layout.header)}")
            if row:
                yield where, row
    except csv.Error as error:
        raise DataError(f"{name}:{rows.line_num}: {error}") from None


def _observations(
    text: str, name: str, metrics: Sequence[str], parameters: Sequence[str]
) -> Iterator[Row]:
    layout = _layout(text, name, metrics, parameters)
    empty = True
    for where, row in _rows(text, name, layout):
        empty = False
        callpath = "main" if layout.callpath is None else row[layout.callpath].strip()
        repetition = "0" if layout.repetition is None else row[layout.repetition].strip()
        point, rank = _point(row, layout, where), _rank(row, layout, where)
        for metric, k in layout.metrics.items():
            called = "time" if metric == "value" else metric
            if layout.metric is not None and metric == "value":
                called = row[layout.metric].strip()
            yield callpath, called, point, rank, repetition, number_text(row[k], called, where)
    if empty:
        raise DataError(f"{name}: holds no observations")


def _point(row: Sequence[str], layout: _Layout, where: str) -> Point:
    try:
        return tuple(
            sorted(
                (c, number_text(row[k], f"parameter {c}", where))
                for c, k in layout.parameters.items()
            )
        )
    except DataError as error:
        raise DataError(
            f"{error}; name the columns that are parameters, as in --params p,size"
        ) from None


def _rank(row: Sequence[str], layout: _Layout, where: str) -> int:
    value = number_text(row[layout.rank], "rank", where)
    if value != round(value) or not 0 <= value < 2**31:
        raise DataError(f"{where}: rank is {row[layout.rank]}, not a whole number from 0")
    return int(value)
