"""Cells of arrays and of vectors: which accesses are to the same ones, how many there are, and what
may change them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd

from ...alias.memory_location import MemoryLocation, Pointer
from ...expr import NUMBER, SIZE, Expr, Loaded, floor_div, from_atom, symbols
from ...ir import cxx_names as cxx
from ...ir.graph import callee
from ...ir.matchers import is_any, is_load, is_store
from ...ir.types import Instruction, Operand, Register, int_bits
from ..addresses import has_address, is_address
from ..source_names import last_part, object_text, value_name
from ..unknowns import CELLS, ELEMENTS, LARGEST, UnknownInfo
from ..values import Value
from .containers import Effect, effect
from .distances import NestDistances
from .objects import size_of_object

_FIELDS = 40
"""Bytes of a vector's own fields, at most."""


@dataclass(frozen=True)
class Place:
    """Cells of which an address is one: `root` is the pointer that they are found by, through
    `depth` further ones (-1: a vector of bits); they are `step` bytes apart, `at` bytes behind
    multiples of it, and have so many bits."""

    root: Expr
    depth: int
    step: int
    at: int
    bits: int


@dataclass(frozen=True)
class Access:
    """A load or a store of one cell. value: the register loaded, or what is stored."""

    i: Instruction
    place: Place
    address: Operand
    value: Operand
    bits: int
    is_store: bool


class NestCells(NestDistances):
    """The cells that the loops of a nest access."""

    @cached_property
    def _blocks_of(self) -> Mapping[Instruction, str]:
        """The blocks of instructions, those too that set no register."""
        return {i: b for b in self.blocks for i in self.function.blocks[b].instructions}

    @cached_property
    def _accesses_by_place(self) -> Mapping[Place, Mapping[Instruction, Access]]:
        found: dict[Place, dict[Instruction, Access]] = {}
        for b in sorted(self.blocks):
            for i in self.function.blocks[b].instructions:
                access = self._access(i)
                if access is not None:
                    found.setdefault(access.place, {})[i] = access
        return found

    def _access(self, i: Instruction) -> Access | None:
        """The access that an instruction is, to a cell of several."""
        if is_any(i, "load", "store") and not i.flags & {"volatile", "atomic"}:
            bits = int_bits(i.type)
            address = i.operands[0] if is_load(i) else i.operands[1]
            if bits is None or not isinstance(address, Register):
                return None
            value = self.view.scalars.value(address)
            place = self._place(value.expr, bits)
            if place is None:
                return None
            token = i.token if is_load(i) else i.operands[0]
            return Access(i, place, address, token, bits, is_store(i))
        return self._bit_access(i) if i.is_call else None

    def _place(self, address: Expr, bits: int) -> Place | None:
        """The cells that an address is one of, by the pointer that it is found by; None where it
        is always the same, or where that pointer changes."""
        depth, step, at = 0, 0, 0
        while True:
            pointers = [
                a
                for m, c in address.terms.items()
                if len(m) == 1 and m[0][1] == 1 and c == 1
                for a in (m[0][0],)
                if is_address(self.view.program, a)
            ]
            if len(pointers) != 1:
                return None
            root = from_atom(pointers[0])
            if not depth:
                index = address - root
                step = gcd(*(int(c) for m, c in index.terms.items() if m))
                at = int(index.terms.get((), 0)) % step if step else 0
                if 8 * step < bits or not all(c == int(c) for c in index.terms.values()):
                    return None
            if not self._changes(root):
                return Place(root, depth, step, at, bits)
            if not isinstance(pointers[0], Loaded):
                return None
            address, depth = pointers[0].address, depth + 1

    def _bit_access(self, call: Instruction) -> Access | None:
        """An access to a bit of a vector of them: what calls of its member functions do."""
        name = callee(call) or ""
        is_set = cxx.BIT_SET.match(name) is not None
        made: Instruction | None = None
        if cxx.BIT_OF_CONSTANT.match(name) and call.type == "i1":
            made = call
        elif is_set or cxx.BIT_READ.match(name):
            made = self._bit(call.operands[1])
        if made is None:
            return None
        value = call.operands[2] if is_set else call.token
        container = self.view.scalars.value(made.operands[1])
        if self._changes(container.expr):
            return None
        place = Place(container.expr, -1, 1, 0, 1)
        return Access(call, place, made.token, value, 1, is_set)

    def _bit(self, reference: Operand) -> Instruction | None:
        """The call that gave the bit which a reference at an address is to: its two parts are
        stored there in the same block."""
        at = self.function.definitions.get(reference)
        users = [u for u in self.function.users.get(reference, ()) if u.opcode != "call"]
        stores = [u for u in users if is_store(u) and u.operands[1] == reference]
        for u in users:
            if u.opcode == "getelementptr":
                stores += [s for s in self.function.users.get(u.token, ()) if is_store(s)]
        parts = [self.function.definitions.get(s.operands[0]) for s in stores]
        made = {p.operands[0] for p in parts if p is not None and p.opcode == "extractvalue"}
        if not is_any(at, "alloca") or len(parts) != 2 or None in parts or len(made) != 1:
            return None
        found = self.function.definitions.get(made.pop())
        return found if found is not None and cxx.BIT.match(callee(found) or "") else None

    def _changing_cells(self, accesses: Iterable[Access]) -> frozenset[Instruction] | None:
        """The instructions that may write to cells, or to the containers that they are in; None
        where any moment may."""
        memory, places = self.view.program.memory, dict[MemoryLocation, None]()
        for a in accesses:
            if a.place.depth < 0:
                made = self.function.definitions[a.address]
                place = MemoryLocation(Pointer(self.function.name, made.token), None, 8, "i64")
            else:
                place = memory.aliasing.location(self.function, a.address, a.i.type, a.i.tbaa)
            places |= dict.fromkeys((place, *self._containers(a.address)))
        if any(map(memory.may_change_at_any_time, places)):
            return None
        return frozenset[Instruction]().union(
            *(memory.changing(self.view, p, self.blocks) for p in places)
        )

    def _containers(self, address: Operand) -> Iterator[MemoryLocation]:
        """The fields of the containers, and the pointers, by which an address is found."""
        aliasing = self.view.program.memory.aliasing
        while (i := self.function.definitions.get(address)) is not None:
            if i.is_call and len(i.operands) > 1:
                address = i.operands[1]
            elif is_any(i, "load", "getelementptr", "freeze"):
                address = i.operands[0]
            else:
                return
            if not is_any(i, "getelementptr", "freeze"):
                base, offset = aliasing.underlying_object(self.function, address)
                yield MemoryLocation(base, offset, _FIELDS)

    def _number_of_cells(self, place: Place, accesses: Mapping[Instruction, Access]) -> Value:
        """All cells of a place: of the largest array, where it may be one of several."""
        access = next(iter(accesses.values()))
        made = size_of_object(self.view, place.root) if place.depth == 0 else None
        if made is not None:
            whole, _ = made
            cells = floor_div(whole.expr - place.bits // 8 + place.step, place.step)
            if not self._changes(cells):
                return Value(cells, whole.preconditions)
        if place.depth <= 0:
            sizes = {self._elements_at(a) for a in accesses.values()}
            size = sizes.pop()
            if not sizes and size is not None and not self._changes(size):
                return Value(size)
        return Value(self._named_cells(place, access))

    def _elements_at(self, access: Access) -> Expr | None:
        """The number of elements of a vector where one is accessed."""
        made = self.function.definitions.get(access.address)
        if made is None or not made.is_call:
            return None
        memory = self.view.program.memory
        base, offset = memory.aliasing.underlying_object(self.function, made.operands[1])
        if base is None or offset is None:
            return None
        if access.place.depth < 0:
            return self._told_size(MemoryLocation(base, offset, _FIELDS))
        block, at = self._blocks_of[access.i], access.i
        begin, end = (
            memory.reaching(self.view, MemoryLocation(base, offset + k, 8, "ptr"), block, at)
            for k in (0, 8)
        )
        if begin.value is not None and end.value is not None:
            size = floor_div(end.value.expr - begin.value.expr, access.place.step)
            return None if has_address(self.view.program, size) else size
        if begin.on_entry and end.on_entry:
            container = self.view.scalars.value(made.operands[1]).expr
            text = f"{object_text(self.view, made.operands[1])[0] or 'v'}{NUMBER}"
            return from_atom(Loaded(container + 8, SIZE, text))
        return None

    def _told_size(self, fields: MemoryLocation) -> Expr | None:
        """The number of elements that a container has which is made with so many, and not changed
        again."""
        memory = self.view.program.memory
        made = [
            (i, e)
            for i in memory.changing(self.view, fields, self.view.reachable)
            if (e := effect(i)) is not Effect.NONE_LEFT
        ]
        if len(made) != 1 or made[0][1] is not Effect.TOLD:
            return None
        size = self.view.scalars.value(made[0][0].operands[2])
        return None if size.preconditions else size.expr

    def _named_cells(self, place: Place, access: Access) -> Expr:
        """The number of all cells by a name that people know."""
        view = self.view
        made = view.function.definitions.get(access.address)
        if place.depth > 0:
            base = access.address
            while (i := view.function.definitions.get(base)) is not None and (
                (i.is_call and len(i.operands) > 1) or is_any(i, "load", "getelementptr", "freeze")
            ):
                base = i.operands[1] if i.is_call else i.operands[0]
            text = object_text(view, base)[0] or "array"
            name = f"{last_part(text)}_cells"
            meaning = f"{LARGEST}{CELLS}{text}"
        elif made is not None and made.is_call:
            text = object_text(view, made.operands[1])[0] or "v"
            name, meaning = f"most {last_part(text)}_size", f"{LARGEST}{text}{NUMBER}"
        else:
            base = access.address
            while is_any(i := view.function.definitions.get(base), "getelementptr"):
                base = i.operands[0]
            text = (value_name(view, base) or "array").strip('"')
            name, meaning = f"most {text}_elements", f"{LARGEST}{ELEMENTS}{text}"
        return view.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(view.function.name, "cells", place.root, place.depth, place.step),
                "value",
                name,
                meaning,
                view.place(view.function.entry.instructions[0]),
                view.function.name,
                view.function.entry.name,
            )
        )
