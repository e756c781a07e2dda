"""Bounds of recursions whose arguments bound their depth, however often data let them branch.

An activation for which x >= 0 holds calls the function at most b times, each time for an x that is
less by 1 or more; one for which it does not hold calls nothing. Of s = Max(0, x + 1), a call from
outside causes at most 1 + b + ... + b**s activations: backtracking over rows, choices, digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ..alias.call_graph import Site
from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    TooComplex,
    expr,
    from_atom,
    is_nonnegative,
    maximum,
    minimum,
    power,
    simplify,
)
from ..expr.predicates import Cond
from ..scev.bounded_count import BoundedCount, unknown
from ..scev.context import FunctionContext, ProgramContext
from ..scev.rising import falls_with, rises_with
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
    guard = next((e for e in _guards(calls) if _falls(e, calls, varied)), None)
    if guard is None:
        return None
    known = Assumptions([guard])
    needed = frozenset(n for n in preconditions if not is_nonnegative(n, known))
    if preserved(needed, calls, known) != needed:
        return None
    numbers = [_most_runs(view, call.block, Assumptions([guard])) for call in calls]
    most_calls = sum(n for n in numbers if n is not None)
    if None in numbers or not 0 < most_calls <= _LARGEST:
        return None
    measure = Measure.of(guard + 1, varied)
    if measure is None:
        return None
    size, steps = maximum(0, measure.size), _steps(guard, calls)
    lowest = None if steps is None else minimum(measure.size, 1 - max(steps))
    inner = size if most_calls == 1 else (power(most_calls, size) - 1).over(most_calls - 1)
    every = inner * most_calls + 1

    def total(q: BoundedCount) -> BoundedCount:
        if q.formula == ZERO:
            return q
        more = preconditions_of(view.function.name, q, calls, Assumptions([guard]))
        if isinstance(more, str):
            return unknown(more)
        upper: Expr | None = None
        with suppress(TooComplex):
            upper = None if q.upper is None else every * _most(q.upper, measure, varied, lowest)
        return BoundedCount(None, q.lower, upper, more | needed, q.notes, reason)

    return Recursion(total)


def _most_runs(view: FunctionContext, block: str, known: Assumptions) -> int | None:
    """How often an activation runs a block, at most, as a number."""
    header = view.forest.innermost.get(block)
    bounds = [view.executions.of(block).upper]
    if header is None:
        bounds = [ONE]
    elif (before := view.loops[header].preheader) is not None:
        # where the iteration in which the loop is left may come to it, too
        started = view.executions.iterations_per_call(header).plus(view.executions.of(before))
        bounds.append(started.upper)
    numbers = [simplify(b, known).constant for b in bounds if b is not None]
    return min((n for n in numbers if isinstance(n, int)), default=None)


def _guards(calls: Sequence[SelfCall]) -> list[Expr]:
    """Formulas of arguments that are >= 0 wherever the function calls itself."""
    found: list[Expr] | None = None
    for call in calls:
        parts = call.condition.parts if call.condition.kind == "and" else (call.condition,)
        here = [
            p.arg
            for p in parts
            if p.kind == "ge" and p.arg.symbols <= call.passed.keys() and _is_at_least(p)
        ]
        found = here if found is None else [e for e in found if e in here]
    return found or []


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
