"""Preconditions of single iterations -> what must hold for all iterations of a loop.

A precondition is a formula over the iteration number that must be >= 0. One that is linear in the
iteration number holds in all iterations where it holds in the first and in the last; a polynomial
that grows where it holds in the first, one that falls where it holds in the last.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

from ..expr import (
    ZERO,
    Assumptions,
    Expr,
    Extremum,
    Floor,
    Number,
    Pow,
    Sym,
    from_atom,
    is_nonnegative,
    sym,
)
from .flat_ranges import at_corners
from .index_range import unguarded

_FEW_TERMS = 12
"""Terms of a precondition that is held against the others, two at a time."""


def for_all_iterations(
    preconditions: Iterable[Expr], index: str, last: Expr, inside: Assumptions
) -> tuple[frozenset[Expr], Expr | None]:
    """Preconditions for the iterations 0 .. last of a loop, free of the iteration number.

    Args:
        preconditions: what each iteration needs, over `index`.
        last: the last iteration.
        inside: what holds in each of them.

    Returns:
        What is left to hold, and one that cannot be said without the iteration number.
    """
    left: set[Expr] = set()
    broken: Expr | None = None
    for precondition in preconditions:
        found = _free_of_index(precondition, index, last, inside)
        if found is None:
            broken = precondition
        else:
            left.update(found)
    return frozenset(left), broken


def is_refuted(precondition: Expr, assumptions: Assumptions) -> bool:
    """Is it evident that a precondition does not hold?"""
    return is_nonnegative(-precondition - 1, assumptions)


def strongest(preconditions: Iterable[Expr]) -> list[Expr]:
    """The preconditions without those that differ from another one by a number alone, and are
    weaker; a quotient by its numerator."""
    least: dict[Expr, Expr] = {}
    for e in preconditions:
        whole = e.atom
        divisor = whole.den.constant if isinstance(whole, Floor) else None
        if isinstance(whole, Floor) and divisor is not None and divisor > 0:
            e = whole.num  # which has the sign of the quotient
        constant = e.terms.get((), 0)
        rest = e - constant
        known = least.get(rest)
        if known is None or constant < known.terms.get((), 0):
            least[rest] = e
    return list(least.values())


def excludes_all(preconditions: Iterable[Expr]) -> bool:
    """Do preconditions exclude each other, or leave a symbol, in which they are linear, no value or
    none but zero: counts that hold nowhere of use?"""
    preconditions = list(preconditions)
    for a, b in combinations(preconditions, 2):
        both = (a + b).constant if len(a.terms) <= _FEW_TERMS else None
        if both is not None and both < 0:
            return True
    least: dict[str, Fraction] = {}
    most: dict[str, Fraction] = {}
    for e in preconditions:
        constant = e.terms.get((), 0)
        found = [m for m in e.terms if m] if len(e.terms) <= 2 else ()
        if len(found) != 1 or len(e.symbols) != 1:
            continue
        monomial = found[0]
        factor = e.terms[monomial]
        if len(monomial) != 1 or monomial[0][1] != 1 or not isinstance(monomial[0][0], Sym):
            continue
        name, bound = monomial[0][0].name, Fraction(-constant) / Fraction(factor)
        if factor > 0:
            least[name] = max(least.get(name, bound), bound)
        else:
            most[name] = min(most.get(name, bound), bound)
    for name in least.keys() & most.keys():
        low, high = math.ceil(least[name]), math.floor(most[name])
        if high < low or (low == high == 0):
            return True
    return False


def proved(
    preconditions: Iterable[Expr], index: str, last: Expr, assumptions: Assumptions
) -> tuple[frozenset[Expr], Expr | None]:
    """As `for_all_iterations`, where only the assumptions on entry of the loop are known."""
    return for_all_iterations(preconditions, index, last, assumptions.plus(last - sym(index)))


def _free_of_index(
    precondition: Expr, index: str, last: Expr, inside: Assumptions
) -> list[Expr] | None:
    if is_nonnegative(precondition, inside):
        return []
    if index not in precondition.symbols:
        return [precondition]
    whole = precondition.atom
    if (
        isinstance(whole, Floor)
        and index not in whole.num.symbols
        and is_nonnegative(whole.den, inside)
    ):
        return [whole.num]  # a rounded quotient has the sign of what is divided
    cases = _cases(precondition, index)
    if cases:
        found = [_free_of_index(e, index, last, inside) for e in cases]
        known = [f for f in found if f is not None]
        return [e for f in known for e in f] if len(known) == len(found) else None
    corners = at_corners(precondition, index, last, inside)
    if corners is not None:
        return [e for e in corners if not is_nonnegative(e, inside)]
    parts = precondition.split(index)
    if parts is None:
        grown = _with_power(precondition, index, last)
        return None if grown is None else [grown]
    if not set(parts) <= {0, 1}:
        powers = [e for k, e in parts.items() if k]
        if all(is_nonnegative(e, inside) for e in powers):  # it grows
            return [precondition.substitute({index: ZERO})]
        if all(is_nonnegative(-e, inside) for e in powers):
            return [precondition.substitute({index: last})]
        return None
    slope = parts[1].constant
    if slope is not None:
        return [_unguarded(precondition.substitute({index: ZERO if slope > 0 else last}))]
    first = precondition.substitute({index: ZERO})
    if is_nonnegative(parts[1], inside):
        return [first]
    if isinstance(parts[1].atom, Sym):  # a step that is a number of its own
        return [parts[1], first]
    return [first, precondition.substitute({index: last})]


def _cases(precondition: Expr, index: str) -> list[Expr]:
    """The formulas of which each is >= 0 where one with a minimum, or minus a maximum, is."""
    for monomial, factor in precondition.terms.items():
        a = monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else None
        if isinstance(a, Extremum) and index in a.symbols and a.is_least == (factor > 0):
            rest = precondition - from_atom(a) * factor
            return [rest + e * factor for e in a.args]
    return []


def _with_power(precondition: Expr, index: str, last: Expr) -> Expr | None:
    """A number times a power of the iteration number, and what is free of that, in the iteration
    where it is least: variables that double."""
    found: tuple[Pow, Number] | None = None
    for monomial, factor in precondition.terms.items():
        atoms = [a for a, _ in monomial if index in from_atom(a).symbols]
        if not atoms:
            continue
        if found is not None or len(monomial) != 1 or not isinstance(atoms[0], Pow):
            return None
        if monomial[0][1] != 1:
            return None
        found = atoms[0], factor
    exponent = found[0].exponent.affine_in(index) if found is not None else None
    if found is None or exponent is None:
        return None
    slope = exponent[0].constant
    if slope is None:
        return None
    return precondition.substitute({index: ZERO if (slope > 0) == (found[1] > 0) else last})


def _unguarded(precondition: Expr) -> Expr:
    """x - Max(0, x) >= 0 says x >= 0."""
    for a in precondition.atoms:
        whole = unguarded(from_atom(a))
        if len(whole) == 1 and precondition == whole[0] - from_atom(a):
            return whole[0]
    return precondition
