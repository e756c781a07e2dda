"""Branches that data decide, as the code that is run has them.

A processor foretells a branch from the branches before it. One that data decide it does not know
when it meets them first; where the same data decide again and again, as where each letter of a word
is compared with all of another one, it learns the whole pattern, as long as its tables hold it (Yeh
and Patt, MICRO 1991; Seznec, JILP 8, 2006). Beyond that such a loop takes several times longer.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.matchers import is_any, is_branch, is_load
from ...ir.types import Instruction, Operand
from ...scev.context import FunctionContext

_COMPUTED = (
    "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "icmp", "fcmp", "select",
    "sext", "zext", "trunc", "fpext", "fptrunc", "sitofp", "uitofp", "fptosi", "fptoui", "fadd",
    "fsub", "fmul", "fneg", "freeze", "bitcast",
)  # fmt: skip
_SELECTED = 4
"""Operations without effect up to which a compiler computes both sides of a branch and selects one
(LLVM's SimplifyCFG: two-entry-phi-node-folding-threshold)."""
_MOST = 10_000
"""Instructions of a loop that are looked at."""


def deciding_loads(view: FunctionContext, header: str) -> Iterator[tuple[Instruction, ...]]:
    """For each branch directly in a loop that nothing but loaded values decides, those loads.

    Left out are branches that leave the loop, and those that a compiler replaces by selects.
    """
    loop = view.loops[header]
    own = [b for b in loop.blocks if view.forest.innermost.get(b) == header]
    if sum(len(view.function.blocks[b].instructions) for b in own) > _MOST:
        return
    for block in view.function.blocks:
        if block not in own:
            continue
        end = view.function.blocks[block].terminator
        sides = end.labels
        if not is_branch(end) or len(set(sides)) != 2 or header in sides:
            continue
        if any(s not in loop.blocks for s in sides) or _is_selected(view, block, sides):
            continue
        loads = _loads(view, header, end.operands[0])
        if loads:
            yield loads


def _is_selected(view: FunctionContext, block: str, sides: tuple[str, ...]) -> bool:
    """Are both sides of a branch so cheap that they are computed together?"""
    forest, blocks = view.forest, view.function.blocks
    for side in sides:
        if forest.dominator.get(side) != block or len(view.function.predecessors[side]) != 1:
            continue  # where both sides meet
        within = [i for b in blocks if forest.dominates(side, b) for i in blocks[b].instructions]
        worked = [i for i in within if not is_any(i, "br", "phi")]
        if len(worked) > _SELECTED or any(not is_any(i, *_COMPUTED) for i in worked):
            return False
    return True


def _loads(view: FunctionContext, header: str, condition: Operand) -> tuple[Instruction, ...]:
    """The loads of the iteration that decide a condition; none where something else does, too."""
    inside = view.loops[header].blocks
    found: dict[str, Instruction] = {}
    work, seen = [condition], set[str]()
    while work:
        token = work.pop()
        made = view.function.definitions.get(token) if isinstance(token, str) else None
        if made is None or token in seen or view.function.block_of.get(token) not in inside:
            continue  # a constant, or what is the same in all iterations
        seen.add(made.token)
        if is_load(made):
            found[made.token] = made
        elif is_any(made, *_COMPUTED):
            work.extend(made.operands)
        else:
            return ()
    return tuple(found.values())
