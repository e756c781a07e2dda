"""The loops that a block lies in."""

from __future__ import annotations

from ..scev.context import FunctionContext


def child_loop(view: FunctionContext, block: str, within: str | None) -> str | None:
    """The loop directly inside `within` that a block belongs to."""
    header = view.forest.innermost.get(block)
    while header is not None and header != within:
        parent = view.loops[header].parent
        if parent == within:
            return header
        header = parent
    return None


def loops_around(view: FunctionContext, block: str) -> list[str]:
    """The loops around a block, from inside out."""
    header = view.forest.innermost.get(block)
    return [] if header is None else [header, *view.enclosing_loops(header)]
