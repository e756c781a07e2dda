"""Whom calls go to: by name, through pointers, by virtual tables, and back from the library."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from looplaw_common.digraph import Digraph, circles

from ..ir import cxx_names as cxx
from ..ir.graph import callee, calls_in
from ..ir.types import Function, GlobalRef, Instruction, Module, Operand, Register
from .escape_analysis import EscapeAnalysis
from .library import ALL, LibraryFunction, declared_function, library_function
from .library_writes import LibraryWrites
from .underlying_objects import UnderlyingObjects
from .virtual_calls import agrees, has_buffers_of_its_own, overriding, virtual_slot


class Callees:
    """The functions that calls of one module may lead to."""

    def __init__(
        self,
        module: Module,
        objects: UnderlyingObjects,
        escape: EscapeAnalysis,
        library: LibraryWrites,
    ) -> None:
        self._module = module
        self._objects = objects
        self._escape = escape
        self._library = library
        self._by_arity: dict[int, tuple[str, ...]] = {}
        self._by_types: dict[tuple[str, ...], tuple[str, ...]] = {}

    @cached_property
    def graph(self) -> Digraph[str]:
        graph = Digraph(self._module.functions)
        for f, i in calls_in(self._module):
            graph.add_edges((f.name, t) for t in self.targets(f, i) if t in self._module.functions)
            name = callee(i)
            if name is not None and self._objects.is_outside(name):
                known = declared_function(self._module, name)
                for at, argument in enumerate(i.operands[1:]):
                    called = self.called_back(argument, at, known)
                    graph.add_edges((f.name, t) for t in called)
                graph.add_edges((f.name, t) for t in self.called_unasked(known))
        return graph

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Functions that call each other in circles."""
        found = (tuple(sorted(c)) for c in circles(self.graph))
        return {name: c for c in found if len(c) > 1 for name in c}

    def targets(self, function: Function, call: Instruction) -> tuple[str, ...]:
        """Functions that a call may go to; none for inline assembly, and for a virtual call of the
        library's classes."""
        name = callee(call)
        if name is not None:
            return (name,)
        if not isinstance(call.operands[0], Register):
            return ()
        found = self._pointed(len(call.operands) - 1)
        if not self.is_virtual(function, call):
            return found
        types = (call.type, *call.extra)
        agreeing = self._by_types.get(types)
        if agreeing is None:
            functions = self._module.functions
            agreeing = tuple(t for t in found if agrees(functions[t], call))
            self._by_types[types] = agreeing
        return agreeing

    def is_virtual(self, function: Function, call: Instruction) -> bool:
        return virtual_slot(self._objects, function, call.operands[0]) is not None

    def _pointed(self, arguments: int) -> tuple[str, ...]:
        """Functions that a call through a pointer may go to."""
        found = self._by_arity.get(arguments)
        if found is None:
            taken = sorted(self._escape.address_taken)
            functions = self._module.functions
            found = tuple(t for t in taken if len(functions[t].parameters) == arguments)
            self._by_arity[arguments] = found
        return found

    def called_back(
        self, argument: Operand, at: int, known: LibraryFunction | None
    ) -> Iterable[str]:
        """The functions that a function of the library may call through one argument."""
        taken = self._escape.address_taken
        if isinstance(argument, GlobalRef) and argument.name in taken:
            return (argument.name,) if known is None or known.may_call(at) else ()
        if known is None or not known.may_call(at) or known.calls_back == ALL:
            return ()
        # a pointer to a function that is chosen elsewhere, or to one of the library that calls
        # what it was given before (std::call_once)
        is_function = isinstance(argument, GlobalRef) and argument.name in self._module.functions
        return sorted(taken) if isinstance(argument, Register) or is_function else ()

    def called_unasked(self, known: LibraryFunction | None) -> Iterable[str]:
        """The functions that a function of the library may call though it is not handed them: those
        that were registered for it, and virtual functions of classes derived from the library's.
        What a std::thread runs is called beside the caller (`asynchronous`)."""
        if known is None:
            return (*self._overriding, *self._registered)
        found = sorted(self._library.called_unasked(known))
        return (*found, *self._overriding) if known.calls_back == ALL else found

    @cached_property
    def _registered(self) -> tuple[str, ...]:
        """The functions that those outside the program that are not known are handed anywhere,
        alone or in structures: any of them may call them from then on (`XML_SetElementHandler`,
        then `XML_Parse`; `argp_parse`)."""
        taken = self._escape.address_taken
        found: set[str] = set()
        for f, i in calls_in(self._module):
            name = callee(i)
            if name is None or not self._objects.is_outside(name):
                continue
            if library_function(name) is not None:
                continue
            for argument, kind in zip(i.operands[1:], i.extra, strict=False):
                if isinstance(argument, GlobalRef) and argument.name in taken:
                    found.add(argument.name)
                elif kind == "ptr":
                    found |= self._library.functions_behind(f, argument) & taken
        return tuple(sorted(found))

    @cached_property
    def _overriding(self) -> tuple[str, ...]:
        found = overriding(self._module)
        return tuple(sorted(n for n in found if not n.startswith(cxx.THREAD)))

    @cached_property
    def has_buffers_of_its_own(self) -> bool:
        return has_buffers_of_its_own(self._module)
