"""Write CSV: a column for each parameter, then callpath, metric, value, rank, thread, repetition.

An empty cell says that the observation has no such parameter, rank, thread or repetition; a last
column unit stands where units are known.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace

from looplaw_common import text
from modeling import DataError
from modeling.data.observations import Observation
from modeling.readers.tables import METRIC_PREFIX, UNIT

_COLUMNS = ("callpath", "metric", "value", "rank", "thread", "repetition")


def for_spreadsheets(o: Observation) -> Observation:
    """With names that a spreadsheet does not compute (`text.for_spreadsheets`)."""
    params = {text.for_spreadsheets(name): value for name, value in o.params.items()}
    names = text.for_spreadsheets(o.callpath), text.for_spreadsheets(o.metric)
    unit = o.unit and text.for_spreadsheets(o.unit)
    return replace(o, params=params, callpath=names[0], metric=names[1], unit=unit)


def write_csv(observations: Sequence[Observation]) -> str:
    """One row for each observation.

    Raises:
        DataError: CSV would give the name of a parameter, call path or metric another meaning.
    """
    names = list(dict.fromkeys(name for o in observations for name in o.params))
    for name in names:
        taken = name in (*_COLUMNS, UNIT) or name.startswith(METRIC_PREFIX)
        if taken or not name or name != name.strip().lstrip("\ufeff") or not text.encodable(name):
            raise DataError(
                f"parameter {name!r}: CSV cannot have a column of that name for it; use --format"
                " jsonl"
            )
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    units = (UNIT,) if any(o.unit for o in observations) else ()
    writer.writerow((*names, *_COLUMNS, *units))
    for o in observations:
        texts = o.callpath + o.metric + (o.unit or "")
        if "\r" in texts or "\0" in texts or not text.encodable(texts):
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
            *((o.unit,) if units else ()),
        )
        writer.writerow(
            ["" if c is None else repr(c) if isinstance(c, float) else c for c in cells]
        )
    return out.getvalue()
