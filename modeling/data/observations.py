"""Single observations in JSON Lines, with what aggregation drops: rank, thread and repetition."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from looplaw_common.errors import DataError

from .checks import number, observation_fields, point

Point = tuple[tuple[str, float], ...]
"""Parameters and their values, sorted by name."""


@dataclass(frozen=True)
class Observation:
    """One value; rank: None where the line has none; repetition: what it calls its run, else None;
    spread: is it one of several ranks' or threads'; line: its number."""

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
    for count, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _observation(line, f"{name}:{count}", count)


def _observation(line: str, where: str, count: int) -> Observation:
    data, callpath, metric = observation_fields(line, where)
    rank, repetition = data.get("rank"), data.get("repetition")
    if rank is not None and (
        isinstance(rank, bool) or not isinstance(rank, int) or not 0 <= rank < 2**31
    ):
        raise DataError(f'{where}: "rank" is {json.dumps(rank)[:40]}, not a whole number from 0')
    return Observation(
        point(data.get("params"), where),
        callpath,
        metric,
        number(data["value"], "value", where),
        rank,
        None if repetition is None else str(repetition)[:64],
        rank is not None or "thread" in data,
        count,
    )
