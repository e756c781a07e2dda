"""Reads the file of counts of an instrumented process, while it runs or afterwards.

The layout is that of `looplaw_rt.c`: a header, then blocks, each of 64 bytes that describe it and
words. A block of kind PLAN holds the text of a unit's `Layout`, one of kind COUNTERS a thread's
words of a unit, one of kind CALLS a thread's table of one kernel's calls. Words that belong
together are written between two increments of the block's `turn`; a copy that was made across one
is made again. Where calls come faster than a table can be read, the reader asks for a copy
(`wanted`), which the writer makes behind the table at its next call (`given`).
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import RunError

from .word_layout import (
    GRANTED,
    LEFT,
    ROW_WORDS,
    SAMPLES,
    SUM_TICKS,
    TICKS,
    TIMED,
    TIMES,
    Layout,
    LoopLayout,
    Sum,
)

_MAGIC = 0x335741574C504F4C
_HEADER = struct.Struct("<QQQQQQQqQQQQQ")
_HEADER_BYTES = 4096
_BLOCK = struct.Struct("<IIQQQIIIIQQ")
_PLAN, _COUNTERS, _CALLS = 1, 2, 3
_MAX_BYTES = 1 << 32
_MAX_PLAN_BYTES = 1 << 28
_PID_AT = 24
_TURN_AT, _WANTED_AT, _GIVEN_AT = 24, 40, 44
_ATTEMPTS = 1000
_PATIENCE_S, _ENDED_S, _MOMENT_S = 5.0, 1.0, 0.05
"""How long a writer may take to make a copy; after which time in the middle of one change it is
taken for ended, if a process of its number is running, and if none is."""

Words = NDArray[np.int64]


@dataclass(frozen=True)
class CallRow:
    """Calls of one kernel with the same values. values: name -> value; iterations: by the id of the
    loop; seconds: mean of the `timed` calls among them, None if none was."""

    kernel: int
    values: Mapping[str, int]
    calls: int
    iterations: Mapping[int, int]
    seconds: float | None
    timed: int


@dataclass(frozen=True)
class Calls:
    """What was kept of kernels' calls. missed: calls that did not fit, by kernel."""

    rows: tuple[CallRow, ...] = ()
    missed: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Snapshot:
    """Totals over all threads, one entry per loop of the plan (arrays of length K).

    entries, iterations: -1 where not counted; seconds: estimated from the sampled entries; samples:
    how many entries were timed. clean: the program ended by itself; lost: blocks of threads that
    did not fit into the file, `failure` the system's error number of the first. rank: that of an
    MPI process. sample_s: cost of one time stamp.
    """

    entries: NDArray[np.int64]
    iterations: NDArray[np.int64]
    seconds: NDArray[np.float64]
    samples: NDArray[np.int64]
    clean: bool
    lost: int = 0
    failure: int = 0
    rank: int | None = None
    threads: int = 1
    sample_s: float = 0.0
    calls: Calls = Calls()

    @property
    def is_complete(self) -> bool:
        """Is every thread's count in the file?"""
        return self.lost == 0 and self.failure == 0

    def merged(self, other: Snapshot) -> Snapshot:
        """Totals of two processes; a process that ended before it counted anything adds nothing."""
        if not self.entries.size or not other.entries.size:
            return self if self.entries.size else other
        missed = {
            k: self.calls.missed.get(k, 0) + other.calls.missed.get(k, 0)
            for k in self.calls.missed.keys() | other.calls.missed.keys()
        }
        return Snapshot(
            _sum(self.entries, other.entries),
            _sum(self.iterations, other.iterations),
            self.seconds + other.seconds,
            self.samples + other.samples,
            self.clean and other.clean,
            self.lost + other.lost,
            self.failure or other.failure,
            None,
            self.threads + other.threads,
            max(self.sample_s, other.sample_s),
            Calls(_merged_rows(self.calls.rows + other.calls.rows), missed),
        )


def _sum(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where((a < 0) | (b < 0), -1, a + b)


@dataclass(frozen=True)
class UnitCounts:
    """One unit of a process: its loops and its totals."""

    layout: Layout
    counts: Snapshot


def snapshot(path: Path) -> Snapshot:
    """The counts of a program that was instrumented as a whole; the writers are not disturbed.

    Raises:
        RunError: the file is missing, cut short, not one of ours, or of several units (see
            `read_units`).
    """
    units = read_units(path)
    if not units:
        raise RunError(f"{path}: nothing was counted yet")
    if len(units) > 1:
        raise RunError(f"{path}: counts of {len(units)} units; type: looplaw counts {path}")
    return units[0].counts


def read_units(path: Path) -> tuple[UnitCounts, ...]:
    """The counts of all units of a process.

    Raises:
        RunError: the file is missing, cut short or not one of ours.
    """
    try:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > _MAX_BYTES:
                raise RunError(f"{path}: too large for a file of counts")
            if size < _HEADER_BYTES:
                raise RunError(f"{path}: cut short: {size} bytes are no file of counts")
            with mmap.mmap(stream.fileno(), size, access=mmap.ACCESS_READ) as data:
                return _read(path, data)
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: no counts: {getattr(error, 'strerror', None) or error}") from None


def _read(path: Path, data: mmap.mmap) -> tuple[UnitCounts, ...]:
    magic, used, _, _, clean, lost, failure, rank, ticks0, ns0, ticks1, ns1, sample = (
        _HEADER.unpack_from(data)
    )
    if magic != _MAGIC:
        raise RunError(f"{path}: not a file of counts")
    if used > len(data):
        raise RunError(f"{path}: cut short: {len(data)} of {used} bytes")
    tick_s = (ns1 - ns0) * 1e-9 / (ticks1 - ticks0) if ticks1 > ticks0 else 0.0
    plans: dict[int, Layout] = {}
    words: dict[int, list[Words]] = {}
    tables: dict[tuple[int, int], list[tuple[int, Words]]] = {}
    at = _HEADER_BYTES
    while at < used:
        kind, _, unit, size, _, row, slots, _, _, length, missed = _BLOCK.unpack_from(data, at)
        if size < _BLOCK.size or size % 8 or at + size > used:
            raise RunError(f"{path}: a damaged block at byte {at}")
        if kind == _PLAN and length <= min(size - _BLOCK.size, _MAX_PLAN_BYTES):
            plans[unit] = _layout(data[at + _BLOCK.size : at + _BLOCK.size + length])
        elif kind == _COUNTERS and unit in plans:
            found, _ = _copy(data, at, (size - _BLOCK.size) // 8)
            words.setdefault(unit, []).append(found[: plans[unit].words])
        elif kind == _CALLS and row > ROW_WORDS - 1 and 2 * row * slots * 8 <= size - _BLOCK.size:
            copied = _table(path, data, at, row * slots).reshape(slots, row)
            tables.setdefault((unit >> 32, unit & 0xFFFFFFFF), []).append(
                (missed, copied[copied[:, TIMES] > 0])
            )
        else:
            raise RunError(f"{path}: a damaged block at byte {at}")
        at += size

    def counts(unit: int, layout: Layout) -> Snapshot:
        threads = words.get(unit, [])
        own = {table: found for (u, table), found in tables.items() if u == unit}
        return _totals(
            layout,
            threads,
            clean=bool(clean),
            lost=lost,
            failure=failure,
            rank=rank if rank >= 0 else None,
            tick_s=tick_s,
            sample=sample,
            calls=_calls(layout, own, tick_s),
        )

    return tuple(UnitCounts(layout, counts(unit, layout)) for unit, layout in sorted(plans.items()))


@lru_cache(maxsize=64)
def _layout(text: bytes) -> Layout:
    return Layout.from_text(text.decode("utf-8", errors="replace"))


def _copy(data: mmap.mmap, at: int, count: int) -> tuple[Words, bool]:
    """A block's first words, and whether they are from one moment."""
    for _ in range(_ATTEMPTS):
        before = _word(data, at + _TURN_AT, np.uint64)
        copy = np.frombuffer(data, dtype=np.int64, count=count, offset=at + _BLOCK.size).copy()
        if before % 2 == 0 and _word(data, at + _TURN_AT, np.uint64) == before:
            return copy, True
    return copy, False


def _table(path: Path, data: mmap.mmap, at: int, count: int) -> Words:
    """The words of a table of calls from one moment: of a time when nothing changes, else the copy
    that its writer makes when it is asked to. A writer that was ended in the middle of a change
    leaves what it had.

    Raises:
        RunError: the writer makes none.
    """
    given = _word(data, at + _GIVEN_AT, np.uint32)
    asked = False
    turn, since, started = _word(data, at + _TURN_AT, np.uint64), time.monotonic(), time.monotonic()
    while True:
        copy, whole = _copy(data, at, count)
        now = _word(data, at + _TURN_AT, np.uint64)
        if now != turn:
            turn, since = now, time.monotonic()
        if whole or time.monotonic() - since > (_ENDED_S if _is_running(data) else _MOMENT_S):
            return copy
        if not asked:
            asked = _ask(path, at + _WANTED_AT)
        before = _word(data, at + _GIVEN_AT, np.uint32)
        copy = np.frombuffer(
            data, dtype=np.int64, count=count, offset=at + _BLOCK.size + 8 * count
        ).copy()
        if before % 2 == 0 and before != given and _word(data, at + _GIVEN_AT, np.uint32) == before:
            return copy
        if time.monotonic() - started > _PATIENCE_S:
            raise RunError(
                f"{path}: changes faster than it can be read"
                + ("" if asked else ", and must not be written to")
            )


def _is_running(data: mmap.mmap) -> bool:
    """May the process of this file be one that this machine runs?"""
    try:
        os.kill(_word(data, _PID_AT, np.uint64), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _ask(path: Path, at: int) -> bool:
    """Ask the writer for a copy. Can it be asked?"""
    try:
        with path.open("r+b", buffering=0) as stream:
            os.pwrite(stream.fileno(), (1).to_bytes(4, "little"), at)
        return True
    except OSError:
        return False


def _word(data: mmap.mmap, at: int, kind: type[np.unsignedinteger[Any]]) -> int:
    """One word, read at once."""
    return int(np.frombuffer(data, dtype=kind, count=1, offset=at)[0])


def _totals(
    layout: Layout,
    threads: list[Words],
    *,
    clean: bool,
    lost: int,
    failure: int,
    rank: int | None,
    tick_s: float,
    sample: int,
    calls: Calls,
) -> Snapshot:
    total = np.sum(threads, axis=0) if threads else np.zeros(layout.words, dtype=np.int64)

    def value(of: Sum | None) -> int:
        # between two words that belong together, a running program is for a moment behind
        return (
            -1
            if of is None
            else max(0, int(sum((int(total[w]) * f for w, f in of.items()), Fraction(0))))
        )

    def timed(loop: LoopLayout) -> tuple[float, int]:
        if loop.time is None or loop.turns is None:
            return 0.0, 0
        granted, left = int(total[loop.turns + GRANTED]), int(total[loop.turns + LEFT])
        share = (granted - left) / granted if granted > 0 else 0.0
        return float(total[loop.time + TICKS]) * tick_s * share, int(total[loop.time + SAMPLES])

    seconds = [timed(loop) for loop in layout.loops]
    return Snapshot(
        np.array([value(loop.entries) for loop in layout.loops], dtype=np.int64),
        np.array([value(loop.iterations) for loop in layout.loops], dtype=np.int64),
        np.array([s for s, _ in seconds], dtype=np.float64),
        np.array([n for _, n in seconds], dtype=np.int64),
        clean,
        lost,
        failure,
        rank,
        len(threads),
        sample * tick_s,
        calls,
    )


def _calls(layout: Layout, tables: Mapping[int, list[tuple[int, Words]]], tick_s: float) -> Calls:
    rows: list[CallRow] = []
    missed: dict[int, int] = {}
    for at, loop in enumerate(layout.loops):
        kept = loop.calls
        if kept is None:
            continue
        n = len(kept.loops)
        for left_out, table in tables.get(kept.table, ()):
            missed[at] = missed.get(at, 0) + left_out
            for row in table.tolist() if table.shape[1] == ROW_WORDS + n + len(kept.names) else ():
                seconds = row[SUM_TICKS] * tick_s / row[TIMED] if row[TIMED] else None
                rows.append(
                    CallRow(
                        at,
                        dict(zip(kept.names, row[ROW_WORDS + n :], strict=True)),
                        row[TIMES],
                        dict(zip(kept.loops, row[ROW_WORDS:], strict=False)),
                        seconds,
                        row[TIMED],
                    )
                )
    return Calls(_merged_rows(tuple(rows)), {k: n for k, n in missed.items() if n})


def _merged_rows(rows: tuple[CallRow, ...]) -> tuple[CallRow, ...]:
    """One row for each kernel and values, over all threads and processes."""
    found: dict[tuple[int, tuple[tuple[str, int], ...]], CallRow] = {}
    for row in rows:
        key = (row.kernel, tuple(row.values.items()))
        old = found.get(key)
        if old is None:
            found[key] = row
            continue
        timed = old.timed + row.timed
        seconds = (
            (old.timed * (old.seconds or 0.0) + row.timed * (row.seconds or 0.0)) / timed
            if timed
            else None
        )
        found[key] = CallRow(
            row.kernel,
            row.values,
            old.calls + row.calls,
            {k: n + row.iterations[k] for k, n in old.iterations.items()},
            seconds,
            timed,
        )
    return tuple(found.values())


def follow(path: Path, interval_s: float = 0.2) -> Iterator[Snapshot]:
    """Snapshots of a running program until it has ended cleanly; the caller stops when the process
    is gone."""
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
