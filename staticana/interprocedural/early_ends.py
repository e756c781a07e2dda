"""Where a run may leave the way that counts follow: error exits, exceptions, exit(0), second
returns.

Counts are derived along the edges of the control flow graphs, as if each call came back once. Some
do not: exit and abort end the program, throw and longjmp go on elsewhere, setjmp returns again, and
after fork two processes run the same code. Such a place decides over all that runs behind it, in
its function, in the callers behind the call, and in what those call later.

- An end by an error (abort, assert, a constant exit status that is not zero) is taken not to
  happen, which each count behind it says; so is an exception that the program throws.
- So is an end without error outside of loops, or in a loop over the words of the command line, as
  behind `--help`: a run comes there or not, before it does anything else.
- Any other end leaves of a count behind it an upper bound; of code that a run comes to at most
  once, the count times a symbol that says whether the run has come there.
- What may run again has no count.

Post-dominance and control dependence: Ferrante, Ottenstein and Warren, TOPLAS 1987.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from ..alias.call_graph import Site
from ..alias.library import ELSEWHERE, EXITS, TRAPS, Control, library_function
from ..expr import ZERO, Expr, symbols
from ..frontend.openmp_regions import is_outlined
from ..ir.graph import blocks_leading_to, callee, closure
from ..ir.system_files import is_system_file
from ..ir.types import Block, Function, Instruction, IntLiteral
from ..scev.bounded_count import BoundedCount, unknown
from ..scev.program_ends import reports_error
from ..scev.unknowns import UnknownInfo
from .asked_numbers import asked_number
from .leaving_calls import ALARMS, CHECKS, REPORTS, SIGNALS, TERMINATE
from .program import Program

_MOST_NOTES = 12
_MOST_PLACES = 3
_THROWS = ("__cxa_throw",)
_SILENT = ("_Unwind_Resume", "__cxa_rethrow", "__clang_call_terminate")


class Way(Enum):
    """How control leaves the way that counts follow."""

    ERROR = "no error exit at {}"
    THROW = "no exception is thrown at {}"
    EARLY = "the run does not end at {}"
    OUTSIDE = "{} returns"
    NUMBER = "the number of elements asked for at {} is not negative"
    QUIET = "the program may end before, at {}"
    AGAIN = "it may run again, from {}"


class End(NamedTuple):
    """One place where it does; it does not where these formulas are >= 0."""

    name: str
    place: str
    needs: tuple[Expr, ...] = ()

    @property
    def way(self) -> Way:
        return _WAYS[self.name]

    @property
    def is_thrown(self) -> bool:
        """Is it an exception, which may be caught?"""
        return self.way in (Way.THROW, Way.NUMBER)

    @property
    def certain(self) -> End:
        """The same where nothing else can come of it."""
        return self._replace(name=Way.QUIET.name) if self.way is Way.EARLY else self

    @property
    def text(self) -> str:
        return self.way.value.format(self.place)


_WAYS = {way.name: way for way in Way}


@dataclass(frozen=True)
class _Told:
    """What several ends together say of a count. again: why there is none; quiet: the end that
    leaves an upper bound; notes: what is taken for granted; may_hide: code that counts say is never
    reached may run, with values that came from where an exception was caught; needs: what must be
    >= 0."""

    again: str | None
    quiet: str | None
    notes: frozenset[str]
    may_hide: bool
    needs: frozenset[Expr]

    @classmethod
    def by(cls, ends: Iterable[End]) -> _Told:
        found = sorted(ends, key=lambda e: e[:2])
        texts = [e.text for e in found if e.way in (Way.ERROR, Way.THROW, Way.EARLY)]
        notes = {*texts[:_MOST_NOTES], *(e.text for e in found if e.way is Way.OUTSIDE)}
        if len(texts) > _MOST_NOTES:
            notes.add(f"no error exit at {len(texts) - _MOST_NOTES} further places")
        return cls(
            next((e.text for e in found if e.way is Way.AGAIN), None),
            next((e.text for e in found if e.way is Way.QUIET), None),
            frozenset(notes),
            any(e.is_thrown for e in found),
            frozenset(n for e in found for n in e.needs),
        )

    def affected(self, count: BoundedCount) -> BoundedCount:
        """A count under what may cut it short."""
        if self.again is not None:
            return unknown(self.again)
        if count.formula == ZERO and not count.notes and not self.may_hide:
            return count
        notes, needs = count.notes | self.notes, count.preconditions | self.needs
        if self.quiet is None:
            if not (self.notes - count.notes or self.needs - count.preconditions):
                return count
            return replace(count, notes=notes, preconditions=needs)
        return BoundedCount(None, ZERO, count.upper, needs, notes, count.reason or self.quiet)


@dataclass(frozen=True)
class _Event:
    """An end seen from one function: behind `block` (its branch where `decides`, else a call in it
    at `line`) what runs may be cut short."""

    block: str
    line: int
    ends: frozenset[End]


class EarlyEnds:
    """The early ends of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._own: dict[str, tuple[_Event, ...]] = {}
        self._of: dict[str, frozenset[End]] = {}
        self._passed_on: dict[int, frozenset[End]] = {}  # of functions in these circles
        self._events: dict[str, tuple[_Event, ...]] = {}
        self._before: dict[str, frozenset[End]] = {}
        self._aside: dict[str, bool] = {}
        self._endless: dict[str, bool] = {}
        self._common: dict[str, frozenset[str]] = {}
        self._behind: dict[tuple[str, str], frozenset[str]] = {}
        self._no_way_back: dict[str, frozenset[str]] = {}
        self._all_told: dict[frozenset[End], _Told] = {}
        self._of_whole: dict[str, _Told] = {}

    # -- what is asked
    def in_total(self, name: str, header: str, count: BoundedCount) -> BoundedCount:
        """The count of a loop in a whole run, with what may cut it short."""
        inside, before = self._in_function(name, header) | self._anytime, self.before(name)
        quiet = sorted(e for e in before - inside if e.way is Way.QUIET)
        if (
            0 < len(quiet) <= _MOST_PLACES
            and not any(e.way is Way.QUIET for e in inside)
            and self.program.runs_once(name)
        ):
            return self._if_reached(
                name, self._told((inside | before) - {*quiet}).affected(count), quiet
            )
        return self._told(inside | before).affected(count)

    def _if_reached(self, name: str, count: BoundedCount, quiet: list[End]) -> BoundedCount:
        """The count of code that a run comes to at most once, times a symbol that is 1 where the
        run has not ended before it, else 0."""
        if count.formula is None or count.formula == ZERO:
            return _Told.by(quiet).affected(count)
        places = ", ".join(e.place for e in quiet)
        reached = self.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(self.program.entry, "reached", places),
                "guard",
                "f",
                f"whether the run has not ended at {places} before (1) or has (0)",
                quiet[0].place,
                name,
                self.program.defined[name].entry.name,
            )
        )
        return replace(
            count, formula=count.formula * reached, lower=ZERO, reason=count.reason or quiet[0].text
        )

    def in_call(self, name: str, header: str, count: BoundedCount) -> BoundedCount:
        """The count of a loop in one call of its function."""
        ends = self._in_function(name, header) | self._caught_before(name)
        return self._told(ends | self._anytime).affected(count)

    def in_loop(self, name: str, header: str, count: BoundedCount) -> BoundedCount:
        """The iterations of one entry of a loop."""
        inside = self.program.view(name).loops[header].blocks
        ends = (e.ends for e in self._events_in(name) if e.block in inside)
        thrown = (e for e in self._in_function(name, header) if e.is_thrown)
        caught = self._caught_before(name).union(thrown if self.program.calls.caught else ())
        return self._told(self._anytime.union(caught, *ends)).affected(count)

    def in_whole(self, name: str, count: BoundedCount) -> BoundedCount:
        """A count of all that one call of a function does."""
        if name not in self._of_whole:
            ends = self._anytime.union(*(e.ends for e in self._events_in(name)))
            ends |= self._caught_before(name)
            self._of_whole[name] = self._told(ends)
        return self._of_whole[name].affected(count)

    def _caught_before(self, name: str) -> frozenset[End]:
        """The exceptions that may have been caught before a function is called: a value then comes
        from where one was caught, which is a way that counts do not follow."""
        if not self.program.calls.caught:
            return frozenset()
        return frozenset(e for e in self.before(name) if e.is_thrown)

    def _told(self, ends: frozenset[End]) -> _Told:
        if ends not in self._all_told:
            self._all_told[ends] = _Told.by(ends)
        return self._all_told[ends]

    def is_hidden(self, name: str, header: str) -> bool:
        """Does a loop only run on ways that are taken not to be gone: to an error exit, or from an
        exception?"""
        return name not in self._open or self.is_hidden_in(name, header)

    def is_hidden_in(self, name: str, header: str) -> bool:
        """The same within one call of its function."""
        return header not in self._usual(name)

    @cached_property
    def _open(self) -> frozenset[str]:
        """Functions that are called on other ways."""
        calls = self.program.calls

        def called(name: str) -> set[str]:
            usual = self._usual(name)
            return {s.callee for s in calls.sites_in.get(name, ()) if s.block in usual}

        return frozenset(closure({self.program.entry, *calls.pointed}, called))

    def _usual(self, name: str) -> frozenset[str]:
        """The blocks of a function that control comes to without an exception, and that go on."""
        if name not in self._common:
            view = self.program.view(name)
            blocks, dead = view.function.blocks, view.paths.dead

            def successors(name: str) -> Iterable[str]:
                last = blocks[name].terminator
                onwards = last.labels[:1] if last.opcode == "invoke" else blocks[name].successors
                return (s for s in onwards if s not in dead)

            self._common[name] = frozenset(closure([view.function.entry.name], successors))
        return self._common[name]

    @cached_property
    def _anytime(self) -> frozenset[End]:
        """The ends of what others call, nobody knows when: handlers of signals, functions of other
        threads, comparators, constructors."""
        called = self.program.calls.pointed - {self.program.entry}
        return frozenset(e for f in called for e in self.of(f) if not self._is_local(e))

    # -- places
    def _own_events(self, name: str) -> tuple[_Event, ...]:
        """The ends that stand in a function itself."""
        if name not in self._own:
            self._own[name] = tuple(self._find_own(self.program.defined[name]))
        return self._own[name]

    def _find_own(self, function: Function) -> Iterator[_Event]:
        view = self.program.view(function.name)
        for block, i, found in self.program.facts.of_module.leaving_calls(function):
            if block.name not in view.reachable:
                continue
            if found in self.program.defined:
                way = Way.THROW if self._is_check(function, found) else None
                number = asked_number(view, block.name, i, self.program.defined[found])
                if number is not None and all(map(symbols.is_from_outside, number.symbols)):
                    end = End(Way.NUMBER.name, view.place(i), (number,))
                    yield _Event(block.name, i.line, frozenset((end,)))
                elif number is not None and _was_int(function, i):
                    way = Way.THROW
            else:
                way = self._way(function, block, i, found)
            if self.program.strict:
                way = self._unassumed(found, way)
            if way is not None:
                end = End(way.name, found if way is Way.OUTSIDE else view.place(i))
                yield _Event(block.name, i.line, frozenset((end,)))

    def _unassumed(self, name: str, way: Way | None) -> Way | None:
        """The way where nothing is taken not to happen."""
        if name not in self.program.defined:
            known = library_function(name)
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
        known = library_function(name)
        is_last = block.terminator.opcode == "unreachable"
        if name in TRAPS:
            return Way.ERROR
        if name == TERMINATE:
            return None if self._is_of_library(function) or function.dbg is None else Way.ERROR
        if CHECKS.match(name) and not self._is_of_library(function):
            return Way.THROW
        if known is None:
            if name.startswith("llvm."):
                return None
            return Way.ERROR if is_last else Way.OUTSIDE
        if known.control is Control.TWICE or known.forks or "exec" in name:
            return Way.AGAIN  # what is executed may be the program itself
        if name in SIGNALS or (name in ALARMS and not self._has_handlers):
            return Way.ERROR
        if name in REPORTS:  # it comes back where its status is zero
            status = i.operands[1]
            return None if isinstance(status, IntLiteral) and status.value == 0 else Way.ERROR
        if known.control is not Control.LEAVES or name in _SILENT:
            return None
        if name in _THROWS:
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
        top = None if self._has_no_return(name) else self._deciding(name, block)
        header = view.forest.innermost.get(top or block)
        while header is not None:
            if not self._reads_options(name, header):
                return False
            header = view.loops[header].parent
        return not view.forest.irreducible and self._is_called_aside(name)

    def _has_no_return(self, name: str) -> bool:
        """Does a function only come back by an exception, if at all?"""
        blocks = self.program.defined[name].blocks
        return all(blocks[b].terminator.opcode != "ret" for b in self._usual(name))

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
                i.opcode == "load"
                and i.type == "ptr"
                and symbols.ARGV in view.scalars.value(i.operands[0]).expr.symbols
            )
            for b in view.loops[header].blocks
            for i in view.function.blocks[b].instructions
        )

    def _never_returns(self, name: str) -> bool:
        """Does every call of a function end the program?"""
        if name not in self._endless:
            self._endless[name] = False  # what calls itself
            function = self.program.defined[name]
            last = {
                s.block
                for s in self.program.calls.sites_in.get(name, ())
                if s.certain and self._never_returns(s.callee)
            }
            passed = closure(
                [function.entry.name], lambda b: () if b in last else function.blocks[b].successors
            )
            self._endless[name] = not any(
                b not in last and function.blocks[b].terminator.opcode in ("ret", "resume")
                for b in passed
            )
        return self._endless[name]

    @cached_property
    def _has_handlers(self) -> bool:
        """Does the program set handlers of signals?"""
        return self.program.facts.of_module.has_handlers

    def of(self, name: str) -> frozenset[End]:
        """The ends that a call of a function may come to."""
        if name not in self._of:
            own = {end for event in self._own_events(name) for end in event.ends}
            # many functions come to the same ones that may end
            ending = self.program.calls.circles_below(name) & self._ending
            if ending not in self._passed_on:
                self._passed_on[ending] = frozenset(
                    end
                    for f in self.program.calls.of_circles(ending)
                    for event in self._own_events(f)
                    for end in event.ends
                    # what jumps back to setjmp has an end with the function that called it
                    if not self._is_local(end)
                )
            self._of[name] = self._passed_on[ending].union(own)
        return self._of[name]

    @cached_property
    def _ending(self) -> int:
        """The circles of functions with calls that may end the program, as bits."""
        program = self.program
        return program.calls.circles_with(
            name for name, f in program.defined.items() if program.facts.of_module.leaving_calls(f)
        )

    @cached_property
    def _local_places(self) -> frozenset[str]:
        """Places of calls like setjmp, which return again as long as their function runs."""
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

    def _events_in(self, name: str) -> tuple[_Event, ...]:
        """The ends of a function and of what it calls, each at the block that decides over it."""
        if name not in self._events:
            self._events[name] = tuple(self._find_events(name))
        return self._events[name]

    def _find_events(self, name: str) -> Iterator[_Event]:
        events = list(self._own_events(name))
        view = self.program.view(name)
        for s in self.program.calls.sites_in.get(name, ()):
            ends = frozenset(e for e in self.of(s.callee) if not self._is_local(e))
            if self._never_returns(s.callee) and self._never_returns(name):
                ends = frozenset(e.certain for e in ends)
            if ends and s.block in view.reachable:
                events.append(_Event(s.block, s.instruction.line, ends))
        yield from self._given_up(name)
        lost = self._lost(name)
        for event in events:
            quiet = frozenset(e for e in event.ends if e.way in (Way.QUIET, Way.EARLY))
            if event.block not in lost:
                yield event
                continue
            # a block that never comes back: the branch that leads there decides
            top = self._deciding(name, event.block)
            if top is None:
                continue
            is_own = event in self._own_events(name)
            # the function's own conditions count who goes on where an end is no error
            living = is_own and event.block not in view.paths.dead
            ends = event.ends - quiet if living else event.ends
            if ends:
                yield _Event(top, 1 << 62, ends)

    def _given_up(self, name: str) -> Iterator[_Event]:
        """The ends of loops that are given up with a message, at the branches that decide so."""
        view = self.program.view(name)
        given_up = view.paths.given_up
        for block in view.reachable:
            if block in given_up:
                continue
            branch = view.function.blocks[block].terminator
            if given_up.intersection(branch.labels):
                end = End(Way.ERROR.name, view.place(branch))
                yield _Event(block, 1 << 62, frozenset((end,)))

    def _deciding(self, name: str, block: str) -> str | None:
        """The nearest block above from which a function may still return; None where there is
        none."""
        dominator, lost = self.program.view(name).forest.dominator, self._lost(name)
        while block in lost and dominator.get(block, block) != block:
            block = dominator[block]
        return None if block in lost else block

    def _lost(self, name: str) -> frozenset[str]:
        """Blocks from which a function does not return."""
        if name not in self._no_way_back:
            self._no_way_back[name] = self._find_lost(name)
        return self._no_way_back[name]

    def _find_lost(self, name: str) -> frozenset[str]:
        function = self.program.defined[name]
        ends = [
            b.name for b in function.blocks.values() if b.terminator.opcode in ("ret", "resume")
        ]
        if not ends:
            return frozenset()
        return frozenset(function.blocks) - blocks_leading_to(function, ends)

    # -- what lies behind
    def _follows(self, name: str, event: _Event, block: str, line: int = 0) -> bool:
        """May control come to a block after the event?"""
        if event.block == block and event.line < line:
            return True
        key = (name, event.block)
        if key not in self._behind:
            function = self.program.defined[name]
            seen: set[str] = set()
            work = [event.block]
            while work:
                for s in function.blocks[work.pop()].successors:
                    if s not in seen:
                        seen.add(s)
                        work.append(s)
            self._behind[key] = frozenset(seen)
        return block in self._behind[key]

    def _in_function(self, name: str, header: str) -> frozenset[End]:
        blocks = self.program.view(name).loops[header].blocks
        return frozenset[End]().union(
            *(
                e.ends
                for e in self._events_in(name)
                if e.block in blocks or self._follows(name, e, header)
            )
        )

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
        return frozenset[End]().union(
            *(
                e.ends
                for e in self._events_in(s.caller)
                if self._follows(s.caller, e, s.block, s.instruction.line)
            )
        )


def _was_int(function: Function, call: Instruction) -> bool:
    """Is a call handed an int, or less, as a size?"""
    made = (function.definitions.get(o) for o in call.operands[1:])
    return any(i is not None and i.opcode == "sext" for i in made)
