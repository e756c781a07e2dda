"""Closed forms of loop variables and the number of the iteration in which a loop ends.

A loop without its control flow is x(i+1) = A x(i) + b, hence x(i) = A**i x0 + sum_{j<i} A**j b, and
it ends in the first i with c'x(i) >= g: a rounded quotient where c'x is linear in i, a rounded
logarithm where it is geometric (Hoefler and Kwasniewski, SPAA 2014; slides 004, "Algorithm in
details"). The variables are solved one after the other in the order of their dependence, which
keeps every entry of A**i an exact formula; a multiplier of one, for which the geometric series has
no quotient, is a case of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..expr import (
    ONE,
    ZERO,
    Expr,
    Facts,
    Floor,
    Pow,
    Step,
    Sum,
    TooComplex,
    Trunc,
    ceil_div,
    ceil_log,
    choose,
    expr,
    floor_div,
    is_integer,
    is_nonnegative,
    maximum,
    minimum,
    power,
    root,
    step,
    sym,
    trunc_div,
)
from ..expr.predicates import Cond
from .fibonacci import combined, fibonacci, fibonacci_index, first_beyond, over_two, place
from .sums import summation


def closed_forms(
    steps: Mapping[str, Expr], initial: Mapping[str, Expr], index: str
) -> dict[str, Expr]:
    """Solve x(i+1) = step(x(i)) for every variable that has a closed form.

    Args:
        steps: variable -> its value in the next iteration, over the variables and invariants.
        initial: variable -> its value when the loop is entered.
        index: name of the iteration number, from 0.

    Returns:
        variable -> formula in the index; variables without a closed form are left out.
    """
    solved: dict[str, Expr] = {}
    pending = {name for name in steps if name in initial}
    progress = True
    while pending and progress:
        progress = False
        for name in sorted(pending):
            others = steps[name].symbols & set(steps) - {name}
            if others <= set(solved):
                progress = True
                pending.discard(name)
                try:
                    form = _solve(name, steps[name].substitute(solved), initial[name], index)
                except TooComplex:
                    form = None
                if form is not None:
                    solved[name] = form
        if not progress:
            pair = next(
                (
                    (x, y)
                    for x in sorted(pending)
                    for y in sorted(pending)
                    if steps[x] == sym(y) and steps[y] == sym(x) + sym(y)
                ),
                None,
            )
            if pair is not None:
                progress = True
                pending.difference_update(pair)
                solved.update(_fibonacci_pair(*pair, initial, index))
    return solved


def _fibonacci_pair(x: str, y: str, initial: Mapping[str, Expr], index: str) -> dict[str, Expr]:
    """x, y = y, x + y: x(i) = (y0 - x0) F(i) + x0 F(i + 1), y(i) = x(i + 1) = x0 F(i) + y0 F(i +
    1)."""
    here, further = fibonacci(sym(index)), fibonacci(sym(index) + 1)
    first, second = initial[x], initial[y]
    at = (
        place(a, b)
        if isinstance(a := first.constant, int) and isinstance(b := second.constant, int)
        else None
    )
    if at is not None:  # neighbours of the sequence itself
        times, shift = at
        return {
            x: fibonacci(sym(index) + shift) * times,
            y: fibonacci(sym(index) + (shift + 1)) * times,
        }
    try:
        return {x: here * (second - first) + further * first, y: here * first + further * second}
    except TooComplex:
        return {}


def _solve(name: str, update: Expr, start: Expr, index: str) -> Expr | None:
    x, i = sym(name), sym(index)
    if update == x:
        return start
    parts = update.split(name)
    if parts is None:
        return _halving(x, update, start, i)
    if set(parts) - {0, 1}:
        return None
    multiplier, added = parts.get(1, ZERO).constant, parts.get(0, ZERO)
    if multiplier == 1:
        earlier = (  # the iterations before: a name of its own, or facts of both would mix
            f"{index}'"
        )
        total = summation(added.substitute({index: sym(earlier)}), earlier, i, Facts([i]))
        return None if any(isinstance(a, Sum) for a in total.all_atoms()) else start + total
    if multiplier == 0:
        if index not in added.symbols and added == start:
            return start
        return choose(step(i - 1), added.substitute({index: i - 1}), start)
    if isinstance(multiplier, int) and multiplier >= 2 and index not in added.symbols:
        grown = power(multiplier, i)
        return grown * start + added * (grown - 1) * Fraction(1, multiplier - 1)
    return None


def _halving(x: Expr, update: Expr, start: Expr, i: Expr) -> Expr | None:
    """x = x / c, rounded down or towards zero: x(i) = x0 / c**i, rounded in the same way."""
    atom = update.atom
    if not isinstance(atom, (Floor, Trunc)) or atom.num != x:
        return None
    divisor = atom.den.constant
    if not isinstance(divisor, int) or divisor < 2:
        return None
    return (floor_div if isinstance(atom, Floor) else trunc_div)(start, power(divisor, i))


@dataclass(frozen=True)
class Horizon:
    """First iteration in which a condition fails: `at`; None: never, provided that `holds` is 1
    (else in the first).

    `needs` are formulas that must be at least zero for this to be true. `happens` is 1 where the
    condition fails at all; where a test is the only one, that it happens is a need, beside others
    it is a case. `prefix`: once the condition has failed it fails for ever, so that this is also
    the last iteration in which it held. `wrapped`: the operands of unsigned tests that end it by
    falling below zero.
    """

    at: Expr | None
    holds: Expr = ONE
    needs: tuple[Expr, ...] = ()
    prefix: bool = True
    happens: Expr = ONE
    wrapped: tuple[Expr, ...] = ()


def first_failure(condition: Cond, index: str, facts: Facts) -> Horizon | None:
    """The first i >= 0 at which the condition (over the index) fails; None where it cannot be told."""
    match condition.kind:
        case "true":
            return Horizon(None)
        case "false":
            return Horizon(ZERO)
        case "ge":
            return _first_negative(
                condition.arg, () if condition.negated else condition.wraps, index, facts
            )
        case "ne":
            return _first_zero(condition.arg, index, facts)
        case "eq":
            return _first_nonzero(condition.arg, index)
        case "and" | "or":
            found = [first_failure(p, index, facts) for p in condition.parts]
            known = [h for h in found if h is not None]
            if len(known) < len(found):
                return None
            return earliest(known) if condition.kind == "and" else _latest(known)
    return None


def failure_between(condition: Cond, index: str) -> tuple[Horizon, Horizon] | None:
    """Horizons not behind and not before the first i at which a condition fails that has no first
    failure in closed form."""
    found = over_two(condition.arg, index) if condition.kind == "ge" else None
    if found is None:
        return None
    rest, a, b, shift = found
    start = tuple(
        int((-a * fibonacci(expr(shift + k)) - b * fibonacci(expr(shift + k + 1))).constant or 0)
        for k in (0, 1)
    )
    bounds = first_beyond((start[0], start[1]), rest)
    return (Horizon(bounds[0]), Horizon(bounds[1])) if bounds is not None else None


def earliest(horizons: list[Horizon]) -> Horizon:
    """All conditions must hold: the first failure of any."""
    if len(horizons) == 1:
        return horizons[0]
    holds = ONE
    for h in horizons:
        holds = holds * h.holds
    prefix = all(h.prefix for h in horizons)
    certain = [h for h in horizons if h.at is not None and h.happens == ONE]
    perhaps = [h for h in horizons if h.at is not None and h.happens != ONE]
    if not certain and perhaps:
        certain, perhaps = perhaps[:1], perhaps[1:]
    needs = tuple(n for h in horizons if h not in perhaps for n in h.needs)
    if not certain:
        return Horizon(None, holds, needs, prefix)
    at = minimum(*(h.at for h in certain if h.at is not None))
    for h in perhaps:
        assert h.at is not None
        at = choose(h.happens, minimum(at, h.at), at)
    return Horizon(
        at * holds, ONE, needs, prefix, wrapped=tuple(w for h in horizons for w in h.wrapped)
    )


def _latest(horizons: list[Horizon]) -> Horizon | None:
    """One condition suffices: the last first failure, provided that what failed stays failed."""
    if any(h.at is None or not h.prefix for h in horizons):
        return None
    return Horizon(
        maximum(*(h.at for h in horizons if h.at is not None)),
        ONE,
        tuple(n for h in horizons for n in h.needs),
    )


def _first_negative(d: Expr, wraps: tuple[Expr, ...], index: str, facts: Facts) -> Horizon | None:
    """First i with d(i) < 0."""
    if index not in d.symbols:
        return Horizon(None, step(d, facts))
    if any(isinstance(a, Step) and index in a.symbols for a in d.all_atoms()):
        return None
    parts = d.split(index)
    if parts is not None:
        if set(parts) - {0, 1}:
            return _first_beyond_root(parts, facts)
        slope, rest = parts[1], parts.get(0, ZERO)
        if is_nonnegative(slope - 1, facts):
            return _wrapped(d, wraps, index, facts)
        needs = () if is_nonnegative(-slope - 1, facts) else (-slope - 1,)
        value = slope.constant
        if (value is not None and value >= 0) or (value is None and len(slope.terms) > 3):
            return None
        return Horizon(maximum(0, ceil_div(rest + 1, -slope), facts=facts), needs=needs)
    return (
        _first_negative_power(d, index, facts)
        or _first_below(d, index)
        or _first_fibonacci(d, index)
    )


def _wrapped(d: Expr, wraps: tuple[Expr, ...], index: str, facts: Facts) -> Horizon:
    """d grows, so it holds for ever once it holds, unless an unsigned operand falls below zero and
    wraps."""
    holds = step(d.substitute({index: ZERO}), facts)
    for operand in wraps:
        parts = operand.split(index)
        slope = (
            parts.get(1, ZERO).constant if parts is not None and not set(parts) - {0, 1} else None
        )
        if parts is not None and isinstance(slope, int) and slope < 0:
            at = maximum(0, floor_div(parts.get(0, ZERO), expr(-slope)) + 1, facts=facts)
            return Horizon(at * holds, prefix=False, wrapped=wraps)
    return Horizon(None, holds, prefix=holds == ONE)


def _first_beyond_root(parts: Mapping[int, Expr], facts: Facts) -> Horizon | None:
    """d(i) = c - A (i + s)**k, or -A i**2 - B i + c, with a number A > 0: the first i beyond the
    root."""
    degree = max(parts)
    lead = parts[degree].constant
    rest = parts.get(0, ZERO)
    if lead is None or lead >= 0 or not is_integer(rest * Fraction(lead).denominator):
        return None
    scale = Fraction(lead).denominator
    if degree == 2:
        scale = math.lcm(
            scale, *(Fraction(c).denominator for e in parts.values() for c in e.terms.values())
        )
        a, b, c = int(-lead * scale), -parts.get(1, ZERO) * scale, rest * scale
        # a i**2 + b i > c; at i = 0 that is 0 > c. Beyond it, where c >= 0, one root is not
        # negative.
        half = b * Fraction(1, 2 * a)
        if is_integer(half):
            inside = root(2, half * half + floor_div(c, expr(a))) + 1 - half
        else:
            inside = floor_div(-b + root(2, b * b + c * (4 * a)), expr(2 * a)) + 1
        if is_nonnegative(c, facts):
            return Horizon(inside)
        # for c < 0 and b > 0 the formula is not positive by itself; for b < 0 what has failed may
        # hold again
        return Horizon(
            maximum(0, inside) if is_nonnegative(b - 1, facts) else step(c, facts) * inside,
            prefix=is_nonnegative(b, facts),
        )
    shift = (
        Fraction(parts.get(degree - 1, ZERO).constant or 0) / (lead * degree)
        if parts.get(degree - 1, ZERO).constant is not None
        else None
    )
    if shift is None or shift.denominator != 1 or shift < 0:
        return None
    s = int(shift)
    for power_of, coefficient in parts.items():
        if power_of and coefficient != expr(
            lead * math.comb(degree, power_of) * s ** (degree - power_of)
        ):
            return None
    above = floor_div((rest - lead * s**degree) * scale, expr(int(-lead * scale)))
    at = root(degree, above) + 1 - s
    return Horizon(
        maximum(0, at, facts=facts) * step(above, facts) if s else at * step(above, facts)
    )


def _first_negative_power(d: Expr, index: str, facts: Facts) -> Horizon | None:
    """d = a - b c**i with b >= 1: the first i with c**i > a / b."""
    base: int | None = None
    rest, factor = ZERO, ZERO
    for monomial, coefficient in d.terms.items():
        inside = [(a, n) for a, n in monomial if index in a.symbols]
        if not inside:
            rest = rest + Expr({monomial: coefficient})
            continue
        if len(inside) != 1 or inside[0][1] != 1 or not isinstance(inside[0][0], Pow):
            return None
        atom = inside[0][0]
        parts = atom.exponent.split(index)
        if parts is None or set(parts) - {0, 1} or parts.get(1) is None:
            return None
        slope = parts[1].constant
        if not isinstance(slope, int) or slope < 1 or base not in (None, atom.base**slope):
            return None
        base = atom.base**slope
        others = tuple((a, n) for a, n in monomial if a != atom)
        factor = factor + Expr({others: coefficient}) * power(atom.base, parts.get(0, ZERO))
    if base is None:
        return None
    b = -factor
    if b.constant is not None and b.constant <= 0:
        return Horizon(None, step(d.substitute({index: ZERO}), facts), prefix=False)
    if isinstance(b.constant, Fraction):
        rest, b = rest * b.constant.denominator, expr(b.constant.numerator)
    needs = () if is_nonnegative(b - 1, facts) else (b - 1,)
    return Horizon(ceil_log(base, floor_div(rest, b) + 1), needs=needs)


def _first_fibonacci(d: Expr, index: str) -> Horizon | None:
    """d = a - c F(i + k) with c >= 1: the first i with F(i + k) > a / c."""
    found = combined(d, index)
    if found is None or found[1] > 0:
        return None
    rest, factor, shift = found
    return Horizon(maximum(0, fibonacci_index(floor_div(rest, -factor) + 1) - shift))


def _first_below(d: Expr, index: str) -> Horizon | None:
    """d = floor(x0 / c**i) - g with g >= 1: the first i with c**i > x0 / g."""
    quotients = [(m, c) for m, c in d.terms.items() if any(index in a.symbols for a, _ in m)]
    if len(quotients) != 1:
        return None
    ((monomial, coefficient),) = quotients
    if len(monomial) != 1 or monomial[0][1] != 1 or coefficient <= 0:
        return None
    quotient = monomial[0][0]
    divided: int = 1
    if not isinstance(quotient, (Floor, Trunc)):
        return None
    inner = quotient.num.atom
    if (
        isinstance(inner, (Floor, Trunc))
        and isinstance(quotient.den.constant, int)
        and quotient.den.constant > 0
    ):
        divided = quotient.den.constant  # (x0 / c**i) / b
        quotient = inner
    if len(quotient.den.terms) != 1 or index in quotient.num.symbols:
        return None
    ((powers, factor),) = quotient.den.terms.items()
    base = powers[0][0] if len(powers) == 1 and powers[0][1] == 1 else None
    if not isinstance(base, Pow) or not isinstance(factor, int) or factor < 1:
        return None
    exponent = base.exponent.split(index)
    if (
        exponent is None
        or set(exponent) - {0, 1}
        or exponent.get(1) != ONE
        or exponent.get(0, ZERO).constant is None
    ):
        return None
    shift = exponent.get(0, ZERO).constant
    if not isinstance(shift, int) or shift < 0:
        return None
    divided = int(divided) * factor * int(base.base**shift)
    threshold = (
        ceil_div(-(d - Expr({monomial: coefficient})), expr(coefficient))
        if coefficient != 1
        else -(d - Expr({monomial: coefficient}))
    )
    if threshold.constant is None or threshold.constant < 1:
        return None
    return Horizon(ceil_log(base.base, floor_div(quotient.num, threshold * divided) + 1))


def _first_zero(d: Expr, index: str, facts: Facts) -> Horizon | None:
    """First i with d(i) = 0, for a variable that steps towards its bound and hits it."""
    if index not in d.symbols:
        # never equal, or equal at once
        return Horizon(None, 1 - step(d, facts) + step(d - 1, facts))
    below = (
        _first_below(d - 1, index) if d.atom is not None else None
    )  # a quotient is zero from some i on
    if below is not None:
        quotient = next(a for a in d.atoms if isinstance(a, (Floor, Trunc)) and index in a.symbols)
        return Horizon(
            below.at,
            needs=() if is_nonnegative(quotient.num, facts) else (quotient.num,),
            prefix=False,
        )
    parts = d.split(index)
    if parts is None or set(parts) - {0, 1}:
        return None
    slope, rest = parts[1].constant, parts.get(0, ZERO)
    if not isinstance(slope, int):
        return None
    distance = rest if slope < 0 else -rest
    at = floor_div(distance, expr(abs(slope)))
    needs = [
        at,
        at * abs(slope) - distance,
    ]  # the bound lies ahead, and the step divides the distance
    needs = [n for n in needs if not is_nonnegative(n, facts)]
    happens = ONE
    for n in needs:
        happens = happens * step(n)
    return Horizon(at, needs=tuple(needs), prefix=False, happens=happens)


def _first_nonzero(d: Expr, index: str) -> Horizon | None:
    """First i with d(i) != 0: at once, or after one step of a linear function."""
    equal = step(d.substitute({index: ZERO})) - step(d.substitute({index: ZERO}) - 1)
    if index not in d.symbols:
        return Horizon(None, equal)
    parts = d.split(index)
    if parts is None or set(parts) - {0, 1} or not isinstance(parts[1].constant, int):
        return None
    return Horizon(equal, prefix=False)
