"""Uses of a pointer after a node has been appended to a list."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..ir.graph import callee
from ..ir.matchers import is_phi
from ..ir.types import Function, Register
from .points_to import PointsTo


def appending_functions(points: PointsTo, appending: Iterable[str]) -> frozenset[str]:
    """The functions in which nodes are appended, those that call them included."""
    found = set(appending)
    while True:
        more = {
            f.name
            for f in points.functions.values()
            if f.name not in found and any(callee(i) is None or callee(i) in found for i in f.calls)
        }
        if not more:
            return frozenset(found)
        found |= more


def late_use(
    f: Function,
    pointer: Register,
    joins: Collection[tuple[str, str]],
    appending: Collection[str],
    stores: Collection[int] = (),
    merged: Collection[int] = (),
) -> bool:
    """May a register be used after a node has been appended since the register was set? joins: the
    edges of the function on which a node has just been appended; stores: the identities of the
    instructions that append one; appending: functions that append nodes; so may any that is called
    through a pointer; merged: the identities of the phis that are the first node from then on."""
    users = {id(u) for u in f.users.get(pointer, ())}
    if not users:
        return False
    made = f.definitions.get(pointer)
    start = f.entry.name if made is None else f.block_of[pointer]
    body = f.blocks[start].instructions
    at = 0 if made is None else next(k for k, i in enumerate(body) if i is made) + 1
    work, seen = [(start, at, False)], set[tuple[str, bool]]()
    while work:
        name, at, is_late = work.pop()
        block = f.blocks[name]
        is_set_again = False
        for i in block.instructions[at:]:
            if i is made:
                is_set_again = True
                break
            if is_phi(i):
                continue
            if is_late and id(i) in users:
                return True
            if id(i) in stores or (i.is_call and (callee(i) is None or callee(i) in appending)):
                is_late = True
        if is_set_again:
            continue
        for s in block.successors:
            is_late_there = is_late or (name, s) in joins
            if is_late_there and any(
                o == pointer and b == name and (is_late or id(phi) not in merged)
                for phi in f.blocks[s].phis
                for o, b in zip(phi.operands, phi.labels, strict=True)
            ):
                return True
            state = s, is_late_there
            if state not in seen:
                seen.add(state)
                work.append((s, 0, state[1]))
    return False
