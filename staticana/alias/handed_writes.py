"""The writes of a callee by its arguments, in terms of the caller's registers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ..ir.types import Function, GlobalRef, Operand
from .effects import ModRef, union
from .memory_location import Extent, MemoryLocation, Pointer, UnderlyingObject, offset_sum
from .underlying_objects import UnderlyingObjects


class Based(NamedTuple):
    """A pointer that is handed to a function: what it points into, and as `MemoryLocation`.
    by_index: an index behind it goes by bytes."""

    base: UnderlyingObject | None
    offset: int | None
    read: bool
    by_bytes: bool
    by_index: bool

    def is_unnamed(self, w: MemoryLocation) -> bool:
        """Does an access go by bytes where it goes by this pointer?"""
        if w.by_bytes or w.member is not None:
            return w.by_bytes
        return self.by_bytes or (self.by_index and w.element)


class Parts(NamedTuple):
    """What a function writes. fixed: wherever it is called; handed: (k, w) for a write by its
    argument number k, with the object of w left out."""

    fixed: ModRef
    handed: frozenset[tuple[int, MemoryLocation]]


def all_parts(parts: list[Parts]) -> Parts:
    fixed = union([p.fixed for p in parts])
    return Parts(fixed, frozenset().union(*(p.handed for p in parts)))


def moved(w: MemoryLocation, by: Based) -> MemoryLocation:
    """A location as far behind an offset from an object as it is behind the pointer that it goes
    by."""
    extent = w.extent
    if extent is not None and by.base is not None and by.offset is not None:
        extent = Extent(by.base, extent.start + by.offset, extent.end + by.offset)
    offset = offset_sum(by.offset, w.offset)
    return w.at(by.base, offset, extent, read=by.read, by_bytes=by.is_unnamed(w))


def based_on(objects: UnderlyingObjects, function: Function, operand: Operand) -> Based:
    """What an operand points into."""
    base, offset = objects.underlying_object(function, operand)
    return Based(
        base,
        offset,
        objects.is_read(function, operand),
        objects.goes_by_bytes(function, operand),
        objects.goes_by_bytes(function, operand, indexed=True),
    )


def parts_of(function: Function | None, summary: ModRef) -> Parts:
    """What a function writes, those writes apart that go by its arguments."""
    if function is None or not any(isinstance(w.underlying_object, Pointer) for w in summary.own):
        return Parts(summary, frozenset())  # most write only to globals and to what is unknown
    at = {Pointer(function.name, p.token): k for k, p in enumerate(function.parameters)}
    fixed = set[MemoryLocation]()
    handed = set[tuple[int, MemoryLocation]]()
    for w in summary.own:
        base = w.underlying_object
        if not isinstance(base, Pointer):
            fixed.add(w)
        elif base in at:
            handed.add((at[base], w._replace(underlying_object=None)))
        else:
            fixed.add(w.somewhere())
    return Parts(replace(summary, own=frozenset(fixed - summary.common)), frozenset(handed))


def with_arguments(
    objects: UnderlyingObjects, function: Function, arguments: tuple[Operand, ...], parts: Parts
) -> ModRef:
    """The writes of a callee that is handed these operands."""
    if not parts.handed:
        return parts.fixed
    bases = [based_on(objects, function, o) for o in arguments]
    writes = {moved(w, bases[k]) if k < len(bases) else w.somewhere() for k, w in parts.handed}
    fixed = parts.fixed
    return replace(fixed, own=fixed.own | (writes - fixed.common))


def moved_to_caller(
    objects: UnderlyingObjects,
    function: Function,
    w: MemoryLocation,
    handed: Mapping[Pointer, Operand],
) -> MemoryLocation:
    """A callee's location, where `handed` maps its arguments to the caller's operands."""
    base = w.underlying_object
    if base is None or isinstance(base, GlobalRef):
        return w
    operand = handed.get(base)
    if operand is None:
        return w.somewhere()
    return moved(w, based_on(objects, function, operand))
