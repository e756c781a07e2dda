"""Extra-P's JSON: {"parameters": ["n"], "measurements": {callpath: {metric: [{"point": [64], "values": [1.5, 1.6]}]}}}.

Its older form, with lists of numbered parameters, coordinates, call paths and metrics, is read as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from modeling import DataError

from .observations import Number, Observation, number, parameters_of, repetitions

_FORM = "Extra-P's JSON"


def write_extrap_json(observations: Sequence[Observation]) -> str:
    """All series with their points; values in the order of repetitions.

    Raises:
        DataError: ranks, threads, differing parameters, or gaps in the numbers of repetitions.
    """
    names = parameters_of(observations, _FORM)
    measurements: dict[str, dict[str, list[dict[str, object]]]] = {}
    for (callpath, metric), points in repetitions(observations, _FORM).items():
        measurements.setdefault(callpath, {})[metric] = [
            {"point": [dict(point)[name] for name in names], "values": values} for point, values in points.items()]
    return json.dumps({"parameters": list(names), "measurements": measurements}, indent=1) + "\n"


def read_extrap_json(text: str, name: str) -> tuple[Observation, ...]:
    """Parse observations; the values of a point become its repetitions.

    Raises:
        DataError: FILE: what is wrong.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name}: not JSON: {error}") from None
    try:
        return tuple(_older(data, name) if "callpaths" in data else _newer(data, name))
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise DataError(f"{name}: not in {_FORM}: {type(error).__name__} at {error}") from None


def _newer(data: Mapping[str, Any], name: str) -> list[Observation]:
    parameters = [str(p) for p in data["parameters"]]
    found = []
    for callpath, metrics in data["measurements"].items():
        for metric, points in metrics.items():
            for entry in points:
                where = f"{name}: {callpath}, {metric}"
                point = entry["point"] if isinstance(entry["point"], list) else [entry["point"]]
                if len(point) != len(parameters):
                    raise DataError(f"{where}: the point {point} has not {len(parameters)} values")
                params = {p: number(x, f"parameter {p}", where) for p, x in zip(parameters, point, strict=True)}
                values = entry["values"] if isinstance(entry["values"], list) else [entry["values"]]
                found += [Observation(params, callpath, metric, number(v, "value", where), repetition=k)
                          for k, v in enumerate(values)]
    return found


def _older(data: Mapping[str, Any], name: str) -> list[Observation]:
    parameters = {int(p["id"]): str(p["name"]) for p in data["parameters"]}
    callpaths = {int(c["id"]): str(c["name"]) for c in data["callpaths"]}
    metrics = {int(m["id"]): str(m["name"]) for m in data["metrics"]}
    points: dict[int, dict[str, Number]] = {}
    for c in data["coordinates"]:
        pairs = {parameters[int(q["parameter_id"])]: number(_numeric(q["parameter_value"]), "a coordinate", name)
                 for q in c["parameter_value_pairs"]}
        points[int(c["id"])] = {p: pairs[p] for p in parameters.values()}
    taken: dict[tuple[int, int, int], int] = {}
    found = []
    for m in data["measurements"]:
        key = (int(m["coordinate_id"]), int(m["callpath_id"]), int(m["metric_id"]))
        repetition = taken.get(key, 0)
        taken[key] = repetition + 1
        callpath, metric = callpaths[key[1]], metrics[key[2]]
        found.append(Observation(points[key[0]], callpath, metric,
                                 number(_numeric(m["value"]), "value", f"{name}: {callpath}, {metric}"), repetition=repetition))
    return found


def _numeric(value: object) -> object:
    """The older form has numbers as text now and then."""
    return float(value) if isinstance(value, str) else value
