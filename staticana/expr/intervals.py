"""Ranges of formulas from ranges of their symbols (interval arithmetic: Moore, 1966)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from .atoms import Atom, OfOne
from .extrema import Extremum, Step
from .loaded import Loaded
from .polynomial import Expr
from .powers import CLog, Inverse, Pow
from .quotients import Floor, Quotient, relaxed
from .terms import Number

Range = tuple[Number, Number]
RangeOf = Callable[[str], tuple[int, int] | None]
ANY_LARGE = 1 << 4096
"""Stands for the largest value of what grows beyond all integers of a machine."""


def interval(e: Expr, range_of: RangeOf) -> Range | None:
    """Numbers between which the formula lies; None where a symbol or an atom has no range.

    range_of: the least and the largest value of a symbol.
    """
    found = _of_terms(e, range_of)
    if found is None or not any(isinstance(a, Floor) for m in e.terms for a, _ in m):
        return found
    # lo + floor((hi - lo) / 2) is not more than (lo + hi) / 2
    below, above = (_of_terms(relaxed(e, sign), range_of) for sign in (-1, 1))
    return (
        found[0] if below is None else max(found[0], below[0]),
        found[1] if above is None else min(found[1], above[1]),
    )


def _of_terms(e: Expr, range_of: RangeOf) -> Range | None:
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
    if a.is_symbol or isinstance(a, Loaded):
        return range_of(a.key)
    if isinstance(a, Extremum):
        parts = [interval(p, range_of) for p in a.args]
        known = [p for p in parts if p is not None]
        if len(known) < len(parts):
            return None
        choose = max if a.kind == "Max" else min
        return choose(p[0] for p in known), choose(p[1] for p in known)
    if isinstance(a, Step):
        return 0, 1
    if isinstance(a, Quotient):
        return _quotient(interval(a.num, range_of), interval(a.den, range_of))
    if isinstance(a, Pow):
        exponent = interval(a.exponent, range_of)
        return None if exponent is None else (int(exponent[0] >= 0), _power(a.base, exponent[1]))
    if isinstance(a, OfOne) and a.is_never_negative:
        inside = interval(a.arg, range_of)
        if inside is None:
            return None
        if isinstance(a, Inverse):
            high = max(0, ceil(inside[1]))
            return 0, high.bit_length() if isinstance(a, CLog) else high
        return 0, ANY_LARGE
    return None


def _power(base: int, exponent: Number) -> int:
    """The largest value of a power."""
    large = ANY_LARGE.bit_length()
    return base ** max(0, ceil(exponent)) if exponent < large // base.bit_length() else ANY_LARGE


def _quotient(numerator: Range | None, divisor: Range | None) -> Range | None:
    if numerator is None or divisor is None or divisor[0] <= 0:
        return None
    ends = [x / Fraction(y) for x in numerator for y in divisor]
    return floor(min(ends)), ceil(max(ends))


def _times(a: Range, b: Range) -> Range:
    products = [x * y for x in a for y in b]
    return min(products), max(products)
