"""Formulas rebuilt under assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .atoms import Atom, sym
from .extrema import Extremum, Step, maximum, minimum, step
from .integer_valued import is_integer
from .polynomial import ZERO, Expr, from_atom
from .powers import CLog, Pow, least_exponent, log_of_power, power
from .proofs import Assumptions, is_nonnegative
from .quotients import Floor, Trunc, floor_div
from .sums import Sum
from .terms import Monomial, Number


def simplify(e: Expr, assumptions: Assumptions) -> Expr:
    """Rebuild atoms under what is known: guards that cannot bind disappear."""
    found = assumptions.simplified.get(e)
    if found is not None:
        return found

    def change(a: Atom) -> Expr:
        if a.is_symbol:
            return from_atom(a)
        if isinstance(a, Sum):
            inner = assumptions.plus(sym(a.index), a.count - 1 - sym(a.index))
            return a.rebuild((simplify(a.body, inner), simplify(a.count, assumptions)))
        parts = tuple(simplify(p, assumptions) for p in a.parts)
        if isinstance(a, Extremum):
            return (maximum if a.kind == "Max" else minimum)(*parts, assumptions=assumptions)
        if isinstance(a, Step):
            return step(least_exponent(parts[0]) or parts[0], assumptions)
        if (
            isinstance(a, Trunc)
            and is_nonnegative(parts[0], assumptions)
            and is_nonnegative(parts[1], assumptions)
        ):
            return floor_div(*parts)
        if isinstance(a, CLog):
            return log_of_power(a, parts[0], assumptions) or a.rebuild(parts)
        if isinstance(a, Floor):
            return _power_quotient(parts[0], parts[1], assumptions) or a.rebuild(parts)
        return a.rebuild(parts)

    assumptions.simplified[e] = result = e.map_atoms(change, assumptions.atoms)
    return result


def without_idle_guards(e: Expr) -> Expr:
    """The formula without conditions that Max(0, x) beside them makes idle: for whole x,
    Max(0, x) * [x >= 0] and Max(0, x) * [x >= 1] are Max(0, x)."""
    if not any(isinstance(a, Step) for a in e.atoms):
        return e
    terms: dict[Monomial, Number] = {}
    for monomial, c in e.terms.items():
        sizes = [
            a.args[0] + a.args[1]
            for a, _ in monomial
            if isinstance(a, Extremum) and a.kind == "Max" and len(a.args) == 2 and ZERO in a.args
        ]
        kept = tuple(
            (a, n) for a, n in monomial if not (isinstance(a, Step) and _is_idle(a.arg, sizes))
        )
        terms[kept] = terms.get(kept, 0) + c
    return Expr({m: c for m, c in terms.items() if c})


def _is_idle(condition: Expr, sizes: Sequence[Expr]) -> bool:
    """Does the condition >= 0 hold wherever one of the whole sizes is positive?"""
    for x in sizes:
        slack = (condition - x).constant
        if isinstance(slack, int) and slack >= -1 and is_integer(x):
            return True
    return False


def _power_quotient(num: Expr, den: Expr, assumptions: Assumptions) -> Expr | None:
    """c b**x / (d b**y) where it is a whole number: c/d is a power of b and the exponents'
    difference is not negative."""
    if len(num.terms) != 1 or len(den.terms) != 1:
        return None
    ((top, c),) = num.terms.items()
    ((bottom, d),) = den.terms.items()
    if len(top) != 1 or len(bottom) > 1 or not isinstance(top[0][0], Pow) or top[0][1] != 1:
        return None
    base, exponent = top[0][0].base, top[0][0].exponent
    if bottom:
        if not isinstance(bottom[0][0], Pow) or bottom[0][0].base != base or bottom[0][1] != 1:
            return None
        exponent = exponent - bottom[0][0].exponent
    ratio, shift = Fraction(c) / Fraction(d), 0
    sign = 1 if ratio > 0 else -1
    ratio *= sign
    while ratio < 1 and (ratio * base).numerator:
        ratio, shift = ratio * base, shift - 1
        if shift < -64:
            return None
    if ratio.denominator != 1 or not is_nonnegative(exponent + shift, assumptions):
        return None
    return power(base, exponent + shift) * (ratio * sign)
