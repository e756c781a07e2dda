"""Counts of functions that call themselves.

A function that calls itself once in each activation is a loop over its arguments: they change by A
and b from call to call until the condition of the call fails, so closed forms and trip counts are
those of loops; with m calls of equal arguments, level k has m**k activations. Calls for parts of a
range are in `divide`; calls with n - 1 and n - 2 make Fibonacci numbers, with other distances
powers of a number between two roots of two. Functions that call each other in circles through one
of them are that one's recursion: each path of calls that comes back to it is a call of itself, with
the conditions on its way joined and the arguments put into each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice

from looplaw_common.digraph import circles

from ..alias.call_graph import Calls, Site
from ..closed_forms.exit_iteration import first_failure
from ..closed_forms.fibonacci import fibonacci
from ..closed_forms.index_range import inner_assumptions
from ..closed_forms.recurrences import closed_forms
from ..closed_forms.sums import summation
from ..expr import (
    ONE,
    Assumptions,
    Expr,
    Sym,
    TooComplex,
    ceil_div,
    expr,
    floor_div,
    maximum,
    power,
    simplify,
    sym,
    symbols,
)
from ..expr.predicates import TRUE, Cond, conjunction, literal
from ..scev.bounded_count import BoundedCount, unknown
from ..scev.context import FunctionContext, ProgramContext
from .branching import branching, outermost
from .call_substitution import Brought, is_steady
from .divide_and_conquer import at_most_halves, halves, parts, search
from .marked_calls import by_marks
from .self_calls import Measure, Recursion, SelfCall, changing, checked, preconditions_of

_MOST_MEMBERS = 8
"""Functions of a ring, at most; parsers have more, and data decide on them."""
_MOST_PATHS = 4
"""Paths through a ring, at most: the recursions that are solved have no more calls."""
_FINEST = 16
"""Largest denominator of the exponent of a power of two that bounds the number of activations."""


@dataclass(frozen=True)
class Ring:
    """Functions that call each other in circles, all of which lead through `head`. `others`:
    callees before callers, once the head is left out; `paths`: the calls that lead from the head
    to itself."""

    head: str
    others: tuple[str, ...]
    paths: tuple[tuple[Site, ...], ...]


def ring(calls: Calls, name: str) -> Ring | None:
    """The ring that a function belongs to; None where it is in no circle with others, where these
    may be called by who knows whom, or where no function is part of all circles."""
    circle = calls.circle(name)
    if not 1 < len(circle) <= _MOST_MEMBERS or not circle.isdisjoint(calls.pointed):
        return None
    sites = [s for f in sorted(circle) for s in calls.sites_in.get(f, ()) if s.callee in circle]
    if not all(s.certain for s in sites):
        return None

    def is_called_from_outside(f: str) -> bool:
        return any(s.caller not in circle for s in calls.callers.get(f, ()))

    for head in sorted(circle, key=lambda f: (not is_called_from_outside(f), f)):
        rest = calls.graph.within(circle - {head})
        others = tuple(name for (name, *more) in circles(rest) if not more)
        if len(others) == len(circle) - 1 and not any(rest.has_edge(f, f) for f in others):
            paths = tuple(islice(_paths(sites, head, (), head), _MOST_PATHS + 1))
            return Ring(head, others, paths) if len(paths) <= _MOST_PATHS else None
    return None


def _paths(
    sites: Sequence[Site], at: str, before: tuple[Site, ...], head: str
) -> Iterator[tuple[Site, ...]]:
    for s in sites:
        if s.caller == at and s.callee == head:
            yield (*before, s)
        elif s.caller == at:
            yield from _paths(sites, s.callee, (*before, s), head)


def solve(program: ProgramContext, name: str, paths: Sequence[Sequence[Site]]) -> Recursion | str:
    """The recursion of a function over the calls of itself, direct ones or through other functions;
    a string says why nothing is known of it."""
    view = program.view(name)
    calls: list[SelfCall] = []
    preconditions: frozenset[Expr] = frozenset()
    by_data = in_loop = False
    for path in paths:
        in_loop |= any(s.block in program.view(s.caller).forest.innermost for s in path)
        call, more, decided = _self_call(program, view, path)
        by_data |= not decided or not all(
            is_steady(program, paths, e) for e in call.condition.formulas()
        )
        calls.append(call)
        preconditions |= more
    found: Recursion | str = f"{name} calls itself in a loop"
    if not in_loop:
        found = _solve(view, name, tuple(calls), preconditions, by_data)
        if isinstance(found, str) and not preconditions:
            apart = _exclude_each_other(view, calls)
            found = (search if apart else parts)(name, tuple(calls)) or found
    if not isinstance(found, str):
        return found
    return (
        at_most_halves(name, tuple(calls), preconditions, found)
        or branching(program, view, tuple(calls), paths, preconditions, found)
        or by_marks(program, view, tuple(calls), paths, found)
        or found
    )


def _self_call(
    program: ProgramContext, view: FunctionContext, path: Sequence[Site]
) -> tuple[SelfCall, frozenset[Expr], bool]:
    """A call of a function of itself, what it rests on, and whether formulas decide on it."""
    # an argument that is the same in every call is not a variable of the recursion, and has its
    # value's name
    symbols = {
        program.argument_symbol(view.function, at): a.key
        for at, p in enumerate(view.function.parameters)
        if isinstance(a := program.argument(view.function, p.token).atom, Sym)
    }
    bring, condition, is_decided = Brought(program, path), TRUE, True
    preconditions: set[Expr] = set()
    passed: dict[str, Expr] = {}
    for depth, site in enumerate(path):
        here, target = program.view(site.caller), program.defined[site.callee]
        reached = outermost(here, site.block)
        found, more = here.paths.below(here.function.entry.name, reached)
        is_decided &= reached == site.block
        is_decided &= not found.is_undecided and not here.is_data(found)
        condition = conjunction(condition, found.map(partial(bring, depth=depth)))
        needed = program.argument_preconditions(here, site.block, site.instruction, target)
        is_last = depth == len(path) - 1
        for s, rests in needed.items():
            if not is_last or s in symbols:
                more |= rests
        preconditions.update(bring(e, depth) for e in more)
        if is_last:
            values = program.arguments(here, site.block, site.instruction, target)
            passed = {symbols[s]: bring(e, depth) for s, e in values.items() if s in symbols}
    call = SelfCall(
        path[0].block,
        _without_implied(condition),
        passed,
        {
            s: e
            for s, e in passed.items()
            if all(program.unknowns.get(n) is None for n in e.symbols)
        },
    )
    return call, frozenset(preconditions) | bring.needs, is_decided


def _solve(
    view: FunctionContext,
    name: str,
    calls: tuple[SelfCall, ...],
    preconditions: frozenset[Expr],
    by_data: bool,
) -> Recursion | str:
    """A recursion whose depth its arguments decide."""
    if by_data:
        return f"whether {name} calls itself again depends on data"
    alike = all(call.condition == calls[0].condition for call in calls)
    if (
        alike
        and len(calls) == 2
        and (found := halves(name, calls[0].condition, calls, preconditions)) is not None
    ):
        return found
    if preconditions:
        return f"the condition under which {name} calls itself may wrap around"
    if alike:
        wanted = _needed(calls)
        if all(
            {s: call.step.get(s) for s in wanted} == {s: calls[0].step.get(s) for s in wanted}
            for call in calls
        ):
            return _chain(name, calls)
        if (branches := _branches(name, calls)) is not None:
            return branches
        if len(calls) == 2:
            return f"{name} calls itself twice, and not on two halves"
    return f"{name} calls itself with arguments that have no common law"


def _exclude_each_other(view: FunctionContext, calls: list[SelfCall]) -> bool:
    """Is at most one of the calls made in an activation?"""
    for call in calls:
        seen: set[str] = set()
        work = [call.block]
        while work:
            for s in view.function.blocks[work.pop()].successors:
                if s not in seen:
                    seen.add(s)
                    work.append(s)
        if sum(other.block in seen or other.block == call.block for other in calls) > 1:
            return False
    return True


def _needed(calls: tuple[SelfCall, ...]) -> set[str]:
    """Arguments on which the conditions rest, through the calls."""
    found: set[str] = set()
    work = [s for call in calls for e in call.condition.formulas() for s in e.symbols]
    while work:
        s = work.pop()
        if s not in found:
            found.add(s)
            work.extend(n for call in calls if s in call.step for n in call.step[s].symbols)
    return found


def _chain(name: str, calls: tuple[SelfCall, ...]) -> Recursion | str:
    """One call, or several with equal arguments, in each activation."""
    first = calls[0].step
    agreed = {s: e for s, e in first.items() if all(call.step.get(s) == e for call in calls)}
    index = symbols.call_depth(name)
    closed = closed_forms(agreed, {s: sym(s) for s in agreed}, index)
    lost = {s for call in calls for s in call.passed if s not in closed}
    test, tested = _one_test(calls[0].condition, agreed)
    condition = test.substitute(closed)
    if any(s in lost for e in condition.formulas() for s in e.symbols):
        return f"the arguments with which {name} calls itself have no closed form"
    horizon = first_failure(condition, index, Assumptions([sym(index)]))
    if horizon is None or horizon.at is None:
        return f"how deep {name} calls itself has no closed form"
    activations = horizon.at + 1
    assumptions = inner_assumptions(index, activations, Assumptions())
    levels = power(len(calls), sym(index)) if len(calls) > 1 else ONE

    def added(e: Expr) -> Expr:
        if e.symbols & lost:
            raise TooComplex
        inside = simplify(e.substitute(closed), assumptions)
        return summation(inside * levels, index, activations, Assumptions())

    def total(q: BoundedCount) -> BoundedCount:
        if any(n.symbols & (lost | closed.keys()) for n in q.preconditions):
            return unknown(f"{name} calls itself, and what its counts need has no common form")
        return checked(
            name,
            q,
            replace(
                q.mapped(added), preconditions=q.preconditions | tested.union(horizon.preconditions)
            ),
        )

    return Recursion(total)


def _one_test(condition: Cond, step: Mapping[str, Expr]) -> tuple[Cond, frozenset[Expr]]:
    """The conditions on a way through a ring as one test, and what it needs: n != 0 and n - 1 != 0,
    with n - 2 in the next round, miss no number on the way from n >= 0 down to zero."""
    tests = condition.parts
    if condition.kind != "and" or any(t.kind != "ne" for t in tests):
        return condition, frozenset()
    for sign in (1, -1):
        first = tests[0].arg * sign
        below = {(first - t.arg * sign).constant for t in tests}
        low = min((d for d in below if isinstance(d, int)), default=0)
        first = first - low
        if (
            None not in below
            and below == set(range(low, low + len(tests)))
            and first.symbols <= step.keys()
            and first - first.substitute(step) == len(tests)
        ):
            return literal("ge", first - len(tests)), frozenset((first,))
    return condition, frozenset()


def _without_implied(condition: Cond) -> Cond:
    """n >= 1 and n >= 2 is n >= 2."""
    if condition.kind != "and":
        return condition
    kept: list[Cond] = []
    for t in condition.parts:
        if t.kind == "ge" and not t.is_unsigned:
            gaps = [
                (k, (t.arg - k.arg).constant) for k in kept if k.kind == "ge" and not k.is_unsigned
            ]
            if any(gap is not None and gap >= 0 for _, gap in gaps):
                continue
            weaker = [k for k, gap in gaps if gap is not None]
            kept = [k for k in kept if k not in weaker]
        kept.append(t)
    return conjunction(*kept)


def _branches(name: str, calls: tuple[SelfCall, ...]) -> Recursion | None:
    """Several calls, while x >= 0, for which x is less by d1, d2, ...: A(x) = 1 + A(x - d1) + A(x -
    d2) + ... activations that call again, and (m - 1) A + 1 that do not."""
    guard = calls[0].condition.arg
    if calls[0].condition.kind != "ge" or len(calls) < 2:
        return None
    distances: list[int] = []
    for call in calls:
        d = (
            (guard - guard.substitute(call.step)).constant
            if guard.symbols & changing(calls) <= call.step.keys()
            else None
        )
        if not isinstance(d, int) or d < 1:
            return None
        distances.append(d)
    measure = Measure.of(guard + 1, changing(calls))
    if measure is None:
        return None
    low, high = _inner_self_calls(guard, sorted(distances))
    assumptions, at_leaf = Assumptions([guard]), Assumptions([-guard - 1])
    ends = len(calls) - 1

    def added(e: Expr, inner: Expr, sign: int = 0) -> Expr:
        slope, each = measure.linear(e, assumptions, sign)
        steep, leaf = measure.linear(e, at_leaf, sign)
        if steep or (slope and sign < 1):
            raise TooComplex
        if slope:  # none is larger than the first
            each = maximum(0, slope) * maximum(0, measure.size) + maximum(0, each)
        if sign:
            each, leaf = maximum(0, each), maximum(0, leaf)
        return each * inner + leaf * (inner * ends + 1)

    def total(q: BoundedCount) -> BoundedCount:
        preconditions = preconditions_of(name, q, calls, assumptions)
        if isinstance(preconditions, str):
            return unknown(preconditions)
        if low == high:
            try:
                return replace(q.summed(lambda e: added(e, low)), preconditions=preconditions)
            except TooComplex:
                pass
        reason = (
            q.reason
            or f"{name} calls itself {len(calls)} times, and the sum over its calls has no closed"
            " form"
        )
        try:
            least = added(q.lower, low, -1)
        except TooComplex:
            least = q.lower
        try:
            most = None if q.upper is None else added(q.upper, high, 1)
        except TooComplex:
            most = None
        return BoundedCount(None, least, most, preconditions, q.notes, reason)

    return Recursion(total)


def _inner_self_calls(x: Expr, distances: list[int]) -> tuple[Expr, Expr]:
    """Bounds of A(x) = 1 + sum_k A(x - d_k) for x >= 0, A = 0 below.

    For the distances 1 and 2, A(x) = F(x + 3) - 1. Else B = A + 1/(m - 1) has B(x) = sum_k B(x -
    d_k), and 1/(m - 1) for x < 0; by induction B(x) <= b**(x + d_m) / (m - 1) where sum_k b**-d_k
    <= 1, and B(x) >= c**(x + 1) / (m - 1) where sum_k c**-d_k >= 1. The numbers b and c taken are
    roots of powers of two.
    """
    if distances == [1, 2]:
        exactly = fibonacci(maximum(2, x + 3)) - 1
        return exactly, exactly
    others = len(distances) - 1

    def excess(exponent: Fraction) -> float:
        return math.fsum(2.0 ** (-float(exponent) * d) for d in distances) - 1

    steps = sorted(
        {Fraction(p, q) for q in range(1, _FINEST + 1) for p in range(q * len(distances) + 1)}
    )
    below = max(
        e for e in steps if excess(e) >= -1e-12 and (e.denominator == 1 or excess(e) > 1e-9)
    )
    above = min(e for e in steps if excess(e) < -1e-9)
    low = power(2, floor_div(maximum(0, x + 1) * below.numerator, below.denominator))
    high = power(
        2, ceil_div(maximum(0, x + distances[-1]) * above.numerator, expr(above.denominator))
    )
    return maximum(0, (low - 1).over(others)), (high - 1).over(others)
