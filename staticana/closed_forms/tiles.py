"""Tiles: the parts that a blocked loop cuts a range into."""

from __future__ import annotations

from ..expr import (
    ZERO,
    Assumptions,
    Atom,
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
        found = _size_of_tile(a, index, count, assumptions)
        if found is None:
            continue
        size, covered = found
        factor = Expr(
            {
                tuple(f for f in m if f[0] != a): c
                for m, c in body.terms.items()
                if (a, 1) in m and all(o == a or index not in o.symbols for o, _ in m)
            }
        )
        total, body = total + factor * covered, body - factor * size
    return total, body


def _size_of_tile(
    a: Atom, index: str, count: Expr, assumptions: Assumptions
) -> tuple[Expr, Expr] | None:
    """(the size of tile `index` by an atom of it, what all tiles cover)."""
    if not isinstance(a, Extremum) or len(a.args) != 2 or index not in a.symbols:
        return None
    if a.kind == "Max":
        covered = _covered_by_guarded(a, index, count, assumptions)
        return None if covered is None else (from_atom(a), covered)
    found = _tile(a, index, count, assumptions)
    if found is not None:
        return from_atom(a) + found[0], found[1]
    # tiles are not empty, so that a guard of their sizes does not bind
    bare = Extremum("Min", tuple((unguarded(e) or [e])[0] for e in a.args))
    found = _tile(bare, index, count, assumptions)
    return (from_atom(a), found[1]) if found is not None and found[0] == ZERO else None


def _covered_by_guarded(
    a: Extremum, index: str, count: Expr, assumptions: Assumptions
) -> Expr | None:
    """What tiles of the size Max(0, Min(...) + shift) cover."""
    size = next((e for e in a.args if e != ZERO), ZERO)
    extrema = [m for m in size.atoms if isinstance(m, Extremum) and index in m.symbols]
    if ZERO not in a.args or len(extrema) != 1:
        return None
    (least,) = extrema
    if least.kind != "Min" or len(least.args) != 2:
        return None
    found = _tile(least, index, count, assumptions)
    is_size = found is not None and size - from_atom(least) == found[0]
    return found[1] if found is not None and is_size else None


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
