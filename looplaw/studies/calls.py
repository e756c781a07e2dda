"""Who calls whom, from inside which loop."""

from __future__ import annotations

from staticana import Analysis, Module
from staticana.ir.graph import callee
from staticana.ir.loop_info import loop_forest

from ..documents.study import CallDocument


def calls(module: Module, analysis: Analysis) -> tuple[CallDocument, ...]:
    """Each call of a function of the program once, with the innermost loop around it.

    Calls that lead to no loop of the analysis are left out; names are those that people know, not
    the linker's.
    """
    names = {f.symbol: f.name for f in analysis.functions}
    edges: dict[tuple[str, str | None, str], None] = {}
    for f in module.functions.values():
        if f.is_declaration or f.name not in names:
            continue
        loops = sorted(loop_forest(f, module).loops, key=lambda loop: -loop.depth)
        for b in f.blocks.values():
            around = next((loop.at for loop in loops if b.name in loop.blocks), None)
            for i in b.instructions:
                called = callee(i) or ""
                if (
                    called in names
                    and called != f.name
                    and not module.functions[called].is_declaration
                ):
                    edges[names[f.name], around, names[called]] = None
    lead = _leading({loop.function for loop in analysis.loops}, edges)
    return tuple(CallDocument(a, at, b) for a, at, b in edges if b in lead)


def _leading(wanted: set[str], edges: dict[tuple[str, str | None, str], None]) -> set[str]:
    """The wanted functions and all from which one of them is reached."""
    found = set(wanted)
    while True:
        more = {a for a, _, b in edges if b in found} - found
        if not more:
            return found
        found |= more
