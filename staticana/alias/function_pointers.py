"""The functions that a pointer may point to: its sources, followed through registers and memory.

A pointer comes from the arguments that callers pass, from what functions return, from the stores to
the variable or structure member it is read from, or from the slot of the virtual tables. Each
register and each kind of place is one node of a graph whose edges lead to its sources; the sets of
functions are solved component by component, sources first (Andersen, "Program analysis and
specialization for the C programming language", 1994, over function pointers only; components as in
Pearce, Kelly and Hankin, "Efficient field-sensitive pointer analysis of C", TOPLAS 2007).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from looplaw_common.digraph import Digraph, circles

from ..ir import cxx_names as cxx
from ..ir.graph import callee, instructions, is_intrinsic
from ..ir.matchers import is_any, is_choice, is_load, is_phi, is_store
from ..ir.tokens import global_names, split_top, split_type
from ..ir.types import ATOMIC_UPDATES, Function, GlobalRef, Instruction, Module, Operand, Register
from .alias_analysis import Aliasing
from .library import library_function
from .memory_location import Member, MemoryLocation, Pointer, UnderlyingObject, overlap
from .underlying_objects import CASTS

_CARRIER = re.compile(r"ptr$|i8$|i64$|i\d{3,}$|[{\[<%]")
"""The types whose values may hold an address or a byte of one."""
_COPIES = ("llvm.memcpy", "llvm.memmove")
_NO_FUNCTION = ("null", "undef", "poison")

Targets = frozenset[str] | None
"""Functions by name; None where they cannot be told."""


@dataclass(frozen=True)
class _Held:
    """A register of a function."""

    function: str
    token: Operand


@dataclass(frozen=True)
class _Read:
    """What a load yields: of an object all of whose accesses are known, or of a kind of place."""

    base: UnderlyingObject | None
    place: MemoryLocation


@dataclass(frozen=True)
class _Written:
    """What is stored to one kind of place."""

    base: UnderlyingObject | None
    place: MemoryLocation


_Node = _Held | _Read | _Written


@dataclass(frozen=True)
class _Sources:
    """Where a node's functions come from. otherwise: used where the others yield none; unknown ones
    among them do not count."""

    functions: Targets
    nodes: tuple[_Node, ...] = ()
    otherwise: tuple[_Node, ...] = ()


_UNKNOWN = _Sources(None)


class FunctionPointers:
    """Answers for the pointers of one module, whose run begins at `entry`."""

    def __init__(
        self, module: Module, aliasing: Aliasing, entry: str, defined: Mapping[str, Function]
    ) -> None:
        self.module = module
        self.aliasing = aliasing
        self.entry = entry
        self.defined = defined
        self._found: dict[_Node, Targets] = {}

    def targets(self, function: Function, token: Operand) -> Targets:
        """The functions that an operand may point to; None where it cannot be told."""
        plain = self._plain(token)
        if plain is not None:
            return plain.functions
        node = _Held(function.name, token)
        if node not in self._found:
            self._solve(node)
        return self._found[node]

    def _solve(self, start: _Node) -> None:
        """Find the functions of a node and of all that it rests on."""
        sources: dict[_Node, _Sources] = {}
        graph = Digraph[_Node]()
        work = [start]
        while work:
            node = work.pop()
            if node in sources:
                continue
            sources[node] = found = self._sources(node)
            graph.add_node(node)
            for other in (*found.nodes, *found.otherwise):
                if other not in self._found:
                    graph.add_edge(node, other)
                    work.append(other)
        for circle in circles(graph):
            self._found.update(dict.fromkeys(circle, frozenset()))
            changed = True
            while changed:
                changed = False
                for node in circle:
                    old = self._found[node]
                    new = _union([old, self._evaluated(sources[node])])
                    if new != old:
                        self._found[node], changed = new, True
                changed = changed and len(circle) > 1

    def _evaluated(self, sources: _Sources) -> Targets:
        known = _union([sources.functions, *map(self._found.__getitem__, sources.nodes)])
        if known is None or known:
            return known
        return frozenset().union(*(self._found[n] or () for n in sources.otherwise))

    # -- sources
    def _plain(self, token: Operand) -> _Sources | None:
        """The sources of an operand that is no register."""
        if isinstance(token, GlobalRef):
            return _Sources(frozenset((token.name,))) if self._is_function(token) else _UNKNOWN
        return _Sources(frozenset()) if token in _NO_FUNCTION else None

    def _is_function(self, token: GlobalRef) -> bool:
        return token.name in self.module.functions

    def _union_of(self, operands: Iterable[tuple[str, Operand]]) -> _Sources:
        """The sources of all of several operands of functions."""
        functions: set[str] = set()
        nodes: dict[_Node, None] = {}
        for name, token in operands:
            plain = self._plain(token)
            if plain is None:
                nodes[_Held(name, token)] = None
            elif plain.functions is None:
                return _UNKNOWN
            else:
                functions |= plain.functions
        return _Sources(frozenset(functions), tuple(nodes))

    def _sources(self, node: _Node) -> _Sources:
        if isinstance(node, _Read):
            return self._of_read(node)
        if isinstance(node, _Written):
            return self._union_of(self._stores[node.base][node.place])
        function = self.module.functions[node.function]
        i = function.definitions.get(node.token)
        if i is None:
            return self._passed(function, node.token)
        if is_any(i, *CASTS):
            return self._union_of([(function.name, i.operands[0])])
        if is_choice(i):
            parts = i.operands if is_phi(i) else i.operands[1:]
            return self._union_of([(function.name, o) for o in parts])
        if i.is_call:
            return self._returned(i)
        return self._loaded(function, i) if is_load(i) else _UNKNOWN

    def _returned(self, call: Instruction) -> _Sources:
        """What a function of the program returns: the entry of a table that it has found."""
        target = self.defined.get(callee(call) or "")
        if target is None:
            return _UNKNOWN
        return self._union_of([(target.name, value) for _, value in target.returned])

    def _passed(self, function: Function, token: Operand) -> _Sources:
        """What the callers of a function pass; a function that anyone may call gets anything."""
        at = next((k for k, p in enumerate(function.parameters) if p.token == token), None)
        sites = self.aliasing.call_sites.get(function.name, ())
        if (
            at is None
            or function.name == self.entry
            or function.name in self.aliasing.address_taken
            or function.name in self.aliasing.exported
            or not sites
            or any(at + 1 >= len(i.operands) for _, i in sites)
        ):
            return _UNKNOWN
        return self._union_of([(caller.name, i.operands[at + 1]) for caller, i in sites])

    # -- memory
    def _loaded(self, function: Function, load: Instruction) -> _Sources:
        """All function pointers stored to the variable or the structure member that is read."""
        virtual = self._virtual(function, load)
        if virtual:
            return _Sources(virtual)
        read = self.aliasing.location(function, load.operands[0], "ptr", load.tbaa)
        base = read.underlying_object
        direct = base is not None and self._is_traced(function, base)
        if not direct and (read.member is None or read.member in self.aliasing.exposed_members):
            return _UNKNOWN
        if self._is_written_otherwise(read, base if direct else None):
            return _UNKNOWN
        return _Sources(frozenset(), (_Read(base if direct else None, _kind(read)),))

    def _is_written_otherwise(self, read: MemoryLocation, base: UnderlyingObject | None) -> bool:
        """May a pointer have come there as a number or byte by byte?"""
        r = read.member
        if base is None:
            return r is not None and any(
                _meet(r, o) for o in self._carrying_members.get(r.struct, ())
            )
        for w in self._carriers.get(base, ()):
            if read.offset is not None and w.offset is not None:
                if overlap(read.offset, read.size, w.offset, w.size):
                    return True
            elif r is None or w.member is None or _meet(r, w.member):
                return True
        return False

    @cached_property
    def _carrying_members(self) -> Mapping[str, set[Member]]:
        """Structure -> its members among `_carriers`."""
        found: dict[str, set[Member]] = {}
        for w in self._carriers.get(None, ()):
            if w.member is not None:
                found.setdefault(w.member.struct, set()).add(w.member)
        return found

    @cached_property
    def _carriers(self) -> Mapping[UnderlyingObject | None, set[MemoryLocation]]:
        """What is written, not as a pointer, but so that it may be one, as `_stores` has it: by
        atomic accesses, as a number of as many bits, as bytes."""
        found: dict[UnderlyingObject | None, set[MemoryLocation]] = {}
        for f in self.defined.values():
            for i in instructions(f):
                is_number = is_store(i) and i.type != "ptr"
                if not (is_number or is_any(i, *ATOMIC_UPDATES)) or not _CARRIER.match(i.type):
                    continue
                place = self.aliasing.location(f, i.operands[1 if is_number else 0], i.type)
                for base in {None, place.underlying_object}:
                    found.setdefault(base, set()).add(place)
        return found

    def _of_read(self, node: _Read) -> _Sources:
        base, read = node.base, node.place
        found: list[_Node] = []
        alike: list[_Node] = []
        for written in self._stores.get(base, ()):
            other = _Written(base, written)
            if (
                base is None
                and written.member is not None
                and read.member is not None
                and written.member.struct != read.member.struct
            ):
                # a structure may be reached as another that begins alike: functions stored at the
                # same offset
                if written.member.start == read.member.start:
                    alike.append(other)
            elif self.aliasing.types_agree(read, written):
                found.append(other)
        initial = self.initial_functions if base is None else self._initial_values(base)
        return _Sources(frozenset(initial), tuple(found), tuple(alike))

    @cached_property
    def _stores(
        self,
    ) -> Mapping[UnderlyingObject | None, Mapping[MemoryLocation, list[tuple[str, Operand]]]]:
        """The pointers that are stored, by what is known of the places: all of them under None, and
        those that are traced back to an object under this object."""
        found: dict[UnderlyingObject | None, dict[MemoryLocation, list[tuple[str, Operand]]]] = {}
        for f in self.defined.values():
            for i in instructions(f):
                if is_store(i) and i.type == "ptr":
                    place = self.aliasing.location(f, i.operands[1], "ptr", i.tbaa)
                    for base in {None, place.underlying_object}:
                        by_kind = found.setdefault(base, {})
                        by_kind.setdefault(_kind(place), []).append((f.name, i.operands[0]))
        return found

    def _is_traced(self, function: Function, base: UnderlyingObject) -> bool:
        """Is it an object whose every access is traced back to it?"""
        if base in self._filled_by_calls:
            return False
        if isinstance(base, GlobalRef):
            return base in self.aliasing.private_globals
        return self.aliasing.is_object(base) and not self.aliasing.escapes(function, base.register)

    @cached_property
    def _filled_by_calls(self) -> frozenset[UnderlyingObject | None]:
        """Objects that a called function makes, or may write through the pointer that it is handed;
        what it stores there is no store to the object."""
        found: set[UnderlyingObject | None] = set()
        for f in self.defined.values():
            for i in f.calls:
                name = callee(i)
                if name in self.defined and i.type == "ptr":
                    found.add(Pointer(f.name, i.token))
                if is_intrinsic(i):
                    if name is not None and name.startswith(_COPIES):
                        source, _ = self.aliasing.underlying_object(f, i.operands[2])
                        if not isinstance(source, GlobalRef):  # see `_copied`
                            found.add(self.aliasing.underlying_object(f, i.operands[1])[0])
                    continue
                known = library_function(name) if name not in self.defined and name else None
                for at, o in enumerate(i.operands[1:]):
                    if not isinstance(o, Register) or i.extra[at : at + 1] != ("ptr",):
                        continue
                    if known is not None and not (known.writes_through(at) or known.calls_back):
                        continue
                    if name in self.defined and not self.aliasing.argument_written(i, o):
                        continue
                    found.add(self.aliasing.underlying_object(f, o)[0])
        return frozenset(found)

    def _initial_values(self, base: UnderlyingObject) -> frozenset[str]:
        """Functions in the initialiser of an object."""
        if not isinstance(base, GlobalRef):
            copied = self._copied.get(base, ())
            return frozenset[str]().union(*(self._initial_values(c) for c in copied))
        names = global_names(self.module.globals[base.name].initializer)
        return frozenset(n for n in names if n in self.module.functions)

    @cached_property
    def _copied(self) -> Mapping[UnderlyingObject | None, set[GlobalRef]]:
        """Object -> the globals that are copied into it: `phase list[] = {first, second};`."""
        found: dict[UnderlyingObject | None, set[GlobalRef]] = {}
        for f in self.defined.values():
            for i in instructions(f):
                if i.is_call and (callee(i) or "").startswith(_COPIES):
                    source, _ = self.aliasing.underlying_object(f, i.operands[2])
                    if isinstance(source, GlobalRef) and source.name in self.module.globals:
                        target, _ = self.aliasing.underlying_object(f, i.operands[1])
                        found.setdefault(target, set()).add(source)
        return found

    @cached_property
    def initial_functions(self) -> frozenset[str]:
        """Functions that stand in the initialisers of variables, virtual tables aside."""
        return frozenset(
            n
            for g in self.module.globals.values()
            if not g.name.startswith(cxx.VIRTUAL_TABLE)
            for n in global_names(g.initializer)
            if n in self.module.functions
        )

    # -- virtual functions
    def _virtual(self, function: Function, load: Instruction) -> Targets:
        """A virtual call: the slot of all tables, when it reads the table whose address stands
        first in an object."""
        slot = self.aliasing.virtual_slot(function, load.token)
        if slot is None or not self.virtual_tables:
            return None
        found = {
            entry
            for group in self.virtual_tables
            for t in group
            for entry in t[slot : slot + 1]
            if entry and entry != cxx.PURE_VIRTUAL
        }
        return frozenset(found) or None

    @cached_property
    def virtual_tables(self) -> list[list[list[str]]]:
        """Virtual tables: for each class its groups of function names, "" for what is none."""
        found: list[list[list[str]]] = []
        for g in self.module.globals.values():
            if not g.name.startswith(cxx.VIRTUAL_TABLE) or "[" not in g.initializer:
                continue
            groups: list[list[str]] = []
            for part in (
                split_top(g.initializer.strip()[1:-1].strip())
                if g.initializer.startswith("{")
                else [g.initializer]
            ):
                text = split_type(part)[1] if part.count("[") > 1 else part
                entries = split_top(text.strip()[1:-1])
                names = [(global_names(e) or [""])[0] for e in entries]
                names = names[_address_point(names, self.module.functions) :]
                groups.append([n if n in self.module.functions else "" for n in names])
            found.append(groups)
        return found


def _kind(place: MemoryLocation) -> MemoryLocation:
    """What types and members tell of a place."""
    return place.somewhere()


def _address_point(names: list[str], functions: Container[str]) -> int:
    """Where the functions of a virtual table begin: behind the type information. Offsets of virtual
    bases and of their calls stand before it (Itanium C++ ABI, 2.5.2)."""
    for at, name in enumerate(names):
        if name.startswith(cxx.TYPE_INFORMATION):
            return at + 1
        if name in functions:  # -fno-rtti
            return at
    return len(names)


def _union(parts: list[Targets]) -> Targets:
    known = [p for p in parts if p is not None]
    return frozenset[str]().union(*known) if len(known) == len(parts) else None


def _meet(a: Member, b: Member) -> bool:
    """Do two members of a structure share bytes?"""
    return a.struct == b.struct and a.start < b.end and b.start < a.end
