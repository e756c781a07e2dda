"""Conditions of paths through the acyclic part of a function: from a block down to another, loops
seen as one step."""

from __future__ import annotations

from functools import cached_property

from ..alias.library import TRAPS
from ..expr import ONE, ZERO, Assumptions, Expr, TooComplex, symbols
from ..expr.budget import Provisional
from ..expr.predicates import FALSE, TRUE, UNDECIDED, Cond, conjunction, disjunction, literal
from ..ir.graph import blocks_leading_to, blocks_reached, callee, closure, is_intrinsic
from ..ir.matchers import is_any, is_branch, is_icmp, is_invoke, is_return
from ..ir.types import Block, Instruction, IntLiteral
from .arithmetic.fits import as_signed, fitting
from .bounded_count import ONCE, BoundedCount, exactly
from .context import FunctionContext
from .executions.guards import guard, is_guarded
from .failures import given_up
from .program_ends import ends_in_error
from .source_names import what_is_read
from .unknowns import NAMELESS, UnknownInfo
from .values import NO_PRECONDITIONS

_MAX_PARTS = 24
"""Formulas of one condition; a longer one counts as undecided."""
_PENDING = BoundedCount(None)
"""Stands for a weight that is being found."""


class Paths:
    """Path conditions of one function."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._below: dict[tuple[str, str, bool], tuple[Cond, frozenset[Expr]]] = {}
        self._weights: dict[tuple[str, str], BoundedCount] = {}
        self._assumptions: dict[str, Assumptions] = {}
        self._dead: set[str] | None = None
        self._tops: dict[str, str] = {}
        self._ways: dict[int, tuple[str, ...] | None] = {}  # by line; None: a condition decides
        # (block, blocks that a count needs) -> is the way there the one that runs go on?
        self.ways_on: dict[tuple[str, frozenset[str]], bool] = {}

    # -- dead ends
    @property
    def dead(self) -> set[str]:
        """Blocks from which the function neither returns nor goes on: they end in abort(), in an
        exit that reports an error, in an exception behind which the run does not go on, or the
        like. exit(0), or exit with a status that is computed, is an end like a return, and so is
        a loop that reads until somebody stops the program."""
        if self._dead is None:
            function, program = self.view.function, self.view.program
            passes_on = program.strict or function.name in program.calls.caught
            alive = {
                b.name
                for b in function.blocks.values()
                if is_return(b.terminator)
                or (is_any(b.terminator, "resume") and passes_on)
                or (is_any(b.terminator, "unreachable") and not ends_in_error(program, function, b))
                or (program.strict and _calls_last(b))
            }
            alive |= _endless_reading(self.view)
            if not alive:
                self._dead = set()
                return self._dead
            alive = blocks_leading_to(function, alive)
            self._dead = {
                name
                for name in function.blocks
                if name not in alive and name not in self.view.forest.innermost
            }
            self._dead |= self.given_up
        return self._dead

    @cached_property
    def given_up(self) -> frozenset[str]:
        """Blocks in which the function reports an error and returns from a loop."""
        return frozenset() if self.view.program.strict else given_up(self.view)

    # -- edges
    def edge(self, source: str, target: str) -> tuple[Cond, frozenset[Expr]]:
        """The condition under which `source`, once reached, is left to `target`."""
        terminator = self.view.function.blocks[source].terminator
        labels = terminator.labels
        if is_invoke(terminator):
            return (TRUE if target in self._goes_on(terminator) else FALSE), NO_PRECONDITIONS
        if all(label == target for label in labels):
            return TRUE, NO_PRECONDITIONS
        if is_branch(terminator):
            condition, preconditions = self.view.conditions.of(terminator.operands[0])
            return (condition if labels[0] == target else condition.negate()), preconditions
        if is_any(terminator, "switch"):
            return self._switch(terminator, target)
        return UNDECIDED, NO_PRECONDITIONS

    def _goes_on(self, terminator: Instruction) -> tuple[str, ...]:
        """Where control goes on: a call is taken to return, unless it always throws, or there is
        nothing to return to; an allocation is taken to succeed."""
        line = terminator.line
        if line not in self._ways:
            self._ways[line] = self._plain_ways(terminator)
        ways = self._ways[line]
        return self._beside_null(terminator) if ways is None else ways

    def _plain_ways(self, terminator: Instruction) -> tuple[str, ...] | None:
        """The same where no condition decides it; None where a branch asks of a pointer whether it
        is null."""
        labels = terminator.labels
        if is_invoke(terminator):
            return labels[1:] if self._only_throws(terminator) else labels[:1]
        if not is_branch(terminator) or len(labels) != 2:
            return labels
        test = self.view.function.definitions.get(terminator.operands[0])
        is_of_null = is_icmp(test) and "null" in test.operands
        return None if is_of_null else labels

    def _only_throws(self, invoke: Instruction) -> bool:
        """Does every such call that ends, end in an exception?"""
        normal = self.view.function.blocks[invoke.labels[0]]
        if is_any(normal.instructions[0], "unreachable"):
            return True
        target = self.view.program.target(self.view.function.name, invoke)
        return target is not None and target.name in self.view.program.calls.always_throwing

    def _beside_null(self, terminator: Instruction) -> tuple[str, ...]:
        """Where a branch goes that asks whether a pointer is null: one way is left where it never
        is."""
        condition, _ = self.view.conditions.of(terminator.operands[0])
        if condition.kind not in ("true", "false"):
            return terminator.labels
        return terminator.labels[:1] if condition.kind == "true" else terminator.labels[1:]

    def is_never_taken(self, source: str, target: str) -> bool:
        """Is an edge only taken by an exception, or where an allocation fails, out of a loop or
        not?"""
        return target not in self._goes_on(self.view.function.blocks[source].terminator)

    def is_never_run(self, block: str) -> bool:
        """Is a branch above a block, which nothing else leads to, never taken?"""
        view = self.view
        above = view.forest.dominator.get(block, block)
        while above != block:
            if view.function.predecessors[block] == (above,):
                condition, preconditions = self.edge(above, block)
                if condition == FALSE and not preconditions:
                    return True
            block, above = above, view.forest.dominator.get(above, above)
        return False

    def _switch(self, terminator: Instruction, target: str) -> tuple[Cond, frozenset[Expr]]:
        token = terminator.operands[0]
        value = self.view.scalars.value(token)
        made = self.view.function.definitions.get(token)
        if made is not None:
            value = fitting(self.view, value, made, made.type, True)
            value = as_signed(self.view, value, made, token)
        cases = [
            literal("eq", value.expr - c.value)
            for c, label in zip(terminator.cases, terminator.labels[1:], strict=True)
            if label == target and isinstance(c, IntLiteral)
        ]
        if terminator.labels[0] == target:
            others = [
                literal("ne", value.expr - int(c))
                for c, label in zip(terminator.cases, terminator.labels[1:], strict=True)
                if label != target
            ]
            return conjunction(*others), value.preconditions
        return disjunction(*cases), value.preconditions

    def stays(self, source: str, target: str) -> tuple[Cond, frozenset[Expr], frozenset[str]]:
        """As `edge`, among the ways that do not end the program and do not leave the innermost loop
        of `source`.

        A loop's exits are accounted for by its number of iterations, not here. A test that only
        guards an error exit and depends on data is taken to pass; the third result says so.
        """
        view = self.view
        labels = tuple(dict.fromkeys(view.function.blocks[source].successors))
        header = view.forest.innermost.get(source)
        blocks = view.loops[header].blocks if header else None
        inside = [s for s in labels if blocks is None or s in blocks]
        if target in inside and len(inside) == 1 and len(labels) > 1 and blocks is not None:
            return TRUE, NO_PRECONDITIONS, frozenset()
        condition, preconditions = self.edge(source, target)
        living = [s for s in inside if s not in self.dead]
        if condition.is_undecided or self.view.is_data(condition):
            if len(living) == 1:
                note = f"no error exit at {view.place(view.function.blocks[source].terminator)}"
                return (
                    (TRUE if target == living[0] else FALSE),
                    NO_PRECONDITIONS,
                    frozenset((note,)),
                )
        return condition, preconditions, frozenset()

    # -- conditions from a dominating block
    def edge_from(
        self, top: str, source: str, target: str, *, with_values: bool = False
    ) -> tuple[Cond, frozenset[Expr]]:
        """The condition that control, once at `top`, takes the edge source -> target (before it is
        at `top` again). with_values: what only a run tells takes part, as it is in this pass."""
        if self.is_never_taken(source, target):
            return FALSE, NO_PRECONDITIONS
        reach, preconditions = self.below(top, source, with_values=with_values)
        header = self.view.forest.innermost.get(source)
        if (
            header is not None
            and target not in self.view.loops[header].blocks
            and top not in self.view.loops[header].blocks
        ):
            outer = self.view.outermost_left(source, target)
            left, needs = self._left_by(outer, source, target)
            entered, more = self.below(top, outer)
            return conjunction(entered, left), needs | more
        condition, more = self.edge(source, target)
        if not with_values and self.view.has_values(condition):
            condition = UNDECIDED
        return conjunction(reach, condition), preconditions | more

    def arrival(self, top: str, source: str, target: str) -> tuple[Cond, frozenset[Expr]]:
        """As `edge_from`, of a way on which a value rests. Where the run comes there at most once,
        it may depend on values that the run sets at most once, too: which part of a domain that
        data divide a process has."""
        found = self.edge_from(top, source, target)
        if not found[0].is_undecided or not is_guarded(self.view):
            return found
        with_values = self.edge_from(top, source, target, with_values=True)
        used = {s for e in with_values[0].formulas() for s in e.symbols}
        return with_values if all(map(self._is_of_run, used)) else found

    def _is_of_run(self, symbol: str) -> bool:
        """Is it no value that differs between iterations, no mean and no fraction? What a call
        returns and no variable holds tells a reader less than the variable that rests on it."""
        info = self.view.program.unknowns.get(symbol)
        if info is None:
            return True
        if info.name == NAMELESS and not symbols.is_loaded(symbol):
            return False
        own = not info.function or info.function == self.view.function.name
        return info.kind == "value" and own and info.block not in self.view.forest.innermost

    def _left_by(self, header: str, source: str, target: str) -> tuple[Cond, frozenset[Expr]]:
        """The condition that a loop, once entered, is left by this edge: that no other exit is
        taken in an iteration before, nor earlier in the same one."""
        view = self.view
        if len(view.exit_targets(header)) <= 1:
            return TRUE, NO_PRECONDITIONS
        solution = view.trip_counts.solution(header)
        limits = [x for x in solution.limits if x.edge.target in view.exit_targets(header)]
        own = [x for x in limits if (x.edge.source, x.edge.target) == (source, target)]
        ends = [x.at for x in own if x.at is not None]
        if solution.iterations.reason is not None or len(ends) != 1:
            return UNDECIDED, NO_PRECONDITIONS
        before = self._may_come_before(header)
        parts: list[Cond] = []
        for x in limits:
            if x.edge.source == source and x.edge.target == target:
                continue
            is_first, is_later = (
                (source, x.edge.source) in before,
                (x.edge.source, source) in before,
            )
            if x.at is None or is_first == is_later:
                return UNDECIDED, NO_PRECONDITIONS
            parts.append(literal("ge", x.at - ends[0] - (0 if is_first else 1)))
        condition = conjunction(*parts)
        if view.has_values(condition) or any(
            solution.index in e.symbols for e in condition.formulas()
        ):
            return UNDECIDED, NO_PRECONDITIONS
        return condition, solution.iterations.preconditions

    def _may_come_before(self, header: str) -> set[tuple[str, str]]:
        """Pairs of blocks that leave a loop, of which control may come to the second one behind
        the first in the same iteration."""
        loop = self.view.loops[header]
        sources = {e.source for e in loop.exits}
        return {
            (a, b)
            for a in sources
            for b in blocks_reached(self.view.function, a, within=loop.blocks, without={header})
            if a != b and b in sources
        }

    def below(
        self, top: str, block: str, *, with_values: bool = False
    ) -> tuple[Cond, frozenset[Expr]]:
        """The condition that control, once at `top`, comes to `block`; `edge_from` says what
        `with_values` is."""
        if block == top:
            return TRUE, NO_PRECONDITIONS
        key = (top, block, with_values)
        if key not in self._below:
            with Provisional(
                self._below, key, (UNDECIDED, NO_PRECONDITIONS)
            ):  # for a cycle that is not a natural loop
                self._below[key] = self._find_below(top, block, with_values)
        return self._below[key]

    def _find_below(self, top: str, block: str, with_values: bool) -> tuple[Cond, frozenset[Expr]]:
        view = self.view
        dominator = view.forest.dominator
        if (
            block not in dominator
            or dominator[block] == block
            or not view.forest.dominates(top, block)
        ):
            return UNDECIDED, NO_PRECONDITIONS
        nearest = self.top(block)
        loop = view.loops.get(block)
        parts: list[Cond] = []
        preconditions: frozenset[Expr] = NO_PRECONDITIONS
        for p in view.function.predecessors[block]:
            if p not in view.reachable or (loop is not None and p in loop.blocks):
                continue
            condition, more = self.edge_from(nearest, p, block, with_values=with_values)
            parts.append(condition)
            preconditions |= more
        here = disjunction(*parts)
        if (len(parts) > 1 or nearest in view.loops) and self._always(nearest, block):
            here, preconditions = TRUE, NO_PRECONDITIONS
        if sum(len(p.formulas()) for p in (here,)) > _MAX_PARTS:
            here = UNDECIDED
        above, more = self.below(top, nearest, with_values=with_values)
        return conjunction(above, here), preconditions | more

    def top(self, block: str) -> str:
        """The nearest block that all ways to `block` pass; a loop that is left on the way is seen
        from its header."""
        found = self._tops.get(block)
        if found is None:
            found = self._tops[block] = self._find_top(block)
        return found

    def _find_top(self, block: str) -> str:
        view = self.view
        top = view.forest.dominator[block]
        header = view.forest.innermost.get(top)
        while header is not None and block not in view.loops[header].blocks:
            top, header = header, view.loops[header].parent
        return top

    def _always(self, top: str, block: str) -> bool:
        """Does every way on from `top` come to `block` (before it leaves the loop around, the
        program, or returns)?"""
        view = self.view
        header = self._around(block)
        inside = view.loops[header].blocks if header is not None else None
        seen, work = {block}, [top]
        while work:
            name = work.pop()
            terminator = view.function.blocks[name].terminator
            successors = self._goes_on(terminator)
            if not successors and name not in self.dead:
                return False
            if name in self._endless and block not in view.loops[name].blocks:
                return False
            for s in successors:
                if s == header:
                    return False
                if s not in seen and s not in self.given_up and (inside is None or s in inside):
                    seen.add(s)
                    work.append(s)
        return True

    @cached_property
    def _endless(self) -> frozenset[str]:
        """The headers of loops that control never leaves, but where the program ends."""
        loops = self.view.loops.values()
        return frozenset(x.header for x in loops if all(e.is_unwind for e in x.exits))

    # -- weights
    def weight(self, top: str, block: str) -> BoundedCount:
        """How often control comes to `block` for each time it is at `top`: an indicator, or a named
        fraction.

        `top` is the header of the innermost loop around both, or the entry.
        """
        if block == top:
            return ONCE
        key = (top, block)
        found = self._weights.get(key)
        if found is None:
            with Provisional(self._weights, key, _PENDING):
                found = self._weights[key] = self._weight(top, block)
        # cycles that are not natural loops end here
        return self._fraction(top, block) if found is _PENDING else found

    def _weight(self, top: str, block: str) -> BoundedCount:
        view = self.view
        nearest = self.top(block)
        above = self.weight(top, nearest) if nearest != top else ONCE
        if self._always(nearest, block):
            return above
        if block in self._handlers and nearest not in self._handlers:
            return self._part_of(above, top, nearest, block)
        loop = view.loops.get(block)
        parts: list[Cond] = []
        preconditions: frozenset[Expr] = NO_PRECONDITIONS
        notes: frozenset[str] = frozenset()
        for p in view.function.predecessors[block]:
            if p not in view.reachable or (loop is not None and p in loop.blocks):
                continue
            condition, more, said = self._arrival(nearest, p, block)
            parts.append(condition)
            preconditions |= more
            notes |= said
        here = disjunction(*parts)
        if here.is_undecided or (view.is_data(here) and not self._is_steady(here, block)):
            return self._part_of(above, top, nearest, block)
        try:
            return above.times(exactly(here.indicator(), preconditions, notes))
        except TooComplex:
            return self._part_of(above, top, nearest, block)

    def _is_steady(self, condition: Cond, block: str) -> bool:
        """Does a condition depend on values that are set outside of all loops around a block? A
        test that a run makes once, outside of loops, is a guard."""
        view = self.view
        around, header = set[str](), self._around(block)
        while header is not None:
            around |= view.loops[header].blocks
            header = view.loops[header].parent
        if not around and is_guarded(view):
            return False
        infos = [
            info
            for e in condition.formulas()
            for s in e.symbols
            if (info := view.program.unknowns.get(s)) is not None
        ]
        return all(
            i.kind == "value" and (not i.function or i.function == view.function.name)
            for i in infos
        ) and not any(i.block in around for i in infos)

    def _successors(self, block: str) -> tuple[str, ...]:
        return self._goes_on(self.view.function.blocks[block].terminator)

    @cached_property
    def _handlers(self) -> frozenset[str]:
        """Blocks that control only comes to when an exception is caught and the function goes on.
        What only cleans up and passes it on, or ends the program, is taken not to be needed."""
        function = self.view.function
        pads = [
            b.name
            for b in function.blocks.values()
            if any(is_any(i, "landingpad") for i in b.instructions)
        ]
        found: set[str] = set()
        for pad in pads:
            reached = {pad, *blocks_reached(function, pad, within=function.blocks)}
            if any(is_return(function.blocks[b].terminator) for b in reached):
                found |= reached
        if found:
            usual: set[str] = closure([function.entry.name], self._successors)
            found -= usual
        return frozenset(found)

    def _part_of(self, above: BoundedCount, top: str, nearest: str, block: str) -> BoundedCount:
        """A fraction of what came to `nearest`; where that is a fraction already, one of what was
        at `top`."""
        if (
            top == self.view.function.entry.name
            and block not in self._handlers
            and is_guarded(self.view)
        ):
            return above.times(BoundedCount(guard(self.view, block), ZERO, ONE))
        unknowns = self.view.program.unknowns
        own = (
            [
                s
                for s in above.formula.symbols
                if (i := unknowns.get(s)) is not None and i.kind == "fraction"
            ]
            if above.formula is not None
            else []
        )
        if len(own) != 1 or above.formula is None:
            return above.times(self._fraction(nearest, block))
        part = self._fraction(top, block)
        assert part.formula is not None
        return BoundedCount(
            above.formula.substitute({own[0]: part.formula}),
            part.lower,
            above.upper,
            above.preconditions,
            above.notes,
            above.reason,
        )

    def _around(self, block: str) -> str | None:
        """The header of the loop around a block; for a loop's header, of the enclosing loop."""
        loop = self.view.loops.get(block)
        return loop.parent if loop is not None else self.view.forest.innermost.get(block)

    def _arrival(
        self, nearest: str, source: str, block: str
    ) -> tuple[Cond, frozenset[Expr], frozenset[str]]:
        view = self.view
        if self.is_never_taken(source, block):
            return FALSE, NO_PRECONDITIONS, frozenset()
        header = view.forest.innermost.get(source)
        if header is not None and block not in view.loops[header].blocks:
            outer = view.outermost_left(source, block)
            left, needs = self._left_by(outer, source, block)
            entered, more = self.below(nearest, outer)
            return conjunction(entered, left), needs | more, frozenset()
        reach, preconditions = self.below(nearest, source)
        condition, more, notes = self.stays(source, block)
        return conjunction(reach, condition), preconditions | more, notes

    def _fraction(self, top: str, block: str) -> BoundedCount:
        view = self.view
        place = (
            view.place(view.function.blocks[block].instructions[0])
            if block in view.function.blocks
            else ""
        )
        symbol = view.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(view.function.name, "fraction", top, block),
                "fraction",
                "f",
                "fraction of the cases that come here (weighted by the work inside)",
                place,
                view.function.name,
                block,
            )
        )
        return BoundedCount(symbol, BoundedCount(None).lower, ONCE.formula)

    # -- assumptions
    def assumptions(self, block: str) -> Assumptions:
        """Formulas that are >= 0 whenever control is in `block`: the tests that dominate it, and
        loop variables' signs."""
        found = self._assumptions.get(block)
        if found is not None:
            return found
        with Provisional(self._assumptions, block, Assumptions()):
            self._assumptions[block] = self._find_assumptions(block)
        return self._assumptions[block]

    def _find_assumptions(self, block: str) -> Assumptions:
        view = self.view
        known: list[Expr] = []
        above = view.forest.dominator.get(block, block)
        if above != block:
            known.extend(self.assumptions(above).known)
            if view.function.predecessors[block] == (above,):
                condition, preconditions = self.edge(above, block)
                if not self._hold(preconditions, known):
                    condition = UNDECIDED  # a narrow value that wraps passes a test as another one
                parts = condition.parts if condition.kind == "and" else (condition,)
                for part in parts:
                    if part.kind == "ge":
                        known.append(part.arg)
                    elif part.kind == "eq":
                        known += [part.arg, -part.arg]
        if block in view.loops:
            known.extend(view.variables.signs(block))
        return Assumptions((*view.program.assumptions.known, *known[-12:]))

    def _hold(self, preconditions: frozenset[Expr], known: list[Expr]) -> bool:
        """Do preconditions follow from what is known?"""
        if not preconditions:
            return True
        assumptions = Assumptions((*self.view.program.assumptions.known, *known))
        return all(assumptions.proves(e) for e in preconditions)


def _calls_last(block: Block) -> bool:
    """Does a block end in a call that does not come back, rather than where control cannot get?"""
    return is_any(block.terminator, "unreachable") and any(
        i.is_call and (not is_intrinsic(i) or callee(i) in TRAPS) for i in block.instructions
    )


def _endless_reading(view: FunctionContext) -> set[str]:
    """The heads of loops that are never left and read input."""
    return {
        loop.header
        for loop in view.forest.loops
        if not loop.exits
        and any(
            i.is_call and what_is_read(callee(i) or "") is not None
            for b in loop.blocks
            for i in view.function.blocks[b].instructions
        )
    }
