"""What follows from linear facts, decided exactly in integers.

By Farkas' lemma a fact follows from others over the rationals just where it is a combination of
them with factors >= 0, and a constant >= 0 (Schrijver, "Theory of Linear and Integer Programming",
corollary 7.1h). The factors are found by the first phase of the simplex method, with Bland's rule
and without fractions (Edmonds, 1967; Bareiss, 1968).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from math import lcm

from .linear import UNIT, Linear, names_of

_MOST_PIVOTS = 200
"""Exchanges of one proof."""


class TooMuch(Exception):
    """Proofs took more steps than they may."""


class Effort:
    """Steps that proofs may take, each the entry of a table in one exchange: they are the same on
    every machine."""

    def __init__(self, steps: int) -> None:
        self._most = steps
        self.spent = 0
        # whether a form is a combination of facts, and in how many steps that was found
        self.known: dict[tuple[tuple[Linear, ...], Linear], tuple[bool, int]] = {}

    @property
    def left(self) -> int:
        return self._most - self.spent

    def spend(self, steps: int) -> None:
        self.spent += steps
        if self.spent > self._most:
            raise TooMuch


_effort: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def effort(steps: int) -> Iterator[Effort]:
    """Everything inside raises `TooMuch` after so many steps."""
    own = Effort(steps)
    token = _effort.set(own)
    try:
        yield own
    finally:
        _effort.reset(token)


def own_effort() -> Effort | None:
    """What proofs may take here, where that has an end."""
    return _effort.get()


def spend(steps: int) -> None:
    """Take steps from what is left."""
    own = _effort.get()
    if own is not None:
        own.spend(steps)


Facts = Sequence[Linear]
"""Forms that are >= 0."""
_NEVER = Linear({UNIT: -1})


def is_empty(facts: Facts) -> bool:
    """Can these facts not hold together, over the rationals?"""
    if any(not f.names and f[UNIT] < 0 for f in facts):
        return True
    return any(_is_combination(part, _NEVER) for part in _parts(facts))


def _parts(facts: Facts) -> Iterator[list[Linear]]:
    """The facts that share names, directly or through others: each part holds or not for itself,
    and the same parts are asked about again and again."""
    left = [f for f in facts if f.names]
    while left:
        part = connected(left, left[0])
        yield part
        names = names_of(part)
        left = [f for f in left if f.names.isdisjoint(names)]


def implies(facts: Facts, goal: Linear) -> bool:
    """Is `goal` >= 0 wherever the facts hold? False where that is not found."""
    if not goal.names:
        return goal[UNIT] >= 0 or is_empty(facts)
    for f in facts:  # most often it is one of them, or a weaker one
        if f.names == goal.names and (goal - f).constant is not None and goal[UNIT] >= f[UNIT]:
            return True
    spend(4 * len(facts))
    near = connected(facts, goal)
    return goal.names <= names_of(near) and _is_combination(near, goal)


def connected(facts: Facts, goal: Linear) -> list[Linear]:
    """The facts that share names with the goal, directly or through others."""
    names, left, found = set(goal.names), list(facts), list[Linear]()
    while True:
        near = [f for f in left if not f.names.isdisjoint(names)]
        if not near:
            return found
        found += near
        left = [f for f in left if f.names.isdisjoint(names)]
        names |= names_of(near)


def _is_combination(facts: Facts, goal: Linear) -> bool:
    """Is goal = sum of factors >= 0 times facts, plus a constant >= 0? What was asked before takes
    the same steps again, so that it does not matter who asks first."""
    own = _effort.get()
    if own is None:
        return _find_combination(facts, goal)
    key = tuple(facts), goal
    if key in own.known:
        found, steps = own.known[key]
        own.spend(steps)
        return found
    before = own.spent
    found = _find_combination(facts, goal)
    own.known[key] = found, own.spent - before
    return found


def _find_combination(facts: Facts, goal: Linear) -> bool:
    columns: list[Linear] = [f for f in facts if f.terms]
    columns.append(Linear({UNIT: 1}))
    columns.append(goal)
    rows = {r: k for k, r in enumerate([UNIT, *sorted(names_of(columns))])}
    scale = lcm(*(c.denominator for f in columns for c in f.terms.values()))
    table = [[0] * len(columns) for _ in rows]
    for k, f in enumerate(columns):
        for r, c in f.terms.items():
            table[rows[r]][k] = c.numerator * (scale // c.denominator)
    return _is_feasible(table)


def _is_feasible(table: list[list[int]]) -> bool:
    """Has M x = d a solution with x >= 0? Rows are those of M with d behind."""
    for row in table:
        if row[-1] < 0:
            row[:] = [-c for c in row]
    # the sum of what is missing, to be brought to 0
    missing = [sum(column) for column in zip(*table, strict=True)]
    basis = [-1] * len(table)
    divisor = 1
    for _ in range(_MOST_PIVOTS):
        if missing[-1] == 0:
            return True
        enter = next((k for k, c in enumerate(missing[:-1]) if c > 0), None)
        if enter is None:
            return False
        leave = _leaving(table, basis, enter)
        if leave is None:
            return False
        spend(len(table) * len(missing))
        pivot = table[leave][enter]
        source = table[leave]
        for row in (*table, missing):
            by = row[enter]
            if row is not source and (by or pivot != divisor):
                row[:] = [(c * pivot - by * s) // divisor for c, s in zip(row, source, strict=True)]
        divisor = pivot
        basis[leave] = enter
    return False


def _leaving(table: list[list[int]], basis: list[int], enter: int) -> int | None:
    """The row that a column takes the place of: the one that limits it most."""
    best: int | None = None
    for k, row in enumerate(table):
        if row[enter] <= 0:
            continue
        if best is None:
            best = k
            continue
        difference = row[-1] * table[best][enter] - table[best][-1] * row[enter]
        if difference < 0 or (difference == 0 and basis[k] < basis[best]):
            best = k
    return best


def without_implied(facts: Iterable[Linear]) -> tuple[Linear, ...]:
    """The facts in their normal form, of parallel ones the strongest."""
    strongest: dict[tuple[tuple[str, object], ...], Linear] = {}
    for f in facts:
        f = f.normal()
        if not f.names:
            if f[UNIT] < 0:
                return (f,)
            continue
        key = tuple(sorted((n, c) for n, c in f.terms.items() if n))
        if key not in strongest or f[UNIT] < strongest[key][UNIT]:
            strongest[key] = f
    return tuple(strongest.values())
