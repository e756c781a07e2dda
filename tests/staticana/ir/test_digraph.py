"""Directed graphs, against a library of graphs."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from staticana.ir.digraph import Digraph, in_order


def random_graphs(seed: int) -> tuple[Digraph[str], nx.DiGraph, list[str]]:
    """The same graph twice, sparse or dense, and its nodes."""
    generator = random.Random(seed)
    nodes = [f"n{k}" for k in range(generator.randint(1, 12))]
    edges = [
        (generator.choice(nodes), generator.choice(nodes))
        for _ in range(generator.randint(0, 3 * len(nodes)))
    ]
    other = nx.DiGraph()
    other.add_nodes_from(nodes)
    other.add_edges_from(edges)
    return Digraph(nodes, edges), other, nodes


@pytest.mark.parametrize("seed", range(60))
def test_orders_circles_and_dominators_are_those_of_the_library(seed: int) -> None:
    graph, other, nodes = random_graphs(seed)
    start = nodes[0]
    assert graph.postorder(start) == list(nx.dfs_postorder_nodes(other, start))
    assert list(graph.circles()) == list(nx.strongly_connected_components(other))
    assert graph.dominators(start) == {start: start} | nx.immediate_dominators(other, start)
    assert graph.below(start) == nx.descendants(other, start)
    before = graph.predecessors()
    assert {n: set(before[n]) for n in nodes} == {n: set(other.predecessors(n)) for n in nodes}


@pytest.mark.parametrize("seed", range(40))
def test_parts_of_a_graph_are_ordered_by_name_where_they_have_no_circle(seed: int) -> None:
    graph, other, nodes = random_graphs(seed)
    part = set(random.Random(seed).sample(nodes, (len(nodes) + 1) // 2))
    inner = other.subgraph(part)
    expected = (
        list(nx.lexicographical_topological_sort(inner))
        if nx.is_directed_acyclic_graph(inner)
        else None
    )
    assert in_order(graph.within(part)) == expected


def test_edges_are_left_out() -> None:
    graph = Digraph("abc", [("a", "b"), ("b", "c"), ("c", "a")])
    assert list(graph.without({("c", "a")}).circles()) == [{"c"}, {"b"}, {"a"}]
    assert graph.has_edge("c", "a")
