"""The graphs in IR: whom a call calls, what can be reached from where, which blocks lead to which.

The def-use lists are those of LLVM (`Value::users`); reachability is a depth-first search;
dominators are found as by Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2006).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import NamedTuple, TypeVar

from .tokens import global_names
from .types import CALLS, Function, GlobalRef, Instruction, Module, Register

T = TypeVar("T")


def instructions(function: Function) -> Iterator[Instruction]:
    """All instructions of a function, block by block."""
    return (i for b in function.blocks.values() for i in b.instructions)


def calls_in(module: Module) -> Iterator[tuple[Function, Instruction]]:
    """All calls of a module, with the function in which they stand."""
    return ((f, i) for f in module.functions.values() for i in f.calls)


def callee(i: Instruction) -> str | None:
    """The name of the function that a call goes to; None for calls through pointers, for inline
    assembly, and for what is no call."""
    if i.opcode not in CALLS:
        return None
    called = i.operands[0]
    return called.name if isinstance(called, GlobalRef) else None


def address_taken(module: Module) -> frozenset[str]:
    """The defined functions that may be called through a pointer."""
    found: set[str] = set()
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


class Dominators(NamedTuple):
    """Of the nodes of a graph that a start leads to. above: the immediate dominator of each but the
    start, in reverse postorder; retreating: the edges that a depth-first search finds leading back
    to a node that it is still in."""

    above: dict[str, str]
    retreating: frozenset[tuple[str, str]]


def dominators(start: str, successors: Callable[[str], Iterable[str]]) -> Dominators:
    """The immediate dominators of what `start` leads to."""
    into: dict[str, list[str]] = {start: []}
    number: dict[str, int] = {}  # in postorder
    retreating: set[tuple[str, str]] = set()
    work = [(start, iter(successors(start)))]
    while work:
        node, ahead = work[-1]
        for s in ahead:
            known = into.get(s)
            if known is None:
                into[s] = [node]
                work.append((s, iter(successors(s))))
                break
            known.append(node)
            if s not in number:
                retreating.add((node, s))
        else:
            number[node] = len(number)
            work.pop()
    order = list(number)[-2::-1]
    above = {start: start}
    changed = True
    while changed:
        changed = False
        for node in order:
            found: str | None = None
            for p in into[node]:
                if p not in above:
                    continue
                if found is None:
                    found = p
                while found != p:  # up to where both come from
                    while number[found] < number[p]:
                        found = above[found]
                    while number[p] < number[found]:
                        p = above[p]
            assert found is not None
            if above.get(node) != found:
                above[node] = found
                changed = bool(retreating)  # without them, all that leads to a node came before it
    del above[start]
    return Dominators(above, frozenset(retreating))
