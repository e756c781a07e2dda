"""CBMC's --unwindset: how often each loop is unwound.

CBMC numbers the loops of a function in the order of their backward jumps, so that a loop comes
behind those inside it. One more than the body runs is unwound, for the test that fails. Source:
CBMC's manual, "Understanding Loop Unwinding".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from .loop_bounds import LoopBound


def unwindset(bounds: Sequence[LoopBound]) -> str:
    """The option, with the loops that have a bound."""
    parts: list[str] = []
    ordered = sorted(bounds, key=lambda b: (b.function, b.file, b.line, b.column))
    for function, loops in groupby(ordered, key=lambda b: b.function):
        for number, bound in enumerate(_inner_first(list(loops))):
            if bound.most is not None:
                parts.append(f"{function}.{number}:{bound.most + 1}")
    return f"--unwindset {','.join(parts)}\n" if parts else ""


def _inner_first(loops: list[LoopBound]) -> list[LoopBound]:
    """Loops in the order in which they stand -> in that of their ends."""
    found: list[LoopBound] = []
    around: list[LoopBound] = []
    for loop in loops:
        while around and around[-1].depth >= loop.depth:
            found.append(around.pop())
        around.append(loop)
    return found + around[::-1]
