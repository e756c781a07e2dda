"""What the recurrences of functions that call themselves share: their calls, what holds in every
activation, sizes.

An activation of a function is one run of its body, for one set of arguments. Counts of one
activation are formulas over its arguments; a recursion adds them up over all activations that one
call from outside causes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Atom,
    Expr,
    Floor,
    Monomial,
    Number,
    Step,
    TooComplex,
    floor_div,
    from_atom,
    is_integer,
    is_nonnegative,
    simplify,
    sym,
)
from ..expr.predicates import Cond
from ..expr.quotients import relaxed
from ..scev.bounded_count import BoundedCount

SIZE = "%size"
_MOST_STEPS = 6
"""Conditions in a formula, each of which may hold or not, that are gone through."""


@dataclass(frozen=True)
class SelfCall:
    """A call of a function in itself: the block it stands in, when it is made, and the arguments it
    passes (`passed` has those that hold values of the activation, too; `step` only formulas of its
    arguments)."""

    block: str
    condition: Cond
    passed: Mapping[str, Expr]
    step: Mapping[str, Expr]


@dataclass(frozen=True)
class Recursion:
    """How the counts of one activation add up over all activations that one call from outside
    causes: those of loops, and those of operations where they do otherwise. of_any: makes a count
    of one activation one of any."""

    total: Callable[[BoundedCount], BoundedCount]
    operations: Callable[[BoundedCount], BoundedCount] | None = None
    of_any: Callable[[BoundedCount], BoundedCount] | None = None


def changing(calls: Iterable[SelfCall]) -> set[str]:
    """Arguments that differ between activations."""
    return {s for call in calls for s, e in call.passed.items() if e != sym(s)}


def preserved(
    wanted: Iterable[Expr], calls: Iterable[SelfCall], known: Assumptions
) -> frozenset[Expr]:
    """Those of the formulas that are >= 0 in every activation if they are in the first: each call
    hands them on."""
    kept = frozenset(wanted)
    calls = tuple(calls)
    while True:
        assumptions = known.plus(*sorted(kept, key=str))
        left = frozenset(e for e in kept if all(_handed_on(e, call, assumptions) for call in calls))
        if left == kept:
            return kept
        kept = left


def _handed_on(e: Expr, call: SelfCall, assumptions: Assumptions) -> bool:
    return e.symbols <= call.step.keys() and shown(e.substitute(call.step), assumptions)


def shown(e: Expr, assumptions: Assumptions) -> bool:
    """Is e >= 0, also where that rests on what is lost by rounding a quotient?"""
    e = residual(simplify(e, assumptions))
    if is_nonnegative(e, assumptions):
        return True
    quotients = [(m, c) for m, c in e.terms.items() if any(isinstance(a, Floor) for a, _ in m)]
    if (
        len(quotients) == 1
        and is_integer(e)
        and abs(c := quotients[0][1]) == 1
        and len(m := quotients[0][0]) == 1
    ):
        a, rest = m[0][0], e - Expr({m: c})
        if isinstance(a, Floor) and m[0][1] == 1 and isinstance(d := a.den.constant, int) and d > 0:
            # floor(x / d) + r >= 0 says x + r d >= 0, and r - floor(x / d) >= 0 says x < (r + 1) d
            return is_nonnegative(
                a.num + rest * d if c == 1 else (rest + 1) * d - 1 - a.num, assumptions
            )
    return is_nonnegative(relaxed(e, -1), assumptions)


def preconditions_of(
    name: str, q: BoundedCount, calls: tuple[SelfCall, ...], known: Assumptions
) -> frozenset[Expr] | str:
    """What a count requires of the first activation so that it holds in all; a string says
    that this is not known."""
    varied = changing(calls)
    within = frozenset(n for n in q.preconditions if not n.symbols.isdisjoint(varied))
    if preserved(within, calls, known) != within:
        return f"{name} calls itself, and what its counts need has no common form"
    return q.preconditions


def checked(name: str, before: BoundedCount, after: BoundedCount) -> BoundedCount:
    """Says why where the sum over all activations has no form."""
    if after.formula is None and before.formula is not None:
        return replace(
            after, reason=f"{name} calls itself, and the sum over its calls has no closed form"
        )
    return after


@dataclass(frozen=True)
class Measure:
    """The size of what an activation works on, and how formulas are written over it: `pivot` is the
    argument that `back` expresses by the size and the others."""

    size: Expr
    pivot: str
    back: Expr
    varied: frozenset[str]

    @staticmethod
    def of(size: Expr, varied: set[str]) -> Measure | None:
        """The measure for a formula in which an argument that changes has the factor 1 or -1."""
        for s in sorted(size.symbols & varied):
            line = size.affine_in(s)
            if line is not None and (sign := line[0].constant) in (1, -1):
                return Measure(
                    size, s, (sym(SIZE) - line[1]) * (1 if sign == 1 else -1), frozenset(varied)
                )
        return None

    def over(self, e: Expr, known: Assumptions) -> Expr:
        """The formula over `SIZE` and arguments that do not change.

        Raises:
            TooComplex: it depends on more than the size.
        """
        found = residual(simplify(e, known)).substitute({self.pivot: self.back})
        if not found.symbols.isdisjoint(self.varied):
            raise TooComplex
        return found

    def linear(self, e: Expr, known: Assumptions, sign: int = 0) -> tuple[Expr, Expr]:
        """(a, b) with e = a size + b; for a sign of -1 or 1 a line below or above e, with quotients
        by numbers relaxed.

        Raises:
            TooComplex: there is none.
        """
        found = self.over(without_steps(simplify(e, known), known) if sign > 0 else e, known)
        line = (relaxed(found, sign) if sign else found).affine_in(SIZE)
        if line is None:
            raise TooComplex
        return line


def at_most_with_steps(e: Expr, known: Assumptions) -> Expr:
    """A formula that is not below another one, whatever of its conditions holds: one of those that
    it is then, if no other is larger."""
    steps = sorted({a for a in e.atoms if isinstance(a, Step)}, key=lambda a: a.key)
    if not steps or len(steps) > _MOST_STEPS:
        return without_steps(e, known)
    found = {ZERO, e}
    for a in steps:
        found = {
            f.map_atoms(lambda b: value if b == a else from_atom(b))  # noqa: B023 it is called here
            for f in found
            for value in (ZERO, ONE)
        }
    largest = [e for e in found if all(is_nonnegative(e - other, known) for other in found)]
    return largest[0] if largest else without_steps(e, known)


def without_steps(e: Expr, known: Assumptions) -> Expr:
    """A formula that is not below another one, in which less is under conditions."""
    parts: dict[Monomial, dict[Monomial, Number]] = {}
    for m, c in e.terms.items():
        steps: Monomial = tuple((a, n) for a, n in m if isinstance(a, Step))
        parts.setdefault(steps, {})[tuple((a, n) for a, n in m if not isinstance(a, Step))] = c
    found = Expr(parts.pop((), {}))
    for steps, terms in sorted(parts.items(), key=str):
        each = Expr(terms)
        if is_nonnegative(each, known):
            found = found + each
        elif not is_nonnegative(-each, known):
            found = found + each * Expr({steps: 1})
    return found


def residual(e: Expr) -> Expr:
    """One form for equal formulas: in floor(x / d) all coefficients are taken modulo d, and
    floor((x + 1) / 2) is x - floor(x / 2)."""

    def change(a: Atom) -> Expr:
        divisor = a.den.constant if isinstance(a, Floor) else None
        if (
            not isinstance(a, Floor)
            or not isinstance(divisor, int)
            or divisor < 2
            or not is_integer(a.num)
        ):
            return from_atom(a)
        outside = Expr({m: q for m, c in a.num.terms.items() if (q := int(c) // divisor)})
        rest = a.num - outside * divisor
        if divisor == 2 and rest.terms.get((), 0) == 1:
            return outside + (rest - ONE) - floor_div(rest - ONE, 2)
        return outside + floor_div(rest, divisor)

    return e.map_atoms(change)
