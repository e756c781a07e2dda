"""Virtual calls, and which functions they may come to by their types.

A virtual call reads a slot of the table whose address stands first in an object (Itanium C++ ABI,
section 2.5). Nobody casts virtual functions, so that one whose parameters or result have other
types is never called there; where no table of the module has a function of the right types, the
class is one of the library: `ctype`, `streambuf`.
"""

from __future__ import annotations

from ..ir import cxx_names as cxx
from ..ir.matchers import is_gep, is_load
from ..ir.tokens import global_names
from ..ir.types import Function, Instruction, Module, Operand
from .underlying_objects import UnderlyingObjects

_BUFFER = "15basic_streambufI"


def virtual_slot(objects: UnderlyingObjects, function: Function, pointer: Operand) -> int | None:
    """The slot of a virtual table that a pointer has been read from; None for other pointers."""
    load = function.definitions.get(pointer)
    if not is_load(load):
        return None
    slot, token = 0, load.operands[0]
    step = function.definitions.get(token)
    if is_gep(step):
        offset = objects.constant_offset(step.type, step.operands[1:])
        if offset is None or offset % 8:
            return None
        slot, token = offset // 8, step.operands[0]
    table = function.definitions.get(token)
    if not is_load(table) or "vtable" not in (table.name or ""):
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
        if g.name.startswith(cxx.VIRTUAL_TABLE) and "[" in g.initializer:
            names = global_names(g.initializer)
            if any(_is_outside(module, n) for n in names if n.startswith(cxx.TYPE_INFORMATION)):
                found.update(n for n in names if n in module.functions)
    return frozenset(found)


def has_buffers_of_its_own(module: Module) -> bool:
    """Does a program give the library memory to fill for streams: by a class derived from
    std::streambuf, or by pubsetbuf?"""
    if any("pubsetbuf" in name for name in module.functions):
        return True
    own = (
        g
        for g in module.globals.values()
        if g.name.startswith(cxx.VIRTUAL_TABLE) and not g.name.startswith(cxx.TABLES_OF_LIBRARY)
    )
    return any(
        _BUFFER in base
        for g in own
        for n in global_names(g.initializer)
        if n.startswith(cxx.TYPE_INFORMATION)
        for base in _bases(module, n)
    )


def _is_outside(module: Module, name: str) -> bool:
    """Does a class, by its type information, or one that it is derived from, stand outside the
    program?"""
    found = (module.globals.get(n) for n in _bases(module, name))
    return any(g is None or not g.initializer for g in found)


def _bases(module: Module, name: str) -> set[str]:
    """A class, by its type information, and those that it is derived from."""
    seen, work = {name}, [name]
    while work:
        g = module.globals.get(work.pop())
        names = global_names(g.initializer) if g is not None else ()
        more = {n for n in names if n.startswith(cxx.TYPE_INFORMATION)}
        work += more - seen
        seen |= more
    return seen
