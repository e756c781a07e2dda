"""Formulas with halves rounded down, written over one remainder.

floor(n/2) and ceil(n/2) of rows of one colour add up to a polynomial: with r = n mod 2, floor(n/2)
is (n - r)/2 and ceil(n/2) is (n + r)/2, and r**2 is r.
"""

from __future__ import annotations

from .atoms import Floor
from .integer_valued import is_integer
from .polynomial import ZERO, Expr, expr, from_atom, sym
from .quotients import floor_div

_REMAINDER = "%parity"
"""The symbol that stands for a remainder while terms cancel."""
_MOST_HALVES = 8
"""Whole numbers whose remainders are tried."""


def of_one_parity(e: Expr) -> Expr:
    """The formula with all halves of one whole number written over its remainder, where that leaves
    none of them, or fewer."""
    halves: dict[Expr, list[Floor]] = {}
    for a in e.atoms:
        if isinstance(a, Floor) and a.den.constant == 2:
            halves.setdefault(_whole(a.num), []).append(a)
    for whole in sorted(halves, key=str)[:_MOST_HALVES]:
        found = _over_remainder(e, halves[whole], whole)
        if found is not None and len(str(found)) < len(str(e)):
            e = found
    return e


def _whole(num: Expr) -> Expr:
    """What a number is even or odd with, its constant and its sign aside."""
    rest = num - num.terms.get((), 0)
    _, lead = max(rest.terms.items(), key=lambda t: str(t[0]), default=((), 1))
    return rest if lead > 0 else -rest


def _over_remainder(e: Expr, halves: list[Floor], whole: Expr) -> Expr | None:
    if not all(is_integer(a.num) for a in halves):
        return None
    remainder = sym(_REMAINDER)
    values: dict[str, Expr] = {}
    for a in halves:
        odd = int(a.num.terms.get((), 0)) % 2
        own = 1 - remainder if odd else remainder
        values[a.key] = (a.num - own).over(2)
    found = e.map_atoms(lambda a: values.get(a.key, from_atom(a)))
    parts = found.split(_REMAINDER)
    if parts is None:
        return None
    with_remainder = sum((p for n, p in parts.items() if n), ZERO)
    rest = parts.get(0, ZERO)
    if not with_remainder:
        return rest
    return rest + with_remainder * (whole - floor_div(whole, expr(2)) * 2)
