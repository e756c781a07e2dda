"""Bounds in closed form for formulas with sums that have none.

The summand is replaced by one below or above it that can be summed: a quotient without its
rounding, n/d - 1 + 1/d <= floor(n/d) <= n/d, then sum 1/(i + s) by the integral of 1/x, ln((c +
s)/s) <= sum_{i<c} 1/(i + s) <= 1/s + ln((c + s - 1)/s); where this does not help, a summand that
only grows or only falls lies between its first and its last value. The natural logarithm is written
with base 2 and a number just below or above ln 2. Lower <= value <= upper always: what cannot be
shown to have a sign, or to grow or fall, is refused.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Atom,
    CLog,
    Expr,
    Extremum,
    Floor,
    Monomial,
    Number,
    Pow,
    Root,
    Step,
    Sum,
    Sym,
    TooComplex,
    expr,
    from_atom,
    is_nonnegative,
    lone_atom,
    maximum,
    minimum,
    power,
    step,
    sym,
)
from .bound_atoms import Reciprocal, logarithm
from .fibonacci import Fib, FibIndex
from .index_range import inner_assumptions, unguarded
from .sums import summation

Side = Literal[-1, 1]
_LN2 = {-1: Fraction(9, 13), 1: Fraction(25, 36)}  # 0.6923 < ln 2 < 0.6945
_MAX_DEGREE = 3
"""The highest power of an index that is divided by another formula of it."""


class _Refused(Exception):
    """No bound is found in this way."""


def lower_bound(e: Expr, assumptions: Assumptions) -> Expr | None:
    """A formula without sums that is nowhere more than e, as long as the assumptions hold; None
    where none is found."""
    return _outside(e, -1, assumptions)


def upper_bound(e: Expr, assumptions: Assumptions) -> Expr | None:
    """A formula without sums that is nowhere less than e, as long as the assumptions hold; None
    where none is found."""
    return _outside(e, 1, assumptions)


def _outside(e: Expr, side: Side, assumptions: Assumptions) -> Expr | None:
    if not e.has_sum:
        return e
    try:
        return _bound(e, side, assumptions)
    except (_Refused, TooComplex):
        return None


def _side(sign: int) -> Side:
    return 1 if sign > 0 else -1


def _bound(e: Expr, side: Side, assumptions: Assumptions) -> Expr:
    """A bound of a formula, term by term."""
    result = ZERO
    for monomial, coefficient in e.terms.items():
        sums = [p for p in monomial if p[0].has_sum]
        if not sums:
            result = result + Expr({monomial: coefficient})
            continue
        a, n = sums[0]
        if len(sums) > 1 or not isinstance(a, Sum) or n != 1:
            raise _Refused
        sign = 1 if coefficient > 0 else -1
        others = Expr({tuple(p for p in monomial if p != sums[0]): coefficient * sign})
        if not is_nonnegative(others, assumptions):
            raise _Refused
        result = result + others * _bound_of_sum(a, _side(side * sign), assumptions) * sign
    return result


def _bound_of_sum(a: Sum, side: Side, assumptions: Assumptions) -> Expr:
    count = _bound(a.count, side, assumptions)
    if count != a.count:
        raise _Refused  # how far the sum goes rests on a sum itself
    inside = inner_assumptions(a.index, a.count, assumptions)
    body = _bound(a.body, side, inside)
    never_negative = is_nonnegative(a.body, inside)
    atom, whole = a.count.atom, unguarded(a.count)
    # Max(0, x) is x where there is anything to sum; Min(x, y) is neither of them
    is_guarded = bool(whole) and isinstance(atom, Extremum) and atom.kind == "Max"
    last = (whole[0] if is_guarded else a.count) - 1
    backwards = body.substitute({a.index: last - sym(a.index)})
    for way, each in (
        (_by_layers, body),
        (_by_integral, body),
        (_by_integral, backwards),
        (_by_ends, body),
    ):
        try:
            found = way(each, a, side, assumptions, inside)
        except (_Refused, TooComplex):
            continue
        value = maximum(0, found, assumptions=assumptions) if side < 0 and never_negative else found
        # a guard around the sum may have been the reason that its count had none
        return value if is_nonnegative(a.count, assumptions) else value * step(a.count, assumptions)
    if side < 0 and never_negative:
        return ZERO
    raise _Refused


def _by_layers(
    body: Expr, a: Sum, side: Side, assumptions: Assumptions, inside: Assumptions
) -> Expr:
    """sum_i ceil(log_b(n/(i + s))) counts the pairs (i, k) with b**k (i + s) < n: at most n/b**k
    for each k."""
    log = body.atom
    if side < 0 or not isinstance(log, CLog):
        raise _Refused
    sign = 1 if isinstance(log.arg.atom, Floor) else -1
    quotient = (log.arg * sign).atom
    if not isinstance(quotient, Floor) or a.index in quotient.num.symbols:
        raise _Refused
    over = _inverse(quotient.den, a.index, inside)
    if (
        over is None
        or len(over.terms) != 1
        or not any(isinstance(r, Reciprocal) for r in over.atoms)
    ):
        raise _Refused
    (share,) = over.terms.values()
    return maximum(0, quotient.num * sign, assumptions=assumptions) * (
        Fraction(log.base, log.base - 1) * Fraction(share)
    )


# -- first and last value
def _by_ends(body: Expr, a: Sum, side: Side, assumptions: Assumptions, inside: Assumptions) -> Expr:
    grows = _direction(body, a.index, inside)
    if grows is None:
        raise _Refused
    at = a.count - 1 if grows * side > 0 else ZERO
    last = at if is_nonnegative(at, assumptions) else maximum(0, at, assumptions=assumptions)
    end = body.substitute({a.index: last})
    return a.count * (maximum(0, end, assumptions=assumptions) if side > 0 else end)


def _direction(e: Expr, index: str, inside: Assumptions) -> int | None:
    """1 where a formula never falls with the index, -1 where it never grows, 0 where it does not
    depend on it."""
    found: set[int] = set()
    for monomial, coefficient in e.terms.items():
        here: set[int] = set()
        if all(index not in a.symbols for a, _ in monomial):
            continue
        for a, n in monomial:
            direction = _direction_of(a, index, inside)
            if direction is None:
                return None
            if (len(monomial) > 1 or n > 1) and not is_nonnegative(from_atom(a), inside):
                return None  # a product grows with its factors only where none is negative
            here.add(direction)
        here.discard(0)
        if len(here) > 1:
            return None
        found |= {d if coefficient > 0 else -d for d in here}
    return None if len(found) > 1 else found.pop() if found else 0


def _direction_of(a: Atom, index: str, inside: Assumptions) -> int | None:
    if index not in a.symbols:
        return 0
    if isinstance(a, Sym):
        return 1
    if isinstance(a, (CLog, Root, Pow, Step, Fib, FibIndex)):
        return _direction(a.parts[-1], index, inside)
    if isinstance(a, Extremum):
        found = {_direction(p, index, inside) for p in a.args} - {0}
        return None if len(found) > 1 else found.pop() if found else 0
    if isinstance(a, Floor) and is_nonnegative(a.den - 1, inside):
        top, bottom = _direction(a.num, index, inside), _direction(a.den, index, inside)
        if bottom == 0:
            return top
        if top == 0 and bottom is not None:
            return (
                -bottom
                if is_nonnegative(a.num, inside)
                else bottom
                if is_nonnegative(-a.num, inside)
                else None
            )
    return None


# -- summands that can be summed
def _by_integral(
    body: Expr, a: Sum, side: Side, assumptions: Assumptions, inside: Assumptions
) -> Expr:
    smooth = _relaxed(body, side, a.index, inside)
    plain = ZERO
    result = ZERO
    for monomial, coefficient in smooth.terms.items():
        held = [(b, n) for b, n in monomial if isinstance(b, Reciprocal)]
        if not held:
            plain = plain + Expr({monomial: coefficient})
            continue
        if len(held) > 1:
            raise _Refused
        reciprocal, times = held[0]
        assert isinstance(reciprocal, Reciprocal)
        rest = Expr({tuple(p for p in monomial if p not in held): coefficient}).split(a.index)
        if rest is None:
            raise _Refused
        for degree, factor in rest.items():
            for (left, below), number in _divided(degree, times, reciprocal.shift).items():
                if below:
                    result = result + _signed(
                        factor * number, reciprocal.shift, below, a.count, side, assumptions, inside
                    )
                else:
                    plain = plain + factor * number * sym(a.index) ** left
    total = summation(plain, a.index, a.count, assumptions)
    if total.has_sum:
        raise _Refused
    return result + total


def _divided(degree: int, times: int, s: Expr) -> dict[tuple[int, int], Expr]:
    """i**degree / (i + s)**times as a sum of powers of i and of 1/(i + s), by i/(i + s) = 1 - s/(i
    + s): exponents -> factor."""
    if degree > _MAX_DEGREE:
        raise _Refused
    if not degree or not times:
        return {(degree, times): ONE}
    found: dict[tuple[int, int], Expr] = {}
    for further, factor in ((times - 1, ONE), (times, -s)):
        for key, number in _divided(degree - 1, further, s).items():
            found[key] = found.get(key, ZERO) + number * factor
    return found


def _signed(
    factor: Expr,
    s: Expr,
    times: int,
    count: Expr,
    side: Side,
    assumptions: Assumptions,
    inside: Assumptions,
) -> Expr:
    """A bound of factor sum_{i<c} 1/(i + s)**times; the factor must have one sign where the range
    is not empty."""
    if not factor:
        return ZERO
    sign = 1 if is_nonnegative(factor, inside) else -1
    size = factor * sign
    if not is_nonnegative(size, inside):
        raise _Refused
    return (
        maximum(0, size, assumptions=assumptions)
        * sign
        * (
            _harmonic(s, count, _side(side * sign))
            if times == 1
            else _inverse_powers(s, times, count, _side(side * sign))
        )
    )


def _harmonic(s: Expr, count: Expr, side: Side) -> Expr:
    """sum_{i<c} 1/(i + s) for s >= 1."""
    first = s.constant
    if side < 0:
        return logarithm(count + s) * _LN2[-1] - (
            _constant_log(first, 1) if first is not None else logarithm(s) * _LN2[1]
        )
    if (
        first is not None and first > 1
    ):  # the integral from s - 1 on, so that nothing is left for c = 0
        return logarithm(count + s - 1) * _LN2[1] - _constant_log(first - 1, -1)
    return logarithm(count + s - 1) * _LN2[1] - logarithm(s) * _LN2[-1] + 1


def _inverse_powers(s: Expr, times: int, count: Expr, side: Side) -> Expr:
    """sum_{i<c} 1/(i + s)**k for k >= 2: its first term, or that and the integral, 1/s**k +
    s**(1-k)/(k - 1)."""
    if s.constant is None:
        if side < 0:
            return ZERO
        return expr(Fraction(times, times - 1))  # s >= 1
    first = Fraction(1) / Fraction(s.constant) ** times
    return (
        minimum(1, count) * first
        if side < 0
        else expr(first + first * Fraction(s.constant) / (times - 1))
    )


def _constant_log(value: Number, side: Side) -> Expr:
    """ln(value), rounded to a hundredth below or above."""
    if value == 1:
        return ZERO
    return expr(Fraction(math.floor(math.log(value) * 100) + (1 if side > 0 else 0), 100))


def _relaxed(e: Expr, side: Side, index: str, inside: Assumptions) -> Expr:
    """A formula below or above e, for every value of the index, whose terms can be summed."""
    result = ZERO
    for monomial, coefficient in e.terms.items():
        result = result + _relaxed_term(monomial, coefficient, side, index, inside)
    return result


def _relaxed_term(
    monomial: Monomial, coefficient: Number, side: Side, index: str, inside: Assumptions
) -> Expr:
    rough = [(a, n) for a, n in monomial if _is_rough(a, index)]
    if not rough:
        return Expr({monomial: coefficient})
    sign = 1 if coefficient > 0 else -1
    towards = _side(side * sign)
    others = Expr({tuple(p for p in monomial if p not in rough): coefficient * sign})
    if others.constant is None and not is_nonnegative(others, inside):
        raise _Refused
    alone = len(rough) == 1 and rough[0][1] == 1
    result = others * sign
    for a, n in rough:
        bound = _relaxed_atom(a, towards, index, inside)
        if not alone and not is_nonnegative(bound if towards < 0 else from_atom(a), inside):
            # the product is bounded by the bounds' product only where neither is negative
            raise _Refused
        result = result * bound**n
    return result


def _is_rough(a: Atom, index: str) -> bool:
    """Can it not be summed as it is?"""
    if index not in a.symbols or isinstance(a, Sym):
        return False
    if isinstance(a, Pow):
        return a.exponent.affine_in(index) is None
    return True


def _relaxed_atom(a: Atom, side: Side, index: str, inside: Assumptions) -> Expr:
    if isinstance(a, Floor):
        over = _inverse(a.den, index, inside)
        if over is None:
            raise _Refused
        # floor(n/d) <= n/d, and >= (n - d + 1)/d for whole n and d
        return (
            _relaxed_product(a.num, over, side, index, inside)
            if side > 0
            else _relaxed_product(a.num + 1, over, side, index, inside) - 1
        )
    if isinstance(a, Extremum) and a.kind == "Max" and len(a.args) == 2 and ZERO in a.args:
        inner = a.args[0] + a.args[1]
        return (
            _relaxed(inner, side, index, inside)
            if side < 0
            else _above_guarded(inner, index, inside)
        )
    if isinstance(a, (CLog, Root)):
        closed = summation(from_atom(a), index, sym("%end"))
        if not closed.has_sum:
            return from_atom(a)
    raise _Refused


def _above_guarded(e: Expr, index: str, inside: Assumptions) -> Expr:
    """A formula above Max(0, e): Max(0, floor(n/d) + k) <= Max(0, n)/d + Max(0, k), and ceil(n/d) =
    floor((n - 1)/d) + 1."""
    quotients = [
        (a, int(c))
        for m, c in e.terms.items()
        if abs(c) == 1 and isinstance(a := lone_atom(m), Floor)
    ]
    if len(quotients) == 1:
        a, sign = quotients[0]
        rest, over = e - from_atom(a) * sign, _inverse(a.den, index, inside)
        num = a.num if sign > 0 else -a.num - 1
        added = rest if sign > 0 else rest + 1
        if over is not None and index not in added.symbols:
            if not is_nonnegative(num, inside):
                if index in num.symbols:
                    raise _Refused
                num = maximum(0, num)
            return _relaxed_product(num, over, 1, index, inside) + maximum(0, added)
    inner = _relaxed(e, 1, index, inside)
    if is_nonnegative(inner, inside):
        return inner
    raise _Refused


def _relaxed_product(num: Expr, over: Expr, side: Side, index: str, inside: Assumptions) -> Expr:
    """num / den for `over` = 1 / den > 0, with what is rough in the numerator relaxed first."""
    return _relaxed(num, side, index, inside) * over


def _inverse(den: Expr, index: str, inside: Assumptions) -> Expr | None:
    """1 / den as a formula: for numbers, multiples of i + s with s >= 1, and multiples of a power
    of the index."""
    value = den.constant
    if value is not None:
        return expr(1 / Fraction(value)) if value > 0 else None
    if den.only_term is not None:
        powers, factor = den.only_term
        a = lone_atom(powers)
        if factor > 0 and isinstance(a, Pow) and is_nonnegative(a.exponent, inside):
            return power(a.base, -a.exponent).over(factor)
    if not is_nonnegative(den - 1, inside):
        return None
    line = den.affine_in(index)
    if line is not None:
        slope = line[0].constant
        if not isinstance(slope, int) or slope < 1:
            return None
        shift = line[1].over(slope)
        if not is_nonnegative(shift - 1, inside):
            return None
        return from_atom(Reciprocal(index, shift)).over(slope)
    return None
