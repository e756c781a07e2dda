"""Lines that miss a cache that holds the most recently used lines (LRU, fully associative).

A nest is run in blocks of iterations whose footprints fit in a small part of the cache. A line of a
block hits where less than the capacity has been touched since its last use: the layer condition
(Stengel, Treibig, Hager and Wellein, ICS 2015; Hammer, Eitzinger, Hager and Wellein, Kerncraft,
2017), here for any sequence of nests and for each block anew, so that loops whose bounds depend on
outer ones change regime where they do. Of a loop with many blocks some stand for the others between
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .footprints import LINE, Access, Footprints, Loop, Part
from .line_sets import EMPTY, LineSet

_GRAIN = 8
"""A block's footprint is this part of the capacity at most, unless one iteration is larger."""
_SAMPLES = (2, 1)
"""Blocks of a loop that are looked at, by depth, in eights."""
_REMAINDERS = (0, 3, 6, 1, 4, 7, 2, 5)
"""Order in which remainders by 8 are taken, so that neighbours differ."""

Values = Mapping[str, int]


class _History:
    """What ran before: pieces of nests, the last first; they are taken apart when looked at."""

    __slots__ = ("before", "high", "low", "part", "parts", "values")

    def __init__(
        self,
        before: _History | None,
        values: Values,
        *,
        part: Loop | None = None,
        low: int = 0,
        high: int = 0,
        parts: Sequence[Part] = (),
    ) -> None:
        self.before, self.values = before, values
        self.part, self.low, self.high, self.parts = part, low, high, parts


def misses(parts: Sequence[Part], capacity_bytes: int) -> float:
    """Lines that miss a cache of this size in one run that begins with nothing in it."""
    return _Cache(max(1, capacity_bytes // LINE)).sequence(parts, {}, None, 0)


class _Cache:
    def __init__(self, lines: int) -> None:
        self.lines = lines
        self.grain = max(4, lines // _GRAIN)
        self.footprints = Footprints()

    # -- forwards
    def sequence(
        self, parts: Sequence[Part], values: Values, before: _History | None, depth: int
    ) -> float:
        """Misses of parts that run one after the other."""
        total = 0.0
        for k, part in enumerate(parts):
            past = _History(before, values, parts=parts[:k]) if k else before
            if isinstance(part, Access):
                total += self._block(self.footprints.of_access(part, values), past)
            else:
                total += self._loop(part, values, past, depth)
        return total

    def _trips(self, loop: Loop, values: Values) -> int:
        return max(0, int(loop.trips(values)))

    def _loop(self, loop: Loop, values: Values, before: _History | None, depth: int) -> float:
        n = self._trips(loop, values)
        if n == 0 or not loop.chains:
            return 0.0
        size = self._block_size(loop, values, n // 2, n)
        blocks = -(-n // size)
        total = 0.0
        for k, weight in _sampled(blocks, _SAMPLES[min(depth, len(_SAMPLES) - 1)]):
            low, high = k * size, min(n, (k + 1) * size)
            past = _History(before, values, part=loop, high=low) if low else before
            total += weight * self._iterations(loop, low, high, values, past, depth)
        return total

    def _iterations(
        self, loop: Loop, low: int, high: int, values: Values, past: _History | None, depth: int
    ) -> float:
        lines = self.footprints.of_iterations(loop, low, high, values)
        if lines.size <= 2 * self.grain:
            return self._block(lines, past)
        total = 0.0
        for k in range(low, high):
            inside = {**values, loop.index: k}
            earlier = _History(past, values, part=loop, low=low, high=k) if k > low else past
            total += self.sequence(loop.body, inside, earlier, depth + 1)
        return total

    def _block_size(self, loop: Loop, values: Values, at: int, n: int) -> int:
        """Iterations about `at` whose footprint fits in a block."""
        size = 1
        while size * 2 <= n:
            low = min(at, n - size * 2)
            if self.footprints.of_iterations(loop, low, low + size * 2, values).size > self.grain:
                break
            size *= 2
        return size

    def _block(self, lines: LineSet, past: _History | None) -> float:
        """Lines of a block that miss."""
        since, shared, found = EMPTY, 0, 0.0
        for earlier in self._back(past):
            both = since | earlier
            around = (lines | both).size
            again = lines.size + both.size - around - shared
            if again:
                # Of the block and the earlier one, what only one of them touches lies between
                # two uses of a line by half.
                unshared = lines.size - shared + both.size - since.size - 2 * again
                if around - unshared / 2 <= self.lines:
                    found += again
            since, shared = both, shared + again
            if since.size > self.lines or shared >= lines.size:
                break
        return lines.size - found

    # -- backwards
    def _back(self, past: _History | None) -> Iterator[LineSet]:
        """Footprints of what ran before, the last first, in blocks."""
        while past is not None:
            if past.part is not None:
                yield from self._back_loop(past.part, past.low, past.high, past.values)
            else:
                yield from self._back_parts(past.parts, past.values)
            past = past.before

    def _back_parts(self, parts: Sequence[Part], values: Values) -> Iterator[LineSet]:
        for part in reversed(parts):
            if isinstance(part, Access):
                yield self.footprints.of_access(part, values)
            else:
                yield from self._back_loop(part, 0, self._trips(part, values), values)

    def _back_loop(self, loop: Loop, low: int, high: int, values: Values) -> Iterator[LineSet]:
        if not loop.chains:
            return
        size = 1
        while high > low:
            size = min(size, high - low)
            lines = self.footprints.of_iterations(loop, high - size, high, values)
            while size < high - low and lines.size <= self.grain:
                more = min(2 * size, high - low)
                larger = self.footprints.of_iterations(loop, high - more, high, values)
                if larger.size > self.grain:
                    break
                size, lines = more, larger
            if lines.size > 2 * self.grain and size > 1:
                size //= 2
                continue
            if lines.size > 2 * self.grain:
                yield from self._back_parts(loop.body, {**values, loop.index: high - 1})
            else:
                yield lines
            high -= size


def _sampled(blocks: int, sets: int) -> list[tuple[int, float]]:
    """(block, how many it stands for): the first, the last, and one in each of equal parts of what
    lies between.

    The numbers of the latter have all remainders by 8, and each stands for those with its own:
    where elements of 8 bytes follow each other, one in 8 begins a line.
    """
    period = len(_REMAINDERS)
    between = period * sets
    if blocks <= between + 2:
        return [(k, 1.0) for k in range(blocks)]
    middles = []
    for part in range(between):
        middle = 1 + int((part + 0.5) * (blocks - 2) / between)
        middle += (_REMAINDERS[part % period] - middle + period // 2) % period - period // 2
        middles.append(middle + period * ((middle < 1) - (middle > blocks - 2)))
    found = [(0, 1.0)]
    for middle in middles:
        alike = len(range((middle - 1) % period + 1, blocks - 1, period))
        found.append((middle, alike / sets))
    return [*found, (blocks - 1, 1.0)]
