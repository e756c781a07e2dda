"""What instructions and functions may write, as sets of locations; of many writes, only their types
and objects are told apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from .memory_location import MemoryLocation, Pointer, UnderlyingObject

_MAX_WRITES = 256
"""Writes of a function that are told apart by their offsets; of more, by type and object only."""


class CommonWrites(frozenset[MemoryLocation]):
    """Many writes, to globals and to objects that are not known, anywhere in them, in one set for
    all functions that do them: those that call each other, and their callers."""

    @cached_property
    def objects(self) -> frozenset[UnderlyingObject | None]:
        """The objects written; None among them where one is not known."""
        return frozenset(w.underlying_object for w in self)

    @cached_property
    def handed(self) -> tuple[MemoryLocation, ...]:
        """The objects that library functions are handed."""
        return tuple(w for w in self if w.handed)


_NONE = CommonWrites()


@dataclass(frozen=True)
class ModRef:
    """What an instruction or function may write: `own` and `common`; `outside` are unknown
    functions taken to write nothing else."""

    own: frozenset[MemoryLocation] = frozenset()
    outside: frozenset[str] = frozenset()
    common: CommonWrites = _NONE

    @property
    def writes(self) -> Iterator[MemoryLocation]:
        """All of them."""
        return chain(self.own, self.common)

    @cached_property
    def objects(self) -> frozenset[UnderlyingObject | None]:
        """The objects written; None among them where one is not known."""
        own = frozenset(w.underlying_object for w in self.own)
        return own | self.common.objects if self.common else own

    @cached_property
    def anywhere(self) -> ModRef:
        """The same at offsets that are not known, as it is seen where nothing is known of the
        arguments; so it is of common writes."""
        own = frozenset(w.anywhere_in_object() for w in self.own)
        return ModRef(own - self.common, self.outside, self.common)


NO_WRITES = ModRef()


def union(parts: Sequence[ModRef]) -> ModRef:
    common = max((p.common for p in parts), key=len, default=_NONE)
    others = {id(p.common): p.common for p in parts if p.common is not common}
    own = frozenset[MemoryLocation]().union(*(p.own for p in parts), *others.values())
    return ModRef(own - common, frozenset().union(*(p.outside for p in parts)), common)


def collapsed(writes: Collection[MemoryLocation]) -> frozenset[MemoryLocation]:
    """Many writes are told apart by their types and objects only."""
    if len(writes) <= _MAX_WRITES:
        return frozenset(writes)
    return _coarse(writes)


def _coarse(writes: Iterable[MemoryLocation]) -> frozenset[MemoryLocation]:
    return frozenset(w._replace(offset=None, extent=None) for w in writes)


def limited(found: ModRef) -> ModRef:
    """The effects of a function: many writes are told apart by their types and objects only, and
    those that do not go by its arguments are in one set for all its callers."""
    if not found.common and len(found.own) <= _MAX_WRITES:
        return found
    common = found.common
    own = _coarse(found.own) - common
    general = {w for w in own if not isinstance(w.underlying_object, Pointer)}
    if not common or len(general) > _MAX_WRITES:
        common = CommonWrites(general.union(common))
    return ModRef(own - common, found.outside, common)
