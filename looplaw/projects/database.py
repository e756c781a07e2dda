"""The files of a project, from its compilation database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from looplaw_common.errors import InputError

from ..gate.flags import compile_commands


@dataclass(frozen=True)
class SourceFile:
    """A file, and the flags that change the meaning of its text."""

    path: Path
    flags: tuple[str, ...]


def files_of(database: Path) -> tuple[SourceFile, ...]:
    """The files of a compile_commands.json, each once.

    Raises:
        InputError: no such file, no compilation database, or an empty one.
    """
    top = Path("/")
    found = tuple(
        SourceFile(top / name, tuple(f.replace("{root}/", "/") for f in flags))
        for name, flags in compile_commands(database, top).items()
    )
    if not found:
        raise InputError(f"{database}: names no file; build the project's own targets with it")
    return found
