"""Loops that go on with what the loop around them goes on with.

    while (*p) {
        while (*p == ' ') p++;
        p++;
    }

However often one entry of the inner loop runs, all entries together take the cursor from its first
place to its last, as the outer loop by itself does: the aggregate method of amortized analysis
(Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms", chapter 16). A cursor is a
variable, a place in memory, or what a call reads on from, such as a stream. It only ever takes
steps of one kind; what is taken back, or starts anew in each iteration around, is none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from staticana.alias.library import library_function
from staticana.ir.graph import callee, closure
from staticana.ir.loop_info import Loop
from staticana.ir.types import Instruction, IntLiteral, Operand, Register

from .slices import Values

_CASTS = ("freeze", "sext", "zext", "trunc", "bitcast", "ptrtoint", "inttoptr")
_TAKES_BACK = frozenset(
    "fseek fseeko fseeko64 fsetpos rewind ungetc lseek lseek64 seekdir rewinddir".split()
)
"""Functions after which a stream is read from elsewhere."""
_MOST = 300
"""Values that are looked at for one step."""


class _Source(NamedTuple):
    """A variable that a value comes from. block: where from; steps: what was done to it."""

    value: Operand
    block: str
    steps: frozenset[str]


def goes_on(values: Values, inner: Loop, outer: Loop) -> bool:
    """Does a loop go on with a cursor of the loop around it?"""
    decisive = values.reached(values.deciding(inner), inner)
    return (
        _by_variable(values, decisive, inner, outer)
        or _by_memory(values, decisive, inner, outer)
        or _by_calls(values, decisive, inner, outer)
    )


def restarted(values: Values) -> frozenset[str]:
    """The members and variables that a function takes elsewhere than a step on."""
    places = ((i, values.place(i.operands[1])) for i in values.all_stores)
    return frozenset(place for i, place in places if place and not _is_step(values, i, place))


def _is_step(values: Values, store: Instruction, place: str) -> bool:
    """Does a store take a place in memory a step on from where it is right before?"""
    block = _block_of(values, store, values.f.blocks)
    loads = _loads(values, [block], place)
    return bool(_sources(values, store.operands[0], block, loads, [block]))


def _block_of(values: Values, store: Instruction, blocks: Iterable[str]) -> str:
    return next(b for b in blocks if any(i is store for i in values.f.blocks[b].instructions))


def _by_variable(values: Values, decisive: Iterable[Instruction], inner: Loop, outer: Loop) -> bool:
    own = [i for i in decisive if _is_variable(values, i, inner)]
    around = [i for i in values.f.blocks[outer.header].instructions if i.opcode == "phi"]
    after = _after(values, inner, outer)
    return any(_is_one(values, p, q, inner, outer, after) for p in own for q in around)


def _is_variable(values: Values, i: Instruction, loop: Loop) -> bool:
    return i.opcode == "phi" and values.f.block_of[i.token] == loop.header


def _after(values: Values, inner: Loop, outer: Loop) -> set[str]:
    """The blocks of an iteration of the outer loop that come after the inner one has begun."""

    def next_ones(block: str) -> list[str]:
        labels = values.f.blocks[block].terminator.labels
        return [b for b in labels if b in outer.blocks and b != outer.header]

    return closure([inner.header], next_ones)


def _is_one(
    values: Values, p: Instruction, q: Instruction, inner: Loop, outer: Loop, after: Collection[str]
) -> bool:
    """Are variables of two loops one cursor: does the inner one start where the outer one is, and
    the outer one go on where the inner one has come to?"""
    ends = {p.token, q.token}
    steps = set[str]()
    for o, label in zip(p.operands, p.labels, strict=True):
        found = _sources(values, o, label, ends, outer.blocks)
        is_step = label in inner.blocks
        if not found or any((s.value == p.token) != is_step for s in found):
            return False
        if is_step and not all(s.steps for s in found):
            return False
        steps |= {k for s in found for k in s.steps}
    for o, label in zip(q.operands, q.labels, strict=True):
        if label not in outer.blocks:
            continue
        found = _sources(values, o, label, ends, outer.blocks, inner.blocks)
        if not found or any(s.value == q.token and s.block in after for s in found):
            return False
        steps |= {k for s in found for k in s.steps}
    return len(steps) == 1


def _by_memory(values: Values, decisive: Iterable[Instruction], inner: Loop, outer: Loop) -> bool:
    places = dict.fromkeys(values.place(i.operands[0]) for i in decisive if i.opcode == "load")
    return any(_is_cursor(values, place, inner, outer) for place in places if place)


def _is_cursor(values: Values, place: str, inner: Loop, outer: Loop) -> bool:
    """Does each iteration of the inner loop take a place in memory a step on, and nothing in the
    outer one elsewhere?"""
    loads, after = _loads(values, outer.blocks, place), _after(values, inner, outer)
    if not _is_one_object(values, loads, outer):
        return False
    steps, moving = set[str](), set[str]()
    for store in values.stores(outer).get(place, ()):
        block = _block_of(values, store, outer.blocks)
        # what was read before the inner loop and is stored after it takes the place back
        fresh = loads if block not in after else _loads(values, after, place)
        found = _sources(values, store.operands[0], block, fresh, outer.blocks)
        if not found:
            return False
        steps |= {k for s in found for k in s.steps}
        moving |= {block} if all(s.steps for s in found) else set()
    for block, name in _calls(values, outer):
        if place in values.written(name):
            if place in values.reset(name):
                return False
            moving.add(block)
    return len(steps) <= 1 and _is_each_time(values, moving, inner)


def _is_each_time(values: Values, blocks: Iterable[str], loop: Loop) -> bool:
    """Does each iteration of a loop come to one of these blocks?"""
    inside = [b for b in blocks if b in loop.blocks]
    return any(all(values.forest.dominates(b, latch) for latch in loop.latches) for b in inside)


def _is_one_object(values: Values, loads: Collection[Operand], outer: Loop) -> bool:
    """Do all these loads read the same place of the same object, whatever the iteration?"""
    addresses = [values.f.definitions[o].operands[0] for o in loads]
    made = values.reached(addresses, outer)
    varies = any(i.opcode == "phi" or i.is_call for i in made)
    return not varies and len({values.text([a], None) for a in addresses}) == 1


def _loads(values: Values, blocks: Iterable[str], place: str) -> frozenset[Operand]:
    return frozenset(
        i.token
        for b in blocks
        for i in values.f.blocks[b].instructions
        if i.opcode == "load" and values.place(i.operands[0]) == place
    )


def _calls(values: Values, loop: Loop) -> Iterator[tuple[str, str]]:
    """The calls of named functions in a loop, with their blocks."""
    for block in loop.blocks:
        for i in values.f.blocks[block].instructions:
            if name := callee(i):
                yield block, name


def _by_calls(values: Values, decisive: Iterable[Instruction], inner: Loop, outer: Loop) -> bool:
    """Do both loops end when a call has nothing more to read from the same thing, or does each
    iteration of the inner one make the call that takes this thing on in the outer one?"""
    around = [
        i
        for i in values.reached(values.deciding(outer), outer)
        if i.is_call and values.f.block_of[i.token] not in inner.blocks
    ]
    own = [
        i
        for i in decisive
        if i.is_call and _is_each_time(values, [values.f.block_of[i.token]], inner)
    ]
    if any(_reads_on(values, i, k, outer) for i in own for k in around):
        return True
    steps = _same_steps(values, inner, outer) if around else ()
    return any(_share(values, i, k, outer) for i in steps for k in around)


def _same_steps(values: Values, inner: Loop, outer: Loop) -> list[Instruction]:
    """The calls that each iteration of a loop makes, and that of the one around it makes, too."""
    found = {False: list[Instruction](), True: list[Instruction]()}
    for loop, blocks in ((inner, inner.blocks), (outer, outer.blocks - inner.blocks)):
        for block in blocks:
            if _is_each_time(values, [block], loop):
                calls = (i for i in values.f.blocks[block].instructions if callee(i))
                found[loop is outer] += calls
    around = {callee(i) for i in found[True]}
    return [i for i in found[False] if callee(i) in around]


def _reads_on(values: Values, i: Instruction, k: Instruction, outer: Loop) -> bool:
    names = [callee(i), callee(k)]
    rows = [library_function(n) if n is not None else None for n in names]
    if any(row is not None and row.only_reads for row in rows):
        return False
    if i.operands[0] != k.operands[0] and None in rows:
        return False
    return _share(values, i, k, outer)


def _share(values: Values, i: Instruction, k: Instruction, outer: Loop) -> bool:
    """Are both calls handed the same thing, which nothing in a loop takes back?"""
    handles = _handles(values, i, outer) & _handles(values, k, outer)
    taken_back = (
        c
        for b in outer.blocks
        for c in values.f.blocks[b].instructions
        if callee(c) in _TAKES_BACK and _handles(values, c, outer) & handles
    )
    return bool(handles) and not any(taken_back)


def _handles(values: Values, call: Instruction, outer: Loop) -> set[str]:
    """What a call is handed that is the same in all iterations of a loop."""
    found = set[str]()
    for o in call.operands[1:]:
        if isinstance(o, IntLiteral) or o in ("null", "undef", "poison"):
            continue
        made = values.reached([o], outer)
        if not any(m.opcode == "phi" or m.is_call for m in made):
            found.add(values.text([o], None))
    return found


def _sources(
    values: Values,
    start: Operand,
    block: str,
    ends: Collection[Operand],
    blocks: Collection[str],
    kept: Collection[str] = (),
) -> list[_Source] | None:
    """The variables that a value is made of by steps; None where it is made of anything else. What
    comes through one of the blocks `kept` is said to come from there."""
    f, found, seen = values.f, list[_Source](), set[_Source]()
    todo = [_Source(start, block, frozenset())]
    while todo:
        s = todo.pop()
        if s in seen:
            continue
        seen.add(s)
        if s.value in ends:
            found.append(s)
            continue
        d = f.definitions.get(s.value)
        if d is None or f.block_of[d.token] not in blocks or len(seen) > _MOST:
            return None
        if d.opcode == "phi":
            through = next((b for b in (s.block, f.block_of[d.token]) if b in kept), "")
            ways = zip(d.operands, d.labels, strict=True)
            todo += (_Source(o, through or label, s.steps) for o, label in ways)
        elif d.opcode == "select":
            todo += (s._replace(value=o) for o in d.operands[1:])
        elif d.opcode in _CASTS:
            todo.append(s._replace(value=d.operands[0]))
        elif (kind := _step(values, d)) is not None:
            base = f.definitions[d.operands[0]].operands[0] if d.opcode == "load" else d.operands[0]
            todo.append(_Source(base, s.block, s.steps | {kind}))
        else:
            return None
    return found


def _step(values: Values, d: Instruction) -> str | None:
    """The kind of a step: up, down, to what a member of the last one leads to; None for others."""
    if d.opcode == "load":
        address = values.f.definitions.get(d.operands[0])
        place = values.place(d.operands[0])
        is_member = address is not None and address.opcode == "getelementptr"
        return place if is_member and place.startswith(".") else None
    if d.opcode not in ("add", "sub", "getelementptr"):
        return None
    by = d.operands[1]
    if d.opcode == "getelementptr" and len(d.operands) > 2:
        return None
    if isinstance(by, Register):
        given = values.f.definitions.get(by)
        is_back = given is not None and given.opcode == "sub"
        return None if is_back or d.opcode == "sub" else "up"
    if not isinstance(by, IntLiteral):
        return None
    return "up" if (by.value > 0) == (d.opcode != "sub") else "down"
