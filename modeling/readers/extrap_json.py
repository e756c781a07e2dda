"""Extra-P's JSON format: {"parameters": [...], "measurements": {callpath: {metric: [{"point":
[...], "values": [...]}]}}}, the older one with numbered "callpaths", "metrics", "coordinates" and
"measurements", and the experiments that it saves, which have a "coordinate" and a "mean"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from looplaw_common.errors import DataError

from ..data.checks import exact, expect, load_json, measured
from ..data.observations import Number, Observation
from .reader import TextReader
from .value_lists import numbered_repetitions


def read_extrap_json(text: str, name: str) -> Iterator[Observation]:
    """Parse the file.

    Raises:
        DataError: what is wrong, and in which measurement.
    """
    data = expect(load_json(text, name), dict, "the document", name)
    yield from _numbered(data, name) if "callpaths" in data else _nested(data, name)


def is_extrap_json(text: str) -> bool:
    """Does it have Extra-P's fields?"""
    return text.lstrip().startswith("{") and '"measurements"' in text and '"parameters"' in text


def _nested(data: Mapping[str, Any], name: str) -> Iterator[Observation]:
    names = [
        expect(p, str, "the name of a parameter", name)
        for p in expect(data.get("parameters"), list, '"parameters"', name)
    ]
    if len(set(names)) < len(names):
        raise DataError(f"{name}: two parameters have the same name")
    for callpath, metrics in expect(data.get("measurements"), dict, '"measurements"', name).items():
        for metric, rows in expect(metrics, dict, f"{callpath}", name).items():
            for k, row in enumerate(expect(rows, list, f"{callpath}, {metric}", name)):
                where = f"{name}: {callpath}, {metric}, measurement {k + 1}"
                row = expect(row, dict, "the measurement", where)
                raw = row.get("point", row.get("coordinate"))
                values = (
                    [raw] if isinstance(raw, (int, float)) else expect(raw, list, '"point"', where)
                )
                if len(values) != len(names):
                    raise DataError(
                        f"{where}: the point has {len(values)} values for {len(names)} parameters"
                    )
                params = {
                    n: exact(v, f"parameter {n}", where) for n, v in zip(names, values, strict=True)
                }
                found = row.get("mean") if "mean" in row else row.get("values")
                for value in (
                    [found]
                    if isinstance(found, (int, float))
                    else expect(found, list, '"values"', where)
                ):
                    yield Observation(params, callpath, metric, measured(value, "a value", where))


def _numbered(data: Mapping[str, Any], name: str) -> Iterator[Observation]:
    tables: dict[str, dict[object, Any]] = {}
    for kind in ("parameters", "callpaths", "metrics", "coordinates"):
        rows = expect(data.get(kind), list, f'"{kind}"', name)
        tables[kind] = {_number_of(row, f"an entry of {kind}", name): row for row in rows}
    for k, row in enumerate(expect(data.get("measurements"), list, '"measurements"', name)):
        where = f"{name}: measurement {k + 1}"
        row = expect(row, dict, "the measurement", where)
        try:
            callpath = str(tables["callpaths"][row["callpath_id"]]["name"])
            metric = str(tables["metrics"][row["metric_id"]]["name"])
            pairs = tables["coordinates"][row["coordinate_id"]]["parameter_value_pairs"]
            params: dict[str, Number] = {
                str(tables["parameters"][p["parameter_id"]]["name"]): exact(
                    p["parameter_value"], "a parameter", where
                )
                for p in pairs
            }
            value = row["value"]
        except (KeyError, TypeError) as error:
            raise DataError(f"{where}: {error} is missing or refers to nothing") from None
        yield Observation(params, callpath, metric, measured(value, "the value", where))


def _number_of(row: object, what: str, name: str) -> object:
    found = expect(row, dict, what, name).get("id")
    if not isinstance(found, (int, str)):
        raise DataError(f"{name}: {what} has no id")
    return found


READERS = (
    TextReader(
        "Extra-P JSON",
        ".json",
        is_extrap_json,
        read_extrap_json,
        observe_strictly=numbered_repetitions(read_extrap_json),
    ),
)
