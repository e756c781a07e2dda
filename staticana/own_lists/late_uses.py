"""Uses of a pointer after a node has been appended to a list."""

from __future__ import annotations

from collections.abc import Collection

from ..ir.graph import callee
from ..ir.types import Function, Register


def late_use(
    f: Function, pointer: Register, joins: Collection[tuple[str, str]], appending: Collection[str]
) -> bool:
    """May a register be used after a node has been appended since the register was set? joins: the
    edges of the function on which a node has just been appended; appending: functions that append
    nodes; so may any that is called through a pointer."""
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
            if i.opcode == "phi":
                continue
            if is_late and id(i) in users:
                return True
            if i.is_call and (callee(i) is None or callee(i) in appending):
                is_late = True
        if is_set_again:
            continue
        for s in block.successors:
            if is_late and any(
                o == pointer and b == name
                for phi in f.blocks[s].phis
                for o, b in zip(phi.operands, phi.labels, strict=True)
            ):
                return True
            state = s, is_late or (name, s) in joins
            if state not in seen:
                seen.add(state)
                work.append((s, 0, state[1]))
    return False
