"""Places of loops as short as they can be told apart: the end of a path, and the column only where
several loops start on a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

_PLACE = re.compile(r"(.+):(\d+):(\d+)", re.DOTALL)


def short_places(places: Iterable[str]) -> dict[str, str]:
    """Place -> the shortest text that names it and no other one, as solver.c:12 for
    src/core/solver.c:12:7."""
    every = list(dict.fromkeys(places))
    found = {at: match.groups() for at in every if (match := _PLACE.fullmatch(at)) is not None}
    files = short_files({file for file, _, _ in found.values()})
    lines = Counter((file, line) for file, line, _ in found.values())
    return {at: _place(found[at], files, lines) if at in found else at for at in every}


def _place(
    place: tuple[str, ...], files: Mapping[str, str], lines: Mapping[tuple[str, str], int]
) -> str:
    file, line, column = place
    return f"{files[file]}:{line}" + (f":{column}" if lines[file, line] > 1 else "")


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
