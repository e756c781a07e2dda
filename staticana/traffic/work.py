"""How often loops run and what that costs, at given values, without running them.

Sums over iterations are taken by Gauss-Legendre quadrature: trip counts of nests are polynomials of
the iteration numbers around, with few exceptions, so that a few points give the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..expr import Expr
from .access_tree import AccessNode, Guard, LoopNode, TreeNode
from .machine_code import FRACTION, LINE
from .real_values import function
from .replay_code import ALL, ENDS, LAST, Chain, along_lines, distinct, visit

_POINTS = 4
"""Quadrature is right for polynomials up to degree 2 * 4 - 1."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(_POINTS)
_MEMORY = 200_000
"""Costs that are remembered."""

Values = Mapping[str, float]


class Work:
    """Accesses of parts of a nest as they are simulated: inner loops in steps of a line."""

    def __init__(self, body: Sequence[TreeNode], parameters: Values) -> None:
        self.parameters = dict(parameters)
        self.free: dict[TreeNode, frozenset[str]] = {}
        for node in body:
            self._note(node)
        self._known: dict[tuple[object, ...], float] = {}
        self._steps: dict[tuple[AccessNode, LoopNode], float | Expr | None] = {}
        self._visits: dict[LoopNode, list[tuple[AccessNode, Chain, list[str], int | None]]] = {}

    def _note(self, node: TreeNode) -> frozenset[str]:
        """Iteration numbers that the cost of a node depends on."""
        found: frozenset[str] = frozenset()
        if not isinstance(node, AccessNode):
            found = found.union(*(self._note(n) for n in node.body))
            if isinstance(node, LoopNode):
                found = (found | node.trips.symbols) - {node.index}
            else:
                found |= node.share.symbols
            found -= self.parameters.keys()
        self.free[node] = found
        return found

    def trips(self, loop: LoopNode, values: Values) -> float:
        """Trip count, at iteration numbers that need not be whole."""
        return max(0.0, _number(loop.trips, values))

    def step(self, reference: AccessNode, loop: LoopNode, values: Values) -> float | None:
        """Bytes between iterations, as a positive number; None where they differ."""
        key = (reference, loop)
        if key not in self._steps:
            own = reference.place.step(loop.index)
            if own is not None and own.symbols <= self.parameters.keys():
                self._steps[key] = abs(_number(own, self.parameters))
            else:
                self._steps[key] = own
        step = self._steps[key]
        if not isinstance(step, Expr):
            return step
        return None if step.symbols - values.keys() else abs(_number(step, values))

    def of(self, node: TreeNode, values: Values) -> float:
        """Accesses of one execution, and one for each iteration."""
        if isinstance(node, AccessNode):
            return 1.0
        key = (node, *(values[s] for s in sorted(self.free[node])))
        found = self._known.get(key)
        if found is None:
            if isinstance(node, Guard):
                share = _share(node, values)
                found = share and share * self.sequence(node.body, values)
            else:
                found = self.iterations(node, 0.0, self.trips(node, values), values)
            if len(self._known) > _MEMORY:
                self._known.clear()
            self._known[key] = found
        return found

    def sequence(self, body: Sequence[TreeNode], values: Values) -> float:
        return sum(self.of(node, values) for node in body)

    def iterations(self, loop: LoopNode, low: float, high: float, values: Values) -> float:
        """Of iterations low .. high - 1 of a loop."""
        n = high - low
        if n <= 0:
            return 0.0

        def one(k: float) -> float:
            return 1.0 + self.sequence(loop.body, {**values, loop.index: k})

        if all(isinstance(node, AccessNode) for node in loop.body):
            return -(-n // self._lines(loop, values)) * (1.0 + len(loop.body))
        if all(loop.index not in self.free[node] for node in loop.body):
            return n * one(low)
        return _sum(one, low, n)

    def executions(self, body: Sequence[TreeNode], values: Values) -> dict[TreeNode, float]:
        """Iterations of every loop and executions of every guard inside a body."""
        found: dict[TreeNode, float] = {}
        for node in body:
            if isinstance(node, AccessNode):
                continue
            if isinstance(node, Guard):
                times = _share(node, values)
                inner = {n: c * times for n, c in self.executions(node.body, values).items()}
            else:
                times = self.trips(node, values)
                inner = {}
                for k, weight in _points(0.0, times):
                    for n, c in self.executions(node.body, {**values, node.index: k}).items():
                        inner[n] = inner.get(n, 0.0) + weight * c
            found[node] = times
            found.update(inner)
        return found

    def _lines(self, loop: LoopNode, values: Values) -> float:
        """Iterations that an inner loop is run in one step."""
        own = [r for r in loop.body if isinstance(r, AccessNode)]
        if any(r.place.spread is not None for r in own):
            return 1.0
        steps = [self.step(r, loop, values) for r in own]
        if any(s is None for s in steps):
            return 1.0
        return max(1.0, LINE // max(1.0, *(s for s in steps if s is not None), 1.0))

    # -- replays
    def touches(self, loop: LoopNode, low: float, high: float, values: Values) -> float:
        """Touches that a replay of iterations takes, about."""
        if loop not in self._visits:
            self._visits[loop] = [
                (
                    reference,
                    chain,
                    [
                        visit(reference, chain, k)[0] if isinstance(c, LoopNode) else ""
                        for k, c in enumerate(chain)
                    ],
                    along_lines(reference, chain),
                )
                for reference, chain in distinct(loop)
            ]
        return sum(
            self._touches(reference, chain, how, along, low, high, values)
            for reference, chain, how, along in self._visits[loop]
        )

    def _touches(
        self,
        reference: AccessNode,
        chain: Chain,
        how: list[str],
        along: int | None,
        low: float,
        high: float,
        values: Values,
    ) -> float:
        # trip counts inside may depend on loops that come later in the chain
        at = {c.index: 0.0 for c in chain if isinstance(c, LoopNode)} | dict(values)
        total = 1.0
        for k, node in enumerate(chain):
            if isinstance(node, Guard):
                continue
            n = high - low if k == 0 else self.trips(node, at)
            if n <= 0:
                return 0.0
            at[node.index] = (low + high - 1) / 2 if k == 0 else (n - 1) / 2
            if how[k] == LAST:
                n = 1.0
            elif how[k] == ENDS:
                n = min(n, 2.0)
            elif k == along:
                step = self.step(reference, node, at) or 1.0
                n = -(-n * step // LINE)
            elif how[k] == ALL:
                pass
            else:
                inner = visit(reference, chain, k)[1]
                sizes = [self.trips(loop, at | {loop.index: 0.0}) for loop in inner]
                n = min(n, 1.0 + n / max(1.0, min(sizes)))
            total *= n
        return total


def _points(low: float, n: float) -> list[tuple[float, float]]:
    """(iteration number, weight) whose weighted sum is that over low .. low + n - 1."""
    if n <= 2 * _POINTS:
        return [(low + k, 1.0) for k in range(int(n))]
    # whole numbers are the middles of unit intervals
    middle = low + (n - 1) / 2
    return [
        (float(middle + x * n / 2), float(w * n / 2)) for x, w in zip(_NODES, _WEIGHTS, strict=True)
    ]


def _sum(one: Callable[[float], float], low: float, n: float) -> float:
    return sum(w * one(k) for k, w in _points(low, n))


def _share(node: Guard, values: Values) -> float:
    share = _number(node.share, values) / (FRACTION if node.is_data else 1)
    return min(1.0, max(0.0, share))


def _number(e: Expr, values: Values) -> float:
    return function(e)(values)
