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

from ...alias.alias_analysis import Aliasing
from ...alias.asynchronous import asynchronous_writes
from ...alias.memory_location import EntryPointer, MemoryLocation, Pointer, UnderlyingObject
from ...alias.mod_ref import ModRef
from ...ir.graph import blocks_leading_to, instructions
from ...ir.types import ATOMIC_UPDATES, Function, GlobalRef, Instruction

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
        return tuple(w for w in self.effects.writes if w.handed)


class _Places:
    """Places that a function writes in one object, alike but for where they are, and the numbers of
    the writes to each and to any of them, as bits."""

    __slots__ = ("any", "each", "first")

    def __init__(self, first: MemoryLocation) -> None:
        self.first = first
        self.each: list[tuple[MemoryLocation, int]] = []
        self.any = 0

    def add(self, place: MemoryLocation, writes: int) -> None:
        self.each.append((place, writes))
        self.any |= writes


_ByRoot = dict[UnderlyingObject | None, _Places]
"""Places by the object that they are in."""


_Written = tuple[int, MemoryLocation, _ByRoot, dict["int | None", "tuple[int, MemoryLocation]"]]
"""Places of one kind: its number as an access, the kind, the places, one of each size."""


def _kind(place: MemoryLocation) -> MemoryLocation:
    """What a place is, wherever it is."""
    return place._replace(underlying_object=None, offset=None, size=None, extent=None)


def _access(place: MemoryLocation) -> MemoryLocation:
    """What of an access decides with which others it agrees (see `Aliasing.types_agree`)."""
    return _kind(place)._replace(size=place.size, handed=None, fresh=False, read=False)


def _by_size(by_root: _ByRoot) -> dict[int | None, MemoryLocation]:
    """One of the places of each size that stand first for a root."""
    return {places.first.size: places.first for places in by_root.values()}


def _bits(number: int) -> Iterator[int]:
    """The places of the bits that are set."""
    return (k for k, bit in enumerate(reversed(bin(number))) if bit == "1")


class _Plain(NamedTuple):
    """Of the writes of a function: who is trusted not to touch a place that a write does not touch;
    those with objects that library functions are handed, one with the numbers of all that do the
    same; and the calls by their results."""

    trusted: list[frozenset[str] | None]
    handing: list[tuple[Write, list[int]]]
    calls: dict[str, Write]


class Writes:
    """The writes of all functions of a program, listed once for each function."""

    def __init__(self, aliasing: Aliasing) -> None:
        self.aliasing = aliasing
        self._writes: dict[str, list[Write]] = {}
        self._by_kind: dict[str, dict[MemoryLocation, _ByRoot]] = {}
        self._agreeing: dict[tuple[str, MemoryLocation], list[_ByRoot]] = {}
        self._numbered_by_kind: dict[str, Sequence[_Written]] = {}
        self._numbers: dict[MemoryLocation, int] = {}  # of accesses
        self._numbered_places: dict[MemoryLocation, int] = {}
        self._by_root: dict[
            str, dict[UnderlyingObject | None, list[tuple[MemoryLocation, int]]]
        ] = {}
        self._plain: dict[str, _Plain] = {}
        self._agree: dict[MemoryLocation, dict[int, bool]] = {}  # access -> with which numbers
        self._distinct: dict[UnderlyingObject | None, dict[UnderlyingObject | None, bool]] = {}
        self._spared: dict[tuple[str, MemoryLocation], list[frozenset[str] | None]] = {}
        self._at_any_time: dict[MemoryLocation, bool] = {}
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
                        if effects.writes or effects.outside:
                            found.append(Write(b.name, i, effects, len(found)))
        return found

    @cached_property
    def stored_to(self) -> frozenset[UnderlyingObject | None]:
        """The objects that instructions store to. A private global among the others is never
        written: no call is handed a pointer to it."""
        location = self.aliasing.location
        return frozenset(
            location(f, i.operands[_ADDRESSES[i.opcode]], "").underlying_object
            for f in self.aliasing.module.functions.values()
            for i in instructions(f)
            if i.opcode in _ADDRESSES
        )

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
            touched, old = self._touching(function, place)
            if not self._is_named(function, place):
                old = touched
            plain = self._plain_of(function)
            base = place.underlying_object
            maker = plain.calls.get(base.register) if isinstance(base, Pointer) else None
            if maker is not None:  # all of its writes are to the object that the place is in
                old |= touched & 1 << maker.number
            found = self._spared[key] = plain.trusted.copy()
            for number in _bits(old):
                found[number] = None
            for w, same in plain.handing:
                spared = [number for number in same if found[number] is not None]
                if spared:
                    trusted = self.trusted(w, place)
                    for number in spared:
                        found[number] = trusted
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

    def _plain_of(self, function: Function) -> _Plain:
        found = self._plain.get(function.name)
        if found is None:
            writes, handing = self.of(function), dict[int, tuple[Write, list[int]]]()
            for w in writes:
                if w.handed:
                    handing.setdefault(id(w.effects), (w, []))[1].append(w.number)
            found = self._plain[function.name] = _Plain(
                [w.effects.outside for w in writes],
                list(handing.values()),
                {w.instruction.result: w for w in writes if w.instruction.result is not None},
            )
        return found

    def _touching(self, function: Function, place: MemoryLocation) -> tuple[int, int]:
        """The writes that may touch (a part of) a place, and those of them that may where it is in
        an object which they did not make, as bits; places alike but for where they are go
        together."""
        aliasing = self.aliasing
        touched = old = 0
        base = place.underlying_object
        if base is not None and aliasing.is_constant(base):
            return touched, old
        distinct = self._distinct.setdefault(base, {})
        if base is not None:
            for w, writes in self._written_in(function).get(base, ()):
                if aliasing.may_meet(place, w):
                    touched |= writes
                    if not w.fresh:
                        old |= writes
        for by_root in self._agreeing_with(function, place):
            for root, places in by_root.items():
                first = places.first
                if root is not None and root == base:
                    continue
                if not aliasing.strict and aliasing.spares(place, first):
                    continue
                if aliasing.is_elsewhere(place, first):
                    continue
                if root not in distinct:
                    distinct[root] = aliasing.distinct(base, root)
                # no pointer in memory leads to an object that nobody knows, but its maker fills it
                if first.fresh:
                    touched |= places.any
                elif not distinct[root]:
                    touched |= places.any
                    old |= places.any
        return touched, old

    def _agreeing_with(self, function: Function, place: MemoryLocation) -> list[_ByRoot]:
        """The places that a function writes of such a kind that they may be this one; which kinds
        these are does not depend on where it is."""
        anywhere = place._replace(underlying_object=None, offset=None, extent=None)
        key = (function.name, anywhere)
        found = self._agreeing.get(key)
        if found is None:
            access = _access(place)
            known = self._agree.setdefault(access, {})

            def agrees(number: int, other: MemoryLocation) -> bool:
                result = known.get(number)
                if result is None:
                    result = known[number] = self.aliasing.types_agree(access, other)
                return result

            found = self._agreeing[key] = []
            for number, kind, by_root, by_size in self._numbered(function):
                if agrees(number, kind):
                    sizes = {size: agrees(n, w) for size, (n, w) in by_size.items()}
                    if all(sizes.values()):
                        found.append(by_root)
                    else:
                        found.append({r: ws for r, ws in by_root.items() if sizes[ws.first.size]})
        return found

    def _numbered(self, function: Function) -> Sequence[_Written]:
        """The same as accesses with their numbers: those of any size, and of each."""
        found = self._numbered_by_kind.get(function.name)
        if found is None:
            found = self._numbered_by_kind[function.name] = [
                (
                    self._number(kind),
                    kind,
                    by_root,
                    {size: (self._number(w), w) for size, w in _by_size(by_root).items()},
                )
                for kind, by_root in self._places_written(function).items()
            ]
        return found

    def _number(self, place: MemoryLocation) -> int:
        """The number of the access that a place is."""
        found = self._numbered_places.get(place)
        if found is None:
            found = self._numbers.setdefault(_access(place), len(self._numbers))
            self._numbered_places[place] = found
        return found

    def _written_in(
        self, function: Function
    ) -> Mapping[UnderlyingObject | None, Sequence[tuple[MemoryLocation, int]]]:
        """The places that a function writes, by root, each with the numbers of its writes as
        bits."""
        found = self._by_root.get(function.name)
        if found is None:
            found = self._by_root[function.name] = {}
            for by_root in self._places_written(function).values():
                for root, places in by_root.items():
                    found.setdefault(root, []).extend(places.each)
        return found

    def _places_written(self, function: Function) -> dict[MemoryLocation, _ByRoot]:
        """The places that a function writes, each once, by what they are and by root."""
        found = self._by_kind.get(function.name)
        if found is None:
            found = self._by_kind[function.name] = {}
            for place, writes in self._writes_by_place(function).items():
                by_root = found.setdefault(_kind(place), {})
                root = place.underlying_object
                places = by_root.get(root)
                if places is None:
                    places = by_root[root] = _Places(place)
                places.add(place, writes)
        return found

    def _writes_by_place(self, function: Function) -> Mapping[MemoryLocation, int]:
        """The places that a function writes -> the numbers of the writes to each, as bits. Many
        calls have the same effects."""
        sharing: dict[int, tuple[frozenset[MemoryLocation], int]] = {}
        for w in self.of(function):
            places, writes = sharing.get(id(w.effects.writes), (w.effects.writes, 0))
            sharing[id(places)] = places, writes | 1 << w.number
        found: dict[MemoryLocation, int] = {}
        for places, writes in sharing.values():
            for place in places:
                found[place] = found.get(place, 0) | writes
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
        each block: along all edges until nothing is added, which a cycle delays by a round."""
        found = self._orders.get(function.name)
        if found is None:
            at = {name: k for k, name in enumerate(function.blocks)}
            above = dict.fromkeys(at, 0)
            changed = True
            while changed:
                changed = False
                for name, predecessors in function.predecessors.items():
                    mask = known = above[name]
                    for p in predecessors:
                        mask |= above[p] | 1 << at[p]
                    if mask != known:
                        above[name], changed = mask, True
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
