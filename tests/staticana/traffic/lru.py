"""An exact LRU cache, fed by running a nest's references one after the other."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from staticana.traffic.access_tree import AccessNode, LoopNode, TreeNode

_FAR = 1 << 30


def trace(body: Sequence[TreeNode], values: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """(object, line) of every access in the order of the program."""
    for node in body:
        if isinstance(node, LoopNode):
            for k in range(max(0, int(node.trips.evaluate(values)))):
                yield from trace(node.body, {**values, node.index: k})
        elif isinstance(node, AccessNode):
            at = int(node.place.offset.evaluate(values))
            for line in range(at // 64, (at + node.size - 1) // 64 + 1):
                yield node.place.objects[0], line


def lru_misses(body: Sequence[TreeNode], capacity_bytes: int, values: Mapping[str, int]) -> int:
    """Lines that miss a fully associative cache that begins empty."""
    cache: OrderedDict[tuple[str, int], None] = OrderedDict()
    misses = 0
    for line in trace(body, values):
        if line in cache:
            cache.move_to_end(line)
            continue
        misses += 1
        cache[line] = None
        if len(cache) > capacity_bytes // 64:
            cache.popitem(last=False)
    return misses


def set_misses(lines: Iterable[int], sets: int, ways: int) -> int:
    """Lines that miss a cache of sets, each of which replaces its least recently used line."""
    cache: list[OrderedDict[int, None]] = [OrderedDict() for _ in range(sets)]
    misses = 0
    for line in lines:
        mine = cache[line % sets]
        if line in mine:
            mine.move_to_end(line)
            continue
        misses += 1
        mine[line] = None
        if len(mine) > ways:
            mine.popitem(last=False)
    return misses
