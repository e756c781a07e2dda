"""Streams: accesses and all that they touch in the loops around them, on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..access_tree import AccessNode

Floats = NDArray[np.float64]
LINE, PAGE = 64, 4096
"""Bytes of a cache line and of a page."""
_SETS = PAGE // LINE
_WHOLE = 0.01
"""A step is a multiple of another one if their ratio is this close to an integer."""
_ALONE, _FOLLOWED = 3.0, 4.0
"""Lines of runs up to the first length come as those of a stride do; those of runs beyond the
second one do not, since a prefetcher goes on where some lines followed each other (Intel's
optimization manual: the streamer waits for two or three)."""


class Stream:
    """One access and all that it touches in the loops so far, one execution of the outermost of
    them on average: `rows` ranges of `extent` bytes from `start`; moves: (step, trips) by loop."""

    __slots__ = (
        "access",
        "count",
        "entries",
        "extent",
        "followed",
        "fresh_lines",
        "fresh_pages",
        "inner",
        "is_updated",
        "lost",
        "makes",
        "missed",
        "moves",
        "owners",
        "provided",
        "random",
        "renewed_pages",
        "room",
        "rows",
        "run",
        "start",
        "turns",
    )

    def __init__(self, access: AccessNode, start: float, k: int) -> None:
        self.access, self.start = access, start
        self.rows, self.extent, self.count = 1.0, float(access.size), 1.0
        self.missed: Floats = np.ones(k)
        self.moves: tuple[tuple[float, float], ...] = ()
        self.inner = 0.0
        self.fresh_lines = 0.0
        self.provided: Floats = np.zeros(k)
        self.entries, self.fresh_pages, self.renewed_pages = 1.0, 0.0, 0.0
        self.lost: Floats = np.ones(k)
        self.makes = 1.0  # how often its object is allocated
        self.is_updated = False
        self.followed = 0
        self.turns, self.room = 0.0, 0.0
        self.run = 0.0  # bytes that follow each other until it jumps; 0: it does not
        self.random: float | None = None
        self.owners: tuple[str, ...] = ()

    @property
    def lines(self) -> float:
        """Distinct lines."""
        if self.random is not None:
            most = max(1.0, self.random / LINE)
            return most * -float(np.expm1(-self.turns / most))
        rows = self.rows * (max(0.0, self.extent - self.access.size) / LINE + 1)
        return min(rows, self.reach / LINE + 1, self.count)

    @property
    def pages(self) -> float:
        """Distinct pages."""
        if self.random is not None:
            most = max(1.0, self.random / PAGE)
            return most * -float(np.expm1(-self.turns / most))
        rows = self.rows * (max(0.0, self.extent - self.access.size) / PAGE + 1)
        return min(rows, self.reach / PAGE + 1, self.count)

    @property
    def untrained(self) -> float:
        """The share of its lines that no prefetcher brings, since the runs are short."""
        lines = self.run / LINE + 1
        share = (_FOLLOWED - lines) / (_FOLLOWED - _ALONE)
        return min(1.0, max(0.0, share)) if self.run else 0.0

    @property
    def reach(self) -> float:
        """Bytes from the first to the last address."""
        return sum(step * (trips - 1) for step, trips in self.moves) + self.access.size


def widening(moves: Sequence[tuple[float, float]], step: float, trips: float) -> float:
    """By how much a loop multiplies the rows: by its trips, or by less where it moves them over
    each other, since an inner loop steps by the same or a part of it."""
    for inner, times in moves:
        number = step / inner
        if inner > LINE and number <= times and abs(number - round(number)) < _WHOLE:
            return (times + round(number) * (trips - 1)) / times
    return trips


def scaled(s: Stream, weight: float) -> Stream:
    s.rows, s.extent, s.count = s.rows * weight, s.extent * weight * s.rows, s.count * weight
    s.missed = s.missed * weight
    s.entries *= weight
    s.makes *= weight
    s.lost = s.lost * weight
    s.turns *= weight
    s.run *= weight
    s.moves = tuple((step, trips * weight) for step, trips in s.moves)
    return s


def add(known: Stream, s: Stream, weight: float) -> None:
    """Add an iteration's stream to a weighted sum."""
    known.extent += s.extent * weight * s.rows
    known.rows += s.rows * weight
    known.count += s.count * weight
    known.missed = known.missed + s.missed * weight
    known.entries += s.entries * weight
    known.makes += s.makes * weight
    known.lost = known.lost + s.lost * weight
    known.turns += s.turns * weight
    known.run += s.run * weight
    known.room = max(known.room, s.room)
    moves = dict(known.moves)
    for step, trips in s.moves:
        moves[step] = moves.get(step, 0.0) + trips * weight
    known.moves = tuple(moves.items())


def settle(s: Stream) -> None:
    """From sums to means: the extent of a row is weighted by rows."""
    if s.rows > 0:
        s.extent = s.extent / s.rows


@dataclass(frozen=True)
class Apart:
    """Rows that lie `step` bytes apart, as if that were 128 bytes times a power of two: `halved` is
    how often the sets of a cache that their lines go to are halved (0: they go to all)."""

    step: float
    halved: int


def crowding(s: Stream, apart: Apart | None = None) -> float:
    """How many times its room a stream takes in a cache that chooses the set by the bits of the
    address inside a page.

    Args:
        apart: what is to be taken of rows that are as far apart.
    """
    step = next((step for step, _ in s.moves if step > max(LINE, s.extent)), 0.0)
    rows = int(min(s.rows, 2 * _SETS))
    if rows < 2 or step == 0 or s.extent >= PAGE or s.random is not None:
        return 1.0
    wide = int(s.extent // LINE) + 1
    if apart is not None and abs(step - apart.step) <= _WHOLE:
        used = min(_SETS, (_SETS >> apart.halved) * min(wide, 1 << apart.halved))
    else:
        first = (np.arange(rows) * step // LINE).astype(np.int64)
        used = len(np.unique((first[:, None] + np.arange(wide)) % _SETS))
    return _SETS / used if rows * wide > used else 1.0
