"""Which loops run directly inside which: those nested in a loop, and those of the functions that it
calls."""

from __future__ import annotations

from looplaw_common.digraph import Digraph, postorder

from ..ir.loop_info import NEST_LOOP
from ..scev.context import FunctionContext
from .program import Program

Key = tuple[str, str]
"""(function, header) of a loop."""


def inner_loops(program: Program) -> dict[Key, tuple[Key, ...]]:
    """For each source loop those that run in its body with no other loop of the source between.

    Calls through pointers are followed where the program shows their targets (`calls`).
    """
    inner: dict[Key, list[Key]] = {}
    outermost: dict[str, list[Key]] = {}
    calls: list[tuple[Key, str]] = []
    # calls outside of loops: what runs there runs directly in the caller
    plain = Digraph(program.defined)
    for name in program.defined:
        view = program.view(name)
        for loop in view.forest.loops:
            if loop.is_source:
                key, parent = (name, loop.header), source_loop(view, loop.parent)
                inner[key] = []
                (outermost.setdefault(name, []) if parent is None else inner[name, parent]).append(
                    key
                )
        for site in program.calls.sites_in.get(name, ()):
            around = source_loop(view, view.forest.innermost.get(site.block))
            if around is None:
                plain.add_edge(name, site.callee)
            else:
                calls.append(((name, around), site.callee))
    for key, callee in dict.fromkeys(calls):
        for name in sorted(postorder(plain, callee)):
            inner[key] += outermost.get(name, ())
    for name in program.defined:
        _join_collapsed(name, program.view(name), inner)
    return {key: tuple(dict.fromkeys(keys)) for key, keys in inner.items()}


def _join_collapsed(name: str, view: FunctionContext, inner: dict[Key, list[Key]]) -> None:
    """Put a collapsed loop into the empty loop that stands for the one around it (`collapse`)."""
    loops = view.forest.loops
    nests = {loop.at: (name, loop.header) for loop in loops if loop.header.startswith(NEST_LOOP)}
    for loop in loops:
        outer = nests.get(loop.collapsed[-1]) if loop.collapsed else None
        if outer is not None:
            key = (name, loop.header)
            for keys in inner.values():
                if key in keys:
                    keys.remove(key)
            inner[outer].append(key)


def source_loop(view: FunctionContext, header: str | None) -> str | None:
    """The loop of this header, or the innermost around it, that the source has."""
    while header is not None and not view.loops[header].is_source:
        header = view.loops[header].parent
    return header
