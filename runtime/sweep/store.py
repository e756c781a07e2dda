"""The store of finished runs: each writer appends to a file of its own and reads all files.

A run is a line (see `records`), synced to the disk before the next run starts. Since no two
processes write to the same file, no lock is needed, and network file systems will do. A crash
leaves at worst one incomplete line, at the end of a file that nobody writes to any more.
`runs.jsonl`, the file of earlier versions, is read as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from looplaw_common.errors import InputError, RunError
from looplaw_common.files import own_folder
from looplaw_common.scratch import remove_orphaned

from ..launch.environment import digest
from .records import (
    CounterPlace,
    RunRecord,
    counter_places,
    line_of,
    parse_line,
    run_line,
    run_record,
)

_MAX_BYTES = 1 << 30
"""Of a file of runs: 100,000 runs of a large program."""
_OLD = "runs.jsonl"


@dataclass
class _Tail:
    """How far a file has been read.

    Attributes:
        torn: number of damaged lines.
        pending: its last line has no end yet.
    """

    offset: int = 0
    torn: int = 0
    pending: bool = False


class Store:
    """The runs of a study directory, as seen by one process.

    Args:
        folder: created if it does not exist, unless `make` is false: then it is only read.

    Raises:
        InputError: the folder cannot be created.
    """

    def __init__(self, folder: Path, *, make: bool = True) -> None:
        self.folder, self.runs_folder = folder, folder / "runs"
        host = re.sub(r"[^A-Za-z0-9]+", "-", platform.node()).strip("-") or "host"
        self.path = self.runs_folder / f"{host}-{os.getpid()}-{uuid.uuid4().hex[:8]}.jsonl"
        self.environments: dict[str, Mapping[str, Any]] = {}
        self.programs: dict[str, tuple[CounterPlace, ...]] = {}
        self._tails: dict[Path, _Tail] = {}
        self._written: set[str] = set()
        try:
            if make:
                own_folder(self.runs_folder)
                remove_orphaned(folder)
        except OSError as error:
            raise InputError(
                f"{folder}: cannot be made a directory: {error.strerror or error}"
            ) from None

    @property
    def torn(self) -> int:
        """Damaged lines read so far. The last line of a file that is being written may be among
        them."""
        return sum(t.torn + t.pending for t in self._tails.values())

    def files(self) -> list[Path]:
        """All files of runs, ordered by name."""
        old = self.folder / _OLD
        return [*([old] if old.exists() else []), *sorted(self.runs_folder.glob("*.jsonl"))]

    def fresh(self) -> Iterator[RunRecord]:
        """Yield the runs that any process has finished since the last call.

        Raises:
            RunError: a file cannot be read or is too large.
        """
        for path in self.files():
            for line in self._lines(path):
                record = self._taken(path, line)
                if record is not None:
                    yield record

    def load(self) -> dict[str, RunRecord]:
        """Finished runs by key, from all files. Of several runs with one key, one that succeeded
        counts, else the last."""
        self._tails.clear()
        found: dict[str, RunRecord] = {}
        for record in self.fresh():
            if record.ok or record.key not in found or not found[record.key].ok:
                found[record.key] = record
        return found

    def _lines(self, path: Path) -> Iterator[bytes]:
        """Lines added since the last call. An incomplete one is left for the next call."""
        tail = self._tails.setdefault(path, _Tail())
        try:
            size = path.stat().st_size
            if size > _MAX_BYTES:
                raise RunError(
                    f"{path}: larger than {_MAX_BYTES >> 20} MiB; name another --out directory"
                )
            if size <= tail.offset:  # shorter: its writer removed a line that failed to sync
                tail.offset = size
                return
            with path.open("rb") as file:
                file.seek(tail.offset)
                data = file.read(size - tail.offset)
        except OSError as error:
            raise RunError(f"{path}: cannot be read: {error.strerror or error}") from None
        whole = data.rfind(b"\n") + 1
        tail.pending = whole < len(data)
        tail.offset += whole
        yield from data[:whole].split(b"\n")[:-1]

    def _taken(self, path: Path, line: bytes) -> RunRecord | None:
        """Parse a line; returns the run if it is one, and remembers other kinds."""
        if not line.strip():
            return None
        try:
            found = ("run", json.loads(line)) if path.name == _OLD else parse_line(line)
            if found is None:
                self._tails[path].torn += 1
                return None
            kind, data = found
            if kind == "run":
                return run_record(data)
            if kind == "environment":
                self.environments[digest(data)] = dict(data)
            elif kind == "program":
                self.programs[digest(data)] = counter_places(data)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self._tails[path].torn += 1
        return None

    def describe(self, kind: str, data: Mapping[str, Any]) -> str:
        """Write a line that runs refer to, an "environment" or a "program", once; returns its
        digest."""
        name = digest(data)
        if name not in self._written:
            self._write(line_of(kind, data))
            self._written.add(name)
        return name

    def append(self, record: RunRecord) -> None:
        """Append a run and sync it to the disk.

        Raises:
            RunError: the disk is full or the file cannot be written; the file is then unchanged.
        """
        self._write(run_line(record))

    def _write(self, line: bytes) -> None:
        new = not self.path.exists()
        try:
            descriptor = os.open(self.path, _ADDING, 0o644)
            try:
                size = os.fstat(descriptor).st_size
                try:
                    rest = memoryview(line)
                    while rest:
                        rest = rest[os.write(descriptor, rest) :]
                    os.fsync(descriptor)
                except OSError:
                    with contextlib.suppress(OSError):
                        os.ftruncate(descriptor, size)
                    raise
            finally:
                os.close(descriptor)
            if new:
                _sync_folder(self.path.parent)
        except OSError as error:
            raise RunError(
                f"{self.path}: cannot be written: {error.strerror or error}; "
                "finished runs are kept, the same command goes on there"
            ) from None


_ADDING = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)


def _sync_folder(folder: Path) -> None:
    """Sync a directory, so that the entry of a new file survives a crash."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
