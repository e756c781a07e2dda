"""Tiles: the parts that a blocked loop cuts a range into."""

from __future__ import annotations

from ..expr import (
    ZERO,
    Assumptions,
    Expr,
    Extremum,
    floor_div,
    from_atom,
    is_nonnegative,
    maximum,
    simplify,
    sym,
)
from .index_range import unguarded


def summed_tiles(
    body: Expr, index: str, count: Expr, assumptions: Assumptions
) -> tuple[Expr, Expr]:
    """The sum of all tiles in a body, and what is left of it: tiles cover their range exactly once,
    sum_{t < ceil(x / b)} Min(b, x - b t) = x for x >= 0.

    A tile may be guarded, Max(0, Min(...)): inside the range the minimum is positive anyway.
    """
    total = ZERO
    for a in body.atoms:
        if not isinstance(a, Extremum) or len(a.args) != 2 or index not in a.symbols:
            continue
        inner, beside = a, ZERO
        if a.kind == "Max" and ZERO in a.args:
            guarded = next(e for e in a.args if e != ZERO)
            minima = [m for m in guarded.atoms if isinstance(m, Extremum) and index in m.symbols]
            if len(minima) != 1 or len(minima[0].args) != 2:
                continue
            inner, beside = minima[0], guarded - from_atom(minima[0])
        found = _tile(inner, index, count, assumptions) if inner.kind == "Min" else None
        if found is None and inner is a and a.kind == "Min":
            # tiles are not empty, so that a guard of their sizes does not bind
            sizes = tuple((unguarded(e) or [e])[0] for e in a.args)
            found = _tile(Extremum("Min", sizes), index, count, assumptions)
            found = found if found is not None and found[0] == ZERO else None
        if found is None or (inner is not a and beside != found[0]):
            continue
        shift, covered = found
        factor = Expr(
            {
                tuple(f for f in m if f[0] != a): c
                for m, c in body.terms.items()
                if (a, 1) in m and all(o == a or index not in o.symbols for o, _ in m)
            }
        )
        total = total + factor * covered
        body = body - factor * (from_atom(a) if inner is not a else from_atom(a) + shift)
    return total, body


def _tile(
    least: Extremum, index: str, count: Expr, assumptions: Assumptions
) -> tuple[Expr, Expr] | None:
    """(what makes the minimum the size of tile `index`, what all tiles cover), if these are tiles:
    Min(b t + b - 1, n - 1) with 1 - b t."""
    for end, last in (least.args, least.args[::-1]):
        here, there = end.split(index), last.split(index)
        if here is None or there is None or (set(here) | set(there)) - {0, 1}:
            continue
        step_of_tiles = here.get(1, ZERO) - there.get(1, ZERO)
        if index in step_of_tiles.symbols or not is_nonnegative(step_of_tiles, assumptions):
            continue
        apart = step_of_tiles - here.get(0, ZERO)
        covered = there.get(0, ZERO) + apart
        tiles = maximum(0, -floor_div(-covered, step_of_tiles), assumptions=assumptions)
        if step_of_tiles and tiles in (count, simplify(count, assumptions)):
            shift = apart - here.get(1, ZERO) * sym(index)
            return shift, maximum(0, covered, assumptions=assumptions)
    return None
