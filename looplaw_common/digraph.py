"""Directed graphs, and what is asked of them: circles, dominators, orders, what is reached.

A graph of a function's blocks or of a program's calls is built and asked once, some thousand times
in one analysis: dictionaries are all that it needs, where networkx takes two to three times as
long, and as long to import as a small program to analyse. What is shown to users are graphs of
networkx (`graphs`). Nodes and edges keep the order in which they were added, which decides the
order of every answer.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Digraph(Generic[Node]):
    """A directed graph; edges are not counted, and may lead from a node to itself."""

    def __init__(self, nodes: Iterable[Node] = (), edges: Iterable[tuple[Node, Node]] = ()) -> None:
        self._after: dict[Node, dict[Node, None]] = {}
        self._before: dict[Node, dict[Node, None]] = {}
        for node in nodes:
            self.add_node(node)
        self.add_edges(edges)

    def add_node(self, node: Node) -> None:
        if node not in self._after:
            self._after[node] = {}
            self._before[node] = {}

    def add_edge(self, source: Node, target: Node) -> None:
        """Add an edge, and its nodes where they are missing."""
        self.add_node(source)
        self.add_node(target)
        self._after[source][target] = None
        self._before[target][source] = None

    def add_edges(self, edges: Iterable[tuple[Node, Node]]) -> None:
        for source, target in edges:
            self.add_edge(source, target)

    def remove_edge(self, source: Node, target: Node) -> None:
        del self._after[source][target]
        del self._before[target][source]

    def __iter__(self) -> Iterator[Node]:
        return iter(self._after)

    def __contains__(self, node: object) -> bool:
        return node in self._after

    def has_edge(self, source: Node, target: Node) -> bool:
        return target in self._after.get(source, ())

    def successors(self, node: Node) -> Collection[Node]:
        """Raises KeyError: the graph has no such node."""
        return self._after[node].keys()

    def predecessors(self, node: Node) -> Collection[Node]:
        """Raises KeyError: the graph has no such node."""
        return self._before[node].keys()

    def within(self, nodes: Collection[Node]) -> Digraph[Node]:
        """The graph of some of the nodes and the edges between them."""
        kept = [node for node in self._after if node in nodes]
        return Digraph(kept, ((n, m) for n in kept for m in self._after[n] if m in nodes))


def postorder(graph: Digraph[Node], start: Node) -> list[Node]:
    """What is reached from a node, each after all that is first reached through it."""
    found: list[Node] = []
    seen = {start}
    work = [(start, iter(graph.successors(start)))]
    while work:
        node, after = work[-1]
        for other in after:
            if other not in seen:
                seen.add(other)
                work.append((other, iter(graph.successors(other))))
                break
        else:
            work.pop()
            found.append(node)
    return found


def circles(graph: Digraph[Node]) -> Iterator[set[Node]]:
    """The strongly connected components, each after those that it leads to (Tarjan, "Depth-first
    search and linear graph algorithms", 1972)."""
    number: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    done: set[Node] = set()
    open_: list[Node] = []
    for start in graph:
        if start in number:
            continue
        number[start] = lowest[start] = len(number)
        open_.append(start)
        work = [(start, iter(graph.successors(start)))]
        while work:
            node, after = work[-1]
            for other in after:
                if other not in number:
                    number[other] = lowest[other] = len(number)
                    open_.append(other)
                    work.append((other, iter(graph.successors(other))))
                    break
                if other not in done:
                    lowest[node] = min(lowest[node], number[other])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == number[node]:
                    circle = {node}
                    while (other := open_.pop()) != node:
                        circle.add(other)
                    done |= circle
                    yield circle


def dominators(graph: Digraph[Node], start: Node) -> dict[Node, Node]:
    """The immediate dominator of each node that is reached from another one, `start` (Cooper,
    Harvey and Kennedy, "A simple, fast dominance algorithm", 2006)."""
    order = postorder(graph, start)
    number = {node: at for at, node in enumerate(order)}
    above = {start: start}
    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            new: Node | None = None
            for other in graph.predecessors(node):
                if other not in above:
                    continue
                if new is None:
                    new = other
                    continue
                while new != other:
                    while number[new] < number[other]:
                        new = above[new]
                    while number[other] < number[new]:
                        other = above[other]
            if new is not None and above.get(node) != new:
                above[node], changed = new, True
    del above[start]
    return above
