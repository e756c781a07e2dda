"""Virtual calls, and which functions they may come to by their types.

A virtual call reads a slot of the table whose address stands first in an object (Itanium C++ ABI,
section 2.5). Nobody casts virtual functions, so that one whose parameters or result have other
types is never called there; where no table of the module has a function of the right types, the
class is one of the library: `ctype`, `streambuf`.
"""

from __future__ import annotations

from ..ir.types import Function, Instruction, Operand
from .underlying_objects import UnderlyingObjects


def virtual_slot(objects: UnderlyingObjects, function: Function, pointer: Operand) -> int | None:
    """The slot of a virtual table that a pointer has been read from; None for other pointers."""
    load = function.definitions.get(pointer)
    if load is None or load.opcode != "load":
        return None
    slot, token = 0, load.operands[0]
    step = function.definitions.get(token)
    if step is not None and step.opcode == "getelementptr":
        offset = objects.constant_offset(step.type, step.operands[1:])
        if offset is None or offset % 8:
            return None
        slot, token = offset // 8, step.operands[0]
    table = function.definitions.get(token)
    if table is None or table.opcode != "load" or "vtable" not in (table.name or ""):
        return None
    return slot if objects.has_virtual_tables else None


def agrees(target: Function, call: Instruction) -> bool:
    """Has a function the types of a call?"""
    kinds = tuple(p.type for p in target.parameters)
    return target.type == call.type and kinds == tuple(call.extra)
