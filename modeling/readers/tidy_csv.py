"""CSV in the tidy form: a header, one observation a line.

Columns named callpath (or region, kernel, function), metric, value, rank, thread and repetition
have that meaning; every other column of numbers is a parameter. Without a value column those named
"metric:NAME", or as times usually are (time, time_s, "elapsed (ms)", runtime, ...), hold one metric
each. Commas, semicolons or tabs separate columns.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from looplaw_common.errors import DataError

from ..data.checks import number_text
from ..data.columns import Observation

_CALLPATH = ("callpath", "region", "kernel", "function")
_IGNORED = ("rank", "thread", "repetition")
_METRIC_PREFIX = "metric:"
_MEASURED = frozenset(
    """time wall walltime wall_time cpu_time user_time system_time elapsed elapsed_time runtime run_time
    execution_time exec_time duration latency seconds milliseconds microseconds nanoseconds""".split()
)
"""Names of times only: bytes or iterations may as well be a parameter, and taken for a metric would
be lost as one."""
_UNIT = re.compile(r"[ _]*(?:[\[(].*[\])]|(?<=[ _])(?:s|sec|ms|us|ns))$")
_LONGEST = 80  # of a name that may be that of a metric; the pattern takes quadratic time
_SEPARATORS = (",", ";", "\t")


def read_csv(text: str, name: str) -> Iterator[Observation]:
    """Parse the file.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    header, separator = _header(text)
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=separator)
    next(rows, None)
    if len(set(header)) != len(header):
        raise DataError(f"{name}:1: two columns have the same name")
    path = next((header.index(c) for c in _CALLPATH if c in header), None)
    metric = header.index("metric") if "metric" in header else None
    values = _metrics(header)
    if not values:
        raise DataError(
            f"{name}:1: which column was measured? Name it value or {_METRIC_PREFIX}NAME; there are"
            f" {', '.join(header)[:200]}"
        )
    special = {path, metric, *values, *(header.index(c) for c in _IGNORED if c in header)}
    parameters = [k for k in range(len(header)) if k not in special]
    try:
        for row in rows:
            if not row:
                continue
            where = f"{name}:{rows.line_num}"
            if len(row) != len(header):
                raise DataError(f"{where}: {len(row)} fields, the header has {len(header)}")
            params = tuple(
                sorted(
                    (header[k], number_text(row[k], f"parameter {header[k]}", where))
                    for k in parameters
                )
            )
            for k, called in values.items():
                if row[k].strip():
                    yield Observation(
                        row[path].strip() if path is not None else "main",
                        row[metric].strip() if metric is not None and called == "time" else called,
                        params,
                        number_text(row[k], called, where),
                    )
    except csv.Error as error:
        raise DataError(f"{name}:{rows.line_num}: {error}") from None


def is_csv(text: str) -> bool:
    """Does the header name what was measured?"""
    return bool(_metrics(_header(text)[0]))


def _header(text: str) -> tuple[list[str], str]:
    """The names of the columns, and what separates them."""
    line = text.lstrip("\ufeff").split("\n", 1)[0]
    separator = next((s for s in _SEPARATORS if s in line), ",")
    try:
        return [c.strip() for c in next(csv.reader([line], delimiter=separator), [])], separator
    except csv.Error:  # not a header of any length that people write
        return [], separator


def _metrics(header: Sequence[str]) -> dict[int, str]:
    """Columns that hold values -> their metric; that of a column "value" is time where no column
    names it."""
    marked = {
        k: c.removeprefix(_METRIC_PREFIX)
        for k, c in enumerate(header)
        if c.startswith(_METRIC_PREFIX)
    }
    if "value" in header:
        marked[header.index("value")] = "time"
    return marked or {
        k: c
        for k, c in enumerate(header)
        if len(c) <= _LONGEST and _UNIT.sub("", c.lower()).replace(" ", "_") in _MEASURED
    }
