"""Virtual calls, and which functions they may come to by their types.

A virtual call reads a slot of the table whose address stands first in an object (Itanium C++ ABI,
section 2.5). Nobody casts virtual functions, so that one whose parameters or result have other
types is never called there; where no table of the module has a function of the right types, the
class is one of the library: `ctype`, `streambuf`.
"""

from __future__ import annotations

from ..ir.tokens import global_names
from ..ir.types import Function, Instruction, Module, Operand
from .underlying_objects import VIRTUAL_TABLE, UnderlyingObjects

_TYPE_INFORMATION = "_ZTI"  # Itanium C++ ABI, section 5.1.4


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


def overriding(module: Module) -> frozenset[str]:
    """Virtual functions of classes that are derived from a class outside the program, which calls
    them where an object gets there: what a std::thread runs is one, and what empties the buffer of
    a stream."""
    found: set[str] = set()
    for g in module.globals.values():
        if g.name.startswith(VIRTUAL_TABLE) and "[" in g.initializer:
            names = global_names(g.initializer)
            if any(_is_outside(module, n) for n in names if n.startswith(_TYPE_INFORMATION)):
                found.update(n for n in names if n in module.functions)
    return frozenset(found)


def _is_outside(module: Module, name: str) -> bool:
    """Does a class, by its type information, or one that it is derived from, stand outside the
    program?"""
    seen, work = {name}, [name]
    while work:
        g = module.globals.get(work.pop())
        if g is None or not g.initializer:
            return True
        more = {n for n in global_names(g.initializer) if n.startswith(_TYPE_INFORMATION)}
        work += more - seen
        seen |= more
    return False
