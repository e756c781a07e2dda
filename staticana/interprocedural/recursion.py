"""Counts of functions that call themselves.

A function that calls itself once in each activation is a loop over its arguments: they change by A
and b from call to call until the condition of the call fails, so closed forms and trip counts are
those of loops; with m calls of equal arguments, level k has m**k activations. Calls for parts of a
range are in `divide`; calls with n - 1 and n - 2 make Fibonacci numbers, with other distances
powers of a number between two roots of two.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from ..alias.call_graph import Site
from ..closed_forms.exit_iteration import first_failure
from ..closed_forms.fibonacci import fibonacci
from ..closed_forms.recurrences import closed_forms
from ..closed_forms.sums import inner_assumptions, summation
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
from ..scev.bounded_count import BoundedCount, unknown
from ..scev.context import FunctionContext, ProgramContext
from .call_substitution import is_steady
from .divide_and_conquer import halves, parts, search
from .self_calls import Measure, Recursion, SelfCall, changing, checked, preconditions_of

_FINEST = 16
"""Largest denominator of the exponent of a power of two that bounds the number of activations."""


def solve(program: ProgramContext, name: str, sites: list[Site]) -> Recursion | str:
    """The recursion of a function over the calls of itself; a string says why nothing is known of
    it."""
    view = program.view(name)
    entry = view.function.entry.name
    # an argument that is the same in every call is not a variable of the recursion, and has its
    # value's name
    symbols = {
        program.argument_symbol(view.function, at): a.key
        for at, p in enumerate(view.function.parameters)
        if isinstance(a := program.argument(view.function, p.token).atom, Sym)
    }
    calls: list[SelfCall] = []
    preconditions: frozenset[Expr] = frozenset()
    by_data = False
    for site in sites:
        if site.block in view.forest.innermost:
            return f"{name} calls itself in a loop"
        condition, more = view.paths.below(entry, site.block)
        by_data |= (
            condition.is_undecided
            or view.is_data(condition)
            or not all(is_steady(program, name, sites, e) for e in condition.formulas())
        )
        passed = program.arguments(view, site.block, site.instruction, view.function)
        needed = program.argument_preconditions(view, site.block, site.instruction, view.function)
        more |= frozenset[Expr]().union(*(n for s, n in needed.items() if s in symbols))
        passed = {symbols[s]: e for s, e in passed.items() if s in symbols}
        calls.append(
            SelfCall(
                site.block,
                condition,
                passed,
                {
                    s: e
                    for s, e in passed.items()
                    if all(program.unknowns.get(n) is None for n in e.symbols)
                },
            )
        )
        preconditions |= more
    found = _solve(view, name, tuple(calls), preconditions, by_data)
    if not isinstance(found, str) or preconditions:
        return found
    if _exclude_each_other(view, calls):
        return search(name, tuple(calls)) or found
    return parts(name, tuple(calls)) or found


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
    condition = calls[0].condition.substitute(closed)
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
                q.mapped(added), preconditions=q.preconditions | frozenset(horizon.preconditions)
            ),
        )

    return Recursion(total)


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
