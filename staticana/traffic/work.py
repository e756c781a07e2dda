"""How often loops run and what that costs, at given values, without running them.

Sums over iterations are taken by Gauss-Legendre quadrature: trip counts of nests are polynomials of
the iteration numbers around, with few exceptions, so that a few points give the sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..expr import Expr, Number, expr
from .access_tree import AccessNode, Guard, LoopNode, TreeNode
from .layer_conditions import IterationFormula
from .machine_code import FRACTION, LINE

_POINTS = 4
"""Quadrature is right for polynomials up to degree 2 * 4 - 1."""
_PLACES, _WEIGHTS = (x.tolist() for x in np.polynomial.legendre.leggauss(_POINTS))
"""Gauss-Legendre quadrature on [-1, 1]."""
_MEMORY = 200_000
"""Costs that are remembered."""

Values = Mapping[str, float]


class Work:
    """Accesses of parts of a tree as they are simulated: inner loops in steps of a line.
    Iteration numbers need not be whole."""

    def __init__(self, body: Sequence[TreeNode], parameters: Mapping[str, Number]) -> None:
        self._parameters = {name: expr(value) for name, value in parameters.items()}
        self._forms: dict[Expr, IterationFormula] = {}
        self._free: dict[TreeNode, tuple[str, ...]] = {}
        self._known: dict[tuple[object, ...], float] = {}
        for node in body:
            self._note(node)

    def _note(self, node: TreeNode) -> frozenset[str]:
        """Iteration numbers that the cost of a node depends on."""
        found = frozenset[str]()
        if not isinstance(node, AccessNode):
            own = node.trips if isinstance(node, LoopNode) else node.share
            found = self._form(own).symbols.union(*(self._note(n) for n in node.body))
            found -= {node.index} if isinstance(node, LoopNode) else set()
        self._free[node] = tuple(sorted(found))
        return found

    def _form(self, e: Expr) -> IterationFormula:
        if e not in self._forms:
            self._forms[e] = IterationFormula(e, self._parameters)
        return self._forms[e]

    def trips(self, loop: LoopNode, values: Values) -> float:
        """Trip count of a loop."""
        return max(0.0, self._form(loop.trips).at(values))

    def step(self, access: AccessNode, loop: LoopNode, values: Values) -> float | None:
        """Bytes between iterations, as a positive number; None where they differ."""
        own = access.place.step(loop.index)
        return None if own is None else abs(self._form(own).at(values))

    def of(self, node: TreeNode, values: Values) -> float:
        """Accesses of one execution, and one for each iteration."""
        if isinstance(node, AccessNode):
            return 1.0
        key = (node, *(values[s] for s in self._free[node]))
        found = self._known.get(key)
        if found is None:
            if isinstance(node, Guard):
                share = self._share(node, values)
                found = share and share * self.sequence(node.body, values)
            else:
                found = self.iterations(node, 0.0, self.trips(node, values), values)
            if len(self._known) > _MEMORY:
                self._known.clear()
            self._known[key] = found
        return found

    def sequence(self, body: Sequence[TreeNode], values: Values) -> float:
        """Of parts that run one after the other."""
        return sum(self.of(node, values) for node in body)

    def iterations(self, loop: LoopNode, low: float, high: float, values: Values) -> float:
        """Of iterations low .. high - 1 of a loop."""
        n = high - low
        if n <= 0:
            return 0.0
        if all(isinstance(node, AccessNode) for node in loop.body):
            return -(-n // self._at_once(loop, values)) * (1.0 + len(loop.body))
        points = [(low, n)]
        if any(loop.index in self._free[node] for node in loop.body):
            points = _points(low, n)
        return sum(w * (1 + self.sequence(loop.body, {**values, loop.index: k})) for k, w in points)

    def executions(self, body: Sequence[TreeNode], values: Values) -> dict[TreeNode, float]:
        """Iterations of every loop and executions of every guard inside a body."""
        found: dict[TreeNode, float] = {}
        for node in body:
            if isinstance(node, AccessNode):
                continue
            if isinstance(node, Guard):
                times = self._share(node, values)
                inside = [(times, values)]
            else:
                times = self.trips(node, values)
                inside = [(w, {**values, node.index: k}) for k, w in _points(0.0, times)]
            found[node] = times
            for weight, here in inside:
                for inner, count in self.executions(node.body, here).items():
                    found[inner] = found.get(inner, 0.0) + weight * count
        return found

    def _share(self, guard: Guard, values: Values) -> float:
        share = self._form(guard.share).at(values) / (FRACTION if guard.is_data else 1)
        return min(1.0, max(0.0, share))

    def _at_once(self, loop: LoopNode, values: Values) -> float:
        """Iterations that an inner loop is run in one step."""
        own = [a for a in loop.body if isinstance(a, AccessNode)]
        steps = [None if a.place.spread is not None else self.step(a, loop, values) for a in own]
        known = [s for s in steps if s is not None]
        return 1.0 if len(known) < len(steps) else max(1.0, LINE // max(1.0, *known, 1.0))


def _points(low: float, n: float) -> list[tuple[float, float]]:
    """(iteration number, weight) whose weighted sum is that over low .. low + n - 1."""
    if n <= 2 * _POINTS:
        return [(low + k, 1.0) for k in range(int(n))]
    # whole numbers are the middles of unit intervals
    middle = low + (n - 1) / 2
    return [(middle + x * n / 2, w * n / 2) for x, w in zip(_PLACES, _WEIGHTS, strict=True)]
