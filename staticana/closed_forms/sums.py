"""Exact sums over an index that runs from 0 to count - 1.

Polynomials by Faulhaber's formula, exponentials by the geometric series, indicators and maxima of
affine functions by cutting the range at the threshold, one floor of an affine function by its own
closed form. The empty range needs no special case: `count` is a formula that is never negative, and
every closed form here vanishes at count = 0. What has no closed form stays a `Sum`, which evaluates
exactly.

Source: Hoefler and Kwasniewski, SPAA 2014 (slides 004, "Counting the number of iterations").
"""

from __future__ import annotations

from fractions import Fraction

from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Atom,
    Expr,
    Extremum,
    Monomial,
    Pow,
    Sum,
    Sym,
    TooComplex,
    from_atom,
    maximum,
    simplify,
)
from .complete_residues import summed_complete_residues
from .flat_ranges import summed_as_two
from .index_range import inner_assumptions, unguarded
from .monomial_sums import monomial_sum
from .residue_classes import summed_remainders, summed_residues
from .telescoping_extrema import telescoped_extrema
from .thresholds import cut_sum, replaced, threshold_in
from .tiles import summed_tiles


def summation(body: Expr, index: str, count: Expr, assumptions: Assumptions | None = None) -> Expr:
    """sum_{index=0}^{count-1} body; `count` must not be negative (guard it with Max(0, ...))."""
    if not body or count == ZERO:
        return ZERO
    assumptions = assumptions or Assumptions()
    key = (body, index, count)
    found = assumptions.sums.get(key)
    if found is None:
        found = assumptions.sums[key] = _by_content(body, index, count, assumptions)
    return found


def summed_again(e: Expr, assumptions: Assumptions | None = None) -> Expr:
    """A formula whose sums are over other formulas than they were, in closed form where there is
    one now: rows of one colour have one where the colour is known. `assumptions` keep what is found
    for further formulas."""
    if not any(isinstance(a, Sum) for a in e.atoms):
        return e
    assumptions = assumptions or Assumptions()

    def change(a: Atom) -> Expr:
        if not isinstance(a, Sum):
            return from_atom(a)
        try:
            found = summation(a.body, a.index, maximum(0, a.count), assumptions)
        except TooComplex:
            return from_atom(a)
        return from_atom(a) if found.has_sum else found

    return e.map_atoms(change)


def _by_content(body: Expr, index: str, count: Expr, assumptions: Assumptions) -> Expr:
    """The sum by that of the body over its content: bytes are eight times words."""
    content = body.content
    if content > 1 and body.constant is None:
        found = summation(body.over(content), index, count, assumptions)
        if not found.has_sum:  # what is left of a sum keeps its factor inside
            return found * content
    return _summed(body, index, count, assumptions)


def _summed(body: Expr, index: str, count: Expr, assumptions: Assumptions) -> Expr:
    inside = inner_assumptions(index, count, assumptions)
    atom = count.atom
    if isinstance(atom, Extremum) and atom.kind == "Max":
        whole = unguarded(count)
        if whole:  # the sum runs only where Max(0, x) = x
            body = replaced(body, atom, whole[0])
    as_two = summed_as_two(body, index, count, assumptions, summation)
    if as_two is not None:
        return as_two
    known, body = telescoped_extrema(body, index, count, inside)
    body = simplify(body, inside)
    if body.constant == 1:
        return count + known
    result = known + _total(body, index, count, assumptions, inside)
    return _tidy(result, count)


def _tidy(result: Expr, count: Expr) -> Expr:
    """Where count = Max(0, n + k) and the sum vanishes with it, n may be written as count - k: one
    letter, not two."""
    whole = unguarded(count)
    if len(whole) != 1 or count.atom is None:
        return result
    line = whole[0].line
    if line is None or line[1] not in (1, -1):
        return result
    symbol, sign, shift = line
    guard = count.atom
    if not isinstance(symbol, Sym) or any(
        all(a != guard and not _in_exponent(a, guard) for a, _ in m)
        for m in result.terms
        if any(symbol.name in a.symbols for a, _ in m)
    ):
        return result
    value = (count - shift) * sign

    def change(a: Atom) -> Expr:
        if a == symbol:
            return value
        if isinstance(a, Pow) and a.exponent.split(symbol.name) is not None:
            return a.rebuild((a.exponent.map_atoms(change),))
        return from_atom(a)

    return result.map_atoms(change)


def _in_exponent(a: Atom, guard: Atom) -> bool:
    return isinstance(a, Pow) and guard in a.exponent.atoms


def _total(
    body: Expr, index: str, count: Expr, assumptions: Assumptions, inside: Assumptions
) -> Expr:
    """Sum monomial by monomial; those that need a cut of the range are handled with what multiplies
    them."""
    tiled, body = summed_tiles(body, index, count, assumptions)
    dealt, body = summed_complete_residues(body, index, count, assumptions)
    result, body = summed_remainders(body, index, count, assumptions, summation)
    result = tiled + dealt + result
    cut = threshold_in(body, index)
    if cut is not None:
        # what is not cut there is summed by itself: each `if` of a body adds a term of its own
        parts: dict[bool, dict[Monomial, Fraction | int]] = {True: {}, False: {}}
        for monomial, coefficient in body.terms.items():
            parts[any(a == cut for a, _ in monomial)][monomial] = coefficient
        result = result + cut_sum(Expr(parts[True]), cut, index, count, assumptions, summation)
        if not parts[False]:
            return result
        return result + _total(Expr(parts[False]), index, count, assumptions, inside)
    left: dict[Monomial, Fraction | int] = {}
    for monomial, coefficient in body.terms.items():
        closed = monomial_sum(monomial, index, count, assumptions, summation)
        if closed is None:
            left[monomial] = coefficient
        else:
            result = result + closed * coefficient
    if left:
        split = summed_residues(Expr(dict(left)), index, count, assumptions, summation)
        if split is not None:
            return result + split
        common = _outside(left, index)
        inner = (
            Expr({tuple((a, n) for a, n in m if index in a.symbols): c for m, c in left.items()})
            if common is not None
            else Expr(dict(left))
        )
        result = result + from_atom(Sum(inner, index, count)) * (
            common if common is not None else ONE
        )
    return result


def _outside(terms: dict[Monomial, Fraction | int], index: str) -> Expr | None:
    """The factor free of the index when it is the same for all terms."""
    factors = {tuple((a, n) for a, n in m if index not in a.symbols) for m in terms}
    return Expr({factors.pop(): 1}) if len(factors) == 1 else None
