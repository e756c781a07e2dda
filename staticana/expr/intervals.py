"""Ranges of formulas from ranges of their symbols (interval arithmetic: Moore, 1966)."""

from __future__ import annotations

from collections.abc import Callable

from .extrema import Extremum
from .polynomial import Atom, Expr, Number

Range = tuple[Number, Number]
RangeOf = Callable[[str], tuple[int, int] | None]


def interval(e: Expr, range_of: RangeOf) -> Range | None:
    """Numbers between which the formula lies; None where a symbol or an atom has no range.

    range_of: the least and the largest value of a symbol.
    """
    low: Number = 0
    high: Number = 0
    for monomial, coefficient in e.terms.items():
        part: Range = (coefficient, coefficient)
        for atom, exponent in monomial:
            found = _of_atom(atom, range_of)
            if found is None:
                return None
            if not isinstance(exponent, int):
                return None
            for _ in range(exponent):
                part = _times(part, found)
        low, high = low + part[0], high + part[1]
    return low, high


def _of_atom(a: Atom, range_of: RangeOf) -> Range | None:
    if a.is_symbol:
        return range_of(a.key)
    if isinstance(a, Extremum):
        parts = [interval(p, range_of) for p in a.args]
        known = [p for p in parts if p is not None]
        if len(known) < len(parts):
            return None
        choose = max if a.kind == "Max" else min
        return choose(p[0] for p in known), choose(p[1] for p in known)
    return None


def _times(a: Range, b: Range) -> Range:
    products = [x * y for x in a for y in b]
    return min(products), max(products)
