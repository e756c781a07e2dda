"""Which counters a function needs: the fewest from which all wanted counts follow by conservation
of flow.

What enters a block leaves it (Kirchhoff's law), so that most edge counts follow from others. Knuth
and Stevenson (Optimal measurement points for program frequency counts, BIT 13, 1973) count the
edges outside a spanning tree; Ball and Larus (Optimally profiling and tracing programs, TOPLAS 16,
1994) choose a tree that leaves the rarest edges to be counted.

Here only some counts are wanted: iterations and entries of loops, each a sum of edges of the
control flow graph. Two sums that agree on every cycle of the graph (with an edge from the
function's end back to its entry) are equal in every run, so a sum is represented by its values on
the cycles that the edges outside a spanning tree close. Linearly independent sums must be counted,
the others are combinations of them. Independent sets form a matroid, so the greedy choice, cheapest
first, gives the cheapest basis (Edmonds 1971).

At an abnormal exit (see `abnormal_exits`) the graph is cut: flow ends before it and begins anew
behind it, since a call may not return, or return twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from staticana.ir.loop_info import Loop
from staticana.ir.types import Function

from .abnormal_exits import AbnormalExits
from .own_counts import OwnCount

Edge = tuple[str, str]
ENTRY: Edge = ("", "")
"""The edge into the function; its count is the number of calls."""

Row = dict[int, Fraction]
"""A sparse vector: index -> value, zeros left out."""


@dataclass(frozen=True)
class EdgeCount:
    """How often some edges of a function are taken in all, less the edges `minus`.

    Attributes:
        loop: the header of the innermost loop in which they lie, None outside of loops.
        iterates: these are the iterations of that loop.
        times: what is counted each time.
        own: the program's variable that counts them.
    """

    edges: tuple[Edge, ...]
    loop: str | None
    minus: tuple[Edge, ...] = ()
    iterates: bool = False
    times: int = 1
    own: OwnCount | None = None


CALLS = EdgeCount((ENTRY,), None)


def iterations(function: Function, loop: Loop, reachable: Mapping[str, str]) -> EdgeCount:
    """Starts of the loop's body: the edges from its test into its body.

    Where the loop has no test in front of its body, each execution of the header starts an
    iteration; where test and body share blocks, so does each, less the exits by the test.
    """
    test = _test_blocks(function, loop)
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


def _test_blocks(function: Function, loop: Loop) -> set[str]:
    """The blocks of the loop's test, in which it is still open whether an iteration starts."""
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


def runs(
    function: Function, own: OwnCount, loop: str | None, reachable: Mapping[str, str]
) -> EdgeCount:
    """How often the block runs that a variable of the program counts."""
    sources = (p for p in function.predecessors[own.block] if p in reachable)
    edges = tuple((p, own.block) for p in sources)
    return EdgeCount(edges, loop, times=own.step, own=own)


class CycleSpace:
    """The control flow graph of a function with a spanning forest; turns sums over edges into
    vectors over its fundamental cycles."""

    def __init__(
        self, function: Function, abnormal: AbnormalExits, reachable: Mapping[str, str]
    ) -> None:
        self._ends: list[tuple[int, int]] = []  # edge -> nodes; node 0 is outside the function
        self._numbers: dict[Edge, int] = {}
        last: dict[str, int] = {}  # a block is several nodes where abnormal exits cut it
        first: dict[str, int] = {}
        nodes = 1
        blocks = [b for b in function.blocks.values() if b.name in reachable]
        for b in blocks:
            first[b.name] = last[b.name] = nodes
            nodes += 1
            for i in b.instructions[:-1]:
                if abnormal.may_leave(i):
                    self._ends += [(last[b.name], 0), (0, nodes)]
                    last[b.name] = nodes
                    nodes += 1
        self._add(ENTRY, 0, first[function.entry.name])
        for b in blocks:
            source = last[b.name]
            if not b.successors or abnormal.may_leave(b.terminator):
                self._ends.append((source, 0))
                source = 0
            for target in dict.fromkeys(b.successors):
                self._add((b.name, target), source, first[target])
        self._tree, self._chords = self._spanning_forest(nodes)

    def _add(self, edge: Edge, source: int, target: int) -> None:
        self._numbers[edge] = len(self._ends)
        self._ends.append((source, target))

    def _spanning_forest(self, nodes: int) -> tuple[list[tuple[int, int, int]], list[int]]:
        """The forest's edges as (edge, from, to), each behind the one that reaches its `from`; and
        the other edges, the chords."""
        at: list[list[int]] = [[] for _ in range(nodes)]
        for e, (u, v) in enumerate(self._ends):
            at[u].append(e)
            at[v].append(e)
        seen, order, inside = [False] * nodes, list[tuple[int, int, int]](), set[int]()
        for root in range(nodes):  # a loop that never ends is a component of its own
            if seen[root]:
                continue
            seen[root], work = True, [root]
            while work:
                u = work.pop()
                for e in at[u]:
                    v = self._ends[e][1] if self._ends[e][0] == u else self._ends[e][0]
                    if not seen[v]:
                        seen[v] = True
                        inside.add(e)
                        order.append((e, u, v))
                        work.append(v)
        return order, [e for e in range(len(self._ends)) if e not in inside]

    def vector(self, count: EdgeCount) -> Row:
        """The sum's value on the cycle that each chord closes, by chord.

        With a potential h for which h(v) - h(u) is the weight of each tree edge u -> v, the cycle
        of the chord u -> v has the value weight - h(v) + h(u).
        """
        weight = [0] * len(self._ends)
        for edge in count.edges:
            weight[self._numbers[edge]] += count.times
        for edge in count.minus:
            weight[self._numbers[edge]] -= count.times
        potential: dict[int, int] = {}
        for e, u, v in self._tree:
            change = weight[e] if self._ends[e] == (u, v) else -weight[e]
            potential[v] = potential.get(u, 0) + change
        found = {
            e: weight[e] - potential.get(self._ends[e][1], 0) + potential.get(self._ends[e][0], 0)
            for e in self._chords
        }
        return {e: Fraction(value) for e, value in found.items() if value}


@dataclass(frozen=True)
class Derivation:
    """Which counts are measured, and how all follow from them.

    Attributes:
        measured: indices of the measured counts.
        derived: for each count, measured count -> factor; the count is their sum.
    """

    measured: tuple[int, ...]
    derived: tuple[Mapping[int, Fraction], ...]


def choose_counters(
    cycles: CycleSpace,
    counts: Sequence[EdgeCount],
    costs: Sequence[int],
    *,
    free: Iterable[int] = (),
    unwanted: Iterable[int] = (),
) -> Derivation:
    """Choose the cheapest counts to measure, by Gaussian elimination in the order of their costs.

    Args:
        free: counts that are measured in any case, by index.
        unwanted: counts that nobody asks for.
    """
    given, left_out = tuple(free), set(unwanted)
    order = [
        *given,
        *sorted(
            (k for k in range(len(counts)) if k not in given and k not in left_out),
            key=lambda k: (costs[k], k),
        ),
    ]
    basis: list[tuple[int, Row, Row]] = []  # pivot, row, the row as a sum of measured counts
    measured: list[int] = []
    derived: dict[int, Mapping[int, Fraction]] = {}
    for k in order:
        row, parts = cycles.vector(counts[k]), Row()
        for pivot, known, of in basis:
            if pivot in row:
                factor = row[pivot] / known[pivot]
                _subtract(row, known, factor)
                _subtract(parts, of, -factor)
        if row:  # independent of the counts chosen so far
            measured.append(k)
            derived[k] = {k: Fraction(1)}
            _subtract(parts, {k: Fraction(1)}, Fraction(1))
            basis.append((next(iter(row)), row, {m: -f for m, f in parts.items()}))
        else:
            derived[k] = parts
    return Derivation(tuple(measured), tuple(derived.get(k, {}) for k in range(len(counts))))


def _subtract(row: Row, other: Mapping[int, Fraction], factor: Fraction) -> None:
    """row -= factor * other, in place."""
    for key, value in other.items():
        left = row.get(key, Fraction(0)) - factor * value
        if left:
            row[key] = left
        else:
            row.pop(key, None)
