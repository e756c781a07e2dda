"""Closed forms of loop variables: x(i + 1) = A x(i) + b, hence x(i) = A**i x0 + sum_{j<i} A**j b.

This is a loop without its control flow (Hoefler and Kwasniewski, SPAA 2014; slides 004, "Algorithm
in details"); `exit_iteration` finds the i in which it ends. The variables are solved one after the
other in the order of their dependence, which keeps every entry of A**i an exact formula; a
multiplier of one, for which the geometric series has no quotient, is a case of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ..expr import (
    ZERO,
    Assumptions,
    Expr,
    Extremum,
    Floor,
    Sum,
    TooComplex,
    Trunc,
    choose,
    expr,
    floor_div,
    from_atom,
    maximum,
    power,
    step,
    sym,
    symbols,
    trunc_div,
)
from .sums import summation

_MOST_IN_RING = 4
"""Variables that take each other's values in turn; schemes in time keep two to four levels."""


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
            ring = next((r for x in sorted(pending) if (r := exchanged(x, steps))), None)
            if ring is not None and pending.issuperset(ring):
                progress = True
                pending.difference_update(ring)
                solved.update(_turning(ring, initial, index))
    return solved


def exchanged(first: str, steps: Mapping[str, Expr]) -> tuple[str, ...]:
    """The variables that take each other's values in turn, as buffers do that are swapped: x, y, z
    = y, z, x. Empty where a variable is in no such ring, or in one that is too long."""
    ring = [first]
    while len(ring) <= _MOST_IN_RING:
        update = steps.get(ring[-1])
        taken = update.atom if update is not None else None
        if taken is None or update != sym(taken.key) or taken.key not in steps:
            return ()
        if taken.key == first:
            return tuple(ring) if len(ring) > 1 else ()
        ring.append(taken.key)
    return ()


def _turning(ring: tuple[str, ...], initial: Mapping[str, Expr], index: str) -> dict[str, Expr]:
    """x(i) is what the variable (i mod m) places further on in a ring of m started with. i mod m =
    j is written as a difference of floors, so that what is the same for all drops out: the number
    of elements between two ends that turn together."""
    found: dict[str, Expr] = {}
    for at, name in enumerate(ring):
        own = initial[name]
        found[name] = own
        for further in range(1, len(ring)):
            other = initial[ring[(at + further) % len(ring)]]
            if other != own:
                found[name] += (other - own) * _is_turn(sym(index), further, len(ring))
    return found


def _is_turn(i: Expr, turn: int, turns: int) -> Expr:
    """1 where i mod turns is this turn, else 0."""
    return floor_div(i - turn, expr(turns)) - floor_div(i - turn - 1, expr(turns))


def _solve(name: str, update: Expr, start: Expr, index: str) -> Expr | None:
    x, i = sym(name), sym(index)
    if update == x:
        return start
    parts = update.split(name)
    if parts is None:
        taken = taken_off(name, update)
        if taken is not None and index not in taken.symbols:
            return maximum(0, start - taken * i)
        return _halving(x, update, start, i)
    if set(parts) - {0, 1}:
        return None
    multiplier, added = parts.get(1, ZERO).constant, parts.get(0, ZERO)
    if multiplier == 1:
        earlier = (  # the iterations before: a name of its own, or assumptions of both would mix
            symbols.nested(index)
        )
        total = summation(added.substitute({index: sym(earlier)}), earlier, i, Assumptions([i]))
        return None if total.has(Sum) else start + total
    if multiplier == 0:
        if index not in added.symbols and added == start:
            return start
        return choose(step(i - 1), added.substitute({index: i - 1}), start)
    if isinstance(multiplier, int) and multiplier >= 2 and index not in added.symbols:
        grown = power(multiplier, i)
        return grown * start + added * (grown - 1) * Fraction(1, multiplier - 1)
    return None


def taken_off(name: str, update: Expr) -> Expr | None:
    """c where a variable goes down by c, but not below 0: x = x - Min(x, c). For x0 >= 0 that is
    x(i) = Max(0, x0 - c i)."""
    x = sym(name)
    for a in update.atoms:
        if not isinstance(a, Extremum) or len(a.args) != 2:
            continue
        if a.is_least and update == x - from_atom(a) and x in a.args:
            found = a.args[0] + a.args[1] - x
        elif a.truncated is not None and update.atom == a:
            found = x - a.truncated
        else:
            continue
        return None if name in found.symbols else found
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
