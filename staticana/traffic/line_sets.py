"""Sets of cache lines as sorted, disjoint ranges of line numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ranges = NDArray[np.int64]
"""(2, ranges): first and last line of each."""


class LineSet:
    """Lines first .. last of each range; disjoint and ascending."""

    __slots__ = ("ranges", "size")

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = _merged(ranges)
        self.size = int((self.ranges[1] - self.ranges[0] + 1).sum())

    def __or__(self, other: LineSet) -> LineSet:
        if not other.size:
            return self
        if not self.size:
            return other
        return LineSet(np.concatenate((self.ranges, other.ranges), axis=1))


def _merged(ranges: Ranges) -> Ranges:
    if ranges.shape[1] < 2:
        return ranges
    order = ranges[0].argsort()
    first, reach = ranges[0][order], np.maximum.accumulate(ranges[1][order])
    gaps = (first[1:] > reach[:-1] + 1).nonzero()[0]
    found = np.empty((2, gaps.size + 1), dtype=np.int64)
    found[0, 0], found[1, -1] = first[0], reach[-1]
    found[0, 1:], found[1, :-1] = first[gaps + 1], reach[gaps]
    return found


EMPTY = LineSet(np.zeros((2, 0), dtype=np.int64))
