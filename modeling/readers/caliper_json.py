"""Caliper's json-split: {"data": rows, "columns": names, "column_metadata": [{"is_value": true}],
"nodes": the call tree}.

Other top-level entries are metadata of the run from Caliper or Adiak.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from looplaw_common.errors import DataError

from ..data.checks import expect, load_json, measured
from ..data.observations import Observation
from .profiles import NO_METRIC
from .reader import TextReader

_TABLE = ("data", "columns", "column_metadata", "nodes")
_PATHS = ("path", "region", "function")
_RANKS = ("rank", "mpi.rank")
_THREADS = ("thread", "omp.thread.id")


def read_caliper_json(text: str, name: str) -> Iterator[Observation]:
    """Every metric at every node of the call tree, of every rank and thread.

    Raises:
        DataError: what is wrong.
    """
    data = expect(load_json(text, name), dict, "the document", name)
    columns = [str(c) for c in expect(data.get("columns"), list, '"columns"', name)]
    about = expect(data.get("column_metadata"), list, '"column_metadata"', name)
    nodes = expect(data.get("nodes"), list, '"nodes"', name)
    if len(about) != len(columns):
        raise DataError(f'{name}: {len(columns)} columns, but "column_metadata" of {len(about)}')
    values = [
        bool(expect(a, dict, "an entry of column_metadata", name).get("is_value")) for a in about
    ]
    at = next(
        (
            columns.index(c)
            for c in (*_PATHS, *(c for c, v in zip(columns, values, strict=True) if not v))
            if c in columns
        ),
        None,
    )
    if at is None:
        raise DataError(f"{name}: no column is a path in the call tree")
    paths = _paths(nodes, name)
    metrics = [k for k, c in enumerate(columns) if values[k] and not NO_METRIC.search(c)]
    for number_of_row, row in enumerate(expect(data.get("data"), list, '"data"', name)):
        where = f"{name}: row {number_of_row + 1}"
        if len(expect(row, list, "the row", where)) != len(columns):
            raise DataError(f"{where}: {len(row)} values for {len(columns)} columns")
        if row[at] is None:
            continue
        if (
            isinstance(row[at], bool)
            or not isinstance(row[at], int)
            or not 0 <= row[at] < len(paths)
        ):
            raise DataError(f"{where}: {columns[at]} is no number of a node")
        rank, thread = (_index(row, columns, names) for names in (_RANKS, _THREADS))
        for k in metrics:
            if row[k] is not None:
                value = measured(row[k], columns[k], where)
                yield Observation({}, paths[row[at]], columns[k], value, rank, thread)


def _index(row: Sequence[Any], columns: Sequence[str], names: Sequence[str]) -> int | None:
    """The whole number in the first of these columns that exists."""
    found = next((row[columns.index(name)] for name in names if name in columns), None)
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def caliper_globals(text: str, name: str) -> Mapping[str, object]:
    """The metadata of the run."""
    data = expect(load_json(text, name), dict, "the document", name)
    return {k: v for k, v in data.items() if k not in _TABLE}


def is_caliper_json(text: str) -> bool:
    """Does it have Caliper's fields?"""
    return '"column_metadata"' in text and '"nodes"' in text


def _paths(nodes: Sequence[Any], name: str) -> list[str]:
    """The call path of each node; parents precede their children."""
    found: list[str] = []
    for k, node in enumerate(nodes):
        where = f"{name}: node {k}"
        label, parent = str(expect(node, dict, "the node", where).get("label")), node.get("parent")
        if parent is None:
            found.append(label)
        elif isinstance(parent, int) and 0 <= parent < k:
            found.append(f"{found[parent]}->{label}")
        else:
            raise DataError(f"{where}: its parent {parent!r} is no node before it")
    return found


READERS = (
    TextReader(
        "Caliper JSON", ".json", is_caliper_json, read_caliper_json, metadata=caliper_globals
    ),
)
