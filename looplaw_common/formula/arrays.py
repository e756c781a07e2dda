"""Values of formulas at many points at once, in double precision."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import exp, inf, lgamma, nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..steps import allowed_steps, spend_steps
from .tree import (
    Add,
    Call,
    Cases,
    Compare,
    Divide,
    Mapper,
    Multiply,
    Name,
    Negative,
    Node,
    Number,
    Power,
    Summation,
    Truth,
)
from .values import RELATIONS

_MAX_TERMS = 100_000
"""Longest sum that is added up at many points at once."""
_MAX_VISITS = 1_000_000
_POINTS_A_VISIT = 1 << 12
"""Nodes visited for the values of one formula; so many points count as one more."""
_Floats = NDArray[np.float64]
_LARGEST_FACTORIAL = 170
"""Above it factorials are no doubles."""
_CLOSE = 1e-12
"""Relative error up to which a float counts as the integer beside it, in floors and ceilings."""


@partial(np.vectorize, otypes=[float])
def _factorials(x: float) -> float:
    """x!, of what is no whole number the gamma function of x + 1."""
    if not 0 <= x < inf:
        return nan if not x > 0 else inf
    return exp(lgamma(x + 1)) if x < _LARGEST_FACTORIAL else inf


def evaluate_arrays(tree: Node, columns: Mapping[str, ArrayLike]) -> NDArray[np.float64]:
    """Values at points, one array for each symbol; not finite where there is none.

    Raises:
        KeyError: a symbol has no values.
        OverflowError: a sum over too many terms, or a number too large for a float.
    """
    arrays = {name: np.asarray(column, dtype=float) for name, column in columns.items()}
    shape = np.broadcast_shapes(*(column.shape for column in arrays.values()))
    count = _Visits(allowed_steps(_MAX_VISITS))
    try:
        with np.errstate(all="ignore"):
            return np.array(np.broadcast_to(_Arrays(arrays, count)(tree), shape))
    finally:
        spend_steps(count.taken)


def _snapped(x: _Floats) -> _Floats:
    nearest = np.round(x)
    near = np.abs(x - nearest) <= _CLOSE * np.maximum(np.abs(x), 1.0)
    return np.where(near, nearest, x)


class _Visits:
    """Nodes that were visited, and how many may be."""

    __slots__ = ("most", "taken")

    def __init__(self, most: int) -> None:
        self.most, self.taken = most, 0


class _Arrays(Mapper[_Floats]):
    """Values in double precision at many points."""

    def __init__(self, columns: Mapping[str, _Floats], visits: _Visits) -> None:
        self.columns, self.visits = columns, visits

    def __call__(self, node: Node) -> _Floats:
        value = node.accept(self)
        self.visits.taken += 1 + value.size // _POINTS_A_VISIT
        if self.visits.taken > self.visits.most:
            raise OverflowError
        return value

    def number(self, node: Number) -> _Floats:
        return np.asarray(float(node.value))

    def name(self, node: Name) -> _Floats:
        return self.columns[node.name]

    def negative(self, node: Negative) -> _Floats:
        return -self(node.operand)

    def add(self, node: Add) -> _Floats:
        total = self(node.terms[0])
        for term in node.terms[1:]:
            total = total + self(term)
        return total

    def multiply(self, node: Multiply) -> _Floats:
        product = self(node.factors[0])
        for factor in node.factors[1:]:
            product = product * self(factor)
        return product

    def divide(self, node: Divide) -> _Floats:
        return self(node.numerator) / self(node.denominator)

    def power(self, node: Power) -> _Floats:
        return np.asarray(self(node.base) ** self(node.exponent))

    def call(self, node: Call) -> _Floats:
        found = [self(argument) for argument in node.arguments]
        x = found[0]
        match node.function:
            case "floor":
                return np.asarray(np.floor(_snapped(x)))
            case "ceiling":
                return np.asarray(np.ceil(_snapped(x)))
            case "Mod":
                return np.asarray(x - found[1] * np.floor(_snapped(x / found[1])))
            case "sqrt":
                return np.asarray(np.sqrt(x))
            case "Abs":
                return np.asarray(np.abs(x))
            case "factorial":
                return np.asarray(_factorials(x))
            case "ln":
                return np.asarray(np.log(x))
            case "log":
                two = isinstance(base := node.arguments[1], Number) and base.value == 2
                return np.asarray(np.log2(x) if two else np.log(x) / np.log(found[1]))
        extreme = np.maximum if node.function == "Max" else np.minimum
        for other in found[1:]:
            x = np.asarray(extreme(x, other))
        return x

    def truth(self, node: Truth) -> _Floats:
        return np.asarray(float(node.value))

    def compare(self, node: Compare) -> _Floats:
        left, right = _snapped(self(node.left)), _snapped(self(node.right))
        return np.asarray(RELATIONS[node.relation](left, right), dtype=float)

    def cases(self, node: Cases) -> _Floats:
        found = np.asarray(np.nan)
        for value, condition in reversed(node.pairs):
            found = np.where(self(condition) != 0, self(value), found)
        return found

    def summation(self, node: Summation) -> _Floats:
        first, last = np.broadcast_arrays(self(node.first), self(node.last))
        total = np.zeros(first.shape)
        known = np.isfinite(first) & np.isfinite(last)
        if not known.any():
            return np.full(first.shape, np.nan)
        low, high = int(first[known].min()), int(last[known].max())
        if high - low > _MAX_TERMS:
            raise OverflowError
        for index in range(low, high + 1):
            inner = _Arrays({**self.columns, node.index: np.asarray(float(index))}, self.visits)
            inside = (first <= index) & (index <= last)
            total = total + np.where(inside, inner(node.body), 0.0)
        return np.where(known, total, np.nan)
