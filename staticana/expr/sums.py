"""Sums that have no closed form, in normal form."""

from __future__ import annotations

from .atoms import Sum
from .extrema import maximum
from .polynomial import ZERO, Expr, from_atom, rebuilt


@rebuilt.register(Sum)
def _sum(a: Sum, parts: tuple[Expr, ...]) -> Expr:
    body, count = parts
    if count == ZERO or not body:
        return ZERO
    if a.index not in body.symbols:  # what varied in it is known to be the same for all
        return body * maximum(0, count)
    return from_atom(Sum(body, a.index, count))
