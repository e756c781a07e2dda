"""Searches of directed graphs, against networkx."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from staticana.ir.digraph import Digraph, in_order


def random_edges(seed: int) -> tuple[list[str], list[tuple[str, str]]]:
    """Names, and edges between some of them, circles and loops among them."""
    generator = random.Random(seed)
    names = [f"n{k}" for k in range(generator.randint(1, 12))]
    number = generator.randint(0, 2 * len(names))
    return names, [(generator.choice(names), generator.choice(names)) for _ in range(number)]


@pytest.mark.parametrize("seed", range(60))
def test_searches_find_what_networkx_finds_in_the_same_order(seed: int) -> None:
    names, edges = random_edges(seed)
    graph, other = Digraph(names[:3], edges), nx.DiGraph()
    other.add_nodes_from(names[:3])
    other.add_edges_from(edges)
    assert list(graph.circles()) == list(nx.strongly_connected_components(other))
    for node in other:
        assert list(graph.postorder(node)) == list(nx.dfs_postorder_nodes(other, node))
        assert list(graph.successors(node)) == list(other.successors(node))
        assert list(graph.predecessors(node)) == list(other.predecessors(node))
        assert all(graph.has_edge(node, n) == other.has_edge(node, n) for n in names)


@pytest.mark.parametrize("seed", range(60))
def test_some_nodes_are_put_in_order_where_they_have_no_circle(seed: int) -> None:
    names, edges = random_edges(seed)
    graph, other = Digraph(names, edges), nx.DiGraph(edges)
    other.add_nodes_from(names)
    some = set(names[: len(names) * 2 // 3])
    rest = other.subgraph(some)
    expected = None
    if nx.is_directed_acyclic_graph(rest):
        expected = list(nx.lexicographical_topological_sort(rest))
    assert in_order(graph, some) == expected
