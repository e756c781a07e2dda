"""Source files by the names that debug information gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

_PLACE = re.compile(r"(.+):(\d+):\d+(?: \[.*\])?", re.DOTALL)
_MAX_BYTES = 4 << 20


def files_of(places: Iterable[str]) -> tuple[str, ...]:
    """The files of places file:line:column, each once, in their order."""
    matches = (_PLACE.fullmatch(at) for at in places)
    return tuple(dict.fromkeys(m[1] for m in matches if m))


def read_sources(
    files: Iterable[str], program: Sequence[Path]
) -> tuple[dict[str, str], dict[str, str]]:
    """(file -> text, file -> why it cannot be read). A relative name is looked up here and in the
    folders that the program's files are in: compilers shorten a path to what differs from the
    folder they ran in."""
    found: dict[str, str] = {}
    missing: dict[str, str] = {}
    folders = tuple(
        dict.fromkeys(
            (
                Path("."),
                *(p.parent for p in program),
                *(q for p in program for q in p.resolve().parents),
            )
        )
    )
    for file in files:
        path = next((p for p in (folder / file for folder in folders) if p.is_file()), None)
        if path is None:
            missing[file] = "no such file"
            continue
        try:
            if path.stat().st_size > _MAX_BYTES:
                missing[file] = f"larger than {_MAX_BYTES >> 20} MB"
            else:
                found[file] = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            missing[file] = error.strerror or str(error)
    return found, missing


def line_of(sources: Mapping[str, str], at: str) -> str:
    """The line that a place file:line:column is on, "" where its file was not read."""
    match = _PLACE.fullmatch(at)
    lines = sources.get(match[1], "").split("\n") if match else []
    number = int(match[2]) if match else 0
    return lines[number - 1].strip()[:200] if 0 < number <= len(lines) else ""
