"""Executions of blocks: nests summed level by level.

N = sum_{i1} sum_{i2} ... n_r, each level summed exactly, conditions in between as indicators
(slides 004, "Counting the number of iterations"). Where a level depends on data, a named mean or
fraction takes its place, which may only multiply; where it would have to do more, the whole inner
count becomes one mean.
"""

from __future__ import annotations

from dataclasses import replace

from ...closed_forms.index_range import inner_assumptions
from ...closed_forms.iteration_preconditions import for_all_iterations
from ...closed_forms.sums import summation
from ...closed_forms.telescoping import telescoped
from ...expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    Loaded,
    Sum,
    TooComplex,
    carried,
    expr,
    is_nonnegative,
    maximum,
    sym,
    symbols,
)
from ...ir.loop_info import TEAM_LOOP
from ...ir.matchers import is_phi
from ..addresses import rests_on_address
from ..bounded_count import LONG_BOUND, BoundedCount, exactly, unknown
from ..context import FunctionContext
from ..unknowns import UnknownInfo
from .block_runs import BlockRuns
from .guards import above_idle_guards
from .largest import with_largest

_ITERATION = "i"
"""What messages call the number of an iteration."""
_MOST_TERMS = 16
"""Iterations of a loop whose sum is written term by term, where it has no other form."""
RISING_NOTE = "offsets read in the loop at {} do not decrease"


class Executions:
    """Executions of the blocks of one function, per call of it."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._runs = BlockRuns(view)
        self._executions: dict[str, BoundedCount] = {}

    def of(self, block: str) -> BoundedCount:
        """Executions of a block per call of the function."""
        if block not in self._executions:
            found = self.total(block, exactly(ONE), block, key=block)
            if self._rests_on_data(found):
                found = self.view.constant_runs.executions(block) or found
            self._executions[block] = found
        return self._executions[block]

    def iterations_per_call(self, header: str) -> BoundedCount:
        loop, key = self.view.loops[header], f"iterations.{header}"
        each = self.view.trip_counts.iterations(header)
        total = self._total(header, each, loop.at, loop.parent, key=key)
        if self._rests_on_data(total):
            total = self.view.constant_runs.iterations(header) or total
        total = self._within_ranges(total)
        if self._is_told(total.upper):
            return total
        if loop.is_source:
            total = self._bounded(total, self._of_largest_entry(header, each))
            total = self._bounded(total, self.view.ranking.iterations(header, None))
            if total.upper is None:
                total = total.at_most(self.view.ranking.inside_objects(header, None))
        return total

    def bounded_entry(self, header: str, each: BoundedCount, in_call: BoundedCount) -> BoundedCount:
        """The iterations of one entry of a loop, with the bound of its largest one, or of a whole
        call."""
        if each.reason is None:
            return each
        most = self._most_of_entries(header, each)
        if self._is_told(in_call.upper) and not self._is_told(most):
            return each.at_most(in_call)
        if most is None:
            return each
        return each.at_most(BoundedCount(None, ZERO, most, each.preconditions, each.notes))

    def _most_of_entries(self, header: str, each: BoundedCount) -> Expr | None:
        """The most iterations of an entry of a loop, of all entries in a call."""
        most, around = each.upper, self.view.enclosing_loops(header)
        if most is None or not around or not all(map(self._is_told, each.preconditions)):
            return None
        for h in around:
            most = self._at_most(most, h)
        if self.view.varying(most, around[-1]) or any(map(symbols.is_iteration, most.symbols)):
            return None
        return None if rests_on_address(self.view.program, most) else most

    def _of_largest_entry(self, header: str, each: BoundedCount) -> BoundedCount | None:
        """As often as a loop is entered, by ranking arguments, the most iterations of an entry."""
        preheader = self.view.loops[header].preheader
        most = None if preheader is None else self._most_of_entries(header, each)
        if most is None or preheader is None:
            return None
        entered = self.view.ranking.executions(preheader)
        if entered is None:
            return None
        return entered.times(BoundedCount(None, ZERO, most, each.preconditions, each.notes))

    def total(
        self, node: str, each: BoundedCount, target: str, around: str | None = "", *, key: str
    ) -> BoundedCount:
        """Sum of `each` (over loop variables) over all executions of `node` in one call of the
        function.

        For a loop as node (`around` is the header of the loop around it, or None), over all its
        entries. `target` is what is counted, in words; `key` tells it from all else that is
        counted.
        """
        total = self._total(node, each, target, around, key=key)
        header = self.view.forest.innermost.get(node) if around == "" else around
        total = self._within_ranges(total)
        if header is None or self._is_told(total.upper) or not self._is_told(each.upper):
            return total
        bound = self.view.ranking.executions(node)
        if bound is not None:
            bound = bound.times(BoundedCount(None, ZERO, each.upper, each.preconditions))
        return self._bounded(total, bound)

    def _bounded(self, total: BoundedCount, bound: BoundedCount | None) -> BoundedCount:
        """A total with a bound that was found in another way, where it has none, or one over values
        of a run."""
        if bound is None or bound.upper is None:
            return total
        upper = total.upper
        program = self.view.program
        if upper is None or (
            rests_on_address(program, upper) and not rests_on_address(program, bound.upper)
        ):
            return total.at_most(bound)
        if not bound.upper.symbols < upper.symbols:
            # nobody could tell whether a bound holds that rests on values which it does not name
            if not all(map(self._is_told, (bound.upper, *total.preconditions))):
                return total
        return total.at_most(bound)

    def _within_ranges(self, total: BoundedCount) -> BoundedCount:
        """A total with the largest values that bits can have in place of those of a run."""
        if total.upper is None or self._is_told(total.upper):
            return total
        upper, needs = self.view.program.unknowns.at_most(total.upper)
        return replace(total, upper=upper, preconditions=total.preconditions | needs)

    def _is_told(self, upper: Expr | None) -> bool:
        """Is it a bound over what the function is given?"""
        if upper is None:
            return False
        unknowns = self.view.program.unknowns
        return not any(
            symbols.is_iteration(s) or (unknowns.get(s) is not None and not symbols.is_loaded(s))
            for s in upper.symbols
        )

    def _total(
        self, node: str, each: BoundedCount, target: str, around: str | None = "", *, key: str
    ) -> BoundedCount:
        """`total` by the loops around, one after another."""
        view = self.view
        header = view.forest.innermost.get(node) if around == "" else around
        total = each
        while header is not None:
            node = above_idle_guards(view, total, header, node)
            weight = view.paths.weight(header, node)
            periodic = self._periodic(header, node, total, weight)
            if periodic is not None:
                total, node = total.times(periodic), header
                header = view.loops[header].parent
                continue
            total = total.times(weight)
            if view.loops[header].is_shared and _depends_on_thread(view, header, total):
                at = view.loops[header].at
                return unknown(f"it depends on which thread runs which iterations of {at}")
            total = self._over(total, header, self._runs.runs(header, node), target, key)
            node, header = header, view.loops[header].parent
        node = above_idle_guards(view, total, None, node)
        return total.times(view.paths.weight(view.function.entry.name, node))

    def _rests_on_data(self, count: BoundedCount) -> bool:
        """Is a count not known, or only over what a run tells?"""
        if count.reason is not None or count.formula is None:
            return True
        unknowns = self.view.program.unknowns
        infos = (unknowns.get(s) for s in count.formula.symbols)
        return any(info is not None and info.kind != "variable" for info in infos)

    def _periodic(
        self, header: str, node: str, each: BoundedCount, weight: BoundedCount
    ) -> BoundedCount | None:
        """Executions of `node` in a loop where a state that comes back decides them, and what is
        counted is the same each time."""
        if not self._rests_on_data(weight) or _may_vary(self.view, header, each):
            return None
        return self.view.constant_runs.periodic(header, node, self._runs.runs(header, node))

    def _over(
        self, each: BoundedCount, header: str, runs: BoundedCount, target: str, key: str
    ) -> BoundedCount:
        """Sum over the iterations of one loop."""
        view, solution = self.view, self.view.trip_counts.solution(header)
        index = solution.index
        used = frozenset().union(
            *(e.symbols for e in (each.formula, each.lower, each.upper) if e is not None)
        )
        each = each.substitute(solution.closed)
        each = replace(
            each, preconditions=each.preconditions | view.variables.forms(header).needed(used)
        )
        # the formula is only claimed where its preconditions hold, so they may be used
        outside = view.assumptions_on_entry(view.loops[header]).plus(
            *runs.preconditions, *(n for n in each.preconditions if index not in n.symbols)
        )
        at, reason = view.loops[header].at, each.reason or runs.reason
        formula, rising = self._formula(each, runs, header, outside)
        if rising:
            each = replace(each, notes=each.notes | {RISING_NOTE.format(at)})
        lower, upper = self._bounds(formula, each, runs, header, outside)
        if formula is None and each.formula is not None and runs.formula is not None:
            formula = runs.formula * self._mean_per_iteration(target, key, header)
            reason = reason or (
                f"it depends on the iteration of the loop at {at} in a way without closed form"
            )
        preconditions, notes, broken = self._discharge(each.preconditions, header, runs.formula)
        if notes and upper != formula:  # nobody can tell whether data keep what bounds rest on
            lower, upper = ZERO, None
        if broken and formula is not None:
            formula = None
            if runs.formula is not None:
                formula = runs.formula * self._mean_per_iteration(target, key, header)
            lower, upper = ZERO, None
            reason = reason or _unproved(broken, index, at)
        return BoundedCount(
            formula,
            lower,
            upper,
            preconditions | runs.preconditions,
            each.notes | runs.notes | notes,
            reason,
        )

    def _formula(
        self, each: BoundedCount, runs: BoundedCount, header: str, assumptions: Assumptions
    ) -> tuple[Expr | None, bool]:
        """As `_sum`, for counts that may have no formula."""
        if each.formula is None or runs.formula is None:
            return None, False
        index = self.view.variables.index(header)
        try:
            return self._sum(each.formula, index, runs.formula, header, assumptions)
        except TooComplex:
            return None, False

    def _bounds(
        self,
        formula: Expr | None,
        each: BoundedCount,
        runs: BoundedCount,
        header: str,
        assumptions: Assumptions,
    ) -> tuple[Expr, Expr | None]:
        """Bounds of the sum; the formula itself where it is exact."""
        is_exact = not runs.reason and not each.reason and each.lower == each.formula
        if formula is not None and is_exact:
            return formula, formula
        index = self.view.variables.index(header)
        lower = self._bound(each.lower, index, runs.lower, header, assumptions) or ZERO
        if formula is None and lower.has_sum:  # of what is read, which callers cannot tell
            lower = ZERO
        if each.upper is None or runs.upper is None:
            return lower, None
        # beyond the iterations that are run it may fall below zero
        most = each.upper if runs.upper is runs.formula else maximum(0, each.upper)
        most = self._at_most(most, header)
        upper = self._bound(most, index, runs.upper, header, assumptions)
        return lower, None if upper is None or _adds_up_reads(upper) else upper

    def _mean_per_iteration(self, target: str, key: str, header: str) -> Expr:
        view = self.view
        at = view.loops[header].at
        block = view.function.blocks.get(target)
        target = target if block is None else view.place(block.instructions[0])
        return view.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(view.function.name, "mean", key, header),
                "mean",
                "u",
                f"mean executions of {target} per iteration of the loop at {at}",
                at,
                view.function.name,
                header,
            )
        )

    def _bound(
        self, each: Expr, index: str, runs: Expr, header: str, assumptions: Assumptions
    ) -> Expr | None:
        if self.view.varying(each, header) or len(each.terms) > LONG_BOUND:
            return None
        if not all(self._is_value(s) for s in each.symbols | runs.symbols):
            return None  # none that is read comes of it
        try:
            return summation(each, index, runs, assumptions)
        except TooComplex:
            return None

    def _is_value(self, symbol: str) -> bool:
        """Does a symbol stand for a parameter, a variable or one value of the program?"""
        info = self.view.program.unknowns.get(symbol)
        return info is None or info.kind in ("value", "variable")

    def _at_most(self, each: Expr, header: str) -> Expr:
        """A bound with the largest one of what differs between the iterations of a loop
        (`largest`)."""
        varying = frozenset(self.view.varying(each, header))
        return with_largest(self.view, each, varying, self.view.variables.index(header))

    def _sum(
        self, each: Expr, index: str, runs: Expr, header: str, assumptions: Assumptions
    ) -> tuple[Expr | None, bool]:
        """The sum's formula, None where a mean must take its place; and whether it rests on rising
        offsets."""
        varying = self.view.varying(each, header)
        if (
            index in each.symbols
            and not varying
            and any(isinstance(a, Loaded) and index in a.symbols for a in each.all_atoms())
        ):
            found = telescoped(each, index, runs, assumptions)
            if found is None:
                return self._term_by_term(each, index, runs), False
            return found[0], bool(found[1])
        found_sum = self._tried_sum(each, varying, index, runs, assumptions)
        if (found_sum is None or found_sum.has_sum) and index in each.symbols and not varying:
            return self._term_by_term(each, index, runs) or found_sum, False
        return found_sum, False

    def _tried_sum(
        self, each: Expr, varying: list[str], index: str, runs: Expr, assumptions: Assumptions
    ) -> Expr | None:
        try:
            return self._plain_sum(each, varying, index, runs, assumptions)
        except TooComplex:
            return None

    def _term_by_term(self, each: Expr, index: str, runs: Expr) -> Expr | None:
        """The sum over the few iterations of a loop that reads a table: `for (k = 0; k < 3; k++)
        for (i = 0; i < size[k]; i++)`."""
        number = runs.constant
        if not isinstance(number, int) or not 0 <= number <= _MOST_TERMS:
            return None
        if self.view.program.unknowns.has_linear(each):
            return None
        memory, total = self.view.program.memory, ZERO
        for k in range(number):
            total = total + carried(each, {index: expr(k)}, lambda a: memory.element(self.view, a))
        return total

    def _plain_sum(
        self, each: Expr, varying: list[str], index: str, runs: Expr, assumptions: Assumptions
    ) -> Expr | None:
        unknowns = self.view.program.unknowns
        if not varying and not unknowns.has_linear(runs):
            return summation(each, index, runs, assumptions)
        if not self._only_multiply(each, varying):
            return None
        if index not in each.symbols:
            return each * runs
        # What all terms share, means and fractions, keeps its meaning as a mean weighted by the
        # rest.
        shared = {tuple((a, n) for a, n in m if a.key in varying) for m in each.terms}
        factor = shared.pop()
        if (
            shared
            or unknowns.has_linear(runs)
            or any((info := unknowns.get(a.key)) is None or info.kind == "value" for a, _ in factor)
        ):
            return None
        rest = Expr(
            {tuple((a, n) for a, n in m if a.key not in varying): c for m, c in each.terms.items()}
        )
        return Expr({factor: 1}) * summation(rest, index, runs, assumptions)

    def _only_multiply(self, e: Expr, names: list[str]) -> bool:
        """Do the symbols occur as plain factors: any number of means and fractions of one nest, or
        one value?"""
        for monomial in e.terms:
            values = 0
            for a, n in monomial:
                if a.symbols.isdisjoint(names):
                    continue
                if a.key not in names or n != 1:
                    return False
                info = self.view.program.unknowns.get(a.key)
                values += info is not None and info.kind in ("value", "variable")
                if info is not None and info.kind == "variable":
                    return False
            if values > 1 or (values and sum(a.key in names for a, _ in monomial) > 1):
                return False
        return True

    def _discharge(
        self, preconditions: frozenset[Expr], header: str, runs: Expr | None
    ) -> tuple[frozenset[Expr], frozenset[str], Expr | None]:
        """Needs of one iteration -> what must hold for all of them; in words, what data must keep;
        one that cannot be said without the index."""
        if not preconditions:
            return preconditions, frozenset(), None
        view = self.view
        loop, index = view.loops[header], view.variables.index(header)
        assumptions = view.assumptions_on_entry(loop)
        last = (runs if runs is not None else sym(symbols.NO_COUNT)) - 1
        inside = (
            inner_assumptions(index, runs, assumptions)
            if runs is not None
            else assumptions.plus(sym(index))
        )
        by_data = {n for n in preconditions if view.varying(n, header)}
        notes = {f"no wrap-around of values in the loop at {loop.at}"} if by_data else set()
        left, broken = for_all_iterations(preconditions - by_data, index, last, inside)
        return frozenset(n for n in left if not is_nonnegative(n)), frozenset(notes), broken


def _adds_up_reads(e: Expr) -> bool:
    """Is something added up that is read anew for each index? Nobody who is told a name for it can
    tell the sum."""
    return any(
        isinstance(a, Sum)
        and any(isinstance(b, Loaded) and a.index in b.symbols for b in a.body.all_atoms())
        for a in e.all_atoms()
    )


def _may_vary(view: FunctionContext, header: str, each: BoundedCount) -> bool:
    """May a count differ between the iterations of a loop?"""
    if each.reason is not None or each.formula is None:
        return True
    own = {view.variables.index(header), *_variables(view, header)}
    formulas = (each.formula, each.lower, each.upper, *each.preconditions)
    return any(e is not None and not e.symbols.isdisjoint(own) for e in formulas)


def _unproved(needed: Expr, index: str, at: str) -> str:
    """The reason for it that a count has no formula where a precondition must hold in every
    iteration of a loop."""
    readable = needed.substitute({index: sym(_ITERATION)})
    if any(map(symbols.is_internal, readable.symbols)):
        return f"it needs a value not below zero in every iteration, which is not evident ({at})"
    which = f" {_ITERATION}" if index in needed.symbols else ""
    return f"it needs {readable} >= 0 in every iteration{which} of the loop at {at}"


# -- loops whose iterations a team of threads shares
def _depends_on_thread(view: FunctionContext, header: str, each: BoundedCount) -> bool:
    """May what is counted for one iteration of a shared loop depend on the thread that runs it, or
    on what that thread has run before?

    Thread 0 stands for the team (`frontend.openmp`): it runs all iterations, in order. That is what
    every schedule comes to as long as an iteration does the same whoever runs it, and whatever the
    same thread has run before.
    """
    team = _team(view, header)
    if team is None:
        return False
    own = {view.variables.index(team), *_variables(view, team)}
    own |= _variables(view, header) - _counters(view, header)
    parts = (each.formula, each.lower, each.upper, *each.preconditions)
    return any(e is not None and not e.symbols.isdisjoint(own) for e in parts)


def _team(view: FunctionContext, header: str) -> str | None:
    """The loop over the threads around a loop."""
    parent = view.loops[header].parent
    while parent is not None and not parent.startswith(TEAM_LOOP):
        parent = view.loops[parent].parent
    return parent


def _variables(view: FunctionContext, header: str) -> set[str]:
    """The variables of a loop that change from one iteration to the next."""
    phis = view.function.blocks[header].phis
    return {s for p in phis for s in view.variables.variable(p, header).expr.symbols}


def _counters(view: FunctionContext, header: str) -> set[str]:
    """Those that the loop is counted with."""
    function = view.function
    seen: set[str] = set()
    work = [str(o) for o in function.blocks[header].terminator.operands]
    while work:
        token = work.pop()
        if token not in seen:
            seen.add(token)
            i = function.definitions.get(token)
            if i is not None and not is_phi(i):
                work += [str(o) for o in i.operands]
    found: set[str] = set()
    for phi in function.blocks[header].phis:
        if phi.token in seen:
            found |= view.variables.variable(phi, header).expr.symbols
    return found
