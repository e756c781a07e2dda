"""Sums whose range is cut where an indicator, a maximum or a minimum changes its form."""

from __future__ import annotations

from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Atom,
    Expr,
    Extremum,
    Step,
    Sum,
    Sym,
    expr,
    floor_div,
    from_atom,
    is_integer,
    is_nonnegative,
    maximum,
    minimum,
    simplify,
    sym,
)
from .affine import integer_slope
from .index_range import Summation


def threshold_in(body: Expr, index: str) -> Atom | None:
    """An indicator, maximum or minimum of functions affine in the index, at which the range can be
    cut."""
    for a in sorted(body.atoms):
        if index not in a.symbols:
            continue
        if isinstance(a, Step) and integer_slope(a.arg, index) and is_integer(a.arg):
            return a
        if isinstance(a, Extremum):
            difference = a.args[0] - a.args[1]
            if integer_slope(difference, index) and is_integer(difference):
                return a
    return None


def cut_sum(
    body: Expr, atom: Atom, index: str, count: Expr, assumptions: Assumptions, summation: Summation
) -> Expr:
    """Split the range where the atom changes its form and sum both parts."""
    if isinstance(atom, Step):
        arg, yes, no = atom.arg, ONE, ZERO
    else:
        assert isinstance(atom, Extremum)
        first, *others = atom.args
        other = atom.rebuild(tuple(others))
        if integer_slope(first - other, index) is None:
            return from_atom(Sum(body, index, count))
        arg = first - other
        yes, no = (first, other) if atom.kind == "Max" else (other, first)
    affine = integer_slope(arg, index)
    assert affine is not None
    slope, rest = affine
    i = sym(index)
    # slope * i + rest >= 0 holds from `at` on (slope > 0), or before `at` (slope < 0)
    at = -floor_div(rest, expr(slope)) if slope > 0 else floor_div(rest, expr(-slope)) + 1
    bounded = maximum(0, minimum(count, at, assumptions=assumptions), assumptions=assumptions)
    early, late = (no, yes) if slope > 0 else (yes, no)
    before = replaced(body, atom, early)
    after = replaced(body, atom, late).substitute({index: i + bounded})
    if is_nonnegative(at, assumptions):  # count - Min(count, at)
        rest_count = maximum(0, count - at, assumptions=assumptions)
    else:
        rest_count = (
            simplify(count - bounded, assumptions)
            if is_nonnegative(count - bounded, assumptions)
            else maximum(0, count - bounded, assumptions=assumptions)
        )
    return summation(before, index, bounded, assumptions) + summation(
        after, index, rest_count, assumptions
    )


def replaced(e: Expr, atom: Atom, value: Expr) -> Expr:
    """A formula with a value in place of an atom, also inside of other atoms but sums."""

    def change(a: Atom) -> Expr:
        if a == atom:
            return value
        if isinstance(a, (Sym, Sum)):
            return from_atom(a)
        return a.rebuild(tuple(replaced(p, atom, value) for p in a.parts))

    return e.map_atoms(change)
