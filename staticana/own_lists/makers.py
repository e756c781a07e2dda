"""Functions that make nodes, inlined.

`node *new_node(int v)` returns a node that has no next one yet, a constructor is handed one, and
`xmalloc` returns nodes and all else that a program allocates: behind the call nobody sees which
node is new. Where more lists are chained once when such functions are part of their callers,
they are, for the analysis alone.
"""

from __future__ import annotations

from ..frontend.short_functions import inlined
from ..ir.graph import callee, instructions
from ..ir.loop_info import loop_forest
from ..ir.system_files import is_system_file
from ..ir.types import Function, Module
from .lists import Lists
from .points_to import MAKERS, PointsTo

_LONGEST = 120
"""Instructions of a function that is copied to its callers."""
_MOST_CALLS = 24
"""Calls of it."""


def with_makers_inlined(module: Module, entry: str) -> Module:
    """The module in which short functions that make nodes are inlined, where that shows more
    lists; else itself."""
    found = _makers(module, entry)
    if not found:
        return module
    flat = inlined(module, found)
    before, after = (Lists(PointsTo(m, entry)) for m in (module, flat))
    return flat if len(after.chains) > len(before.chains) else module


def _makers(module: Module, entry: str) -> dict[str, Function]:
    """Functions without loops that return new memory, and those that are handed it."""
    sites: dict[str, int] = {}
    for f in module.functions.values():
        for i in f.calls:
            sites[callee(i) or ""] = sites.get(callee(i) or "", 0) + 1
    short = {
        f.name: f
        for f in module.functions.values()
        if f.name != entry and 0 < sites.get(f.name, 0) <= _MOST_CALLS and _is_short(module, f)
    }
    making = set(MAKERS)
    for _ in range(3):
        making |= {
            f.name
            for f in short.values()
            if f.type == "ptr" and any((callee(i) or "") in making for i in f.calls)
        }
    handed = {
        callee(i) or ""
        for f in module.functions.values()
        for i in f.calls
        for o in i.operands[1:]
        if (made := f.definitions.get(o)) is not None and (callee(made) or "") in making
    }
    return {name: f for name, f in short.items() if name in making | handed}


def _is_short(module: Module, f: Function) -> bool:
    if f.is_declaration or f.dbg is None or is_system_file(module.file_of(f.dbg) or ""):
        return False
    if sum(1 for _ in instructions(f)) > _LONGEST or any(callee(i) == f.name for i in f.calls):
        return False
    return not loop_forest(f, module).loops
