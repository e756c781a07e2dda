"""Bounds of recursions whose arguments bound their depth, however often data let them branch.

An activation for which x >= 0 holds calls the function at most b times, each time for an x that is
less by 1 or more; one for which it does not hold calls nothing. Of s = Max(0, x + 1), a call from
outside causes at most 1 + b + ... + b**s activations: backtracking over rows, choices, digits.
Where each iteration of a loop goes on with what follows its element, it causes 2**s: all subsets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from ..alias.call_graph import Site
from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    Extremum,
    Loaded,
    TooComplex,
    ceil_log,
    expr,
    from_atom,
    is_nonnegative,
    linear,
    maximum,
    minimum,
    power,
    simplify,
    sym,
    symbols,
)
from ..expr.predicates import Cond
from ..scev.bounded_count import BoundedCount, unknown
from ..scev.context import FunctionContext, ProgramContext
from ..scev.rising import falls_with, rises_with
from ..scev.values import NO_PRECONDITIONS
from .any_activation import most_in_any
from .call_substitution import is_steady
from .self_calls import SIZE, Measure, Recursion, SelfCall, changing, preconditions_of, preserved

_LARGEST = 1 << 10
"""Calls in one activation, at most."""


def outermost(view: FunctionContext, block: str) -> str:
    """The block before the outermost loop around a block; the block itself in no loop."""
    header = view.forest.innermost.get(block)
    while header is not None:
        block = view.loops[header].preheader or header
        header = view.loops[header].parent
    return block


def branching(
    program: ProgramContext,
    view: FunctionContext,
    calls: tuple[SelfCall, ...],
    paths: Sequence[Sequence[Site]],
    preconditions: frozenset[Expr],
    reason: str,
) -> Recursion | None:
    """The bound for a function that calls itself directly. preconditions: what the arguments of its
    calls rest on."""
    if any(len(path) != 1 for path in paths):
        return None
    varied = changing(calls)
    guards = [(e, NO_PRECONDITIONS) for e in _guards(view, calls, paths)] + _meeting(calls)
    guard, met = next((g for g in guards if _falls(g[0], calls, varied)), (None, NO_PRECONDITIONS))
    ways: int | None = None
    if guard is None:  # for what follows each element of a range: T(s) = 1 + T(s - 1) + ... + T(0)
        inside = tuple(_in_iteration(view, c) for c in calls)
        calls = tuple(c for c in inside if c is not None)
        if len(calls) == len(inside):
            guard = next((e for e, _ in guards if _follow(view, e, calls)), None)
        ways = len(calls) + 1
        met = _needed_by_loops(view, calls)
    if guard is None:
        return None
    indices = {symbols.iteration(view.function.name, h) for h in view.loops}
    known = Assumptions([guard, *map(sym, sorted(indices))])
    needed = met | {n for n in preconditions if not is_nonnegative(n, known)}
    if preserved(needed, calls, known) != needed:
        return None
    measure = Measure.of(guard + 1, varied)
    if measure is None:
        return None
    size, steps = maximum(0, measure.size), _steps(guard, calls)
    lowest = None if steps is None else minimum(measure.size, 1 - max(steps))
    try:
        every = (
            _activations(view, calls, size, known, lambda e: _most(e, measure, varied, lowest))
            if ways is None
            else power(ways, size)
        )
    except TooComplex:
        return None
    if every is None:
        return None

    def total(q: BoundedCount) -> BoundedCount:
        if q.formula == ZERO:
            return q
        more = preconditions_of(view.function.name, q, calls, known)
        if isinstance(more, str):
            return unknown(more)
        upper: Expr | None = None
        with suppress(TooComplex):
            upper = None if q.upper is None else every * _most(q.upper, measure, varied, lowest)
        return BoundedCount(None, q.lower, upper, more | needed, q.notes, reason)

    def of_any(q: BoundedCount) -> BoundedCount:
        counts = [e for e in (q.formula, q.lower, q.upper) if e is not None]
        if all(is_steady(program, paths, e) for e in counts):
            return q
        upper = None if q.upper is None else most_in_any(view, q.upper, (), paths)
        return BoundedCount(None, ZERO, upper, q.preconditions, q.notes, reason)

    return Recursion(total, of_any=of_any)


def _in_iteration(view: FunctionContext, call: SelfCall) -> SelfCall | None:
    """A call in a loop, with what its arguments are in an iteration."""
    header = view.forest.innermost.get(call.block)
    if header is None:
        return call
    forms = view.variables.forms(header)
    used = frozenset(s for e in call.passed.values() for s in e.symbols)
    if forms.needed(used) or view.loops[header].parent is not None:
        return None
    passed = {s: e.substitute(forms.closed) for s, e in call.passed.items()}
    unknowns = view.program.unknowns
    step = {s: e for s, e in passed.items() if all(unknowns.get(n) is None for n in e.symbols)}
    return replace(call, passed=passed, step=step)


def _follow(view: FunctionContext, guard: Expr, calls: Sequence[SelfCall]) -> bool:
    """Is a formula less by another number of 1 and more for each call of an activation: in a loop
    that it bounds by one more than the number of the iteration at least, else by 1?"""
    known = Assumptions([guard])
    for call in calls:
        header = view.forest.innermost.get(call.block)
        least = ONE
        if header is not None:
            least = sym(symbols.iteration(view.function.name, header)) + 1
            most = view.trip_counts.iterations(header).upper
            if most is None or guard + 1 not in _positive(most):
                return False
        if not guard.symbols & changing(calls) <= call.step.keys():
            return False
        if not is_nonnegative(guard - guard.substitute(call.step) - least, known):
            return False
    return True


def _needed_by_loops(view: FunctionContext, calls: Sequence[SelfCall]) -> frozenset[Expr]:
    """What the iterations of the loops around calls rest on."""
    headers = {view.forest.innermost.get(call.block) for call in calls} - {None}
    found = (view.trip_counts.iterations(h).preconditions for h in headers if h is not None)
    return frozenset[Expr]().union(*found)


def _activations(
    view: FunctionContext,
    calls: Sequence[SelfCall],
    size: Expr,
    known: Assumptions,
    most: Callable[[Expr], Expr],
) -> Expr | None:
    """How many activations there are at most, to a depth of `size`, if one makes as many calls as
    the loops around them allow. most: of a formula of an activation, in any of them.

    Raises:
        TooComplex: that depends on too much.
    """
    numbers = [_most_runs(view, call.block, known) for call in calls]
    found = [n for n in numbers if n is not None]
    if len(found) < len(numbers):
        return None
    total = linear([(n, 1) for n in found])
    most_calls = total.constant
    if isinstance(most_calls, int):
        if not 0 < most_calls <= _LARGEST:
            return None
        inner = size if most_calls == 1 else (power(most_calls, size) - 1).over(most_calls - 1)
        return inner * most_calls + 1
    # b + ... + b**s is no more than s b**s, and that no more than a power of two
    return size * power(2, size * ceil_log(2, most(total))) + 1


def _most_runs(view: FunctionContext, block: str, known: Assumptions) -> Expr | None:
    """How often an activation runs a block, at most; a number where that is known."""
    header = view.forest.innermost.get(block)
    bounds = [view.executions.of(block).upper]
    if header is None:
        bounds = [ONE]
    elif (before := view.loops[header].preheader) is not None:
        # where the iteration in which the loop is left may come to it, too
        started = view.executions.iterations_per_call(header).plus(view.executions.of(before))
        bounds.append(started.upper)
    found = [simplify(b, known) for b in bounds if b is not None]
    numbers = [n for e in found if isinstance(n := e.constant, int)]
    return expr(min(numbers)) if numbers else next(iter(found), None)


def _meeting(calls: Sequence[SelfCall]) -> list[tuple[Expr, frozenset[Expr]]]:
    """The same for an activation that ends where an argument meets another: what is needed at first
    is that it is not beyond it."""
    ways = [
        sign * p.arg
        for p in _literals(calls[0])
        for sign in (1, -1)
        if p.kind == "ne" and p.arg.symbols <= calls[0].passed.keys()
    ]
    return [
        (e - 1, frozenset((e,)))
        for e in ways
        if all(any(p.kind == "ne" and p.arg in (e, -e) for p in _literals(c)) for c in calls)
        and _steps(e, calls) == [1] * len(calls)
    ]


def _literals(call: SelfCall) -> Sequence[Cond]:
    return call.condition.parts if call.condition.kind == "and" else (call.condition,)


def _guards(
    view: FunctionContext, calls: Sequence[SelfCall], paths: Sequence[Sequence[Site]]
) -> list[Expr]:
    """Formulas of arguments, and of what all activations find in memory, that are >= 0 wherever the
    function calls itself: what its conditions say, and that a loop around a call has an
    iteration."""
    found: list[Expr] | None = None
    varied = changing(calls)

    def is_told(e: Expr) -> bool:
        loaded = {
            a
            for a in e.all_atoms()
            if isinstance(a, Loaded)
            and a.symbols.isdisjoint(varied)
            and is_steady(view.program, paths, from_atom(a))
        }
        inside = frozenset[str]().union(*(a.symbols for a in loaded))
        return e.symbols - inside <= calls[0].passed.keys()

    for call in calls:
        here = [p.arg for p in _literals(call) if p.kind == "ge" and _is_at_least(p)]
        header = view.forest.innermost.get(call.block)
        while header is not None:
            most = view.trip_counts.iterations(header).upper
            here += [] if most is None else [n - 1 for n in _positive(most)]
            header = view.loops[header].parent
        here = [e for e in here if is_told(e)]
        found = here if found is None else [e for e in found if e in here]
    return found or []


def _positive(number: Expr) -> list[Expr]:
    """What is positive where a number of iterations is."""
    a = number.atom
    if isinstance(a, Extremum) and a.kind == "Max" and ZERO in a.args:
        return [e for e in a.args if e != ZERO] if len(a.args) == 2 else []
    return [number]


def _is_at_least(literal: Cond) -> bool:
    """Does a comparison that holds say that its formula is >= 0? One of unsigned numbers does where
    the larger side is a number."""
    if not literal.wraps:
        return True
    larger = literal.wraps[0 if literal.negated else 1].constant
    return literal.is_unsigned and isinstance(larger, int) and larger >= 0


def _falls(guard: Expr, calls: Sequence[SelfCall], varied: set[str]) -> bool:
    """Is a formula less by 1 at least in each call?"""
    known = Assumptions([guard])
    return all(
        guard.symbols & varied <= call.step.keys()
        and is_nonnegative(guard - guard.substitute(call.step) - 1, known)
        for call in calls
    )


def _steps(guard: Expr, calls: Sequence[SelfCall]) -> list[int] | None:
    """By how much a formula is less in each call; None where that is no number."""
    found = [(guard - guard.substitute(call.step)).constant for call in calls]
    return [d for d in found if isinstance(d, int)] if None not in found else None


def _most(e: Expr, measure: Measure, varied: set[str], lowest: Expr | None) -> Expr:
    """The most that a count comes to in any activation; the size is `lowest` at least.

    Raises:
        TooComplex: it depends on more than the size.
    """
    if e.symbols.isdisjoint(varied):
        return e
    shape = e.substitute({measure.pivot: measure.back})
    if not shape.symbols.isdisjoint(varied):
        raise TooComplex
    whole = _at_its_most(shape, measure, lowest)
    if whole is not None:
        return whole
    total = ZERO
    for m, c in shape.terms.items():
        factors = [from_atom(a) for a, n in m for _ in range(n)]
        if not all(map(is_nonnegative, factors)):
            raise TooComplex
        most = [_at_its_most(f, measure, lowest) for f in factors] if c > 0 else []
        if None in most:
            raise TooComplex
        product = expr(max(c, 0))
        for f in most:
            product = product * f if f is not None else product
        total = total + product
    return total


def _at_its_most(e: Expr, measure: Measure, lowest: Expr | None) -> Expr | None:
    """The largest value of a formula over sizes from `lowest` to the first one, if it is seen to
    rise or to fall with the size."""
    if rises_with(e, SIZE):
        return maximum(0, e.substitute({SIZE: measure.size}))
    if lowest is not None and falls_with(e, SIZE):
        return maximum(0, e.substitute({SIZE: lowest}))
    return None
