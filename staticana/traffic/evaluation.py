"""What the law says at given values of the parameters: iterations, lines, write-backs, sureness."""

from __future__ import annotations

from dataclasses import dataclass

SURE_WITHIN = 0.1
"""A number is sure where its bounds are at most this far apart, relative to it."""


@dataclass(frozen=True)
class Lines:
    """Lines of 64 bytes between a cache and what is behind it.

    `streamed`, `strided` and `random` add up to the lines that miss: streamed ones are neighbours
    of the line that the same load or store touched before, strided ones are not, random ones have
    addresses that depend on data. `written_back`: lines that were written to and leave the cache,
    with those that are left in it at the end. `low` and `high` bound the lines that miss; `smaller`
    and `larger` are the lines that would miss a cache of 0.8 and of 1.25 times the capacity, and
    differ where the regime changes nearby. `reason` says why the bounds are apart.
    """

    capacity_bytes: int
    streamed: float
    strided: float
    random: float
    written_back: float
    low: float
    high: float
    smaller: float
    larger: float
    reason: str = ""

    @property
    def missed(self) -> float:
        """Lines that miss."""
        return self.streamed + self.strided + self.random

    def __add__(self, other: Lines) -> Lines:
        """The lines of both, which miss the same cache."""
        return Lines(
            self.capacity_bytes,
            self.streamed + other.streamed,
            self.strided + other.strided,
            self.random + other.random,
            self.written_back + other.written_back,
            self.low + other.low,
            self.high + other.high,
            self.smaller + other.smaller,
            self.larger + other.larger,
            self.reason or other.reason,
        )

    @property
    def is_sure(self) -> bool:
        """Are the bounds close to each other?"""
        return self.high - self.low <= SURE_WITHIN * max(self.missed, 1.0)


@dataclass(frozen=True)
class LoopLines:
    """A loop without the loops inside it, summed over all its executions.

    `iterations`: starts of its body. `loads` and `stores`: accesses in the body. `levels`: the
    lines that these miss, one entry for each capacity. What the entry does outside all loops has
    `depth` 0.
    """

    at: str
    function: str
    depth: int
    iterations: float
    loads: float
    stores: float
    levels: tuple[Lines, ...]

    def __add__(self, other: LoopLines) -> LoopLines:
        """The same loop in both."""
        return LoopLines(
            self.at,
            self.function,
            self.depth,
            self.iterations + other.iterations,
            self.loads + other.loads,
            self.stores + other.stores,
            tuple(a + b for a, b in zip(self.levels, other.levels, strict=True)),
        )


@dataclass(frozen=True)
class Evaluation:
    """One run of the entry that begins with empty caches.

    levels: the lines for each capacity that was asked for, in that order. loops: outer before
    inner, in the order of the program; their lines add up to `levels`. footprint: distinct lines
    touched. method: "simulated" (every access, exact LRU) or "sampled" (a part of the iterations,
    exact LRU).
    """

    levels: tuple[Lines, ...]
    loops: tuple[LoopLines, ...]
    footprint: float
    method: str

    @property
    def is_sure(self) -> bool:
        """Are all lines sure?"""
        return all(level.is_sure for level in self.levels)
