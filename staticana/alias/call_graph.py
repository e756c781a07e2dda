"""The call graph: direct calls, and calls through pointers whose targets the program shows.

A function pointer is traced back to its sources: the arguments that callers pass, the stores to the
variable or structure member it is read from, the slot of the virtual tables. Where all of them are
functions, the call goes to one of these; a call of any other pointer may go to every function whose
address is taken (class hierarchy analysis: Dean, Grove and Chambers, ECOOP 1995; address-taken:
Hall and Kennedy, LOPLAS 1992).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from ..ir.graph import callee
from ..ir.parser import constant_address, global_names, split_top, split_type
from ..ir.types import Function, GlobalRef, Instruction, Module, Operand, Register
from .alias_analysis import Aliasing
from .library import ALL, library_function
from .memory_location import UnderlyingObject
from .underlying_objects import CASTS

_MAX_DEPTH = 16
_MAX_TARGETS = 8
_VIRTUAL_TABLE, _TYPE_INFORMATION = "_ZTV", "_ZTI"  # Itanium C++ ABI, section 5.1.4


@dataclass(frozen=True)
class Site:
    """A call instruction and where it stands; not `certain`: it goes to this callee in some of its
    executions."""

    caller: str
    block: str
    instruction: Instruction
    callee: str
    certain: bool = True


def defined_in(module: Module) -> dict[str, Function]:
    """Functions of this program; copies of library functions that are only there to be inlined are
    not."""
    return {
        f.name: f
        for f in module.functions.values()
        if not f.is_declaration and " available_externally " not in f.header[:60]
    }


_FUNCTION_OBJECT = re.compile(r"_ZNKSt8functionI(?P<signature>F.*E)EclE")


class Calls:
    """The call graph of a module, seen from an entry."""

    def __init__(self, module: Module, aliasing: Aliasing, entry: str) -> None:
        self.module = module
        self.aliasing = aliasing
        self.entry = entry
        self._targets: dict[tuple[str, str], frozenset[str] | None] = {}
        self._below: dict[str, frozenset[str]] = {}

    @cached_property
    def defined(self) -> dict[str, Function]:
        """See `defined_in`."""
        return defined_in(self.module)

    def _instructions(self) -> Iterator[tuple[Function, str, Instruction]]:
        for f in self.defined.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    if i.is_call:
                        yield f, b.name, i

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Calls of defined functions; one through a pointer with several known targets stands once
        for each."""
        found: list[Site] = []
        for f, block, i in self._instructions():
            targets = self._called(f, i)
            if targets is not None and len(targets) <= _MAX_TARGETS:
                found.extend(
                    Site(f.name, block, i, t, len(targets) == 1)
                    for t in sorted(targets)
                    if t in self.defined
                )
        return tuple(found)

    def _called(self, function: Function, i: Instruction) -> frozenset[str] | None:
        """The functions that a call may go to; None where they are not known."""
        name = callee(i)
        if name is not None:
            return frozenset((name,))
        pointer = i.operands[0]
        found = self._pointees(function, pointer, 0) if isinstance(pointer, Register) else None
        if found is None:
            found = self._wrapped(function)
        return None if found is None else frozenset(t for t in found if self._takes(t, i))

    def _wrapped(self, function: Function) -> frozenset[str] | None:
        """The functions that any std::function of a signature may hold, for the one that calls
        what it holds (libstdc++: _Function_handler<Signature, ...>::_M_invoke)."""
        found = _FUNCTION_OBJECT.match(function.name)
        if found is None:
            return None
        handler = f"_ZNSt17_Function_handlerI{found['signature']}"
        taken = self.aliasing.address_taken
        return frozenset(t for t in taken if t.startswith(handler) and "9_M_invokeE" in t)

    def _takes(self, name: str, call: Instruction) -> bool:
        """Has the function as many parameters as the call has arguments, as far as is known?"""
        target = self.defined.get(name)
        return target is None or len(target.parameters) == len(call.operands) - 1

    # -- function pointers
    def _pointees(self, function: Function, token: Operand, depth: int) -> frozenset[str] | None:
        """The functions that a register may point to; None where it cannot be told."""
        if isinstance(token, GlobalRef):
            return frozenset((token.name,)) if token.name in self.module.functions else None
        if token in ("null", "undef", "poison"):
            return frozenset()
        key = (function.name, token)
        if key not in self._targets:
            self._targets[key] = frozenset()  # what depends on itself adds nothing
            self._targets[key] = (
                self._follow(function, token, depth) if depth < _MAX_DEPTH else None
            )
        return self._targets[key]

    def _follow(self, function: Function, token: Operand, depth: int) -> frozenset[str] | None:
        i = function.definitions.get(token)
        if i is None:
            return self._passed(function, token, depth)
        if i.opcode in CASTS:
            return self._pointees(function, i.operands[0], depth + 1)
        if i.opcode in ("phi", "select"):
            parts = i.operands if i.opcode == "phi" else i.operands[1:]
            return _union([self._pointees(function, o, depth + 1) for o in parts])
        if i.opcode == "load":
            return self._virtual(function, i) or self._stored(function, i, depth)
        return None

    def _passed(self, function: Function, token: Operand, depth: int) -> frozenset[str] | None:
        """What the callers of a function pass; a function that anyone may call gets anything."""
        at = next((k for k, p in enumerate(function.parameters) if p.token == token), None)
        if (
            at is None
            or function.name == self.entry
            or function.name in self.aliasing.address_taken
        ):
            return None
        found: list[frozenset[str] | None] = []
        for caller, i in self.aliasing.call_sites.get(function.name, ()):
            if at + 1 >= len(i.operands):
                return None
            found.append(self._pointees(caller, i.operands[at + 1], depth + 1))
        return _union(found) if found else None

    def _virtual(self, function: Function, load: Instruction) -> frozenset[str] | None:
        """A virtual call: the slot of all tables, when it reads the table whose address stands
        first in an object."""
        slot, token = 0, load.operands[0]
        step = function.definitions.get(token)
        if step is not None and step.opcode == "getelementptr":
            offset = self.aliasing.constant_offset(step.type, step.operands[1:])
            if offset is None or offset % 8:
                return None
            slot, token = offset // 8, step.operands[0]
        table = function.definitions.get(token)
        if (
            table is None
            or table.opcode != "load"
            or not self._tables
            or "vtable" not in (table.name or "")
        ):
            return None
        found = {
            entry
            for group in self._tables
            for t in group
            for entry in t[slot : slot + 1]
            if entry and entry != "__cxa_pure_virtual"
        }
        return frozenset(found) or None

    @cached_property
    def _tables(self) -> list[list[list[str]]]:
        """Virtual tables: for each class its groups of function names, "" for what is none."""
        found: list[list[list[str]]] = []
        for g in self.module.globals.values():
            if not g.name.startswith(_VIRTUAL_TABLE) or "[" not in g.initializer:
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

    def _stored(self, function: Function, load: Instruction, depth: int) -> frozenset[str] | None:
        """All function pointers stored to the variable or the structure member that is read."""
        read = self.aliasing.location(function, load.operands[0], "ptr", load.tbaa)
        base = read.underlying_object
        direct = base is not None and self._is_traced(function, base)
        if not direct and (read.member is None or read.member in self.aliasing.exposed_members):
            return None
        found: list[frozenset[str] | None] = []
        alike: frozenset[str] = frozenset()
        for f, i in self._pointer_stores:
            written = self.aliasing.location(f, i.operands[1], "ptr", i.tbaa)
            if direct and written.underlying_object != base:
                continue
            if (
                not direct
                and written.member is not None
                and read.member is not None
                and written.member.struct != read.member.struct
            ):
                # a structure may be reached as another that begins alike: functions stored at the
                # same offset
                if written.member.start == read.member.start:
                    alike |= self._pointees(f, i.operands[0], depth + 1) or frozenset()
            elif self.aliasing.types_agree(read, written):
                found.append(self._pointees(f, i.operands[0], depth + 1))
        found.append(self._initial_values(base) if direct else frozenset(self._initial_functions))
        known = _union(found)
        return known if known is None or known else alike

    def _is_traced(self, function: Function, base: UnderlyingObject) -> bool:
        """Is it an object whose every access is traced back to it?"""
        if isinstance(base, GlobalRef):
            return base in self.aliasing.private_globals
        return self.aliasing.is_object(base) and not self.aliasing.escapes(function, base.register)

    def _initial_values(self, base: UnderlyingObject | None) -> frozenset[str]:
        """Functions in the initialiser of an object."""
        if not isinstance(base, GlobalRef):
            return frozenset()
        names = global_names(self.module.globals[base.name].initializer)
        return frozenset(n for n in names if n in self.module.functions)

    @cached_property
    def _pointer_stores(self) -> list[tuple[Function, Instruction]]:
        return [
            (f, i)
            for f in self.defined.values()
            for b in f.blocks.values()
            for i in b.instructions
            if i.opcode == "store" and i.type == "ptr"
        ]

    @cached_property
    def _initial_functions(self) -> set[str]:
        """Functions that stand in the initialisers of variables, virtual tables aside."""
        return {
            n
            for g in self.module.globals.values()
            if not g.name.startswith(_VIRTUAL_TABLE)
            for n in global_names(g.initializer)
            if n in self.module.functions
        }

    # -- the graph
    @cached_property
    def pointed(self) -> frozenset[str]:
        """Functions that may be called through a pointer that is not followed, or from outside the
        program."""
        taken = self.aliasing.address_taken & self.defined.keys()
        resolved = {s.callee for s in self.sites if callee(s.instruction) is None}
        found: set[str] = set()
        for f, _, i in self._instructions():
            name = callee(i)
            if isinstance(i.operands[0], Register):
                targets = self._called(f, i)
                if targets is None or len(targets) > _MAX_TARGETS:
                    found.update(t for t in taken if self._takes(t, i))
            elif name is not None and name not in self.defined:
                for token in i.operands[1:]:
                    found.update(n for n in global_names(token) if n in taken)
                found |= self._handed_on(f, i, name) & taken
        # an address that is kept although no call of the program follows it: someone outside will
        virtual = {n for groups in self._tables for g in groups for n in g}
        found.update(
            t
            for t in taken
            if t not in resolved and t not in virtual and t not in self._only_passed
        )
        found.update(t for t in self._overriding if t in taken)
        return frozenset(found)

    def _handed_on(self, function: Function, call: Instruction, name: str) -> frozenset[str]:
        """Functions that a function of the library may call through a register: what a wrapper of
        pthread_create or qsort was handed."""
        known = library_function(name)
        found: frozenset[str] = frozenset()
        for at, token in enumerate(call.operands[1:]):
            if known is not None and known.may_call(at) and isinstance(token, Register):
                targets = self._pointees(function, token, 0)
                if targets is None and known.calls_back != ALL:
                    return self.aliasing.address_taken
                found |= targets or frozenset()
        return found

    @cached_property
    def _overriding(self) -> frozenset[str]:
        """Virtual functions of classes that are derived from a class outside the program, which
        calls them where an object gets there: what a std::thread runs is one."""
        found: set[str] = set()
        for g in self.module.globals.values():
            if g.name.startswith(_VIRTUAL_TABLE) and "[" in g.initializer:
                names = global_names(g.initializer)
                if any(self._is_outside(n) for n in names if n.startswith(_TYPE_INFORMATION)):
                    found.update(n for n in names if n in self.module.functions)
        return frozenset(found)

    def _is_outside(self, name: str) -> bool:
        """Does a class, by its type information, or one that it is derived from, stand outside the
        program?"""
        seen, work = {name}, [name]
        while work:
            g = self.module.globals.get(work.pop())
            if g is None or not g.initializer:
                return True
            more = {n for n in global_names(g.initializer) if n.startswith(_TYPE_INFORMATION)}
            work += more - seen
            seen |= more
        return False

    @cached_property
    def _only_passed(self) -> frozenset[str]:
        """Functions whose address only goes into calls of defined functions."""
        kept = set(self._initial_functions)
        for f in self.defined.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    if callee(i) in self.defined:
                        continue
                    for token in i.operands[1 if i.is_call else 0 :]:
                        if "@" in token and constant_address(token) is None:
                            kept.update(global_names(token))
        return frozenset(self.aliasing.address_taken - kept)

    @cached_property
    def graph(self) -> nx.DiGraph:
        graph = nx.DiGraph()
        graph.add_nodes_from(self.defined)
        graph.add_edges_from((s.caller, s.callee) for s in self.sites)
        return graph

    def below(self, name: str) -> frozenset[str]:
        """Functions that a function calls, directly or not."""
        if name not in self._below:
            self._below[name] = frozenset(nx.descendants(self.graph, name))
        return self._below[name]

    @cached_property
    def reachable(self) -> frozenset[str]:
        """Functions that a run from the entry may execute."""
        roots = [self.entry, *self.pointed]
        return frozenset(roots).union(*(self.below(root) for root in roots))

    @cached_property
    def recursive(self) -> frozenset[str]:
        """Functions that may call themselves."""
        found: set[str] = set()
        for component in nx.strongly_connected_components(self.graph):
            if len(component) > 1 or any(self.graph.has_edge(f, f) for f in component):
                found |= component
        return frozenset(found)

    @cached_property
    def callers(self) -> dict[str, list[Site]]:
        """Calls of each function in functions that may run."""
        found: dict[str, list[Site]] = {}
        for s in self.sites:
            if s.caller in self.reachable:
                found.setdefault(s.callee, []).append(s)
        return found

    @cached_property
    def sites_in(self) -> dict[str, list[Site]]:
        """Calls that stand in each function."""
        found: dict[str, list[Site]] = {}
        for s in self.sites:
            found.setdefault(s.caller, []).append(s)
        return found

    @cached_property
    def target(self) -> dict[tuple[str, int], Function]:
        """(caller, line of the call in the IR) -> the one function it goes to."""
        return {
            (s.caller, s.instruction.line): self.defined[s.callee] for s in self.sites if s.certain
        }


def _address_point(names: list[str], functions: Container[str]) -> int:
    """Where the functions of a virtual table begin: behind the type information. Offsets of virtual
    bases and of their calls stand before it (Itanium C++ ABI, 2.5.2)."""
    for at, name in enumerate(names):
        if name.startswith("_ZTI"):
            return at + 1
        if name in functions:  # -fno-rtti
            return at
    return len(names)


def _union(parts: list[frozenset[str] | None]) -> frozenset[str] | None:
    if any(p is None for p in parts):
        return None
    return frozenset().union(*(p for p in parts if p is not None))
