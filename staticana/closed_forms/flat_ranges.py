"""Sums over one range that stands for two: `i = t / m, j = t % m` for 0 <= t < n m, as collapsed
loops and kernels have it."""

from __future__ import annotations

from fractions import Fraction

from ..expr import (
    ZERO,
    Assumptions,
    Atom,
    Expr,
    Extremum,
    Floor,
    Monomial,
    Step,
    floor_div,
    from_atom,
    is_nonnegative,
    sym,
)
from .index_range import Summation, unguarded

_MOST_TERMS = 16
"""Terms of a quotient."""
_QUOTIENT, _REST = "%quotient", "%rest"


def summed_as_two(
    body: Expr, index: str, count: Expr, assumptions: Assumptions, summation: Summation
) -> Expr | None:
    """The sum over quotients of the sums over what is left: sum_{t < n m} g(floor(t / m), t mod m)
    is sum_{q < n} sum_{r < m} g(q, r). None where no conditions ask for both, or n m is no
    multiple of m."""
    if not any(isinstance(a, (Step, Extremum)) for m in body.terms for a, _ in m):
        return None
    found = _in_two(body, index)
    if found is None or not is_nonnegative(found[1], assumptions):
        return None
    apart, m = found
    q, r = index + _QUOTIENT, index + _REST
    outer = next((n for c in (count, *unguarded(count)) if (n := _over(c, m)) is not None), None)
    if outer is None:
        return None
    inner = summation(apart, r, m, assumptions.plus(sym(q), outer - 1 - sym(q)))
    total = inner if inner.has_sum else summation(inner, q, outer, assumptions)
    return None if total.has_sum else total


def at_corners(e: Expr, index: str, last: Expr, inside: Assumptions) -> list[Expr] | None:
    """Formulas of which each is >= 0 only if one over t / m and t mod m is for 0 <= t <= last."""
    found = _in_two(e, index)
    if found is None or not is_nonnegative(found[1] - 1, inside):
        return None
    corners = [found[0]]
    for part, end in ((_QUOTIENT, floor_div(last, found[1])), (_REST, found[1] - 1)):
        line = corners[0].affine_in(index + part)
        if line is None or any(c.affine_in(index + part) is None for c in corners):
            return None
        if is_nonnegative(line[0], inside):
            ends = [ZERO]
        else:
            ends = [end] if is_nonnegative(-line[0], inside) else [ZERO, end]
        corners = [c.substitute({index + part: x}) for c in corners for x in ends]
    return corners


def _in_two(e: Expr, index: str) -> tuple[Expr, Expr] | None:
    """A formula over the quotient of its index by m, and over what is left; and m, if there is one
    such quotient alone."""
    divisors = {
        a.den
        for a in e.all_atoms()
        if isinstance(a, Floor) and a.num == sym(index) and index not in a.den.symbols
    }
    if len(divisors) != 1 or index.endswith((_QUOTIENT, _REST)):
        return None
    m = divisors.pop()
    if m.constant is not None:
        return None

    def change(a: Atom) -> Expr:
        if isinstance(a, Floor) and a.num == sym(index):
            return sym(index + _QUOTIENT)
        parts = tuple(p.map_atoms(change) for p in a.parts)
        return from_atom(a) if parts == a.parts else a.rebuild(parts)

    whole = sym(index + _QUOTIENT) * m + sym(index + _REST)
    return e.map_atoms(change).substitute({index: whole}), m


def _over(product: Expr, factor: Expr) -> Expr | None:
    """The other factor of a product."""
    rest, found = product, ZERO
    first, leading = _leading(factor)
    for _ in range(_MOST_TERMS):
        if not rest:
            return found
        monomial, coefficient = _leading(rest)
        powers = dict(monomial)
        for a, n in first:
            powers[a] = powers.get(a, 0) - n
        if any(n < 0 for n in powers.values()):
            return None
        term = Expr({tuple((a, n) for a, n in powers.items() if n): coefficient / leading})
        found, rest = found + term, rest - term * factor
    return None


def _leading(e: Expr) -> tuple[Monomial, Fraction]:
    """The term of the highest degree."""
    monomial = max(e.terms, key=lambda m: (sum(n for _, n in m), str(Expr({m: 1}))))
    return monomial, Fraction(e.terms[monomial])
