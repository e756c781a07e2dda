"""Memory locations: what an access touches, as an object, an offset and a size.

The terms are LLVM's (`MemoryLocation`, `getUnderlyingObject`): an address is traced back through
address computations to the object it points into, or as far as that can be told.
"""

from __future__ import annotations

from typing import NamedTuple

from ..ir.types import GlobalRef, Register


class Pointer(str):
    """A register of a function as an underlying object: a local variable or an allocation, where
    the register is defined by one, else whatever the pointer in it points to."""

    __slots__ = ("function", "register")
    function: str
    register: Register

    def __new__(cls, function: str, register: Register) -> Pointer:
        self = super().__new__(cls, f"{function}:{register}")
        self.function, self.register = function, register
        return self


class EntryPointer(Pointer):
    """What a pointer that a function found in memory on entry points to: the register is named
    after the formula of the pointer, and no instruction sets it. held: the object in which the
    pointer was found, and where in it."""

    __slots__ = ("held",)
    held: tuple[UnderlyingObject, int] | None


UnderlyingObject = GlobalRef | Pointer
"""What an address is traced back to."""


class Member(NamedTuple):
    """A member of a structure type: bytes start .. end - 1 of it."""

    struct: str
    start: int
    end: int


class Extent(NamedTuple):
    """Bytes start .. end - 1 of an object."""

    underlying_object: UnderlyingObject
    start: int
    end: int


class MemoryLocation(NamedTuple):
    """Where an access goes.

    underlying_object: None where unknown. offset: bytes from it when constant; size: bytes, None
    for any number. kind: the type accessed, "" for any. tag: its !tbaa node. member: the structure
    member it goes by; element: it goes by an index into an array. handed: the library function that
    was handed the object, and may write it. fresh: in memory that the call that writes it has
    allocated, so in no object that was there before. by_bytes: it goes a number of bytes behind its
    pointer, as the parts do that sroa makes of a copied structure, so that the member is not told.
    extent: the array of the object that it is in, where its subscript varies. read: the pointer
    that it goes by was read from memory.
    """

    underlying_object: UnderlyingObject | None
    offset: int | None = None
    size: int | None = None
    kind: str = ""
    tag: str | None = None
    member: Member | None = None
    element: bool = False
    handed: str | None = None
    fresh: bool = False
    by_bytes: bool = False
    extent: Extent | None = None
    read: bool = False
    slot: bool = False

    @property
    def is_global(self) -> bool:
        """Is it in a global variable?"""
        return isinstance(self.underlying_object, GlobalRef)

    def somewhere(self) -> MemoryLocation:
        """The same access to an object that is not known."""
        return MemoryLocation(None, None, *self[2:10], None, *self[11:])

    def at(
        self,
        base: UnderlyingObject | None,
        offset: int | None,
        extent: Extent | None,
        *,
        read: bool,
        by_bytes: bool,
    ) -> MemoryLocation:
        """The same access elsewhere."""
        return MemoryLocation(base, offset, *self[2:9], by_bytes, extent, read, self.slot)

    def anywhere_in_object(self) -> MemoryLocation:
        """The same access at an offset that is not known, of a global; elsewhere, to an object that
        is not known either: its register means nothing in another function."""
        return self._replace(offset=None, extent=None) if self.is_global else self.somewhere()


EVERYWHERE = MemoryLocation(None)
"""What may touch anything."""


def offset_sum(a: int | None, b: int | None) -> int | None:
    """The sum of two offsets, None where one is not known."""
    return None if a is None or b is None else a + b


def overlap(start: int, size: int | None, other: int, length: int | None) -> bool:
    """Do two ranges of bytes share one?"""
    return (size is None or other < start + size) and (length is None or start < other + length)
