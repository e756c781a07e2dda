"""What holds inside a sum: its index lies in the range, so the range is not empty."""

from __future__ import annotations

from collections.abc import Callable

from ..expr import ZERO, Assumptions, CLog, Expr, Extremum, Floor, sym

Summation = Callable[[Expr, str, Expr, Assumptions | None], Expr]
"""`sums.summation`, which sums the parts that a sum falls into."""


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
