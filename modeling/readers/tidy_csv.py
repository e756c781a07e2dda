"""CSV in the tidy form: a header, one observation a line.

Columns named callpath (or region, kernel, function), metric, value, rank, thread and repetition have that meaning; every
other column of numbers is a parameter. Without a value column the columns time, time_s, ... that are named with the prefix
"metric:" hold one metric each.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from ..errors import DataError
from .collect import Observation, number_text

_CALLPATH = ("callpath", "region", "kernel", "function")
_IGNORED = ("rank", "thread", "repetition")
_METRIC_PREFIX = "metric:"


def read_csv(text: str, name: str) -> Iterator[Observation]:
    """Parse the file.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff")))
    header = [c.strip() for c in next(rows, [])]
    if len(set(header)) != len(header):
        raise DataError(f"{name}:1: two columns have the same name")
    path = next((header.index(c) for c in _CALLPATH if c in header), None)
    metric = header.index("metric") if "metric" in header else None
    values = {k: c.removeprefix(_METRIC_PREFIX) for k, c in enumerate(header) if c.startswith(_METRIC_PREFIX)}
    if "value" in header:
        values[header.index("value")] = "time"
    if not values:
        raise DataError(f"{name}:1: no column is called value or {_METRIC_PREFIX}NAME")
    special = {path, metric, *values, *(header.index(c) for c in _IGNORED if c in header)}
    parameters = [k for k in range(len(header)) if k not in special]
    try:
        for row in rows:
            if not row:
                continue
            where = f"{name}:{rows.line_num}"
            if len(row) != len(header):
                raise DataError(f"{where}: {len(row)} fields, the header has {len(header)}")
            params = tuple(sorted((header[k], number_text(row[k], f"parameter {header[k]}", where)) for k in parameters))
            for k, called in values.items():
                if row[k].strip():
                    yield Observation(row[path].strip() if path is not None else "main",
                                      row[metric].strip() if metric is not None and called == "time" else called,
                                      params, number_text(row[k], called, where))
    except csv.Error as error:
        raise DataError(f"{name}:{rows.line_num}: {error}") from None


def is_csv(text: str) -> bool:
    """Does the header name a value?"""
    header = [c.strip() for c in text.lstrip("\ufeff").split("\n", 1)[0].split(",")]
    return "value" in header or any(c.startswith(_METRIC_PREFIX) for c in header)
