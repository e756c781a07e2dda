"""Inner loops that go on with the counter of the loop around them.

    while (i < n) {
        int end = i + length(...);
        while (i < end && i < n) { ...; i++; }
    }

How often one entry of the inner loop runs depends on data, but all of them together take the
counter from its first value to n: each iteration adds one, and only below n. This is the aggregate
method of amortized analysis (Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms",
chapter 16), with the counter's value as what is used up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...expr import ZERO, Expr, ceil_div, is_nonnegative, maximum, sym
from ...expr.predicates import Cond
from ...ir.graph import blocks_reached
from ...ir.loop_info import ExitEdge, Loop
from ...ir.matchers import is_any, is_branch, is_phi, is_select
from ...ir.types import Instruction, Operand
from ..bounded_count import BoundedCount, exactly
from ..context import FunctionContext
from ..loop_exits import counted_exits
from ..values import NO_PRECONDITIONS


@dataclass(frozen=True)
class _Counter:
    """A counter that an inner loop takes on from where the loop around has it.

    outer, inner: the header phis; start: its value before the loop around; ahead: how far the inner
    loop starts before it, 0 or a step; step: added in each iteration of the inner loop.
    """

    outer: Instruction
    inner: Instruction
    start: Expr
    ahead: int
    step: int
    preconditions: frozenset[Expr]


@dataclass(frozen=True)
class _Limit:
    """A condition to go on: the counter is below `end`, or differs from it.

    is_late: it is tested behind the step of an iteration, so that each entry may make one iteration
    more than it says. preconditions: over the counter, which is the symbol `name`.
    """

    end: Expr
    is_below: bool
    is_late: bool
    name: str
    preconditions: frozenset[Expr]


def in_all_entries(view: FunctionContext, header: str) -> BoundedCount | None:
    """Iterations of an inner loop in all its entries together, for each entry of the loop around
    it; None where they do not go on with a counter of that loop, or nothing bounds it."""
    loop = view.loops[header]
    if loop.parent is None:
        return None
    around = view.loops[loop.parent]
    if loop.latch is None or around.latch is None or loop.is_shared or around.is_shared:
        return None
    counter = next(_counters(view, loop, around), None)
    if counter is None:
        return None
    found, notes = counted_exits(view, around)
    own = _limits(view, loop, counter.inner, around.header)
    ends = _limits(view, around, counter.outer, around.header) if len(found) == 1 else []
    if ends and view.forest.dominates(found[0].source, header):
        bound = next((o for o in own if _keeps(o, ends[0], counter)), None)
        # an end that is met exactly needs no other bound
        if bound is not None or not ends[0].is_below:
            return _total(view, around, counter, ends[0], bound, notes)
    return _at_most(counter, own)


def _keeps(own: _Limit, end: _Limit, counter: _Counter) -> bool:
    """Does the inner loop make no step from the end on? Tested behind its step, it may make one
    more than its test says, which the test of the loop around comes before."""
    if not own.is_below or not end.is_below:
        return False
    if own.is_late:
        return own.end + counter.step == end.end and not counter.ahead
    return own.end == end.end


def _total(
    view: FunctionContext,
    around: Loop,
    counter: _Counter,
    end: _Limit,
    own: _Limit | None,
    notes: frozenset[str],
) -> BoundedCount | None:
    """The counter goes from its start to the end, whatever the entries share."""
    way = end.end - counter.start
    needs = set(counter.preconditions)
    for limit in (end,) if own is None else (end, own):
        found = _on_the_way(limit, counter, end)
        if found is None:
            return None
        needs |= found
    if end.is_below:
        known = view.assumptions_on_entry(around)
        steps = maximum(0, ceil_div(way, counter.step), assumptions=known)
    else:
        steps = ceil_div(way, counter.step)
        needs.add(steps)
    total = exactly(steps, frozenset(n for n in needs if not is_nonnegative(n)), notes)
    if not counter.ahead:
        return total
    # each iteration of the loop around makes one of the steps
    each = view.trip_counts.iterations(around.header)
    if each.formula is None or not end.is_below:
        return None
    left = steps - each.formula
    is_exact = each.upper is each.formula
    return BoundedCount(
        left,
        left if is_exact else ZERO,
        left if is_exact else steps,
        total.preconditions | each.preconditions,
        notes | each.notes,
        each.reason,
    )


def _on_the_way(limit: _Limit, counter: _Counter, end: _Limit) -> set[Expr] | None:
    """What a limit needs, for all values of the counter: from its start to less than a step beyond
    the end. None where that cannot be said."""
    found: set[Expr] = set()
    for n in limit.preconditions:
        line = n.affine_in(limit.name)
        if line is None or line[0].constant is None:
            return None
        ends = (counter.start, end.end + counter.step - 1)
        found |= {n.substitute({limit.name: e}) for e in ends}
    return found


def _at_most(counter: _Counter, own: list[_Limit]) -> BoundedCount | None:
    """The inner loop goes on below a limit that stays what it is, so that it adds no more than what
    lies between."""
    for o in own:
        if o.is_below and not o.is_late and not o.preconditions and not counter.preconditions:
            steps = ceil_div(o.end - counter.start, counter.step)
            return BoundedCount(None, ZERO, maximum(0, steps))
    return None


# -- the counter
def _counters(view: FunctionContext, loop: Loop, around: Loop) -> Iterator[_Counter]:
    function = view.function
    forms = view.variables.forms(loop.header)
    for outer in function.blocks[around.header].phis:
        for inner in function.blocks[loop.header].phis:
            name = view.variables.symbol(inner)
            if name not in forms.updates or outer.type != inner.type or outer.type[:1] not in "ip":
                continue
            step = (forms.updates[name] - sym(name)).constant
            ahead = (forms.initial[name] - sym(view.variables.symbol(outer))).constant
            if not isinstance(step, int) or step <= 0 or ahead not in (0, step):
                continue
            if not _is_handed_on(view, loop, around, outer, inner, is_ahead=ahead != 0):
                continue
            first = [
                o
                for o, label in zip(outer.operands, outer.labels, strict=True)
                if label not in around.blocks
            ]
            if len(first) != 1:
                continue
            start = view.scalars.value(first[0])
            needs = forms.preconditions.get(name, NO_PRECONDITIONS) | start.preconditions
            if all(not view.varying(n, around.header) for n in needs):
                yield _Counter(outer, inner, start.expr, int(ahead), step, needs)


def _is_handed_on(
    view: FunctionContext,
    loop: Loop,
    around: Loop,
    outer: Instruction,
    inner: Instruction,
    *,
    is_ahead: bool,
) -> bool:
    """Does the loop around go on with what the inner loop left the counter at, on each way on which
    that loop ran, and with the counter as it was on all others?"""
    function = view.function
    latch = around.latch
    assert latch is not None
    assert loop.latch is not None
    ran: set[str] = set()
    for edge in loop.exits:
        if edge.target in around.blocks:
            within = around.blocks - {around.header}
            ran |= {edge.target, *blocks_reached(function, edge.target, within=within)}
    if is_ahead and not view.forest.dominates(loop.header, latch):
        return False
    stepped = inner.operands[inner.labels.index(loop.latch)]
    exits = {(e.source, e.target): e for e in loop.exits}
    seen: set[Operand] = set()
    work = [(outer.operands[outer.labels.index(latch)], latch)]
    while work:
        token, label = work.pop()
        if token == outer.token:
            if label in ran or is_ahead:
                return False
            continue
        phi = function.definitions.get(token)
        if not is_phi(phi):
            return False
        block = function.block_of[token]
        if token in seen:
            continue
        seen.add(token)
        if block not in around.blocks or block in loop.blocks or block in view.loops:
            return False
        for value, source in zip(phi.operands, phi.labels, strict=True):
            if source in loop.blocks:
                if not _is_left_with(exits.get((source, block)), value, inner, stepped):
                    return False
            else:
                work.append((value, source))
    return True


def _is_left_with(
    edge: ExitEdge | None, value: Operand, inner: Instruction, stepped: Operand
) -> bool:
    """Is what an exit leaves the counter at its start and a step for each iteration?

    The test at the head comes before the iteration starts, so that the counter has its steps of all
    iterations before; an iteration that is left at its end has made its own step, too.
    """
    return edge is not None and value == (inner.token if edge.is_test else stepped)


# -- the limits
def _limits(view: FunctionContext, loop: Loop, phi: Instruction, around: str) -> list[_Limit]:
    """What holds of a loop's variable in each iteration that goes on, by the loop's tests: limits
    that do not change in the loop `around`. Of that loop itself, where one test is all it has."""
    name = view.variables.symbol(phi)
    is_outer = loop.header == around
    found: list[_Limit] = []
    for edge in counted_exits(view, loop)[0]:
        assert loop.latch is not None
        if view.forest.innermost[edge.source] != loop.header or not view.forest.dominates(
            edge.source, loop.latch
        ):
            continue
        if is_outer and not edge.is_test:
            continue
        for condition, needs in _tests(view, edge, loop):
            limit = _limit(view, condition, name, needs, around, is_late=not edge.is_test)
            # of several tests it is not said here which one ended the loop
            if limit is not None and not (is_outer and condition != _stays(view, edge)):
                found.append(limit)
    return found


def _stays(view: FunctionContext, edge: ExitEdge) -> Cond:
    return view.paths.edge(edge.source, edge.target)[0].negate()


def _tests(
    view: FunctionContext, edge: ExitEdge, loop: Loop
) -> Iterator[tuple[Cond, frozenset[Expr]]]:
    """Conditions that each hold where control does not take an exit, with what each needs: the
    parts of `a && b`."""
    branch = view.function.blocks[edge.source].terminator
    if not is_branch(branch) or len(branch.labels) != 2:
        return
    work = [(branch.operands[0], branch.labels[1] == edge.target)]
    while work:
        token, holds = work.pop()
        i = view.function.definitions.get(token)
        if holds and is_any(i, "and"):
            work += [(o, True) for o in i.operands]
        elif holds and is_select(i) and i.operands[2] in ("false", "0"):
            work += [(o, True) for o in i.operands[:2]]
        elif holds and is_phi(i):
            work += _passed(view, i, loop)
        else:
            condition, needs = view.conditions.of(token)
            yield (condition if holds else condition.negate()), needs


def _passed(view: FunctionContext, phi: Instruction, loop: Loop) -> Iterator[tuple[Operand, bool]]:
    """What holds where a truth value of the form `a && b` does: b, and on the way to it a."""
    function = view.function
    sides = [
        (value, label)
        for value, label in zip(phi.operands, phi.labels, strict=True)
        if value not in ("false", "0")
    ]
    if len(sides) != 1:
        return
    value, label = sides[0]
    if value not in ("true", "1"):
        yield value, True
    start = function.block_of[phi.token]
    while label != loop.header and label in loop.blocks and label != start:
        before = function.predecessors[label]
        if len(before) != 1:
            return
        branch = function.blocks[before[0]].terminator
        if is_branch(branch) and len(set(branch.labels)) == 2:
            yield branch.operands[0], branch.labels[0] == label
        label = before[0]


def _limit(
    view: FunctionContext,
    part: Cond,
    name: str,
    needs: frozenset[Expr],
    around: str,
    *,
    is_late: bool,
) -> _Limit | None:
    """name < end or name != end, with an end that does not change in the loop around."""
    if part.kind not in ("ge", "ne"):
        return None
    sides = part.arg.split(name)
    slope = sides[1].constant if sides is not None and set(sides) == {0, 1} else None
    if sides is None or (slope != -1 and not (slope == 1 and part.kind == "ne")):
        return None
    end = sides[0] + 1 if part.kind == "ge" else sides[0] * (1 if slope == -1 else -1)
    if view.varying(end, around):
        return None
    # below zero an operand of an unsigned comparison is huge
    rest = needs | frozenset(part.wraps[:2] if part.is_unsigned else ())
    if any(set(view.varying(n, around)) - {name} for n in rest):
        return None
    return _Limit(end, part.kind == "ge", is_late, name, rest)
