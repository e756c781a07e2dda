"""Who calls whom, from inside which loop."""

from __future__ import annotations

from staticana import Analysis
from staticana.ir.graph import closure

from ..documents.study import CallDocument


def calls(analysis: Analysis) -> tuple[CallDocument, ...]:
    """Each call of a function of the program once, with the innermost loop around it.

    Calls that lead to no loop of the analysis are left out; names are those that people know, not
    the linker's.
    """
    names = {f.symbol: f.name for f in analysis.functions}
    edges = dict.fromkeys(
        (names[c.caller], c.loop, names[c.callee]) for c in analysis.calls if c.caller != c.callee
    )
    callers: dict[str, list[str]] = {}
    for a, _, b in edges:
        callers.setdefault(b, []).append(a)
    lead = closure((loop.function for loop in analysis.loops), lambda f: callers.get(f, ()))
    return tuple(CallDocument(a, at, b) for a, at, b in edges if b in lead)
