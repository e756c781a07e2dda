"""The files that the processes of one run count into.

The first process writes the file it was told to. Ranks of an MPI program append `.rankN`; forked
children, and processes that find the file in use, append `.pidN` (see `rt_file.h`).
"""

from __future__ import annotations

import re
from pathlib import Path

_RANK = re.compile(r"\.rank(\d+)$")


def files_of_run(path: Path) -> list[Path]:
    """The file `path` itself, then those of ranks and of forked children, as far as they exist."""
    folder, name = path.parent, path.name
    others = (*sorted(folder.glob(f"{name}.rank*")), *sorted(folder.glob(f"{name}.pid*")))
    return [p for p in (path, *others) if p.exists()]


def rank_of(path: Path) -> int | None:
    """The rank of the process that wrote the file, by its name; None outside of MPI."""
    found = _RANK.search(path.name)
    return int(found[1]) if found else None
