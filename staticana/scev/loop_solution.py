"""What is known of one loop: its variables, where it is left, and how often it runs.

Variables are written as x(i + 1) = A x(i) + b with the iteration number i from 0 on.
The state x of a loop are its header phis (slides 004, "Counting arbitrary affine loop nests").
"""

from __future__ import annotations

from dataclasses import dataclass

from ..expr import Expr
from ..expr.predicates import Cond
from ..ir.loop_info import ExitEdge
from .bounded_count import BoundedCount
from .values import NO_PRECONDITIONS


@dataclass(frozen=True)
class Limit:
    """An exit and the iteration (from 0) in which it is taken; `at` None: decided by data."""

    edge: ExitEdge
    at: Expr | None


@dataclass(frozen=True)
class LoopSolution:
    """What is known of one loop, over the variables of the loops around it.

    variables: symbol of each header phi that matters -> its value in the next iteration (A and b,
    row by row). initial: symbol -> value on entry. closed: symbol -> formula in `index`.
    iterations: per entry.
    """

    header: str
    index: str
    variables: dict[str, Expr]
    initial: dict[str, Expr]
    closed: dict[str, Expr]
    limits: tuple[Limit, ...]
    iterations: BoundedCount
    guard: Cond


@dataclass(frozen=True)
class LoopForms:
    """A loop's variables: updates, initial values, closed forms, and what each value needs to be
    right."""

    updates: dict[str, Expr]
    initial: dict[str, Expr]
    closed: dict[str, Expr]
    preconditions: dict[str, frozenset[Expr]]

    def needed(self, symbols: frozenset[str]) -> frozenset[Expr]:
        """What the closed forms of these variables, and of those they depend on, need; over the
        iteration number."""
        seen: set[str] = set()
        work = [s for s in symbols if s in self.closed]
        found: set[Expr] = set()
        while work:
            name = work.pop()
            if name not in seen:
                seen.add(name)
                found |= self.preconditions.get(name, NO_PRECONDITIONS)
                work.extend(s for s in self.updates[name].symbols if s in self.closed)
        return frozenset(n.substitute(self.closed) for n in found)
