"""What a thread of a parallel region sees of the others: behind a barrier, all that they wrote.

The serial program runs the threads of a team one after another (`teams`). What only one of them
writes, in a `single`, a `master` or a worksharing loop, thread 0 writes, and the others find it. Of
what each writes (`#pragma omp critical`, `cnt += k;`), a thread sees only its own and that of those
before it, up to the end of the region; a load behind a barrier has no value there. Nor has a
variable of each thread (`threadprivate`, `__thread`) that the program writes, but what its own
thread has written in the region.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.graph import blocks_reached, callee, instructions
from ...ir.loop_info import Loop, LoopForest
from ...ir.matchers import is_any, is_gep, is_icmp, is_load, is_store
from ...ir.tokens import constant_address, global_names
from ...ir.types import (
    ATOMIC_UPDATES,
    Function,
    GlobalRef,
    Instruction,
    IntLiteral,
    Module,
    Operand,
    Register,
)

OTHERS = "looplaw.threads"
"""The function that stands for what other threads do: it writes what it is handed, and what it
returns they have written."""
_BARRIER = "__kmpc_barrier"
_REDUCE = ("__kmpc_reduce", "__kmpc_reduce_nowait")
_ALONE = ("__kmpc_single", "__kmpc_master", "__kmpc_masked", "omp_get_thread_num")
_NUMBERS = ("i8", "i16", "i32", "i64", "ptr", "float", "double")

_Place = tuple[Operand, tuple[str, ...]]
"""A shared variable by what names it, and constant indices behind."""


def seen_of_others(function: Function, forest: LoopForest, shared: list[Loop]) -> list[Instruction]:
    """The loads of a region that see what all threads wrote before a barrier.

    shared: the worksharing loops, which one thread runs.
    """
    barriers = [
        (b.name, i) for b in function.blocks.values() for i in b.instructions if _is_barrier(i)
    ]
    if not barriers:
        return []
    alone = _run_by_one(function, forest).union(*(loop.blocks for loop in shared))
    before: dict[_Place, list[tuple[str, Instruction]]] = {}
    loads: list[tuple[_Place, str, Instruction]] = []
    for b in function.blocks.values():
        for i in b.instructions:
            if is_load(i) and i.type in _NUMBERS:
                place = _place(function, i.operands[0])
                if place is not None:
                    loads.append((place, b.name, i))
            elif is_any(i, "store", *ATOMIC_UPDATES) and b.name not in alone:
                place = _place(function, i.operands[is_store(i)])
                if place is not None:
                    before.setdefault(place, []).append((b.name, i))
    reached = {
        b.name: blocks_reached(function, b.name, within=function.blocks)
        for b in function.blocks.values()
    }

    def follows(block: str, i: Instruction, other: str, later: Instruction) -> bool:
        if block == other and i.line < later.line:
            return True
        return other in reached[block]

    return [
        load
        for place, block, load in loads
        if any(
            follows(*store, *barrier) and follows(*barrier, block, load)
            for store in before.get(place, ())
            for barrier in barriers
        )
    ]


def _is_barrier(i: Instruction) -> bool:
    return i.is_call and callee(i) == _BARRIER


def _place(function: Function, address: Operand) -> _Place | None:
    """A variable that threads share, by its address: a global, or what the region has captured."""
    behind: tuple[str, ...] = ()
    while True:
        i = function.definitions.get(address)
        step = constant_address(address) if i is None else None
        if is_gep(i):
            step = i.operands[0], i.type, i.operands[1:]
        if step is None:
            break
        address, kind, indices = step
        if not all(isinstance(o, IntLiteral) for o in indices):
            return None
        behind = (kind, *map(str, indices), *behind)
    if isinstance(address, GlobalRef):
        return address, behind
    captured = {p.token for p in function.parameters[2:]}
    return (address, behind) if isinstance(address, Register) and address in captured else None


def _run_by_one(function: Function, forest: LoopForest) -> frozenset[str]:
    """The blocks that only thread 0 comes to, and those in which threads add up what they have got
    of a worksharing loop."""
    first: set[str] = set()
    for b in function.blocks.values():
        end = b.terminator
        if is_any(end, "switch"):
            made = function.definitions.get(end.operands[0])
            if made is not None and callee(made) in _REDUCE:
                first.update(end.labels)
        test = function.definitions.get(end.operands[0]) if len(end.labels) == 2 else None
        if not is_icmp(test) or test.extra[0] not in ("eq", "ne"):
            continue
        asked = function.definitions.get(test.operands[0])
        name = callee(asked) if asked is not None and asked.is_call else None
        if name in _ALONE and test.operands[1] == "0":
            # those answer 1 to one thread, and this one the number of the thread
            is_number = name == "omp_get_thread_num"
            first.add(end.labels[(test.extra[0] == "eq") != is_number])
    return frozenset(b for b in function.blocks if any(forest.dominates(f, b) for f in first))


def own_variables(module: Module, inside: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """The variables of each thread that regions use and the program writes, and whether regions
    write them, too."""
    names = {g.name for g in module.globals.values() if " thread_local" in f" {g.attributes}"}
    if not names:
        return
    used: set[str] = set()
    written: set[str] = set()
    anywhere: set[str] = set()
    for f in module.functions.values():
        for i in instructions(f):
            named = {n for o in i.operands if "@" in o for n in global_names(o)} & names
            if not named:
                continue
            writes = named if not is_load(i) else set()
            anywhere |= writes
            if f.name in inside:
                used |= named
                written |= writes
    for name in sorted(used & anywhere):
        yield name, name in written
