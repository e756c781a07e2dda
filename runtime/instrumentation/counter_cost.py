"""The predicted cost of counters, kernel by kernel, and the choice of kernels to leave out so that
the total stays below a bound.

How often a block runs follows from the iterations of loops along the loop call graph: those that a
first run has counted, or else the same guess for every loop. A block that some iterations skip
counts half. The program's instructions are those of its blocks in the IR. Counters cost what
`instrument` inserts: in a loop with an induction variable only a few instructions at its ends, one
for each change where they are in a register, more where they are in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from staticana.ir.graph import callee
from staticana.ir.loop_info import LoopForest, loop_forest
from staticana.ir.types import Function, Module

from .abnormal_exits import is_emitted
from .counter_plan import Plan
from .instrument import counters_in
from .kernels import Kernel, LoopKey

GUESSED_ITERATIONS = 32.0
"""Of each loop, where nothing was counted yet: an inner loop then outweighs what is around it."""

# Estimated machine instructions:
_IN_MEMORY = 5.0
"""One change of a counter in memory, its address included."""
_IN_REGISTER = 1.0
"""One change of a counter in a register."""
_AT_AN_END = 2.0
"""Following an induction variable, at one end of its loop."""
_FLUSH = 3.0
"""Adding a register to memory when a region is left."""
_TURN = 4.0
"""Counting down to the next time stamp at a call of a timed function."""
_CALL = 40.0
"""Recording a call of a kernel."""
_MACHINE = 0.6
"""For one instruction of the IR before it is optimised: addresses and conversions fold away."""
_FREE = frozenset(
    ("phi", "alloca", "getelementptr", "sext", "zext", "trunc", "bitcast", "unreachable")
)

Executed = Mapping[LoopKey, tuple[float, float]]
"""Loop -> its entries and iterations in a run."""


@dataclass(frozen=True)
class Costs:
    """Predicted instructions: of the program, and of the counters of each kernel, by its index."""

    program: float
    kernels: Mapping[int, float]


@dataclass(frozen=True)
class LeftOut:
    """A kernel that is not instrumented; its counters would cost `overhead` times the program's
    instructions."""

    kernel: Kernel
    overhead: float


class Executions:
    """How often the blocks of a program run, by counts of a first run or by guesses."""

    def __init__(self, module: Module, counted: Executed | None = None) -> None:
        self._module, self._counted = module, counted or {}
        self._functions = [f for f in module.functions.values() if is_emitted(f)]
        self._forests = {f.name: loop_forest(f, module) for f in self._functions}
        self._loops: dict[LoopKey, tuple[float, float]] = {}
        self._calls = dict.fromkeys(self._forests, 0.0)
        self._blocks: dict[tuple[str, str], float] = {}
        for f in self._from_callers():
            self._visit(f)

    def _from_callers(self) -> list[Function]:
        """Functions, callers before callees; mutually recursive ones in any order."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self._forests)
        graph.add_edges_from((f.name, name) for f in self._functions for _, name in self._called(f))
        parts = nx.condensation(graph)
        for name in self._forests:
            if graph.in_degree(name) == 0 or name == "main":
                self._calls[name] = 1.0
        return [
            self._module.functions[name]
            for part in nx.topological_sort(parts)
            for name in sorted(parts.nodes[part]["members"])
        ]

    def _called(self, f: Function) -> list[tuple[str, str]]:
        """(block, callee) for each call of a function of the module."""
        return [
            (b.name, name)
            for b in f.blocks.values()
            for i in b.instructions
            if (name := callee(i) or "") in self._forests
        ]

    def _visit(self, f: Function) -> None:
        forest = self._forests[f.name]
        known = [
            self._counted[f.name, loop.header][0]
            for loop in forest.loops
            if loop.parent is None and (f.name, loop.header) in self._counted
        ]
        calls = self._calls[f.name] = max([self._calls[f.name], *known])
        for loop in forest.loops:
            around = calls if loop.parent is None else self._loops[f.name, loop.parent][1]
            self._loops[f.name, loop.header] = self._counted.get(
                (f.name, loop.header), (around, around * GUESSED_ITERATIONS)
            )
        for name in f.blocks:
            self._blocks[f.name, name] = self._block(f, forest, name)
        for block, called in self._called(f):
            self._calls[called] += self._blocks[f.name, block]

    def _block(self, f: Function, forest: LoopForest, block: str) -> float:
        header = forest.innermost.get(block)
        if block not in forest.dominator:
            return 0.0
        if header is None:
            return self._calls[f.name]
        loop = forest.by_header()[header]
        entries, iterations = self._loops[f.name, header]
        if block == header:
            return entries + iterations
        return (
            iterations
            if all(forest.dominates(block, latch) for latch in loop.latches)
            else iterations / 2
        )

    def calls(self, function: str) -> float:
        """Calls of a function."""
        return self._calls[function]

    def loop(self, key: LoopKey) -> tuple[float, float]:
        """Entries and iterations of a loop."""
        return self._loops[key]

    def edge(self, function: str, source: str, target: str) -> float:
        """An upper bound on how often an edge is taken; ("", "") leads into the function."""
        return (
            self.calls(function)
            if not target
            else min(self._blocks[function, source], self._blocks[function, target])
        )

    @cached_property
    def instructions(self) -> float:
        """Instructions of the whole run, without those of libraries."""
        return _MACHINE * sum(
            self._blocks[f.name, b.name] * sum(i.opcode not in _FREE for i in b.instructions)
            for f in self._functions
            for b in f.blocks.values()
        )


def predicted(
    module: Module, plan: Plan, kernels: Mapping[LoopKey, int], executions: Executions
) -> Costs:
    """The cost of a plan's counters; `kernels`: loop -> index of its kernel."""
    found: dict[int, float] = {}
    timed: set[str] = set()
    for c in plan.counters:
        kernel, own = kernels[c.function, c.header], 0.0
        if c.nesting == 1 and plan.timed and c.function not in timed:
            timed.add(c.function)
            own += _TURN * executions.calls(c.function)
        if c.nesting == 1 and plan.calls:
            own += _CALL * executions.loop((c.function, c.header))[0]
        found[kernel] = found.get(kernel, 0.0) + own
    for counter in counters_in(module, plan):
        key = (counter.function, counter.header)
        changes = sum(executions.edge(counter.function, *e) for e in counter.edges)
        cost = (
            _IN_MEMORY * changes
            if counter.region is None
            else _FLUSH * executions.loop((counter.function, counter.region))[0]
            + (
                2 * _AT_AN_END * executions.loop(key)[0]
                if counter.follows
                else _IN_REGISTER * changes
            )
        )
        found[kernels[key]] = found.get(kernels[key], 0.0) + cost
    return Costs(executions.instructions, found)


def affordable(
    module: Module,
    kernels: Sequence[Kernel],
    plan_of: Callable[[Sequence[Kernel]], Plan],
    most: float,
    counted: Executed | None = None,
) -> tuple[tuple[Kernel, ...], tuple[LeftOut, ...]]:
    """The kernels that can be counted at an overhead of at most `most`, and those that are left
    out, the most expensive first.

    Args:
        plan_of: the plan for some kernels.
        counted: entries and iterations in a first run; without it, every loop is taken to have
            GUESSED_ITERATIONS.
    """
    executions = Executions(module, counted)
    kept, left = list(kernels), list[LeftOut]()
    while kept:
        costs = predicted(
            module,
            plan_of(kept),
            {key: k for k, kernel in enumerate(kept) for key in kernel.loops},
            executions,
        )
        share = (
            {k: cost / costs.program for k, cost in costs.kernels.items()} if costs.program else {}
        )
        total = sum(share.values())
        by_cost = sorted(share, key=lambda k: -share[k])
        dropped: set[int] = set()
        while total > most and by_cost:
            k = by_cost.pop(0)
            total -= share[k]
            dropped.add(k)
            left.append(LeftOut(kept[k], share[k]))
        kept = [kernel for k, kernel in enumerate(kept) if k not in dropped]
        if not dropped:
            break
    return tuple(kept), tuple(left)
