"""Machines that were measured: kept in the user's cache, read from files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from looplaw_common.cache import cache_folder
from looplaw_common.documents import decode
from looplaw_common.errors import DataError, InputError
from looplaw_common.files import write_whole

from ..launch.environment import machine as described
from .description import MACHINE, Machine
from .measure import Progress, measure, measured_by, nominal_caches


def cached_file() -> Path:
    """Where this machine's description is kept. A home folder that several machines share holds one
    file for each kind of processor on each host; one that another version of the measuring program
    made is not it."""
    about = described()
    words = f"{about['host']} {about['cpu']} {about['cores']} {measured_by()}"
    key = hashlib.sha256(words.encode()).hexdigest()
    return cache_folder() / f"machine-{key[:16]}.json"


def this_machine(*, again: bool = False, progress: Progress = lambda share: None) -> Machine:
    """This machine as it was measured once, or as it is measured now.

    Args:
        again: measure even where a description is kept.
        progress: told the share of the measuring that is done.

    Raises:
        InputError: there is no compiler to build the measuring program with.
        RunError: it cannot be built or run.
    """
    file = cached_file()
    if not again and file.is_file():
        try:
            return read_machine(file)
        except DataError:
            pass  # of another version, or damaged: it is measured again
    found = measure(progress=progress)
    write_machine(found, file)
    return found


def read_machine(path: str | Path) -> Machine:
    """A machine from a file "looplaw-machine/1".

    Raises:
        InputError: no such file.
        DataError: not such a document; the message names the path inside it.
    """
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; make it with looplaw machine --json") from None
    return decode(content, Machine, str(path), MACHINE)


def known_caches(file: str | Path | None = None) -> tuple[tuple[str, int], ...]:
    """(level, bytes) of the caches, ascending: of a machine in a file, of this one as it was
    measured, or as its system tells where it was not.

    Raises:
        InputError, DataError: as `read_machine`, of the file given.
    """
    if file is None and not (kept := cached_file()).is_file():
        return nominal_caches()
    try:
        machine = read_machine(file or kept)
    except DataError:
        if file is not None:
            raise
        return nominal_caches()
    return tuple((c.level, c.bytes) for c in machine.caches if c.bytes is not None)


def write_machine(machine: Machine, path: str | Path) -> None:
    """Write a machine as JSON.

    Raises:
        InputError: the folder does not exist.
        OSError: the file cannot be written; an old one stays.
    """
    write_whole(path, msgspec.json.format(msgspec.json.encode(machine), indent=1) + b"\n")
