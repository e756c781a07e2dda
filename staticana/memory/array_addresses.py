"""Addresses in arrays: which array one may point into, and which it does not."""

from __future__ import annotations

from ..alias.library import Control, declared_function
from ..alias.memory_location import MemoryLocation
from ..expr import Expr, is_storage, sym
from ..ir.graph import callee
from ..ir.matchers import is_store
from ..ir.types import Instruction, Operand
from ..scev.context import FunctionContext
from .contents import Here
from .row_addresses import loops_around, stepped

NUMBERS = ("i8", "i16", "i32", "i64")
"""Types of numbers."""


def has_pointers(view: FunctionContext, offset: Expr) -> bool:
    """Is an address in an offset: that of another object, where it is chosen among several?"""
    return is_storage(offset) or any(
        view.program.memory.object_of(view, s) is not None for s in offset.symbols
    )


def pointers_of(address: Expr) -> list[str]:
    """The symbols of an address that may be that of an array it points into."""
    found = [m[0][0] for m, c in address.terms.items() if c == 1 and len(m) == 1 and m[0][1] == 1]
    return [a.key for a in found if a.is_symbol]


def here(view: FunctionContext, block: str) -> Here:
    """What holds in a block, in terms of variables and of iterations of the loops around."""
    known = view.paths.assumptions(block)
    known = known.plus(
        *(stepped(view, e, block) for e in known.known),
        *(sym(view.variables.index(h)) for h in loops_around(view, block)),
    )
    return Here(known, lambda e: stepped(view, e, block))


def goes_elsewhere(view: FunctionContext, i: Instruction, place: MemoryLocation) -> bool:
    """Does a store, or a function of the library that only writes what it is handed, go to other
    objects than that of a place, as the values of the addresses say: a pointer that was kept in
    memory and read back is the one that was kept."""
    if is_store(i):
        return _is_elsewhere(view, i.operands[1], place)
    if not view.program.memory.aliasing.is_object(place.underlying_object):
        return False
    known = declared_function(view.program.module, callee(i) or "") if i.is_call else None
    if known is None or not view.program.memory.aliasing.writes_by_arguments(known):
        return False
    if callee(i) in view.program.defined or known.control is Control.TWICE:
        return False
    handed = [
        o
        for at, (o, kind) in enumerate(zip(i.operands[1:], i.extra, strict=False))
        if kind == "ptr" and known.writes_through(at)
    ]
    return bool(handed) and all(_is_elsewhere(view, o, place) for o in handed)


def _is_elsewhere(view: FunctionContext, address: Operand, place: MemoryLocation) -> bool:
    """Does an address point into another object than that of a place?"""
    memory = view.program.memory
    base, _ = memory.aliasing.underlying_object(view.function, address)
    if base is not None and memory.aliasing.is_object(base):
        return False  # which is told apart already
    symbols_ = view.scalars.value(address).expr.symbols
    roots = {memory.object_of(view, s) for s in symbols_} - {None}
    if len(roots) != 1 or place.underlying_object in roots:
        return False
    (root,) = roots
    return memory.aliasing.is_object(root) and (
        place.underlying_object is None or memory.aliasing.is_object(place.underlying_object)
    )
