"""What is asked of directed graphs, against networkx, in random graphs."""

from __future__ import annotations

import random

import pytest

from looplaw_common.digraph import Digraph, circles, dominators, postorder
from tests.lazily import Package

nx = Package("networkx")


def drawn(seed: int) -> list[tuple[int, int]]:
    generator = random.Random(seed)
    number = generator.randint(1, 12)
    return [
        (generator.randrange(number), generator.randrange(number))
        for _ in range(generator.randint(1, 3 * number))
    ]


@pytest.mark.parametrize("seed", range(60))
def test_answers_are_those_of_networkx_in_its_order(seed: int) -> None:
    edges = drawn(seed)
    graph, other = Digraph[int](edges=edges), nx.DiGraph(edges)
    assert list(graph) == list(other)
    assert list(circles(graph)) == list(nx.strongly_connected_components(other))
    start = edges[0][0]
    assert postorder(graph, start) == list(nx.dfs_postorder_nodes(other, start))
    above = {n: d for n, d in nx.immediate_dominators(other, start).items() if n != start}
    assert list(dominators(graph, start).items()) == list(above.items())
    kept = set(random.Random(seed).sample(list(graph), len(list(graph)) // 2))
    some, others = graph.within(kept), other.subgraph(kept)
    assert {(n, m) for n in some for m in some.successors(n)} == set(others.edges)


def test_edges_are_there_once_and_can_be_taken_away() -> None:
    graph = Digraph(["a"], [("a", "b"), ("a", "b"), ("b", "b")])
    assert list(graph.successors("a")) == ["b"]
    assert list(graph.predecessors("b")) == ["a", "b"]
    graph.remove_edge("b", "b")
    assert not graph.has_edge("b", "b")
    assert graph.has_edge("a", "b")
    assert not graph.has_edge("c", "b")
    assert "c" not in graph
    with pytest.raises(KeyError):
        graph.successors("c")
