"""Conditions that whole formulas stand under, taken out of their terms."""

from __future__ import annotations

from collections import Counter

from .polynomial import Atom, Expr


def guarded(e: Expr) -> tuple[Expr, tuple[Expr, ...]]:
    """(rest, conditions): e is the rest where all the conditions are >= 0, and 0 elsewhere."""
    conditions: list[Expr] = []
    taken = _taken_out(e)
    while taken is not None:
        e, condition = taken
        conditions.append(condition)
        taken = _taken_out(e)
    return e, tuple(conditions)


def _taken_out(e: Expr) -> tuple[Expr, Expr] | None:
    """(rest, condition) for the first indicator that is a factor of the whole, or whose complement
    is; None where there is none."""
    for s in _shared_indicators(e):
        condition = s.parts[0]
        without, times = e.by(s)
        if not without:
            return times, condition
        if without == -times and _is_whole(condition):
            return without, -condition - 1
    return None


def _shared_indicators(e: Expr) -> list[Atom]:
    """The indicators that are in all terms, or in every second one."""
    terms, found = len(e.terms), Counter(a for m in e.terms for a, _ in m if a.is_indicator)
    return sorted(s for s, n in found.items() if terms in (n, 2 * n))


def _is_whole(e: Expr) -> bool:
    """Is a formula a whole number wherever it has a value, so that it fails to be >= 0 where it is
    <= -1? A power is a fraction where its exponent, which may be any number, is negative."""
    return all(a.is_whole and not a.is_power for a in e.all_atoms())
