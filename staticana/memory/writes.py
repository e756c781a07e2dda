"""The instructions of a function that may write memory, and which of them control passes last.

Reaching definitions, asked backwards: for one location and one point, the writes after which
control may come there (Aho, Lam, Sethi and Ullman, Compilers, section 9.2.4), found on demand
instead of by iterating over all locations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..alias.alias_analysis import Aliasing
from ..alias.asynchronous import asynchronous_writes
from ..alias.effects import CommonWrites, ModRef
from ..alias.memory_location import EntryPointer, MemoryLocation, Pointer, UnderlyingObject
from ..ir.graph import blocks_leading_to, instructions
from ..ir.matchers import is_any
from ..ir.tokens import global_names
from ..ir.types import ATOMIC_UPDATES, Function, GlobalRef, Instruction, Register, quoted
from .written_places import Accesses, Touching, WrittenPlaces

_ADDRESSES = {"store": 1, **dict.fromkeys(ATOMIC_UPDATES, 0)}
"""Instructions that write memory and call nothing -> which operand is the address."""


@dataclass(frozen=True)
class Write:
    """An instruction that may write, where it stands, and its number among the writes of its
    function."""

    block: str
    instruction: Instruction
    effects: ModRef
    number: int

    @cached_property
    def handed(self) -> tuple[MemoryLocation, ...]:
        """Objects that library functions are handed."""
        own = tuple(w for w in self.effects.own if w.handed)
        return own + self.effects.common.handed if self.effects.common else own


def _bits(number: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


class _Effects(NamedTuple):
    """The writes of a function.

    trusted: for each, the functions outside the program that are taken to write nothing else;
    groups: those that are trusted for some, with the numbers of these writes as bits.
    handing: those that hand objects to library functions, one of each kind with the numbers of all,
    as bits.
    calls: by their results. own: the places written, but for `common`: sets of places that many
    functions write, each with the numbers of the writes to it as bits.
    """

    trusted: list[frozenset[str] | None]
    groups: Mapping[frozenset[str], int]
    handing: list[tuple[Write, int]]
    calls: dict[str, Write]
    own: WrittenPlaces
    common: list[tuple[CommonWrites, int]]


class Writes:
    """The writes of all functions of a program, listed once for each function."""

    def __init__(self, aliasing: Aliasing) -> None:
        self.aliasing = aliasing
        self._writes: dict[str, list[Write]] = {}
        self._accesses = Accesses(aliasing)
        self._common: dict[int, WrittenPlaces] = {}
        self._touched_by_common: dict[tuple[int, MemoryLocation], Touching] = {}
        self._effects: dict[str, _Effects] = {}
        self._spared: dict[tuple[str, MemoryLocation], list[frozenset[str] | None]] = {}
        self._may_touch: dict[tuple[str, MemoryLocation], int] = {}
        self._masks: dict[str, dict[str, int]] = {}
        self._at_any_time: dict[MemoryLocation, bool] = {}
        self._in_blocks: dict[str, dict[str, list[Write]]] = {}
        self._arriving: dict[tuple[str, str], list[Write]] = {}
        self._orders: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
        self._leads: dict[tuple[str, str, str], frozenset[str]] = {}

    def of(self, function: Function) -> list[Write]:
        """All instructions of a function that may write."""
        found = self._writes.get(function.name)
        if found is None:
            found = self._writes[function.name] = []
            for b in function.blocks.values():
                for i in b.instructions:
                    if i.may_write:
                        effects = self.aliasing.written_by(function, i)
                        if effects.own or effects.common or effects.outside:
                            found.append(Write(b.name, i, effects, len(found)))
        return found

    @cached_property
    def stored_to(self) -> frozenset[UnderlyingObject | None]:
        """The objects that instructions store to, and the globals that calls are handed. A private
        global among the others is never written."""
        location = self.aliasing.location
        found: set[UnderlyingObject | None] = set()
        for f in self.aliasing.module.functions.values():
            for i in instructions(f):
                if is_any(i, *_ADDRESSES):
                    found.add(location(f, i.operands[_ADDRESSES[i.opcode]], "").underlying_object)
                elif i.is_call:
                    found.update(self._globals_handed(f, i))
        return frozenset(found)

    def _globals_handed(self, function: Function, call: Instruction) -> Iterator[GlobalRef]:
        """The globals that a call is handed, also by a pointer to a part of one."""
        for o in call.operands[1:]:
            if isinstance(o, Register):
                base = self.aliasing.underlying_object(function, o)[0]
                if isinstance(base, GlobalRef):
                    yield base
            else:
                yield from (GlobalRef(f"@{quoted(n)}") for n in global_names(o))

    @cached_property
    def asynchronous(self) -> tuple[MemoryLocation, ...]:
        """The locations that may be written between any two instructions."""
        return asynchronous_writes(self.aliasing.module, self.aliasing)

    @cached_property
    def _asynchronous_by_root(self) -> Mapping[UnderlyingObject | None, Sequence[MemoryLocation]]:
        found: dict[UnderlyingObject | None, list[MemoryLocation]] = {}
        for w in self.asynchronous:
            found.setdefault(w.underlying_object, []).append(w)
        return found

    def may_come_at_any_time(self, place: MemoryLocation) -> bool:
        """May a place be written between any two instructions?"""
        found = self._at_any_time.get(place)
        if found is None:
            aliasing, base = self.aliasing, place.underlying_object
            found = self._at_any_time[place] = any(
                not aliasing.distinct(base, root)
                and any(aliasing.may_meet(place, w) for w in written)
                for root, written in self._asynchronous_by_root.items()
            )
        return found

    def trusted(self, write: Write, place: MemoryLocation) -> frozenset[str]:
        """Functions outside the program that are taken not to write the place."""
        if not write.handed:
            return write.effects.outside
        spared = (
            w.handed
            for w in write.handed
            if self.aliasing.spares(place, w)
            and not (w.underlying_object and self.aliasing.is_object(w.underlying_object))
        )
        return write.effects.outside.union(name for name in spared if name is not None)

    def sparing(self, function: Function, place: MemoryLocation) -> list[frozenset[str] | None]:
        """For each write of a function: None where it may touch the place, else who is trusted that
        it does not."""
        key = (function.name, place)
        found = self._spared.get(key)
        if found is None:
            effects = self._effects_of(function)
            found = self._spared[key] = effects.trusted.copy()
            for number in _bits(self._that_may_touch(function, place)):
                found[number] = None
            for w, same in effects.handing:
                spared = [number for number in _bits(same) if found[number] is not None]
                if spared:
                    trusted = self.trusted(w, place)
                    for number in spared:
                        found[number] = trusted
        return found

    def _that_may_touch(self, function: Function, place: MemoryLocation) -> int:
        """The numbers of the writes that may touch a place, as bits."""
        key = (function.name, place)
        found = self._may_touch.get(key)
        if found is None:
            touched, found = self._touching(function, place)
            if not self._is_named(function, place):
                found = touched
            base = place.underlying_object
            calls = self._effects_of(function).calls
            maker = calls.get(base.register) if isinstance(base, Pointer) else None
            if maker is not None:  # all of its writes are to the object that the place is in
                found |= touched & 1 << maker.number
            self._may_touch[key] = found
        return found

    def arriving(
        self, function: Function, place: MemoryLocation, block: str, before: Instruction
    ) -> tuple[list[Write], frozenset[str]]:
        """The writes that may touch a place and after which control may come to an instruction, and
        who is trusted that the others before it do not: as `before` and `sparing` tell it, for all
        of them at once."""
        mask = self._numbers_before(function)[block]
        if not self.comes_to(function, block, block):
            for w in self.of_block(function, block):
                if w.instruction.line >= before.line:
                    mask &= ~(1 << w.number)
        touching = self._that_may_touch(function, place)
        others = mask & ~touching
        effects = self._effects_of(function)
        trusted = [who for who, writes in effects.groups.items() if writes & others]
        for w, same in effects.handing:
            if same & others:
                trusted.append(self.trusted(w, place))
        writes = self.of(function)
        found = [writes[number] for number in _bits(mask & touching)]
        return found, frozenset[str]().union(*trusted)

    def of_block(self, function: Function, block: str) -> Sequence[Write]:
        """The writes that stand in a block."""
        found = self._in_blocks.get(function.name)
        if found is None:
            found = self._in_blocks[function.name] = {}
            for w in self.of(function):
                found.setdefault(w.block, []).append(w)
        return found.get(block, ())

    def _numbers_before(self, function: Function) -> dict[str, int]:
        """The numbers of the writes that `before` has for each block, as bits."""
        found = self._masks.get(function.name)
        if found is None:
            own = dict.fromkeys(function.blocks, 0)
            for w in self.of(function):
                own[w.block] |= 1 << w.number
            found = self._masks[function.name] = _along_edges(function, own, own)
        return found

    def _is_named(self, function: Function, place: MemoryLocation) -> bool:
        """Is a place in an object that was there when the function was entered, or that one known
        instruction makes? No other call in the function can have allocated it."""
        base = place.underlying_object
        if isinstance(base, GlobalRef | EntryPointer):
            return True
        if base is None or base.function != function.name:
            return False
        is_argument = any(p.token == base.register for p in function.parameters)
        return is_argument or self.aliasing.is_object(base)

    def _touching(self, function: Function, place: MemoryLocation) -> Touching:
        """The writes of a function that may touch a place."""
        effects = self._effects_of(function)
        touched, old = effects.own.touching(place)
        for common, writes in effects.common:
            found = self._of_common(common, place)
            if found.any:
                touched |= writes
            if found.old:
                old |= writes
        return Touching(touched, old)

    def _of_common(self, common: CommonWrites, place: MemoryLocation) -> Touching:
        """May what many functions write touch a place?"""
        key = (id(common), place)
        found = self._touched_by_common.get(key)
        if found is None:
            places = self._common.get(id(common))
            if places is None:
                places = WrittenPlaces(self._accesses, dict.fromkeys(common, 1))
                self._common[id(common)] = places
            found = self._touched_by_common[key] = places.touching(place)
        return found

    def _effects_of(self, function: Function) -> _Effects:
        found = self._effects.get(function.name)
        if found is None:
            writes = self.of(function)
            handing: dict[ModRef, tuple[Write, int]] = {}
            own: dict[MemoryLocation, int] = {}
            common: dict[int, tuple[CommonWrites, int]] = {}
            numbers: dict[frozenset[MemoryLocation], int] = {}  # many calls have the same effects
            groups: dict[frozenset[str], int] = {}
            for w in writes:
                if w.effects.outside:
                    groups[w.effects.outside] = groups.get(w.effects.outside, 0) | 1 << w.number
                if w.handed:
                    first, same = handing.get(w.effects, (w, 0))
                    handing[w.effects] = first, same | 1 << w.number
                numbers[w.effects.own] = numbers.get(w.effects.own, 0) | 1 << w.number
                if w.effects.common:
                    known = common.get(id(w.effects.common), (w.effects.common, 0))[1]
                    common[id(w.effects.common)] = w.effects.common, known | 1 << w.number
            for places, bits in numbers.items():
                for place in places:
                    own[place] = own.get(place, 0) | bits
            found = self._effects[function.name] = _Effects(
                [w.effects.outside for w in writes],
                groups,
                list(handing.values()),
                {w.instruction.result: w for w in writes if w.instruction.result is not None},
                WrittenPlaces(self._accesses, own),
                list(common.values()),
            )
        return found

    def before(
        self, function: Function, block: str, instruction: Instruction | None = None
    ) -> list[Write]:
        """The writes after which control may come to a block, and those in it, or to one of its
        instructions."""
        if instruction is not None:
            every = self.before(function, block)
            if self.comes_to(function, block, block):
                return every
            return [w for w in every if w.block != block or w.instruction.line < instruction.line]
        key = (function.name, block)
        found = self._arriving.get(key)
        if found is None:
            at, above = self._order(function)
            leading = set(_bits(above[block] | 1 << at[block]))
            found = self._arriving[key] = [w for w in self.of(function) if at[w.block] in leading]
        return found

    def comes_to(self, function: Function, source: str, block: str) -> bool:
        """May control come from the end of a block to another one, to itself by a cycle?"""
        at, above = self._order(function)
        return bool(above[block] >> at[source] & 1)

    def _order(self, function: Function) -> tuple[dict[str, int], dict[str, int]]:
        """A number for each block of a function, and as bits those from which control may come to
        each block."""
        found = self._orders.get(function.name)
        if found is None:
            at = {name: k for k, name in enumerate(function.blocks)}
            own = {name: 1 << k for name, k in at.items()}
            above = _along_edges(function, dict.fromkeys(at, 0), own)
            found = self._orders[function.name] = at, above
        return found

    def avoids(
        self, function: Function, start: Write, over: Write, block: str, before: Instruction
    ) -> bool:
        """Is there a way from one write to the point that does not pass another?"""
        if start.block == over.block and start.instruction.line < over.instruction.line:
            return (
                start.block == block
                and start.instruction.line < before.line < over.instruction.line
            )
        if (
            start.block == block
            and start.instruction.line < before.line
            and not (
                over.block == block and start.instruction.line < over.instruction.line < before.line
            )
        ):
            return True
        if over.block == block and over.instruction.line < before.line:
            return False  # who comes into the block passes it
        leading = self.leading(function, over.block, block)
        return any(s in leading for s in function.blocks[start.block].successors)

    def leading(self, function: Function, around: str, block: str) -> frozenset[str]:
        """Blocks from which control may come to `block` without passing the block `around`."""
        key = (function.name, around, block)
        if key not in self._leads:
            self._leads[key] = frozenset(blocks_leading_to(function, [block], without=(around,)))
        return self._leads[key]


def _along_edges(
    function: Function, start: Mapping[str, int], own: Mapping[str, int]
) -> dict[str, int]:
    """What each block starts with and what comes to it from its predecessors, theirs and their own,
    as bits: until nothing is added, which a cycle delays by a round."""
    found = dict(start)
    changed = True
    while changed:
        changed = False
        for name, predecessors in function.predecessors.items():
            mask = known = found[name]
            for p in predecessors:
                mask |= found[p] | own[p]
            if mask != known:
                found[name], changed = mask, True
    return found
