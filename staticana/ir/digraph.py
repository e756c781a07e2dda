"""Directed graphs: who comes before whom, who goes round in circles, what all ways pass.

Control flow and calls are such graphs. A library of graphs would do the same, but to load one takes
as long as to analyse a small program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

from .graph import closure

T = TypeVar("T")


class Digraph(Generic[T]):
    """A directed graph, without parallel edges; nodes and edges keep the order in which they were
    added."""

    def __init__(self, nodes: Iterable[T] = (), edges: Iterable[tuple[T, T]] = ()) -> None:
        self._next: dict[T, dict[T, None]] = {node: {} for node in nodes}
        self.connect(edges)

    def add(self, node: T) -> None:
        """Add a node, unless it is there."""
        self._next.setdefault(node, {})

    def connect(self, edges: Iterable[tuple[T, T]]) -> None:
        """Add edges, and their ends where they are missing."""
        found = self._next
        for source, target in edges:
            found.setdefault(source, {})[target] = None
            found.setdefault(target, {})

    def without(self, edges: Collection[tuple[T, T]]) -> Digraph[T]:
        """The same graph without some edges."""
        kept = ((a, b) for a, targets in self._next.items() for b in targets)
        return Digraph(self._next, (edge for edge in kept if edge not in edges))

    def within(self, nodes: Collection[T]) -> Digraph[T]:
        """The part of the graph that some of its nodes are."""
        found = [node for node in self._next if node in nodes]
        return Digraph(found, ((a, b) for a in found for b in self._next[a] if b in nodes))

    def successors(self, node: T) -> Collection[T]:
        return self._next[node].keys()

    def predecessors(self) -> dict[T, list[T]]:
        """The predecessors of each node."""
        found: dict[T, list[T]] = {node: [] for node in self._next}
        for node, targets in self._next.items():
            for target in targets:
                found[target].append(node)
        return found

    def has_edge(self, source: T, target: T) -> bool:
        return target in self._next.get(source, ())

    def below(self, node: T) -> set[T]:
        """The nodes that a way leads to from a node, without it."""
        return closure((node,), self._next.__getitem__) - {node}

    def postorder(self, start: T) -> list[T]:
        """The nodes that can be reached, each behind those that were first come to from it."""
        order: list[T] = []
        seen = {start}
        work: list[tuple[T, Iterator[T]]] = [(start, iter(self._next[start]))]
        while work:
            node, ways = work[-1]
            for other in ways:
                if other not in seen:
                    seen.add(other)
                    work.append((other, iter(self._next[other])))
                    break
            else:
                order.append(node)
                work.pop()
        return order

    def circles(self) -> Iterator[set[T]]:
        """The strongly connected components, each behind those that it leads to (Tarjan,
        "Depth-first search and linear graph algorithms", 1972)."""
        number: dict[T, int] = {}
        least: dict[T, int] = {}
        done: set[T] = set()
        open_: list[T] = []
        for source in self._next:
            if source in number:
                continue
            number[source] = least[source] = len(number)
            open_.append(source)
            work = [(source, iter(self._next[source]))]
            while work:
                node, ways = work[-1]
                for other in ways:
                    if other not in number:
                        number[other] = least[other] = len(number)
                        open_.append(other)
                        work.append((other, iter(self._next[other])))
                        break
                    if other not in done:
                        least[node] = min(least[node], number[other])
                else:
                    work.pop()
                    if work:
                        above = work[-1][0]
                        least[above] = min(least[above], least[node])
                    if least[node] == number[node]:
                        circle: set[T] = set()
                        while node not in circle:
                            circle.add(open_.pop())
                        done |= circle
                        yield circle

    def dominators(self, start: T) -> dict[T, T]:
        """For each node that can be reached, itself for `start`, the nearest other one that all
        ways to it pass (Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", 2006)."""
        order = self.postorder(start)
        number = {node: at for at, node in enumerate(order)}
        before: dict[T, list[T]] = {node: [] for node in order}
        for node in order:
            for target in self._next[node]:
                before[target].append(node)
        found: dict[T, T] = {start: start}
        order.pop()
        order.reverse()
        changed = True
        while changed:
            changed = False
            for node in order:
                one: T | None = None
                for other in before[node]:
                    if other not in found:
                        continue
                    if one is None:
                        one = other
                    while one != other:
                        if number[one] < number[other]:
                            one = found[one]
                        else:
                            other = found[other]
                assert one is not None  # the one that it was reached from comes before it
                if found.get(node) != one:
                    found[node], changed = one, True
        return found


def in_order(graph: Digraph[str]) -> list[str] | None:
    """The nodes before those that they lead to, otherwise by name; None where there is a circle."""
    above = {node: len(nodes) for node, nodes in graph.predecessors().items()}
    ready = [node for node, number in above.items() if not number]
    heapify(ready)
    order: list[str] = []
    while ready:
        node = heappop(ready)
        order.append(node)
        for target in graph.successors(node):
            above[target] -= 1
            if not above[target]:
                heappush(ready, target)
    return order if len(order) == len(above) else None
