"""Reads the file of counts of an instrumented process, while it runs or afterwards.

The file is a header and blocks, each with 64 bytes in front that describe it (`rt_file.h`). A block
of kind PLAN holds the text of a unit's `Layout`, one of kind COUNTERS a thread's words of a unit,
one of kind CALLS a thread's table of a kernel's calls. The reader never stops a writer: words that
belong together are under a sequence lock (`rt_times.h`), and a copy during which they changed is
made again. Where calls come faster than a table can be copied, the reader asks the writer for a
copy (`wanted`) and takes that (`given`, `rt_calls.h`).
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import RunError

from .counts import CallRow, Calls, Snapshot, UnitCounts, merged_rows
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
_HEADER = struct.Struct("<QQQQQQQqQQQQQQ")
_HEADER_BYTES = 4096
_BLOCK = struct.Struct("<IIQQQIIIIQQ")
_PLAN, _COUNTERS, _CALLS = 1, 2, 3
_MAX_BYTES = 1 << 32
"""The runtime never grows a file further; a larger one is not a file of counts."""
_MAX_PLAN_BYTES = 1 << 28
_PID_AT = 24
"""Of the header."""
_SEQUENCE_AT, _WANTED_AT, _GIVEN_AT = 24, 40, 44
"""Of a block."""
_ATTEMPTS = 1000
"""Copies of a block's words before it counts as changing all the time; each takes microseconds."""
_PATIENCE_S = 5.0
"""How long a writer may take to publish a copy: a kernel's longest call, as a rule."""
_STALLED_S, _DEAD_S = 1.0, 0.05
"""An odd sequence number that stays the same for this long belongs to a writer that died in the
middle of a change: if a process of its number exists (it may be another one), and if none does."""

Words = NDArray[np.int64]
_Tables = dict[int, list[tuple[int, Words]]]
"""Number of a table -> for each thread, calls left out and rows."""


def snapshot(path: Path) -> Snapshot:
    """The counts of a program that was instrumented as a whole.

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


class _Header(NamedTuple):
    """The header of a file, in the order of `rt_file.h`."""

    magic: int
    used: int
    units: int
    pid: int
    clean: int
    lost: int
    failure: int
    rank: int
    start_ticks: int
    start_ns: int
    last_ticks: int
    last_ns: int
    sample_ticks: int
    world: int

    @property
    def tick_s(self) -> float:
        """The length of a tick; 0 before the clock was read a second time."""
        ticks = self.last_ticks - self.start_ticks
        return (self.last_ns - self.start_ns) * 1e-9 / ticks if ticks > 0 else 0.0


class _Block(NamedTuple):
    """The description of a block, in the order of `rt_file.h`."""

    kind: int
    loops: int
    unit: int
    size: int
    sequence: int
    row: int
    slots: int
    wanted: int
    given: int
    used: int
    missed: int

    @property
    def words(self) -> int:
        """Bytes behind the description."""
        return self.size - _BLOCK.size


def _read(path: Path, data: mmap.mmap) -> tuple[UnitCounts, ...]:
    header = _Header._make(_HEADER.unpack_from(data))
    if header.magic != _MAGIC:
        raise RunError(f"{path}: not a file of counts")
    if header.used > len(data):
        raise RunError(f"{path}: cut short: {len(data)} of {header.used} bytes")
    plans: dict[int, Layout] = {}
    words: dict[int, list[Words]] = {}
    tables: dict[int, _Tables] = {}  # unit -> its tables
    for at, block in _blocks(path, data, header.used):
        unit, table_bytes = block.unit, 2 * block.row * block.slots * 8
        if block.kind == _PLAN and block.used <= min(block.words, _MAX_PLAN_BYTES):
            plans[unit] = _layout(data[at + _BLOCK.size : at + _BLOCK.size + block.used])
        elif block.kind == _COUNTERS and unit in plans:
            found, _ = _copy(data, at, block.words // 8)
            words.setdefault(unit, []).append(found[: plans[unit].words])
        elif block.kind == _CALLS and block.row >= ROW_WORDS and table_bytes <= block.words:
            rows = _table(path, data, at, block.row * block.slots).reshape(block.slots, block.row)
            tables.setdefault(unit >> 32, {}).setdefault(unit & 0xFFFFFFFF, []).append(
                (block.missed, rows[rows[:, TIMES] > 0])
            )
        else:
            raise RunError(f"{path}: a damaged block at byte {at}")
    return tuple(
        UnitCounts(
            layout,
            _totals(
                layout,
                words.get(unit, []),
                header,
                _calls(layout, tables.get(unit, {}), header.tick_s),
            ),
        )
        for unit, layout in sorted(plans.items())
    )


def _blocks(path: Path, data: mmap.mmap, end: int) -> Iterator[tuple[int, _Block]]:
    """All blocks with their places in the file.

    Raises:
        RunError: one is larger than the file, or not of whole words.
    """
    at = _HEADER_BYTES
    while at < end:
        block = _Block._make(_BLOCK.unpack_from(data, at))
        if block.size < _BLOCK.size or block.size % 8 or at + block.size > end:
            raise RunError(f"{path}: a damaged block at byte {at}")
        yield at, block
        at += block.size


@lru_cache(maxsize=64)
def _layout(text: bytes) -> Layout:
    return Layout.from_text(text.decode("utf-8", errors="replace"))


def _copy(data: mmap.mmap, at: int, count: int) -> tuple[Words, bool]:
    """A block's first words, and whether nothing changed while they were copied."""
    for _ in range(_ATTEMPTS):
        before = _word(data, at + _SEQUENCE_AT, np.uint64)
        copy = np.frombuffer(data, dtype=np.int64, count=count, offset=at + _BLOCK.size).copy()
        if before % 2 == 0 and _word(data, at + _SEQUENCE_AT, np.uint64) == before:
            return copy, True
    return copy, False


def _table(path: Path, data: mmap.mmap, at: int, count: int) -> Words:
    """The words of a table of calls, all from one moment: a copy made while nothing changed, else
    the one that its writer publishes when asked to. A writer that died in the middle of a change
    leaves what it had.

    Raises:
        RunError: the writer does not publish one in time.
    """
    given = _word(data, at + _GIVEN_AT, np.uint32)
    asked = False
    sequence, since, started = (
        _word(data, at + _SEQUENCE_AT, np.uint64),
        time.monotonic(),
        time.monotonic(),
    )
    while True:
        copy, whole = _copy(data, at, count)
        now = _word(data, at + _SEQUENCE_AT, np.uint64)
        if now != sequence:
            sequence, since = now, time.monotonic()
        if whole or time.monotonic() - since > (_STALLED_S if _is_running(data) else _DEAD_S):
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
    """Does this machine run a process with the number of the file's writer?"""
    try:
        os.kill(_word(data, _PID_AT, np.uint64), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _ask(path: Path, at: int) -> bool:
    """Ask the writer for a copy; False if the file cannot be written to."""
    try:
        with path.open("r+b", buffering=0) as stream:
            os.pwrite(stream.fileno(), (1).to_bytes(4, "little"), at)
        return True
    except OSError:
        return False


def _word(data: mmap.mmap, at: int, kind: type[np.unsignedinteger[Any]]) -> int:
    """One word, read in one access."""
    return int(np.frombuffer(data, dtype=kind, count=1, offset=at)[0])


def _totals(layout: Layout, threads: list[Words], header: _Header, calls: Calls) -> Snapshot:
    """The counts of a unit, summed over its threads."""
    total = np.sum(threads, axis=0) if threads else np.zeros(layout.words, dtype=np.int64)

    def value(of: Sum | None) -> int:
        if of is None:
            return -1
        exact = sum((int(total[w]) * factor for w, factor in of.items()), Fraction(0))
        # Words are read one by one: while the program runs, a difference may be negative.
        return max(0, int(exact))

    def timed(loop: LoopLayout) -> tuple[float, int]:
        """Estimated seconds and number of samples. Ticks are weighted by calls, some of which have
        not come yet: only their share that came counts."""
        if loop.time is None or loop.turns is None:
            return 0.0, 0
        granted, left = int(total[loop.turns + GRANTED]), int(total[loop.turns + LEFT])
        covered = int(total[loop.turns + GRANTED if loop.covered is None else loop.covered])
        share = (granted - left) / covered if covered > 0 else 0.0
        ticks = float(total[loop.time + TICKS])
        return ticks * header.tick_s * share, int(total[loop.time + SAMPLES])

    seconds = [timed(loop) for loop in layout.loops]
    entries = [value(loop.entries) for loop in layout.loops]
    return Snapshot(
        np.array(entries, dtype=np.int64),
        np.array([value(loop.iterations) for loop in layout.loops], dtype=np.int64),
        np.array([s for s, _ in seconds], dtype=np.float64),
        np.array([n for _, n in seconds], dtype=np.int64),
        bool(header.clean),
        header.lost,
        header.failure,
        header.rank if header.rank >= 0 else None,
        len(threads),
        header.sample_ticks * header.tick_s,
        Calls(calls.rows, _missed(layout, calls, entries)),
        header.world,
    )


def _missed(layout: Layout, calls: Calls, entries: list[int]) -> dict[int, int]:
    """The calls of each kernel that are in no row; of a sample, those that the rows lack."""
    kept: Counter[int] = Counter()
    for row in calls.rows:
        kept[row.kernel] += row.calls
    missed = dict(calls.missed)
    for k, loop in enumerate(layout.loops):
        if loop.calls is not None and loop.calls.sampled:
            missed[k] = max(0, entries[k] - kept[k])
    return {k: n for k, n in missed.items() if n}


def _calls(layout: Layout, tables: _Tables, tick_s: float) -> Calls:
    """The rows of all tables of a unit."""
    rows: list[CallRow] = []
    missed: dict[int, int] = {}
    for at, loop in enumerate(layout.loops):
        kept = loop.calls
        if kept is None:
            continue
        first = ROW_WORDS + len(kept.loops)  # of the values
        for left_out, table in tables.get(kept.table, ()):
            missed[at] = missed.get(at, 0) + left_out
            if table.shape[1] != first + len(kept.names):
                continue  # not the table of this layout
            for row in table.tolist():
                rows.append(
                    CallRow(
                        at,
                        dict(zip(kept.names, row[first:], strict=True)),
                        row[TIMES],
                        dict(zip(kept.loops, row[ROW_WORDS:first], strict=True)),
                        row[SUM_TICKS] * tick_s / row[TIMED] if row[TIMED] else None,
                        row[TIMED],
                    )
                )
    return Calls(merged_rows(tuple(rows)), missed)


def follow(path: Path, interval_s: float = 0.2) -> Iterator[Snapshot]:
    """Snapshots of a running program until it ends by itself. Where it may crash, the caller stops
    when its process is gone."""
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
