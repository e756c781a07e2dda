"""Loops solved and nests counted.

For a loop: the closed forms of its variables, the iteration in which it ends, how often it runs per
entry. For a nest: N = sum_{i1} sum_{i2} ... n_r, each level summed exactly, conditions in between
as indicators (slides 004, "Counting the number of iterations"). Where a level depends on data, a
named mean or fraction takes its place, which may only multiply; where it would have to do more, the
whole inner count becomes one mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..closed_forms.recurrences import (
    Horizon,
    closed_forms,
    earliest,
    failure_between,
    first_failure,
)
from ..closed_forms.sums import inner_facts, summation, telescoped, unguarded
from ..expr import (
    LOADED,
    ONE,
    ZERO,
    Expr,
    Facts,
    Floor,
    Loaded,
    TooComplex,
    choose,
    from_atom,
    is_integer,
    is_nonnegative,
    maximum,
    minimum,
    sym,
)
from ..expr.budget import Provisional
from ..expr.predicates import Cond, conjunction, disjunction
from ..ir.loop_info import ExitEdge, Loop
from ..ir.types import Instruction
from .bounded_count import LONG_BOUND, Quantity, exactly
from .context import FunctionContext
from .loop_solution import Limit, LoopSolution
from .unknowns import OpaqueInfo
from .values import NO_NEEDS, Value

_NO_CLOSED_FORM = "its end has no closed form"
RISING_NOTE = "offsets read in the loop at {} do not decrease"


@dataclass(frozen=True)
class _Forms:
    """A loop's variables: updates, initial values, closed forms, and what each value needs to be
    right."""

    updates: dict[str, Expr]
    initial: dict[str, Expr]
    closed: dict[str, Expr]
    needs: dict[str, frozenset[Expr]]

    def needed(self, symbols: frozenset[str]) -> frozenset[Expr]:
        """What the closed forms of these variables, and of those they depend on, need; over the
        iteration number."""
        seen: set[str] = set()
        work = [s for s in symbols if s in self.closed]
        found: set[Expr] = set()
        while work:
            name = work.pop()
            if name not in seen:
                seen.add(name)
                found |= self.needs.get(name, NO_NEEDS)
                work.extend(s for s in self.updates[name].symbols if s in self.closed)
        return frozenset(n.substitute(self.closed) for n in found)


class Nests:
    """Loops and nests of one function."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._solutions: dict[str, LoopSolution] = {}
        self._closed: dict[str, _Forms] = {}
        self._executions: dict[str, Quantity] = {}
        self._runs: dict[tuple[str, str], Quantity] = {}
        self._active: set[str] = set()
        self._passed: dict[tuple[str, str], frozenset[str]] = {}

    # -- loop variables
    def variable(self, phi: Instruction, header: str) -> Value:
        """The symbol of a loop variable."""
        view = self.view
        name = view.variable_name(phi.token)
        return Value(
            view.program.opaques.add(
                OpaqueInfo(
                    self._symbol(phi),
                    "variable",
                    name or "i",
                    f"loop variable {name or phi.name}",
                    view.loops[header].at,
                    view.function.name,
                    header,
                )
            )
        )

    def _symbol(self, phi: Instruction) -> str:
        return f"%{self.view.function.name}.{phi.name}"

    def index(self, header: str) -> str:
        """Name of the iteration number."""
        return f"%i.{self.view.function.name}.{header}"

    def _phis(self, header: str) -> list[Instruction]:
        return [
            p
            for p in self.view.function.blocks[header].phis
            if p.type in ("ptr", "double", "float") or p.type[:1] == "i"
        ]

    def signs(self, header: str) -> list[Expr]:
        """Lower bounds of loop variables that plainly never decrease (read off the instructions,
        nothing is solved)."""
        view, found = self.view, []
        loop = view.loops[header]
        for phi in self._phis(header):
            if loop.latch is None or loop.latch not in phi.labels or phi.type == "ptr":
                continue
            update = view.function.definitions.get(phi.operands[phi.labels.index(loop.latch)])
            if update is None or len(update.operands) != 2 or update.operands[0] != phi.token:
                continue
            amount = update.operands[1]
            grows = (update.opcode == "add" and amount.isdigit() and int(amount) < 1 << 31) or (
                update.opcode in ("mul", "shl") and amount.isdigit()
            )
            start = [
                o for o, label in zip(phi.operands, phi.labels, strict=True) if label != loop.latch
            ]
            if grows and len(start) == 1 and start[0].isdigit():
                found.append(sym(self._symbol(phi)) - int(start[0]))
        return found

    def _forms(self, header: str) -> _Forms:
        """What is known of the loop's variables."""
        if header not in self._closed:
            with Provisional(self._closed, header, _Forms({}, {}, {}, {})):
                self._closed[header] = self._find_forms(header)
        return self._closed[header]

    def _find_forms(self, header: str) -> _Forms:
        view = self.view
        loop = view.loops[header]
        updates: dict[str, Expr] = {}
        initial: dict[str, Expr] = {}
        needs: dict[str, frozenset[Expr]] = {}
        names = {self._symbol(p): p for p in self._phis(header)}
        for name, phi in names.items():
            self.variable(phi, header)
            if loop.latch is None:
                continue
            start = [
                o
                for o, label in zip(phi.operands, phi.labels, strict=True)
                if label not in loop.blocks
            ]
            read = (
                view.scalars.exact_float if phi.type in ("double", "float") else view.scalars.value
            )
            update = read(phi.operands[phi.labels.index(loop.latch)])
            first = read(start[0]) if len(start) == 1 else None
            if update is None or first is None:
                continue
            foreign = [s for s in view.varying(update.expr, header) if s not in names]
            if foreign or self._wraps_on_purpose(phi, loop):
                continue
            grain = view.scalars.grain(phi) if phi.type in ("double", "float") else 1
            if grain > 1 and not is_integer(update.expr * grain):
                continue
            updates[name] = update.expr * grain
            initial[name] = first.expr * grain
            needs[name] = first.needs | update.needs
        # a variable that depends on one without an update has none either
        while drop := [
            n for n, e in updates.items() if any(s in names and s not in updates for s in e.symbols)
        ]:
            for n in drop:
                del updates[n]
        closed = closed_forms(updates, initial, self.index(header))
        return _Forms(updates, initial, closed, needs)

    def _wraps_on_purpose(self, phi: Instruction, loop: Loop) -> bool:
        """Unsigned multiplication in a variable that does not decide when the loop ends: a random
        number, a hash."""
        function = self.view.function
        assert loop.latch is not None
        seen: set[str] = {phi.token}
        work, multiplies = [phi.operands[phi.labels.index(loop.latch)]], False
        while work:
            token = work.pop()
            i = function.definitions.get(token)
            if (
                i is None
                or token in seen
                or function.block_of[token] not in loop.blocks
                or i.opcode == "phi"
            ):
                continue
            seen.add(token)
            if i.opcode in ("mul", "shl") and not i.flags & {"nsw", "nuw"}:
                multiplies = True
            work.extend(i.operands)
        if not multiplies:
            return False
        tests: set[str] = set()
        for edge in loop.exits:
            work = list(function.blocks[edge.source].terminator.operands[:1])
            while work:
                token = work.pop()
                if token not in tests and token in function.definitions:
                    tests.add(token)
                    i = function.definitions[token]
                    if i.opcode != "phi":
                        work.extend(i.operands)
        return phi.token not in tests

    def is_solved(self, symbol: str, header: str) -> bool:
        """Has the loop variable a closed form?"""
        return symbol in self._forms(header).closed

    def around(self, header: str) -> list[str]:
        """The loops around one, from inside out."""
        found: list[str] = []
        parent = self.view.loops[header].parent
        while parent is not None:
            found.append(parent)
            parent = self.view.loops[parent].parent
        return found

    # -- one loop
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
        return self._solutions[header]

    def _mean(
        self,
        header: str,
        reason: str,
        upper: Expr | None = None,
        lower: Expr = ZERO,
        needs: frozenset[Expr] = NO_NEEDS,
        notes: frozenset[str] = frozenset(),
    ) -> Quantity:
        view = self.view
        at = view.loops[header].at
        symbol = view.program.opaques.add(
            OpaqueInfo(
                f"%{view.function.name}.trips.{header}",
                "mean",
                "t",
                f"mean iterations of the loop at {at}",
                at,
                view.function.name,
                view.loops[header].preheader or view.function.entry.name,
            )
        )
        return Quantity(symbol, lower, upper, needs, notes, reason)

    def _unsolved(self, header: str, reason: str) -> LoopSolution:
        forms = self._closed.get(header) or _Forms({}, {}, {}, {})
        limits = tuple(Limit(e, None) for e in self.view.loops[header].exits if not e.is_unwind)
        return LoopSolution(
            header,
            self.index(header),
            forms.updates,
            forms.initial,
            forms.closed,
            limits,
            self._mean(header, reason),
            Cond("opaque"),
        )

    def _solve(self, header: str) -> LoopSolution:
        view = self.view
        loop = view.loops[header]
        if loop.latch is None:
            return self._unsolved(header, "it has several latches")
        forms = self._forms(header)
        closed = forms.closed
        index = self.index(header)
        limits: list[Limit] = []
        needs: frozenset[Expr] = NO_NEEDS
        notes: frozenset[str] = frozenset()
        holding: list[tuple[Expr, ExitEdge]] = []
        found: list[tuple[Horizon, bool]] = []
        guards: list[Cond] = []
        least: list[Expr] = []
        facts = self._facts_on_entry(loop).plus(sym(index))
        reason = None
        for edge in loop.exits:
            if edge.is_unwind:
                notes |= {f"no exception leaves the loop at {loop.at}"}
                continue
            if edge.target in view.paths.dead:
                notes |= {
                    f"no error exit at {view.place(view.function.blocks[edge.source].terminator)}"
                }
                continue
            condition, more, why = self._stays(loop, edge)
            more = frozenset(n.substitute(closed) for n in more).union(
                *(forms.needed(e.symbols) for e in condition.formulas())
            )
            if why is None:
                guards.append(condition)
            condition = condition.substitute(closed)
            horizon: Horizon | None = None
            if why is None:
                horizon, why = self._horizon(header, condition, facts)
            at_least, at_most = horizon, horizon
            if why is not None:
                reason = (
                    reason or f"{why} ({view.place(view.function.blocks[edge.source].terminator)})"
                )
                between = (
                    failure_between(condition, index)
                    if why == _NO_CLOSED_FORM and not more
                    else None
                )
                at_least, at_most = between or self._around_data(header, condition, facts)
                more = frozenset(
                    n for n in more if not view.varying(n, header)
                )  # others are the data's own
            if horizon is not None and horizon.at is None:
                holding.append((horizon.holds, edge))
                least.append(ZERO)
                continue
            left, broken = NO_NEEDS, None
            if at_most is not None and at_most.at is not None:
                left, broken = self._proved(
                    loop, more - set(at_most.wrapped), index, at_most.at, facts
                )
            if broken is not None:
                reason = (
                    reason
                    or f"it needs a value not below zero in every iteration, which is not evident ({loop.at})"
                )
                at_least = at_most = horizon = None
            needs |= left
            limits.append(Limit(edge, None if horizon is None else horizon.at))
            if at_most is not None:
                found.append((at_most, edge.is_test))
            early = ZERO
            if at_least is not None and at_least.at is not None and at_least.happens == ONE:
                early = ZERO if why is not None and (more or at_least.needs) else at_least.at
            least.append(early + (not edge.is_test))
        # beside exits that data decide, one that may never be taken bounds nothing
        bound, more = _first_exit(
            [f for f in found if f[0].happens == ONE] if reason else found, facts
        )
        needs |= more
        limits = [_certain(limit, found, bound) for limit in limits]
        # an exit that is taken at once or never: in the first iteration, or behind all others
        limits += [
            Limit(edge, None if bound is None else choose(holds, bound + 1, ZERO))
            for holds, edge in holding
            if holds != ONE
        ]
        guard = conjunction(*guards)
        if bound is None and reason is None:
            return replace(
                self._unsolved(header, "it has no exit that its own variables decide"), guard=guard
            )
        for holds, edge in holding:
            if bound is not None and holds != ONE:
                bound = (
                    bound * holds
                    if edge.is_test
                    else bound * holds + (1 - holds) * minimum(bound, 1)
                )
        if reason is not None:
            lower = minimum(*least, facts=facts)
            needs = needs if bound is not None else NO_NEEDS
            iterations = self._mean(header, reason, bound, lower, needs, notes)
        else:
            assert bound is not None
            iterations = exactly(bound, needs, notes)
        return LoopSolution(
            header, index, forms.updates, forms.initial, closed, tuple(limits), iterations, guard
        )

    def _horizon(
        self, header: str, condition: Cond, facts: Facts
    ) -> tuple[Horizon | None, str | None]:
        """When a condition over the iteration number first fails; or why that cannot be told."""
        if condition.is_opaque or any(self.view.varying(e, header) for e in condition.formulas()):
            return None, "its end depends on data"
        horizon = first_failure(condition, self.index(header), facts)
        return horizon, None if horizon else _NO_CLOSED_FORM

    def _around_data(
        self, header: str, condition: Cond, facts: Facts
    ) -> tuple[Horizon | None, Horizon | None]:
        """Horizons before and after which a condition that data take part in cannot first fail: `a
        or data` holds while a does, `a and data` no longer than a does."""
        known = [self._horizon(header, p, facts)[0] for p in condition.parts]
        some = [h for h in known if h is not None and h.at is not None and h.happens == ONE]
        if not some:
            return None, None
        if condition.kind == "or":
            return min(some, key=lambda h: len(h.needs)), None
        return None, earliest(some)

    def _facts_on_entry(self, loop: Loop) -> Facts:
        above = self.view.forest.dominator.get(loop.header, loop.header)
        return self.view.paths.facts(above) if above != loop.header else Facts()

    def _stays(self, loop: Loop, edge: ExitEdge) -> tuple[Cond, frozenset[Expr], str | None]:
        """The condition under which an iteration does not leave by this edge."""
        view = self.view
        if view.forest.innermost[edge.source] != loop.header:
            return Cond("opaque"), NO_NEEDS, "it is left from within an inner loop"
        condition, needs = view.paths.edge(edge.source, edge.target)
        stay = condition.negate()
        assert loop.latch is not None
        if not view.forest.dominates(edge.source, loop.latch):
            reach, more = view.paths.below(loop.header, edge.source)
            needs |= more
            stay = disjunction(reach.negate(), stay)
        return stay, needs, "its end depends on data" if stay.is_opaque else None

    def _proved(
        self, loop: Loop, needs: frozenset[Expr], index: str, last: Expr, facts: Facts
    ) -> tuple[frozenset[Expr], Expr | None]:
        """Needs of a test, which is made in the iterations 0 .. last: those that remain, free of
        the index; and one that cannot be said without it."""
        inside = facts.plus(last - sym(index))
        remaining: set[Expr] = set()
        broken: Expr | None = None
        for need in needs:
            left = self._remaining(loop, need, index, last, inside)
            if left is None:
                broken = need
            else:
                remaining.update(left)
        return frozenset(remaining), broken

    def _remaining(
        self, loop: Loop, need: Expr, index: str, last: Expr, inside: Facts
    ) -> list[Expr] | None:
        if is_nonnegative(need, inside):
            return []
        if index not in need.symbols:
            return [need]
        whole = need.atom
        if (
            isinstance(whole, Floor)
            and index not in whole.num.symbols
            and is_nonnegative(whole.den, inside)
        ):
            return [whole.num]
        parts = need.split(index)
        slope = parts[1].constant if parts is not None and set(parts) <= {0, 1} else None
        if slope is None:
            return None
        return [_unguarded_need(need.substitute({index: ZERO if slope > 0 else last}))]

    # -- values after a loop
    def after(self, header: str, label: str, value: Value) -> Value | None:
        """A value of the loop as it is once the loop has been left by an edge from block `label`."""
        view = self.view
        if not view.varying(value.expr, header):
            return value
        exits = [
            e
            for e in view.loops[header].exits
            if not e.is_unwind and e.target not in view.paths.dead
        ]
        if len(exits) != 1 or header in self._active:
            return None
        self._active.add(header)
        try:
            solution = self.solution(header)
        finally:
            self._active.discard(header)
        if len(solution.limits) != 1 or solution.limits[0].at is None or solution.iterations.reason:
            return None
        try:
            e = value.expr.substitute(solution.closed)
            if view.varying(e, header):
                return None
            at = {solution.index: solution.limits[0].at}
            needs = frozenset(n.substitute(solution.closed).substitute(at) for n in value.needs)
            more, broken = self._proved(
                view.loops[header],
                self._forms(header).needed(value.expr.symbols),
                solution.index,
                solution.limits[0].at - 1,
                Facts([sym(solution.index)]),
            )
            return (
                Value(e.substitute(at), needs | more | solution.iterations.needs)
                if broken is None
                else None
            )
        except TooComplex:
            return None

    # -- nests
    def runs(self, header: str, block: str) -> Quantity:
        """In how many iterations per entry control may come to `block` (its own conditions aside)."""
        key = header, block
        if key not in self._runs:
            self._runs[key] = self._find_runs(header, block)
        return self._runs[key]

    def _find_runs(self, header: str, block: str) -> Quantity:
        solution = self.solution(header)
        total = solution.iterations
        if total.formula is None:
            return total
        passed = [self._passes(header, limit.edge.source, block) for limit in solution.limits]
        if total.reason is not None:
            return self._runs_by_data(header, block, total, passed)
        bounds = [
            limit.at if beyond else limit.at + 1
            for limit, beyond in zip(solution.limits, passed, strict=True)
            if limit.at is not None
        ]
        if len(solution.limits) == 1 and bounds:
            return exactly(bounds[0], total.needs, total.notes)
        if all(
            beyond == limit.edge.is_test
            for limit, beyond in zip(solution.limits, passed, strict=True)
        ):
            return total
        return exactly(minimum(*bounds), total.needs, total.notes) if bounds else total

    def _runs_by_data(
        self, header: str, block: str, total: Quantity, passed: list[bool]
    ) -> Quantity:
        """As `runs`, for a loop whose number of iterations is a mean: the last test is made once
        more than the body."""
        limits = self.solution(header).limits
        tests = [beyond for limit, beyond in zip(limits, passed, strict=True) if limit.edge.is_test]
        others = [
            beyond for limit, beyond in zip(limits, passed, strict=True) if not limit.edge.is_test
        ]
        if all(tests) and not any(others):
            return total
        if not any(passed) and not others:
            return total.plus(exactly(ONE))
        view = self.view
        at = view.loops[header].at
        symbol = view.program.opaques.add(
            OpaqueInfo(
                f"%{view.function.name}.passes.{block}.{header}",
                "mean",
                "t",
                f"mean executions of {view.place(view.function.blocks[block].instructions[0])} per"
                f" entry of the loop at {at}",
                at,
                view.function.name,
                view.loops[header].preheader or view.function.entry.name,
            )
        )
        # left by a break before it comes here, or by the test after it was here once more
        lower = maximum(0, total.lower - 1) if any(others) else total.lower
        upper = None if total.upper is None else total.upper + (0 if all(tests) else 1)
        return Quantity(symbol, lower, upper, total.needs, total.notes, total.reason)

    def _passes(self, header: str, source: str, block: str) -> bool:
        """Does control pass the exit in `source` before it comes to `block` in the same iteration?"""
        return block not in (source, header) and block in self._behind(header, source)

    def _behind(self, header: str, source: str) -> frozenset[str]:
        """Blocks that control may come to after `source` before the next iteration, and those it
        leaves the loop to."""
        key = (header, source)
        if key not in self._passed:
            function, blocks = self.view.function, self.view.loops[header].blocks
            seen, work = {header, source}, [source]
            while work:
                for s in function.blocks[work.pop()].successors:
                    if s not in seen:
                        seen.add(s)
                        if s in blocks:
                            work.append(s)
            self._passed[key] = frozenset(seen)
        return self._passed[key]

    def iterations(self, header: str) -> Quantity:
        """Iterations per entry, over the variables of the loops around."""
        return self.solution(header).iterations

    def executions(self, block: str) -> Quantity:
        """Executions of a block per call of the function."""
        if block not in self._executions:
            self._executions[block] = self.total(block, exactly(ONE), block, key=block)
        return self._executions[block]

    def iterations_per_call(self, header: str) -> Quantity:
        loop = self.view.loops[header]
        return self.total(
            header, self.iterations(header), loop.at, loop.parent, key=f"iterations.{header}"
        )

    def total(
        self, node: str, each: Quantity, target: str, around: str | None = "", *, key: str
    ) -> Quantity:
        """Sum of `each` (over loop variables) over all executions of `node` in one call of the
        function.

        For a loop as node (`around` is the header of the loop around it, or None), over all its
        entries. `target` is what is counted, in words; `key` tells it from all else that is
        counted.
        """
        view = self.view
        header = view.forest.innermost.get(node) if around == "" else around
        total = each
        while header is not None:
            total = total.times(view.paths.weight(header, node))
            total = self._over(total, header, self.runs(header, node), target, key)
            node, header = header, view.loops[header].parent
        return total.times(view.paths.weight(view.function.entry.name, node))

    def _over(self, each: Quantity, header: str, runs: Quantity, target: str, key: str) -> Quantity:
        """Sum over the iterations of one loop."""
        view, solution = self.view, self.solution(header)
        index = solution.index
        used = frozenset().union(
            *(e.symbols for e in (each.formula, each.lower, each.upper) if e is not None)
        )
        each = each.substitute(solution.closed)
        each = replace(each, needs=each.needs | self._forms(header).needed(used))
        # the formula is only claimed where its needs hold, so they may be used
        outside = self._facts_on_entry(view.loops[header]).plus(
            *runs.needs, *(n for n in each.needs if index not in n.symbols)
        )
        reason = each.reason or runs.reason
        formula: Expr | None = None
        if each.formula is not None and runs.formula is not None:
            try:
                formula, rising = self._sum(each.formula, index, runs.formula, header, outside)
                if rising:
                    each = replace(
                        each, notes=each.notes | {RISING_NOTE.format(view.loops[header].at)}
                    )
            except TooComplex:
                formula = None
            if formula is None:
                at = view.loops[header].at
                formula = runs.formula * self._mean_per_iteration(target, key, header)
                reason = (
                    reason
                    or f"it depends on the iteration of the loop at {at} in a way without closed form"
                )
        lower, upper = ZERO, None
        if (
            formula is not None
            and not runs.reason
            and not each.reason
            and each.lower == each.formula
        ):
            lower = upper = formula
        else:
            lower = self._bound(each.lower, index, runs.lower, header, outside) or ZERO
            if each.upper is not None and runs.upper is not None:
                # beyond the iterations that are run it may fall below zero
                most = each.upper if runs.upper is runs.formula else maximum(0, each.upper)
                upper = self._bound(most, index, runs.upper, header, outside)
        needs, notes, broken = self._discharge(each.needs, header, runs.formula)
        if broken and formula is not None:
            formula = (
                runs.formula * self._mean_per_iteration(target, key, header)
                if runs.formula is not None
                else None
            )
            lower, upper = ZERO, None
            reason = (
                reason
                or f"it needs {broken} >= 0 in every iteration of the loop at {view.loops[header].at}"
            )
        return Quantity(
            formula, lower, upper, needs | runs.needs, each.notes | runs.notes | notes, reason
        )

    def _mean_per_iteration(self, target: str, key: str, header: str) -> Expr:
        view = self.view
        at = view.loops[header].at
        return view.program.opaques.add(
            OpaqueInfo(
                f"%{view.function.name}.mean.{key}.{header}",
                "mean",
                "u",
                f"mean executions of {target} per iteration of the loop at {at}",
                at,
                view.function.name,
                header,
            )
        )

    def _bound(self, each: Expr, index: str, runs: Expr, header: str, facts: Facts) -> Expr | None:
        opaques = self.view.program.opaques
        if (
            self.view.varying(each, header)
            or len(each.terms) > LONG_BOUND
            or any(
                not s.startswith(LOADED)
                and (i := opaques.get(s)) is not None
                and i.kind != "variable"
                for s in each.symbols | runs.symbols
            )
        ):
            return None  # no bound over parameters comes of it, or none that is read
        try:
            return summation(each, index, runs, facts)
        except TooComplex:
            return None

    def _sum(
        self, each: Expr, index: str, runs: Expr, header: str, facts: Facts
    ) -> tuple[Expr | None, bool]:
        """The sum's formula, None where a mean must take its place; and whether it rests on rising
        offsets."""
        varying = self.view.varying(each, header)
        if (
            index in each.symbols
            and not varying
            and any(isinstance(a, Loaded) and index in a.symbols for a in each.all_atoms())
        ):
            found = telescoped(each, index, runs, facts)
            return (found[0], bool(found[1])) if found is not None else (None, False)
        return self._plain_sum(each, varying, index, runs, facts), False

    def _plain_sum(
        self, each: Expr, varying: list[str], index: str, runs: Expr, facts: Facts
    ) -> Expr | None:
        opaques = self.view.program.opaques
        if not varying and not opaques.has_linear(runs):
            return summation(each, index, runs, facts)
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
            or opaques.has_linear(runs)
            or any((info := opaques.get(a.key)) is None or info.kind == "value" for a, _ in factor)
        ):
            return None
        rest = Expr(
            {tuple((a, n) for a, n in m if a.key not in varying): c for m, c in each.terms.items()}
        )
        return Expr({factor: 1}) * summation(rest, index, runs, facts)

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
                info = self.view.program.opaques.get(a.key)
                values += info is not None and info.kind in ("value", "variable")
                if info is not None and info.kind == "variable":
                    return False
            if values > 1 or (values and sum(a.key in names for a, _ in monomial) > 1):
                return False
        return True

    def _discharge(
        self, needs: frozenset[Expr], header: str, runs: Expr | None
    ) -> tuple[frozenset[Expr], frozenset[str], Expr | None]:
        """Needs of one iteration -> what must hold for all of them; the last: one that cannot be
        said without the index."""
        broken: Expr | None = None
        if not needs:
            return needs, frozenset(), None
        view = self.view
        loop, index = view.loops[header], self.index(header)
        facts = self._facts_on_entry(loop)
        last = (runs if runs is not None else sym("%unknown")) - 1
        inside = inner_facts(index, runs, facts) if runs is not None else facts.plus(sym(index))
        remaining: set[Expr] = set()
        notes: set[str] = set()
        for need in needs:
            if view.varying(need, header):
                notes.add(f"no wrap-around of values in the loop at {loop.at}")
                continue
            left = self._remaining(loop, need, index, last, inside)
            if left is None:
                broken = need
            else:
                remaining.update(left)
        return frozenset(n for n in remaining if not is_nonnegative(n)), frozenset(notes), broken


def _first_exit(
    found: list[tuple[Horizon, bool]], facts: Facts
) -> tuple[Expr | None, frozenset[Expr]]:
    """Iterations until the first of several exits, and what must hold for it. An exit that may
    never be taken (a test for equality that is not hit) counts where it is; where it is the only
    one, that it is taken is a need."""
    runs = [(h, h.at if is_test else h.at + 1) for h, is_test in found if h.at is not None]
    certain = [(h, at) for h, at in runs if h.happens == ONE] or runs[:1]
    if not certain:
        return None, NO_NEEDS
    bound = minimum(*(at for _, at in certain), facts=facts)
    for h, at in runs:
        if all(h is not other for other, _ in certain):
            bound = choose(h.happens, minimum(bound, at, facts=facts), bound)
    return bound, frozenset(n for h, _ in certain for n in h.needs)


def _certain(limit: Limit, found: list[tuple[Horizon, bool]], bound: Expr | None) -> Limit:
    """The limit with an exit that is not taken put behind all others."""
    for h, _ in found:
        if (
            h.at is limit.at
            and h.happens != ONE
            and len(found) > 1
            and bound is not None
            and limit.at is not None
        ):
            return Limit(limit.edge, choose(h.happens, limit.at, bound + 1))
    return limit


def _unguarded_need(need: Expr) -> Expr:
    """x - Max(0, x) >= 0 says x >= 0."""
    for a in need.atoms:
        whole = unguarded(from_atom(a))
        if len(whole) == 1 and need == whole[0] - from_atom(a):
            return whole[0]
    return need
