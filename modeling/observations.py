"""Single observations in JSON Lines, with what aggregation drops: rank, thread and repetition."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .errors import DataError

Point = tuple[tuple[str, float], ...]
"""Parameters and their values, sorted by name."""
_MAX_LINE = 1 << 20


@dataclass(frozen=True)
class Observation:
    """One value; rank: None where the line has none; repetition: what it calls its run, else None; spread: is it one of
    several ranks' or threads'; line: its number."""

    point: Point
    callpath: str
    metric: str
    value: float
    rank: int | None
    repetition: str | None
    spread: bool
    line: int


def observations(text: str, name: str) -> Iterator[Observation]:
    """The observations in a text, line by line.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _observation(line, f"{name}:{number}", number)


def _observation(line: str, where: str, number: int) -> Observation:
    if len(line) > _MAX_LINE:
        raise DataError(f"{where}: a line of {len(line)} characters")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: not JSON: {error}") from None
    if not isinstance(data, Mapping) or not isinstance(data.get("params"), Mapping) or "value" not in data:
        raise DataError(f'{where}: an observation is an object with "params" and "value"')
    callpath, metric, rank = data.get("callpath", "main"), data.get("metric", "time"), data.get("rank")
    if not isinstance(callpath, str) or not isinstance(metric, str):
        raise DataError(f'{where}: "callpath" and "metric" must be text')
    if rank is not None and (isinstance(rank, bool) or not isinstance(rank, int) or not 0 <= rank < 2**31):
        raise DataError(f'{where}: "rank" is {json.dumps(rank)[:40]}, not a whole number from 0')
    point = tuple(sorted((str(k), _number(v, f"parameter {k}", where)) for k, v in data["params"].items()))
    repetition = data.get("repetition")
    return Observation(point, callpath, metric, _number(data["value"], "value", where), rank,
                       None if repetition is None else str(repetition)[:64], rank is not None or "thread" in data, number)


def _number(value: object, what: str, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e300 or not math.isfinite(value):
        raise DataError(f"{where}: {what} is {json.dumps(value)[:40]}, not a finite number")
    return float(value)
