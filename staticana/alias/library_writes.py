"""What a call of a function outside the program writes through the pointers that it is handed.

The table (`library`) says by which arguments it goes: to where they point, to where the pointers
that stand there point, to what an earlier call has attached (the text of strtok, the buffer of a
stream, the state of random), to memory of its own that earlier results point to (gmtime), to
variables of its own that programs can name (optind). Functions that it calls without being handed
them were registered by earlier calls, or stand in such variables (error_print_progname).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from ..ir.graph import callee, calls_in, instructions
from ..ir.initialisers import text_of
from ..ir.matchers import is_any, is_choice, is_load, is_store
from ..ir.tokens import global_names
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, Module, Operand, quoted
from .array_descriptors import Assignment, assignment, element_kind
from .escape_analysis import EscapeAnalysis
from .library import LibraryFunction, declared_function, library_function
from .library.mpi_handles import element_size
from .memory_location import EVERYWHERE, MemoryLocation, Pointer, UnderlyingObject
from .scan_formats import COUNTING, Formats, bytes_scanned
from .underlying_objects import CASTS, UnderlyingObjects

_COPIES = ("llvm.memcpy.", "llvm.memmove.")
_NUMBER = re.compile(r"(?:i\d+ )?(-?\d+)")
_LEVELS = 3
"""How many pointers, one behind the other, are followed from what a function is handed."""


class LibraryWrites:
    """Answers for the calls of one module."""

    def __init__(self, module: Module, objects: UnderlyingObjects, escape: EscapeAnalysis) -> None:
        self._module = module
        self._objects = objects
        self._escape = escape
        self._formats = Formats(module)

    def handed(
        self, function: Function, i: Instruction, name: str, known: LibraryFunction | None
    ) -> set[MemoryLocation]:
        """What a function outside the program writes through its arguments."""
        assigned = assignment(self._objects, function, i)
        if known is not None and assigned is not None:
            return self._assigned(function, assigned, name)
        writes: set[MemoryLocation] = set()
        sizes = self._scanned(i, known.scans) if known is not None else {}
        if known is not None and known.fills is not None:
            sizes |= self._filled(function, i, known)
        for at, (argument, kind) in enumerate(zip(i.operands[1:], i.extra, strict=False)):
            if kind != "ptr":
                continue
            if known is None:
                bases = self._behind(function, argument)
                writes |= {MemoryLocation(base, handed=name) for base in bases}
            elif known.writes_behind(at):
                writes |= self._written_behind(function, argument, name)
            if not (known is None or known.writes_through(at)):
                continue
            size = sizes.get(at) if known is None or known.size is None else known.size
            if size is not None:
                target = self._objects.location(function, argument, "")
                if target.underlying_object is not None:
                    writes.add(target._replace(size=size, handed=name))
                    continue
            writes |= self._through(function, argument, name)
        if known is not None:
            writes |= self._beside_arguments(function, i, name, known)
        return writes

    def _through(self, function: Function, argument: Operand, name: str) -> set[MemoryLocation]:
        """Any part of the objects that an argument may point to."""
        return {
            MemoryLocation(base, handed=name, read=self._objects.is_loaded(base))
            for base in self._objects.sources(function, argument)
            if base is None or not self._objects.is_constant(base)
        }

    def _beside_arguments(
        self, function: Function, i: Instruction, name: str, known: LibraryFunction
    ) -> set[MemoryLocation]:
        """What a call writes elsewhere than where its own arguments say."""
        named = (n for n in known.sets if n in self._module.globals)
        writes = {MemoryLocation(GlobalRef(f"@{quoted(n)}")) for n in named}
        if known.anywhere:
            writes.add(EVERYWHERE)
        if known.format is not None:
            writes |= self._counted(function, i, known.format)
        if known.own:
            writes |= self.own_memory(function, name)
        if known.uses and not (known.goes_on and self._is_handed_an_object(function, i)):
            writes |= self._attached(function, i, known)
        return writes

    def writes_by_arguments(self, known: LibraryFunction) -> bool:
        """Does a function itself write nothing but where its arguments point to?"""
        elsewhere = known.behind or known.anywhere or known.own or known.meanwhile or known.sets
        if elsewhere or known.format is not None:
            return False
        return not any(other.to in known.uses for _, _, other in self._attachments)

    def _is_handed_an_object(self, function: Function, call: Instruction) -> bool:
        """Is the first argument certainly no null pointer, but an object that is known?"""
        base = self._objects.underlying_object(function, call.operands[1])[0]
        made = function.definitions.get(call.operands[1])
        is_merged = is_choice(made)
        return base is not None and self._objects.is_object(base) and not is_merged

    # -- memory of the library's own
    def is_own(self, base: UnderlyingObject) -> bool:
        """Is it memory of the library's own, which a call has returned?"""
        i = self._objects.definition(base)
        return i is not None and _is_own(i)

    def writes_own(self, i: Instruction) -> bool:
        """Does a call write memory of the library's own?"""
        known = library_function(callee(i) or "")
        return known is not None and known.own

    def own_memory(self, function: Function, name: str) -> set[MemoryLocation]:
        """The memory of the library's own that a function has been returned pointers to, as a call
        writes it; all that others can reach where such a pointer is known elsewhere."""
        found = {
            MemoryLocation(Pointer(function.name, j.token), handed=name)
            for j in function.calls
            if _is_own(j)
        }
        return found | {EVERYWHERE} if self._own_escapes else found

    @cached_property
    def _own_escapes(self) -> bool:
        """Is a pointer to memory of the library's own kept somewhere?"""
        return any(
            _is_own(i) and self._escape.escapes(f, i.token) for f, i in calls_in(self._module)
        )

    # -- what calls attach and register, and other calls write and call
    @cached_property
    def _attachments(self) -> tuple[tuple[Function, Instruction, LibraryFunction], ...]:
        """The calls that attach memory to something that other functions of the library use, or
        register functions with it."""
        known = {n: library_function(n) for n in self._module.functions}
        attaching = {
            n: k for n, k in known.items() if k is not None and k.to and self._objects.is_outside(n)
        }
        if not attaching:
            return ()
        return tuple(
            (f, i, attaching[name])
            for f, i in calls_in(self._module)
            if (name := callee(i)) in attaching
        )

    def _attached(
        self, function: Function, use: Instruction, user: LibraryFunction
    ) -> set[MemoryLocation]:
        """What a use of something may write that memory was attached to, seen from a function."""
        found: set[MemoryLocation] = set()
        makers = self._makers(function, use, user)
        for f, i, known in self._attachments:
            if known.to not in user.uses or (makers is not None and i.token not in makers):
                continue
            if makers is not None and f is not function:
                continue
            for at, (argument, kind) in enumerate(zip(i.operands[1:], i.extra, strict=False)):
                if kind != "ptr" or not known.attaches_argument(at):
                    continue
                for base in self._objects.sources(f, argument):
                    is_seen = isinstance(base, GlobalRef) or f is function
                    if base is None or not self._objects.is_constant(base):
                        found.add(MemoryLocation(base) if is_seen else EVERYWHERE)
        return found

    def _makers(
        self, function: Function, use: Instruction, user: LibraryFunction
    ) -> set[Operand] | None:
        """The calls of a function that may have returned what a use is handed; None where others
        may have, or the use does not say."""
        if user.of is None:
            return None
        found: set[Operand] = set()
        for base in self._objects.sources(function, use.operands[user.of + 1]):
            made = None if base is None else self._objects.definition(base)
            if made is None or not made.is_call or function.definitions.get(made.token) is not made:
                return None
            found.add(made.token)
        return found

    def called_unasked(self, known: LibraryFunction) -> frozenset[str]:
        """The functions that a function of the library may call though it is not handed them."""
        taken = self._escape.address_taken
        if known.calls_anything:
            return taken
        found: set[str] = set()
        for name in known.calls_through:
            if name in self._module.globals:
                found |= self._functions_held(GlobalRef(f"@{quoted(name)}"))
        for f, i, other in self._attachments if known.uses else ():
            if other.to in known.uses and other.registers:
                found |= self._registered(f, i, other)
        return frozenset(found) & taken

    def _registered(
        self, function: Function, call: Instruction, known: LibraryFunction
    ) -> frozenset[str]:
        """The functions that a call registers; all that may be where it is handed others than it
        names."""
        found: set[str] = set()
        for at, (argument, kind) in enumerate(zip(call.operands[1:], call.extra, strict=False)):
            if kind != "ptr" or not known.registers_argument(at) or argument == "null":
                continue
            if not isinstance(argument, GlobalRef):
                return self._escape.address_taken
            found.add(argument.name)
            found |= self.functions_behind(function, argument)
        return frozenset(found)

    def _functions_held(self, variable: GlobalRef) -> frozenset[str]:
        """The functions that a variable may hold which only the program sets: those that it stores
        there, where nothing but functions by their names is, and nothing else names it."""
        if any(variable in g.initializer for g in self._module.globals.values()):
            return self._escape.address_taken
        for f in self._module.functions.values():
            for i in instructions(f):
                is_other = not is_load(i) and variable in i.operands
                if is_other and not (is_store(i) and i.operands[0] in self._names):
                    return self._escape.address_taken
        return frozenset(self._functions_in.get(variable, ()))

    @cached_property
    def _names(self) -> frozenset[str]:
        """What a function pointer that is stored by name is written as."""
        return frozenset((*(f"@{quoted(n)}" for n in self._module.functions), "null"))

    def meanwhile(self, function: Function, i: Instruction) -> set[MemoryLocation]:
        """What is written beside the caller from a call on."""
        name = callee(i)
        known = library_function(name) if name is not None else None
        if known is None or not known.meanwhile or not self._objects.is_outside(name or ""):
            return set()
        writes: set[MemoryLocation] = set()
        for at, (argument, kind) in enumerate(zip(i.operands[1:], i.extra, strict=False)):
            if kind == "ptr" and known.goes_on_writing(at):
                writes |= self._through(function, argument, known.name)
                writes |= self._written_behind(function, argument, known.name)
        return writes

    # -- pointers behind arguments
    def _written_behind(
        self, function: Function, argument: Operand, name: str
    ) -> set[MemoryLocation]:
        """What is written through the pointers that stand where an argument points to: those that
        the program is seen to put there, where nobody else can have put others."""
        bases = self._behind(function, argument)
        writes = {MemoryLocation(base, handed=name) for base in bases}
        holders = self._objects.sources(function, argument)
        if all(b is not None and self._holds_what_is_seen(b) for b in holders):
            return writes
        return writes | {EVERYWHERE}

    def _holds_what_is_seen(self, base: UnderlyingObject) -> bool:
        """Does an object hold no pointers but those that are seen to be stored there (see
        `_pointers_in`), and what a function of the library has put there that goes by it?"""
        if not self._escape.unreachable(base):
            return False
        if isinstance(base, GlobalRef):
            return True
        function = self._module.functions[base.function]
        seen, work = {base.register}, [base.register]
        while work:
            current = work.pop()
            for i in function.users.get(current, ()):
                if i.is_call and any(
                    self._may_fill(i, at) for at, o in enumerate(i.operands[1:]) if o == current
                ):
                    return False
                is_address = is_any(i, "getelementptr", "phi", "select") or is_any(i, *CASTS)
                if is_address and i.token not in seen:
                    seen.add(i.token)
                    work.append(i.token)
        return True

    def _may_fill(self, call: Instruction, at: int) -> bool:
        """May a call write pointers to where its argument number `at` points to?"""
        name = callee(call)
        known = declared_function(self._module, name) if name is not None else None
        if known is None or not self._objects.is_outside(name or ""):
            return True
        return known.writes_through(at) and not known.writes_behind(at)

    def _behind(self, function: Function, argument: Operand) -> frozenset[UnderlyingObject]:
        """What the pointers point to that the program puts where an argument points to, and those
        behind them."""
        seen: set[UnderlyingObject] = set()
        work = {b for b in self._objects.sources(function, argument) if b is not None}
        first = frozenset(work)
        for _ in range(_LEVELS):
            work = {b for w in work for b in self._pointers_in.get(w, ())} - seen
            seen |= work
        return frozenset(b for b in seen - first if not self._objects.is_constant(b))

    def functions_behind(self, function: Function, argument: Operand) -> frozenset[str]:
        """The functions that stand where an argument points to, and behind the pointers there."""
        seen = {b for b in self._objects.sources(function, argument) if b is not None}
        work = set(seen)
        for _ in range(_LEVELS):
            work = {b for w in work for b in self._pointers_in.get(w, ())} - seen
            seen |= work
        return frozenset(f for b in seen for f in self._functions_in.get(b, ()))

    @cached_property
    def _functions_in(self) -> dict[UnderlyingObject, set[str]]:
        """Object -> the functions whose addresses the program puts there."""
        functions = self._module.functions
        found: dict[UnderlyingObject, set[str]] = {}
        for f in functions.values():
            for i in instructions(f):
                put = i.operands[0] if is_store(i) else None
                if isinstance(put, GlobalRef) and put.name in functions:
                    target = self._objects.underlying_object(f, i.operands[1])[0]
                    if target is not None:
                        found.setdefault(target, set()).add(put.name)
                elif i.is_call and (callee(i) or "").startswith(_COPIES):
                    target = self._objects.underlying_object(f, i.operands[1])[0]
                    source = self._objects.underlying_object(f, i.operands[2])[0]
                    if target is not None and isinstance(source, GlobalRef):
                        found.setdefault(target, set()).update(self._listed(source))
        for g in self._module.globals.values():
            if "@" in g.initializer:
                ref = GlobalRef(f"@{quoted(g.name)}")
                found.setdefault(ref, set()).update(self._listed(ref))
        return found

    def _listed(self, variable: GlobalRef) -> set[str]:
        """The functions that an initialiser names."""
        g = self._module.globals.get(variable.name)
        names = global_names(g.initializer) if g is not None else []
        return {n for n in names if n in self._module.functions}

    @cached_property
    def _pointers_in(self) -> dict[UnderlyingObject, set[UnderlyingObject]]:
        """Object -> what the pointers point to that the program stores there."""
        found: dict[UnderlyingObject, set[UnderlyingObject]] = {}
        for f in self._module.functions.values():
            for i in instructions(f):
                for target, base in self._put(f, i):
                    found.setdefault(target, set()).add(base)
        for g in self._module.globals.values():
            if "@" in g.initializer:
                held = found.setdefault(GlobalRef(f"@{quoted(g.name)}"), set())
                held.update(self._named(g.initializer))
        return found

    def _put(
        self, function: Function, i: Instruction
    ) -> Iterator[tuple[UnderlyingObject, UnderlyingObject]]:
        """(object, what a pointer points to that an instruction puts there)."""
        if is_store(i) and i.type == "ptr":
            target = self._objects.underlying_object(function, i.operands[1])[0]
            if target is not None:
                for base in self._objects.sources(function, i.operands[0]):
                    if base is not None:
                        yield target, base
        elif i.is_call and (callee(i) or "").startswith(_COPIES):
            target = self._objects.underlying_object(function, i.operands[1])[0]
            source = self._objects.underlying_object(function, i.operands[2])[0]
            g = self._module.globals.get(source.name) if isinstance(source, GlobalRef) else None
            if target is not None and g is not None and "@" in g.initializer:
                yield from ((target, base) for base in self._named(g.initializer))

    def _named(self, initialiser: str) -> Iterator[GlobalRef]:
        """The variables that an initialiser names."""
        names = global_names(initialiser)
        return (GlobalRef(f"@{quoted(n)}") for n in names if n in self._module.globals)

    # -- arrays of Fortran
    def _assigned(self, function: Function, made: Assignment, name: str) -> set[MemoryLocation]:
        """What an assignment of arrays writes: elements, and the descriptor of its target."""
        kind = element_kind(function, made)
        writes = self._written_behind(function, made.target, name)
        bases = {w.underlying_object for w in writes}
        are_seen = bases and all(b is not None and self._objects.is_object(b) for b in bases)
        if kind is not None and not are_seen:
            writes = {MemoryLocation(None, kind=kind, element=True, read=True)}
        changed = made.changed_bytes(kind)
        target = self._objects.location(function, made.target, "")
        return writes | {target._replace(size=changed, handed=name)} if changed else writes

    # -- buffers of MPI
    def _filled(self, function: Function, i: Instruction, known: LibraryFunction) -> dict[int, int]:
        """The buffer of an MPI call -> the bytes written to it, where count and datatype are
        constants."""
        if known.fills is None or known.fills.count is None or known.fills.datatype is None:
            return {}
        count, datatype = (
            self._constant(function, i, at) for at in (known.fills.count, known.fills.datatype)
        )
        size = element_size(datatype & 0xFFFFFFFF if isinstance(datatype, int) else datatype)
        first = known.writes[0]
        if not isinstance(count, int) or size is None or not isinstance(first, int):
            return {}
        return {first: max(0, count) * size}

    def _constant(self, function: Function, i: Instruction, at: int) -> int | str | None:
        """The number, or the address of a variable, that a call is handed; in Fortran it stands
        behind the address."""
        token = i.operands[at + 1] if at + 1 < len(i.operands) else None
        if isinstance(token, IntLiteral):
            return token.value
        if not (callee(i) or "").endswith("_"):
            return token if isinstance(token, GlobalRef) else None
        if isinstance(token, GlobalRef):
            g = self._module.globals.get(token.name)
            is_fixed = g is not None and self._objects.is_constant(token)
            found = _NUMBER.fullmatch(g.initializer) if g is not None and is_fixed else None
            return int(found[1]) if found else None
        users = function.users.get(token, ()) if token is not None else ()
        stores = [u for u in users if is_store(u) and u.operands[1] == token]
        others = [u for u in users if u not in stores]
        if len(stores) != 1 or not all(u is i for u in others):
            return None
        stored = stores[0].operands[0]
        return stored.value if isinstance(stored, IntLiteral) else None

    # -- formats
    def _scanned(self, i: Instruction, format: int | None) -> dict[int, int]:
        """Argument -> the bytes written from there on, where the format of scanf tells them."""
        text = i.operands[1 + format] if format is not None and 1 + format < len(i.operands) else ""
        if format is None or not isinstance(text, GlobalRef) or not self._objects.is_constant(text):
            return {}
        g = self._module.globals.get(text.name)
        written = text_of(g.initializer) if g is not None else None
        pointer = self._objects.layout.size("ptr") or 8
        sizes = bytes_scanned(written.rstrip(b"\0"), pointer) if written is not None else None
        if sizes is None or len(sizes) != len(i.operands) - 2 - format:
            return {}
        return {format + k: size for k, size in enumerate(sizes, 1) if size is not None}

    def _counted(self, function: Function, i: Instruction, format: int) -> set[MemoryLocation]:
        """Where a function that prints may write how much it has printed: the objects whose
        addresses only it is handed, too, which `EVERYWHERE` does not touch."""
        text = i.operands[1 + format] if 1 + format < len(i.operands) else None
        if not self._formats.may_hold(text, COUNTING):
            return set()
        return {
            MemoryLocation(base)
            for argument, kind in zip(i.operands[2 + format :], i.extra[1 + format :], strict=False)
            if kind == "ptr"
            for base in self._objects.sources(function, argument)
        } | {EVERYWHERE}


def _is_own(call: Instruction) -> bool:
    known = library_function(callee(call) or "") if call.is_call and call.type == "ptr" else None
    return known is not None and known.own
