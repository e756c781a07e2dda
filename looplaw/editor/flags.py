"""The flags that a file is compiled with: those of compile_commands.json, and no others.

Only what changes the meaning of the text is taken (-I, -D, -U, -std, -isystem, -include): a flag
that loads a plugin, names another program or writes a file never reaches a compiler.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from looplaw_common.errors import InputError

from ..gate.flags import compile_commands

_DATABASE = "compile_commands.json"
_FOLDERS = (".", "build", "out", "_build", "builddir")
"""Where a database lies, seen from the top of a project: the usual places of CMake and Meson."""


def folders_above(path: Path, top: Path | None) -> Iterator[Path]:
    """The folder of a file and those above it, up to the workspace; without one, its own only."""
    for folder in path.parents:
        if top is None and folder != path.parent:
            return
        yield folder
        if folder == top:
            return


def flags_of(path: Path, top: Path | None) -> tuple[tuple[str, ...], str | None]:
    """The flags for a file, and why a database could not be read."""
    trusted = top is not None and path.is_relative_to(top)
    for folder in folders_above(path, top if trusted else None):
        for below in _FOLDERS:
            database = folder / below / _DATABASE
            if not database.is_file():
                continue
            try:
                commands = compile_commands(database, folder)
            except InputError as error:
                return (), str(error)
            given = commands.get(path.resolve().relative_to(folder.resolve()).as_posix(), ())
            return tuple(f.replace("{root}", str(folder)) for f in given), None
    return (), None
