"""The call graph: direct calls, and calls through pointers whose targets the program shows.

A function pointer is traced back to its sources (`function_pointers`). Where all of them are
functions, the call goes to one of these; a call of any other pointer may go to every function whose
address is taken (class hierarchy analysis: Dean, Grove and Chambers, ECOOP 1995; address-taken:
Hall and Kennedy, LOPLAS 1992).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from looplaw_common.digraph import Digraph, circles

from ..ir import cxx_names as cxx
from ..ir.found_by_name import found_by_name
from ..ir.graph import callee
from ..ir.tokens import constant_address, global_names
from ..ir.types import Function, Instruction, Module, Register
from .alias_analysis import Aliasing
from .exceptions import always_throwing, caught, handlers
from .function_pointers import FunctionPointers
from .handed_out import handed_out
from .library import ALL, is_replaceable, library_function
from .virtual_calls import agrees, overriding

RESOLVED = ' "looplaw.resolved"'
"""An attribute of functions that calls through pointers have been found to go to, and which are
called directly since."""
_MAX_TARGETS = 8
"""Functions that one call through a pointer may go to, each then followed; of more, it is taken to
go anywhere."""


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


class Calls:
    """The call graph of a module, seen from an entry."""

    def __init__(self, module: Module, aliasing: Aliasing, entry: str) -> None:
        self.module = module
        self.aliasing = aliasing
        self.entry = entry
        # by the functions that run: the same for many entries of a library
        self._callers: dict[frozenset[str], dict[str, list[Site]]] = {}
        self._pointed_above: dict[frozenset[str], dict[str, str]] = {}
        self._caught: dict[tuple[frozenset[str], str | None], frozenset[str]] = {}
        self._unasked: dict[str, bool] = {}
        self._pointers = FunctionPointers(module, aliasing, entry, self.defined)

    def seen_from_anywhere(self, *, calls_anything: bool) -> Calls:
        """The same calls where no run is looked at: every function may run, with whoever calls it.

        calls_anything: may functions be called through pointers that are not followed?
        """
        other = self.seen_from(next(iter(self.defined)))
        other.entry = ""
        other.__dict__["reachable"] = frozenset(self.defined)
        other.__dict__["pointed"] = self.pointed if calls_anything else frozenset()
        return other

    def calls_anything(self, name: str) -> bool:
        """May a call of a function come to a function whose address is taken, through a pointer
        that is not followed, or by a function of the library?"""
        return not self._calling_anything.isdisjoint(self.below_any((name,)))

    def seen_from(self, entry: str) -> Calls:
        """The same calls in a run that is one call of an exported function."""
        for name in (
            *("defined", "sites", "graph", "sites_in", "target", "recursive", "pointed"),
            *("_circles", "_circle_of", "_reach", "_handling", "_calling_anything"),
            "always_throwing",
        ):
            getattr(self, name)  # found once for all of them
        other = copy(self)
        other.entry = entry
        for name in ("reachable", "callers", "pointed_above", "caught", "runs_again"):
            other.__dict__.pop(name, None)
        if not self.calls_anything(entry):
            other.__dict__["pointed"] = frozenset()
        return other

    @cached_property
    def _calling_anything(self) -> frozenset[str]:
        """Functions with a call that may come to a function whose address is taken: through a
        pointer that is not followed, or by a function of the library."""
        found: set[str] = set()
        for f, _, i in self._instructions:
            name = callee(i)
            if name is None:
                targets = self._called(f, i)
                is_open = targets is None or len(targets) > _MAX_TARGETS
            else:
                known = library_function(name)
                is_open = name not in self.defined and (
                    known is None or bool(known.calls_back) or self._calls_unasked(name)
                )
            if is_open:
                found.add(f.name)
        return frozenset(found)

    def _calls_unasked(self, name: str) -> bool:
        if name not in self._unasked:
            self._unasked[name] = self.aliasing.calls_unasked(name)
        return self._unasked[name]

    @cached_property
    def defined(self) -> dict[str, Function]:
        """See `defined_in`."""
        return defined_in(self.module)

    @cached_property
    def _instructions(self) -> tuple[tuple[Function, str, Instruction], ...]:
        """The calls of defined functions, and the blocks in which they stand."""
        return tuple(
            (f, b.name, i)
            for f in self.defined.values()
            for b in f.blocks.values()
            for i in b.instructions
            if i.is_call
        )

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Calls of defined functions; one through a pointer with several known targets stands once
        for each."""
        found: list[Site] = []
        for f, block, i in self._instructions:
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
        found = self._pointers.targets(function, pointer) if isinstance(pointer, Register) else None
        if found is None:
            found = self._wrapped(function)
        return None if found is None else frozenset(t for t in found if self._takes(t, i))

    def _wrapped(self, function: Function) -> frozenset[str] | None:
        """The functions that any std::function of a signature may hold, for the one that calls
        what it holds (libstdc++: _Function_handler<Signature, ...>::_M_invoke)."""
        found = cxx.CALL_OF_FUNCTION_OBJECT.match(function.name)
        if found is None:
            return None
        handler = f"_ZNSt17_Function_handlerI{found['signature']}"
        taken = self.aliasing.address_taken
        return frozenset(t for t in taken if t.startswith(handler) and "9_M_invokeE" in t)

    def _takes(self, name: str, call: Instruction) -> bool:
        """Has the function as many parameters as the call has arguments, and one of the library
        the result that is read, as far as is known?"""
        target = self.module.functions.get(name)
        if target is None or (target.is_declaration and "..." in target.header):
            return True
        if len(target.parameters) != len(call.operands) - 1:
            return False
        return name in self.defined or target.type == call.type

    # -- the graph
    @cached_property
    def pointed(self) -> frozenset[str]:
        """Functions that may be called through a pointer that is not followed, or from outside the
        program."""
        taken = self.aliasing.address_taken & self.defined.keys()
        resolved = {s.callee for s in self.sites if callee(s.instruction) is None}
        resolved |= {t for t in taken if RESOLVED in self.defined[t].header}
        found: set[str] = set()
        for f, _, i in self._instructions:
            found |= self._may_be_called(f, i) & taken
        # an address that is kept although no call of the program follows it: someone outside will
        virtual = {n for groups in self._pointers.virtual_tables for g in groups for n in g}
        found.update(
            t
            for t in taken
            if t not in resolved and t not in virtual and t not in self._only_passed
        )
        found.update(t for t in overriding(self.module) if t in taken)
        found.update(filter(is_replaceable, self.defined))
        found |= self._handed_out
        found.update(found_by_name(self.module) & self.defined.keys() - {self.entry})
        return frozenset(found)

    def _may_be_called(self, function: Function, call: Instruction) -> frozenset[str]:
        """Functions that a call through a pointer that is not followed may go to, or that a
        function outside the program is handed."""
        name, taken = callee(call), self.aliasing.address_taken
        if isinstance(call.operands[0], Register):
            targets = self._called(function, call)
            if targets is not None and len(targets) <= _MAX_TARGETS:
                return frozenset()
            # the virtual functions of a class of the library, whose tables are not here
            exact = self.aliasing.virtual_slot(function, call.operands[0]) is not None
            defined = frozenset(t for t in taken if t in self.defined and self._takes(t, call))
            return frozenset(t for t in defined if not exact or agrees(self.defined[t], call))
        if name is None or name in self.defined:
            return frozenset()
        handed = frozenset(n for token in call.operands[1:] for n in global_names(token))
        return handed | self._handed_on(function, call, name)

    def _handed_on(self, function: Function, call: Instruction, name: str) -> frozenset[str]:
        """Functions that a function of the library may call through a register: what a wrapper of
        pthread_create or qsort was handed."""
        known = library_function(name)
        found: frozenset[str] = frozenset()
        for at, token in enumerate(call.operands[1:]):
            if known is not None and known.may_call(at) and isinstance(token, Register):
                targets = self._pointers.targets(function, token)
                if targets is None and known.calls_back != ALL:
                    return self.aliasing.address_taken
                found |= targets or frozenset()
        return found

    @cached_property
    def _handed_out(self) -> frozenset[str]:
        """Functions whose addresses code outside may hold; found once, for all entries of a
        library."""
        return handed_out(self.module, self.aliasing, self.defined, self.entry)

    @cached_property
    def _only_passed(self) -> frozenset[str]:
        """Functions whose address only goes into calls of defined functions."""
        kept = set(self._pointers.initial_functions)
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
    def graph(self) -> Digraph[str]:
        return Digraph(self.defined, ((s.caller, s.callee) for s in self.sites))

    @cached_property
    def _circles(self) -> tuple[frozenset[str], ...]:
        """The functions that call each other in circles, callees before callers."""
        return tuple(map(frozenset, circles(self.graph)))

    @cached_property
    def _circle_of(self) -> dict[str, int]:
        return {name: at for at, circle in enumerate(self._circles) for name in circle}

    @cached_property
    def _reach(self) -> tuple[int, ...]:
        """For each circle, those that it calls and itself: bit k is the k-th circle."""
        found: list[int] = []
        for at, circle in enumerate(self._circles):
            mask = 1 << at
            called = {self._circle_of[t] for f in circle for t in self.graph.successors(f)}
            for other in called - {at}:
                mask |= found[other]
            found.append(mask)
        return tuple(found)

    def circle(self, name: str) -> frozenset[str]:
        """Functions that call a function and are called by it, with itself where it calls itself;
        none where it does not."""
        return self._circles[self._circle_of[name]] if name in self.recursive else frozenset()

    def calls(self, name: str, other: str) -> bool:
        """Does a function call another one, directly or not?"""
        circles = self._circle_of
        return name != other and bool(self._reach[circles[name]] >> circles[other] & 1)

    def below(self, name: str) -> frozenset[str]:
        """Functions that a function calls, directly or not, itself left out."""
        return self.below_any((name,)) - {name}

    def below_any(self, names: Iterable[str]) -> frozenset[str]:
        """Functions that some function calls, directly or not, and these functions themselves."""
        mask = 0
        for name in names:
            mask |= self._reach[self._circle_of[name]]
        return self.of_circles(mask)

    def callers_first(self, *names: str) -> list[str]:
        """Functions and all that they call, directly or not, callers before what they call, but in
        circles."""
        mask = 0
        for name in names:
            mask |= self.circles_below(name)
        at = range(mask.bit_length() - 1, -1, -1)
        return [f for k in at if mask >> k & 1 for f in sorted(self._circles[k])]

    def circles_below(self, name: str) -> int:
        """The circles that a function calls, directly or not, and its own, as bits."""
        return self._reach[self._circle_of[name]]

    def circles_with(self, names: Iterable[str]) -> int:
        """The circles that some functions are in, as bits."""
        mask = 0
        for name in names:
            mask |= 1 << self._circle_of[name]
        return mask

    def of_circles(self, mask: int) -> frozenset[str]:
        """The functions of circles that are given as bits."""
        found: set[str] = set()
        while mask:
            at = mask.bit_length() - 1
            found |= self._circles[at]
            mask ^= 1 << at
        return frozenset(found)

    @cached_property
    def caught(self) -> frozenset[str]:
        """Functions of which an exception may be caught where the run goes on."""
        handling = self._handling
        key = self.pointed, self.entry if self.entry in handling else None
        if key not in self._caught:
            if key[1] is not None:
                own = handlers(self.module, self.defined[self.entry], is_entry=True)
                handling = {**handling, self.entry: own}
            self._caught[key] = caught(handling, self.sites, self.pointed)
        return self._caught[key]

    @cached_property
    def _handling(self) -> Mapping[str, frozenset[str]]:
        """The blocks where exceptions come that a function may catch and go on, where it is not the
        entry; functions without any are left out."""
        found = {name: handlers(self.module, f, is_entry=False) for name, f in self.defined.items()}
        return {name: blocks for name, blocks in found.items() if blocks}

    @cached_property
    def always_throwing(self) -> frozenset[str]:
        """Functions of which every call that ends, ends in an exception."""
        return always_throwing(self.defined, self.sites, self.graph)

    @cached_property
    def pointed_above(self) -> Mapping[str, str]:
        """Function -> the first function, by name, other than the entry, that may be called through
        a pointer that is not followed and that is it or calls it; those without one are left
        out."""
        pointed = self.pointed - {self.entry}
        found = self._pointed_above.get(pointed)
        if found is None:
            found = self._pointed_above[pointed] = {}
            for f in sorted(pointed):
                if f not in found:
                    found.update((name, f) for name in self.below_any((f,)) - found.keys())
        return found

    @cached_property
    def reachable(self) -> frozenset[str]:
        """Functions that a run from the entry may execute."""
        return self.below_any((self.entry, *self.pointed))

    @cached_property
    def runs_again(self) -> bool:
        """May the entry run more than once: does it call itself, or may it be called through a
        pointer?"""
        return self.entry in self.recursive or self.entry in self.aliasing.address_taken

    @cached_property
    def recursive(self) -> frozenset[str]:
        """Functions that may call themselves."""
        found: set[str] = set()
        for circle in self._circles:
            if len(circle) > 1 or any(self.graph.has_edge(f, f) for f in circle):
                found |= circle
        return frozenset(found)

    @cached_property
    def callers(self) -> dict[str, list[Site]]:
        """Calls of each function in functions that may run."""
        found = self._callers.get(self.reachable)
        if found is None:
            found = self._callers[self.reachable] = {}
            for f in self.defined:  # in the order of `sites`
                if f in self.reachable:
                    for s in self.sites_in.get(f, ()):
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
