"""Which writes may touch a place: places that are written, by what they are and by object.

Places that are alike but for where they are agree with another one together, so that few of the
many that a function writes are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..alias.alias_analysis import Aliasing
from ..alias.memory_location import MemoryLocation, UnderlyingObject


class Touching(NamedTuple):
    """Numbers of writes, as bits. any: those that may touch (a part of) a place; old: those of them
    that may where it is in an object that none of them has made."""

    any: int
    old: int


class _Places:
    """Places in one object, alike but for where they are there, and the writes to any of them."""

    __slots__ = ("first", "writes")

    def __init__(self, first: MemoryLocation) -> None:
        self.first = first
        self.writes = 0


_ByRoot = dict[UnderlyingObject | None, _Places]
"""Places by the object that they are in."""


class _Kind(NamedTuple):
    """Places of one kind: its number as an access, the kind, the places, one of each size with its
    number."""

    number: int
    place: MemoryLocation
    by_root: _ByRoot
    by_size: Mapping[int | None, tuple[int, MemoryLocation]]


def _kind(place: MemoryLocation) -> MemoryLocation:
    """What a place is, wherever it is."""
    return MemoryLocation(None, None, None, *place[3:10], None, *place[11:])


def _access(place: MemoryLocation) -> MemoryLocation:
    """What of an access decides with which others it agrees (see `Aliasing.types_agree`)."""
    return _kind(place)._replace(size=place.size, handed=None, fresh=False, read=False)


class Accesses:
    """Kinds of accesses of a program: which agree, each pair asked once."""

    def __init__(self, aliasing: Aliasing) -> None:
        self.aliasing = aliasing
        self._numbers: dict[MemoryLocation, int] = {}  # of accesses
        self._numbered: dict[MemoryLocation, int] = {}  # places
        self._agree: dict[MemoryLocation, dict[int, bool]] = {}  # access -> with which numbers
        self._distinct: dict[UnderlyingObject | None, dict[UnderlyingObject | None, bool]] = {}

    def number(self, place: MemoryLocation) -> int:
        """The number of the access that a place is."""
        found = self._numbered.get(place)
        if found is None:
            found = self._numbers.setdefault(_access(place), len(self._numbers))
            self._numbered[place] = found
        return found

    def agreeing(self, place: MemoryLocation, kinds: Sequence[_Kind]) -> Iterator[_ByRoot]:
        """The places of such kinds that they may be this one; which kinds these are does not depend
        on where it is."""
        access = _access(place)
        known = self._agree.setdefault(access, {})

        def agrees(number: int, other: MemoryLocation) -> bool:
            result = known.get(number)
            if result is None:
                result = known[number] = self.aliasing.types_agree(access, other)
            return result

        for number, kind, by_root, by_size in kinds:
            if agrees(number, kind):
                sizes = {size: agrees(n, w) for size, (n, w) in by_size.items()}
                if all(sizes.values()):
                    yield by_root
                else:
                    yield {r: ws for r, ws in by_root.items() if sizes[ws.first.size]}

    def distinct(self, base: UnderlyingObject | None) -> dict[UnderlyingObject | None, bool]:
        """Objects -> are they known to be others than this one? As far as it was asked."""
        return self._distinct.setdefault(base, {})


class WrittenPlaces:
    """The places that some writes write, each with the numbers of its writes as bits."""

    def __init__(self, accesses: Accesses, places: Mapping[MemoryLocation, int]) -> None:
        self._accesses = accesses
        self._in_object: dict[UnderlyingObject, list[tuple[MemoryLocation, int]]] = {}
        self._agreeing: dict[MemoryLocation, list[_ByRoot]] = {}
        kinds: dict[MemoryLocation, _ByRoot] = {}
        for place, writes in places.items():
            root = place.underlying_object
            if root is not None:
                self._in_object.setdefault(root, []).append((place, writes))
            by_root = kinds.setdefault(_kind(place), {})
            found = by_root.get(root)
            if found is None:
                found = by_root[root] = _Places(place)
            found.writes |= writes
        self._kinds = [
            _Kind(accesses.number(kind), kind, by_root, self._by_size(by_root))
            for kind, by_root in kinds.items()
        ]

    def _by_size(self, by_root: _ByRoot) -> dict[int | None, tuple[int, MemoryLocation]]:
        """One of the places of each size that stand first for an object."""
        found = {places.first.size: places.first for places in by_root.values()}
        return {size: (self._accesses.number(w), w) for size, w in found.items()}

    def touching(self, place: MemoryLocation) -> Touching:
        """The writes that may touch a place."""
        aliasing = self._accesses.aliasing
        touched = old = 0
        base = place.underlying_object
        if base is not None:
            if aliasing.is_constant(base):
                return Touching(0, 0)
            for w, writes in self._in_object.get(base, ()):
                if aliasing.may_meet(place, w):
                    touched |= writes
                    if not w.fresh:
                        old |= writes
        distinct = self._accesses.distinct(base)
        for by_root in self._agreeing_with(place):
            for root, places in by_root.items():
                first = places.first
                if root is not None and root == base:
                    continue
                if not aliasing.strict and aliasing.spares(place, first):
                    continue
                if aliasing.is_elsewhere(place, first):
                    continue
                if root not in distinct:
                    distinct[root] = aliasing.distinct(base, root)
                # no pointer in memory leads to an object that nobody knows, but its maker fills it
                if first.fresh:
                    touched |= places.writes
                elif not distinct[root]:
                    touched |= places.writes
                    old |= places.writes
        return Touching(touched, old)

    def _agreeing_with(self, place: MemoryLocation) -> list[_ByRoot]:
        anywhere = place._replace(underlying_object=None, offset=None, extent=None)
        found = self._agreeing.get(anywhere)
        if found is None:
            found = self._agreeing[anywhere] = [*self._accesses.agreeing(place, self._kinds)]
        return found
