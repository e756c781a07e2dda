"""Extra-P's text format: PARAMETER names, POINTS (4 8) (4 16) ..., METRIC, REGION, and a DATA line of repetitions a point."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import DataError
from ..measurements import Measurements
from .collect import MAX_PARAMETERS, Observation, collect, number_text

_FIELDS = ("PARAMETER", "POINTS", "METRIC", "REGION", "DATA", "EXPERIMENT")


def read_extrap_text(text: str, name: str) -> Measurements:
    """Parse the file.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    return collect(_observations(text, name), name)


def is_extrap_text(text: str) -> bool:
    """Does the first line that is no comment start with a field of the format?"""
    first = next((line for line in text[:1 << 16].split("\n") if line.strip() and not line.startswith("#")), "")
    return first.split(maxsplit=1)[:1] != [] and first.split(maxsplit=1)[0] in _FIELDS


def _observations(text: str, name: str) -> Iterator[Observation]:
    names: list[str] = []
    points: list[tuple[tuple[str, float], ...]] = []
    metric, region, place = "time", "main", 0
    for count, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{name}:{count}"
        field, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if field == "PARAMETER":
            names += rest.split()
            if len(names) > MAX_PARAMETERS or len(set(names)) != len(names):
                raise DataError(f"{where}: parameters must have different names, at most {MAX_PARAMETERS}")
        elif field == "POINTS":
            points += _points(rest, names, where)
        elif field == "METRIC":
            metric, place = rest, 0
        elif field == "REGION":
            region, place = rest, 0
        elif field == "DATA":
            if place >= len(points):
                raise DataError(f"{where}: more DATA lines than the {len(points)} POINTS")
            for value in rest.split():
                yield Observation(region, metric, points[place], number_text(value, "a value", where))
            place += 1
        elif field != "EXPERIMENT":
            raise DataError(f"{where}: {field[:40]!r} is none of {', '.join(_FIELDS)}")


def _points(text: str, names: list[str], where: str) -> list[tuple[tuple[str, float], ...]]:
    if not names:
        raise DataError(f"{where}: POINTS before PARAMETER")
    groups = re.findall(r"\(([^()]*)\)", text) or (text.split() if len(names) == 1 else [])
    if not groups:
        raise DataError(f"{where}: points of {len(names)} parameters are written (a b) (c d)")
    found = []
    for group in groups:
        values = group.replace(",", " ").split()
        if len(values) != len(names):
            raise DataError(f"{where}: the point ({group}) has {len(values)} values for {len(names)} parameters")
        found.append(tuple(sorted((n, number_text(v, f"parameter {n}", where)) for n, v in zip(names, values, strict=True))))
    return found
