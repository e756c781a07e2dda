"""Who calls whom, and from inside which loop: the edges of a program's call tree."""

from __future__ import annotations

from staticana import Analysis, Module
from staticana.loops import loop_forest


def calls(module: Module, analysis: Analysis) -> list[dict[str, str | None]]:
    """Each call of a function of the program once: {"caller", "loop" (innermost around the call, or None), "callee"}.

    Calls that lead to no loop of the analysis are left out; names are those that people know, not the linker's.
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
                callee = i.operands[0][1:] if i.opcode in ("call", "invoke") and i.operands else ""
                if callee in names and callee != f.name and not module.functions[callee].is_declaration:
                    edges[names[f.name], around, names[callee]] = None
    lead = _leading({loop.function for loop in analysis.loops}, edges)
    return [{"caller": a, "loop": at, "callee": b} for a, at, b in edges if b in lead]


def _leading(wanted: set[str], edges: dict[tuple[str, str | None, str], None]) -> set[str]:
    """The wanted functions and all from which one of them is reached."""
    found = set(wanted)
    while True:
        more = {a for a, _, b in edges if b in found} - found
        if not more:
            return found
        found |= more
