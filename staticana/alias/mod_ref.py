"""Mod/ref summaries: what instructions and functions may write.

What a function writes is the union over its stores and its callees', seen from the caller: its own
local variables left out, its arguments' objects in terms of the caller's registers. Functions that
call each other have in common what they write, but for what goes by the arguments of each. What a
function outside the program writes is in `library`; that one without a row writes nothing but the
objects it is handed is an assumption, which counts that rely on it state. Source: Banning, "An
efficient way to find the side effects of procedure calls", POPL 1979.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from ..ir import cxx_names as cxx
from ..ir.graph import callee, calls_in, instructions
from ..ir.matchers import is_alloca, is_any, is_store
from ..ir.types import (
    ATOMIC_UPDATES,
    Function,
    GlobalRef,
    Instruction,
    IntLiteral,
    Module,
    Operand,
    Register,
)
from .callees import Callees
from .effects import NO_WRITES, ModRef, collapsed, limited, union
from .escape_analysis import EscapeAnalysis
from .handed_writes import (
    Based,
    Parts,
    all_parts,
    based_on,
    moved_to_caller,
    parts_of,
    with_arguments,
)
from .library import ALL, Control, LibraryFunction, declared_function, library_function
from .library_writes import LibraryWrites
from .memory_location import EVERYWHERE, MemoryLocation, Pointer
from .underlying_objects import UnderlyingObjects

_MAX_BY_ARGUMENT = 64
"""Places behind one argument that are told apart; of more, all memory behind it counts as
written."""
_CONTEXT = "context"
"""Where it is used, the rest of the program goes on before the call returns."""


class ModRefSummaries:
    """The summaries of one module, each made once.

    strict: functions without a row in `library` may write everything that others can reach.
    """

    def __init__(
        self, module: Module, objects: UnderlyingObjects, escape: EscapeAnalysis, *, strict: bool
    ) -> None:
        self._module = module
        self._objects = objects
        self._escape = escape
        self._library = LibraryWrites(module, objects, escape)
        self._callees = Callees(module, objects, escape, self._library)
        self._strict = strict
        self._found: dict[str, ModRef] = {}
        self._unions: dict[ModRef, ModRef] = {}
        self._parts: dict[str, tuple[ModRef, Parts]] = {}
        self._pointer_parts: dict[tuple[tuple[str, ...], str | None], Parts] = {}
        self._circle: str | None = None  # the first of the functions in a circle that are summed up
        self._again: dict[str, frozenset[MemoryLocation]] = {}
        self._unnamed: dict[tuple[str, int, Pointer], bool] = {}

    # -- functions
    def of_function(self, name: str) -> ModRef:
        """What a function may write that its callers can see, in terms of its own arguments."""
        if name in self._found:
            return self._found[name]
        group = self._callees.groups.get(name, (name,))
        recursive = len(group) > 1 or self._callees.graph.has_edge(name, name)
        around, self._circle = self._circle, group[0] if recursive else None
        for member in group:
            # within the group, a call adds what the other's own turn adds
            self._found[member] = NO_WRITES
        direct = {member: self._direct_effects(member) for member in group}
        self._circle = around
        if recursive:
            self._found.update(self._in_circle(direct))
        else:
            self._found[name] = limited(direct[name])
        return self._found[name]

    def _direct_effects(self, name: str) -> ModRef:
        """What the instructions of a function write that its callers can see, calls included."""
        function = self._module.functions.get(name)
        if function is None:
            return NO_WRITES
        found = union([self.of_instruction(function, i) for i in instructions(function)])
        return replace(found, own=frozenset(self._seen_by_callers(function, found.own)))

    def _in_circle(self, direct: Mapping[str, ModRef]) -> dict[str, ModRef]:
        """The summaries of functions that call each other in circles, from what each does but for
        these calls. What goes by their own arguments is followed from callee to caller until
        nothing is added, wherever in an object it goes; the rest they have in common."""
        every = union([*direct.values()])
        passes, lost = self._passed_in(frozenset(direct))
        is_called_else = not self._escape.address_taken.isdisjoint(direct)
        common = {
            w if w.is_global else w.somewhere()
            for w in every.writes
            if is_called_else or w.is_global or w.underlying_object is None
        }
        own: dict[Pointer, set[MemoryLocation]] = {}  # argument -> writes, without it
        new: dict[Pointer, set[MemoryLocation]] = {}
        for w in every.own:
            if isinstance(w.underlying_object, Pointer):
                _add(own, new, w.underlying_object, {w.somewhere()})
        while new:
            argument = next(iter(new))
            added = new.pop(argument)
            if argument in lost:
                common |= added
            for by in passes.get(argument, ()):
                base = by.base
                assert base is not None
                handed = {w._replace(read=by.read, by_bytes=by.is_unnamed(w)) for w in added}
                if isinstance(base, GlobalRef):
                    common |= {w._replace(underlying_object=base) for w in handed}
                else:
                    _add(own, new, base, handed)
        shared = limited(ModRef(frozenset(common), every.outside))
        by_function: dict[str, set[MemoryLocation]] = {}
        for argument, writes in own.items():
            found = by_function.setdefault(argument.function, set())
            found |= {w._replace(underlying_object=argument) for w in writes}
        return {
            name: replace(shared, own=shared.own | by_function[name])
            if name in by_function
            else shared
            for name in direct
        }

    def _passed_in(self, circle: frozenset[str]) -> tuple[dict[Pointer, set[Based]], set[Pointer]]:
        """Argument of a function -> the arguments of its callers within a circle, and the globals,
        that it may point into; and those that may point elsewhere."""
        found: dict[Pointer, set[Based]] = {}
        lost: set[Pointer] = set()
        for function in map(self._module.functions.get, circle):
            for i in function.calls if function is not None else ():
                assert function is not None
                called = circle.intersection(self._callees.targets(function, i))
                roots = self._roots_handed(function, i) if called else []
                for target in (self._module.functions[c] for c in called):
                    handed = [Pointer(target.name, p.token) for p in target.parameters]
                    lost.update(p for at, p in enumerate(handed) if at not in dict(roots))
                    for at, root in roots:
                        if at < len(handed):
                            found.setdefault(handed[at], set()).add(root)
        return found, lost

    def _roots_handed(self, function: Function, call: Instruction) -> list[tuple[int, Based]]:
        """The operands of a call that point into the function's own arguments, or into globals, by
        their places; the offsets do not count."""
        parameters = {p.token for p in function.parameters}
        found = list[tuple[int, Based]]()
        for at, o in enumerate(call.operands[1:]):
            base = self._objects.underlying_object(function, o)[0]
            if isinstance(base, GlobalRef) or (base is not None and base.register in parameters):
                found.append((at, based_on(self._objects, function, o)._replace(offset=None)))
        return found

    def _seen_by_callers(
        self, function: Function, writes: frozenset[MemoryLocation]
    ) -> set[MemoryLocation]:
        found = set()
        parameters = {p.token for p in function.parameters}
        for w in writes:
            base = w.underlying_object
            if base is None or isinstance(base, GlobalRef) or base.register in parameters:
                found.add(w)
            elif not self._dies(base) and not (w.handed and self._library.is_own(base)):
                found.add(w.somewhere()._replace(fresh=self._objects.is_object(base)))
        return found

    def _dies(self, base: Pointer) -> bool:
        """Is it a local variable, which is gone when the function returns, or an exception, which
        is found again only by what catches it?"""
        i = self._objects.definition(base)
        return i is not None and (is_alloca(i) or (i.is_call and callee(i) == cxx.NEW_EXCEPTION))

    # -- instructions
    def of_instruction(self, function: Function, i: Instruction) -> ModRef:
        """What one instruction may write."""
        if is_store(i):
            location = self._objects.location(function, i.operands[1], i.type, i.tbaa)
            return ModRef(frozenset((location,)))
        if is_any(i, *ATOMIC_UPDATES):
            where = self._objects.location(function, i.operands[0], "")
            size = self._objects.layout.size(i.type)
            return ModRef(frozenset((where._replace(size=size),)))
        return self._of_call(function, i) if i.is_call else NO_WRITES

    def _of_call(self, function: Function, i: Instruction) -> ModRef:
        found = self._of_called(function, i)
        called = self._overwriting and self._overwriting.intersection(
            self._callees.targets(function, i)
        )
        if not called:
            return found
        own = self._library.own_memory(function, min(called))
        return replace(found, own=found.own | (own - found.common))

    @cached_property
    def _overwriting(self) -> frozenset[str]:
        """Functions of the program below which memory of the library's own is written, to which
        their callers may have pointers."""
        work = [f.name for f, i in calls_in(self._module) if self._library.writes_own(i)]
        seen: set[str] = set()
        while work:
            name = work.pop()
            if name not in seen:
                seen.add(name)
                work += self._callees.graph.predecessors(name)
        return frozenset(seen)

    def _of_called(self, function: Function, i: Instruction) -> ModRef:
        name, arguments = callee(i), i.operands[1:]
        if name is None:
            targets = self._callees.targets(function, i)
            if not targets and self._callees.is_virtual(function, i):
                return self._of_library(
                    function, i, cxx.VIRTUAL_OUTPUT, library_function(cxx.VIRTUAL_OUTPUT)
                )
            if not targets and isinstance(i.operands[0], Register):
                return ModRef(frozenset((EVERYWHERE,)))
            if not targets and i.operands[0] == "asm":
                return ModRef(frozenset((EVERYWHERE,))) if "memory" in i.flags else NO_WRITES
            if not targets:
                return self._of_library(function, i, str(i.operands[0]), None)
            return self._of_pointer_call(function, arguments, targets)
        known = declared_function(self._module, name)
        if known is not None and known.length is not None and self._objects.is_outside(name):
            return self._of_copy(function, arguments, known)
        # libstdc++ writes std::stoi in a header
        is_told = known is not None and (known.of_string or known.in_header)
        if not is_told and not self._objects.is_outside(name):
            return self._at_call(function, arguments, name)
        return self._of_library(function, i, name, known)

    def written_meanwhile(self, function: Function, i: Instruction) -> set[MemoryLocation]:
        """See `Aliasing.written_meanwhile`."""
        return self._library.meanwhile(function, i)

    def writes_by_arguments(self, known: LibraryFunction) -> bool:
        """See `Aliasing.writes_by_arguments`."""
        return self._library.writes_by_arguments(known) and not self._calls_back(known)

    def _calls_back(self, known: LibraryFunction) -> bool:
        return bool(known.calls_back) or any(self._callees.called_unasked(known))

    def calls_unasked(self, name: str) -> bool:
        """See `Aliasing.calls_unasked`."""
        return any(self._callees.called_unasked(declared_function(self._module, name)))

    def _of_pointer_call(
        self, function: Function, arguments: tuple[Operand, ...], targets: tuple[str, ...]
    ) -> ModRef:
        """A call of one of several functions; equal unions are one object, since each holds what
        many functions write."""
        # while a circle is summed up, its functions write nothing yet
        key = targets, self._circle
        parts = self._pointer_parts.get(key)
        if parts is None:
            parts = all_parts([self._parts_of(t) for t in targets])
            self._pointer_parts[key] = parts
        found = with_arguments(self._objects, function, arguments, parts)
        return self._unions.setdefault(found, found)

    def _of_copy(
        self, function: Function, arguments: tuple[Operand, ...], known: LibraryFunction
    ) -> ModRef:
        """A function that writes so many bytes from where an argument points to."""
        assert known.length is not None
        length = arguments[known.length] if known.length < len(arguments) else None
        size = length.value if isinstance(length, IntLiteral) else None
        target = self._objects.location(function, arguments[0], "")
        return ModRef(frozenset((target._replace(size=size),)))

    def _of_library(
        self, function: Function, i: Instruction, name: str, known: LibraryFunction | None
    ) -> ModRef:
        """A function outside the program may fill the objects it is handed (scanf, fread,
        MPI_Recv), whatever they hold, and call back functions it is handed."""
        writes = self._library.handed(function, i, name, known)
        if known is not None and (known.control is Control.TWICE or _CONTEXT in known.uses):
            writes |= self._until_it_returns_again(function)
        if (known is None and self._strict) or (
            known is not None and known.calls_back == ALL and self._callees.has_buffers_of_its_own
        ):
            writes.add(EVERYWHERE)
        outside = frozenset((name,)) if known is None else frozenset[str]()
        parts = [ModRef(frozenset(writes), outside)]
        for at, (argument, kind) in enumerate(zip(i.operands[1:], i.extra, strict=False)):
            if kind == "ptr":
                called = map(self.of_function, self._callees.called_back(argument, at, known))
                parts += (self._written_back(function, i, c) for c in called)
        parts += (self.of_function(c).anywhere for c in self._callees.called_unasked(known))
        return union(parts) if parts[1:] else parts[0]

    def _written_back(self, function: Function, i: Instruction, called: ModRef) -> ModRef:
        """What a callback writes that a function of the library calls: through its own arguments
        it may go to all that the library was handed."""
        by_arguments = [w for w in called.own if isinstance(w.underlying_object, Pointer)]
        found = called.anywhere
        if by_arguments:
            handed = zip(i.operands[1:], i.extra, strict=False)
            pointers = [o for o, kind in handed if kind == "ptr" and isinstance(o, Register)]
            bases = {b for o in pointers for b in self._objects.sources(function, o)}
            writes = {
                w._replace(underlying_object=b, offset=None, extent=None)
                for w in by_arguments
                for b in bases
            }
            found = replace(found, own=found.own | (writes - found.common))
        return found

    def _until_it_returns_again(self, function: Function) -> frozenset[MemoryLocation]:
        """What may have been written when setjmp, called in a function, returns for the second
        time: whatever the program writes."""
        if function.name not in self._again:
            own = {w for i in instructions(function) for w in self._direct(function, i)}
            globals_ = {
                w
                for f in self._module.functions.values()
                for i in instructions(f)
                for w in self._direct(f, i)
                if isinstance(w.underlying_object, GlobalRef)
            }
            self._again[function.name] = collapsed({EVERYWHERE, *own, *globals_})
        return self._again[function.name]

    def _direct(self, function: Function, i: Instruction) -> Iterable[MemoryLocation]:
        """What an instruction writes itself, or has a function outside the program write."""
        if not i.is_call:
            return self.of_instruction(function, i).writes
        name = callee(i)
        if name is None or not self._objects.is_outside(name):
            return ()
        known = declared_function(self._module, name)
        if known is not None and known.length is not None:
            return self._of_copy(function, i.operands[1:], known).writes
        return self._library.handed(function, i, name, known)

    # -- calls of defined functions
    def _at_call(self, function: Function, arguments: tuple[Operand, ...], called: str) -> ModRef:
        """A callee's writes in terms of the caller's registers."""
        return with_arguments(self._objects, function, arguments, self._parts_of(called))

    def _parts_of(self, called: str) -> Parts:
        """What a function writes, those writes apart that go by its arguments."""
        summary = self.of_function(called)
        known = self._parts.get(called)
        if known is None or known[0] is not summary:
            known = self._parts[called] = (
                summary,
                parts_of(self._module.functions.get(called), summary),
            )
        return known[1]

    def moved(
        self, function: Function, w: MemoryLocation, handed: Mapping[Pointer, Operand]
    ) -> MemoryLocation:
        """A callee's location, where `handed` maps its arguments to the caller's operands."""
        return moved_to_caller(self._objects, function, w, handed)

    def loses_names(self, function: Function, call: Instruction, parameter: Pointer) -> bool:
        """See `Aliasing.loses_names`."""
        key = function.name, call.line, parameter
        found = self._unnamed.get(key)
        if found is None:
            parameters = [p.token for p in self._module.functions[parameter.function].parameters]
            by = based_on(
                self._objects, function, call.operands[1 + parameters.index(parameter.register)]
            )
            found = self._unnamed[key] = any(
                by.is_unnamed(w) and not w.by_bytes
                for w in self.of_function(parameter.function).own
                if w.underlying_object == parameter
            )
        return found


def _add(
    own: dict[Pointer, set[MemoryLocation]],
    new: dict[Pointer, set[MemoryLocation]],
    argument: Pointer,
    writes: set[MemoryLocation],
) -> None:
    """Add to what is written by an argument, and note what is new in it; of much, that it is
    written."""
    known = own.setdefault(argument, set())
    more = writes - known
    if not more or EVERYWHERE in known:
        return
    if len(known) + len(more) > _MAX_BY_ARGUMENT:
        more = {EVERYWHERE}
    known |= more
    new.setdefault(argument, set()).update(more)
