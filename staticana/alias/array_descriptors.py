"""Descriptors of Fortran's arrays: what of one an assignment of whole arrays changes.

flang (flang/include/flang/Runtime/descriptor.h, ISO_Fortran_binding.h) keeps the address of the
array, the bytes of an element, a version, rank, type, attribute and flags; then the lower bound,
the extent and the stride in bytes of each dimension; of derived types a description behind these.

`_FortranAAssign(target, source)` writes the elements. A target that is allocatable and has another
shape than the source, or none yet, gets the shape of the source; a scalar changes no shape.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..ir.matchers import is_alloca, is_gep, is_store
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, Operand
from .underlying_objects import UnderlyingObjects

ASSIGN = "_FortranAAssign"
HEADER = 24
"""Bytes before the first dimension."""
DIMENSION = 24
"""Bytes of a dimension."""
LOWER, EXTENT = 0, 8
"""Where in a dimension its lower bound and its extent stand."""
_ADDENDUM = 16
"""Bytes behind the dimensions of a descriptor that knows its type."""
_TYPE = 4
"""The member of a descriptor that says the type of its elements."""
_LAYOUT = re.compile(
    r"\{ ptr, i64, i32, i8, i8, i8, i8(?:, \[(\d+) x \[3 x i64\]\])?(, ptr, \[1 x i64\])? \}"
)
_TEXT = "i8"
_INTEGERS = ((_TEXT, (1, 7, 12, 40)), ("i16", (2, 8, 13)), ("i32", (3, 9, 14)))
_KINDS = {
    **{code: kind for kind, codes in _INTEGERS for code in codes},
    **dict.fromkeys((4, 5, 10, 15), "i64"),
    **dict.fromkeys((27, 34), "float"),
    **dict.fromkeys((28, 35), "double"),
}
"""Types of ISO_Fortran_binding.h: integers and logicals, real and complex numbers, characters."""


class Shape(NamedTuple):
    """What the type of a descriptor tells: the rank of its array, and its own bytes."""

    rank: int
    size: int


class Assignment(NamedTuple):
    """An assignment of arrays: the addresses of both descriptors, and their shapes."""

    target: Operand
    source: Operand
    to: Shape
    of: Shape

    def changed_bytes(self, kind: str | None) -> int:
        """How much of the target's descriptor may change, with elements of this type: all of it
        where it may get the shape of the source, or another length of texts; the address of a
        scalar that was not allocated."""
        if self.of.rank > 0 or kind in (None, _TEXT):
            return self.to.size
        return HEADER if self.to.rank == 0 else 0


def assignment(objects: UnderlyingObjects, function: Function, i: Instruction) -> Assignment | None:
    """The assignment that a call makes; None for other calls, and where a rank is not told."""
    if not i.is_call or i.operands[0] != f"@{ASSIGN}" or len(i.operands) < 3:
        return None
    target, source = i.operands[1:3]
    to, of = (_shape(objects, function, token) for token in (target, source))
    return None if to is None or of is None else Assignment(target, source, to, of)


def _shape(objects: UnderlyingObjects, function: Function, address: Operand) -> Shape | None:
    made = function.definitions.get(address)
    kind: str | None
    if is_alloca(made):
        kind = made.type
    elif isinstance(address, GlobalRef) and address.name in objects.module.globals:
        kind = objects.module.globals[address.name].type
    else:
        kind = objects.pointee(function, address)
    found = _LAYOUT.fullmatch(kind) if kind is not None else None
    if found is None:
        return None
    rank = int(found[1] or 0)
    return Shape(rank, HEADER + DIMENSION * rank + (_ADDENDUM if found[2] else 0))


def element_kind(function: Function, made: Assignment) -> str | None:
    """The type of the elements that an assignment writes, where the function itself says it of one
    of both arrays."""
    found = {_stored_kind(function, address) for address in (made.target, made.source)} - {None}
    return next(iter(found)) if len(found) == 1 else None


def _stored_kind(function: Function, descriptor: Operand) -> str | None:
    """The type of elements that the only stores to this member of a descriptor say."""
    codes = {
        user.operands[0]
        for part in function.users.get(descriptor, ())
        if is_gep(part)
        and part.operands[0] == descriptor
        and part.operands[1:] == ("0", str(_TYPE))
        for user in function.users.get(part.token, ())
        if is_store(user) and user.operands[1] == part.token
    }
    code = next(iter(codes)) if len(codes) == 1 else None
    return _KINDS.get(code.value) if isinstance(code, IntLiteral) else None
