"""Telescoping sums over values in memory: sum_i a[i + 1] - a[i] = a[n] - a[0].

So the product of a sparse matrix in CSR form with a vector runs rowptr[n] - rowptr[0] times.
"""

from __future__ import annotations

from ..expr import ZERO, Assumptions, Atom, Expr, Extremum, Loaded, from_atom, has_loaded, sym
from .index_range import unguarded
from .sums import summation


def telescoped(
    body: Expr, index: str, count: Expr, assumptions: Assumptions
) -> tuple[Expr, tuple[Expr, ...]] | None:
    """sum_{index < count} of differences of neighbours in memory, a[i+1] - a[i]: a[count] - a[0].

    Returns:
        (the sum, differences taken not to be negative: an inner loop over a[i] .. a[i+1] that never
        starts beyond its end); None where other values from memory depend on the index.
    """
    rising: list[Expr] = []

    def unguard(a: Atom) -> Expr:
        if (
            isinstance(a, Extremum)
            and a.kind == "Max"
            and len(a.args) == 2
            and ZERO in a.args
            and index in a.symbols
        ):
            whole = unguarded(from_atom(a))[0]
            if has_loaded(whole) and _neighbours(whole, index) is not None:
                rising.append(whole)
                return whole
        return from_atom(a)

    body = body.map_atoms(unguard)
    found = _neighbours(body, index)
    if found is None:
        return None
    rest, pairs = found
    total = summation(rest, index, count, assumptions)
    for lower, factor in pairs:
        total = total + factor * (
            lower.substitute({index: count}) - lower.substitute({index: ZERO})
        )
    return total, tuple(rising)


def _neighbours(e: Expr, index: str) -> tuple[Expr, list[tuple[Expr, Expr]]] | None:
    """e = rest + sum of factor (a[i+1] - a[i]) as (rest, [(a[i], factor)]); None where values from
    memory remain."""
    values: dict[Expr, Expr] = {}
    rest = ZERO
    for monomial, coefficient in e.terms.items():
        inside = [(a, n) for a, n in monomial if index in a.symbols]
        held = [(a, n) for a, n in inside if has_loaded(from_atom(a))]
        if not held:
            rest = rest + Expr({monomial: coefficient})
            continue
        if len(inside) != 1 or not isinstance(held[0][0], Loaded) or held[0][1] != 1:
            return None
        others = Expr({tuple(p for p in monomial if p != held[0]): coefficient})
        key = from_atom(held[0][0])
        values[key] = values.get(key, ZERO) + others
    pairs: list[tuple[Expr, Expr]] = []
    while values:
        for lower, factor in values.items():
            upper = lower.substitute({index: sym(index) + 1})
            if upper != lower and values.get(upper) == -factor:
                pairs.append((lower, -factor))
                del values[lower], values[upper]
                break
        else:
            return None
    return rest, pairs
