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

from staticana.alias.library import library_function
from staticana.alias.whole_programs import is_elsewhere
from staticana.ir.graph import callee, closure
from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Function, Instruction, Module, Register

from .cursors import goes_on, restarted
from .nested_calls import POINTER
from .slices import Values, Walk
from .words import Words

AGAIN = "itself"
"""What stands for a call of the function, or of one that calls it."""


PART = "part "
"""What marks those of its own arguments of which a function hands on a part."""


@dataclass(frozen=True)
class Chain:
    """What runs inside loops, the outermost first: the last of them, or a call. passed: what a call
    is handed; on: the arguments that begin in the next call of the function where they have come to
    in this one; needs: the conditions under which it is reached; is_foreign: nobody knows the body
    of what is called; is_free: what is called takes a constant number of steps, in this version."""

    loops: tuple[Walk, ...]
    needs: frozenset[str]
    at: str
    call: str = ""
    passed: frozenset[str] = frozenset()
    on: frozenset[int] = frozenset()
    is_foreign: bool = False
    is_free: bool = False

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

    @cached_property
    def costs(self) -> frozenset[str]:
        """The functions that do more than a constant number of steps."""
        functions = self.module.functions.values()
        defined = (f.name for f in functions if not f.is_declaration)
        return frozenset(n for n in defined if self.costs_only_by(n) != frozenset())

    def costs_only_by(self, name: str) -> frozenset[str] | None:
        """The functions without a body here for whose calls alone one may walk anything, `POINTER`
        for those that pointers choose; None where it walks something itself."""
        found = [self._asked(n) for n in (name, *self._below(name))]
        known = [asked for asked in found if asked is not None]
        return frozenset().union(*known) if len(known) == len(found) else None

    def _asked(self, name: str) -> frozenset[str] | None:
        """The same of a function without what it calls here."""
        if name not in self._asked_by:
            f = self.module.functions.get(name)
            self._asked_by[name] = (
                frozenset() if f is None or f.is_declaration else self._asked_in(f)
            )
        return self._asked_by[name]

    @cached_property
    def _asked_by(self) -> dict[str, frozenset[str] | None]:
        return {}

    def _asked_in(self, f: Function) -> frozenset[str] | None:
        if loop_forest(f, self.module).loops or f.name in self._below(f.name):
            return None
        values = self._values(f.name)
        outside = [callee(i) or POINTER for i in f.calls if self._is_costly_outside(values, i)]
        is_known = any(library_function(name) is not None for name in outside)
        return None if is_known else frozenset(outside)

    @cached_property
    def _known(self) -> dict[str, set[str]]:
        return {}

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
            found = [
                self._values(n)
                for n in {name, *self._below(name)}
                if (f := self.module.functions.get(n)) is not None and not f.is_declaration
            ]
            written = frozenset(p for values in found for p in values.stored)
            self._writes[name] = written, frozenset(p for v in found for p in restarted(v))
        return self._writes[name]

    def of(self, f: Function, above: tuple[str, ...]) -> tuple[Chain, ...]:
        """The chains of a function, those of the functions inside it among them."""
        values = self._values(f.name)
        found = [
            Chain(walks, values.needs(loop.header), loop.at)
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

    def _called(
        self, values: Values, block: str, i: Instruction, above: tuple[str, ...]
    ) -> Iterator[Chain]:
        """The chains of a call: its own, or those of the function inside."""
        name = callee(i)
        called = self.module.functions.get(name or "")
        is_here = called is not None and not called.is_declaration
        if not (is_here or self._is_costly_outside(values, i)):
            return
        walks, needs = self._around(values, block), values.needs(block)
        if called is not None and is_here and name in self.inside and name not in above:
            for chain in self.of(called, above):
                at = walks[-1].at if walks else chain.at
                loops = (*walks, *chain.loops)
                yield replace(chain, loops=loops, needs=needs | chain.needs, at=at)
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
        given = enumerate(i.operands[1:])
        on = frozenset(k for k, o in given if values.moves_on(o, block))
        at = walks[-1].at if walks else ""
        is_foreign = not is_here and library_function(spoken) is None
        is_free = is_here and name not in self.costs
        yield Chain(walks, needs, at, spoken, passed, on, is_foreign, is_free)
