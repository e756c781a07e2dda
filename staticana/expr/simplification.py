"""Formulas rebuilt under assumptions."""

from __future__ import annotations

from collections.abc import Sequence

from .atoms import CLog, Extremum, Floor, Step, Sum, Trunc
from .extrema import maximum, minimum, step
from .integer_valued import is_integer
from .polynomial import ONE, Atom, Expr, Monomial, from_atom
from .powers import least_exponent, log_of_power, power_quotient
from .proofs import Assumptions, is_nonnegative
from .quotients import ceil_div, floor_div
from .terms import Number, factor_key


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


def with_quotients_rounded_up(e: Expr, assumptions: Assumptions) -> Expr:
    """floor(x/d) + [x - d floor(x/d) >= 1] as ceiling(x/d), and [x - d floor(x/d) >= 0] as 1, for
    d >= 1: what is left of a division is never negative."""
    if not any(isinstance(a, Step) for a in e.all_atoms()):
        return e

    def change(a: Atom) -> Expr:
        if isinstance(a, Step) and _remainder(a.arg, assumptions) is not None:
            return ONE
        if a.is_symbol or isinstance(a, Sum):
            return from_atom(a)
        return a.rebuild(tuple(with_quotients_rounded_up(p, assumptions) for p in a.parts))

    e = e.map_atoms(change)
    for monomial, c in e.terms.items():
        for at, (a, n) in enumerate(monomial):
            quotient = _remainder(a.arg + 1, assumptions) if isinstance(a, Step) else None
            if quotient is None:
                continue
            rest = (*monomial[:at], *monomial[at + 1 :])
            other = tuple(sorted((*rest, (quotient, 1)), key=factor_key))
            if n == 1 and e.terms.get(other) == c:
                left = Expr({m: k for m, k in e.terms.items() if m not in (monomial, other)})
                more = Expr({rest: c}) * ceil_div(quotient.num, quotient.den)
                return with_quotients_rounded_up(left + more, assumptions)
    return e


def _remainder(e: Expr, assumptions: Assumptions) -> Floor | None:
    """floor(x/d) where the formula is x - d floor(x/d), for d >= 1."""
    for a in e.atoms:
        if isinstance(a, Floor) and e == a.num - a.den * from_atom(a):
            return a if is_nonnegative(a.den - 1, assumptions) else None
    return None


def without_idle_guards(e: Expr) -> Expr:
    """The formula without conditions that Max(0, x) beside them makes idle: for whole x,
    Max(0, x) * [x >= 0] and Max(0, x) * [x >= 1] are Max(0, x)."""
    if not any(isinstance(a, Step) for a in e.all_atoms()):
        return e
    e = e.map_atoms(_of_inner)
    terms: dict[Monomial, Number] = {}
    for monomial, c in e.terms.items():
        kept = monomial
        if _has_step(monomial):
            kept = _without_idle(monomial)
            also = _at_zero(kept)
            kept = also if also in e.terms else kept  # where it adds up with another term
        terms[kept] = terms.get(kept, 0) + c
    found = Expr({m: c for m, c in terms.items() if c})
    return _ended_one_later(found) if any(map(_has_step, found.terms)) else found


def _has_step(monomial: Monomial) -> bool:
    return any(isinstance(a, Step) for a, _ in monomial)


def _of_inner(a: Atom) -> Expr:
    if a.is_symbol or isinstance(a, Sum):
        return from_atom(a)
    return a.rebuild(tuple(map(without_idle_guards, a.parts)))


def _at_zero(monomial: Monomial) -> Monomial:
    """x*[x >= 1] as x*[x >= 0], which is the same for whole x."""
    found = dict(monomial)
    for a, n in monomial:
        if isinstance(a, Step):
            x = (a.arg + 1).atom
            if x is not None and x in found and is_integer(from_atom(x)):
                del found[a]
                found[Step(a.arg + 1)] = n
    return tuple(sorted(found.items(), key=factor_key)) if len(found) == len(monomial) else monomial


def _ended_one_later(e: Expr) -> Expr:
    """Max(0, x) + [x >= 0] as Max(0, x + 1), which is the same for whole x."""
    for monomial, c in e.terms.items():
        for at, (a, n) in enumerate(monomial):
            x = a.truncated if isinstance(a, Extremum) and n == 1 else None
            if x is None or not is_integer(x):
                continue
            beside = (*monomial[:at], *monomial[at + 1 :])
            other = tuple(sorted((*beside, (Step(x), 1)), key=factor_key))
            if e.terms.get(other) == c:
                rest = Expr({m: k for m, k in e.terms.items() if m not in (monomial, other)})
                return _ended_one_later(rest + Expr({beside: c}) * maximum(0, x + 1))
    return e


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
