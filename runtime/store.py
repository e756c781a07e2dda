"""Finished runs on disk: one JSON line each, written through to the disk before the next run starts.

An append-only file survives a crash at any moment: at worst its last line is torn, which is ignored and reported.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from .errors import InputError, RunError

_MAX_BYTES = 1 << 30


@dataclass(frozen=True)
class RunRecord:
    """One finished run; lists hold one entry per counter of the plan."""

    key: str
    params: Mapping[str, int]
    argv: tuple[str, ...]
    repetition: int
    status: str
    exit_code: int | None
    reason: str
    stderr: str
    elapsed_s: float
    cpu_s: float
    entries: tuple[int, ...]
    iterations: tuple[int, ...]
    seconds: tuple[float, ...]


class Store:
    """The runs of one study directory."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "runs.jsonl"
        self.torn = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{folder}: cannot be made a directory: {error.strerror or error}") from None

    def load(self) -> dict[str, RunRecord]:
        """Finished runs by key, the last one of each; lines that are not whole are counted in `torn`."""
        found: dict[str, RunRecord] = {}
        self.torn = 0
        if not self.path.exists():
            return found
        if self.path.stat().st_size > _MAX_BYTES:
            raise RunError(f"{self.path}: larger than {_MAX_BYTES >> 20} MiB; name another --out directory")
        for line in self.path.read_bytes().split(b"\n"):
            if not line.strip():
                continue
            try:
                record = _record(json.loads(line))
            except (ValueError, TypeError, KeyError):
                self.torn += 1
                continue
            found[record.key] = record
        return found

    def append(self, record: RunRecord) -> None:
        """Write one run through to the disk.

        Raises:
            RunError: the disk is full or the file cannot be written.
        """
        line = json.dumps(asdict(record), separators=(",", ":")).encode()
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                size = os.fstat(descriptor).st_size
                torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
                os.write(descriptor, (b"\n" if torn else b"") + line + b"\n")
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise RunError(f"{self.path}: cannot be written: {error.strerror or error}") from None


def _record(data: object) -> RunRecord:
    if not isinstance(data, dict):
        raise ValueError("not a record")
    return RunRecord(str(data["key"]), {str(k): int(v) for k, v in data["params"].items()},
                     tuple(map(str, data["argv"])), int(data["repetition"]), str(data["status"]),
                     None if data["exit_code"] is None else int(data["exit_code"]), str(data["reason"]),
                     str(data["stderr"]), float(data["elapsed_s"]), float(data["cpu_s"]),
                     tuple(map(int, data["entries"])), tuple(map(int, data["iterations"])),
                     tuple(map(float, data["seconds"])))
