"""The ends that calls come to, and those that may come before a function is called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from ...alias.call_graph import Site
from ...alias.exceptions import catches
from ...alias.library import Control, library_function
from ...scev.context import FunctionContext
from ..program import Program
from .control_dependence import ControlDependence
from .ends import AT_BRANCH, End, Event, Way
from .own_ends import OwnEnds


class ReachedEnds:
    """The ends of a program, as they are reached along its call graph. base: the same of the
    program's base."""

    def __init__(
        self, program: Program, paths: ControlDependence, base: ReachedEnds | None = None
    ) -> None:
        self.program = program
        self.base = base
        self.paths = paths
        self.own: OwnEnds = OwnEnds(program, paths, None if base is None else base.own)
        self._in_function: dict[tuple[str, str], frozenset[End]] = {}
        self._in_loop: dict[tuple[str, str], frozenset[End]] = {}
        self._before_sites: dict[tuple[str, int], frozenset[End]] = {}
        self._of: dict[str, frozenset[End]] = {}
        self._passed_on: dict[int, frozenset[End]] = {}  # of functions in these circles
        self._events: dict[str, tuple[Event, ...]] = {}
        self._before: dict[str, frozenset[End]] = {}
        self._given_up: dict[str, tuple[Event, ...]] = {}

    def of(self, name: str) -> frozenset[End]:
        """The ends that a call of a function may come to."""
        if self.base is not None and not self._is_new_below(name):
            return self.base.of(name)
        if name not in self._of:
            own = {end for event in self.own.events(name) for end in event.ends}
            # many functions come to the same ones that may end
            ending = self.program.calls.circles_below(name) & self._ending
            if ending not in self._passed_on:
                self._passed_on[ending] = frozenset(
                    end
                    for f in self.program.calls.of_circles(ending)
                    for event in self.own.events(f)
                    for end in event.ends
                    # what jumps back to setjmp has an end with the function that called it
                    if not self._is_local(end)
                )
            self._of[name] = self._passed_on[ending].union(own)
        return self._of[name]

    def _is_new_below(self, name: str) -> bool:
        """Are the ends of a function, or of one that it calls, those of a run, and not of the
        base?"""
        contexts = self.program.contexts
        return (
            contexts is None
            or contexts.is_new_below(name)
            or bool(self.program.calls.circles_below(name) & self._exiting)
        )

    @cached_property
    def _exiting(self) -> int:
        """The circles of functions that end the program by exit, as bits."""
        return self.program.calls.circles_with(self.own.exiting)

    @cached_property
    def _ending(self) -> int:
        """The circles of functions with calls that may end the program, as bits."""
        if self.base is not None:
            return self.base._ending
        program = self.program
        return program.calls.circles_with(
            name for name, f in program.defined.items() if program.facts.of_module.leaving_calls(f)
        )

    @cached_property
    def _local_places(self) -> frozenset[str]:
        """Places of calls like setjmp, which return again as long as their function runs."""
        if self.base is not None:
            return self.base._local_places
        return frozenset(
            self.program.view(name).place(call.instruction)
            for name, f in self.program.defined.items()
            for call in self.program.facts.of_module.leaving_calls(f)
            if (known := library_function(call.callee)) is not None
            and known.control is Control.TWICE
            and not known.forks
        )

    def _is_local(self, end: End) -> bool:
        return end.way is Way.AGAIN and end.place in self._local_places

    @cached_property
    def anytime(self) -> frozenset[End]:
        """The ends of what others call, nobody knows when: handlers of signals, functions of other
        threads, comparators, constructors."""
        called = self.program.calls.pointed - {self.program.entry}
        return frozenset(e for f in called for e in self.of(f) if not self._is_local(e))

    def events_in(self, name: str) -> tuple[Event, ...]:
        """The ends of a function and of what it calls, each at the block that decides over it."""
        if self.base is not None and not self._is_new_below(name):
            return self.base.events_in(name)
        if name not in self._events:
            self._events[name] = tuple(self._find_events(name))
        return self._events[name]

    def _find_events(self, name: str) -> Iterator[Event]:
        events = [self._with_certain_throws(name, e) for e in self.own.events(name)]
        view = self.program.view(name)
        for s in self.program.calls.sites_in.get(name, ()):
            ends = self.of(s.callee)
            if self._local_places:
                ends = frozenset(e for e in ends if not self._is_local(e))
            if self.paths.never_returns(s.callee) and self.paths.never_returns(name):
                ends = frozenset(e.certain for e in ends)
            event = Event(s.block, s.instruction.line, ends)
            if s.certain and s.callee in self.program.calls.always_throwing:
                if catches(view.function, s.instruction):
                    # the function's own edges say where it goes
                    event = replace(event, ends=frozenset(e for e in ends if not e.is_thrown))
                else:
                    event = self._with_certain_throws(name, event)
            if event.ends and s.block in view.reachable:
                events.append(event)
        own = events[: len(self.own.events(name))]
        yield from self.given_up(name)
        lost = self.paths.lost(name)
        for event in events:
            if event.block not in lost:
                yield event
                continue
            # a block that never comes back: the branch that leads there decides
            top = self.paths.deciding(name, event.block)
            if top is None:
                continue
            is_own = event in own
            # the function's own conditions count who goes on where an end is no error
            ends = event.ends
            if is_own and event.block not in view.paths.dead:
                ends = frozenset(e for e in ends if e.way not in (Way.QUIET, Way.EARLY))
            if ends:
                yield Event(top, AT_BRANCH, ends)

    def _with_certain_throws(self, name: str, event: Event) -> Event:
        """An event, where exceptions that no condition of the function decides over are not taken
        not to come."""
        if not any(e.is_throw for e in event.ends) or not self.paths.is_unguarded(
            name, event.block
        ):
            return event
        is_caught = name in self.program.calls.caught
        ends = frozenset(e.unguarded(is_caught=is_caught) for e in event.ends)
        return replace(event, ends=ends)

    def given_up(self, name: str) -> tuple[Event, ...]:
        """The ends of loops that are given up with a message, at the branches that decide so."""
        view = self.program.view(name)
        if self.base is not None and view is self.base.program.view(name):
            return self.base.given_up(name)
        if name not in self._given_up:
            self._given_up[name] = tuple(self._find_given_up(view))
        return self._given_up[name]

    @staticmethod
    def _find_given_up(view: FunctionContext) -> Iterator[Event]:
        given_up = view.paths.given_up
        for block in view.reachable:
            if block in given_up:
                continue
            branch = view.function.blocks[block].terminator
            if given_up.intersection(branch.labels):
                end = End(Way.ERROR.name, view.place(branch))
                yield Event(block, AT_BRANCH, frozenset((end,)))

    def in_function(self, name: str, header: str) -> frozenset[End]:
        """The ends that may cut short a loop in one call of its function."""
        if self.base is not None and not self._is_new_below(name):
            return self.base.in_function(name, header)
        key = name, header
        if key not in self._in_function:
            blocks = self.program.view(name).loops[header].blocks
            self._in_function[key] = frozenset[End]().union(
                *(
                    e.ends
                    for e in self.events_in(name)
                    if e.block in blocks or self.paths.follows(name, e, header)
                )
            )
        return self._in_function[key]

    def in_loop(self, name: str, header: str) -> frozenset[End]:
        """The ends inside a loop."""
        if self.base is not None and not self._is_new_below(name):
            return self.base.in_loop(name, header)
        key = name, header
        if key not in self._in_loop:
            blocks = self.program.view(name).loops[header].blocks
            self._in_loop[key] = frozenset[End]().union(
                *(e.ends for e in self.events_in(name) if e.block in blocks)
            )
        return self._in_loop[key]

    def before(self, name: str) -> frozenset[End]:
        """The ends that may have come before, or between, the calls of a function."""
        if name not in self._before:
            for f in self._callers_first(name):
                if f not in self._before:
                    group = self.program.calls.circle(f) or frozenset((f,))
                    found = self._before_group(group)
                    self._before.update(dict.fromkeys(group, found))
        return self._before[name]

    def _callers_first(self, name: str) -> list[str]:
        """A function and all that call it, directly or not, callers before what they call, but in
        circles."""
        order: list[str] = []
        seen, work = {name}, [(name, False)]
        while work:
            f, is_done = work.pop()
            if is_done:
                order.append(f)
                continue
            work.append((f, True))
            for s in self.program.calls.callers.get(f, ()):
                if s.caller not in seen and s.caller not in self._before:
                    seen.add(s.caller)
                    work.append((s.caller, False))
        return order

    def _before_group(self, group: frozenset[str]) -> frozenset[End]:
        found: set[End] = set()
        for f in group:
            for s in self.program.calls.callers.get(f, ()):
                found |= self._before_site(s)
                if s.caller not in group:
                    found |= self.before(s.caller)
        return frozenset(found)

    def _before_site(self, s: Site) -> frozenset[End]:
        if self.base is not None and not self._is_new_below(s.caller):
            return self.base._before_site(s)
        key = s.caller, s.instruction.line
        if key not in self._before_sites:
            self._before_sites[key] = frozenset[End]().union(
                *(
                    e.ends
                    for e in self.events_in(s.caller)
                    if self.paths.follows(s.caller, e, s.block, s.instruction.line)
                )
            )
        return self._before_sites[key]
