"""Differences of neighbours that add up to what lies at the ends of the range."""

from __future__ import annotations

from ..expr import ZERO, Assumptions, Expr, Extremum, is_nonnegative, simplify, sym
from .index_range import unguarded


def telescoped_extrema(
    body: Expr, index: str, count: Expr, inside: Assumptions
) -> tuple[Expr, Expr]:
    """What differences of neighbours in a body add up to, and what is left of the body: the sum of
    Max(0, i + 1) - Max(0, i) telescopes, which is seen as long as nothing is simplified. Rows end
    where the next ones begin: a guard of their lengths may be idle."""
    e = body
    if len(bare := unguarded(body)) == 1:
        e = bare[0]
    cut = {
        m: c
        for m, c in e.terms.items()
        if len(m) == 1 and isinstance(m[0][0], Extremum) and index in m[0][0].symbols
    }
    found, rising, total = False, True, ZERO
    for m, c in cut.items():
        lower = Expr({m: 1})
        following = lower.substitute({index: sym(index) + 1}).terms
        upper = next(iter(following), m)
        if following != {upper: 1} or upper == m:
            continue
        if (e.terms.get(m), e.terms.get(upper)) != (c, -c):
            continue
        found, e = True, e + Expr({m: -c, upper: c})
        rising = rising and c < 0 and _rises(lower, index)
        total = total - (lower.substitute({index: count}) - lower.substitute({index: ZERO})) * c
    if not found:
        return ZERO, body
    length = e if rising else bare[0] if bare else ZERO
    if bare and not is_nonnegative(simplify(length, inside), inside):
        return ZERO, body
    return total, e


def _rises(e: Expr, index: str) -> bool:
    """Is the formula plainly nowhere below what it is for a smaller index?"""
    return all(
        index not in Expr({m: 1}).symbols
        or (
            c > 0
            and len(m) == 1
            and m[0][1] == 1
            and (
                m[0][0].key == index
                or (isinstance(m[0][0], Extremum) and all(_rises(p, index) for p in m[0][0].parts))
            )
        )
        for m, c in e.terms.items()
    )
