"""Reads the memory-mapped cells of an instrumented program, while it runs or afterwards."""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import RunError

_MAGIC = 0x315741574C504F4C
_HEADER = struct.Struct("<QQQQQQQdQQ")
_HEADER_BYTES = 4096
_WORDS = 8
_MAX_BYTES = 1 << 32


@dataclass(frozen=True)
class Snapshot:
    """Totals over all threads, one entry per counter (arrays of length K).

    entries: entries of timed loops and counted ones; iterations; seconds: estimated from the sampled entries;
    samples: how many entries were timed. clean: the program ended by itself.
    """

    entries: NDArray[np.int64]
    iterations: NDArray[np.int64]
    seconds: NDArray[np.float64]
    samples: NDArray[np.int64]
    clean: bool
    lost_threads: int

    def merged(self, other: Snapshot) -> Snapshot:
        """Totals of two processes."""
        return Snapshot(self.entries + other.entries, self.iterations + other.iterations,
                        self.seconds + other.seconds, self.samples + other.samples, self.clean and other.clean,
                        self.lost_threads + other.lost_threads)


def snapshot(path: Path) -> Snapshot:
    """Read all segments once; the writers are not disturbed.

    Raises:
        RunError: the file is missing, cut short or not one of ours.
    """
    try:
        size = path.stat().st_size
        if size > _MAX_BYTES:
            raise RunError(f"{path}: too large for a file of counts")
        data = np.fromfile(path, dtype=np.uint8)
    except OSError as error:
        raise RunError(f"{path}: no counts: {error.strerror or error}") from None
    if data.size < _HEADER_BYTES:
        raise RunError(f"{path}: cut short: {data.size} bytes are no file of counts")
    magic, counters, slots, used, _, clean, lost, ns, _, _ = _HEADER.unpack_from(data.tobytes()[:_HEADER.size])
    if magic != _MAGIC:
        raise RunError(f"{path}: not a file of counts")
    used = min(used, slots)
    needed = _HEADER_BYTES + used * counters * _WORDS * 8
    if data.size < needed:
        raise RunError(f"{path}: cut short: {data.size} of {needed} bytes")
    table = data[_HEADER_BYTES:needed].view(np.int64).reshape(used, counters, _WORDS)
    total = table[:, :, :4].sum(axis=0)
    entries, iterations, ticks, samples = total.T if used else np.zeros((4, counters), dtype=np.int64)
    scale = np.where(samples > 0, entries / np.maximum(samples, 1), 0.0)
    return Snapshot(entries.copy(), iterations.copy(), ticks * ns * 1e-9 * scale, samples.copy(), bool(clean), int(lost))


def follow(path: Path, interval_s: float = 0.2) -> Iterator[Snapshot]:
    """Snapshots of a running program until it has ended cleanly; the caller stops when the process is gone."""
    while True:
        try:
            seen = snapshot(path)
        except RunError:
            time.sleep(interval_s)
            continue
        yield seen
        if seen.clean:
            return
        time.sleep(interval_s)
