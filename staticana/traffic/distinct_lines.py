"""How many distinct lines a run touches, by marking the lines of each access on its own.

An access goes over those loops only that its address depends on, and over whole lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..expr.vectorised import Integers, NotVectorisedError, at_points
from .access_tree import AccessNode, Guard, LoopNode, TreeNode
from .extents import Extent, extents
from .layer_conditions import LINE
from .machine_code import FRACTION, LINE_BITS

_AT_ONCE, _MOST = 1 << 18, 1 << 26
"""Points of a loop nest that are looked at together, and in all."""

Chain = tuple[LoopNode | Guard, ...]
Points = Mapping[str, Integers]


def distinct(body: Sequence[TreeNode], values: Mapping[str, int]) -> tuple[float, float, bool]:
    """(lines, lines that are written, are they counted?) of one run of a body; where they are too
    many to be counted, those from the first to the last of each object.

    Raises:
        Refused: the range of an address is not evaluated.
    """
    ranges = extents(body, values)
    most = sum(e.lines for e in ranges.values())
    try:
        if most > _MOST:
            raise OverflowError
        return *_Count(ranges, values).of(body), True
    except (OverflowError, NotVectorisedError):
        return float(most), float(most), False


class _Count:
    def __init__(self, ranges: Mapping[str, Extent], values: Mapping[str, int]) -> None:
        self.ranges, self.values = ranges, values
        # 1: read, 3: written
        self.marks = {key: np.zeros(e.lines, dtype=np.uint8) for key, e in ranges.items()}
        self.random = np.random.default_rng(1)
        self.points = 0

    def of(self, body: Sequence[TreeNode]) -> tuple[float, float]:
        for access, chain in _different(body):
            strides = _strides(access, chain)
            for size, points in self._expanded(chain, strides, 1, self.values):
                self._mark(access, size, points)
        found = [np.bincount(m, minlength=4) for m in self.marks.values()]
        return float(sum(c[1:].sum() for c in found)), float(sum(c[3] for c in found))

    def _expanded(
        self, chain: Chain, strides: Mapping[str, int], size: int, at: Points
    ) -> Iterator[tuple[int, Points]]:
        """The iterations of a chain that begins at some points, in parts."""
        if not chain or not size:
            yield size, at
            return
        if isinstance(chain[0], Guard):
            share = np.broadcast_to(at_points(chain[0].share, at), size)
            chosen = self.random.integers(FRACTION, size=size) if chain[0].is_data else 0
            which: NDArray[np.int64] = np.flatnonzero(share > chosen)
            yield from self._expanded(chain[1:], strides, len(which), _taken(at, which))
            return
        trips = np.maximum(0, np.broadcast_to(at_points(chain[0].trips, at), size))
        stride = strides.get(chain[0].index, 1)
        steps = np.where(trips > 0, -(-(trips - 1) // stride) + 1, 0)
        total = int(steps.sum())
        if total > _AT_ONCE and size > 1:
            for half in np.array_split(np.arange(size), 2):
                yield from self._expanded(chain, strides, len(half), _taken(at, half))
            return
        self.points += total
        if self.points > _MOST:
            raise OverflowError
        which = np.repeat(np.arange(size), steps)
        number = np.arange(total) - np.repeat(np.cumsum(steps) - steps, steps)
        number = np.minimum(number * stride, trips[which] - 1)
        inside = {**_taken(at, which), chain[0].index: number}
        yield from self._expanded(chain[1:], strides, total, inside)

    def _mark(self, access: AccessNode, size: int, at: Points) -> None:
        place = access.place
        offset = np.broadcast_to(at_points(place.offset, at), size)
        if place.spread is not None:
            count = np.maximum(1, at_points(place.spread.count, at))
            stride = at_points(place.spread.stride, at)
            offset = offset + self.random.integers(count, size=size) * stride
        row = 0 if place.row is None else at_points(place.row, at)
        for k, key in enumerate(place.objects):
            extent, marks = self.ranges[key], self.marks[key]
            base = (row - extent.first_row) * extent.lines_of_row - extent.first // LINE
            for end in (offset, offset + access.size - 1):
                lines = (end >> LINE_BITS) + base
                if place.turn is not None:
                    lines = lines[np.asarray(at[place.turn]) % len(place.objects) == k]
                marks[lines] |= 3 if access.is_store else 1


def _different(body: Sequence[TreeNode]) -> list[tuple[AccessNode, Chain]]:
    """The accesses with what their places depend on; of those to the same bytes a store, else
    one."""
    found: dict[object, tuple[AccessNode, Chain]] = {}
    for access, around in _chains(body, ()):
        chain = _relevant(access, around)
        key = (access.place, access.size, chain)
        if access.is_store or key not in found:
            found[key] = access, chain
    return list(found.values())


def _strides(access: AccessNode, chain: Chain) -> dict[str, int]:
    """Iterations of a loop of a chain in which an access passes over no line."""
    found: dict[str, int] = {}
    is_drawn = any(isinstance(n, Guard) and n.is_data for n in chain)
    if is_drawn or access.place.spread is not None:
        return found
    for node in chain:
        if isinstance(node, Guard):
            continue
        step = access.place.step(node.index)
        number = None if step is None else step.constant
        rest = [n.share if isinstance(n, Guard) else n.trips for n in chain]
        if number and abs(int(number)) < LINE and not any(node.index in e.symbols for e in rest):
            found = {node.index: LINE // abs(int(number))}
    return found


def _chains(body: Sequence[TreeNode], around: Chain) -> Iterator[tuple[AccessNode, Chain]]:
    """The accesses, each with the loops and guards around it, from outside in."""
    for node in body:
        if isinstance(node, AccessNode):
            yield node, around
        else:
            yield from _chains(node.body, (*around, node))


def _relevant(access: AccessNode, chain: Chain) -> Chain:
    """What the place of an access depends on in a chain."""
    needed = access.place.symbols
    found: list[LoopNode | Guard] = []
    is_drawn = False  # each iteration around a condition on data decides anew
    for node in reversed(chain):
        if isinstance(node, Guard):
            needed |= node.share.symbols
            is_drawn |= node.is_data
        elif is_drawn or node.index in needed:
            needed |= node.trips.symbols
        else:
            continue
        found.append(node)
    return tuple(reversed(found))


def _taken(at: Points, which: NDArray[np.int64]) -> dict[str, Integers]:
    """Some of the points."""
    return {k: v[which] if isinstance(v, np.ndarray) and v.ndim else v for k, v in at.items()}
