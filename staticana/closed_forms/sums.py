"""Exact sums over an index that runs from 0 to count - 1.

Polynomials by Faulhaber's formula, exponentials by the geometric series, indicators and maxima of
affine functions by cutting the range at the threshold, one floor of an affine function by its own
closed form. The empty range needs no special case: `count` is a formula that is never negative, and
every closed form here vanishes at count = 0. What has no closed form stays a `Sum`, which evaluates
exactly.

Source: Hoefler and Kwasniewski, SPAA 2014 (slides 004, "Counting the number of iterations").
"""

from __future__ import annotations

import math
from fractions import Fraction

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
    Pow,
    Root,
    Step,
    Sum,
    Sym,
    TooComplex,
    ceil_div,
    expr,
    floor_div,
    from_atom,
    is_integer,
    is_nonnegative,
    maximum,
    minimum,
    power,
    simplify,
    sym,
    symbols,
)
from .fibonacci import Fib, fibonacci
from .power_sums import falling_sum, geometric_sum, power_sum

_MAX_PERIOD = 12
_MAX_LAYERS = 4  # powers of the index and of a logarithm or root
_MAX_PARTS = 36  # terms of all residues together


def inner_assumptions(index: str, count: Expr, assumptions: Assumptions) -> Assumptions:
    """What holds inside the sum: 0 <= index < count, hence the guard of `count` did not bind."""
    i = sym(index)
    known = [i, count - 1 - i, count - 1]
    for part in unguarded(count):
        known += [part - 1 - i, part - 1]
    for a in count.atoms:  # a logarithm of x / g + 1 is positive from x = g on
        if (
            isinstance(a, CLog)
            and count.atom == a
            and isinstance((quotient := (a.arg - 1).atom), Floor)
        ):
            known.append(quotient.num - quotient.den)
        elif isinstance(a, CLog) and count.atom == a:
            known.append(a.arg - 2)
    return assumptions.plus(*known)


def unguarded(count: Expr) -> list[Expr]:
    """For Max(0, x): [x], the value where the range is not empty; for Min(x, y) inside it: both are
    at least count."""
    atom = count.atom
    if not isinstance(atom, Extremum):
        return []
    if atom.kind == "Max" and ZERO in atom.args:
        rest = [a for a in atom.args if a != ZERO]
        return [rest[0], *unguarded(rest[0])] if len(rest) == 1 else []
    return list(atom.args) if atom.kind == "Min" else []


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
        return from_atom(a) if any(x.has_sum for x in found.atoms) else found

    return e.map_atoms(change)


def _by_content(body: Expr, index: str, count: Expr, assumptions: Assumptions) -> Expr:
    """The sum by that of the body over its content: bytes are eight times words."""
    content = body.content
    if content > 1 and body.constant is None:
        found = summation(body.over(content), index, count, assumptions)
        if not any(a.has_sum for a in found.atoms):  # what is left of a sum keeps its factor inside
            return found * content
    return _summed(body, index, count, assumptions)


def _summed(body: Expr, index: str, count: Expr, assumptions: Assumptions) -> Expr:
    inside = inner_assumptions(index, count, assumptions)
    atom = count.atom
    if isinstance(atom, Extremum) and atom.kind == "Max":
        whole = unguarded(count)
        if whole:  # the sum runs only where Max(0, x) = x
            body = _replace(body, atom, whole[0])
    known, body = _neighbours(body, index, count, inside)
    body = simplify(body, inside)
    if body.constant == 1:
        return count + known
    result = known + _total(body, index, count, assumptions, inside)
    return _tidy(result, count)


def _neighbours(body: Expr, index: str, count: Expr, inside: Assumptions) -> tuple[Expr, Expr]:
    """What differences of neighbours in a body add up to, and what is left of the body: the sum of
    Max(0, i + 1) - Max(0, i) telescopes, which is seen as long as nothing is simplified. Rows end
    where the next ones begin: a guard of their lengths may be idle."""
    e = body
    if len(bare := unguarded(body)) == 1:
        e = bare[0]
    cut = {
        m: c
        for m, c in e.terms.items()
        if len(m) == 1 and isinstance(m[0][0], Extremum) and index in m[0][0].symbols
    }
    found, rising, total = False, True, ZERO
    for m, c in cut.items():
        lower = Expr({m: 1})
        (upper, one), *more = lower.substitute({index: sym(index) + 1}).terms.items()
        if more or one != 1 or upper == m or (e.terms.get(m), e.terms.get(upper)) != (c, -c):
            continue
        found, e = True, e + Expr({m: -c, upper: c})
        rising = rising and c < 0 and _rises(lower, index)
        total = total - (lower.substitute({index: count}) - lower.substitute({index: ZERO})) * c
    if not found:
        return ZERO, body
    length = e if rising else bare[0] if bare else ZERO
    if bare and not is_nonnegative(simplify(length, inside), inside):
        return ZERO, body
    return total, e


def _rises(e: Expr, index: str) -> bool:
    """Is the formula plainly nowhere below what it is for a smaller index?"""
    return all(
        index not in Expr({m: 1}).symbols
        or (
            c > 0
            and len(m) == 1
            and m[0][1] == 1
            and (
                m[0][0].key == index
                or (isinstance(m[0][0], Extremum) and all(_rises(p, index) for p in m[0][0].parts))
            )
        )
        for m, c in e.terms.items()
    )


def _replace(e: Expr, atom: Atom, value: Expr) -> Expr:
    def change(a: Atom) -> Expr:
        if a == atom:
            return value
        if isinstance(a, (Sym, Sum)):
            return from_atom(a)
        return a.rebuild(tuple(_replace(p, atom, value) for p in a.parts))

    return e.map_atoms(change)


def _tidy(result: Expr, count: Expr) -> Expr:
    """Where count = Max(0, n + k) and the sum vanishes with it, n may be written as count - k: one
    letter, not two."""
    whole = unguarded(count)
    if len(whole) != 1 or count.atom is None:
        return result
    x = whole[0]
    names = [m for m in x.terms if m]
    if (
        len(names) != 1
        or len(names[0]) != 1
        or names[0][0][1] != 1
        or x.terms[names[0]] not in (1, -1)
    ):
        return result
    symbol = names[0][0][0]
    guard = count.atom
    if not isinstance(symbol, Sym) or any(
        all(a != guard and not _in_exponent(a, guard) for a, _ in m)
        for m in result.terms
        if any(symbol.name in a.symbols for a, _ in m)
    ):
        return result
    sign = int(x.terms[names[0]])
    value = (count - (x - from_atom(symbol) * sign)) * sign

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
    tiled, body = _tiles(body, index, count, assumptions)
    result, body = _remainders(body, index, count, assumptions)
    result = tiled + result
    cut = _threshold(body, index)
    if cut is not None:
        # what is not cut there is summed by itself: each `if` of a body adds a term of its own
        parts: dict[bool, dict[Monomial, Fraction | int]] = {True: {}, False: {}}
        for monomial, coefficient in body.terms.items():
            parts[any(a == cut for a, _ in monomial)][monomial] = coefficient
        result = result + _cut(Expr(parts[True]), cut, index, count, assumptions)
        if not parts[False]:
            return result
        return result + _total(Expr(parts[False]), index, count, assumptions, inside)
    left: dict[Monomial, Fraction | int] = {}
    for monomial, coefficient in body.terms.items():
        closed = _closed(monomial, index, count, assumptions)
        if closed is None:
            left[monomial] = coefficient
        else:
            result = result + closed * coefficient
    if left:
        split = _residues(Expr(dict(left)), index, count, assumptions)
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


def _remainders(body: Expr, index: str, count: Expr, assumptions: Assumptions) -> tuple[Expr, Expr]:
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
        is_rising = _affine(x, index) == (1, s)
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
    affine = _affine(x, index)
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


def _residues(body: Expr, index: str, count: Expr, assumptions: Assumptions) -> Expr | None:
    """Sums over what depends on index modulo a small number: each residue r by itself, index = L t
    + r."""
    period = 1
    for a in body.all_atoms():
        if isinstance(a, Extremum) and index in a.symbols:
            return None  # each residue would be cut again, and again
        if not isinstance(a, Floor) or index not in a.symbols:
            continue
        affine, divisor = _affine(a.num, index), a.den.constant
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
    return None if any(a.has_sum for a in total.atoms) else total


def _outside(terms: dict[Monomial, Fraction | int], index: str) -> Expr | None:
    """The factor free of the index when it is the same for all terms."""
    factors = {tuple((a, n) for a, n in m if index not in a.symbols) for m in terms}
    return Expr({factors.pop(): 1}) if len(factors) == 1 else None


def _affine(e: Expr, index: str) -> tuple[int, Expr] | None:
    """(slope, rest) for e = slope * index + rest with an integer slope other than zero."""
    parts = e.split(index)
    if parts is None or set(parts) - {0, 1} or 1 not in parts:
        return None
    slope = parts[1].constant
    if not isinstance(slope, int):
        return None
    return slope, parts.get(0, ZERO)


def _threshold(body: Expr, index: str) -> Atom | None:
    """An indicator, maximum or minimum of functions affine in the index, at which the range can be
    cut."""
    for a in sorted(body.atoms):
        if index not in a.symbols:
            continue
        if isinstance(a, Step) and _affine(a.arg, index) and is_integer(a.arg):
            return a
        if isinstance(a, Extremum):
            difference = a.args[0] - a.args[1]
            if _affine(difference, index) and is_integer(difference):
                return a
    return None


def _cut(body: Expr, atom: Atom, index: str, count: Expr, assumptions: Assumptions) -> Expr:
    """Split the range where the atom changes its form and sum both parts."""
    if isinstance(atom, Step):
        arg, yes, no = atom.arg, ONE, ZERO
    else:
        assert isinstance(atom, Extremum)
        first, *others = atom.args
        other = atom.rebuild(tuple(others))
        if _affine(first - other, index) is None:
            return from_atom(Sum(body, index, count))
        arg = first - other
        yes, no = (first, other) if atom.kind == "Max" else (other, first)
    affine = _affine(arg, index)
    assert affine is not None
    slope, rest = affine
    i = sym(index)
    # slope * i + rest >= 0 holds from `at` on (slope > 0), or before `at` (slope < 0)
    at = -floor_div(rest, expr(slope)) if slope > 0 else floor_div(rest, expr(-slope)) + 1
    bounded = maximum(0, minimum(count, at, assumptions=assumptions), assumptions=assumptions)
    early, late = (no, yes) if slope > 0 else (yes, no)
    before = _replace(body, atom, early)
    after = _replace(body, atom, late).substitute({index: i + bounded})
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


def _tiles(body: Expr, index: str, count: Expr, assumptions: Assumptions) -> tuple[Expr, Expr]:
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


def _closed(monomial: Monomial, index: str, count: Expr, assumptions: Assumptions) -> Expr | None:
    """Closed form for one monomial, None where there is none."""
    degree, ratio, fixed = 0, Fraction(1), ONE
    whole: list[tuple[Atom, int]] = []
    for a, n in monomial:
        if index not in a.symbols:
            fixed = fixed * Expr({((a, n),): 1})
        elif isinstance(a, Sym):
            degree = n
        elif isinstance(a, Pow) and (affine := _affine(a.exponent, index)) is not None:
            ratio *= Fraction(a.base) ** (affine[0] * n)
            fixed = fixed * a.rebuild((affine[1],)) ** n
        elif isinstance(a, (Floor, Fib, CLog, Root)):
            whole.append((a, n))
        else:
            return None
    if whole:
        total = (
            _whole_sum(*whole[0], degree, index, count, assumptions)
            if len(whole) == 1 and ratio == 1
            else None
        )
        return None if total is None else fixed * total
    if ratio == 1:
        return fixed * power_sum(degree, count)
    if ratio.denominator != 1:
        return None if degree else fixed * falling_sum(ratio, count)
    return fixed * geometric_sum(int(ratio), degree, count)


def _whole_sum(
    a: Atom, exponent: int, degree: int, index: str, count: Expr, assumptions: Assumptions
) -> Expr | None:
    """sum_{i<c} i**degree a(i)**exponent for a function that takes whole values."""
    if isinstance(a, (CLog, Root)):
        return _layers(a, exponent, degree, index, count)
    if exponent > 1 or degree:
        return None
    return (
        _floor_sum(a, index, count, assumptions)
        if isinstance(a, Floor)
        else _fibonacci_sum(a, index, count)
        if isinstance(a, Fib)
        else None
    )


def _layers(a: CLog | Root, exponent: int, degree: int, index: str, count: Expr) -> Expr | None:
    """sum of i**degree f(x)**exponent for a logarithm or a root f of x = r + i or x = r - i.

    Counted by layers: f(x) > k exactly from some x on, b**k + 1 or (k + 1)**d, so that the sum over
    x < t of P(x) f(x) is the sum over k < f(t - 1) of S(t) - S(first x with f(x) > k), S(t) =
    sum_{x<t} P(x). f is 0 up to x = 0, hence the difference of two such sums is right for negative
    bounds, too.
    """
    affine = _affine(a.arg, index)
    if (
        affine is None
        or abs(affine[0]) != 1
        or not is_integer(affine[1])
        or degree + exponent > _MAX_LAYERS
    ):
        return None
    sign, r = affine
    x, t, k = "%x", "%t", symbols.nested(index)
    total = ZERO  # S(t)
    for power_of, factor in ((((sym(x) - r) * sign) ** degree).split(x) or {}).items():
        total = total + factor * power_sum(power_of, sym(t))
    first = power(a.base, sym(k)) + 1 if isinstance(a, CLog) else (sym(k) + 1) ** a.degree
    layer = ((sym(k) + 1) ** exponent - sym(k) ** exponent) * (total - total.substitute({t: first}))

    def before(end: Expr) -> Expr:
        return summation(layer.substitute({t: end}), k, a.rebuild((end - 1,)))

    return before(r + count) - before(r) if sign == 1 else before(r + 1) - before(r + 1 - count)


def _fibonacci_sum(a: Fib, index: str, count: Expr) -> Expr | None:
    """sum_{i<c} F(i + k) = F(c + k + 1) - F(k + 1) for k >= 0."""
    affine = _affine(a.arg, index)
    if affine is None or affine[0] != 1 or not is_nonnegative(affine[1]):
        return None
    return fibonacci(count + affine[1] + 1) - fibonacci(affine[1] + 1)


def _floor_sum(a: Floor, index: str, count: Expr, assumptions: Assumptions) -> Expr | None:
    """sum of floor((i + r) / d) or floor((r - i) / d) for a fixed d >= 1, by G(t) = sum_{x<t}
    floor(x / d)."""
    affine = _affine(a.num, index)
    if (
        affine is None
        or abs(affine[0]) != 1
        or index in a.den.symbols
        or not is_nonnegative(a.den - 1, assumptions)
    ):
        return None
    if not is_integer(affine[1]) or not is_integer(a.den):
        return None
    low = affine[1] if affine[0] == 1 else affine[1] - count + 1
    return _floor_prefix(low + count, a.den) - _floor_prefix(low, a.den)


def _floor_prefix(t: Expr, divisor: Expr) -> Expr:
    """sum_{x=0}^{t-1} floor(x / divisor) = divisor q (q - 1) / 2 + q (t - divisor q), q = floor(t /
    divisor)."""
    q = floor_div(t, divisor)
    return (q * (q - 1) * divisor).over(2) + q * (t - q * divisor)
