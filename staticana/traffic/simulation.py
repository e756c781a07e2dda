"""Lines that miss, by running a nest's accesses through a stack of lines at given values."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..expr import Number
from .evaluation import Evaluation, Lines, LoopLines
from .extents import extents
from .lru_stack import KINDS, MAX_LINES, Stack
from .machine_code import LINE, LINE_BITS, Code, compiled, object_slot
from .references import Guard, LoopNode, Nest, Node, Reference
from .refusal import Refused

SMALLER, LARGER = 0.8, 1.25
"""Capacities beside the one asked for, which show a change of regime nearby."""
BUDGET = 400_000_000
"""Accesses that are simulated; 2 to 10 ns each."""


@dataclass(frozen=True, eq=False)
class Totals:
    """What a simulation counted: `missed` (references, kinds, capacities), `written` and `left`
    (capacities), `counts` by loop and guard, `footprint` in lines."""

    missed: NDArray[np.float64]
    written: NDArray[np.float64]
    counts: NDArray[np.float64]
    footprint: float


class Simulator:
    """Simulations of one nest; its code is made when it is first needed."""

    def __init__(self, nest: Nest, parameters: Sequence[str]) -> None:
        self.nest, self.parameters = nest, tuple(parameters)

    @cached_property
    def code(self) -> Code:
        return compiled(self.nest.body, self.parameters)

    def evaluate(self, capacities: Sequence[int], values: Mapping[str, Number]) -> Evaluation:
        """All results for capacities in bytes.

        Raises:
            Refused: a parameter has no value, a formula is not evaluated, or there is too much to
                simulate.
        """
        missing = [p for p in self.parameters if p not in values]
        if missing:
            raise Refused(f"the law needs a value for {', '.join(missing)}")
        sizes = {c: max(2, c // LINE) for c in capacities}
        lines = sorted(
            {max(2, round(s * f)) for s in sizes.values() for f in (SMALLER, 1.0, LARGER)}
        )
        totals = self._exact(lines, {p: int(values[p]) for p in self.parameters})
        return _results(self.nest, self.code, totals, [(c, sizes[c]) for c in capacities], lines)

    def _exact(self, lines: Sequence[int], values: Mapping[str, int]) -> Totals:
        code = self.code
        bases, span = self._layout(values)
        stack = Stack(lines, span, len(code.references), len(code.counters))
        environment = np.zeros(len(code.slots), dtype=np.int64)
        for name, value in {**values, **bases}.items():
            if name in code.slots:
                environment[code.slots[name]] = value
        stack.state.budget = BUDGET
        state = ctypes.addressof(stack.state)
        for node in self.nest.body:
            if isinstance(node, LoopNode):
                n = int(node.trips.evaluate(values))
                code.loops[node](state, environment.ctypes.data, 0, n)
            else:
                code.once[node](state, environment.ctypes.data, 0, 0)
            if stack.state.budget < 0:
                raise Refused("there are too many accesses to simulate")
        if stack.state.outside:
            raise Refused("an address lies outside the range that was expected")
        left = np.zeros(len(lines), dtype=np.int64)
        code.dirty(state, left.ctypes.data)
        return Totals(
            _from_bands(stack.missed),
            (stack.written + left).astype(np.float64),
            stack.counts.astype(np.float64),
            float(stack.missed[:, :, 0].sum()),
        )

    def _layout(self, values: Mapping[str, int]) -> tuple[dict[str, int], int]:
        """First line of each object, and the number of lines in all."""
        bases: dict[str, int] = {}
        at = 0
        for key, (low, high) in extents(self.nest.body, values).items():
            first, last = low >> LINE_BITS, high >> LINE_BITS
            bases[object_slot(key)] = at - first
            at += last - first + 2
        if at > MAX_LINES:
            raise Refused("the program touches more memory than can be simulated")
        return bases, max(at, 1)


def _from_bands(missed: NDArray[np.int64]) -> NDArray[np.float64]:
    """(references, kinds, bands) to lines that miss each capacity: a line found in band b + 1 was
    outside the first b; one in band 0 was nowhere."""
    found = missed[:, :, :1] + np.cumsum(missed[:, :, :0:-1], axis=2)[:, :, ::-1][:, :, 1:]
    return found.astype(np.float64)


def _results(
    nest: Nest, code: Code, totals: Totals, wanted: Sequence[tuple[int, int]], lines: Sequence[int]
) -> Evaluation:
    def level(rows: Sequence[int], capacity: int, size: int, written: float) -> Lines:
        at = [lines.index(max(2, round(size * f))) for f in (SMALLER, 1.0, LARGER)]
        found = totals.missed[list(rows)].sum(axis=0) if rows else np.zeros((KINDS, len(lines)))
        kinds = [float(found[k, at[1]]) for k in range(KINDS)]
        smaller, larger = (float(found[:, at[k]].sum()) for k in (0, 2))
        total = sum(kinds)
        return Lines(capacity, kinds[0], kinds[1], kinds[2], written, total, total, smaller, larger)

    everything = range(totals.missed.shape[0])
    levels = tuple(
        level(everything, c, s, float(totals.written[lines.index(s)])) for c, s in wanted
    )
    loops = []
    for loop, depth, own, times in _bodies(nest.body, totals, code):
        rows = [code.references[r] for r, _ in own]
        loops.append(
            LoopLines(
                loop.at if loop else "",
                loop.function if loop else "",
                depth,
                times,
                sum(n for r, n in own if not r.is_store),
                sum(n for r, n in own if r.is_store),
                tuple(level(rows, c, s, 0.0) for c, s in wanted),
            )
        )
    return Evaluation(levels, tuple(loops), totals.footprint, "simulated")


def _bodies(
    body: Sequence[Node], totals: Totals, code: Code, loop: LoopNode | None = None, depth: int = 0
) -> Iterator[tuple[LoopNode | None, int, list[tuple[Reference, float]], float]]:
    """(loop, depth, its own references with how often each runs, iterations), outer before
    inner."""
    times = 1.0 if loop is None else float(totals.counts[code.counters[loop]])
    own: list[tuple[Reference, float]] = []
    inner: list[LoopNode] = []

    def visit(nodes: Sequence[Node], often: float) -> None:
        for node in nodes:
            if isinstance(node, Reference):
                own.append((node, often))
            elif isinstance(node, Guard):
                visit(node.body, float(totals.counts[code.counters[node]]))
            else:
                inner.append(node)

    visit(body, times)
    if loop is not None or own:
        yield loop, depth, own, times
    for child in inner:
        yield from _bodies(child.body, totals, code, child, depth + 1)
