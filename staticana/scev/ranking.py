"""Bounds of loops by ranking arguments, for the loops of one function."""

from __future__ import annotations

from contextlib import suppress

from ..expr import ONE, ZERO, Expr, TooComplex
from ..ranking.bounds import NestBounds, bounds_of
from ..ranking.polyhedra import TooMuch, effort
from .bounded_count import BoundedCount
from .context import FunctionContext
from .nest_transitions import NotLinear, Reader

_STEPS = 2_000_000
"""Steps of proofs for one nest or function: less than a second."""
_SMALL = 24
"""Blocks of a function that may take so many; of larger ones, where less is found, the fewer the
larger they are."""
_NOTHING = NestBounds({}, frozenset())


class Ranking:
    """The nests of one function, each bounded once."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._found: dict[str | None, NestBounds] = {}

    def iterations(self, header: str, root: str | None) -> BoundedCount | None:
        """Iterations of a loop at most, for each entry of the loop `root`, itself or one around
        it, over what that starts with; None: for each call of the function."""
        found = self._bounds(root)
        upper = found.iterations.get(header)
        return None if upper is None else BoundedCount(None, ZERO, upper, found.needs)

    def executions(self, block: str) -> BoundedCount | None:
        """How often control comes to a block of a loop at most, for each call of the function."""
        header: str | None = self.view.forest.innermost.get(block)
        found = self._bounds(None)
        total = self._runs(block, header, found)
        return None if total is None else BoundedCount(None, ZERO, total, found.needs)

    def _runs(self, block: str, header: str | None, found: NestBounds) -> Expr | None:
        """A loop is entered at most once for each time that control comes to where it stands in the
        loop around it."""
        if header is None:
            return ONE
        if header not in found.iterations:
            return None
        total = found.iterations[header]
        if self._is_behind_test(block, header):
            return total
        entered = self._runs(header, self.view.loops[header].parent, found)
        return None if entered is None else total + entered

    def _is_behind_test(self, block: str, header: str) -> bool:
        """Is a block only run in iterations that have begun?"""
        tests = [e.source for e in self.view.loops[header].exits if e.is_test]
        return not tests or (block != header and tests == [header])

    def _bounds(self, root: str | None) -> NestBounds:
        if root not in self._found:
            self._found[root] = _NOTHING  # for questions that come back
            allowance = self.view.program.allowance
            reader = Reader(self.view, root)
            found, spent = self._tried(reader, allowance.proofs)
            allowance.proofs -= spent
            if reader.tests_reads and len(found.iterations) < len(reader.headers):
                reader = Reader(self.view, root, with_largest=True)
                more, spent = self._tried(reader, allowance.proofs_of_reads)
                allowance.proofs_of_reads -= spent
                found = found.with_others(more)
            self._found[root] = found
        return self._found[root]

    def _tried(self, reader: Reader, most: int) -> tuple[NestBounds, int]:
        """The bounds of what is read, found in no more than so many steps; and how many it took."""
        steps = _STEPS * _SMALL // max(_SMALL, len(self.view.reachable))
        found = _NOTHING
        with suppress(NotLinear, TooComplex, TooMuch), effort(min(steps, most)) as e:
            found = bounds_of(reader.system())
        return found, e.spent
