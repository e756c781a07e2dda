"""The ends that stand in a function itself: calls that may not come back, and how they end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ...alias.exceptions import catches
from ...alias.library import ELSEWHERE, EXITS, TRAPS, Control, declared_function
from ...expr import symbols
from ...frontend.openmp.regions import is_outlined
from ...ir import cxx_names as cxx
from ...ir.graph import callee
from ...ir.matchers import is_any, is_load
from ...ir.system_files import is_system_file
from ...ir.types import Block, Function, Instruction, IntLiteral
from ...scev.program_ends import reports_error
from ..leaving_calls import ALARMS, REPORTS, SIGNALS
from ..program import Program
from .asked_numbers import asked_number
from .control_dependence import ControlDependence
from .ends import End, Event, Way


class OwnEnds:
    """The ends in each function of a program, those of what it calls aside. base: the same of the
    program's base."""

    def __init__(
        self, program: Program, paths: ControlDependence, base: OwnEnds | None = None
    ) -> None:
        self.program = program
        self.base = base
        self.paths = paths
        self._events: dict[str, tuple[Event, ...]] = {}
        self._aside: dict[str, bool] = {}

    def events(self, name: str) -> tuple[Event, ...]:
        """The ends that stand in a function itself."""
        if self.base is not None and not self.is_new(name):
            return self.base.events(name)
        if name not in self._events:
            self._events[name] = tuple(self._find_own(self.program.defined[name]))
        return self._events[name]

    def is_new(self, name: str) -> bool:
        """Are the ends that stand in a function those of a run, and not of the base: it is analysed
        anew, or calls exit, which whoever calls it decides over?"""
        contexts = self.program.contexts
        return contexts is None or name in self.exiting or contexts.is_new(name)

    @cached_property
    def exiting(self) -> frozenset[str]:
        """The functions that end the program by exit."""
        if self.base is not None:
            return self.base.exiting
        leaving = self.program.facts.of_module.leaving_calls
        return frozenset(
            name
            for name, f in self.program.defined.items()
            if any(call.callee in EXITS for call in leaving(f))
        )

    def _find_own(self, function: Function) -> Iterator[Event]:
        view = self.program.view(function.name)
        for block, i, found in self.program.facts.of_module.leaving_calls(function):
            if block.name not in view.reachable:
                continue
            if found in self.program.defined:
                way = Way.THROW if self._is_check(function, found) else None
                number = asked_number(view, block.name, i, self.program.defined[found])
                if number is not None and all(map(symbols.is_from_outside, number.symbols)):
                    end = End(Way.NUMBER.name, view.place(i), (number,))
                    yield Event(block.name, i.line, frozenset((end,)))
                elif number is not None and _was_int(function, i):
                    way = Way.THROW
            else:
                way = self._way(function, block, i, found)
            if self.program.strict:
                way = self._unassumed(found, way)
            if way is not None:
                place = found if way is Way.OUTSIDE else view.place(i)
                end = End(way.name, place, is_throw=found in cxx.THROWS)
                yield Event(block.name, i.line, frozenset((end,)))

    def _unassumed(self, name: str, way: Way | None) -> Way | None:
        """The way where nothing is taken not to happen."""
        if name not in self.program.defined:
            known = declared_function(self.program.module, name)
            if way is None and known is not None and known.throws:
                return Way.AGAIN
        if way is Way.THROW or (way is Way.OUTSIDE and self._may_unwind):
            return Way.AGAIN  # what catches it may run what has run before
        return Way.QUIET if way in (Way.ERROR, Way.OUTSIDE, Way.EARLY) else way

    @cached_property
    def _may_unwind(self) -> bool:
        """Does the program catch exceptions?"""
        return self.program.facts.of_module.has_invokes

    def _is_check(self, function: Function, name: str) -> bool:
        """Is it a function of the C++ library that may throw, seen from the program?"""
        return name in self._checks and not self._is_of_library(function)

    def _is_of_library(self, function: Function) -> bool:
        file = self.program.module.file_of(function.dbg)
        return file is not None and is_system_file(file)

    @cached_property
    def _checks(self) -> frozenset[str]:
        """Functions of the C++ library that may throw since an argument is out of range."""
        if self.base is not None:
            return self.base._checks
        library, found = self.program.facts.of_module.of_library, set[str]()
        work = list(self.program.facts.of_module.checking)
        while work:
            name = work.pop()
            if name not in found:
                found.add(name)
                work += [
                    s.caller
                    for s in self.program.calls.callers.get(name, ())
                    if s.caller in library
                ]
        return frozenset(found)

    def _way(self, function: Function, block: Block, i: Instruction, name: str) -> Way | None:
        known = declared_function(self.program.module, name)
        is_last = is_any(block.terminator, "unreachable")
        if name in TRAPS:
            return Way.ERROR
        if name == cxx.TERMINATE:
            return None if self._is_of_library(function) or function.dbg is None else Way.ERROR
        if cxx.CHECKS.match(name) and not self._is_of_library(function):
            return Way.THROW
        if known is None:
            return Way.ERROR if is_last else Way.OUTSIDE
        if known.control is Control.TWICE or known.forks or "exec" in name:
            return Way.AGAIN  # what is executed may be the program itself
        if name in SIGNALS or (name in ALARMS and not self._has_handlers):
            return Way.ERROR
        if name in REPORTS:  # it comes back where its status is zero
            status = i.operands[1]
            return None if isinstance(status, IntLiteral) and status.value == 0 else Way.ERROR
        if known.control is not Control.LEAVES or name in cxx.GOES_ON_UNWINDING:
            return None
        if name in cxx.THROWS[:1]:
            if catches(function, i, i.operands[2]):
                return None  # the function's own edges say where it goes
            at = self.program.view(function.name).place(i)
            return None if is_system_file(at) else Way.THROW
        if name in EXITS:
            if reports_error(self.program, function, i):
                return Way.ERROR
            return Way.EARLY if self._is_aside(function.name, block.name) else Way.QUIET
        if name.startswith("_ZS") or "throw" in name:
            return None  # the library's own exceptions: allocation, ranges
        return Way.QUIET if any(part in name for part in ELSEWHERE) else Way.ERROR

    def _is_aside(self, name: str, block: str) -> bool:
        """Is it decided outside of all loops that do the program's work whether a run comes to a
        block: loops of its function, and of those that call it? In a function that does nothing but
        end the program, as one that prints how it is used, nothing is decided."""
        view = self.program.view(name)
        top = None if self.paths.has_no_return(name) else self.paths.deciding(name, block)
        header = view.forest.innermost.get(top or block)
        while header is not None:
            if not self._reads_options(name, header):
                return False
            header = view.loops[header].parent
        return not view.forest.irreducible and self._is_called_aside(name)

    def _is_called_aside(self, name: str) -> bool:
        if name not in self._aside:
            self._aside[name] = False  # what calls itself
            calls = self.program.calls
            sites = calls.callers.get(name, ())
            self._aside[name] = (
                name not in calls.pointed
                and not is_outlined(name)
                and bool(sites or name == self.program.entry)
                and all(self._is_aside(s.caller, s.block) for s in sites)
            )
        return self._aside[name]

    def _reads_options(self, name: str, header: str) -> bool:
        """Is it a loop over the words of the command line?"""
        view = self.program.view(name)
        return any(
            (callee(i) or "").startswith("getopt")
            or (
                is_load(i)
                and i.type == "ptr"
                and symbols.ARGV in view.scalars.value(i.operands[0]).expr.symbols
            )
            for b in view.loops[header].blocks
            for i in view.function.blocks[b].instructions
        )

    @cached_property
    def _has_handlers(self) -> bool:
        """Does the program set handlers of signals?"""
        return self.program.facts.of_module.has_handlers


def _was_int(function: Function, call: Instruction) -> bool:
    """Is a call handed an int, or less, as a size?"""
    made = (function.definitions.get(o) for o in call.operands[1:])
    return any(is_any(i, "sext") for i in made)
