"""Places of loops as short as they can be told apart: the end of a path, and the column only where
several loops start on a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

_PLACE = re.compile(r"(.+):(\d+):(\d+)( \[.*\])?", re.DOTALL)
"""A place, and of what a law there is, as in rows.cl:5:3 [depth]."""


def short_places(places: Iterable[str]) -> dict[str, str]:
    """Place -> the shortest text that names it and no other one, as solver.c:12 for
    src/core/solver.c:12:7."""
    every = list(dict.fromkeys(places))
    found = {at: _parts(match) for at in every if (match := _PLACE.fullmatch(at)) is not None}
    files = short_files({file for file, *_ in found.values()})
    lines = Counter((file, line, what) for file, line, _, what in found.values())
    return {at: _place(found[at], files, lines) if at in found else at for at in every}


def _parts(place: re.Match[str]) -> tuple[str, str, str, str]:
    return place[1], place[2], place[3], place[4] or ""


def _place(
    place: tuple[str, str, str, str],
    files: Mapping[str, str],
    lines: Mapping[tuple[str, str, str], int],
) -> str:
    file, line, column, what = place
    more = f":{column}" if lines[file, line, what] > 1 else ""
    return f"{files[file]}:{line}{more}{what}"


def short_files(files: Iterable[str]) -> dict[str, str]:
    """Path -> as few of its last parts as no other path ends in."""
    every = sorted(set(files))
    parts = {file: file.split("/") for file in every}
    ends = Counter("/".join(p[-k:]) for p in parts.values() for k in range(1, len(p) + 1))
    return {
        file: next(
            (end for k in range(1, len(p)) if ends[end := "/".join(p[-k:])] == 1 and p[-k]), file
        )
        for file, p in parts.items()
    }
