"""Trip counts: the iteration in which a loop ends, and how often it runs per entry.

n(x0) is the first i in which one of the loop's exits is taken: the minimum over its exits (slides
004, "Algorithm in details"). Where data decide an exit, a named mean takes the place of the count,
between the bounds that the other exits give.
"""

from __future__ import annotations

from dataclasses import replace

from ..closed_forms.iteration_preconditions import proved
from ..expr import ONE, ZERO, Assumptions, Expr, TooComplex, choose, minimum, sym, symbols
from ..expr.budget import Provisional
from ..expr.predicates import UNDECIDED, conjunction
from ..ir.loop_info import ExitEdge
from ..ir.matchers import is_icmp
from .bounded_count import BoundedCount, exactly
from .context import FunctionContext
from .logarithmic_steps import logarithmic_steps
from .loop_exits import (
    ExitBounds,
    certain,
    changing_bound,
    counted_exits,
    exit_bounds,
    kept_while_it_runs,
)
from .loop_solution import Limit, LoopSolution
from .named_sizes import named_size
from .source_names import is_entered_once, trips_name
from .unknowns import ITERATIONS, LARGEST, MEAN_ITERATIONS, UnknownInfo
from .values import NO_PRECONDITIONS, Value


class TripCounts:
    """The loops of one function, each solved once."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._solutions: dict[str, LoopSolution] = {}
        self._active: set[str] = set()

    def solution(self, header: str) -> LoopSolution:
        """Solve one loop."""
        if header not in self._solutions:
            stand_in = self._unsolved(header, "the loop's variables depend on how often it runs")
            with Provisional(self._solutions, header, stand_in):
                try:
                    self._solutions[header] = self._solve(header)
                except TooComplex:
                    self._solutions[header] = self._unsolved(
                        header, "its formula would be too long"
                    )
            if self._solutions[header].iterations.reason is not None:
                ran = self.view.constant_runs.solved(self._solutions[header])
                self._solutions[header] = ran or self._solutions[header]
            self._solutions[header] = self._ranked(self._solutions[header])
            # the name may rest on values, which are not known before the loop is solved
            name = trips_name(self.view, header)
            if name is not None:
                self.view.program.unknowns.call(self._symbol(header), name)
        return self._solutions[header]

    def _ranked(self, solution: LoopSolution) -> LoopSolution:
        """The solution with a bound by a ranking argument where it has none."""
        known = solution.iterations
        if known.reason is None or known.upper is not None:
            return solution
        found = self.view.constant_runs.at_most(solution.header)
        if found is None:
            found = logarithmic_steps(self.view, solution.header)
        if found is None:
            found = self.view.ranking.iterations(solution.header, solution.header)
        if found is None:
            solution = self._sized(solution)
            if solution.iterations.upper is None:
                found = self.view.ranking.inside_objects(solution.header, solution.header)
        return replace(solution, iterations=solution.iterations.at_most(found))

    def _sized(self, solution: LoopSolution) -> LoopSolution:
        """The solution with a bound by the size of what the loop passes."""
        view, header, known = self.view, solution.header, solution.iterations
        forms = view.variables.known_forms(header)
        size = named_size(view, view.loops[header], forms)
        if size is None:
            return solution
        is_one = is_entered_once(view, header)
        most = view.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(view.function.name, "size", header),
                "value",
                size.name if is_one else f"most {size.name}",
                size.meaning if is_one else LARGEST + size.meaning,
                view.loops[header].at,
                view.function.name,
                view.function.entry.name,
            )
        )
        upper = most + size.more
        formula = upper if is_one and size.is_whole else known.formula
        return replace(solution, iterations=replace(known, formula=formula, upper=upper))

    def _symbol(self, header: str) -> str:
        return symbols.unknown(self.view.function.name, "trips", header)

    def _mean(
        self,
        header: str,
        reason: str,
        upper: Expr | None = None,
        lower: Expr = ZERO,
        preconditions: frozenset[Expr] = NO_PRECONDITIONS,
        notes: frozenset[str] = frozenset(),
    ) -> BoundedCount:
        view = self.view
        at = view.loops[header].at
        is_one = is_entered_once(view, header)
        symbol = view.program.unknowns.add(
            UnknownInfo(
                self._symbol(header),
                "value" if is_one else "mean",
                "t",
                f"{ITERATIONS if is_one else MEAN_ITERATIONS}{at}",
                at,
                view.function.name,
                view.loops[header].preheader or view.function.entry.name,
            )
        )
        return BoundedCount(symbol, lower, upper, preconditions, notes, reason)

    def _unsolved(self, header: str, reason: str) -> LoopSolution:
        forms = self.view.variables.known_forms(header)
        limits = tuple(Limit(e, None) for e in self.view.loops[header].exits if not e.is_unwind)
        return LoopSolution(
            header,
            self.view.variables.index(header),
            forms.updates,
            forms.initial,
            forms.closed,
            limits,
            self._mean(header, reason),
            UNDECIDED,
        )

    def _solve(self, header: str) -> LoopSolution:
        view = self.view
        loop = view.loops[header]
        if loop.latch is None:
            return self._unsolved(header, "it has several latches")
        forms = view.variables.forms(header)
        index = view.variables.index(header)
        assumptions = view.assumptions_on_entry(loop).plus(sym(index))
        exits, notes = self._exits(header, assumptions)
        exits = kept_while_it_runs(view, loop, exits, index, assumptions)
        bound, limits, preconditions = self._bound(exits, assumptions)
        guard = conjunction(*(e.stays for e in exits if e.stays is not None))
        if any(n.constant is not None and n.constant < 0 for n in preconditions):
            why = f"a value that it is tested with wraps around ({loop.at})"
            return replace(self._unsolved(header, why), guard=guard)
        reason = next((e.reason for e in exits if e.reason is not None), None)
        if bound == ZERO and reason is None and self._is_over_options(header):
            return self._unsolved(header, "it runs for each word behind those that are read always")
        if bound is None and reason is None:
            why = "it has no exit that its own variables decide"
            return replace(self._unsolved(header, why), guard=guard)
        if reason is not None:
            lower = minimum(*(e.least for e in exits), assumptions=assumptions)
            preconditions = preconditions if bound is not None else NO_PRECONDITIONS
            iterations = self._mean(header, reason, bound, lower, preconditions, notes)
        else:
            assert bound is not None
            iterations = exactly(bound, preconditions, notes)
        return LoopSolution(
            header, index, forms.updates, forms.initial, forms.closed, limits, iterations, guard
        )

    def _is_over_options(self, header: str) -> bool:
        """Does a loop ask how many words the command line has? Those that a program reads by their
        number are taken for all of them, but here more may follow."""
        function = self.view.function
        tests = (
            function.definitions.get(o)
            for e in self.view.loops[header].exits
            for o in function.blocks[e.source].terminator.operands[:1]
        )
        return any(
            is_icmp(i) and any(self.view.program.is_assumed_argc(function, o) for o in i.operands)
            for i in tests
        )

    def _exits(
        self, header: str, assumptions: Assumptions
    ) -> tuple[list[ExitBounds], frozenset[str]]:
        """The exits that are counted on, and in words those that are taken not to be taken."""
        view = self.view
        loop, forms = view.loops[header], view.variables.forms(header)
        index = view.variables.index(header)
        counted, notes = counted_exits(view, loop)
        alone = len(counted) == 1
        return [
            exit_bounds(view, loop, e, forms, index, assumptions, is_alone=alone) for e in counted
        ], notes

    @staticmethod
    def _bound(
        exits: list[ExitBounds], assumptions: Assumptions
    ) -> tuple[Expr | None, tuple[Limit, ...], frozenset[Expr]]:
        """Iterations until the first exit (None where no exit bounds them), the iteration in which
        each exit is taken, and what this needs."""
        changing = [e for e in exits if not e.is_lasting]
        lasting = [(e.exact.holds, e.edge) for e in exits if e.is_lasting and e.exact is not None]
        found = [(e.latest, e.edge.is_test) for e in changing if e.latest is not None]
        bound, preconditions = changing_bound(exits, assumptions)
        limits = [
            certain(Limit(e.edge, None if e.exact is None else e.exact.at), found, bound)
            for e in changing
        ]
        # an exit that is taken at once or never: in the first iteration, or behind all others
        limits += [
            Limit(edge, None if bound is None else choose(holds, bound + 1, ZERO))
            for holds, edge in lasting
            if holds != ONE
        ]
        if bound is not None:
            for holds, edge in lasting:
                if holds != ONE:
                    # left at once where it does not hold: behind the test by a break, an iteration
                    # has started
                    started = ZERO if edge.is_test else (1 - holds) * minimum(bound, 1)
                    bound = bound * holds + started
        return bound, tuple(limits), preconditions.union(*(e.preconditions for e in exits))

    def iterations(self, header: str) -> BoundedCount:
        """Iterations per entry, over the variables of the loops around."""
        return self.solution(header).iterations

    # -- values after a loop
    def exit_value(self, header: str, label: str | None, value: Value) -> Value | None:
        """The value of a loop's register once the loop has been left by an edge from `label`, or by
        any, where it is None."""
        view = self.view
        if not any(view.varying(e, header) for e in (value.expr, *value.preconditions)):
            return value
        exits = [
            e
            for e in view.loops[header].exits
            if not e.is_unwind and e.target not in view.paths.dead
        ]
        by_one = label is not None and len(exits) > 1
        own = [e for e in exits if e.source == label] if by_one else exits
        if len(own) != 1 or header in self._active:
            return None
        self._active.add(header)
        try:
            solution = self.solution(header)
        finally:
            self._active.discard(header)
        left_at = self._left_at(header, own[0], solution, is_alone=len(exits) == 1)
        if left_at is None:
            return None
        try:
            e = value.expr.substitute(solution.closed)
            if view.varying(e, header):
                return None
            at = {solution.index: left_at}
            preconditions = frozenset(
                n.substitute(solution.closed).substitute(at) for n in value.preconditions
            )
            more, broken = proved(
                view.variables.forms(header).needed(value.expr.symbols),
                solution.index,
                left_at - 1,
                Assumptions([sym(solution.index)]),
            )
            return (
                Value(e.substitute(at), preconditions | more | solution.iterations.preconditions)
                if broken is None
                else None
            )
        except TooComplex:
            return None

    def _left_at(
        self, header: str, edge: ExitEdge, solution: LoopSolution, *, is_alone: bool
    ) -> Expr | None:
        """The iteration in which a loop is left by an exit, if it is left there; None where it is
        not one value."""
        iterations = solution.iterations
        if not iterations.reason:
            ends = [x.at for x in solution.limits if x.edge == edge or is_alone]
            return ends[0] if len(ends) == 1 else None
        if not is_alone:
            return None
        if iterations.formula is None or not is_entered_once(self.view, header):
            return None
        return iterations.formula if edge.is_test else iterations.formula - 1
