"""Formulas rebuilt under assumptions."""

from __future__ import annotations

from collections.abc import Sequence

from .atoms import CLog, Extremum, Floor, Step, Sum, Trunc
from .extrema import maximum, minimum, step
from .integer_valued import is_integer
from .polynomial import Atom, Expr, Monomial, from_atom
from .powers import least_exponent, log_of_power, power_quotient
from .proofs import Assumptions, is_nonnegative
from .quotients import floor_div
from .terms import Number


def simplify(e: Expr, assumptions: Assumptions) -> Expr:
    """Rebuild atoms under what is known: guards that cannot bind disappear."""
    found = assumptions.simplified.get(e)
    if found is not None:
        return found

    def change(a: Atom) -> Expr:
        return from_atom(a) if a.is_symbol else _simplified(a, assumptions)

    assumptions.simplified[e] = result = e.map_atoms(change, assumptions.atoms)
    return result


def _simplified(a: Atom, assumptions: Assumptions) -> Expr:
    """The shape over simplified parts."""
    if isinstance(a, Sum):
        body = simplify(a.body, assumptions.plus(*a.within))
        return a.rebuild((body, simplify(a.count, assumptions)))
    parts = tuple(simplify(p, assumptions) for p in a.parts)
    simpler: Expr | None = None
    match a:
        case Extremum():
            choose = minimum if a.is_least else maximum
            simpler = choose(*parts, assumptions=assumptions)
        case Step():
            simpler = step(least_exponent(parts[0]) or parts[0], assumptions)
        case Trunc():
            if all(is_nonnegative(p, assumptions) for p in parts):
                simpler = floor_div(*parts)
        case CLog():
            simpler = log_of_power(a, parts[0], assumptions)
        case Floor():
            simpler = power_quotient(parts[0], parts[1], assumptions)
    return a.rebuild(parts) if simpler is None else simpler


def without_idle_guards(e: Expr) -> Expr:
    """The formula without conditions that Max(0, x) beside them makes idle: for whole x,
    Max(0, x) * [x >= 0] and Max(0, x) * [x >= 1] are Max(0, x)."""
    if not any(isinstance(a, Step) for a in e.atoms):
        return e
    terms: dict[Monomial, Number] = {}
    for monomial, c in e.terms.items():
        kept = _without_idle(monomial)
        terms[kept] = terms.get(kept, 0) + c
    return Expr({m: c for m, c in terms.items() if c})


def _without_idle(monomial: Monomial) -> Monomial:
    """A product without its conditions that hold where it is not 0."""
    truncated = (a.truncated for a, _ in monomial if isinstance(a, Extremum))
    sizes = [x for x in truncated if x is not None]
    return tuple(
        (a, n) for a, n in monomial if not (isinstance(a, Step) and _is_idle(a.arg, sizes))
    )


def _is_idle(condition: Expr, sizes: Sequence[Expr]) -> bool:
    """Does the condition >= 0 hold wherever one of the whole sizes is positive?"""
    slacks = ((x, (condition - x).constant) for x in sizes)
    return any(isinstance(k, int) and k >= -1 and is_integer(x) for x, k in slacks)
