"""The shape of a function: what it walks, inside of what, and under which conditions.

A chain is a loop, or a call that costs something, with the loops around it and the conditions that
must hold. Where each chain after is a part of one before, under at least its conditions, the
function does no more than before, whatever its counts are. A loop that goes on with what the loop
around it goes on with (`cursors`) is no factor: both together take as long as one of them would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from staticana.alias.library import library_function
from staticana.alias.whole_programs import is_elsewhere
from staticana.ir.graph import callee, closure, instructions
from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Block, Function, Instruction, IntLiteral, Module, Register

from .cursors import goes_on, restarted
from .slices import Values, Walk
from .words import POINTER, Words

AGAIN = "itself"
"""What stands for a call of the function, or of one that calls it."""


PART = "part "
"""What marks those of its own arguments of which a function hands on a part."""
_MOST_BELOW = 100
"""Functions below one whose walks are still counted."""


class Depth(NamedTuple):
    """How many walks stand inside each other in a function and those that it calls, recursion being
    one and bisection none. is_all: the bodies of all that it calls are known; else there may be
    more; is_rare: each walk stands in a case that other work of the function does not need."""

    walks: int
    is_all: bool
    is_rare: bool = False

    @property
    def costs(self) -> bool | None:
        """Does it walk anything? None where nobody knows."""
        return True if self.walks else False if self.is_all else None


UNKNOWN_DEPTH = Depth(0, is_all=False)
DepthOf = Callable[[str, int], Depth]
"""How deep the function of a name is, and after how many walks nobody asks for more."""


@dataclass(frozen=True)
class Chain:
    """What runs inside loops, the outermost first: the last of them, or a call. passed: what a call
    is handed; on: the arguments that begin in the next call of the function, or iteration, where
    they have come to in this one; needs: the conditions under which it is reached; kept: of those
    of a call of the function itself, the ones that read what it stores; is_foreign: nobody knows
    the body of what is called; is_free: what is called takes a constant number of steps, in this
    version; may_end: the call stands in a function that is looked into here, and its result decides
    whether the loop around goes on; is_shift: the loop around moves on to what the call returns,
    which moves elements, as those behind one that it takes out; cases: the conditions outside of
    all loops that tell it from other work of the function."""

    loops: tuple[Walk, ...]
    needs: frozenset[str]
    at: str
    call: str = ""
    passed: frozenset[str] = frozenset()
    on: frozenset[int] = frozenset()
    is_foreign: bool = False
    is_free: bool = False
    kept: frozenset[str] = frozenset()
    may_end: bool = False
    is_shift: bool = False
    cases: frozenset[str] = frozenset()

    @property
    def parts(self) -> frozenset[str]:
        """What a call is handed that is part of what the function was: where it calls itself, this
        is what shrinks."""
        return frozenset(p for p in self.passed if p.startswith(PART))

    def placed(self, place: Callable[[str], str]) -> Chain:
        """With places as a version has them."""
        loops = tuple(replace(walk, at=place(walk.at)) for walk in self.loops)
        return replace(self, loops=loops, at=place(self.at))


@dataclass(frozen=True)
class Shapes:
    """The functions of a version.

    inside: functions that count as part of those that call them, as the other version does not have
    them. names: function -> its name in the other version, where it has another.
    """

    module: Module
    inside: frozenset[str]
    names: Mapping[str, str]

    def of_function(self, symbol: str) -> tuple[Chain, ...] | None:
        """The chains of a function; None where it has loops with several entries."""
        f = self.module.functions[symbol]
        parts = {symbol, *(self._below(symbol) & self.inside)}
        found = (loop_forest(self.module.functions[n], self.module) for n in parts)
        return None if any(forest.irreducible for forest in found) else self.of(f, ())

    @cached_property
    def _words(self) -> Words:
        return Words(self.module)

    def is_free(self, name: str) -> bool:
        """Does a function with a body here take a constant number of steps?"""
        return not any(map(self._may_walk, (name, *self._below(name))))

    def _is_free_here(self, name: str, call: Instruction) -> bool:
        """The same of a function as one call of it is: constants that it is handed may end its
        loops."""
        if self.is_free(name):
            return True
        values = self._values(name)
        pairs = zip(values.f.parameters, call.operands[1:], strict=False)
        given: dict[str, IntLiteral] = {p.token: o for p, o in pairs if isinstance(o, IntLiteral)}
        if not given or name in self._below(name):
            return False
        calls = self._costly(name)
        return all(self._is_here(i) and self.is_free(callee(i) or "") for i in calls) and all(
            values.is_constant_for(loop, given) for loop in values.forest.loops
        )

    def _may_walk(self, name: str) -> bool:
        """The same of a function without what it calls here."""
        if name not in self._walking:
            f = self.module.functions.get(name)
            self._walking[name] = (
                f is not None
                and not f.is_declaration
                and (
                    bool(loop_forest(f, self.module).loops)
                    or name in self._below(name)
                    or any(not self._is_here(i) for i in self._costly(name))
                )
            )
        return self._walking[name]

    @cached_property
    def _walking(self) -> dict[str, bool]:
        return {}

    def depth(self, name: str, enough: int, outside: DepthOf) -> Depth:
        """How deep a function with a body here is.

        Args:
            enough: walks after which no more are looked for.
            outside: how deep one without a body here is.
        """
        if len(self._below(name)) > _MOST_BELOW:
            return UNKNOWN_DEPTH
        walks, foreign = self._depths(name)
        is_all = True
        for n, around in sorted(foreign.items(), key=lambda one: -one[1]):
            if walks >= enough:
                return Depth(walks, is_all=False, is_rare=self._is_rare(name))
            deep = outside(n, max(enough - around, 1))
            walks, is_all = max(walks, around + deep.walks), is_all and deep.is_all
        return Depth(walks, is_all, self._is_rare(name))

    def _is_rare(self, name: str) -> bool:
        """Do all walks of a function stand in cases of their own, as where an array has to grow, or
        elements behind an inserted one to move?"""
        values = self._values(name)
        working = {
            b.name for b in values.f.blocks.values() if any(_works(i) for i in b.instructions)
        } | values.forest.innermost.keys()

        def is_rare(block: Block) -> bool:
            calls = [
                i
                for i in self._called_in(values, block)
                if not (self._is_here(i) and self.is_free(callee(i) or ""))
            ]
            is_own = all(self._is_here(i) and self._is_rare(callee(i) or "") for i in calls)
            walks = bool(self._around(values, block.name)) or not is_own
            return not walks or values.is_seldom(block.name, working, calls)

        return name not in self._below(name) and all(map(is_rare, values.f.blocks.values()))

    def _depths(self, name: str) -> tuple[int, dict[str, int]]:
        """The walks inside each other below a function, and how many are around each function
        without a body here, `POINTER` for those that pointers choose."""
        if name not in self._deep:
            self._deep[name] = 0, {}  # where it calls itself, this adds nothing
            self._deep[name] = self._counted(name)
        return self._deep[name]

    @cached_property
    def _deep(self) -> dict[str, tuple[int, dict[str, int]]]:
        return {}

    def _counted(self, name: str) -> tuple[int, dict[str, int]]:
        values, again = self._values(name), int(name in self._below(name))
        deepest, foreign = again, dict[str, int]()
        for block in values.f.blocks.values():
            walks = self._around(values, block.name)
            around = sum(not walk.is_halved for walk in walks) + again
            deepest = max(deepest, around)
            for i in self._called_in(values, block):
                called = callee(i) or POINTER
                is_library = library_function(called) is not None
                inside, more = self._depths(called) if self._is_here(i) else (int(is_library), {})
                more = more if self._is_here(i) or is_library else {called: 0}
                deepest = max(deepest, around + inside)
                for n, inner in more.items():
                    foreign[n] = max(foreign.get(n, 0), around + inner)
        return deepest, foreign

    @cached_property
    def _known(self) -> dict[str, set[str]]:
        return {}

    def _called_in(self, values: Values, block: Block) -> list[Instruction]:
        """The calls in a block that may walk something, but for those made once in a run."""
        if block.terminator.opcode == "unreachable":
            return []  # reports of failures, which nothing follows
        found = [i for i in block.instructions if i.is_call and not self._is_message(i)]
        found = [i for i in found if self._is_here(i) or self._is_costly_outside(values, i)]
        return [] if found and values.is_first_time(block.name) else found

    def _costly(self, name: str) -> Iterator[Instruction]:
        """The calls in a function that may walk something."""
        values = self._values(name)
        for block in values.f.blocks.values():
            yield from self._called_in(values, block)

    def _is_here(self, i: Instruction) -> bool:
        return i.is_call and self._has_body(callee(i) or "")

    def _is_message(self, i: Instruction) -> bool:
        """Is it a call with a constant text and any number of arguments, as of printf? That is as
        long as its text."""
        return "..." in i.flags and any(map(self._words.is_text, i.operands[1:]))

    def _below(self, name: str) -> set[str]:
        """The functions that one calls, directly or not."""

        def called(n: str) -> list[str]:
            f = self.module.functions.get(n)
            return [c for i in f.calls if (c := callee(i))] if f is not None else []

        if name not in self._known:
            self._known[name] = closure(called(name), called)
        return self._known[name]

    def _is_costly_outside(self, values: Values, i: Instruction) -> bool:
        name = callee(i)
        if name is None:
            return isinstance(i.operands[0], Register)
        entry, f = library_function(name), self.module.functions.get(name)
        if entry is not None:
            return bool(entry.cost) and not values.is_small(entry.cost or "", i)
        return f is not None and is_elsewhere(self.module, f)

    def loops_that_call(self, symbol: str) -> dict[str, str]:
        """Function -> the place of a loop, in which it calls another one directly."""
        found: dict[str, str] = {}
        for name, f in self.module.functions.items():
            if name != symbol and any(callee(i) == symbol for i in f.calls):
                for b in f.blocks.values():
                    header = loop_forest(f, self.module).innermost.get(b.name)
                    if header and any(i.is_call and callee(i) == symbol for i in b.instructions):
                        found[name] = self._values(name).loops[header].at
        return found

    def walks(self, symbol: str) -> tuple[Walk, ...]:
        """The loops of a function, each by itself."""
        values = self._values(symbol)
        return tuple(values.walk(loop.header) for loop in values.forest.loops)

    def _values(self, symbol: str) -> Values:
        if symbol not in self._read:
            f = self.module.functions[symbol]
            forest = loop_forest(f, self.module)
            self._read[symbol] = Values(
                f, self._words, forest, self.names, self._written, self._reset
            )
        return self._read[symbol]

    @cached_property
    def _read(self) -> dict[str, Values]:
        return {}

    @cached_property
    def _writes(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        return {}

    def _written(self, name: str) -> frozenset[str]:
        """The members and variables that a function writes, or one that it calls."""
        return self._stored(name)[0]

    def _reset(self, name: str) -> frozenset[str]:
        """Those that it takes elsewhere than a step on."""
        return self._stored(name)[1]

    def _stored(self, name: str) -> tuple[frozenset[str], frozenset[str]]:
        if name not in self._writes:
            found = [self._values(n) for n in {name, *self._below(name)} if self._has_body(n)]
            written = frozenset(p for values in found for p in values.stored)
            self._writes[name] = written, frozenset(p for v in found for p in restarted(v))
        return self._writes[name]

    def of(self, f: Function, above: tuple[str, ...]) -> tuple[Chain, ...]:
        """The chains of a function, those of the functions inside it among them."""
        values = self._values(f.name)
        found = [
            Chain(walks, values.needs(loop.header), loop.at, cases=self._cases(values, loop.header))
            for loop in values.forest.loops
            if (walks := self._around(values, loop.header)) and walks[-1].at == loop.at
        ]
        for block in f.blocks.values():
            if block.terminator.opcode == "unreachable":
                continue  # reports of failures, which nothing follows
            for i in block.instructions:
                if i.is_call:
                    found += self._called(values, block.name, i, (*above, f.name))
        return tuple(found)

    def _around(self, values: Values, block: str) -> tuple[Walk, ...]:
        """The loops around a block, the outermost first, without those that run a constant number
        of times, and without those with whose walk one inside them goes on."""
        header, found, is_on = values.forest.innermost.get(block), list[Walk](), False
        while header is not None:
            walk = self._walk(values, header)
            if not walk.is_constant and not is_on:
                found.insert(0, walk)
            is_on = walk.goes_on or (is_on and walk.is_constant)
            header = values.loops[header].parent
        return tuple(found)

    def _walk(self, values: Values, header: str) -> Walk:
        """A loop, and whether it goes on with what the one around it goes on with."""
        key = (values.f.name, header)
        if key not in self._walks:
            loop = values.loops[header]
            around = values.loops[loop.parent] if loop.parent is not None else None
            is_on = around is not None and goes_on(values, loop, around)
            self._walks[key] = replace(values.walk(header), goes_on=is_on)
        return self._walks[key]

    @cached_property
    def _walks(self) -> dict[tuple[str, str], Walk]:
        return {}

    def _tells_the_end(self, values: Values, block: str, call: Instruction) -> bool:
        """Does what a call returns decide whether the loop around it goes on?"""
        header = values.forest.innermost.get(block)
        if header is None:
            return False
        loop = values.loops[header]
        return any(i is call for i in values.reached(values.deciding(loop), loop))

    def _called(
        self, values: Values, block: str, i: Instruction, above: tuple[str, ...]
    ) -> Iterator[Chain]:
        """The chains of a call: its own, or those of the function inside."""
        name = callee(i)
        called = self.module.functions.get(name or "")
        is_here = called is not None and not called.is_declaration
        if not (is_here or self._is_costly_outside(values, i)) or self._is_message(i):
            return
        walks, needs = self._around(values, block), values.needs(block)
        if called is not None and is_here and name in self.inside and name not in above:
            for chain in self.of(called, above):
                at = walks[-1].at if walks else chain.at
                loops = (*walks, *chain.loops)
                ends = chain.may_end or self._tells_the_end(values, block, i)
                cases = self._cases(values, block)
                if not values.forest.innermost.get(block):
                    cases |= chain.cases
                needs = needs | chain.needs
                yield replace(chain, loops=loops, needs=needs, at=at, may_end=ends, cases=cases)
            return
        spoken = name or values.pointer(i.operands[0])
        if name in above or (is_here and above[0] in self._below(spoken)):
            spoken = AGAIN if name in above else self.names.get(spoken, spoken) + f" {AGAIN}"
        else:
            spoken = self.names.get(spoken, spoken)
        passed = frozenset(
            f"{PART * values.is_part(o)}{k} {values.text([o], None)} {values.motion(o)}"
            for k, o in enumerate(i.operands[1:])
        )
        on = frozenset(
            k
            for k, o in enumerate(i.operands[1:])
            if values.moves_on(o, block) or values.resumes(o, i, block)
        )
        at = walks[-1].at if walks else ""
        is_foreign = not is_here and library_function(spoken) is None
        is_free = is_here and self._is_free_here(name or "", i)
        kept = values.kept(block) if spoken == AGAIN else frozenset[str]()
        is_step = bool(walks) and name is not None and f"{name}()" in walks[-1].kinds
        yield Chain(
            walks,
            needs,
            at,
            spoken,
            passed,
            on,
            is_foreign,
            is_free,
            kept,
            is_shift=is_step and self._shifts(name or ""),
            cases=self._cases(values, block),
        )

    def _cases(self, values: Values, block: str) -> frozenset[str]:
        if values.f.name not in self._working:
            blocks = values.f.blocks.values()
            calling = {b.name for b in blocks if self._called_in(values, b)}
            self._working[values.f.name] = calling | values.forest.innermost.keys()
        return values.cases(block, self._working[values.f.name])

    @cached_property
    def _working(self) -> dict[str, set[str]]:
        """Function -> its blocks in loops and those with calls that may walk something."""
        return {}

    def _shifts(self, name: str) -> bool:
        """Does a function move elements along, by itself or in what it calls?"""
        known = [self._values(n) for n in (name, *self._below(name)) if self._has_body(n)]
        return any(
            "memmove" in (callee(i) or "") or self._writes_along(values, i, block.name)
            for values in known
            for block in values.f.blocks.values()
            for i in block.instructions
            if i.is_call or i.opcode == "store"
        )

    def _writes_along(self, values: Values, i: Instruction, block: str) -> bool:
        """Does a store, or call, write where the variable of the loop around it is?"""
        header = values.forest.innermost.get(block)
        called = [n for n in (callee(i) or "", *self._below(callee(i) or "")) if self._has_body(n)]
        writes = (
            j.opcode == "store" or "memcpy" in (callee(j) or "")
            for n in called
            for j in instructions(self._values(n).f)
        )
        if header is None or not (i.opcode == "store" or any(writes)):
            return False
        return any(
            d.opcode == "phi" and values.f.block_of[d.token] == header
            for o in i.operands[1:]
            for d in values.reached([o], values.loops[header])
        )

    def _has_body(self, name: str) -> bool:
        f = self.module.functions.get(name)
        return f is not None and not f.is_declaration


def _works(i: Instruction) -> bool:
    """Does an instruction store or call anything?"""
    return i.opcode == "store" or (
        i.is_call and not (callee(i) or "").startswith(("llvm.lifetime", "llvm.dbg"))
    )
