"""Assignments of whole arrays in Fortran: what they leave in an element.

flang hands both sides to its runtime as descriptors: the address, the bytes of an element, the
type, and of each dimension its lower bound, its extent and the distance of two elements in bytes.
Source: flang/include/flang/ISO_Fortran_binding.h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ..alias.array_descriptors import DIMENSION, EXTENT, HEADER, Assignment
from ..alias.memory_location import MemoryLocation, UnderlyingObject
from ..expr import Expr, sym
from ..ir.types import Operand
from ..scev.context import FunctionContext

if TYPE_CHECKING:
    from .memory import Memory

_STRIDE = 16
"""Where in a dimension the distance of two elements stands."""
_LENGTH, _TYPE = 8, 21
"""Where a descriptor has the bytes of an element and the code of its type."""

Standing = Callable[[MemoryLocation], Expr | None]
"""What stands at a place before the assignment."""


class _Array(NamedTuple):
    """Elements that lie one behind the other from `offset` on in an object."""

    underlying_object: UnderlyingObject
    offset: int
    length: int
    code: int
    extents: tuple[int, ...]

    @property
    def number(self) -> int:
        found = 1
        for extent in self.extents:
            found *= max(0, extent)
        return found


def source_of(
    memory: Memory,
    view: FunctionContext,
    made: Assignment,
    place: MemoryLocation,
    standing: Standing,
) -> MemoryLocation | None:
    """The place in the source of an assignment from which it fills a place of the target; None
    where that is not told, or the number is converted."""
    to = _array(memory, view, made.target, made.to.rank, standing)
    if to is None or to.underlying_object != place.underlying_object or place.offset is None:
        return None
    at, rest = divmod(place.offset - to.offset, to.length)
    if rest or place.size != to.length or not 0 <= at < to.number:
        return None
    of = _array(memory, view, made.source, made.of.rank, standing)
    if of is None or (of.length, of.code) != (to.length, to.code):
        return None
    if of.extents not in ((), to.extents):
        return None
    offset = of.offset + (at * of.length if of.extents else 0)
    return MemoryLocation(of.underlying_object, offset, place.size, place.kind)


def _array(
    memory: Memory, view: FunctionContext, descriptor: Operand, rank: int, standing: Standing
) -> _Array | None:
    """The array that a descriptor describes, of which all is constant but where it is."""
    base, start = memory.aliasing.underlying_object(view.function, descriptor)
    if base is None or start is None:
        return None

    def number(at: int, size: int = 8) -> int | None:
        e = standing(MemoryLocation(base, start + at, size, f"i{8 * size}"))
        value = None if e is None else e.constant
        return value if isinstance(value, int) else None

    address = standing(MemoryLocation(base, start, 8, "ptr"))
    length, code = number(_LENGTH), number(_TYPE, 1)
    if address is None or not length or code is None or len(address.symbols) != 1:
        return None
    (symbol,) = address.symbols
    held, offset = memory.object_of(view, symbol), (address - sym(symbol)).constant
    if held is None or not isinstance(offset, int):
        return None
    extents: list[int] = []
    stride = length
    for k in range(rank):
        extent = number(HEADER + k * DIMENSION + EXTENT)
        if extent is None or number(HEADER + k * DIMENSION + _STRIDE) != stride:
            return None
        extents.append(extent)
        stride *= extent
    return _Array(held, offset, length, code, tuple(extents))
