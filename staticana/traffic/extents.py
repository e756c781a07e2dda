"""The range of bytes of each object that a nest may touch, by interval arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor

from ..expr import Expr, expr
from ..expr.intervals import interval
from .access_tree import AccessNode, Guard, TreeNode
from .layer_conditions import LINE
from .refusal import Refused

Ranges = Mapping[str, tuple[int, int]]
_LARGEST = 1 << 50
"""Bytes of the farthest address from the start of an object."""


@dataclass(frozen=True)
class Extent:
    """First and last byte of an object, and its first and last row."""

    first: int
    last: int
    first_row: int = 0
    last_row: int = 0

    @property
    def lines_of_row(self) -> int:
        """Lines from the first to the last byte of a row, and one between rows."""
        return self.last // LINE - self.first // LINE + 2

    @property
    def lines(self) -> int:
        """Lines of all rows."""
        return self.lines_of_row * (self.last_row - self.first_row + 1)

    def __or__(self, other: Extent) -> Extent:
        return Extent(
            min(self.first, other.first),
            max(self.last, other.last),
            min(self.first_row, other.first_row),
            max(self.last_row, other.last_row),
        )


def extents(body: Sequence[TreeNode], values: Mapping[str, int]) -> dict[str, Extent]:
    """What may be touched of each object; what is returned may be larger than what is touched,
    never smaller.

    Raises:
        Refused: a formula has a shape that is not evaluated, or a range is far too large.
    """
    found: dict[str, Extent] = {}
    _visit(body, {name: (v, v) for name, v in values.items()}, found)
    return found


def _visit(body: Sequence[TreeNode], at: Ranges, found: dict[str, Extent]) -> None:
    for node in body:
        if isinstance(node, AccessNode):
            own = _extent(node, at)
            for key in node.place.objects:
                found[key] = found.get(key, own) | own
        elif isinstance(node, Guard):
            _visit(node.body, at, found)
        else:
            trips = _range(node.trips, at)[1]
            if trips > 0:
                _visit(node.body, {**at, node.index: (0, trips - 1)}, found)


def _extent(node: AccessNode, at: Ranges) -> Extent:
    """What one access may touch."""
    place = node.place
    low, high = _range(place.offset, at)
    if place.spread is not None:
        high += _range(place.spread.stride, at)[1] * max(0, _range(place.spread.count, at)[1])
    if max(abs(low), abs(high)) > _LARGEST:
        raise Refused(f"the address at {node.at} has a range that is too large")
    return Extent(
        low, high + node.size - 1, *((0, 0) if place.row is None else _range(place.row, at))
    )


def _range(e: Expr, at: Ranges) -> tuple[int, int]:
    """Integers between which a formula lies."""
    fixed = {s: expr(at[s][0]) for s in e.symbols if at[s][0] == at[s][1]}
    found = interval(e.substitute(fixed), at.__getitem__)
    if found is None:
        raise Refused(f"a formula has a form that is not evaluated: {e}")
    return floor(found[0]), ceil(found[1])
