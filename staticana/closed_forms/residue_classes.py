"""Sums over residue classes: terms that run for one remainder, and bodies that depend on one."""

from __future__ import annotations

import math

from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    Extremum,
    Floor,
    Step,
    Sym,
    ceil_div,
    expr,
    floor_div,
    from_atom,
    is_integer,
    is_nonnegative,
    sym,
    symbols,
)
from .affine import integer_slope
from .index_range import Summation

_MAX_PERIOD = 12
"""Residue classes of an index that are summed apart, each with a term of its own in the result."""
_MAX_PARTS = 36  # terms of all residues together


def summed_remainders(
    body: Expr, index: str, count: Expr, assumptions: Assumptions, summation: Summation
) -> tuple[Expr, Expr]:
    """The sum of all terms with [x mod e = c], as behind `if (step % every == 0)`, and what is left
    of the body.

    The indicator is written [x mod e >= c] - [x mod e >= c + 1], or the same with <= and c - 1. Of
    the numbers from s to t - 1, ceil((t - c)/e) - ceil((s - c)/e) leave the remainder c: those that
    are e q + c for the q between the two.
    """
    result = ZERO
    for monomial, coefficient in tuple(body.terms.items()):
        steps = [a for a, _ in monomial if index in a.symbols and not isinstance(a, Sym)]
        if len(steps) != 1 or not isinstance(here := steps[0], Step):
            continue
        found = _remainder(here, index, assumptions)
        if found is None or monomial not in body.terms:
            continue
        x, divisor, c = found
        rest = Expr({tuple((a, n) for a, n in monomial if a != here): coefficient})
        beyond = rest * from_atom(Step(here.arg - 1))
        if any(body.terms.get(m) != -k for m, k in beyond.terms.items()):
            continue
        begin = x.substitute({index: ZERO})
        s, t = begin, x.substitute({index: count})
        is_rising = integer_slope(x, index) == (1, s)
        if not is_rising:
            s, t = t + 1, s + 1
        first = _rounded_up(s - c, divisor, assumptions)
        if first == ONE and s - c == ONE:
            first, number = ONE, floor_div(t - c - 1, divisor)
        else:
            number = ceil_div(t - c, divisor) - first
        if index in rest.symbols:
            inner = symbols.nested(index)
            y = (sym(inner) + first) * divisor + c
            at = y - begin if is_rising else begin - y
            result = result + summation(rest.substitute({index: at}), inner, number, assumptions)
        else:
            result = result + rest * number
        body = body - rest * from_atom(here) + beyond
    return result, body


def _rounded_up(x: Expr, divisor: Expr, assumptions: Assumptions) -> Expr:
    """ceil(x / divisor), which is 0 for -divisor < x <= 0 and 1 for 0 < x <= divisor."""
    for value in (ZERO, ONE):
        over = divisor * value - x
        if is_nonnegative(over, assumptions) and is_nonnegative(divisor - 1 - over, assumptions):
            return value
    return ceil_div(x, divisor)


def _remainder(a: Step, index: str, assumptions: Assumptions) -> tuple[Expr, Expr, Expr] | None:
    """(x, e, c) for [x mod e >= c] or [x mod e <= c] with x = s + i or s - i and 0 <= c < e."""
    floors = [f for f in a.arg.atoms if isinstance(f, Floor) and index in f.symbols]
    if len(floors) != 1 or index in floors[0].den.symbols:
        return None
    x, divisor = floors[0].num, floors[0].den
    affine = integer_slope(x, index)
    if affine is None or abs(affine[0]) != 1 or not is_integer(affine[1]):
        return None
    remainder = x - divisor * from_atom(floors[0])
    c = remainder - a.arg
    if index in c.symbols:
        c = remainder + a.arg
    if index in c.symbols:
        return None
    if not (is_nonnegative(c, assumptions) and is_nonnegative(divisor - 1 - c, assumptions)):
        return None
    return x, divisor, c


def summed_residues(
    body: Expr, index: str, count: Expr, assumptions: Assumptions, summation: Summation
) -> Expr | None:
    """Sums over what depends on index modulo a small number: each residue r by itself, index = L t
    + r."""
    period = 1
    for a in body.all_atoms():
        if isinstance(a, Extremum) and index in a.symbols:
            return None  # each residue would be cut again, and again
        if not isinstance(a, Floor) or index not in a.symbols:
            continue
        affine, divisor = integer_slope(a.num, index), a.den.constant
        if affine is None or not isinstance(divisor, int) or divisor < 1:
            return None
        period = math.lcm(period, divisor // math.gcd(divisor, affine[0]))
    if not 1 < period <= _MAX_PERIOD or period * len(body.terms) > _MAX_PARTS:
        return None
    inner = symbols.nested(index)
    t = sym(inner)
    total = ZERO
    for r in range(period):
        part = body.substitute({index: t * period + r})
        total = total + summation(
            part, inner, floor_div(count + (period - 1 - r), expr(period)), assumptions
        )
    return None if total.has_sum else total
