"""What the exit conditions of loops rest on: for people who improve the analysis."""

from __future__ import annotations

from typing import Any


def causes_of(module: Any) -> dict[tuple[str, str], set[str]]:
    """What the exit conditions of each loop rest on inside it, by (function, header): for people
    who improve the analysis."""
    from staticana.ir.loop_info import loop_forest

    found: dict[tuple[str, str], set[str]] = {}
    for f in module.functions.values():
        for loop in loop_forest(f, module).loops:
            leaves: set[str] = set()
            seen: set[str] = set()
            work = [
                f.blocks[e.source].terminator.operands[0]
                for e in loop.exits
                if not e.is_unwind
                and f.blocks[e.source].terminator.opcode in ("br", "switch")
                and f.blocks[e.source].terminator.operands
            ]
            while work:
                token = work.pop()
                i = f.definitions.get(token)
                if i is None or token in seen or f.block_of[token] not in loop.blocks:
                    continue
                seen.add(token)
                if i.opcode == "load":
                    leaves.add(f"load {i.type} {_address(f, i.operands[0])}")
                elif i.opcode in ("call", "invoke"):
                    leaves.add(f"call {i.operands[0]}"[:60])
                elif i.opcode == "phi" and f.block_of[token] == loop.header:
                    step = [
                        f.definitions[o]
                        for o in i.operands
                        if o in f.definitions and f.block_of[o] in loop.blocks
                    ]
                    leaves |= {
                        f"header phi, next is {s.opcode}"
                        for s in step
                        if s.opcode not in ("add", "sub")
                    }
                    work += [o for s in step for o in s.operands]
                else:
                    if i.opcode == "fcmp":
                        leaves.add("floating-point comparison")
                    work += i.operands
            ways = len({e.source for e in loop.exits if not e.is_unwind})
            if ways != 1:
                leaves.add(f"{ways} exits")
            if any(e.is_unwind for e in loop.exits):
                leaves.add("an exception leaves")
            found[f.name, loop.header] = leaves
    return found


def _address(f: Any, token: str) -> str:
    """A description of an address: a global, a member of a type, an array element."""
    i = f.definitions.get(token)
    if i is None:
        return "of a global" if token.startswith("@") else "through an argument"
    if i.opcode == "getelementptr":
        kind = f"member of {i.type}" if i.type.startswith("%") else f"element of {i.type}"
        return f"{kind} {_address(f, i.operands[0])}"[:90]
    if i.opcode == "load":
        return "through a loaded pointer"
    return {
        "alloca": "of a local whose address is taken",
        "phi": "through a pointer that moves",
        "call": "through a call's result",
    }.get(i.opcode, f"through {i.opcode}")
