"""Directed graphs, searched in the order in which their nodes and edges were put in.

networkx has all of this, but takes a fifth of a second to be imported, as long as the analysis of a
small program takes. Circles are found as by Nuutila and Soisalon-Soininen, "On finding the strongly
connected components in a directed graph" (1994).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Digraph(Generic[T]):
    """Nodes, and edges between them, each once."""

    def __init__(self, nodes: Iterable[T] = (), edges: Iterable[tuple[T, T]] = ()) -> None:
        self._after: dict[T, dict[T, None]] = {node: {} for node in nodes}
        self._before: dict[T, dict[T, None]] = {node: {} for node in self._after}
        self.add_edges(edges)

    def add_node(self, node: T) -> None:
        if node not in self._after:
            self._after[node], self._before[node] = {}, {}

    def add_edges(self, edges: Iterable[tuple[T, T]]) -> None:
        """Add edges, and their ends where they are new."""
        for source, target in edges:
            self.add_node(source)
            self.add_node(target)
            self._after[source][target] = self._before[target][source] = None

    def has_edge(self, source: T, target: T) -> bool:
        return target in self._after.get(source, ())

    def successors(self, node: T) -> Collection[T]:
        return self._after[node].keys()

    def predecessors(self, node: T) -> Collection[T]:
        return self._before[node].keys()

    def postorder(self, start: T) -> Iterator[T]:
        """What a node leads to, itself last, by a depth-first search."""
        seen = {start}
        work = [(start, iter(self._after[start]))]
        while work:
            node, ahead = work[-1]
            for target in ahead:
                if target not in seen:
                    seen.add(target)
                    work.append((target, iter(self._after[target])))
                    break
            else:
                work.pop()
                yield node

    def circles(self) -> Iterator[set[T]]:
        """The strongly connected components, those that others lead to first."""
        number: dict[T, int] = {}  # in preorder
        least: dict[T, int] = {}
        found: set[T] = set()
        waiting: list[T] = []
        ahead = {node: iter(targets) for node, targets in self._after.items()}
        for start in self._after:
            work = [start] if start not in found else []
            while work:
                node = work[-1]
                number.setdefault(node, len(number))
                new = next((t for t in ahead[node] if t not in number), None)
                if new is not None:
                    work.append(new)
                    continue
                own = number[node]
                least[node] = min(
                    (
                        least[t] if number[t] > own else number[t]
                        for t in self._after[node]
                        if t not in found
                    ),
                    default=own,
                )
                least[node] = min(least[node], own)
                work.pop()
                if least[node] < own:
                    waiting.append(node)
                    continue
                circle = {node}
                while waiting and number[waiting[-1]] > own:
                    circle.add(waiting.pop())
                found |= circle
                yield circle


def in_order(graph: Digraph[str], nodes: Collection[str]) -> list[str] | None:
    """Some nodes of a graph, each before those it leads to, else by name; None where there is a
    circle among them."""
    targets = {node: [t for t in graph.successors(node) if t in nodes] for node in nodes}
    left = dict.fromkeys(nodes, 0)
    for found in targets.values():
        for t in found:
            left[t] += 1
    ready = [node for node, number in left.items() if not number]
    heapify(ready)
    order: list[str] = []
    while ready:
        node = heappop(ready)
        order.append(node)
        for t in targets[node]:
            left[t] -= 1
            if not left[t]:
                heappush(ready, t)
    return order if len(order) == len(targets) else None
