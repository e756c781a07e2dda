"""What loops are: what moves on in them, and their ways out, as slices of values.

A slice (Weiser, "Program Slicing", ICSE 1981) is all that a value is made of, without what merely
stands beside: what a body stores elsewhere is not in it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from staticana.ir.graph import blocks_reached, callee, closure, instructions
from staticana.ir.loop_info import Loop, LoopForest
from staticana.ir.types import Function, GlobalRef, Instruction, IntLiteral, Operand, Register

from .conditions import conjuncts, test_of
from .words import MEMBER, POINTER, Words, unnumbered

_LARGE = 1024
"""Iterations of a loop that runs a constant number of times which are no trifle."""
_CHOICES = ("phi", "select")
_ELSEWHERE = (*_CHOICES, "getelementptr")
_SHIFTS = ("shl", "lshr", "ashr")
_SCALES = ("mul", "udiv", "sdiv", *_SHIFTS)
_VARIABLE = re.compile(r"\b(a|len|log)(\d+)\b")
"""What costs of library functions are made of."""
_ARRAY = re.compile(r"\[(\d+) x ")
NOTHING: Mapping[str, IntLiteral] = {}
_DEEP = 3000
"""Instructions of a slice that are looked at."""


ASKED = " (asked)"
"""What marks a condition that a function decides: it may stand for several."""


@dataclass(frozen=True)
class Walk:
    """A loop. moves: what moves on from iteration to iteration; ways: its ways out, each with the
    conditions under which an iteration comes to it; said: what it walks, in words; kinds: how it
    moves on, whatever it is that moves; is_constant: it runs a small constant number of times;
    is_capped: an end of it may be a constant; goes_on: with what the loop around it goes on with,
    so that it is no factor; is_halved: what moves is scaled by a constant each time; starts: where
    a walk along members begins; restarts: a step of it goes back there."""

    at: str
    moves: frozenset[str]
    ways: frozenset[tuple[str, frozenset[str]]]
    said: str
    kinds: frozenset[str] = frozenset()
    is_constant: bool = False
    is_capped: bool = False
    goes_on: bool = False
    is_halved: bool = False
    starts: frozenset[str] = frozenset()
    restarts: bool = False


@dataclass(frozen=True)
class Values:
    """Slices of the values of a function."""

    f: Function
    words: Words
    forest: LoopForest
    names: Mapping[str, str]
    written: Callable[[str], frozenset[str]]
    reset: Callable[[str], frozenset[str]]

    @cached_property
    def loops(self) -> dict[str, Loop]:
        """The loops by their headers."""
        return self.forest.by_header()

    @cached_property
    def _walks(self) -> dict[str, Walk]:
        return {}

    @cached_property
    def stored(self) -> frozenset[str]:
        """The members and variables that its stores write."""
        return frozenset(self.place(i.operands[1]) for i in self.all_stores) - {""}

    @cached_property
    def all_stores(self) -> list[Instruction]:
        """The stores of the function."""
        return [i for i in instructions(self.f) if i.opcode == "store"]

    def walk(self, header: str) -> Walk:
        """The loop with a header."""
        if header not in self._walks:
            self._walks[header] = self._walk(self.loops[header])
        return self._walks[header]

    def needs(self, block: str) -> frozenset[str]:
        """The conditions that hold wherever the block is reached."""
        return self._needs(block, "")

    def _needs(self, block: str, start: str) -> frozenset[str]:
        """Those below another block."""
        known = {self._condition(*known) for known in self._asked_above(block, start)}
        either = (self._either(below) for _, below in self._above(block, start))
        return frozenset(known | {e for e in either if e})

    def _above(self, block: str, start: str) -> Iterator[tuple[str, str]]:
        """The blocks through which control comes to a block, each with the next one of them."""
        below = block
        while below != start and (above := self.forest.dominator.get(below, below)) != below:
            yield above, below
            below = above

    def _either(self, block: str) -> str:
        """What holds where a block is only reached by branches, as where `a && b` does not, or by
        several ways of a switch: one of several conditions. Empty for others."""
        before = [b for b in self.f.predecessors[block] if not self.forest.dominates(block, b)]
        branches = {b: self.f.blocks[b].terminator for b in before}
        ways = [i.labels.count(block) for i in branches.values()]
        if (
            sum(ways) < 2
            or any(i.opcode not in ("br", "switch") for i in branches.values())
            or any(n == len(i.labels) for n, i in zip(ways, branches.values(), strict=True))
            or any(self._is_of_loop(b, block) for b in before)
        ):
            return ""
        known = [" ".join(sorted(self._taken(i, block))) for i in branches.values()]
        return f"either {_hash(' '.join(sorted(known)))}{ASKED * any(ASKED in k for k in known)}"

    def _taken(self, branch: Instruction, way: str) -> Iterator[str]:
        """The conditions under which a branch takes a way."""
        if branch.opcode == "br":
            yield from (self._condition(*known) for known in self._ways(branch, way))
        else:
            numbers = [k for k, label in enumerate(branch.labels) if label == way]
            yield self._condition(branch.operands[0], str(numbers))

    def _ways(self, branch: Instruction, way: str) -> list[tuple[Operand, bool]]:
        return conjuncts(self.f, branch.operands[0], branch.labels[0] == way, self.loops)

    def _is_of_loop(self, above: str, block: str) -> bool:
        """May the branch of a block end a loop around it?"""
        return any(
            block not in loop.blocks
            or any(s not in loop.blocks for s in self.f.blocks[above].terminator.labels)
            for loop in self.loops.values()
            if above in loop.blocks
        )

    def kept(self, block: str) -> frozenset[str]:
        """Of the conditions that hold there, those that read what the function stores for what it
        is called with: marks of what was visited, results of earlier calls."""
        stored = {self._memory(i.operands[1]) for i in self.all_stores}

        def is_kept(c: Operand) -> bool:
            read = filter(self._is_of_argument, self._read(c))
            return not stored.isdisjoint(map(self._memory, read))

        return frozenset(
            self._condition(c, holds)
            for c, holds in self._asked_above(block, "")
            if isinstance(holds, bool) and is_kept(c)
        )

    def _is_of_argument(self, address: Operand) -> bool:
        """Does it depend on an argument which memory is at an address?"""
        given = {p.token for p in self.f.parameters}

        def operands(o: Operand) -> Sequence[Operand]:
            d = self.f.definitions.get(o)
            return () if d is None else d.operands

        reached = closure((address,), operands)
        return not given.isdisjoint(reached)

    def _memory(self, address: Operand) -> tuple[str, str]:
        """What an address leads into, and by which member."""
        return self.text(self._objects([address]), None), self.place(address)

    def _read(self, o: Operand, *, without: Collection[str] = ()) -> Iterator[Operand]:
        """The addresses that a value is read from, but for what some instructions yield."""
        seen, todo = set[Operand](), [o]
        while todo:
            at = todo.pop()
            d = self.f.definitions.get(at)
            if d is None or at in seen or d.is_call or d.opcode in without:
                continue
            seen.add(at)
            if d.opcode == "load":
                yield d.operands[0]
            else:
                todo += d.operands

    def _asked_above(self, block: str, start: str) -> Iterator[tuple[Operand, bool | str]]:
        """The conditions below another block that hold where a block is reached, and how they come
        out: true, false, or the way of a switch."""
        for above, _ in self._above(block, start):
            yield from self._asked_at(above, block)

    def _asked_at(self, above: str, block: str) -> Iterator[tuple[Operand, bool | str]]:
        """Those of the branch of one block."""
        branch = self.f.blocks[above].terminator
        ways = [k for k, s in enumerate(branch.labels) if self._leads(above, s, block)]
        if len(branch.labels) > 1 and len(ways) == 1 and not self._is_of_loop(above, block):
            if branch.opcode == "br":
                yield from self._ways(branch, branch.labels[ways[0]])
            else:
                yield branch.operands[0], str(ways[0])

    def cases(self, block: str, working: Set[str], handed: Collection[str] = ()) -> frozenset[str]:
        """The conditions outside of all loops under which a block is reached, where the other way
        comes to one of the blocks that are working: not those of returns at once, nor those on what
        is handed on there, as that a size is not 0."""
        header = self.forest.innermost.get(block)
        while header is not None:
            block, header = header, self.loops[header].parent
        return frozenset(
            self._condition(*known)
            for above, _ in self._above(block, "")
            for known in self._asked_at(above, block)
            if not self._is_of(known[0], handed)
            and any(
                not working.isdisjoint({way, *blocks_reached(self.f, way, within=self.f.blocks)})
                for way in self.f.blocks[above].terminator.labels
                if not self._leads(above, way, block)
            )
        )

    def _is_of(self, condition: Operand, handed: Collection[str]) -> bool:
        """Does a condition compare one of some values with a constant?"""
        d = self.f.definitions.get(condition)
        return (
            bool(handed)
            and d is not None
            and any(isinstance(o, IntLiteral) for o in d.operands)
            and any(self._plain(o) in handed for o in d.operands)
        )

    def _plain(self, o: Operand) -> str:
        """What a value is made of but for a constant that is added, however wide it is."""
        return self.text([self._offset(o)[0]], None)

    def is_seldom(self, block: str, working: Set[str], calls: Iterable[Instruction]) -> bool:
        """Is a block reached only in a case of its own (`cases`), or under a condition on members
        that it then changes, as where an array has to grow? calls: those in it that count."""
        handed = {self._plain(o) for i in calls for o in i.operands[1:]}

        def changes_asked(above: str) -> bool:
            asked = [c for c, _ in self._asked_at(above, block) if not self._is_of(c, handed)]
            read = {self.place(a) for c in asked for a in self._read(c)} - {""}
            ways = [s for s in self.f.blocks[above].successors if self._leads(above, s, block)]
            return any(
                i.opcode == "store" and self.place(i.operands[1]) in read
                for way in ways
                for b in self.f.blocks.values()
                if read and self.forest.dominates(way, b.name)
                for i in b.instructions
            )

        above = (above for above, _ in self._above(block, ""))
        return bool(self.cases(block, working, handed)) or any(map(changes_asked, above))

    def is_first_time(self, block: str) -> bool:
        """Is a block reached only while a variable of the program has one value, and does the
        function then set it?"""
        for above, _ in self._above(block, ""):
            branch = self.f.blocks[above].terminator
            ways = [s for s in branch.labels if self._leads(above, s, block)]
            if branch.opcode == "br" and len(branch.labels) > 1 and len(ways) == 1:
                asked = self._ways(branch, ways[0])
                if any(self._sets(place, ways[0]) for c, _ in asked for place in self._asked(c)):
                    return True
        return False

    def _asked(self, condition: Operand) -> Iterator[Operand]:
        """The variables of the program that are compared with a constant."""
        d = self.f.definitions.get(condition)
        if d is None or d.opcode != "icmp" or all(isinstance(o, Register) for o in d.operands):
            return
        for o in d.operands:
            load = self.f.definitions.get(o)
            if (
                load is not None
                and load.opcode == "load"
                and isinstance(load.operands[0], GlobalRef)
            ):
                yield load.operands[0]

    def _sets(self, place: Operand, way: str) -> bool:
        """Is a variable stored to in what a block leads to?"""
        stores = (s for s in self.all_stores if s.operands[1] == place)
        blocks = (b for s in stores for b in self.f.blocks if s in self.f.blocks[b].instructions)
        return any(self.forest.dominates(way, b) for b in blocks)

    def _leads(self, above: str, way: str, block: str) -> bool:
        """Does control come to the block only by this way out of a block above?"""
        return self.f.predecessors[way] == (above,) and self.forest.dominates(way, block)

    def _condition(self, condition: Operand, is_true: bool | str) -> str:
        if isinstance(is_true, str):
            return f"{is_true} {self.text((condition,), None)}"
        known = test_of(self.f.definitions.get(condition), is_true)
        operands = (condition,) if known is None else known[1]
        how = ASKED * any(self._is_answer(o) for o in operands)
        return f"{is_true if known is None else known[0]} {self.text(operands, None)}{how}"

    def _is_answer(self, o: Operand) -> bool:
        """Is a value what a function returned?"""
        d = self.f.definitions.get(o)
        while d is not None and d.opcode in ("zext", "sext", "trunc"):
            d = self.f.definitions.get(d.operands[0])
        return d is not None and d.is_call

    def _walk(self, loop: Loop) -> Walk:
        ways, said = set[tuple[str, frozenset[str]]](), ""
        exits = list(self._exits(loop))
        for block, word, operands in exits:
            ways.add((f"{word} {self.text(operands, loop)}", self._needs(block, loop.header)))
        tests = [operands for _, _, operands in exits if len(operands) > 1]
        moves, members, kinds = self._moves(self.deciding(loop), loop)
        if members:
            said = f"the list of {' and '.join(f'{MEMBER}{m}' for m in sorted(members))}"
        starts, steps = self._starts(loop) if members else ((), ())
        return Walk(
            loop.at,
            moves,
            frozenset(ways),
            said,
            kinds,
            is_constant=any(self._is_constant(test, loop) for test in tests),
            is_capped=any(self._is_capped(test, loop) for test in tests),
            is_halved=self._is_halved(self.deciding(loop), loop),
            starts=frozenset(self.text([o], None) for o in starts),
            restarts=any(
                o in self.f.definitions and self.text([o], None) == self.text([start], None)
                for o in self._leaves(steps, loop)
                for start in starts
            ),
        )

    def _starts(self, loop: Loop) -> tuple[list[Operand], list[Operand]]:
        """Where the variables begin that decide whether a loop goes on, and what they go on to."""
        starts, steps = list[Operand](), list[Operand]()
        for i in self.reached(self.deciding(loop), loop):
            if i.opcode == "phi" and self._block(i) == loop.header:
                for o, b in zip(i.operands, i.labels, strict=True):
                    (steps if b in loop.blocks else starts).append(o)
        return starts, steps

    def deciding(self, loop: Loop) -> list[Operand]:
        """The values that decide whether a loop goes on."""
        return [o for _, _, operands in self._exits(loop) for o in operands]

    def _exits(self, loop: Loop) -> Iterator[tuple[str, str, Sequence[Operand]]]:
        """The tests by which control leaves a loop: the block, how they come out, and of what."""
        for block in loop.blocks:
            branch = self.f.blocks[block].terminator
            leaving = [s not in loop.blocks for s in branch.labels]
            if not any(leaving) or branch.opcode == "invoke":
                continue
            if branch.opcode != "br" or not branch.operands:
                yield block, "", branch.operands[:1]
                continue
            for condition, stays in conjuncts(
                self.f, branch.operands[0], not leaving[0], self.loops
            ):
                known = test_of(self.f.definitions.get(condition), not stays)
                yield (block, *known) if known else (block, str(not stays), (condition,))

    def is_constant_for(self, loop: Loop, given: Mapping[str, IntLiteral]) -> bool:
        """Does a loop run a small constant number of times where arguments have these values?"""
        tests = (operands for _, _, operands in self._exits(loop) if len(operands) > 1)
        return any(self._is_constant([given.get(o, o) for o in t], loop, given) for t in tests)

    def _is_constant(
        self, test: Sequence[Operand], loop: Loop, given: Mapping[str, IntLiteral] = NOTHING
    ) -> bool:
        """Is it a test of a counter that steps from a constant to one, or from a value to one that
        is a constant away? given: arguments that are constants."""
        if self._is_band(test, loop):
            return True
        bounds = [o for o in test if isinstance(o, IntLiteral)]
        reached = self.reached([o for o in test if not isinstance(o, IntLiteral)], loop)
        if not bounds or abs(bounds[0].value) > _LARGE:
            return False
        phis = [i for i in reached if i.opcode == "phi"]
        plain = {"phi", "add", "sub", "shl", "mul", "lshr", "ashr", "sext", "zext", "trunc"}
        return (
            len(phis) == 1
            and self.f.block_of[phis[0].token] == loop.header
            and len(reached) > 1
            and all(
                i.opcode in plain
                and all(
                    isinstance(o, IntLiteral) or o in given or self._is_inner(o, loop)
                    for o in i.operands
                )
                for i in reached
            )
        )

    def _is_band(self, test: Sequence[Operand], loop: Loop) -> bool:
        """Is it a test of `j` in `for (j = i; j < i + 3; j++)`, or of a pointer that runs so?"""
        for tested, bound in itertools.permutations(test, 2):
            o, further = self._offset(tested)
            d = self.f.definitions.get(o)
            if d is None or d.opcode != "phi" or self._block(d) != loop.header:
                continue
            pairs = list(zip(d.operands, d.labels, strict=True))
            starts = [self._offset(s) for s, b in pairs if b not in loop.blocks]
            steps = [self._offset(s) for s, b in pairs if b in loop.blocks]
            end = self._offset(bound)
            ways = {by > 0 for s, by in steps if s == o and by}
            ahead = [(end[1] - further - by) * (1 if True in ways else -1) for _, by in starts]
            if (
                all(s == o and by for s, by in steps)
                and len(ways) == 1
                and all(s == end[0] != o for s, _ in starts)
                and all(0 <= distance <= _LARGE for distance in ahead)
                and not self._is_inner(end[0], loop)
            ):
                return True
        return False

    def _offset(self, o: Operand) -> tuple[Operand, int]:
        """A value as another one and what is added to it, widened or not: elements to pointers."""
        by = 0
        while (d := self.f.definitions.get(o)) is not None:
            if d.opcode in ("add", "sub") and isinstance(d.operands[1], IntLiteral):
                by += d.operands[1].value * (1 if d.opcode == "add" else -1)
            elif d.opcode == "getelementptr":
                *outer, last = d.operands[1:]
                if not isinstance(last, IntLiteral) or any(k != "0" for k in outer):
                    break
                by += last.value
            elif d.opcode not in ("sext", "zext"):
                break
            o = d.operands[0]
        return o, by

    def _is_inner(self, o: Operand, loop: Loop) -> bool:
        d = self.f.definitions.get(o)
        return d is not None and self._block(d) in loop.blocks

    def _is_halved(self, deciding: Sequence[Operand], loop: Loop) -> bool:
        """Is each variable that decides on the end of a loop multiplied or divided by a constant in
        each step that changes it, as in bisection?"""
        phis = [
            i
            for i in self.reached(deciding, loop)
            if i.opcode == "phi" and self._block(i) == loop.header
        ]
        steps = [
            self._reached_by_step(o, loop)
            for i in phis
            for o, b in zip(i.operands, i.labels, strict=True)
            if b in loop.blocks and o != i.token
        ]
        return bool(steps) and all(any(map(_is_scaled, step)) for step in steps)

    def _reached_by_step(self, o: Operand, loop: Loop) -> list[Instruction]:
        """What a step is made of, without what memory holds."""
        return self._below([o], loop, lambda d: () if d.is_call else d.operands)

    def _is_capped(self, test: Sequence[Operand], loop: Loop) -> bool:
        """Does a test compare with a value that may be a constant, as that of `n < 3 ? n : 3`?"""
        chosen = (o for o in test if (d := self.f.definitions.get(o)) and d.opcode in _CHOICES)
        return any(isinstance(o, IntLiteral) for o in self._leaves(list(chosen), loop))

    def _moves(
        self, roots: Iterable[Operand], loop: Loop
    ) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """What moves on in a loop, of that which its ends depend on; the members by which, and the
        kinds of its steps."""
        reached = self.reached(roots, loop)
        phis = [i for i in reached if i.opcode == "phi" and self._block(i) == loop.header]
        steps = [
            o for i in phis for o, b in zip(i.operands, i.labels, strict=True) if b in loop.blocks
        ]
        leaves = self._leaves(steps, loop)
        moved = {self.text([o], loop, True) for o in leaves}
        kinds = {self._kind(o) for o in leaves}
        read = dict.fromkeys(self.place(i.operands[0]) for i in reached if i.opcode == "load")
        for place in filter(None, read):
            stores = self.stores(loop).get(place, ())
            moved |= {self.text([s.operands[0]], loop, True, place) for s in stores}
            kinds |= {self._kind(s.operands[0]) for s in stores}
            moved |= set(self._writers(loop, place))
        moved |= {f"{callee(i)}" for i in reached if i.is_call} if not moved else set()
        members = {self.place(i.operands[0])[1:] for i in self._links(leaves, loop)}
        return frozenset(moved), frozenset(members), frozenset(kinds)

    def _links(self, steps: Iterable[Operand], loop: Loop) -> Iterator[Instruction]:
        """The loads by which a variable of a loop moves on to what a member of it leads to."""
        for o in steps:
            d = self.f.definitions.get(o)
            if d is None or d.opcode != "load" or d.type != "ptr":
                continue
            from_self = any(i.opcode == "phi" for i in self._reached_by_step(d.operands[0], loop))
            if from_self and self.place(d.operands[0]).startswith("."):
                yield d

    def _kind(self, o: Operand) -> str:
        """How a variable moves on: by a constant or another value, to where it leads, or to what
        a function returns."""
        d = self.f.definitions.get(o)
        if d is None or not d.operands:
            return "set"
        if d.is_call:
            return f"{callee(d)}()"
        if d.opcode == "load":
            place = self.place(d.operands[0]) if d.type == "ptr" else ""
            return f"to {place}" if place.startswith(".") else "read"
        by = d.operands[-1]
        return f"{d.opcode} {by if isinstance(by, IntLiteral) else 'a value'}"

    def is_part(self, o: Operand) -> bool:
        """Is a value made of an argument of the function, by steps, offsets and loads alone?"""
        given, found, todo = {p.token for p in self.f.parameters}, set[Operand](), [o]
        while todo:
            at = todo.pop()
            d = self.f.definitions.get(at)
            if at in given and at != o:
                return True
            if d is None or at in found or d.is_call:
                continue
            found.add(at)
            todo += d.operands
        return False

    def moves_on(self, o: Operand, block: str) -> bool:
        """Is a value made of one read from memory that the function goes on to change, after a
        block? Then the next call of the function begins where this one has come to."""
        read = {self.place(address) for address in self._read(o, without=_ELSEWHERE)} - {""}
        if block not in self.forest.innermost:
            read -= self.f.definitions.keys()  # its own variables, which the next call has anew
        after = blocks_reached(self.f, block, within=self.f.blocks) | {block} if read else ()
        return any(
            s.opcode == "store" and self.place(s.operands[1]) in read
            for b in after
            for s in self.f.blocks[b].instructions
        )

    def resumes(self, o: Operand, call: Instruction, block: str) -> bool:
        """Is an argument of a call in a loop made of what the same call returned, or wrote where it
        was told to, in the iteration before?"""
        header = self.forest.innermost.get(block)
        return header is not None and any(
            i is call or (i.opcode == "load" and i.operands[0] in call.operands[1:])
            for i in self._reached_by_step(o, self.loops[header])
        )

    def motion(self, o: Operand) -> str:
        """How the variable of a loop moves on: a list walked from its start costs more than one
        walked from where the last iteration ended."""
        d = self.f.definitions.get(o)
        loop = self.loops.get(self._block(d)) if d is not None and d.opcode == "phi" else None
        if d is None or loop is None:
            return ""
        steps = [s for s, b in zip(d.operands, d.labels, strict=True) if b in loop.blocks]
        moved = sorted({self.text([s], loop, True) for s in self._leaves(steps, loop)})
        stays = any(i is d for i in self._reached_choices(steps, loop))
        return " ".join([*moved, "stays" * stays])

    def _reached_choices(self, roots: Sequence[Operand], loop: Loop) -> list[Instruction]:
        """The values of a loop that some are chosen from, one after another."""

        def chosen_from(d: Instruction) -> Sequence[Operand]:
            if d.opcode not in _CHOICES or self._block(d) == loop.header:
                return ()
            return d.operands if d.opcode == "phi" else d.operands[1:]

        return self._below(roots, loop, chosen_from)

    def _leaves(self, roots: Sequence[Operand], loop: Loop) -> list[Operand]:
        """The values that some may be, whatever chooses among them; not what they were before."""
        found, todo = dict[Operand, None](), list(roots)
        while todo:
            o = todo.pop(0)
            d = self.f.definitions.get(o)
            if o in found or (
                d is not None and d.opcode == "phi" and self._block(d) == loop.header
            ):
                continue
            found[o] = None
            if d is not None and d.opcode == "phi" and self._block(d) in loop.blocks:
                todo += d.operands
            elif d is not None and d.opcode == "select":
                todo += d.operands[1:]
        return [
            o for o in found if (d := self.f.definitions.get(o)) is None or d.opcode not in _CHOICES
        ]

    def reached(self, roots: Iterable[Operand], loop: Loop) -> list[Instruction]:
        """The instructions of a loop that values depend on."""

        def depends_on(d: Instruction) -> Sequence[Operand]:
            if d.opcode == "load":
                stores = self.stores(loop).get(self.place(d.operands[0]), ())
                return [*d.operands, *(s.operands[0] for s in stores)]
            return d.operands[1:] if d.is_call else d.operands

        return self._below(roots, loop, depends_on)

    def _below(
        self,
        roots: Iterable[Operand],
        loop: Loop,
        below: Callable[[Instruction], Sequence[Operand]],
    ) -> list[Instruction]:
        """The instructions of a loop that values lead to, and those that these lead to."""
        found, todo = dict[str, Instruction](), list(roots)
        while todo:
            d = self.f.definitions.get(todo.pop())
            if d is None or d.token in found or self._block(d) not in loop.blocks:
                continue
            found[d.token] = d
            todo += below(d)
        return list(found.values())

    def _block(self, i: Instruction) -> str:
        return self.f.block_of[i.token]

    def text(
        self, roots: Sequence[Operand], loop: Loop | None, is_inside: bool = False, own: str = ""
    ) -> str:
        """What values are made of, as a fingerprint. Variables of loops around are what they are
        called by their types; with `is_inside`, so is all that is made outside of the loop, and
        what is read of the memory `own` is a variable of the loop."""
        f = self.f
        numbers = {p.token: f"arg{k}" for k, p in enumerate(f.parameters)}
        lines, todo, seen = list[str](), list[Instruction](), 0

        def said(o: str) -> str:
            if not isinstance(o, Register):
                return self.words.content(o[1:].strip('"')) or o if o.startswith("@") else o
            if o in numbers:
                return numbers[o]
            d = f.definitions.get(o)
            if d is None:
                return "?"
            block = self._block(d)
            is_outer = loop is None or block not in loop.blocks
            is_variable = d.opcode == "phi" and block in self.loops
            is_own = bool(own) and d.opcode == "load" and self.place(d.operands[0]) == own
            if is_own or (is_variable and is_inside and loop is not None and block == loop.header):
                numbers[o] = "self"
                return numbers[o]
            if is_outer and (is_variable or is_inside):
                numbers[o] = f"outer {d.type}"
                return numbers[o]
            numbers[o] = f"v{len(todo) + seen}"  # not by arguments, of which there may be more
            todo.append(d)
            return numbers[o]

        lines += [said(o) for o in roots]
        while todo and seen < _DEEP:
            i, seen = todo.pop(0), seen + 1
            if i.is_call:
                name = callee(i)
                called = self.pointer(i.operands[0]) if name is None else self.names.get(name, name)
                lines.append(" ".join(("call", called, *map(said, i.operands[1:]))))
                continue
            kind = [e for e in i.extra if "%" not in e and "!" not in e]
            given: Sequence[str] = self.words.of(i) if i.opcode == "getelementptr" else i.operands
            if i.opcode == "phi":
                given = tuple(dict.fromkeys(given))
            words = (i.opcode, unnumbered(i.type), *kind, *map(said, given))
            lines.append(" ".join(words))
            if i.opcode == "load" and loop is not None:
                stores = self.stores(loop).get(self.place(i.operands[0]), ())
                lines += [f"stored {said(s.operands[0])}" for s in stores]
                lines += self._writers(loop, self.place(i.operands[0]))
        return _hash("\n".join(lines))

    def is_small(self, cost: str, call: Instruction) -> bool:
        """Is the cost of a library function, as its row says it, no more than a small constant?"""
        return all(
            any(
                self._is_small(kind == "len", call.operands[int(k) + 1])
                for kind, k in _VARIABLE.findall(choices)
                if int(k) + 1 < len(call.operands)
            )
            for choices in re.split(r"[*+ ]+", cost)
        )

    def _is_small(self, is_length: bool, o: Operand) -> bool:
        if not is_length:
            return isinstance(o, IntLiteral) and o.value <= _LARGE
        sizes = [self._size(root) for root in self._objects([o])]
        return all(size is not None and size <= _LARGE for size in sizes)

    def _size(self, root: Operand) -> int | None:
        """The elements of an array of constant size, or of the longest of the texts that a value
        may lead to which is read from a table of them."""
        d, known = self.f.definitions.get(root), self.words.module.globals.get(root[1:].strip('"'))
        if d is not None and d.opcode == "load":
            sizes = [self.words.longest_text(o) for o in self._objects(d.operands[:1])]
            return None if None in sizes else max(filter(None, sizes), default=None)
        kind = d.type if d is not None and d.opcode == "alloca" else known.type if known else ""
        found = _ARRAY.match(kind)
        return int(found[1]) if found else None

    def _objects(self, addresses: Iterable[Operand]) -> list[Operand]:
        """What addresses lead into: the pointers that they are made of by offsets and choices."""
        found, todo = dict[Operand, None](), list(addresses)
        while todo:
            o = todo.pop()
            d = self.f.definitions.get(o)
            if o in found:
                continue
            found[o] = None
            if d is not None and d.opcode in ("getelementptr", *_CHOICES):
                is_offset, is_choice = d.opcode == "getelementptr", d.opcode == "select"
                todo += d.operands[:1] if is_offset else d.operands[1 if is_choice else 0 :]
        steps = ("getelementptr", *_CHOICES)
        return [
            o for o in found if (d := self.f.definitions.get(o)) is None or d.opcode not in steps
        ]

    def pointer(self, o: Operand) -> str:
        """What stands for the functions that a pointer leads to: the member it was read from."""
        load = self.f.definitions.get(o)
        place = self.place(load.operands[0]) if load is not None and load.opcode == "load" else ""
        return f"{MEMBER}{place[1:]}" if place.startswith(".") else POINTER

    def place(self, address: Operand) -> str:
        """The memory behind an address: a member, a variable; empty for others."""
        if address not in self._places:
            d, found = self.f.definitions.get(address), ""
            if d is not None and d.opcode == "getelementptr":
                last = self.words.of(d)[-1]
                found = last if last.startswith(".") else ""
            elif d is None or d.opcode == "alloca":
                found = address
            self._places[address] = found
        return self._places[address]

    @cached_property
    def _places(self) -> dict[Operand, str]:
        return {}

    def _writers(self, loop: Loop, place: str) -> list[str]:
        """The calls in a loop that write a place in memory."""
        if not place:
            return []
        called = self._called_in.get(loop.header)
        if called is None:
            inside = (i for b in loop.blocks for i in self.f.blocks[b].instructions)
            called = self._called_in[loop.header] = {n for i in inside if (n := callee(i))}
        key = (loop.header, place)
        if key not in self._written_in:
            writers = (self.names.get(n, n) for n in called if place in self.written(n))
            self._written_in[key] = sorted(writers)
        return self._written_in[key]

    @cached_property
    def _called_in(self) -> dict[str, set[str]]:
        return {}

    @cached_property
    def _written_in(self) -> dict[tuple[str, str], list[str]]:
        return {}

    def stores(self, loop: Loop) -> dict[str, list[Instruction]]:
        """Memory -> the stores to it in a loop."""
        known = self._stores_in.get(loop.header)
        if known is None:
            known = self._stores_in[loop.header] = {}
            for block in self.f.blocks:
                for i in self.f.blocks[block].instructions if block in loop.blocks else ():
                    if i.opcode == "store" and (place := self.place(i.operands[1])):
                        known.setdefault(place, []).append(i)
        return known

    @cached_property
    def _stores_in(self) -> dict[str, dict[str, list[Instruction]]]:
        return {}


def _is_scaled(i: Instruction) -> bool:
    """Is a value multiplied or divided by a constant other than 1?"""
    by = i.operands if i.opcode == "mul" else i.operands[-1:]
    return i.opcode in _SCALES and any(
        isinstance(o, IntLiteral) and o.value > (i.opcode not in _SHIFTS) for o in by
    )


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:24]
