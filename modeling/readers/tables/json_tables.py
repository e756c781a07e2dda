"""Records of JSON: lists of objects, one object a line, columns, and what `to_json` wrote.

Objects inside a record are part of it; a list of objects or numbers inside it gives a row each.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from .grid import Grid, Row
from .names import Kind, named

_DEEPEST = 12
_MOST_CELLS = 1 << 22
"""Cells that lists inside records may give, as what stands beside them is in each row."""
_SAID = frozenset((Kind.SIZE, Kind.VARIANT, Kind.UNKNOWN, Kind.REPETITION, Kind.REPETITIONS))
"""What names say of cells that each row of a list has; measurements beside it are one each."""
_MOSTLY = 0.7
_LOGGED = re.compile(r"[^{]{0,200}(\{.*\})\s*")
_Path = tuple[str, ...]


def of_json(text: str, name: str) -> Grid | None:
    """A list of records, one object a line, or what `to_json` of a data frame wrote."""
    records = _records(text) or _leaves(text)
    if not records or not all(isinstance(r, Mapping) for r in records):
        return None
    return _of_records([r for r in records if isinstance(r, Mapping)], name)


def of_json_log(lines: Sequence[str], name: str) -> Grid | None:
    """The objects at the ends of the lines of a log, most of which have one."""
    texts = [line for line in lines if line.strip()]
    found = [m[1] for line in texts if (m := _LOGGED.fullmatch(line))]
    if len(found) < 2 or len(found) < _MOSTLY * len(texts):
        return None
    records = []
    for text in found:
        try:
            records.append(json.loads(text))
        except (ValueError, RecursionError):
            return None
    return _of_records([r for r in records if isinstance(r, Mapping)], name)


def _of_records(records: Iterable[Mapping[str, object]], name: str) -> Grid | None:
    flat = [row for record in records for row in _rows(record)]
    names = _names(dict.fromkeys(path for row in flat for path in row))
    if not names or not any(isinstance(v, (int, float)) for r in flat for v in r.values()):
        return None
    rows = [
        Row(
            f"{name}: record {k + 1}",
            k + 1,
            ["" if (v := r.get(path)) is None else str(v) for path in names],
        )
        for k, r in enumerate(flat)
    ]
    return Grid(name, 1, tuple(names.values()), partial(iter, rows))


def _records(text: str) -> list[object] | None:
    try:
        data = json.loads(text)
    except ValueError:
        return _json_lines(text)
    except RecursionError:
        return None
    if isinstance(data, Mapping):
        if {"columns", "data"} <= set(data) and isinstance(data["data"], list):
            names = data["columns"]
            if isinstance(names, list) and all(isinstance(r, list) for r in data["data"]):
                return [dict(zip(map(str, names), row, strict=False)) for row in data["data"]]
        columns = list(data.values())
        if columns and all(isinstance(c, Mapping) for c in columns):
            keys = list(columns[0])
            # columns as pandas writes them, whose rows are numbered or beside a size; else the keys
            # say what the numbers are of
            is_numbered = keys == [*map(str, range(len(keys)))]
            is_frame = is_numbered or any(named(str(n)).kind is Kind.SIZE for n in data)
            same = is_frame and all(list(c) == keys for c in columns)
            if same and keys and all(not isinstance(v, (dict, list)) for v in columns[0].values()):
                return [{str(n): c[k] for n, c in data.items()} for k in keys]
        if columns and all(isinstance(c, list) for c in columns):
            lengths = {len(c) for c in columns if isinstance(c, list)}
            if all(isinstance(row, Mapping) for c in columns for row in c) and all(columns):
                return [{"key1": key, **row} for key, of in data.items() for row in of]
            if len(lengths) == 1:
                return [dict(zip(data, row, strict=True)) for row in zip(*columns, strict=True)]
        lists = [c for c in columns if isinstance(c, list) and c and isinstance(c[0], Mapping)]
        return list(lists[0]) if len(lists) == 1 else None
    return data if isinstance(data, list) else None


def _leaves(text: str) -> list[object] | None:
    """The objects of numbers in a tree whose keys name what they are of, as {"quick": {"1000":
    0.1}} and {"sort": {"port": {"ns": 3}}}: those that have as many keys above them as most, with
    a column for each of these that differs."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found: dict[tuple[int, bool], list[tuple[tuple[str, ...], Mapping[str, object]]]] = {}

    def walk(node: object, path: tuple[str, ...]) -> None:
        if not isinstance(node, Mapping) or len(path) > _DEEPEST:
            return
        numbers = {str(k): v for k, v in node.items() if type(v) in (int, float)}
        if numbers:
            sizes = all(k.isdecimal() for k in numbers)
            found.setdefault((len(path), sizes), []).append((path, numbers))
        for key, inner in node.items():
            walk(inner, (*path, str(key)))

    walk(data, ())
    leaves = max(found.values(), key=len, default=[])
    common = set.intersection(*(set(numbers) for _, numbers in leaves)) if leaves else set()
    if len(leaves) < 2 or not common:
        return None
    levels = range(len(leaves[0][0]))
    differs = [k for k in levels if len({path[k] for path, _ in leaves}) > 1]
    return [
        {f"key{n}": path[k] for n, k in enumerate(differs, 1)} | dict(numbers)
        for path, numbers in leaves
    ]


def _json_lines(text: str) -> list[object] | None:
    found = []
    for line in text.split("\n"):
        if line.strip():
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError):
                return None
    return found


def _rows(record: Mapping[str, object]) -> list[dict[_Path, object]]:
    """The rows of a record: one, or one for each element of the longest list of objects in it, or
    of its lists of numbers where these are as long."""
    own: dict[_Path, object] = {}
    objects: list[list[dict[_Path, object]]] = []
    numbers: dict[_Path, list[object]] = {}

    def walk(node: Mapping[str, object], path: _Path) -> None:
        for key, value in node.items():
            at = (*path, str(key))
            if isinstance(value, Mapping):
                if len(at) < _DEEPEST:
                    walk(value, at)
            elif not isinstance(value, list):
                own[at] = value
            elif value and all(isinstance(v, Mapping) for v in value):
                inner = (row for v in value for row in _rows(v))
                objects.append([{(*at, *p): v for p, v in row.items()} for row in inner])
            elif len(value) > 1 and all(type(v) in (int, float) for v in value):
                numbers[at] = value

    walk(record, ())
    found: list[dict[_Path, object]] = max(objects, key=len, default=[])
    if not found and len({len(v) for v in numbers.values()}) == 1:
        found = [dict(zip(numbers, v, strict=True)) for v in zip(*numbers.values(), strict=True)]
    if not found or len(own) * len(found) > _MOST_CELLS:
        return [own]
    said = {p: v for p, v in own.items() if isinstance(v, str) or named(p[-1]).kind in _SAID}
    return [(said if k else own) | row for k, row in enumerate(found)]


def _names(paths: Iterable[_Path]) -> dict[_Path, str]:
    """What paths are called: as much of their end as tells them apart."""
    known = list(paths)
    ends = Counter(p[-k:] for p in known for k in range(1, len(p) + 1))
    return {
        p: ".".join(next((p[-k:] for k in range(1, len(p)) if ends[p[-k:]] == 1), p)) for p in known
    }
