"""Counts of a process as values: totals of its loops, and its kernels' calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .word_layout import Layout


@dataclass(frozen=True)
class CallRow:
    """Calls of a kernel with the same values.

    Attributes:
        values: name -> value.
        iterations: id of a loop -> its iterations in all these calls.
        seconds: mean of the `timed` calls among them, None if none was timed.
    """

    kernel: int
    values: Mapping[str, int]
    calls: int
    iterations: Mapping[int, int]
    seconds: float | None
    timed: int


@dataclass(frozen=True)
class Calls:
    """The calls of all kernels; `missed`: kernel -> calls that did not fit into its table."""

    rows: tuple[CallRow, ...] = ()
    missed: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Snapshot:
    """Totals over all threads of a process, in arrays of length K, one entry for each loop.

    Attributes:
        entries, iterations: -1 where they are not counted.
        seconds: estimated from the timed entries; `samples`: how many these are.
        clean: the program ended by itself.
        lost: blocks that did not fit into the file; `failure`: errno of the last failure.
        rank: of an MPI process, else None.
        sample_s: cost of one time stamp.
        world: processes of MPI's world, as far as the program asked for them, else 0.
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
    world: int = 0

    @property
    def is_complete(self) -> bool:
        """Are the counts of all threads in the file?"""
        return self.lost == 0 and self.failure == 0

    def merged(self, other: Snapshot) -> Snapshot:
        """The totals of two processes; one that ended before it counted anything adds nothing."""
        if not self.entries.size or not other.entries.size:
            return self if self.entries.size else other
        missed = {
            k: self.calls.missed.get(k, 0) + other.calls.missed.get(k, 0)
            for k in self.calls.missed.keys() | other.calls.missed.keys()
        }
        return Snapshot(
            _added(self.entries, other.entries),
            _added(self.iterations, other.iterations),
            self.seconds + other.seconds,
            self.samples + other.samples,
            self.clean and other.clean,
            self.lost + other.lost,
            self.failure or other.failure,
            None,
            self.threads + other.threads,
            max(self.sample_s, other.sample_s),
            Calls(merged_rows(self.calls.rows + other.calls.rows), missed),
            self.world or other.world,
        )


def _added(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where((a < 0) | (b < 0), -1, a + b)


@dataclass(frozen=True)
class UnitCounts:
    """A unit of a process: its loops and their totals."""

    layout: Layout
    counts: Snapshot


def merged_rows(rows: tuple[CallRow, ...]) -> tuple[CallRow, ...]:
    """One row for each kernel and combination of values, over all threads and processes."""
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
