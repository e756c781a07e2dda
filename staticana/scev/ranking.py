"""Bounds of loops by ranking arguments, for the loops of one function."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from ..expr import ONE, ZERO, Expr, TooComplex
from ..expr.budget import OverBudget, apart
from ..ir.types import Function, Register, int_bits
from ..ranking.bounds import Assuming, NestBounds, bounds_of
from ..ranking.polyhedra import TooMuch, effort
from .addresses import has_address
from .bounded_count import BoundedCount
from .context import FunctionContext
from .nest_transitions import Reader
from .nests.objects import INSIDE_NOTE
from .nests.values import NotLinear

_STEPS = 2_000_000
"""Steps of proofs for one nest or function: less than a second."""
_STEPS_OF_MARKS = 400_000
"""The same of proofs by marks: where there are some, they are short."""
_SMALL = 16
"""Blocks of a function that may take so many; of larger ones, where less is found, the fewer the
larger they are."""
_AGAIN = 10
"""What was sought over a function's own arguments is sought again, with what the callers of a run
tell, in so much fewer steps."""
_NOTHING = NestBounds({}, frozenset())


class Ranking:
    """The nests of one function, each bounded once."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._found: dict[str | None, NestBounds] = {}
        self._in_objects: dict[str | None, NestBounds] = {}
        self._read: dict[str | None, frozenset[str]] = {}
        # headers of nests that take too many steps to read: more, in a larger nest, or with more
        # that is told, is not tried
        self.too_large: set[str] = set()

    def inside_objects(self, header: str, root: str | None) -> BoundedCount | None:
        """Iterations as `iterations` has them, by what accesses say: that they stay inside their
        objects."""
        if self.view.program.strict:
            return None
        found = self._bounds_in_objects(root)
        upper = found.iterations.get(header)
        notes = frozenset((INSIDE_NOTE.format(self.view.loops[header].at),))
        return None if upper is None else BoundedCount(None, ZERO, upper, found.needs, notes)

    def _bounds_in_objects(self, root: str | None) -> NestBounds:
        if root not in self._in_objects:
            self._in_objects[root] = _NOTHING  # for questions that come back
            known = self._known(root, Ranking._bounds_in_objects)
            self._in_objects[root] = self._sought_in_objects(root) if known is None else known
        return self._in_objects[root]

    def _sought_in_objects(self, root: str | None) -> NestBounds:
        allowance = self.view.program.allowance
        reader = Reader(self.view, root, with_largest=True, with_objects=True)
        found, spent = self._tried(reader, allowance.proofs_of_reads)
        allowance.proofs_of_reads -= spent
        # a program whose loop would not even begin reads beyond its arrays: nothing is trusted
        return found if all(e != ZERO for e in found.iterations.values()) else _NOTHING

    def iterations(self, header: str, root: str | None) -> BoundedCount | None:
        """Iterations of a loop at most, for each entry of the loop `root`, itself or one around
        it, over what that starts with; None: for each call of the function."""
        if self._is_endless(header):
            return None
        found = self.bounds(root)
        most = found.of(header)
        if most is None or (header in found.assuming and self._is_by_data(most.needs, header)):
            return None
        return BoundedCount(None, ZERO, most.bound, most.needs, self._notes(found, header))

    def _is_by_data(self, needs: frozenset[Expr], header: str) -> bool:
        """Do data of a loop around decide whether that holds which a bound rests on?"""
        around = self.view.loops[header].parent
        while around is not None:
            if any(self.view.varying(n, around) for n in needs):
                return True
            around = self.view.loops[around].parent
        return False

    def _notes(self, found: NestBounds, header: str | None) -> frozenset[str]:
        """What the bounds of a loop and of those around it rest on besides."""
        notes: set[str] = set()
        while header is not None:
            if header in found.inside:
                notes.add(INSIDE_NOTE.format(self.view.loops[header].at))
            header = self.view.loops[header].parent
        return frozenset(notes)

    def _is_endless(self, header: str | None) -> bool:
        """Is it known of a loop that nothing but data ends it, whatever it starts with?"""
        found = None if header is None else self._found.get(header)
        return found is not None and header in found.endless

    def executions(self, block: str) -> BoundedCount | None:
        """How often control comes to a block of a loop at most, for each call of the function."""
        header: str | None = self.view.forest.innermost.get(block)
        if self._is_endless(header):
            return None
        found = self.bounds(None)
        total = self._runs(block, header, found)
        if total is None:
            return None
        return BoundedCount(None, ZERO, total.bound, total.needs, self._notes(found, header))

    def _runs(self, block: str, header: str | None, found: NestBounds) -> Assuming | None:
        """A loop is entered at most once for each time that control comes to where it stands in the
        loop around it."""
        if header is None:
            return Assuming(ONE, found.needs)
        total = found.of(header)
        if total is None or self._is_behind_test(block, header):
            return total
        entered = self._runs(header, self.view.loops[header].parent, found)
        if entered is None:
            return None
        return Assuming(total.bound + entered.bound, total.needs | entered.needs)

    def _is_behind_test(self, block: str, header: str) -> bool:
        """Is a block only run in iterations that have begun?"""
        tests = [e.source for e in self.view.loops[header].exits if e.is_test]
        return not tests or (block != header and tests == [header])

    def bounds(self, root: str | None) -> NestBounds:
        """The bounds of the loops of a nest, or of all loops of the function."""
        if root not in self._found:
            self._found[root] = _NOTHING  # for questions that come back
            known = self._known(root, Ranking.bounds)
            self._found[root] = self._sought(root) if known is None else known
        return self._found[root]

    def _known(
        self, root: str | None, bounds: Callable[[Ranking, str | None], NestBounds]
    ) -> NestBounds | None:
        """The bounds that were found over the function's own arguments, where all loops have one,
        or callers tell nothing of what the nest reads."""
        program = self.view.program
        own = program.in_own_arguments(self.view.function.name)
        if own is None:
            return None
        found = bounds(own.ranking, root)
        headers = {h for h in own.loops if root is None or h in own.loops[root].blocks}
        if headers - found.iterations.keys() - found.endless and self._is_told(own, root):
            return None

        def told(e: Expr) -> Expr:
            return program.in_this_run(self.view, e)

        return NestBounds(
            {h: told(e) for h, e in found.iterations.items()},
            frozenset(map(told, found.needs)),
            found.endless,
            found.inside,
            {
                h: Assuming(told(a.bound), frozenset(map(told, a.needs)))
                for h, a in found.assuming.items()
            },
        )

    def _is_told(self, own: FunctionContext, root: str | None) -> bool:
        """Do callers tell something of a value that the nest reads?"""
        told = self.view.program.told(self.view.function.name)
        return bool(told) and not told.isdisjoint(own.ranking.symbols_read(root))

    def symbols_read(self, root: str | None) -> frozenset[str]:
        """The symbols of what the integers of a nest are read as."""
        if root not in self._read:
            view = self.view
            blocks = view.reachable if root is None else view.loops[root].blocks
            registers = {
                o
                for b in blocks
                for i in view.function.blocks[b].instructions
                for o in (*i.operands, i.token)
                if isinstance(o, Register) and _is_integer(view.function, o)
            }
            self._read[root] = frozenset[str]().union(
                *(view.scalars.value(r).expr.symbols for r in sorted(registers))
            )
        return self._read[root]

    def _sought(self, root: str | None) -> NestBounds:
        endless = frozenset(h for h, b in self._found.items() if h in b.endless and h is not None)
        if root is None and endless >= self.view.loops.keys():
            return replace(_NOTHING, endless=endless)
        allowance = self.view.program.allowance
        reader = Reader(self.view, root)
        found, spent = self._tried(reader, allowance.proofs)
        allowance.proofs -= spent
        if reader.divides and len(found.iterations) < len(reader.headers):
            shares = Reader(self.view, root, with_shares=True)
            more, spent = self._tried(shares, allowance.proofs)
            allowance.proofs -= spent
            found = found.with_others(more)
        if reader.tests_reads and len(found.iterations) < len(reader.headers):
            reader = Reader(self.view, root, with_largest=True)
            more, spent = self._tried(reader, allowance.proofs_of_reads)
            allowance.proofs_of_reads -= spent
            found = found.with_others(more)
        if len(found.iterations) < len(reader.headers) and not self.view.program.strict:
            reader = Reader(self.view, root, with_largest=True, with_marks=True)
            if reader.has_marks():
                more, spent = self._tried(reader, min(allowance.proofs_of_marks, _STEPS_OF_MARKS))
                allowance.proofs_of_marks -= spent
                by_marks = more.iterations.keys() - found.iterations.keys()
                found = replace(found.with_others(more), inside=frozenset(by_marks))
        return found

    def _tried(self, reader: Reader, most: int) -> tuple[NestBounds, int]:
        """The bounds of what is read, found in no more than so many steps; and how many it took."""
        steps = _STEPS * _SMALL // max(_SMALL, len(self.view.reachable))
        own = self.view.program.in_own_arguments(self.view.function.name)
        if own is not None:
            steps //= _AGAIN
        nests = {reader.root, *reader.headers}
        if any(not r.too_large.isdisjoint(nests) for r in (self, own and own.ranking) if r):
            return _NOTHING, 0
        found, is_read = _NOTHING, False
        failures = (NotLinear, TooComplex, OverBudget)
        with suppress(*failures), apart(), effort(min(steps, most)) as e:
            try:
                system = reader.system()
                is_read = True
                if (reader.is_inside or not reader.with_objects) and (
                    reader.limits or reader.distances or not reader.with_marks
                ):
                    found = self._of_numbers(bounds_of(system))
            except TooMuch:
                if not is_read and steps <= most:
                    self.too_large.add(reader.root)
        return found, e.spent

    def _of_numbers(self, found: NestBounds) -> NestBounds:
        """The bounds that are no addresses."""
        program = self.view.program
        kept = {h: e for h, e in found.iterations.items() if not has_address(program, e)}
        assuming = {
            h: a
            for h, a in found.assuming.items()
            if not any(has_address(program, e) for e in (a.bound, *a.needs))
        }
        return replace(found, iterations=kept, assuming=assuming)


def _is_integer(function: Function, register: Register) -> bool:
    """Does a register hold an integer?"""
    i = function.definitions.get(register)
    types = [p.type for p in function.parameters if p.token == register] if i is None else [i.type]
    return any(int_bits(t) is not None for t in types)
