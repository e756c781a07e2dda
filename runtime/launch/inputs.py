"""Files that a program reads under a name of its own, such as clover.in: each run finds those of
its parameters, and afterwards the folder is as it was."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.errors import InputError, RunError
from looplaw_common.files import replacing

ASIDE = ".before-looplaw"
"""What the name ends with under which a file waits while a run has another one in its place."""


@dataclass(frozen=True)
class InputFile:
    """A file and what a run finds in it."""

    path: str
    content: str


@contextmanager
def placed(files: Sequence[InputFile]) -> Iterator[None]:
    """The files are there in the block. One of the same name is put aside and comes back; one that
    still waits, since we were killed, comes back first.

    Raises:
        RunError: one cannot be written.
    """
    done: list[Path] = []
    try:
        for file in files:
            path = Path(file.path)
            with _in_one_line(path):
                _put_aside(path)
                done.append(path)  # what could not be put aside is not ours to remove
                with replacing(path) as temporary:
                    temporary.write_text(file.content, encoding="utf-8")
        yield
    finally:
        for path in done:
            put_back(path)


def put_back(path: Path) -> None:
    """What stood in the place of a file that a run found; nothing where nothing did."""
    aside = path.with_name(path.name + ASIDE)
    with suppress(FileNotFoundError):
        path.unlink()
    if os.path.lexists(aside):
        os.replace(aside, path)


def _put_aside(path: Path) -> None:
    aside = path.with_name(path.name + ASIDE)
    if os.path.lexists(aside):
        os.replace(aside, path)
    if os.path.lexists(path):
        os.replace(path, aside)


@contextmanager
def _in_one_line(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise RunError(str(error)) from None
    except OSError as error:
        raise RunError(f"{path}: cannot be written for a run: {error.strerror}") from None
