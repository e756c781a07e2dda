"""Questions about the graphs in IR, against plain searches."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from staticana.ir.data_layout import Layout
from staticana.ir.graph import blocks_leading_to
from staticana.ir.parser import parse_module
from staticana.ir.types import Function

MOST = 14


def branches(generator: random.Random) -> Function:
    """A function of random branches; not all of its blocks need be reached."""
    number = generator.randint(2, MOST)
    lines = ["define void @f(i1 %c) {", "b0:"]
    for at in range(number):
        if at:
            lines.append(f"b{at}:")
        one, other = generator.randint(1, number), generator.randint(1, number)
        if number in (one, other):
            lines.append("  ret void")
        else:
            lines.append(f"  br i1 %c, label %b{one}, label %b{other}")
    return parse_module("\n".join([*lines, "}"]) + "\n").functions["f"]


@pytest.mark.parametrize("seed", range(50))
def test_blocks_lead_to_others_as_paths_do(seed: int) -> None:
    generator = random.Random(seed)
    f = branches(generator)
    names = list(f.blocks)
    targets = generator.sample(names, generator.randint(1, 2))
    without = tuple(generator.sample(names, generator.randint(0, 2)))
    graph = nx.DiGraph((b.name, s) for b in f.blocks.values() for s in b.successors)
    graph.add_nodes_from(names)
    graph.remove_nodes_from(set(without) - set(targets))
    expected = set(targets).union(*(nx.ancestors(graph, t) for t in targets))
    assert blocks_leading_to(f, targets, without=without) == expected


def test_fields_have_offsets_up_to_one_of_unknown_size() -> None:
    layout = Layout(
        parse_module(
            "%plain = type { i8, i32, double }\n"
            "%packed = type <{ i8, i32, double }>\n"
            "%open = type { i32, %hidden, i32 }\n"
            "%hidden = type opaque\n"
        )
    )
    assert [layout.offset("%plain", k) for k in range(3)] == [(0, "i8"), (4, "i32"), (8, "double")]
    assert [layout.offset("%packed", k) for k in range(3)] == [(0, "i8"), (1, "i32"), (5, "double")]
    assert layout.offset("%open", 0) == (0, "i32")
    assert layout.offset("%open", 1) is None
    assert layout.offset("%open", 2) is None
    assert layout.offset("%plain", 3) is None
    assert layout.offset("%plain", -1) is None
    assert layout.offset("i32", 0) is None
