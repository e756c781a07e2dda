"""Alias analysis: which accesses of a module may touch the same memory.

Two accesses are told apart when they go to distinct objects (globals, local variables, fresh
allocations), to different bytes of one object, to an object that no other pointer reaches, to
different members of structures, or by C's rules on types (`ir.tbaa`). The queries are LLVM's
(`BasicAAResult::alias`, `TypeBasedAAResult`), with summaries of functions on top.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from ..ir.data_layout import Layout
from ..ir.graph import callee, instructions
from ..ir.matchers import is_alloca, is_any, is_choice, is_gep, is_load, is_store
from ..ir.system_files import is_system_file
from ..ir.tbaa import TypeRules
from ..ir.tokens import constant_address, constant_addresses
from ..ir.types import (
    Constant,
    Function,
    GlobalRef,
    Instruction,
    IntLiteral,
    Module,
    Operand,
    Register,
)
from .array_descriptors import Assignment, assignment
from .effects import ModRef
from .escape_analysis import EscapeAnalysis
from .library import LibraryFunction
from .memory_location import (
    EntryPointer,
    Member,
    MemoryLocation,
    Pointer,
    UnderlyingObject,
    overlap,
)
from .mod_ref import ModRefSummaries
from .underlying_objects import CASTS, Based, UnderlyingObjects
from .virtual_calls import virtual_slot

_MODELS = "%looplaw."
"""How the types begin by which models of containers access fields."""


_VECTOR = re.compile(r'%"?class\.std::(?:__\d+::)?vector(?:\.\d+)*"?$')
_VECTOR_BASE = re.compile(r'%"?struct\.std::_Vector_base')
_RANDOM = re.compile(
    r'%"?(?:class|struct)\.std::(?:__\d+::)?\w+_(?:engine|distribution)(?:\.\d+)?"?$'
)
"""Generators of the library and what they are drawn through: numbers of their own alone."""
_FIELD_KINDS = ("ptr", "i64")
_OF_LIBRARY = re.compile(r"std::|\.anon\b")
"""In names of structures that the library may have: those without a name, too."""
_BYTE = "i8"
_EXTENT = re.compile(r"\bdereferenceable\((\d+)\)")
_CONTAINERS = frozenset(
    "deque list map set multimap multiset unordered_map unordered_set unordered_multimap"
    " unordered_multiset".split()
)
_OF_ELEMENTS = frozenset({"operator[]", "at", "front", "back"})
"""Functions of these that return an element, and not what may be a container's own end."""


class Aliasing:
    """Accesses of one module. `strict`: functions outside the program may write everything that
    others can reach. `exported`: functions that are called from outside of the module, too."""

    def __init__(
        self,
        module: Module,
        layout: Layout,
        *,
        strict: bool = False,
        exported: frozenset[str] = frozenset(),
    ) -> None:
        self.module = module
        self.strict = strict
        self._layout = layout
        self.exported = exported
        self.types = TypeRules(module)
        self._objects = UnderlyingObjects(module, layout)
        self._escape = EscapeAnalysis(module, self._objects, exported)
        self._summaries = ModRefSummaries(module, self._objects, self._escape, strict=strict)
        self._read_by: dict[str, bool] = {}
        self._apart_at_calls: dict[tuple[str, Register, Register], bool] = {}

    # -- what an address denotes
    def location(
        self, function: Function, address: Operand, kind: str, tag: str | None = None
    ) -> MemoryLocation:
        """The location of an access of type `kind` at an address, with its !tbaa node."""
        return self._objects.location(function, address, kind, tag)

    def underlying_object(self, function: Function, address: Operand) -> Based:
        """(object or pointer that an address is computed from, constant offset or None)."""
        return self._objects.underlying_object(function, address)

    def passed_on(self, call: Instruction) -> tuple[Operand, int] | None:
        """(an operand of a call, bytes): the call returns a pointer so many bytes behind it."""
        found = self._objects.returned(call) if call.is_call else None
        if found is None or found.offset is None:
            return None
        return call.operands[1 + found.argument], found.offset

    def constant_offset(self, kind: str, indices: tuple[Operand, ...]) -> int | None:
        """Bytes that constant indices into a type amount to."""
        return self._objects.constant_offset(kind, indices)

    def is_constant(self, base: UnderlyingObject) -> bool:
        """Is it memory that nothing writes: a constant or a function?"""
        return self._objects.is_constant(base)

    def assignment(self, function: Function, i: Instruction) -> Assignment | None:
        """The assignment of arrays of Fortran that a call makes; None for other calls."""
        return assignment(self._objects, function, i)

    def is_object(self, base: UnderlyingObject | None) -> bool:
        """Is it an object of its own, not just a pointer to one?"""
        return self._escape.is_object(base)

    def made(self, function: Function) -> tuple[str, Register] | None:
        """The new memory that a function returns, to which it leaves no other pointer: the block
        that settles so, and the register that holds it."""
        return self._escape.made(function)

    def is_allocation(self, i: Instruction) -> bool:
        """Is it a call that returns new memory?"""
        return self._objects.is_allocation(i)

    def virtual_slot(self, function: Function, pointer: Operand) -> int | None:
        """The slot of a virtual table that a pointer has been read from; None for others."""
        return virtual_slot(self._objects, function, pointer)

    # -- what functions do
    def mod_ref(self, name: str) -> ModRef:
        """What a function may write that its callers can see, in terms of its own arguments."""
        return self._summaries.of_function(name)

    def written_by(self, function: Function, i: Instruction) -> ModRef:
        """What one instruction may write."""
        return self._summaries.of_instruction(function, i)

    def written_meanwhile(self, function: Function, i: Instruction) -> set[MemoryLocation]:
        """What is written beside the caller from a call of the library on."""
        return self._summaries.written_meanwhile(function, i)

    def writes_by_arguments(self, known: LibraryFunction) -> bool:
        """Does a function outside the program write nothing but where its arguments point to, by
        what the table says?"""
        return self._summaries.writes_by_arguments(known)

    def calls_unasked(self, name: str) -> bool:
        """May a function outside the program call functions that it is not handed?"""
        return self._summaries.calls_unasked(name)

    def moved(
        self, function: Function, w: MemoryLocation, handed: Mapping[Pointer, Operand]
    ) -> MemoryLocation:
        """A callee's location, where `handed` maps its arguments to the caller's operands."""
        return self._summaries.moved(function, w, handed)

    def loses_names(self, function: Function, call: Instruction, parameter: Pointer) -> bool:
        """Does a called function write through a parameter by bytes of what the call hands it,
        which its own code does not show?"""
        return self._summaries.loses_names(function, call, parameter)

    def escapes(self, function: Function, pointer: Register) -> bool:
        """May the pointer be known elsewhere than in registers and arguments derived from it?"""
        return self._escape.escapes(function, pointer)

    @property
    def address_taken(self) -> frozenset[str]:
        """Functions that may be called through a pointer."""
        return self._escape.address_taken

    @property
    def call_sites(self) -> Mapping[str, list[tuple[Function, Instruction]]]:
        """Direct calls of each function, with the caller."""
        return self._escape.call_sites

    @property
    def private_globals(self) -> frozenset[GlobalRef]:
        """Globals that are only accessed directly."""
        return self._escape.private_globals

    # -- members of structures
    @cached_property
    def exposed_members(self) -> frozenset[Member]:
        """Members that may be written through a pointer to them alone: an access that does not name
        the member."""
        found: set[Member] = set()
        for f in self.module.functions.values():
            for i in instructions(f):
                if is_gep(i):
                    member, element = self._objects.member(i.type, i.operands[1:])
                    if (
                        member is not None
                        and not element
                        and member not in found
                        and (self.escapes(f, i.token) or self._written_through(f, i.token))
                    ):
                        found.add(member)
                for at, o in enumerate(i.operands):
                    is_access = is_load(i) or (is_store(i) and at == 1)
                    if isinstance(o, Constant) and not is_access:
                        found.update(self._constant_member(o))
        for g in self.module.globals.values():
            for address in constant_addresses(g.initializer):
                found.update(self._constant_member(address))
        return frozenset(found)

    def _written_through(self, function: Function, pointer: Register) -> bool:
        """May a pointer that is not known elsewhere be written through where it is no longer seen
        what it points to?"""
        for i in function.users.get(pointer, ()):
            if is_choice(i):
                return True
            if i.is_call:
                if self.argument_written(i, pointer):
                    return True
            elif is_gep(i):
                # an index into an array that is the member stays inside of it, and names it
                is_inside = i.operands[1] == "0" and self._layout.element(i.type) is not None
                if not is_inside and not all(isinstance(o, IntLiteral) for o in i.operands[1:]):
                    return True
                if self._written_through(function, i.token):
                    return True
            elif is_any(i, *CASTS) and self._written_through(function, i.token):
                return True
        return False

    def argument_written(self, call: Instruction, pointer: Register) -> bool:
        """Does a function of the program write through an argument? The writes of others name no
        member and no type, and are held to touch all members."""
        name = callee(call) or ""
        target = self.module.functions.get(name)
        if target is None or target.is_declaration:
            return False
        handed = {
            Pointer(name, p.token)
            for p, o in zip(target.parameters, call.operands[1:], strict=False)
            if o == pointer
        }
        written = self.mod_ref(name).objects
        return None in written or not written.isdisjoint(handed)

    def _constant_member(self, constant: str) -> set[Member]:
        """The members whose address, or that of a part of which, a constant expression is. LLVM
        writes it as so many bytes behind a global."""
        address = constant_address(constant)
        if address is None:
            return set()
        base, kind, indices = address
        g = self.module.globals.get(base.name) if isinstance(base, GlobalRef) else None
        offset = self._objects.constant_offset(kind, indices)
        if g is not None and offset is not None:
            return self._objects.members_at(g.type, offset)
        member = self._objects.member(kind, indices)[0]
        return {member} if member is not None else set()

    # -- queries
    def may_alias(self, a: MemoryLocation, b: MemoryLocation) -> bool:
        """May the two accesses touch the same memory?"""
        if a.slot or b.slot:
            return False
        return not self.distinct(a.underlying_object, b.underlying_object) and self.may_meet(a, b)

    def may_meet(self, a: MemoryLocation, b: MemoryLocation) -> bool:
        """As `may_alias`, for objects that are not distinct."""
        if a.slot or b.slot:
            return False
        if a.underlying_object is not None and a.underlying_object == b.underlying_object:
            if a.offset is not None and b.offset is not None:
                return overlap(a.offset, a.size, b.offset, b.size)
            if _is_beside(a, b) or _is_beside(b, a):
                return False
            # a pointer to the object can reach its first member as an array of one, and all of its
            # members by steps over an array of their type
            is_first = any(x.member is not None and x.member.start == 0 for x in (a, b))
            may_be_cast = is_first or (a.kind == b.kind and (a.element or b.element))
            return self.types_agree(a, b, may_be_cast=may_be_cast)
        if self.is_elsewhere(a, b):
            return False
        return (self.strict or not self.spares(a, b)) and self.types_agree(a, b)

    def is_elsewhere(self, a: MemoryLocation, b: MemoryLocation) -> bool:
        """Is one in what an argument points to, of which no pointer stands in memory, and the other
        found by a pointer that was read there, in whatever function?"""
        return (b.read and self._is_handed(a)) or (a.read and self._is_handed(b))

    def _is_handed(self, place: MemoryLocation) -> bool:
        base = place.underlying_object
        return isinstance(base, Pointer) and self._escape.only_handed(base)

    def distinct(self, one: UnderlyingObject | None, other: UnderlyingObject | None) -> bool:
        """Are no two accesses through these to the same memory, whatever their types?"""
        if one == other:
            return False
        if one is not None and other is not None:
            if self.is_object(one) and self.is_object(other):
                return True
            if self._apart(one, other) or self._apart(other, one):
                return True
            if self._holds(one, other) or self._holds(other, one):
                return True
            if self._is_out_of_memory(one, other) or self._is_out_of_memory(other, one):
                return True
            if self._at_other_level(one, other):
                return True
        return (one is not None and self._escape.unreachable(one)) or (
            other is not None and self._escape.unreachable(other)
        )

    def _is_out_of_memory(self, one: UnderlyingObject, other: UnderlyingObject) -> bool:
        """Is the first an argument through which only objects are handed of which no pointer stands
        in memory, and the second a pointer that was read there, to an element of a container, too,
        which is found by a pointer in the container?"""
        if not isinstance(other, Pointer) or isinstance(one, GlobalRef):
            return False
        if one.function != other.function or not self._is_read(other):
            return False
        return self._escape.only_handed(one)

    def _is_read(self, pointer: Pointer) -> bool:
        """Has a pointer been read from memory, by a function that returns it, too: `im->data + k`,
        `at(im, x, y)`?"""
        made = self._objects.definition(pointer)
        if made is None:
            return False
        if is_load(made) or self._container_of(made) is not None:
            return True
        target = self.module.functions.get(callee(made) or "") if made.is_call else None
        if target is None or target.is_declaration:
            return False
        if target.name not in self._read_by:
            self._read_by[target.name] = False  # a function that returns its own result
            returned = (v for _, v in target.returned if v != "null")
            bases = [self.underlying_object(target, v)[0] for v in returned]
            self._read_by[target.name] = bool(bases) and all(
                isinstance(b, Pointer) and self._is_read(b) for b in bases
            )
        return self._read_by[target.name]

    def _holds(self, one: UnderlyingObject, other: UnderlyingObject) -> bool:
        """Is the second pointer to the elements of a container that is part of what the first
        points to? No container's elements are or contain the container itself."""
        if not isinstance(other, Pointer):
            return False
        made = self._objects.definition(other)
        function = self.module.functions.get(other.function)
        if made is None or function is None:
            return False
        if isinstance(one, Pointer) and one.function != other.function:
            return False
        container = self._container_of(made)
        if container is not None:
            return self._objects.underlying_object(function, container)[0] == one
        if not is_load(made):
            return False
        held, offset = self._objects.underlying_object(function, made.operands[0])
        return held == one and offset is not None and self._is_vector(function, made.operands[0])

    def _at_other_level(self, one: UnderlyingObject, other: UnderlyingObject) -> bool:
        """Are both among the elements of containers inside of one container, but one deeper than
        the other: a row of a matrix, and a number in a row? Or is one the container itself?"""
        a, b = (self._level(p) if isinstance(p, Pointer) else None for p in (one, other))
        if a is None or b is None:
            found = a or b  # of a pointer alone it is not told that it is a container's
            return found is not None and found[0] in (one, other) and "" not in found[2]
        if a[:2] != b[:2] or len(a[2]) == len(b[2]):
            return False
        short, long = sorted((a[2], b[2]), key=len)
        # elements of one class of containers may move from a level to another
        return long[len(short) - 1] != long[-1] and short[-1] in ("", long[len(short) - 1])

    def _level(
        self, pointer: Pointer
    ) -> tuple[UnderlyingObject, int | None, tuple[str, ...]] | None:
        """The argument or variable in which a container is, among whose elements, or theirs, a
        pointer is; and the classes of the containers on the way, "" where that is not told."""
        if isinstance(pointer, EntryPointer):
            held = pointer.held
            return None if held is None else (*held, ("",))
        function = self.module.functions.get(pointer.function)
        made = self._objects.definition(pointer)
        if function is None or made is None or (container := self._container_of(made)) is None:
            return None
        dbg = self.module.functions[callee(made) or ""].dbg
        own = self.module.metadata_field(self.module.metadata_field(dbg, "scope"), "name") or ""
        base, offset = self._objects.underlying_object(function, container)
        if base is None:
            return None
        i = self._objects.definition(base) if isinstance(base, Pointer) else None
        if i is None or is_alloca(i):
            return base, offset, (own,)
        outer = self._level(base) if isinstance(base, Pointer) else None
        return None if outer is None else (*outer[:2], (*outer[2], own))

    def _container_of(self, made: Instruction) -> Operand | None:
        """The container of which a call of the C++ library returns a pointer to an element; None
        for what is no such call."""
        if not made.is_call or len(made.operands) < 2 or made.type != "ptr":
            return None
        f = self.module.functions.get(callee(made) or "")
        if f is None or not is_system_file(self.module.file_of(f.dbg) or ""):
            return None
        scope = self.module.metadata_field(f.dbg, "scope")
        owner = (self.module.metadata_field(scope, "name") or "").partition("<")[0]
        name = self.module.metadata_field(f.dbg, "name")
        is_element = owner == "vector" or (owner in _CONTAINERS and name in _OF_ELEMENTS)
        return made.operands[1] if is_element else None

    def _is_vector(self, function: Function, address: Operand) -> bool:
        """Is it the address of a vector, or of a field of one, by the types in the IR?"""
        i = function.definitions.get(address)
        if i is None:
            return False
        if is_alloca(i):
            return _VECTOR.match(i.type) is not None
        if not is_gep(i):
            return False
        kind = i.type
        if _VECTOR.match(kind) or _VECTOR_BASE.match(kind):
            return True
        for at, index in enumerate(i.operands[1:]):
            if at == 0:
                continue
            if not self._layout.is_struct(kind) or not isinstance(index, IntLiteral):
                return False
            field = self._layout.offset(kind, index.value)
            if field is None:
                return False
            kind = field[1]
        return _VECTOR.match(kind) is not None

    @staticmethod
    def spares(a: MemoryLocation, write: MemoryLocation) -> bool:
        """Is it an assumption that the write leaves the location alone: a library function fills
        the buffer it is handed, and not a member of a structure that is reached by another
        pointer?"""
        return (
            write.handed is not None
            and a.member is not None
            and a.underlying_object is not None
            and write.underlying_object is not None
            and a.underlying_object != write.underlying_object
        )

    def _apart(self, one: UnderlyingObject, other: UnderlyingObject) -> bool:
        """An object made in a function is not what its arguments point to, nor what it found in
        memory on entry; a noalias argument is alone."""
        if isinstance(one, GlobalRef) or isinstance(other, GlobalRef):
            return False
        function = self.module.functions.get(one.function)
        if function is None or other.function != one.function:
            return False
        parameters = function.attributes_of
        if self._objects.definition(one) is None:
            if other.register not in parameters:
                return "noalias" in parameters.get(one.register, "") and (
                    self.is_object(other) or self._is_other_pointer(function, one, other)
                )
            return "noalias" in parameters.get(one.register, "") or self._passed_apart(
                function, one.register, other.register
            )
        return self._objects.definition(other) is None and self.is_object(one)

    def _is_other_pointer(self, function: Function, one: Pointer, other: Pointer) -> bool:
        """Is a pointer read from memory, or returned, where an argument has never been kept?"""
        made = self._objects.definition(other)
        return (
            made is not None
            and (is_load(made) or made.is_call)
            and not self.escapes(function, one.register)
        )

    def _passed_apart(self, function: Function, one: Register, other: Register) -> bool:
        """Does every call of a function pass two different objects for these parameters?"""
        key = (function.name, one, other)
        if key not in self._apart_at_calls:
            known = len(self._apart_at_calls)
            self._apart_at_calls[key] = True  # calls of itself hand on what those from outside do
            at = {p.token: k for k, p in enumerate(function.parameters, 1)}
            sites = self.call_sites.get(function.name, [])
            self._apart_at_calls[key] = (
                bool(sites)
                and function.name not in self.exported
                and function.name not in self.address_taken
                and {one, other} <= at.keys()
                and all(
                    self._objects_at(*site, at[one], at[other], self._extents(function, one, other))
                    for site in sites
                )
            )
            if not self._apart_at_calls[key]:  # then nothing is known that was found by it
                for found in [*self._apart_at_calls][known:]:
                    if found != key:
                        del self._apart_at_calls[found]
        return self._apart_at_calls[key]

    def extent(self, function: Function, parameter: Register) -> int | None:
        """The bytes of what a parameter refers to, where a library function takes a reference: it
        goes no further."""
        if not is_system_file(self.module.file_of(function.dbg) or ""):
            return None
        found = _EXTENT.search(function.attributes_of.get(parameter, ""))
        return int(found[1]) if found is not None else None

    def _extents(self, function: Function, one: Register, other: Register) -> int | None:
        """The bytes that each of two parameters refers to, at most."""
        a, b = self.extent(function, one), self.extent(function, other)
        return None if a is None or b is None else max(a, b)

    def _objects_at(
        self, caller: Function, call: Instruction, one: int, other: int, extent: int | None
    ) -> bool:
        """Do two operands of a call point into two different objects, or to different parts of
        one?"""
        if max(one, other) >= len(call.operands):
            return False
        a, start = self._objects.underlying_object(caller, call.operands[one])
        b, end = self._objects.underlying_object(caller, call.operands[other])
        if a is not None and a == b:
            if extent is None or start is None or end is None:
                return False
            return abs(end - start) >= extent
        if a is None or b is None:
            return self._all_distinct(caller, call.operands[one], call.operands[other])
        return self.distinct(a, b)

    def _all_distinct(self, caller: Function, one: Operand, other: Operand) -> bool:
        """Are all objects that one operand may point into distinct from those of another?"""
        first, second = (self._objects.sources(caller, o) for o in (one, other))
        return None not in first | second and all(
            a != b and self.distinct(a, b) for a in first for b in second
        )

    def types_agree(
        self, a: MemoryLocation, b: MemoryLocation, *, may_be_cast: bool = False
    ) -> bool:
        """May the accesses be to one object, as far as types and members tell? The locations may be
        of two functions. may_be_cast: a member may be accessed by another pointer to it."""
        if a.tag is not None and b.tag is not None and not self.types.may_alias(a.tag, b.tag):
            return False
        if (
            a.kind
            and b.kind
            and a.kind != b.kind
            and _BYTE not in (a.kind, b.kind)
            and a.tag is None
            and b.tag is None
            and self.types.hold_for_kinds
        ):
            return False
        if _is_field(a) != _is_field(b) and not _may_be_field(b if _is_field(a) else a):
            return False
        if a.member is not None and b.member is not None and a.kind and b.kind:
            if a.member.struct == b.member.struct:
                return a.member.start < b.member.end and b.member.start < a.member.end
            return True
        return may_be_cast or not (self._spares_member(a, b) or self._spares_member(b, a))

    def _spares_member(self, a: MemoryLocation, b: MemoryLocation) -> bool:
        """Is one access to a member that is never written but by its name, the other without a
        name? A plain pointer may be to the first member, as to the structure itself, of which a
        wide access may cover others; bytes may be those of anything."""
        return (
            a.member is not None
            and b.member is None
            and bool(a.kind and b.kind)
            and not (a.element or b.by_bytes or b.kind == _BYTE)
            and a.member not in self.exposed_members
            and (b.element or a.member.start >= (self._layout.size(b.kind) or 1))
        )


def _is_beside(a: MemoryLocation, b: MemoryLocation) -> bool:
    """Is one access to known bytes of an object, the other to an array beside them?"""
    extent = b.extent
    if a.offset is None or extent is None or extent.underlying_object != a.underlying_object:
        return False
    return not overlap(a.offset, a.size, extent.start, extent.end - extent.start)


def _is_field(a: MemoryLocation) -> bool:
    """Does a model of a container access one of its fields?"""
    return a.member is not None and a.member.struct.startswith(_MODELS)


def _may_be_field(a: MemoryLocation) -> bool:
    """May an access go to a pointer or a number among the private fields of a container? Not one of
    another type, nor one that is itself a member of a structure of the program."""
    if a.kind and a.kind not in (*_FIELD_KINDS, "i8"):
        return False
    m = a.member
    if m is not None and _RANDOM.match(m.struct):
        return False
    if m is None or a.element or a.kind not in _FIELD_KINDS or _OF_LIBRARY.search(m.struct):
        return True
    return m.end - m.start != a.size
