"""A folder of results by key in the user's cache: bounded in size, shared by processes.

A result is written whole and under the hash of all that it depends on, so that processes may read
and write at the same time: two that find the same result write the same file. Where the folder
grows beyond its bound, what was not used for longest goes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from .cache import cache_folder
from .files import write_whole

MOST_BYTES = 512 * 1024 * 1024
"""Of one store: some thousand analyses of programs as large as SQLite's."""
_KEPT = 0.8
"""The part of the bound that is left after results were dropped, so that this is rare."""


@dataclass(frozen=True)
class Store:
    """The results of one kind. name: of their folder; most_bytes: bound of its size."""

    name: str
    most_bytes: int = MOST_BYTES

    def get(self, key: str) -> bytes | None:
        """The result of a key, None where there is none."""
        path = self._path(key)
        try:
            found = path.read_bytes()
        except OSError:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # used now
        return found

    def put(self, key: str, result: bytes) -> None:
        """Keep a result; a cache that cannot be written is no reason to fail."""
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, result)
            self._bound()

    def _path(self, key: str) -> Path:
        name = sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
        return cache_folder() / self.name / name[:2] / name

    def _bound(self) -> None:
        """Drop what was not used for longest where the folder is too large."""
        files: list[tuple[float, int, Path]] = []
        for path in (cache_folder() / self.name).glob("*/*"):
            with contextlib.suppress(OSError):  # another process may drop it at this moment
                at = path.stat()
                files.append((at.st_mtime, at.st_size, path))
        size = sum(bytes for _, bytes, _ in files)
        if size <= self.most_bytes:
            return
        for _, length, path in sorted(files):
            with contextlib.suppress(OSError):
                path.unlink()
            size -= length
            if size <= self.most_bytes * _KEPT:
                return


def code_version(folders: Iterable[Path]) -> str:
    """Changes with any Python file below some folders: results that older code has found are not
    believed."""
    digest = sha256()
    for folder in folders:
        for name, size, time in sorted(_sources(folder)):
            digest.update(f"{name[len(str(folder)) :]}\0{size}\0{time}\0".encode())
    return digest.hexdigest()


def _sources(folder: Path | str) -> Iterator[tuple[str, int, int]]:
    """Path, size and time of each Python file below a folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                at = entry.stat()
                yield entry.path, at.st_size, at.st_mtime_ns
            elif entry.is_dir(follow_symlinks=False):
                yield from _sources(entry.path)
