"""What a function promises that makes its work cheap over many calls, and no law of one call shows.

An array whose room doubles is copied a constant number of times for each element (amortized
analysis: Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms", chapter 16); lists that
start in as many places as a table has stay short; a function that hands on half of what it has
calls itself as often as a logarithm; a mark that is set and asked saves doing something again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from staticana.ir.graph import callee, instructions
from staticana.ir.types import Instruction, IntLiteral, Operand

from .slices import Values, is_scaled

ROOM, SPREAD, HALVES, MARK = "room", "spread", "halves", "mark"
_DOWN = ("udiv", "sdiv", "lshr", "ashr")
_VARIABLE, _ALL = "a size", "an array"
"""What stands for variables of a function that are not in memory, and for what it allocates."""
Promise = tuple[str, str]
"""What is promised, and of what: a member, a list."""


class Promises(NamedTuple):
    """Those that a function keeps, and those that it breaks. writers: how many stores the program
    has of a place in memory."""

    kept: frozenset[Promise] = frozenset()
    broken: frozenset[Promise] = frozenset()
    writers: Callable[[str], int] = lambda _: 0

    def broken_since(self, before: Promises) -> list[Promise]:
        """Those kept before that are only broken now. A mark counts where nobody sets it instead,
        as a function that the store moved to."""
        lost = sorted((before.kept - before.broken) & (self.broken - self.kept))
        return [p for p in lost if p[0] != MARK or self.writers(p[1]) < before.writers(p[1])]


def promises(
    parts: Sequence[Values],
    working: Callable[[Values], Iterable[str]],
    written: Callable[[Values], Collection[str]],
    writers: Callable[[str], int],
) -> Promises:
    """The promises of a function and those that count as part of it.

    Args:
        working: the blocks of a function that do what may be much.
        written: the memory that what it calls writes.
    """
    found = set[tuple[bool, Promise]]()
    for values in parts:
        found |= {*_room(values), *_spread(values), *_marks(values, working, written)}
    found |= set(_halves(parts))
    kept, broken = (frozenset(p for is_kept, p in found if is_kept == k) for k in (True, False))
    return Promises(kept, broken, writers)


def _slice(values: Values, roots: Iterable[Operand]) -> list[Instruction]:
    """The instructions that values are made of, without what memory holds and functions return."""
    found, todo = dict[Operand, Instruction](), list(roots)
    while todo:
        d = values.f.definitions.get(todo.pop())
        if d is None or d.token in found:
            continue
        found[d.token] = d
        todo += () if d.is_call or d.opcode == "load" else d.operands
    return list(found.values())


def _room(values: Values) -> Iterator[tuple[bool, Promise]]:
    """How what is allocated grows: by a factor of itself, or by what is added."""
    made = [i for i in instructions(values.f) if i.is_call and i.type == "ptr"]
    handed = _slice(values, (o for i in made for o in i.operands[1:]))
    for i in made:
        sizes = _slice(values, i.operands[1:]) if _is_handed_memory(values, i) else []
        if any(
            d.opcode == "add" and not any(map(is_scaled, _slice(values, [d.token]))) for d in sizes
        ):
            yield False, (ROOM, _ALL)
    tokens = {d.token for d in handed}
    places = {values.place(d.operands[0]) for d in handed if d.opcode == "load"} - {""}
    for s in values.all_stores:
        place = values.place(s.operands[1])
        if place and not place.startswith("%") and (place in places or s.operands[0] in tokens):
            yield from _grown(values, s.operands[0], place, _loads(values, place))
    for loop in values.loops.values():
        for phi in values.f.blocks[loop.header].instructions:
            if phi.opcode == "phi" and phi.token in tokens and phi.type != "ptr":
                ways = zip(phi.operands, phi.labels, strict=True)
                for o in (o for o, label in ways if label in loop.blocks and o != phi.token):
                    yield from _grown(values, o, _VARIABLE, {phi.token})


def _is_handed_memory(values: Values, call: Instruction) -> bool:
    """Is a call handed what other memory holds, or led to, as realloc() is?"""
    made = (values.f.definitions.get(o) for o in call.operands[1:])
    return any(d is not None and d.type == "ptr" for d in made)


def _loads(values: Values, place: str) -> set[Operand]:
    return {
        i.token
        for i in instructions(values.f)
        if i.opcode == "load" and values.place(i.operands[0]) == place
    }


def _grown(
    values: Values, o: Operand, of: str, itself: set[Operand]
) -> Iterator[tuple[bool, Promise]]:
    """How a new size is made of the one before."""
    made = _slice(values, [o])
    if any(_is_multiple(values, d, itself) for d in made):
        yield from ((True, (ROOM, place)) for place in (of, _ALL))
    elif any(d.opcode == "add" for d in made) and not any(d.is_call or is_scaled(d) for d in made):
        yield False, (ROOM, of)


def _is_multiple(values: Values, d: Instruction, itself: set[Operand]) -> bool:
    """Is it a multiple of a size, or the sum of two values made of it?"""
    if is_scaled(d):
        return not itself.isdisjoint(i.token for i in _slice(values, [d.token]))
    sides = [[i.token for i in _slice(values, [p])] for p in d.operands]
    return d.opcode == "add" and all(not itself.isdisjoint(side) for side in sides)


def _spread(values: Values) -> Iterator[tuple[bool, Promise]]:
    """Where walks of lists start: in one of as many places as a variable says, or a constant."""
    for loop in values.loops.values():
        walk = values.walk(loop.header)
        loads = [d for d in _slice(values, values.starts(loop)) if d.opcode == "load"]
        masks = [
            d.operands[1]
            for d in _slice(values, (load.operands[0] for load in loads))
            if d.opcode in ("and", "urem")
        ]
        if walk.said and masks:
            is_many = not any(isinstance(o, IntLiteral) for o in masks)
            yield is_many, (SPREAD, walk.said)


def _halves(parts: Sequence[Values]) -> Iterator[tuple[bool, Promise]]:
    """Whether a function hands on a fraction of what it has in each call of itself."""
    for values in parts:
        again = [i for i in instructions(values.f) if callee(i) == values.f.name]
        slices = [_slice(values, i.operands[1:]) for i in again]
        if slices:
            is_kept = all(any(d.opcode in _DOWN and is_scaled(d) for d in s) for s in slices)
            yield is_kept, (HALVES, "")


def _marks(
    values: Values,
    working: Callable[[Values], Iterable[str]],
    written: Callable[[Values], Collection[str]],
) -> Iterator[tuple[bool, Promise]]:
    """The memory that decides whether to do something, and whether the function sets it."""
    asked = {values.home(a) for block in working(values) for a in values.asked_for(block)} - {""}
    stored = {values.home(s.operands[1]) for s in values.all_stores} if asked else set[str]()
    for place in asked & stored:
        yield True, (MARK, place)
    for place in asked - stored - {*written(values)}:
        yield False, (MARK, place)
