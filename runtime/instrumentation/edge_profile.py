"""Which counters a function needs: the fewest from which all wanted counts follow by conservation
of flow.

What enters a block leaves it (Knuth & Stevenson, BIT 1973; Ball & Larus, TOPLAS 1994). A wanted
count is a sum over edges of the control flow graph. Two such sums that agree on every cycle of the
graph (with an edge from the function's end back to its entry) are equal in every run, so only a
basis of the wanted sums modulo the cuts is counted, and the cheapest basis is found greedily (they
form a matroid). At a barrier (see `barriers`) the graph is cut: flow ends before it and begins anew
behind it, so that nothing is concluded across a call that may not return, or return twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from staticana.ir.loop_info import Loop
from staticana.ir.types import Function

from .abnormal_exits import Barriers

Edge = tuple[str, str]
ENTRY: Edge = ("", "")
"""Stands for the edge into the function: its calls."""


@dataclass(frozen=True)
class EdgeCount:
    """How often some edges of one function are taken, together, less the edges `minus`. `loop`: the
    header of the innermost loop in which they lie, None outside of loops. iterates: these are the
    iterations of that loop."""

    edges: tuple[Edge, ...]
    loop: str | None
    minus: tuple[Edge, ...] = ()
    iterates: bool = False


def iterations(function: Function, loop: Loop, reachable: Mapping[str, str]) -> EdgeCount:
    """Starts of the body: edges from the loop's test into the body. Without a test at its front,
    every execution of the header is one; so it is where the test cannot be told from the body, less
    the exits by it."""
    test = _test(function, loop)
    if test and not test.intersection(loop.latches):
        return EdgeCount(
            tuple(
                (s, t)
                for s in function.blocks
                if s in test
                for t in dict.fromkeys(function.blocks[s].successors)
                if t in loop.blocks and t not in test
            ),
            loop.header,
            iterates=True,
        )
    return EdgeCount(
        tuple((p, loop.header) for p in function.predecessors[loop.header] if p in reachable),
        loop.header,
        tuple((e.source, e.target) for e in loop.exits if e.is_test),
        iterates=True,
    )


def _test(function: Function, loop: Loop) -> set[str]:
    """The blocks of the loop's test: those in which an iteration may still turn out to be none."""
    found = {e.source for e in loop.exits if e.is_test}
    work = list(found - {loop.header})
    while work:
        for p in function.predecessors[work.pop()]:
            if p in loop.blocks and p not in found:
                found.add(p)
                work.extend([p] if p != loop.header else [])
    return found


def entries(function: Function, loop: Loop, reachable: Mapping[str, str]) -> EdgeCount:
    """How often the loop is entered."""
    return EdgeCount(
        tuple(
            (p, loop.header)
            for p in function.predecessors[loop.header]
            if p not in loop.blocks and p in reachable
        ),
        loop.parent,
    )


CALLS = EdgeCount((ENTRY,), None)


class Cycles:
    """Sums over edges, told apart by what they are on each cycle of a function's control flow
    graph."""

    def __init__(
        self, function: Function, barriers: Barriers, reachable: Mapping[str, str]
    ) -> None:
        self.ends: list[
            tuple[int, int]
        ] = []  # edges between nodes; node 0 is the world outside the function
        self.names: dict[Edge, int] = {}
        last: dict[str, int] = {}
        first: dict[str, int] = {}
        nodes = 1
        blocks = [b for b in function.blocks.values() if b.name in reachable]
        for b in blocks:
            first[b.name] = last[b.name] = nodes
            nodes += 1
            for i in b.instructions[:-1]:
                if barriers.leaves(i):
                    self.ends += [(last[b.name], 0), (0, nodes)]
                    last[b.name] = nodes
                    nodes += 1
        self._edge(ENTRY, 0, first[function.entry.name])
        for b in blocks:
            source = last[b.name]
            if not b.successors or barriers.leaves(b.terminator):
                self.ends.append((source, 0))
                source = 0
            for target in dict.fromkeys(b.successors):
                self._edge((b.name, target), source, first[target])
        self.order, self.chords = self._tree(nodes)

    def _edge(self, name: Edge, source: int, target: int) -> None:
        self.names[name] = len(self.ends)
        self.ends.append((source, target))

    def _tree(self, nodes: int) -> tuple[list[tuple[int, int, int]], list[int]]:
        """A spanning tree as (edge, from, to), outwards from node 0, and the edges that are not in
        it."""
        at: list[list[int]] = [[] for _ in range(nodes)]
        for e, (u, v) in enumerate(self.ends):
            at[u].append(e)
            at[v].append(e)
        seen, order, inside = [False] * nodes, list[tuple[int, int, int]](), set[int]()
        for root in range(nodes):  # code that never ends is a component of its own
            if seen[root]:
                continue
            seen[root], work = True, [root]
            while work:
                u = work.pop()
                for e in at[u]:
                    v = self.ends[e][1] if self.ends[e][0] == u else self.ends[e][0]
                    if not seen[v]:
                        seen[v] = True
                        inside.add(e)
                        order.append((e, u, v))
                        work.append(v)
        return order, [e for e in range(len(self.ends)) if e not in inside]

    def of(self, count: EdgeCount) -> dict[int, Fraction]:
        """The sum's value on the cycle that each edge outside the tree closes; zeros left out."""
        weight = [0] * len(self.ends)
        for edge in count.edges:
            weight[self.names[edge]] += 1
        for edge in count.minus:
            weight[self.names[edge]] -= 1
        height: dict[int, int] = {}
        for e, u, v in self.order:
            height[v] = height.get(u, 0) + (weight[e] if self.ends[e] == (u, v) else -weight[e])
        found = {
            e: weight[e] - height.get(self.ends[e][1], 0) + height.get(self.ends[e][0], 0)
            for e in self.chords
        }
        return {e: Fraction(value) for e, value in found.items() if value}


@dataclass(frozen=True)
class Derivation:
    """measured: which of the counts are counted, by their index; derived: each count as a sum of
    factors times measured ones (by index)."""

    measured: tuple[int, ...]
    derived: tuple[Mapping[int, Fraction], ...]


def derive(
    cycles: Cycles,
    counts: Sequence[EdgeCount],
    costs: Sequence[int],
    *,
    free: Iterable[int] = (),
    unwanted: Iterable[int] = (),
) -> Derivation:
    """Choose what to measure, the cheapest first; `free` are counted in any case, `unwanted` not at
    all."""
    given, left_out = tuple(free), set(unwanted)
    order = [
        *given,
        *sorted(
            (k for k in range(len(counts)) if k not in given and k not in left_out),
            key=lambda k: (costs[k], k),
        ),
    ]
    basis: list[
        tuple[int, dict[int, Fraction], dict[int, Fraction]]
    ] = []  # pivot, row, the row in measured counts
    measured: list[int] = []
    derived: dict[int, Mapping[int, Fraction]] = {}
    for k in order:
        row, parts = cycles.of(counts[k]), dict[int, Fraction]()
        for pivot, known, of in basis:
            if pivot in row:
                factor = row[pivot] / known[pivot]
                _subtract(row, known, factor)
                _subtract(parts, of, -factor)
        if row:
            measured.append(k)
            derived[k] = {k: Fraction(1)}
            _subtract(parts, {k: Fraction(1)}, Fraction(1))
            basis.append((next(iter(row)), row, {m: -f for m, f in parts.items()}))
        else:
            derived[k] = parts
    return Derivation(tuple(measured), tuple(derived.get(k, {}) for k in range(len(counts))))


def _subtract(row: dict[int, Fraction], other: Mapping[int, Fraction], factor: Fraction) -> None:
    for key, value in other.items():
        left = row.get(key, Fraction(0)) - factor * value
        if left:
            row[key] = left
        else:
            row.pop(key, None)
