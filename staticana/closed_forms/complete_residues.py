"""Quotients over a complete set of residues: what is dealt out to takers, one after another.

For a whole x, the sum over r < m of floor((x + r)/m) is x (Hermite's identity; Graham, Knuth and
Patashnik, Concrete Mathematics, 3.26), whatever the divisor m is. So the loops of all threads that
go through a range with the number of threads as their stride go through it once.
"""

from __future__ import annotations

from ..expr import (
    ZERO,
    Assumptions,
    Atom,
    Expr,
    Extremum,
    Floor,
    floor_div,
    is_integer,
    is_nonnegative,
    maximum,
)
from .affine import integer_slope


def summed_complete_residues(
    body: Expr, index: str, count: Expr, assumptions: Assumptions
) -> tuple[Expr, Expr]:
    """The sum over index < count of those terms whose quotients take each residue once, and what is
    left of the body."""
    total = ZERO
    for a in sorted(body.atoms):
        if index not in a.symbols:
            continue
        whole = _whole(a, index, count, assumptions)
        if whole is None:
            continue
        rest, factor = body.by(a)
        if index in factor.symbols:
            continue
        total, body = total + factor * whole, rest
    return total, body


def _whole(a: Atom, index: str, count: Expr, assumptions: Assumptions) -> Expr | None:
    """The sum of one atom over all residues."""
    if isinstance(a, Floor):
        return _quotients(a, index, count, assumptions)
    if not isinstance(a, Extremum) or a.truncated is None:
        return None
    line = a.truncated.line  # Max(0, -floor(...)): of one sign for all residues
    if line is None or line[1] != -1 or line[2] != 0 or not isinstance(line[0], Floor):
        return None
    found = _quotients(line[0], index, count, assumptions)
    is_up = integer_slope(line[0].num, index)
    if found is None or is_up is None or is_up[0] < 0:
        return None
    return maximum(0, -found)


def _quotients(a: Floor, index: str, count: Expr, assumptions: Assumptions) -> Expr | None:
    """The sum over index < m of floor((k index + x)/(k m)), which is floor(x/k)."""
    affine = integer_slope(a.num, index)
    if affine is None or index in a.den.symbols or not is_integer(a.num):
        return None
    slope, rest = affine
    size = abs(slope)
    if a.den != count * size or not is_nonnegative(count - 1, assumptions):
        return None
    if slope < 0:  # the last one first
        rest = rest - (count - 1) * size
    return floor_div(rest, size)
