"""Functions that make nodes, inlined.

`node *new_node(int v)` returns a node that has no next one yet, a constructor is handed one, and
`xmalloc` returns nodes and all else that a program allocates: behind the call nobody sees which
node is new. Where more lists are chained once when such functions are part of their callers,
they are, for the analysis alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..frontend.short_functions import inlined
from ..ir import cxx_names as cxx
from ..ir.graph import callee, instructions, is_intrinsic
from ..ir.loop_info import loop_forest
from ..ir.matchers import is_gep, is_store
from ..ir.system_files import is_system_file
from ..ir.types import Function, Module, Operand
from .lists import ZEROED, Lists
from .tails import lists_of

_LONGEST = 120
"""Instructions of a function that is copied to its callers."""
_MOST_CALLS = 24
"""Calls of it."""


def with_makers_inlined(module: Module, entry: str) -> tuple[Module, tuple[Module, Lists] | None]:
    """The module in which short functions that make nodes are inlined, where that shows more
    lists, else itself; and what `lists_of` tells of it, where it was asked."""
    short = _short(module, entry)
    making = _making(short)
    wanted = making | _handed(module, making)
    found = {name: f for name, f in short.items() if name in wanted}
    if not found:
        return module, None
    before = lists_of(module, entry)
    if not before[1].is_sound:
        return module, before
    flat = inlined(module, found)
    after = lists_of(flat, entry)
    is_better = len(after[1].chains) > len(before[1].chains)
    return (flat, after) if is_better else (module, before)


def may_make_nodes(module: Module, entry: str) -> bool:
    """Does a function store a pointer in memory that it has got, leave it zero, or hand it on to a
    short function that may do so?"""
    short = _short(module, entry)
    making = _making(short) | cxx.NEW_STRUCTURE
    return any(
        i.result is not None
        and (name := callee(i) or "") in making
        and (name == ZEROED or _is_chained(f, i.token, short))
        for f in module.functions.values()
        for i in f.calls
    )


def _is_chained(f: Function, made: Operand, short: Collection[str]) -> bool:
    """May the next node be stored in a new one?"""
    for user in f.users.get(made, ()):
        if is_store(user) and user.operands[1] == made and user.type == "ptr":
            return True
        if user.is_call and ((callee(user) or "") in short or is_intrinsic(user)):
            return True
        if is_gep(user) and _is_chained(f, user.token, short):
            return True
    return False


def _short(module: Module, entry: str) -> dict[str, Function]:
    """Functions of the program that may be inlined."""
    sites: dict[str, int] = {}
    for f in module.functions.values():
        for i in f.calls:
            sites[callee(i) or ""] = sites.get(callee(i) or "", 0) + 1
    return {
        f.name: f
        for f in module.functions.values()
        if f.name != entry and 0 < sites.get(f.name, 0) <= _MOST_CALLS and _is_short(module, f)
    }


def _making(short: Mapping[str, Function]) -> frozenset[str]:
    """Short functions that return new memory."""
    making = set(cxx.NEW_STRUCTURE)
    for _ in range(3):
        making |= {
            f.name
            for f in short.values()
            if f.type == "ptr" and any((callee(i) or "") in making for i in f.calls)
        }
    return frozenset(making)


def _handed(module: Module, making: Collection[str]) -> frozenset[str]:
    """Functions that are handed new memory."""
    return frozenset(
        callee(i) or ""
        for f in module.functions.values()
        for i in f.calls
        for o in i.operands[1:]
        if (made := f.definitions.get(o)) is not None and (callee(made) or "") in making
    )


def _is_short(module: Module, f: Function) -> bool:
    if f.is_declaration or f.dbg is None or is_system_file(module.file_of(f.dbg) or ""):
        return False
    if sum(1 for _ in instructions(f)) > _LONGEST or any(callee(i) == f.name for i in f.calls):
        return False
    return not loop_forest(f, module).loops
