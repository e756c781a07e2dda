"""JSON Lines: one observation a line, {"params": {"n": 64}, "callpath": "main->solve", "metric": "time", "value": 1.2}.

This is Extra-P's layout. `rank`, `thread` and `repetition` may stand beside; observations that differ only in them are
repetitions of the same point.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from ..errors import DataError
from ..measurements import Measurements, Statistics, from_statistics

_MAX_LINE = 1 << 20
_MAX_PARAMETERS = 64


def read_json_lines(text: str, name: str) -> Measurements:
    """Parse observations.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    groups: dict[tuple[str, str, tuple[str, ...]], dict[tuple[float, ...], Statistics]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        params, callpath, metric, value = _observation(line, where)
        parameters = tuple(sorted(params))
        points = groups.setdefault((callpath, metric, parameters), {})
        point = tuple(params[p] for p in parameters)
        points[point] = points.get(point, Statistics()).plus(Statistics(1, value, 0.0))
    if not groups:
        raise DataError(f"{name}: holds no observations")
    seen: dict[tuple[str, str], tuple[str, ...]] = {}
    for callpath, metric, parameters in groups:
        other = seen.setdefault((callpath, metric), parameters)
        if other != parameters:
            raise DataError(f"{name}: {callpath}, {metric}: some observations have the parameters "
                            f"{', '.join(other)}, others {', '.join(parameters)}")
    return Measurements(tuple(from_statistics(c, m, p, points) for (c, m, p), points in groups.items()))


def _observation(line: str, where: str) -> tuple[dict[str, float], str, str, float]:
    if len(line) > _MAX_LINE:
        raise DataError(f"{where}: a line of {len(line)} characters")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: not JSON: {error}") from None
    if not isinstance(data, Mapping):
        raise DataError(f"{where}: an observation is an object, {{\"params\": ..., \"value\": ...}}")
    params = data.get("params")
    if not isinstance(params, Mapping) or len(params) > _MAX_PARAMETERS:
        raise DataError(f"{where}: \"params\" must be an object of names and numbers")
    if "value" not in data:
        raise DataError(f"{where}: \"value\" is missing")
    callpath, metric = data.get("callpath", "main"), data.get("metric", "time")
    if not isinstance(callpath, str) or not isinstance(metric, str):
        raise DataError(f"{where}: \"callpath\" and \"metric\" must be text")
    return ({str(k): _number(v, f"parameter {k}", where) for k, v in params.items()}, callpath, metric,
            _number(data["value"], "value", where))


def _number(value: object, what: str, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise DataError(f"{where}: {what} is {json.dumps(value)[:40]}, not a number")
    try:
        number = float(value)
    except OverflowError:
        raise DataError(f"{where}: {what} is too large") from None
    if not math.isfinite(number):
        raise DataError(f"{where}: {what} is {number}, not a finite number")
    return number
