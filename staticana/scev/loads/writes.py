"""The instructions of a function that may write memory, and which of them control passes last.

Reaching definitions, asked backwards: for one location and one point, the writes after which
control may come there (Aho, Lam, Sethi and Ullman, Compilers, section 9.2.4), found on demand
instead of by iterating over all locations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

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


_ByRoot = dict[UnderlyingObject | None, list[MemoryLocation]]
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
    return {places[0].size: places[0] for places in by_root.values()}


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
        self._by_root: dict[str, _ByRoot] = {}
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
    def _asynchronous_by_root(self) -> _ByRoot:
        found: _ByRoot = {}
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
            touched = self._touching(function, place)
            old = (
                {w for w in touched if not w.fresh} if self._is_named(function, place) else touched
            )
            base = place.underlying_object
            made = base.register if isinstance(base, Pointer) else ""
            found = self._spared[key] = [
                (self.trusted(w, place) if w.handed else w.effects.outside)
                # all of them where it is the call that returned the object that the place is in
                if (old if made != w.instruction.result else touched).isdisjoint(w.effects.writes)
                else None
                for w in self.of(function)
            ]
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

    def _touching(self, function: Function, place: MemoryLocation) -> set[MemoryLocation]:
        """The places a function writes that may be (a part of) this one; those alike but for where
        they are together."""
        aliasing, touched = self.aliasing, set[MemoryLocation]()
        base = place.underlying_object
        if base is not None and aliasing.is_constant(base):
            return touched
        distinct = self._distinct.setdefault(base, {})
        if base is not None:
            for w in self._written_in(function).get(base, ()):
                if aliasing.may_meet(place, w):
                    touched.add(w)
        for by_root in self._agreeing_with(function, place):
            for root, places in by_root.items():
                if root is not None and root == base:
                    continue
                if not aliasing.strict and aliasing.spares(place, places[0]):
                    continue
                if aliasing.is_elsewhere(place, places[0]):
                    continue
                if root not in distinct:
                    distinct[root] = aliasing.distinct(base, root)
                # no pointer in memory leads to an object that nobody knows, but its maker fills it
                if places[0].fresh or not distinct[root]:
                    touched.update(places)
        return touched

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
                        found.append({r: ws for r, ws in by_root.items() if sizes[ws[0].size]})
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

    def _written_in(self, function: Function) -> _ByRoot:
        """The places that a function writes, by root."""
        found = self._by_root.get(function.name)
        if found is None:
            found = self._by_root[function.name] = {}
            for by_root in self._places_written(function).values():
                for root, places in by_root.items():
                    found.setdefault(root, []).extend(places)
        return found

    def _places_written(self, function: Function) -> dict[MemoryLocation, _ByRoot]:
        """The places that a function writes, each once, by what they are and by root."""
        found = self._by_kind.get(function.name)
        if found is None:
            found = self._by_kind[function.name] = {}
            written = {id(w.effects.writes): w.effects.writes for w in self.of(function)}
            for place in dict.fromkeys(p for places in written.values() for p in places):
                found.setdefault(_kind(place), {}).setdefault(place.underlying_object, []).append(
                    place
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
            leading = above[block] | 1 << at[block]
            found = self._arriving[key] = [
                w for w in self.of(function) if leading >> at[w.block] & 1
            ]
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
