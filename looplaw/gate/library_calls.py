"""How many loops there are around the calls of library functions whose work is not constant.

Where the lengths of strings are not the same symbols before and after, the work of the library
cannot be compared as a formula; that strlen moved into a loop shows all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from staticana.alias.library import library_function
from staticana.ir.graph import callee
from staticana.ir.loop_info import LoopForest, loop_forest
from staticana.ir.types import Function, Module


class LibraryCall(msgspec.Struct, frozen=True):
    """loops: around the call that stands deepest, in the function or those it calls; at: the
    innermost of them, empty where there is none."""

    loops: int
    at: str


def library_calls(module: Module, symbol: str, constant: Collection[str]) -> dict[str, LibraryCall]:
    """Library function -> its deepest call below a function.

    Args:
        constant: places of loops that run a constant number of times, which do not count.
    """
    return _calls(module, module.functions[symbol], frozenset(constant), {}, ())


def _calls(
    module: Module,
    f: Function,
    constant: Collection[str],
    known: dict[str, dict[str, LibraryCall]],
    above: tuple[str, ...],
) -> dict[str, LibraryCall]:
    if f.name in known:
        return known[f.name]
    if f.name in above:
        return {}
    forest, found = loop_forest(f, module), dict[str, LibraryCall]()
    for block in f.blocks.values():
        around = _around(forest, block.name, constant)
        for i in block.instructions:
            name = callee(i) if i.is_call else None
            called = module.functions.get(name or "")
            if name is None:
                continue
            if called is not None and not called.is_declaration:
                inner: Mapping[str, LibraryCall] = _calls(
                    module, called, constant, known, (*above, f.name)
                )
            else:
                entry = library_function(name)
                inner = {name: LibraryCall(0, "")} if entry and entry.cost else {}
            for library, call in inner.items():
                here = LibraryCall(
                    call.loops + len(around), call.at or (around[0] if around else "")
                )
                if library not in found or found[library].loops < here.loops:
                    found[library] = here
    known[f.name] = found
    return found


def _around(forest: LoopForest, block: str, constant: Collection[str]) -> list[str]:
    """The places of the loops around a block, inner ones first."""
    around = [loop for loop in forest.loops if block in loop.blocks and loop.at not in constant]
    return [loop.at for loop in sorted(around, key=lambda loop: -loop.depth)]
