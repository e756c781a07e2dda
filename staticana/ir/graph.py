"""The graphs in IR: whom a call calls, what can be reached from where, which blocks lead to which.

The def-use lists are those of LLVM (`Value::users`); reachability is a depth-first search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from typing import TypeVar

from looplaw_common.digraph import Digraph, postorder

from .found_by_name import found_by_name
from .matchers import is_any
from .tokens import NAME, global_names
from .types import CALLS, Function, GlobalRef, Instruction, Module, Register, unquoted

T = TypeVar("T")
_BEFORE_MAIN = ("preinit_array", "init_array", "ctors")
"""Sections of functions that run before main (System V ABI, "Initialization and Termination")."""
_RUN_BEFORE_MAIN = re.compile(rf'(?m)^@({NAME}) = .*, section "\.(?:{"|".join(_BEFORE_MAIN)})\b')


def block_around(function: Function, i: Instruction) -> str:
    """The name of the block in which an instruction stands."""
    blocks = function.blocks.values()
    return next(b.name for b in blocks if any(x is i for x in b.instructions))


def instructions(function: Function) -> Iterator[Instruction]:
    """All instructions of a function, block by block."""
    return (i for b in function.blocks.values() for i in b.instructions)


def calls_in(module: Module) -> Iterator[tuple[Function, Instruction]]:
    """All calls of a module, with the function in which they stand."""
    return ((f, i) for f in module.functions.values() for i in f.calls)


def callee(i: Instruction) -> str | None:
    """The name of the function that a call goes to; None for calls through pointers, for inline
    assembly, and for what is no call."""
    if not is_any(i, *CALLS):
        return None
    called = i.operands[0]
    return called.name if isinstance(called, GlobalRef) else None


def address_taken(module: Module) -> frozenset[str]:
    """The defined functions that may be called through a pointer."""
    found = set(found_by_name(module))
    for f in module.functions.values():
        for i in instructions(f):
            for o in i.operands[1 if i.is_call else 0 :]:
                if not isinstance(o, Register):
                    found.update(global_names(o))
    for g in module.globals.values():
        found.update(global_names(g.initializer))
    return frozenset(
        name
        for name in found
        if name in module.functions and not module.functions[name].is_declaration
    )


def constructors(module: Module) -> frozenset[str]:
    """The functions that run before main."""
    lists = ["llvm.global_ctors"]
    if any(f'section ".{s}' in module.text for s in _BEFORE_MAIN):
        lists += map(unquoted, _RUN_BEFORE_MAIN.findall(module.text))
    found = (module.globals[g].initializer for g in lists if g in module.globals)
    return frozenset(n for text in found for n in global_names(text) if n in module.functions)


def is_intrinsic(i: Instruction) -> bool:
    """Is it a call of one of LLVM's intrinsics?"""
    return (callee(i) or "").startswith("llvm.")


def closure(start: Iterable[T], neighbours: Callable[[T], Iterable[T]]) -> set[T]:
    """All that can be reached from `start`, which is part of it."""
    found = set(start)
    work = list(found)
    while work:
        for node in neighbours(work.pop()):
            if node not in found:
                found.add(node)
                work.append(node)
    return found


def in_order(function: Function) -> tuple[str, ...]:
    """The blocks in reverse postorder: of two that are in no loop, the one that runs first comes
    first."""
    edges = ((b.name, s) for b in function.blocks.values() for s in b.successors)
    first = function.entry.name
    return tuple(reversed(postorder(Digraph([first], edges), first)))


def blocks_reached(
    function: Function, start: str, *, within: Container[str], without: Container[str] = ()
) -> set[str]:
    """The blocks that control may come to after it has left block `start`, through blocks of
    `within` that are not in `without`."""

    def successors(name: str) -> list[str]:
        targets = function.blocks[name].successors
        return [t for t in targets if t in within and t not in without]

    return closure(successors(start), successors)


def blocks_leading_to(
    function: Function, targets: Iterable[str], *, without: Iterable[str] = ()
) -> set[str]:
    """The blocks from which control may come to one of `targets`, these included, through blocks
    that are not in `without`."""

    above = function.predecessors
    found = set(targets)
    barred = set(without) - found  # as if they had been followed already
    work = list(found)
    found |= barred
    while work:
        for p in above[work.pop()]:
            if p not in found:
                found.add(p)
                work.append(p)
    return found - barred
