"""Where the same data decide the branches of a loop again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .nodes import AccessNode, AccessTree, LoopNode, TreeNode, unguarded


@dataclass(frozen=True)
class Repeated:
    """Branches of each iteration of a loop that loads decide, which are the same in each iteration
    of the loop around it at `around`."""

    branches: int
    around: str


def repeated_branches(tree: AccessTree) -> dict[str, Repeated]:
    """The loops, by their places, with branches that the same data decide again."""
    found: dict[str, Repeated] = {}
    for loop, outer in _nested(tree.body, ()):
        where = [a for loads in loop.decided if (a := _again(loop, loads, outer)) is not None]
        if where and loop.at not in found:
            around = min(where, key=outer.index)
            found[loop.at] = Repeated(where.count(around), around.at)
    return found


def _nested(
    body: tuple[TreeNode, ...], outer: tuple[LoopNode, ...]
) -> Iterator[tuple[LoopNode, tuple[LoopNode, ...]]]:
    """All loops with those around them, from inside out."""
    for node in unguarded(body):
        if isinstance(node, LoopNode):
            yield node, outer
            yield from _nested(node.body, (node, *outer))


def _again(
    loop: LoopNode, loads: tuple[AccessNode, ...], outer: tuple[LoopNode, ...]
) -> LoopNode | None:
    """The nearest loop around in each of whose iterations some loads bring the same values: those
    of them that differ between the iterations of the inner loop. What the others bring, as the
    letter that is looked for, chooses one of several patterns."""
    moving = [a for a in loads if _moves(a, loop)]
    keys = {a.object for a in moving}
    if not moving:
        return None
    for around in outer:
        if not any(_moves(a, around) for a in moving):
            return None if keys & _stored(around.body) else around
    return None


def _moves(access: AccessNode, loop: LoopNode) -> bool:
    """Does an access go elsewhere from one iteration of a loop to the next?"""
    by_data = access.jumps | access.creeps.keys() | access.follows
    return loop.index in access.address.symbols or loop.index in by_data


def _stored(body: tuple[TreeNode, ...]) -> set[str]:
    """The objects that something is stored to."""
    found: set[str] = set()
    for node in unguarded(body):
        if isinstance(node, LoopNode):
            found |= _stored(node.body)
        elif node.is_store:
            found.add(node.object)
    return found
