"""CSV: a column for each parameter, then callpath, metric, value, rank, thread, repetition. An
empty cell of a parameter, of rank, thread or repetition says that the observation has none."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from modeling import DataError
from modeling.data.checks import exact_text

from .observations import Observation

_COLUMNS = ("callpath", "metric", "value", "rank", "thread", "repetition")
_REQUIRED = _COLUMNS[:3]


def write_csv(observations: Sequence[Observation]) -> str:
    """One row an observation.

    Raises:
        DataError: a parameter has the name of another column.
    """
    names = list(dict.fromkeys(name for o in observations for name in o.params))
    for name in names:
        if name in _COLUMNS or not name or name != name.strip():
            raise DataError(
                f"parameter {name!r}: CSV cannot have a column of that name for it; use --format"
                " jsonl"
            )
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*names, *_COLUMNS))
    for o in observations:
        if "\r" in o.callpath + o.metric or "\0" in o.callpath + o.metric:
            raise DataError(
                f"{o.callpath!r}, {o.metric!r}: CSV cannot hold these characters; use --format"
                " jsonl"
            )
        cells = (
            *(o.params.get(n) for n in names),
            o.callpath,
            o.metric,
            o.value,
            o.rank,
            o.thread,
            o.repetition,
        )
        writer.writerow(
            ["" if c is None else repr(c) if isinstance(c, float) else c for c in cells]
        )
    return out.getvalue()


def read_csv(text: str, name: str) -> tuple[Observation, ...]:
    """Parse observations; columns that are none of ours are parameters.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        head = next(rows, [])
        for column in _REQUIRED:
            if column not in head:
                raise DataError(
                    f"{name}:1: there is no column {column!r}; the first line names the parameters"
                    f" and {', '.join(_COLUMNS)}"
                )
        if len(set(head)) != len(head):
            raise DataError(f"{name}:1: a column occurs twice")
        found = []
        for row in rows:
            where = f"{name}:{rows.line_num}"
            if not row:
                continue
            if len(row) != len(head):
                raise DataError(f"{where}: {len(row)} cells, but there are {len(head)} columns")
            found.append(_observation(dict(zip(head, row, strict=True)), where))
        return tuple(found)
    except csv.Error as error:
        raise DataError(f"{name}:{rows.line_num}: not CSV: {error}") from None


def _observation(row: Mapping[str, str], where: str) -> Observation:
    params = {
        k: exact_text(v, f"parameter {k}", where)
        for k, v in row.items()
        if k not in _COLUMNS and v != ""
    }
    return Observation(
        params,
        row["callpath"],
        row["metric"],
        exact_text(row["value"], "value", where),
        *(_index(row.get(k, ""), k, where) for k in _COLUMNS[3:]),
    )


def _index(text: str, what: str, where: str) -> int | None:
    if text and not text.isdecimal():
        raise DataError(f"{where}: {what} is {text[:40]!r}, not a number from 0 on")
    return int(text) if text else None
