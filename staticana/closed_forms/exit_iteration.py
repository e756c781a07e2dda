"""The iteration in which a condition over the iteration number first fails.

A loop ends in the first i with c'x(i) >= g. With x(i) in closed form this is an equation in i, and
its solution depends on the shape of c'x(i) - g alone: a rounded quotient where it is linear in i, a
rounded root where it is a polynomial, a rounded logarithm where it is geometric (Hoefler and
Kwasniewski, SPAA 2014; slides 004, "Algorithm in details"). `_SOLVERS` lists the shapes; each
solver says None where the test has another shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    Extremum,
    Floor,
    Pow,
    Step,
    Trunc,
    ceil_div,
    ceil_log,
    choose,
    expr,
    floor_div,
    from_atom,
    is_integer,
    is_nonnegative,
    maximum,
    minimum,
    power,
    root,
    step,
)
from ..expr.predicates import Cond
from .affine import integer_slope
from .ends_that_fit import end_fits, end_is_not_below, first_fits, grows_while_it_fits


@dataclass(frozen=True)
class ExitIteration:
    """The first iteration in which a condition fails: `at`; None: never, provided that `holds` is 1
    (else in the first).

    `preconditions` are formulas that must be at least zero for this to be true. `happens` is 1
    where the condition fails at all; where a test is the only one, that it happens is a
    precondition, beside others it is a case. `prefix`: once the condition has failed it fails for
    ever, so that this is also the last iteration in which it held. `wrapped`: the operands of
    unsigned tests that end it by falling below zero; others must not. `endless`: where one of these
    is below zero, it never fails after all. `asked`: what each iteration that asks needs. `first`:
    the value at 0 of a line whose slope may have either sign; it is taken to fall, which is the
    first of the preconditions.
    """

    at: Expr | None
    holds: Expr = ONE
    preconditions: tuple[Expr, ...] = ()
    prefix: bool = True
    happens: Expr = ONE
    wrapped: tuple[Expr, ...] = ()
    endless: tuple[Expr, ...] = ()
    asked: tuple[Expr, ...] = ()
    first: Expr | None = None

    def excludes(self, other: ExitIteration) -> bool:
        """Can one of two lines fall only where the other one does not?"""
        if self.first is None or other.first is None:
            return False
        both = (self.preconditions[0] + other.preconditions[0]).constant
        return both is not None and both < 0


def first_failure(condition: Cond, index: str, assumptions: Assumptions) -> ExitIteration | None:
    """The first i >= 0 at which a condition over the index fails; None where it cannot be told."""
    match condition.kind:
        case "true":
            return ExitIteration(None)
        case "false":
            return ExitIteration(ZERO)
        case "ge":
            wraps = condition.wraps
            if wraps and condition.negated:  # a > b, that is b < a
                wraps = (wraps[1], wraps[0], *wraps[2:])
            return _first_negative(condition.arg, wraps, index, assumptions)
        case "ne":
            return _first_zero(condition.arg, index, assumptions)
        case "eq":
            return _first_nonzero(condition.arg, index)
        case "and" | "or":
            found = [first_failure(p, index, assumptions) for p in condition.parts]
            known = [e for e in found if e is not None]
            if len(known) < len(found):
                return None
            return earliest(known) if condition.kind == "and" else _latest(known)
    return None


# -- several conditions
def earliest(exits: Sequence[ExitIteration]) -> ExitIteration:
    """All conditions must hold: the first failure of any."""
    if len(exits) == 1:
        return exits[0]
    opposed = next(((a, b) for a, b in combinations(exits, 2) if a.excludes(b)), None)
    if opposed is not None:
        return _by_direction(exits, *opposed)
    holds = ONE
    for h in exits:
        holds = holds * h.holds
    prefix = all(h.prefix for h in exits)
    certain = [h for h in exits if h.at is not None and h.happens == ONE]
    perhaps = [h for h in exits if h.at is not None and h.happens != ONE]
    if not certain and perhaps:
        certain, perhaps = perhaps[:1], perhaps[1:]
    preconditions = tuple(
        n for h in exits if h not in perhaps for n in (*h.preconditions, *h.endless)
    )
    asked = tuple(n for h in exits for n in h.asked)
    if not certain:
        return ExitIteration(None, holds, preconditions, prefix, asked=asked)
    at = minimum(*(h.at for h in certain if h.at is not None))
    for h in perhaps:
        assert h.at is not None
        at = choose(h.happens, minimum(at, h.at), at)
    wrapped = tuple(w for h in exits for w in h.wrapped)
    return ExitIteration(at * holds, ONE, preconditions, prefix, wrapped=wrapped, asked=asked)


def _by_direction(
    exits: Sequence[ExitIteration], falling: ExitIteration, rising: ExitIteration
) -> ExitIteration:
    """Two of the conditions end the loop in opposite directions, such as i > 0 and i < n where the
    sign of the step is not known: a case for each sign."""

    def towards(end: ExitIteration) -> ExitIteration:
        """The case in which this one ends the loop: the opposite ones hold for ever, if at all."""
        left = [
            ExitIteration(None, step(e.first)) if e.first is not None and end.excludes(e) else e
            for e in exits
        ]
        return earliest(left)

    down, up = towards(falling), towards(rising)
    falls, rises = (step(e.preconditions[0]) for e in (falling, rising))
    if down.at is None or up.at is None:  # each has an end of its own
        return ExitIteration(None, down.holds, (expr(-1),), prefix=False)
    needed = [
        choose(where, n, ZERO)
        for where, case, taken in ((falls, down, falling), (rises, up, rising))
        for n in case.preconditions
        if n != taken.preconditions[0]
    ]
    return ExitIteration(
        choose(falls, down.at, up.at),
        ONE,
        (falls + rises - 1, *needed),
        prefix=False,
        wrapped=(*down.wrapped, *up.wrapped),
        asked=tuple(dict.fromkeys((*down.asked, *up.asked))),
    )


def _latest(exits: Sequence[ExitIteration]) -> ExitIteration | None:
    """One condition suffices: the last first failure, provided that what failed stays failed."""
    if any(h.at is None or not h.prefix for h in exits):
        return None
    return ExitIteration(
        maximum(*(h.at for h in exits if h.at is not None)),
        ONE,
        tuple(n for h in exits for n in h.preconditions),
        endless=tuple(n for h in exits for n in h.endless),
        asked=tuple(n for h in exits for n in h.asked),
    )


# -- d(i) >= 0
@dataclass(frozen=True)
class _Test:
    """The test d(i) >= 0 over the iteration number i = `index`.

    wraps: the operands and what is beyond them, where it is an unsigned comparison, or one of
    signed numbers that may wrap around (see `Cond`).
    """

    d: Expr
    wraps: tuple[Expr, ...]
    index: str
    assumptions: Assumptions

    @cached_property
    def powers(self) -> dict[int, Expr] | None:
        """Coefficients by power of the index; None where d is no polynomial in it."""
        return self.d.split(self.index)

    @property
    def line(self) -> tuple[Expr, Expr] | None:
        """(slope, value at 0) where d is linear in the index."""
        parts = self.powers
        if parts is None or set(parts) - {0, 1}:
            return None
        return parts[1], parts.get(0, ZERO)


def _first_negative(
    d: Expr, wraps: tuple[Expr, ...], index: str, assumptions: Assumptions
) -> ExitIteration | None:
    """The first i with d(i) < 0, by the solver for the shape of d."""
    if index not in d.symbols:
        return ExitIteration(None, step(d, assumptions))
    if any(isinstance(a, Step) and index in a.symbols for a in d.all_atoms()):
        return None  # a condition inside the condition
    test = _Test(d, wraps, index, assumptions)
    for solver in _SOLVERS:
        found = solver(test)
        if found is not None:
            return found if not wraps or found.wrapped else _fitting(test, found)
    return None


def _fitting(test: _Test, found: ExitIteration) -> ExitIteration:
    """The end of an unsigned test whose operands fit meanwhile."""
    lesser, greater, limit, *added = test.wraps
    if found.at is None:
        asked = grows_while_it_fits(greater, limit, test.index, test.assumptions)
        return found if asked is None else replace(found, asked=(asked,))
    bias = added[0] if added else ZERO
    rest = test.d, test.index, found.at, test.assumptions
    first = first_fits(lesser - bias, limit - bias, limit, test.index, test.assumptions)
    if first is not None:
        found = replace(found, preconditions=(*found.preconditions, first))
    fits = end_fits(lesser - bias, greater - bias, limit - bias, limit, *rest)
    if added and fits.needed is None:  # unsigned ones are asked not to be negative
        fits = end_is_not_below(lesser, greater, *rest)
    if fits.needed is None:
        return found
    if fits.is_endless:
        return replace(found, endless=(fits.needed,))
    return replace(found, preconditions=(*found.preconditions, fits.needed))


def _rising_line(test: _Test) -> ExitIteration | None:
    """Linear and growing: d holds for ever once it holds, unless an unsigned operand falls below
    zero and wraps to a huge number."""
    if test.line is None or not is_nonnegative(test.line[0] - 1, test.assumptions):
        return None
    holds = step(test.d.substitute({test.index: ZERO}), test.assumptions)
    if test.wraps:
        lesser, greater, limit = test.wraps[:3]
        line = lesser.affine_in(test.index)
        slope = line[0].constant if line is not None else None
        if line is not None and isinstance(slope, int) and slope < 0:
            at = floor_div(line[1], expr(-slope)) + 1
            at = maximum(0, at, assumptions=test.assumptions)
            huge = limit - 1 - test.d.substitute({test.index: at})  # it exceeds the other so far
            if slope == -1 and (test.d + lesser - greater).constant == -1:
                huge = line[1] + 1  # from -1 on it comes to the largest number
            needs = () if is_nonnegative(huge, test.assumptions) else (huge,)
            return ExitIteration(at * holds, ONE, needs, prefix=False, wrapped=(lesser,))
    return ExitIteration(None, holds, prefix=holds == ONE)


def _falling_line(test: _Test) -> ExitIteration | None:
    """d = r - s i with s >= 1: the first i beyond r / s, which is ceil((r + 1) / s)."""
    if test.line is None:
        return None
    slope, rest = test.line
    preconditions = () if is_nonnegative(-slope - 1, test.assumptions) else (-slope - 1,)
    value = slope.constant
    if (value is not None and value >= 0) or (value is None and len(slope.terms) > 3):
        return None
    return ExitIteration(
        maximum(0, ceil_div(rest + 1, -slope), assumptions=test.assumptions),
        preconditions=preconditions,
        first=rest if preconditions and not test.wraps else None,
    )


def _parabola(test: _Test) -> ExitIteration | None:
    """d = c - b i - a i**2 with a number a > 0: the first i beyond the larger root."""
    parts, assumptions = test.powers, test.assumptions
    if parts is None or max(parts) != 2 or not _falls(parts):
        return None
    lead, rest = parts[2].constant, parts.get(0, ZERO)
    assert lead is not None
    scale = math.lcm(*(e.denominator for e in parts.values()))
    a, b, c = int(-lead * scale), -parts.get(1, ZERO) * scale, rest * scale
    # a i**2 + b i > c; at i = 0 that is 0 > c. Beyond it, where c >= 0, one root is not negative.
    half = b * Fraction(1, 2 * a)
    if is_integer(half):
        inside = root(2, half * half + floor_div(c, expr(a))) + 1 - half
    else:
        inside = floor_div(-b + root(2, b * b + c * (4 * a)), expr(2 * a)) + 1
    if is_nonnegative(c, assumptions):
        return ExitIteration(inside)
    # for c < 0 and b > 0 the formula is not positive by itself; for b < 0 what has failed may hold
    # again
    return ExitIteration(
        maximum(0, inside) if is_nonnegative(b - 1, assumptions) else step(c, assumptions) * inside,
        prefix=is_nonnegative(b, assumptions),
    )


def _shifted_power(test: _Test) -> ExitIteration | None:
    """d = c - a (i + s)**k with numbers a > 0, s >= 0 and k > 2: the first i beyond the k-th root
    of c / a, less s."""
    parts, assumptions = test.powers, test.assumptions
    if parts is None or (degree := max(parts)) < 3 or not _falls(parts):
        return None
    lead, rest = parts[degree].constant, parts.get(0, ZERO)
    second = parts.get(degree - 1, ZERO).constant
    assert lead is not None
    if second is None:
        return None
    shift = Fraction(second) / (lead * degree)
    if shift.denominator != 1 or shift < 0:
        return None
    s = int(shift)
    for k, coefficient in parts.items():
        if k and coefficient != expr(lead * math.comb(degree, k) * s ** (degree - k)):
            return None
    scale = Fraction(lead).denominator
    above = floor_div((rest - lead * s**degree) * scale, expr(int(-lead * scale)))
    at = root(degree, above) + 1 - s
    return ExitIteration(
        maximum(0, at, assumptions=assumptions) * step(above, assumptions)
        if s
        else at * step(above, assumptions)
    )


def _falls(parts: Mapping[int, Expr]) -> bool:
    """Is the leading coefficient a negative number, and the constant one a multiple of its unit?"""
    lead = parts[max(parts)].constant
    if lead is None or lead >= 0:
        return False
    return is_integer(parts.get(0, ZERO) * Fraction(lead).denominator)


def _geometric(test: _Test) -> ExitIteration | None:
    """d = a - b c**i with b >= 1: the first i with c**i > a / b, a rounded logarithm."""
    d, index, assumptions = test.d, test.index, test.assumptions
    if test.powers is not None:
        return None
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
        line = atom.exponent.affine_in(index)
        if line is None:
            return None
        slope = line[0].constant
        if not isinstance(slope, int) or slope < 1 or base not in (None, atom.base**slope):
            return None
        base = atom.base**slope
        others = tuple((a, n) for a, n in monomial if a != atom)
        factor = factor + Expr({others: coefficient}) * power(atom.base, line[1])
    if base is None:
        return None
    b = -factor
    if b.constant is not None and b.constant <= 0:
        return ExitIteration(None, step(d.substitute({index: ZERO}), assumptions), prefix=False)
    if isinstance(b.constant, Fraction):
        rest, b = rest * b.constant.denominator, expr(b.constant.numerator)
    preconditions = () if is_nonnegative(b - 1, assumptions) else (b - 1,)
    return ExitIteration(ceil_log(base, floor_div(rest, b) + 1), preconditions=preconditions)


def _taken_off(test: _Test) -> ExitIteration | None:
    """d = Max(0, y) - g with g >= 1, which is not below 0 where y - g is not."""
    for monomial, coefficient in test.d.terms.items():
        if len(monomial) != 1 or monomial[0][1] != 1 or coefficient != 1:
            continue
        a = monomial[0][0]
        size = a.truncated if isinstance(a, Extremum) else None
        rest = test.d - from_atom(a)
        if size is None or test.index not in size.symbols or test.index in rest.symbols:
            continue
        if is_nonnegative(-rest - 1, test.assumptions):
            return _first_negative(size + rest, test.wraps, test.index, test.assumptions)
    return None


def _divided(test: _Test) -> ExitIteration | None:
    """d = floor(x0 / c**i) - g, a variable that is divided by c in each iteration."""
    return _first_below(test.d, test.index) if test.powers is None else None


def _first_below(d: Expr, index: str) -> ExitIteration | None:
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
    exponent = base.exponent.affine_in(index)
    if exponent is None or exponent[0] != ONE:
        return None
    shift = exponent[1].constant
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
    return ExitIteration(ceil_log(base.base, floor_div(quotient.num, threshold * divided) + 1))


_SOLVERS: tuple[Callable[[_Test], ExitIteration | None], ...] = (
    _rising_line,
    _falling_line,
    _parabola,
    _shifted_power,
    _geometric,
    _divided,
    _taken_off,
)
"""One solver for each shape of d(i), polynomials first; no two solve the same test."""


# -- d(i) != 0 and d(i) == 0
def _first_zero(d: Expr, index: str, assumptions: Assumptions) -> ExitIteration | None:
    """First i with d(i) = 0, for a variable that steps towards its bound and hits it."""
    if index not in d.symbols:
        # never equal, or equal at once
        return ExitIteration(None, 1 - step(d, assumptions) + step(d - 1, assumptions))
    below = (
        _first_below(d - 1, index) if d.atom is not None else None
    )  # a quotient is zero from some i on
    if below is not None:
        quotient = next(a for a in d.atoms if isinstance(a, (Floor, Trunc)) and index in a.symbols)
        divided = _first_dividend(quotient, assumptions)
        needs = () if is_nonnegative(divided, assumptions) else (divided,)
        if index in divided.symbols:  # asked of every iteration
            return ExitIteration(below.at, prefix=False, asked=needs)
        return ExitIteration(below.at, preconditions=needs, prefix=False)
    size = d.atom.truncated if isinstance(d.atom, Extremum) else None
    if size is not None:  # Max(0, y) is 0 from where y >= 1 fails
        ended = _first_negative(size - 1, (), index, assumptions)
        return None if ended is None else replace(ended, prefix=False)
    affine = integer_slope(d, index)
    if affine is None:
        return None
    slope, rest = affine
    distance = rest if slope < 0 else -rest
    at = floor_div(distance, expr(abs(slope)))
    preconditions = [
        at,
        at * abs(slope) - distance,
    ]  # the bound lies ahead, and the step divides the distance
    preconditions = [n for n in preconditions if not is_nonnegative(n, assumptions)]
    happens = ONE
    for n in preconditions:
        happens = happens * step(n)
    return ExitIteration(at, preconditions=tuple(preconditions), prefix=False, happens=happens)


def _first_dividend(quotient: Floor | Trunc, assumptions: Assumptions) -> Expr:
    """What has the sign of a quotient that is rounded, perhaps several times: what is divided
    first."""
    found = quotient.num
    while isinstance(inner := found.atom, (Floor, Trunc)) and is_nonnegative(
        inner.den - 1, assumptions
    ):
        found = inner.num
    return found


def _first_nonzero(d: Expr, index: str) -> ExitIteration | None:
    """First i with d(i) != 0: at once, or after one step of a linear function."""
    equal = step(d.substitute({index: ZERO})) - step(d.substitute({index: ZERO}) - 1)
    if index not in d.symbols:
        return ExitIteration(None, equal)
    return None if integer_slope(d, index) is None else ExitIteration(equal, prefix=False)
