"""Divide and conquer: functions that call themselves for parts of a range.

Two calls on the two halves of s elements form a balanced tree with s - 1 inner nodes, whose sizes
add up to s ceil(log2 s) - 2**ceil(log2 s) + s (Graham, Knuth and Patashnik, Concrete Mathematics,
section 3.3, exercise 3.34). A search goes on with one of several parts, each at most half as long:
a path of at most ceil(log2(s + 1)) activations. Two parts that data choose, with s - 1 elements
together, as quicksort makes them, form a tree of s nodes: its sizes add up to least where it is
complete, (s + 1) L - 2**L + 1 with L = ceil(log2(s + 1)), and to most where it is a path (Knuth,
The Art of Computer Programming 1, section 2.3.4.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..closed_forms.sums import summation
from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    TooComplex,
    ceil_div,
    ceil_log,
    expr,
    floor_div,
    is_nonnegative,
    maximum,
    power,
    simplify,
    sym,
)
from ..expr.predicates import Cond
from ..scev.bounded_count import BoundedCount, unknown
from .self_calls import (
    SIZE,
    Measure,
    Recursion,
    SelfCall,
    changing,
    checked,
    preconditions_of,
    preserved,
    residual,
    shown,
)

INSIDE = "the parts for which {} calls itself lie inside its range"


def halves(
    name: str, condition: Cond, calls: tuple[SelfCall, ...], preconditions: frozenset[Expr]
) -> Recursion | None:
    """Two calls, on the halves of s elements, while s >= 2; `preconditions` are what the condition
    needs."""
    varied = changing(calls)
    for guard, required in _guards(condition, preconditions):
        size = guard + 2
        if any(size.symbols & varied - call.step.keys() for call in calls):
            continue
        half = floor_div(size, 2)
        wanted = {residual(half), residual(size - half)}
        for known in _invariants(guard, required, size.symbols & varied, calls):
            assumptions = Assumptions([guard, *known])
            if {
                residual(simplify(size.substitute(call.step), assumptions)) for call in calls
            } == wanted:
                measure = Measure.of(size, varied)
                return (
                    None
                    if measure is None
                    else _balanced(name, calls, measure, assumptions, frozenset(known))
                )
    return None


def at_most_halves(
    name: str, calls: tuple[SelfCall, ...], preconditions: frozenset[Expr], reason: str
) -> Recursion | None:
    """Two calls that are made, if at all, on the halves of s >= 2 elements."""
    if len(calls) != 2:
        return None
    conditions = [c.condition.parts or (c.condition,) for c in calls if c.condition.kind != "or"]
    common = [p for p in conditions[0] if all(p in other for other in conditions[1:])]
    tried = (halves(name, part, calls, preconditions) for part in common)
    found = next((f for f in tried if f is not None), None) if len(conditions) == 2 else None
    if found is None:
        return None
    whole = found.total
    return Recursion(lambda q: replace(whole(q), formula=None, lower=q.lower, reason=reason))


def _invariants(
    guard: Expr, required: frozenset[Expr], bounds: frozenset[str], calls: tuple[SelfCall, ...]
) -> Iterator[tuple[Expr, ...]]:
    """What may be taken to be >= 0 in all activations where it is in the first: what is required,
    and that bounds are not negative, as it needs be for (lo + hi) / 2 to be rounded down."""
    for wanted in (required, required | {sym(s) for s in bounds}):
        kept = preserved(wanted, calls, Assumptions([guard]))
        if required <= kept:
            yield tuple(sorted(kept, key=str))


def _guards(
    condition: Cond, preconditions: frozenset[Expr]
) -> Iterator[tuple[Expr, frozenset[Expr]]]:
    """(e, what must hold): the function goes on exactly where e >= 0."""
    if condition.kind == "ge":
        yield condition.arg, preconditions
    elif condition.kind == "ne":  # it goes on until one element is left, and there is at least one
        for least in (condition.arg, -condition.arg):
            yield least - 1, preconditions | {least}


def _balanced(
    name: str,
    calls: tuple[SelfCall, ...],
    measure: Measure,
    assumptions: Assumptions,
    preconditions: frozenset[Expr],
) -> Recursion:
    at_leaf = Assumptions([ONE - measure.size, *sorted(preconditions, key=str)])
    s = maximum(1, measure.size)
    level = ceil_log(2, s)
    sizes = s * level - power(2, level) + s

    def added(e: Expr, sign: int = 0) -> Expr:
        slope, each = measure.linear(e, assumptions, sign)
        steep, leaf = measure.linear(e, at_leaf, sign)
        if steep:
            raise TooComplex
        return slope * sizes + each * (s - 1) + leaf * s

    def total(q: BoundedCount) -> BoundedCount:
        more = preconditions_of(name, q, calls, assumptions)
        if isinstance(more, str):
            return unknown(more)
        return checked(name, q, _either(q, preconditions | more, added))

    return Recursion(total)


def _either(
    q: BoundedCount, preconditions: frozenset[Expr], added: Callable[..., Expr]
) -> BoundedCount:
    """The exact sum of a count over all activations, or the sums of a formula below and of one
    above it."""
    try:
        return replace(q.summed(added), preconditions=preconditions)
    except TooComplex:
        pass
    try:
        lower = maximum(0, added(q.lower, -1))
    except TooComplex:
        lower = q.lower
    try:
        upper = None if q.upper is None else added(q.upper, 1)
    except TooComplex:
        upper = None
    return BoundedCount(None, lower, upper, preconditions, q.notes, q.reason)


def _common_guard(calls: tuple[SelfCall, ...]) -> Expr | None:
    """A formula of arguments that is >= 0 wherever the function calls itself."""
    found: list[Expr] | None = None
    for call in calls:
        parts = call.condition.parts if call.condition.kind == "and" else (call.condition,)
        here = [
            p.arg
            for p in parts
            if p.kind == "ge" and not p.is_unsigned and p.arg.symbols <= call.passed.keys()
        ]
        found = here if found is None else [e for e in found if e in here]
    return found[0] if found else None


def search(name: str, calls: tuple[SelfCall, ...]) -> Recursion | None:
    """At most one of the calls is made in each activation, on at most half the elements, or on
    fewer elements."""
    guard = _common_guard(calls)
    varied = changing(calls)
    if guard is None or any(guard.symbols & varied - call.step.keys() for call in calls):
        return None
    size = guard + 1
    measure = Measure.of(size, varied)
    lengths = [size.substitute(call.step) for call in calls]
    for known in _invariants(guard, frozenset(), size.symbols & varied, calls):
        assumptions = Assumptions([guard, *known])
        if all(shown(size - 1 - length, assumptions) for length in lengths):
            break
    else:
        return None
    if measure is None:
        return None
    halved = all(shown(size - length * 2, assumptions) for length in lengths)
    s = maximum(0, size)
    depth, sizes = (ceil_log(2, s + 1), s * 2) if halved else (s, s * (s + 1) * expr(1).over(2))

    def upper(e: Expr) -> Expr:
        slope, each = measure.linear(e, assumptions, 1)
        steep, last = measure.linear(e, Assumptions([-size, *known]), 1)
        if steep or not is_nonnegative(slope):
            raise TooComplex
        return slope * sizes + maximum(0, each) * depth + maximum(0, last)

    return _bounded(
        name,
        calls,
        assumptions,
        frozenset(known),
        lambda q: q.lower,
        upper,
        f"{name} calls itself, and data decide how often",
        frozenset(),
    )


def parts(name: str, calls: tuple[SelfCall, ...]) -> Recursion | None:
    """Two calls on parts of the range that data choose: of s elements, s - 1 are in one or the
    other."""
    guard = _common_guard(calls)
    if guard is None or len(calls) != 2:
        return None
    varied = changing(calls)
    if any(guard.symbols & varied - call.passed.keys() for call in calls):
        return None
    lost = guard
    for call in calls:
        lost = lost - guard.substitute(call.passed)
    # (guard1 + t) + (guard2 + t) = guard + t - 1: such a t makes guard + t the number of elements
    least = (lost - 1).constant
    if not isinstance(least, int) or least < 1:
        return None
    size, assumptions = guard + least, Assumptions([guard])
    measure = Measure.of(size, varied)
    if measure is None:
        return None
    inner, index = maximum(0, guard + 1), "%part"

    def upper(e: Expr) -> Expr:
        # f nondecreasing and not negative: the sum over a tree is largest for a path, f(s) + f(s -
        # 1) + ... + f(least)
        shape = measure.over(e, assumptions).substitute({SIZE: sym(index) + least})
        powers = shape.split(index)
        if powers is None or not all(map(is_nonnegative, powers.values())):
            raise TooComplex
        steep, leaf = measure.linear(e, Assumptions([-guard - 1]), 1)
        if steep:
            raise TooComplex
        return summation(shape, index, inner) + maximum(0, leaf) * (inner + 1)

    always = all(call.condition == Cond("ge", guard) for call in calls)

    def lower(q: BoundedCount) -> Expr:
        if not always or least != 2:
            return q.lower
        return _complete_tree(measure, q.lower, assumptions)

    return _bounded(
        name,
        calls,
        assumptions,
        frozenset(),
        lower,
        upper,
        f"{name} calls itself for parts of a length that depends on data",
        frozenset((INSIDE.format(name),)),
    )


def _complete_tree(measure: Measure, each: Expr, assumptions: Assumptions) -> Expr:
    """The least that counts of a tree of so many nodes as there are elements add up to: that of a
    complete tree; `each` itself where it does not grow with the size."""
    n = maximum(0, measure.size)
    levels = ceil_log(2, n + 1)
    slope, rest = measure.linear(each, assumptions, -1)
    single = slope + rest  # an activation for one element calls nothing, and is counted too much
    if not is_nonnegative(slope) or not is_nonnegative(single):
        return each
    sizes = (n + 1) * levels - power(2, levels) + 1
    return slope * sizes + rest * n - single * ceil_div(n, 2)


def _bounded(
    name: str,
    calls: tuple[SelfCall, ...],
    assumptions: Assumptions,
    preconditions: frozenset[Expr],
    lower: Callable[[BoundedCount], Expr],
    upper: Callable[[Expr], Expr],
    reason: str,
    notes: frozenset[str],
) -> Recursion:
    """A recursion of which only bounds are known."""

    def total(q: BoundedCount) -> BoundedCount:
        if q.formula == ZERO:
            return q
        more = preconditions_of(name, q, calls, assumptions)
        if isinstance(more, str):
            return unknown(more)
        try:
            least = lower(q)
        except TooComplex:
            least = q.lower
        try:
            most = None if q.upper is None else upper(q.upper)
        except TooComplex:
            most = None
        return BoundedCount(None, least, most, preconditions | more, q.notes | notes, reason)

    return Recursion(total)
