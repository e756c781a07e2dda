"""What early ends leave of the counts of loops and functions."""

from __future__ import annotations

from dataclasses import replace

from ...expr import ZERO, symbols
from ...scev.bounded_count import BoundedCount
from ...scev.unknowns import UnknownInfo
from ..program import Program
from .consequences import Consequences
from .control_dependence import ControlDependence
from .ends import End, Way
from .reached_ends import ReachedEnds

_MOST_PLACES = 3
"""Calls of exit(0) before a loop for which its count in a whole run is still given, with notes."""


class EarlyEnds:
    """The early ends of a program. base: those of the program's base."""

    def __init__(self, program: Program, base: EarlyEnds | None = None) -> None:
        self.program = program
        self._paths: ControlDependence = ControlDependence(
            program, None if base is None else base._paths
        )
        self._ends: ReachedEnds = ReachedEnds(
            program, self._paths, None if base is None else base._ends
        )
        self._consequences: dict[frozenset[End], Consequences] = (
            {} if base is None else base._consequences
        )
        self._of_whole: dict[str, Consequences] = {}

    def in_total(self, name: str, header: str, count: BoundedCount) -> BoundedCount:
        """The count of a loop in a whole run, with what may cut it short."""
        inside = self._ends.in_function(name, header) | self._ends.anytime
        before = self._ends.before(name)
        quiet = sorted(e for e in before - inside if e.way is Way.QUIET)
        if (
            0 < len(quiet) <= _MOST_PLACES
            and not any(e.way is Way.QUIET for e in inside)
            and self.program.runs_once(name)
        ):
            return self._if_reached(
                name, self._consequences_of((inside | before) - {*quiet}).affected(count), quiet
            )
        return self._consequences_of(inside | before).affected(count)

    def _if_reached(self, name: str, count: BoundedCount, quiet: list[End]) -> BoundedCount:
        """The count of code that a run comes to at most once, times a symbol that is 1 where the
        run has not ended before it, else 0."""
        if count.formula is None or count.formula == ZERO:
            return Consequences.by(quiet).affected(count)
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
        ends = self._ends.in_function(name, header) | self._caught_before(name)
        return self._consequences_of(ends | self._ends.anytime).affected(count)

    def in_loop(self, name: str, header: str, count: BoundedCount) -> BoundedCount:
        """The iterations of one entry of a loop."""
        ends = self._ends.in_loop(name, header)
        thrown = (e for e in self._ends.in_function(name, header) if e.is_thrown)
        caught = self._caught_before(name).union(thrown if self.program.calls.caught else ())
        return self._consequences_of(self._ends.anytime.union(caught, ends)).affected(count)

    def in_whole(self, name: str, count: BoundedCount) -> BoundedCount:
        """A count of all that one call of a function does."""
        if name not in self._of_whole:
            ends = self._ends.anytime.union(*(e.ends for e in self._ends.events_in(name)))
            ends |= self._caught_before(name)
            self._of_whole[name] = self._consequences_of(ends)
        return self._of_whole[name].affected(count)

    def _caught_before(self, name: str) -> frozenset[End]:
        """The exceptions that may have been caught before a function is called: a value then comes
        from where one was caught, which is a way that counts do not follow."""
        if not self.program.calls.caught:
            return frozenset()
        return frozenset(e for e in self._ends.before(name) if e.is_thrown)

    def _consequences_of(self, ends: frozenset[End]) -> Consequences:
        if ends not in self._consequences:
            self._consequences[ends] = Consequences.by(ends)
        return self._consequences[ends]

    def is_hidden(self, name: str, header: str) -> bool:
        """Does a loop only run on ways that are taken not to be gone: to an error exit, or from an
        exception?"""
        return self._paths.is_hidden(name, header)

    def is_hidden_in(self, name: str, header: str) -> bool:
        """The same within one call of its function."""
        return self._paths.is_hidden_in(name, header)
