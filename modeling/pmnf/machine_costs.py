"""What a machine's memory costs, as a model of time needs it."""

from __future__ import annotations

import math
from functools import cached_property

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

Floats = NDArray[np.float64]
KINDS = ("read", "written", "strided", "updated")
"""How lines come: in a row and only read, or only written; far from each other; in a row, and both
read and written."""


class Level(msgspec.Struct, frozen=True):
    """A cache, or memory where `bytes` is None. ns: of a line that comes from here, by `KINDS`."""

    name: str
    bytes: float | None
    ns: tuple[float, float, float, float]


class Costs(msgspec.Struct, frozen=True, dict=True):
    """A machine.

    levels: from the fastest to memory. random_bytes, random_ns: ns of a load of a random line by
    the bytes that it is chosen from. page_bytes, page_ns: of the translation of an address by the
    bytes of all pages in turn. fresh_bytes, fresh_ns: of a line that is touched for the first time
    in a program, which the system has to provide, by all bytes that the program touches so.
    branch_lengths, branch_ns: of a branch that random data decide, by the number of branches after
    which the same data decide again; empty where this is not known. threads: of the team that works
    on each loop of a program, see `of_team`.
    """

    levels: tuple[Level, ...]
    random_bytes: tuple[float, ...]
    random_ns: tuple[float, ...]
    page_bytes: tuple[float, ...]
    page_ns: tuple[float, ...]
    fresh_bytes: tuple[float, ...]
    fresh_ns: tuple[float, ...]
    branch_lengths: tuple[float, ...] = ()
    branch_ns: tuple[float, ...] = ()
    operations: dict[str, float] = {}
    threads: int = 1

    def __post_init__(self) -> None:
        sizes = [level.bytes for level in self.levels]
        if len(sizes) < 2 or sizes[-1] is not None or any(s is None for s in sizes[:-1]):
            raise ValueError("the levels are one cache or more, with sizes, then memory")
        if len(self.random_bytes) != len(self.random_ns) or not self.random_bytes:
            raise ValueError("random_bytes and random_ns need as many entries, and one at least")
        if len(self.page_bytes) != len(self.page_ns) or not self.page_bytes:
            raise ValueError("page_bytes and page_ns need as many entries, and one at least")
        if len(self.fresh_bytes) != len(self.fresh_ns) or not self.fresh_bytes:
            raise ValueError("fresh_bytes and fresh_ns need as many entries, and one at least")
        if len(self.branch_lengths) != len(self.branch_ns):
            raise ValueError("branch_lengths and branch_ns need as many entries")

    def of_team(self, threads: int) -> Costs:
        """The same machine for all threads of a team, which share the iterations of a loop.

        Each has its own core and caches, but they share the last one, and what it and memory
        deliver at once: how far is open, so that lines from memory are taken to cost the mean of
        what they do to one that has memory for itself and to one that has its part.
        """
        if threads == self.threads:
            return self
        each, shared = self.threads / threads, math.sqrt(self.threads / threads)
        last = len(self.levels) - 2
        levels: list[Level] = []
        for k, level in enumerate(self.levels):
            size = level.bytes
            if size is not None:
                own = max((v.bytes or 0.0 for v in levels), default=0.0)
                size = max(size, own) if k == last else size * threads / self.threads
            ns = [each * v for v in level.ns]
            if k > last:
                behind = zip(self.levels[last].ns, level.ns, strict=True)
                ns = [each * near + shared * (far - near) for near, far in behind]
            levels.append(Level(level.name, size, (ns[0], ns[1], ns[2], ns[3])))
        scaled = {
            name: tuple(each * v for v in getattr(self, name))
            for name in ("random_ns", "page_ns", "branch_ns")
        }
        fresh = tuple(shared * v for v in self.fresh_ns)
        return replace(self, levels=tuple(levels), fresh_ns=fresh, threads=threads, **scaled)

    @cached_property
    def capacities(self) -> Floats:
        """Bytes of the caches."""
        return np.array([level.bytes for level in self.levels[:-1]], dtype=float)

    @cached_property
    def steps(self) -> Floats:
        """(caches, kinds): what a line costs more where it misses a cache."""
        ns = np.array([level.ns for level in self.levels])
        found: Floats = np.maximum(np.diff(ns, axis=0), LEAST_STEP_NS)
        return found

    def random(self, size: Floats) -> Floats:
        """What a random access costs more than one to the smallest set, ns, by bytes."""
        ns = np.interp(np.log(size), np.log(self.random_bytes), self.random_ns)
        found: Floats = np.maximum(ns - self.random_ns[0], 0.0)
        return found

    @cached_property
    def random_cached(self) -> float:
        """What a random access costs more in as many bytes as the last cache holds, ns."""
        return float(self.random(self.capacities[-1]))

    def paged(self, size: Floats) -> Floats:
        """What the translation of the address of a load from another page costs, ns, by the bytes
        of all pages."""
        found: Floats = np.interp(np.log(size), np.log(self.page_bytes), self.page_ns)
        return found

    def fresh(self, size: Floats, rise: Floats) -> Floats:
        """What a line's part of a new page costs (..., K), ns, by the bytes of all new pages (K,).

        Few new pages were given back a moment ago and are in the caches, many are not: how many
        are, in a program, is open. It rises a share (...) as steeply as it was measured to, from
        the middle of the sizes.
        """
        ns = np.interp(np.log(size), np.log(self.fresh_bytes), self.fresh_ns)
        middle = float(np.median(self.fresh_ns))
        found: Floats = middle * (ns / middle) ** rise[..., None]
        return found

    @cached_property
    def mispredicted(self) -> Floats:
        """(lengths,) What the branches of `branch_lengths` take more than those of the shortest:
        rising, since a longer pattern is no easier to know."""
        found: Floats = np.maximum.accumulate(np.array(self.branch_ns))
        return found - found[:1]

    def branch(self, length: Floats) -> Floats:
        """What a branch that random data decide costs more than one that is known ahead, ns, by
        the number of branches after which the same data decide again."""
        if not self.branch_lengths:
            return np.zeros(np.shape(length))
        found: Floats = np.interp(
            np.log(np.maximum(length, 1.0)), np.log(self.branch_lengths), self.mispredicted
        )
        return found


LEAST_STEP_NS = 0.05
"""A level never comes for free: where streams show no step, the loads of the probe hide it."""
