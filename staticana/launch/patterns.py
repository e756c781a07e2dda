"""What the lanes of a warp touch together: sectors, lines and banks, from the distances of their
addresses.

Sectors are of 32 bytes and lines of 128 (CUDA C++ Best Practices Guide, "Coalesced Access to Global
Memory"); shared memory has 32 banks of 4 bytes, and lanes that read one word share it (CUDA C++
Programming Guide, "Shared Memory").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import gcd

from ..expr import Expr, expr, floor_div, minimum

SECTOR, LINE = 32, 128
"""Bytes that memory hands out at once, and those of a line."""
_BANKS, _WORD = 32, 4
"""Banks of shared memory, and the bytes of a word of one."""


@dataclass(frozen=True)
class Touched:
    """How many blocks of memory a warp touches: from `low` to `high`, or `formula`, where some
    formulas (`needs`) are at least zero; never more than `most`."""

    low: int
    high: int
    most: int
    formula: Expr | None = None
    needs: frozenset[Expr] = frozenset()


@dataclass(frozen=True)
class Offset:
    """How far an address is from an aligned place.

    number: the part that is one number of bytes. step: another part is some multiple of it (0:
    there is none). rows: a third part is a sum of multiples of these, which are the same for all
    threads of a launch.
    """

    number: int
    step: int
    rows: tuple[Expr, ...]

    @staticmethod
    def of(e: Expr, is_varying: Callable[[str], bool]) -> Offset:
        """The parts of a formula. is_varying: does a symbol take any value in a launch?"""
        number, step, rows = 0, 0, dict[Expr, None]()
        for monomial, coefficient in e.terms.items():
            if not isinstance(coefficient, int) or not all(a.is_whole for a, _ in monomial):
                return Offset(0, 1, ())
            sizes = tuple((a, n) for a, n in monomial if not any(map(is_varying, a.symbols)))
            if not monomial:
                number = coefficient
            elif sizes:
                rows[Expr({sizes: abs(coefficient)})] = None
            else:
                step = gcd(step, coefficient)
        return Offset(number, step, tuple(rows))

    @cached_property
    def any_step(self) -> int:
        """The number of which all but the first part is a multiple, whatever the sizes are."""
        return gcd(self.step, *(row.content for row in self.rows))

    def needs(self, size: int) -> frozenset[Expr]:
        """At least zero where rows begin at multiples of `size` bytes."""
        uneven = [row for row in self.rows if row.content % size]
        return frozenset(
            floor_div(row, size) * size - row
            for row in uneven
            if not any(_divides(other, row) for other in uneven if other != row)
        )


def _divides(a: Expr, b: Expr) -> bool:
    """Is one product a multiple of another?"""
    (small, factor), (large, of) = (next(iter(e.terms.items())) for e in (a, b))
    powers = dict(large)
    return int(of) % int(factor) == 0 and all(powers.get(s, 0) >= n for s, n in small)


@dataclass(frozen=True)
class Spread:
    """The addresses of a warp's lanes.

    distances: bytes behind the address of the first lane; None where data decide them, or they are
    not known. offset: of the first lane's address. bytes: of each access.
    """

    distances: tuple[Expr, ...] | None
    offset: Offset
    bytes: int
    lanes: int

    @cached_property
    def _groups(self) -> dict[Expr, list[int]]:
        """Lanes that are numbers of bytes apart: what is common to a group -> these numbers."""
        found: dict[Expr, list[int]] = {}
        for d in self.distances or ():
            number = d.terms.get((), 0)
            found.setdefault(d - number, []).append(int(number))
        return found

    @cached_property
    def numbers(self) -> list[int] | None:
        """The distances, where all are numbers."""
        if self.distances is None or any(d.constant is None for d in self.distances):
            return None
        return [int(d.constant or 0) for d in self.distances]

    @cached_property
    def stride(self) -> Expr | None:
        """Bytes between neighbours, where these are the same for all lanes."""
        if self.distances is None or len(self.distances) < 2:
            return None
        first = self.distances[1]
        return first if all(d == first * at for at, d in enumerate(self.distances)) else None

    @property
    def pattern(self) -> str:
        """One of "broadcast", "coalesced", "strided" and "gathered"."""
        if self.distances is None:
            return "gathered"
        numbers = self.numbers
        if numbers is None:
            return "strided"
        apart = sorted(set(numbers))
        if len(apart) == 1:
            return "broadcast"
        is_dense = apart[-1] - apart[0] + self.bytes == len(apart) * self.bytes
        return "coalesced" if is_dense else "strided"

    def touched(self, size: int) -> Touched:
        """Aligned blocks of `size` bytes that all lanes touch together."""
        # an access that is not aligned to its own size may reach into one block more
        most = (-(-self.bytes // size) + (self.bytes > size)) * self.lanes
        if self.distances is None:
            return Touched(1, most, most)
        groups = tuple(map(tuple, self._groups.values()))
        stride = self.stride
        is_even = self.offset.number % size == 0 and not self.offset.any_step % size
        if len(groups) > 1 and stride is not None and is_even and self.bytes <= size:
            # lanes that are closer than a block share it, and no two of those further apart do
            last = self.lanes - 1
            found = minimum(self.lanes, floor_div(stride * last, size) + 1)
            return Touched(1, self.lanes, most, found, frozenset((stride,)))
        apart = self._apart(size)
        loose = _counted(groups, self.bytes, size, self.offset.number, self.offset.any_step)
        if loose.formula is not None:
            return Touched(loose.low, loose.high, most, loose.formula, apart)
        firm = _counted(groups, self.bytes, size, self.offset.number, gcd(self.offset.step, size))
        needs = self.offset.needs(size) | apart
        return Touched(loose.low, loose.high, most, firm.formula, needs if firm.formula else apart)

    def _apart(self, size: int) -> frozenset[Expr]:
        """At least zero where groups of lanes have no block in common."""
        ends = [(head + min(g), head + max(g)) for head, g in self._groups.items()]
        return frozenset(first - last - size for (_, last), (first, _) in pairwise(ends))

    def conflicts(self) -> Touched:
        """Ways of an access of shared memory: words of the bank that lanes ask for most."""
        numbers = self.numbers
        if numbers is None:
            return Touched(1, self.lanes, self.lanes)
        together = min(_BANKS, max(1, LINE // max(self.bytes, _WORD)))
        ways = max(
            _ways(numbers[at : at + together], self.offset.number % _WORD, self.bytes)
            for at in range(0, len(numbers), together)
        )
        return Touched(ways, ways, self.lanes, expr(ways))


@lru_cache(maxsize=1024)
def _counted(
    groups: tuple[tuple[int, ...], ...], bytes: int, size: int, number: int, step: int
) -> Touched:
    """What is touched, for each offset that the first lane's address may have."""
    step = gcd(step, LINE) if step else LINE
    found = {
        sum(_blocks(group, (number + at) % LINE, bytes, size) for group in groups)
        for at in range(0, LINE, step)
    }
    low, high = min(found), max(found)
    return Touched(low, high, high, expr(low) if low == high else None)


def _blocks(distances: Iterable[int], offset: int, bytes: int, size: int) -> int:
    """Aligned blocks that accesses at an offset touch."""
    return len(
        {
            block
            for d in distances
            for block in range((offset + d) // size, (offset + d + bytes - 1) // size + 1)
        }
    )


def _ways(distances: Sequence[int], offset: int, bytes: int) -> int:
    words = {
        word
        for d in distances
        for word in range((offset + d) // _WORD, (offset + d + bytes - 1) // _WORD + 1)
    }
    banks: dict[int, int] = {}
    for word in words:
        banks[word % _BANKS] = banks.get(word % _BANKS, 0) + 1
    return max(banks.values(), default=1)
