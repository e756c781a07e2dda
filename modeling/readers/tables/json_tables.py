"""Records of JSON: lists of objects, one object a line, columns, and what `to_json` wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial

from .grid import Grid, Row
from .names import Kind, named

_DEEPEST = 12


def of_json(text: str, name: str) -> Grid | None:
    """A list of records, one object a line, or what `to_json` of a data frame wrote."""
    records = _records(text) or _leaves(text)
    if not records or not all(isinstance(r, Mapping) for r in records):
        return None
    flat = [_flat(r) for r in records if isinstance(r, Mapping)]
    header = tuple(dict.fromkeys(key for record in flat for key in record))
    if not header or not any(isinstance(v, (int, float)) for r in flat for v in r.values()):
        return None
    rows = [
        Row(
            f"{name}: record {k + 1}",
            k + 1,
            ["" if (v := r.get(h)) is None else str(v) for h in header],
        )
        for k, r in enumerate(flat)
    ]
    return Grid(name, 1, header, partial(iter, rows))


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


def _flat(record: Mapping[str, object]) -> dict[str, object]:
    """A record with the fields of objects inside it, one level deep."""
    found: dict[str, object] = {}
    for key, value in record.items():
        if isinstance(value, Mapping):
            found |= {str(k): v for k, v in value.items() if not isinstance(v, (dict, list))}
        elif not isinstance(value, list):
            found[str(key)] = value
    return found
