"""Ranges of formulas from ranges of their symbols (interval arithmetic: Moore, 1966)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from .atoms import CLog, Extremum, Floor, Inverse, OfOne, Pow, Quotient, Step
from .loaded import Loaded
from .polynomial import Atom, Expr, Monomial
from .quotients import relaxed
from .terms import Number

Range = tuple[Number, Number]
RangeOf = Callable[[str], tuple[int, int] | None]
ANY_LARGE = 1 << 4096
"""Stands for the largest value of what grows beyond all integers of a machine."""


class Ranges:
    """The ranges of formulas, each found once. range_of: the least and the largest value of a
    symbol; None where it has no range."""

    def __init__(self, range_of: RangeOf) -> None:
        self.range_of = range_of
        self.atoms: dict[Atom, Range | None] = {}


def interval(e: Expr, range_of: RangeOf | Ranges) -> Range | None:
    """Numbers between which the formula lies; None where a symbol or an atom has no range.

    range_of: the least and the largest value of a symbol, with the ranges of other formulas where
    there are some.
    """
    ranges = range_of if isinstance(range_of, Ranges) else Ranges(range_of)
    found = _of_terms(e, ranges)
    if found is None or not any(isinstance(a, Floor) for a in e.atoms):
        return found
    # lo + floor((hi - lo) / 2) is not more than (lo + hi) / 2
    below, above = (_of_terms(relaxed(e, sign), ranges) for sign in (-1, 1))
    return (
        found[0] if below is None else max(found[0], below[0]),
        found[1] if above is None else min(found[1], above[1]),
    )


def _of_terms(e: Expr, ranges: Ranges) -> Range | None:
    low: Number = 0
    high: Number = 0
    for monomial, coefficient in e.terms.items():
        part = _of_term(monomial, coefficient, ranges)
        if part is None:
            return None
        low, high = low + part[0], high + part[1]
    return low, high


def _of_term(monomial: Monomial, coefficient: Number, ranges: Ranges) -> Range | None:
    part: Range = (coefficient, coefficient)
    for atom, exponent in monomial:
        if atom not in ranges.atoms:
            ranges.atoms[atom] = _of_atom(atom, ranges)
        found = ranges.atoms[atom]
        if found is None:
            return None
        for _ in range(exponent):
            part = _times(part, found)
    return part


def _of_atom(a: Atom, ranges: Ranges) -> Range | None:
    if a.is_symbol or isinstance(a, Loaded):
        return ranges.range_of(a.key)
    match a:
        case Extremum():
            return _of_extremum(a, ranges)
        case Step():
            return 0, 1
        case Quotient():
            return _quotient(interval(a.num, ranges), interval(a.den, ranges))
        case Pow():
            exponent = interval(a.exponent, ranges)
            if exponent is None:
                return None
            return int(exponent[0] >= 0), _power(a.base, exponent[1])
        case OfOne(is_never_negative=True):
            inside = interval(a.arg, ranges)
            return None if inside is None else (0, _largest(a, inside[1]))
    return None


def _of_extremum(a: Extremum, ranges: Ranges) -> Range | None:
    choose = min if a.is_least else max
    parts = [interval(p, ranges) for p in a.args]
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    return choose(p[0] for p in known), choose(p[1] for p in known)


def _largest(a: OfOne, arg: Number) -> int:
    """The largest value of a function that is not negative, for arguments up to one."""
    if not isinstance(a, Inverse):
        return ANY_LARGE
    high = max(0, ceil(arg))
    return high.bit_length() if isinstance(a, CLog) else high


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
