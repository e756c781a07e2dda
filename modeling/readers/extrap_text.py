"""Extra-P's text format: PARAMETER names, POINTS, and for each REGION and METRIC a line of DATA,
its repetitions, a point.

    PARAMETER n
    PARAMETER p
    POINTS (64 1) (128 1) (64 2) (128 2)
    REGION main->solve
    METRIC time
    DATA 1.5 1.6

As in Extra-P, a metric may stand before or behind its region and holds until the next one; points
of one parameter need no brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from looplaw_common.errors import DataError

from ..data.checks import MAX_PARAMETERS, exact_text, measured_text
from ..data.observations import Number, Observation
from .reader import TextReader
from .value_lists import numbered_repetitions

_FIELDS = ("PARAMETER", "POINTS", "METRIC", "REGION", "DATA", "EXPERIMENT")
_GROUP = re.compile(r"\(([^()]*)\)")


def read_extrap_text(text: str, name: str) -> Iterator[Observation]:
    """Observations; the values of a line are repetitions.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    names: list[str] = []
    points: list[dict[str, Number]] = []
    metric, region, place = "time", "main", 0
    seen: set[tuple[str, str]] = set()
    for count, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{name}:{count}"
        field, _, rest = " ".join(line.split()).partition(" ")
        if field == "PARAMETER":
            names += rest.split()
            if len(names) > MAX_PARAMETERS or len(set(names)) != len(names):
                raise DataError(
                    f"{where}: parameters must have different names, at most {MAX_PARAMETERS}"
                )
        elif field == "POINTS":
            points += _points(rest, names, where)
        elif field in ("METRIC", "REGION"):
            _complete(place, len(points), region, metric, where)
            region, metric, place = (region, rest, 0) if field == "METRIC" else (rest, metric, 0)
        elif field == "DATA":
            if place >= len(points):
                raise DataError(f"{where}: more DATA lines than the {len(points)} POINTS")
            if place == 0 and (region, metric) in seen:
                raise DataError(f"{where}: {region}, {metric} has data twice")
            seen.add((region, metric))
            for value in rest.split():
                yield Observation(
                    points[place],
                    region,
                    metric,
                    measured_text(value, "a value", where),
                    line=count,
                )
            place += 1
        elif field != "EXPERIMENT":
            raise DataError(f"{where}: {field[:40]!r} is none of {', '.join(_FIELDS)}")
    _complete(place, len(points), region, metric, name)


def is_extrap_text(text: str) -> bool:
    """Does the first line that is no comment start with a field of the format?"""
    first = next(
        (line for line in text[: 1 << 16].split("\n") if line.strip() and not line.startswith("#")),
        "",
    )
    return first.split(maxsplit=1)[:1] != [] and first.split(maxsplit=1)[0] in _FIELDS


def _complete(lines: int, points: int, region: str, metric: str, where: str) -> None:
    """Values belong to points by their order, so none may be missing."""
    if lines and lines < points:
        raise DataError(
            f"{where}: {region}, {metric} has {lines} lines of DATA for {points} POINTS"
        )


def _points(text: str, names: list[str], where: str) -> list[dict[str, Number]]:
    if not names:
        raise DataError(f"{where}: POINTS before PARAMETER")
    groups = (
        [g.replace(",", " ").split() for g in _GROUP.findall(text)]
        if "(" in text
        else [[word] for word in text.split()]
        if len(names) == 1
        else [text.split()]
    )
    if "(" in text and _GROUP.sub("", text).strip(" ,"):
        raise DataError(f"{where}: points of {len(names)} parameters are written (a b) (c d)")
    found = []
    for group in groups:
        if len(group) != len(names):
            raise DataError(
                f"{where}: the point ({' '.join(group)}) has {len(group)} values for {len(names)}"
                " parameters"
            )
        found.append(
            {n: exact_text(v, f"parameter {n}", where) for n, v in zip(names, group, strict=True)}
        )
    return found


READERS = (
    TextReader(
        "Extra-P text",
        ".txt",
        is_extrap_text,
        read_extrap_text,
        observe_strictly=numbered_repetitions(read_extrap_text),
    ),
)
