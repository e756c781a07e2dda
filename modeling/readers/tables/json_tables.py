"""Records of JSON: lists of objects, one object a line, columns, and what `to_json` wrote.

Objects inside a record are part of it; a list of objects or numbers inside it gives a row each.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from looplaw_common.text import in_one_line

from ...data.units import is_unit, unit_of
from .grid import Grid, Row
from .names import Kind, named

_DEEPEST = 12
_LISTED = 4
"""Notes of what is not used."""
_MOST_CELLS = 1 << 22
"""Cells that lists inside the records of a file may give, as what stands beside them is in each
row."""
_SAID = frozenset((Kind.SIZE, Kind.VARIANT, Kind.UNKNOWN, Kind.REPETITION, Kind.REPETITIONS))
"""What names say of cells that each row of a list has; measurements beside it are one each."""
_MOSTLY = 0.7
_LOGGED = re.compile(r"([^{]{0,200})(\{.*\})\s*")
_WHEN = re.compile(
    r"\[?(?:\d{4}-\d\d-\d\d[T ]?)?(?:\d\d?:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?\]?"
)
"""When a line was written."""
_LEVELS = re.compile(r"\[?\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR)\b\]?", re.IGNORECASE)
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=([^\s,;]+)")
_BYTES = frozenset(("KB", "MB", "GB"))
_MEASURED = frozenset((Kind.TIME, Kind.RATE, Kind.QUANTITY))
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
    found = [(m[1], m[2]) for line in texts if (m := _LOGGED.fullmatch(line))]
    if len(found) < 2 or len(found) < _MOSTLY * len(texts):
        return None
    said = [_said_before(before) for before, _ in found]
    words = {rest for _, rest in said}
    if len(words) > 1 and any(c.isdecimal() for rest in words for c in rest):
        return None  # numbers without names
    records: list[Mapping[str, object]] = []
    for (given, rest), (_, text) in zip(said, found, strict=True):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if isinstance(record, Mapping):
            case = {"case": rest or "plain"} if len(words) > 1 else {}
            records.append({**case, **given, **record})
    grid = _of_records(records, name)
    if grid is None or len(records) == len(texts):
        return grid
    number = len(texts) - len(records)
    without = "line without an object is" if number == 1 else "lines without an object are"
    return replace(grid, notes=(*grid.notes, f"{number} {without} left out"))


def _said_before(text: str) -> tuple[dict[str, str], str]:
    """What a line of a log says before its object: names with values, and other words, without
    when it was written, and how important it is."""
    given = dict(_ASSIGNED.findall(text))
    rest = _LEVELS.sub("", _WHEN.sub("", _ASSIGNED.sub("", text)))
    return given, " ".join(rest.strip(" \t-:|,;[]").split())


def _of_records(records: Sequence[Mapping[str, object]], name: str) -> Grid | None:
    unused: dict[str, str] = {}
    flat: list[dict[_Path, object]] = []
    cells = 0
    for record in records:
        rows_of = _rows(record, unused)
        cells += sum(map(len, rows_of)) if len(rows_of) > 1 else 0
        if cells > _MOST_CELLS:
            unused = {"lists": "would give too many cells"}
            flat = [_own(record) for record in records]
            break
        flat += rows_of
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
    notes = [f"{in_one_line(what)} not used ({why})" for what, why in unused.items()]
    return Grid(name, 1, tuple(names.values()), partial(iter, rows), notes=tuple(notes[:_LISTED]))


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


def _own(record: Mapping[str, object]) -> dict[_Path, object]:
    """What a record holds outside of lists."""
    found: dict[_Path, object] = {}

    def walk(node: Mapping[str, object], path: _Path) -> None:
        for key, value in node.items():
            if isinstance(value, Mapping) and len(path) + 1 < _DEEPEST:
                walk(value, (*path, str(key)))
            elif not isinstance(value, (list, Mapping)):
                found[*path, str(key)] = value

    walk(record, ())
    return found


def _rows(
    record: Mapping[str, object], unused: dict[str, str], above: _Path = ()
) -> list[dict[_Path, object]]:
    """The rows of a record, which may be in a list of another: one, or one for each element of the
    longest list of objects in it, or of its lists of numbers where these are as long and a name
    says that one was measured. What is not used is added -> why."""
    own: dict[_Path, object] = {}
    objects: dict[_Path, list[dict[_Path, object]]] = {}
    numbers: dict[_Path, list[object]] = {}

    def walk(node: Mapping[str, object], path: _Path) -> None:
        for key, value in node.items():
            at = (*path, str(key))
            if isinstance(value, Mapping):
                if len(above) + len(at) < _DEEPEST:
                    walk(value, at)
                else:
                    unused[at[0]] = "is too deep"
            elif not isinstance(value, list):
                own[at] = value
            elif value and all(isinstance(v, Mapping) for v in value):
                if len(above) + len(at) < _DEEPEST:
                    inner = [r for v in value for r in _rows(v, unused, (*above, *at))]
                    objects[at] = [{(*at, *p): v for p, v in row.items()} for row in inner]
                else:
                    unused[at[0]] = "is too deep"
            elif len(value) > 1 and all(type(v) in (int, float) for v in value):
                numbers[at] = value

    walk(record, ())
    found: list[dict[_Path, object]] = max(objects.values(), key=len, default=[])
    unused |= {".".join(p): "is a shorter list" for p, of in objects.items() if of is not found}
    is_measured = any(named(p[-1]).kind in _MEASURED for p in numbers)
    if not found and is_measured and len({len(v) for v in numbers.values()}) == 1:
        found = [dict(zip(numbers, v, strict=True)) for v in zip(*numbers.values(), strict=True)]
    else:
        unused |= {".".join(p): "is a list of numbers" for p in numbers}
    if len(own) * len(found) > _MOST_CELLS:
        unused["lists"] = "would give too many cells"
        return [own]
    if not found:
        return [own]
    said = {p: v for p, v in own.items() if isinstance(v, str) or named(p[-1]).kind in _SAID}
    return [(said if k else own) | row for k, row in enumerate(found)]


def _names(paths: Iterable[_Path]) -> dict[_Path, str]:
    """What paths are called: as much of their end as tells them apart, and more than a unit."""
    known = list(paths)  # none is longer than `_DEEPEST`
    ends = Counter(p[-k:] for p in known for k in range(1, len(p) + 1))
    least = {p: 2 if is_unit(unit_of(p[-1])) or p[-1].upper() in _BYTES else 1 for p in known}
    return {
        p: ".".join(next((p[-k:] for k in range(least[p], len(p)) if ends[p[-k:]] == 1), p))
        for p in known
    }
