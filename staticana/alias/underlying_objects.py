"""Underlying objects: an address traced back through address computations, casts and calls that
return one of their arguments.

Offsets are constant byte offsets as in LLVM's `stripAndAccumulateConstantOffsets`; beside the
object, the way to it is kept: the innermost structure member that an address goes by.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from ..ir import cxx_names as cxx
from ..ir.data_layout import Layout
from ..ir.found_by_name import is_bound
from ..ir.graph import callee
from ..ir.matchers import (
    is_alloca,
    is_any,
    is_choice,
    is_gep,
    is_load,
    is_phi,
    is_return,
    is_select,
)
from ..ir.tokens import constant_address
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, Module, Operand, Register
from .library import library_function
from .memory_location import Extent, Member, MemoryLocation, Pointer, UnderlyingObject, offset_sum

_MAX_DEPTH = 24
"""Instructions that an address is followed through to its object."""
CASTS = ("freeze", "addrspacecast")
"""Opcodes whose result is the address in their operand."""

_VIRTUAL_POINTER = '"vtable pointer"'
"""The type that clang gives, in !tbaa, to the pointer from an object to its virtual table."""
_BYTE = "i8"
_NOWHERE = ("null", "undef", "poison")

Based = tuple[UnderlyingObject | None, int | None]
"""An object and the constant offset in bytes from its start; None for what is not known."""


class Passed(NamedTuple):
    """A function returns a pointer into what its argument number `argument` points to, `offset`
    bytes behind; `register` holds the result inside the function, None for a library function."""

    argument: int
    offset: int | None
    register: Operand | None


class UnderlyingObjects:
    """Traces the addresses of one module, each once."""

    def __init__(self, module: Module, layout: Layout) -> None:
        self.module = module
        self.layout = layout
        self._bases: dict[tuple[str, str], Based] = {}
        self._objects: dict[UnderlyingObject, bool] = {}
        self._returned: dict[str, Passed | None] = {}
        self._read: dict[tuple[str, str], bool] = {}
        self._by_bytes: dict[tuple[str, str, bool], bool] = {}
        self._locations: dict[tuple[str, str, str, str | None], MemoryLocation] = {}

    @cached_property
    def has_virtual_tables(self) -> bool:
        """Does the module define a virtual table?"""
        tables = (g for g in self.module.globals.values() if g.name.startswith(cxx.VIRTUAL_TABLE))
        return any("[" in g.initializer for g in tables)

    # -- addresses
    def location(
        self, function: Function, address: Operand, kind: str, tag: str | None = None
    ) -> MemoryLocation:
        """The location of an access of type `kind` ("" for any) at an address."""
        key = (function.name, address, kind, tag)
        found = self._locations.get(key)
        if found is None:
            base, offset = self.underlying_object(function, address)
            member, element = self.path(function, address)
            if member is None and isinstance(address, GlobalRef) and kind:
                member = self._first_member(address, kind)
                element = member is not None
            elif element and member is not None and self._is_single(member):
                member = None  # an index behind it leads to the members beside it
            size = self.layout.size(kind) if kind else None
            pointee = self.pointee(function, address) if member is None else None
            if pointee is not None and self.layout.is_struct(pointee):
                element = False  # what is accessed is a part of it
            by_bytes = member is None and kind != _BYTE and self.goes_by_bytes(function, address)
            read = self.is_read(function, address)
            found = MemoryLocation(
                base, offset, size, kind, tag, member, element, by_bytes=by_bytes, read=read
            )
            if offset is None and element and member is not None:
                found = found._replace(extent=self._extent(function, address))
            if kind == "ptr" and self._is_slot(function, address):
                found = found._replace(slot=True)
            self._locations[key] = found
        return found

    def goes_by_bytes(self, function: Function, address: Operand, *, indexed: bool = False) -> bool:
        """May an address be one that no member names: a number of bytes behind its object, or an
        index behind a member that is no array? indexed: with an index behind the address."""
        key = (function.name, address, indexed)
        found = self._by_bytes.get(key)
        if found is None:
            seen: set[tuple[str, Operand, bool]] = set()
            work, found = [(function, address, indexed)], False
            while work and not found:
                f, current, behind = work.pop()
                if (f.name, current, behind) not in seen:
                    seen.add((f.name, current, behind))
                    above = self._above_unnamed(f, current, behind)
                    found = above is None
                    work += above or ()
            self._by_bytes[key] = found
        return found

    def _above_unnamed(
        self, function: Function, address: Operand, indexed: bool
    ) -> list[tuple[Function, Operand, bool]] | None:
        """The addresses that an address is computed from, where no member names the way, with
        whether an index stands behind them; None where it goes by bytes from there."""
        i = function.definitions.get(address)
        if i is None:
            step = constant_address(address)
        elif is_gep(i):
            step = i.operands[0], i.type, i.operands[1:]
        else:
            step = None
        if step is not None:
            base, kind, indices = step
            member, element = self.member(kind, indices)
            if member is not None:
                return None if (element or indexed) and self._is_single(member) else []
            to = self._led_to(kind, indices)
            if to == _BYTE:
                return None
            return [(function, base, indexed or (element and not self.layout.is_struct(to)))]
        if i is None or is_alloca(i):
            return None if indexed and self._is_structure(i, address) else []
        if is_any(i, *CASTS):
            return [(function, i.operands[0], indexed)]
        if is_choice(i):
            return [(function, o, indexed) for o in i.operands[is_select(i) :]]
        passed = self.returned(i) if i.is_call else None
        if passed is None:
            return []
        handed = [(function, i.operands[1 + passed.argument], indexed)]
        if passed.register is not None:
            inner = self.module.functions[callee(i) or ""]
            handed.append((inner, passed.register, indexed))
        return handed

    def _is_structure(self, made: Instruction | None, address: Operand) -> bool:
        """Is it a variable that is a structure, or an array of such, which begins with no array?"""
        kind: str | None = made.type if made is not None else None
        if isinstance(address, GlobalRef) and address.name in self.module.globals:
            kind = self.module.globals[address.name].type
        while kind is not None and (element := self.layout.element(kind)) is not None:
            kind = element
        if kind is None or not self.layout.is_struct(kind):
            return False
        while kind is not None and self.layout.is_struct(kind):
            field = self.layout.offset(kind, 0)
            kind = field[1] if field is not None else None
        return kind is not None and self.layout.element(kind) is None

    def _is_single(self, member: Member) -> bool:
        """Is a member a number or a pointer, no array?"""
        field = self.layout.field_at(member.struct, member.start)
        if field is None or self.layout.size(field[1]) == 0:
            return False
        return not self.layout.is_struct(field[1]) and self.layout.element(field[1]) is None

    def _is_slot(self, function: Function, address: Operand) -> bool:
        """Is it a place in the virtual table that an object of a class points to?"""
        step = function.definitions.get(address)
        if is_gep(step):
            step = function.definitions.get(step.operands[0])
        if not is_load(step) or step.tbaa is None:
            return False
        nodes = self.module.metadata_operands(step.tbaa)
        return any(_VIRTUAL_POINTER in self.module.metadata.get(n, "") for n in nodes[1:2])

    def underlying_object(self, function: Function, address: Operand) -> Based:
        """The object or pointer that an address is computed from, and the offset from it."""
        key = (function.name, address)
        if key not in self._bases:
            self._bases[key] = (None, None)  # a pointer that depends on itself
            self._bases[key] = self._find(function, address)
        return self._bases[key]

    def _find(self, function: Function, address: Operand) -> Based:
        if isinstance(address, GlobalRef):
            return address, 0
        i = function.definitions.get(address)
        if i is None:
            if isinstance(address, Register):
                return Pointer(function.name, address), 0
            constant = constant_address(address)
            return self._moved(function, *constant) if constant is not None else (None, None)
        if is_gep(i):
            return self._moved(function, i.operands[0], i.type, i.operands[1:])
        if is_any(i, *CASTS):
            return self.underlying_object(function, i.operands[0])
        if is_choice(i):
            sources = {
                self.underlying_object(function, o)[0]
                for o in (i.operands if is_phi(i) else i.operands[1:])
                if o != "null" and not self._steps(function, o, i.token)
            }
            return (sources.pop(), None) if len(sources) == 1 else (None, None)
        passed = self.returned(i)
        if passed is not None:
            base, offset = self.underlying_object(function, i.operands[1 + passed.argument])
            return base, offset_sum(offset, passed.offset)
        held = self._global_returned(i) if i.is_call else None
        if held is not None:
            return held
        if is_any(i, "alloca", "load") or i.is_call:
            return Pointer(function.name, i.token), 0
        return None, None

    def _global_returned(self, call: Instruction) -> Based | None:
        """The global that a function of the program returns the address of: `Engine &get()`."""
        name = callee(call)
        f = self.module.functions.get(name) if name is not None else None
        if f is None or self.is_outside(f.name) or f.type != "ptr":
            return None
        returns = [b.terminator for b in f.blocks.values() if is_return(b.terminator)]
        if len(returns) != 1 or not returns[0].operands:
            return None
        found = self.underlying_object(f, returns[0].operands[0])
        return found if isinstance(found[0], GlobalRef) else None

    def sources(self, function: Function, address: Operand) -> frozenset[UnderlyingObject | None]:
        """The objects and pointers that an address may be computed from; None among them for what
        is not known."""
        found: set[UnderlyingObject | None] = set()
        seen: set[Operand] = set()
        work = [address]
        while work:
            current = work.pop()
            if current in seen or current in _NOWHERE:
                continue
            seen.add(current)
            base = self.underlying_object(function, current)[0]
            i = function.definitions.get(current)
            if base is not None or i is None:
                found.add(base)
            elif is_choice(i):
                work += i.operands if is_phi(i) else i.operands[1:]
            elif is_gep(i) or is_any(i, *CASTS):
                work.append(i.operands[0])
            else:
                found.add(None)
        return frozenset(found)

    def is_read(self, function: Function, address: Operand) -> bool:
        """Is an address computed from pointers that were read from memory, and from no others?"""
        key = (function.name, address)
        if key not in self._read:
            bases = self.sources(function, address)
            self._read[key] = bool(bases) and all(map(self.is_loaded, bases))
        return self._read[key]

    def is_loaded(self, base: UnderlyingObject | None) -> bool:
        """Is it what a pointer that was read from memory points to?"""
        made = self.definition(base) if base is not None else None
        return is_load(made)

    def _moved(
        self, function: Function, base: Operand, kind: str, indices: tuple[Operand, ...]
    ) -> Based:
        found, offset = self.underlying_object(function, base)
        return found, offset_sum(offset, self.constant_offset(kind, indices))

    def returned(self, call: Instruction) -> Passed | None:
        """The argument that the result of a call points into, where the called function says so."""
        name = callee(call)
        if name is None or call.type != "ptr":
            return None
        if name not in self._returned:
            self._returned[name] = None  # a function that returns its own result
            self._returned[name] = self._find_returned(name)
        found = self._returned[name]
        return found if found is not None and found.argument + 1 < len(call.operands) else None

    def _find_returned(self, name: str) -> Passed | None:
        f = self.module.functions.get(name)
        if f is None or self.is_outside(name):
            known = library_function(name)
            if known is not None and known.returns is not None:
                return Passed(known.returns, 0, None)
            return Passed(known.into, None, None) if known and known.into is not None else None
        returns = [b.terminator for b in f.blocks.values() if is_return(b.terminator)]
        if len(returns) != 1 or not returns[0].operands:
            return None
        base, offset = self.underlying_object(f, returns[0].operands[0])
        for at, p in enumerate(f.parameters):
            if base == Pointer(name, p.token):
                return Passed(at, offset, returns[0].operands[0])
        return None

    def _steps(self, function: Function, address: Operand, start: Register) -> bool:
        """Is it `start` moved along, p = p + k?"""
        for _ in range(_MAX_DEPTH):
            if address == start:
                return True
            i = function.definitions.get(address)
            if not is_gep(i):
                return False
            address = i.operands[0]
        return False

    # -- indices
    def constant_offset(self, kind: str, indices: tuple[Operand, ...]) -> int | None:
        """Bytes that constant indices into a type amount to."""
        total = 0
        for at, index in enumerate(indices):
            if not isinstance(index, IntLiteral):
                return None
            if at and self.layout.is_struct(kind):
                field = self.layout.offset(kind, index.value)
                if field is None:
                    return None
                total, kind = total + field[0], field[1]
                continue
            if at:
                kind = self.layout.element(kind) or "?"
            size = self.layout.size(kind)
            if size is None:
                return None
            total += index.value * size
        return total

    def path(self, function: Function, address: Operand) -> tuple[Member | None, bool]:
        """(the innermost structure member that an address goes by, whether an array index follows
        it)."""
        element = False
        for _ in range(_MAX_DEPTH):
            i = function.definitions.get(address)
            if i is not None and i.is_call:
                passed = self.returned(i)
                if passed is None or passed.register is None:
                    return None, element
                inner = self.module.functions[callee(i) or ""]
                member, indexed = self.path(inner, passed.register)
                if member is not None or indexed:
                    return member, element or indexed
                address = i.operands[1 + passed.argument]
                continue
            if is_gep(i):
                base, kind, indices = i.operands[0], i.type, i.operands[1:]
            else:
                constant = constant_address(address)
                if constant is None:
                    return None, element
                base, kind, indices = constant
            member, indexed = self.member(kind, indices)
            element = element or indexed
            if member is None and indices[:1] == ("0",):
                member = self._first_member(base, kind)
            if member is not None:
                return member, element
            address = base
        return None, element

    def _first_member(self, base: Operand, kind: str) -> Member | None:
        """The array that stands first in a global structure, by its type or that of its elements:
        the address of the one is that of the other, and LLVM writes no step between them."""
        g = self.module.globals.get(base.name) if isinstance(base, GlobalRef) else None
        member, inner = None, g.type if g is not None else "?"
        while inner != kind and self.layout.is_struct(inner):
            field = self.layout.offset(inner, 0)
            if field is None:
                return None
            if inner.startswith("%"):
                end = self.layout.size(field[1]) or 0
                member = Member(self.layout.same(inner), 0, end)
            inner = field[1]
        if self.layout.element(inner) is None:
            return None
        while inner != kind and (element := self.layout.element(inner)) is not None:
            inner = element
        return member if inner == kind else None

    def _extent(self, function: Function, address: Operand) -> Extent | None:
        """The array of a structure that an address is in, where it is known which bytes of an
        object that is: C does not let subscripts leave it."""
        for _ in range(_MAX_DEPTH):
            i = function.definitions.get(address)
            if not is_gep(i):
                return None
            kind, indices = i.type, i.operands[1:]
            last = 0  # the number of indices up to the innermost member
            for at, index in enumerate(indices[1:], 2):
                field = None
                if self.layout.is_struct(kind):
                    field = self.layout.offset(kind, getattr(index, "value", -1))
                    last = at
                kind = (field[1] if field is not None else self.layout.element(kind)) or "?"
                if last == at:
                    size = self.layout.size(kind)
            base, start = self.underlying_object(function, i.operands[0])
            if last:
                offset = offset_sum(start, self.constant_offset(i.type, indices[:last]))
                if base is None or offset is None or not size:
                    return None
                return Extent(base, offset, offset + size)
            address = i.operands[0]
        return None

    def pointee(self, function: Function, address: Operand) -> str | None:
        """The type that the indices of an address lead to; None for what is no such address."""
        i = function.definitions.get(address)
        if is_gep(i):
            kind, indices = i.type, i.operands[1:]
        else:
            constant = constant_address(address) if i is None else None
            if constant is None:
                return None
            _, kind, indices = constant
        return self._led_to(kind, indices)

    def _led_to(self, kind: str, indices: tuple[Operand, ...]) -> str:
        """The type that indices into a type lead to."""
        for index in indices[1:]:
            field = None
            if self.layout.is_struct(kind) and isinstance(index, IntLiteral):
                field = self.layout.offset(kind, index.value)
            kind = (field[1] if field is not None else self.layout.element(kind)) or "?"
        return kind

    def member(self, kind: str, indices: tuple[Operand, ...]) -> tuple[Member | None, bool]:
        """The last member that indices go by, and whether an array index (not a plain 0) stands
        behind it."""
        member, element = None, False
        for at, index in enumerate(indices):
            if at and self.layout.is_struct(kind):
                number = index.value if isinstance(index, IntLiteral) else -1
                field = self.layout.offset(kind, number)
                if field is None:
                    return None, True
                if kind.startswith("%"):
                    end = field[0] + (self.layout.size(field[1]) or 0)
                    member, element = Member(self.layout.same(kind), field[0], end), False
                kind = field[1]
                continue
            if at:
                kind = self.layout.element(kind) or "?"
            element = element or at > 0 or index != "0"
        return member, element

    def members_at(self, kind: str, offset: int) -> set[Member]:
        """The members of a type, and of what these are made of, that an offset in bytes is in."""
        found: set[Member] = set()
        while 0 <= offset < (self.layout.size(kind) or 0):
            if self.layout.is_struct(kind):
                at, field = self.layout.field_at(kind, offset) or (offset, "")
                if kind.startswith("%"):
                    end = at + (self.layout.size(field) or 0)
                    found.add(Member(self.layout.same(kind), at, end))
                kind, offset = field, offset - at
            else:
                kind = self.layout.element(kind) or ""
                offset %= self.layout.size(kind) or 1
        return found

    # -- objects
    def is_object(self, base: UnderlyingObject | None) -> bool:
        """Is it an object of its own, not just a pointer to one?"""
        if base is None:
            return False
        if base not in self._objects:
            self._objects[base] = (
                not is_bound(self.module, base.name)
                if isinstance(base, GlobalRef)
                else self._is_allocated(base)
            )
        return self._objects[base]

    def _is_allocated(self, base: Pointer) -> bool:
        i = self.definition(base)
        return i is not None and (is_alloca(i) or self.is_allocation(i))

    def definition(self, base: UnderlyingObject) -> Instruction | None:
        """The instruction that makes a local object or pointer; None for globals and arguments."""
        if isinstance(base, GlobalRef):
            return None
        function = self.module.functions.get(base.function)
        return function.definitions.get(base.register) if function is not None else None

    def is_constant(self, base: UnderlyingObject) -> bool:
        """Is it memory that nothing writes: a constant or a function?"""
        if not isinstance(base, GlobalRef):
            return False
        g = self.module.globals.get(base.name)
        return (
            base.name in self.module.functions if g is None else g.attributes.endswith("constant")
        )

    def is_allocation(self, i: Instruction) -> bool:
        """Is it a call that returns new memory, of a function that the program does not define?"""
        name = callee(i)
        known = library_function(name) if name is not None else None
        return known is not None and known.allocates and self.is_outside(name or "")

    def is_outside(self, name: str) -> bool:
        """Is it a function that the program does not define?"""
        function = self.module.functions.get(name)
        return function is None or function.is_declaration
