"""Lines that miss, by running a nest's accesses through a stack of lines at given values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..expr import Number
from .access_tree import AccessNode, AccessTree, Guard, LoopNode, TreeNode
from .distinct_lines import distinct
from .evaluation import Evaluation, Lines, LoopLines
from .lru_stack import KINDS
from .machine_code import FRACTION, LINE, Code, Plan, compiled, planned
from .refusal import Refused
from .run import Run
from .sampling import Sampler, from_bands
from .work import Work

DEVIATIONS = 2.0
"""Standard deviations of sampling that bounds allow for."""
SMALLER, LARGER = 0.8, 1.25
"""Capacities beside the one asked for, which show a change of regime nearby."""
ACCESSES = 150_000_000
"""Accesses that are simulated one by one; 2 to 10 ns each."""
SAMPLED = 60_000_000
"""Accesses that all samples of a longer run may take together, about."""


@dataclass(frozen=True, eq=False)
class Totals:
    """What a simulation counted: `missed` (references, kinds, capacities), `written`, `low` and
    `high` (capacities; bounds of the lines that miss), `counts` of loops and guards, `footprint` in
    lines."""

    missed: NDArray[np.float64]
    written: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    counts: Mapping[TreeNode, float]
    footprint: float
    method: str


class Simulator:
    """Simulations of one nest; its code is made when it is first needed.

    accesses: how many are simulated one by one; sampled: how many in longer runs.
    """

    def __init__(
        self,
        tree: AccessTree,
        parameters: Sequence[str],
        accesses: float = ACCESSES,
        sampled: float = SAMPLED,
    ) -> None:
        self.tree, self.parameters = tree, tuple(parameters)
        self.accesses, self.sampled = accesses, sampled
        self.plan = planned(tree.body, self.parameters)

    @cached_property
    def code(self) -> Code:
        return compiled(self.tree.body, self.plan)

    def evaluate(self, capacities: Sequence[int], values: Mapping[str, Number]) -> Evaluation:
        """All results for capacities in bytes.

        Raises:
            Refused: a parameter has no value, a formula is not evaluated, or there is too much to
                simulate.
        """
        fractions = self.tree.fractions - values.keys()
        missing = [p for p in self.parameters if p not in values and p not in fractions]
        if missing:
            raise Refused(f"the law needs a value for {', '.join(missing)}")
        strange = [
            p
            for p in self.parameters
            if p in values and p not in self.tree.fractions and int(values[p]) != values[p]
        ]
        if strange:
            raise Refused(f"{strange[0]} must be an integer")
        given = {
            p: int(values[p] * FRACTION) if p in self.tree.fractions else int(values[p])
            for p in self.parameters
            if p in values
        }
        middle = self._at(capacities, given | dict.fromkeys(fractions, FRACTION // 2))
        if not fractions:
            return middle
        ends = [self._at(capacities, given | dict.fromkeys(fractions, f)) for f in (0, FRACTION)]
        return _between(middle, ends, self.tree.unknowns[min(fractions)])

    def _at(self, capacities: Sequence[int], at: Mapping[str, int]) -> Evaluation:
        sizes = {c: max(2, c // LINE) for c in capacities}
        lines = sorted(
            {max(2, round(s * f)) for s in sizes.values() for f in (SMALLER, 1.0, LARGER)}
        )
        run = Run(self.tree.body, self.plan, self.code, lines, at)
        work = Work(self.tree.body, at)
        is_short = work.sequence(self.tree.body, at) <= self.accesses
        totals = self._exact(run) if is_short else self._sampled(run, work)
        return _results(self.tree, self.plan, totals, [(c, sizes[c]) for c in capacities], lines)

    def _exact(self, run: Run) -> Totals:
        for node in self.tree.body:
            n = int(node.trips.evaluate(run.values)) if isinstance(node, LoopNode) else 1
            run.part(node, 0, n)
        missed = from_bands(run.stack.missed)
        total = missed.sum(axis=(0, 1))
        return Totals(
            missed,
            (run.stack.written + run.dirty()).astype(np.float64),
            total,
            total,
            {n: float(run.stack.counts[at]) for n, at in self.plan.counters.items()},
            float(run.stack.missed[:, :, 0].sum()),
            "simulated",
        )

    def _sampled(self, run: Run, work: Work) -> Totals:
        """An estimate; a cache that holds everything misses each line once."""
        capacities = run.stack.capacities
        lines, stored, is_counted = distinct(self.tree.body, run.values)
        held = capacities >= lines
        least = lines if is_counted else 0.0
        sampler = Sampler(run, work, int(capacities[~held].max(initial=2)))
        found = sampler.total(self.sampled)
        total = found.total
        error = DEVIATIONS * np.sqrt(found.variance)
        factor = np.where(held & (total > 0), lines / np.where(total > 0, total, 1.0), 1.0)
        return Totals(
            found.missed * factor,
            np.where(held, stored, found.written + sampler.left()),
            np.where(held, least, np.clip(total - found.unknown - error, least, None)),
            np.where(held, lines, np.maximum(total + error, least)),
            work.executions(self.tree.body, run.values),
            lines,
            "sampled",
        )


def _results(
    tree: AccessTree,
    plan: Plan,
    totals: Totals,
    wanted: Sequence[tuple[int, int]],
    lines: Sequence[int],
) -> Evaluation:
    sums = totals.missed.sum(axis=(0, 1))
    guesses = {
        k: r.at
        for r, k in plan.references.items()
        if r.place.spread is not None and r.place.spread.is_guess
    }

    def level(rows: Sequence[int], capacity: int, size: int, written: float) -> Lines:
        at = [lines.index(max(2, round(size * f))) for f in (SMALLER, 1.0, LARGER)]
        found = totals.missed[list(rows)].sum(axis=0) if rows else np.zeros((KINDS, len(lines)))
        kinds = [float(found[k, at[1]]) for k in range(KINDS)]
        smaller, larger = (float(found[:, at[k]].sum()) for k in (0, 2))
        total = sum(kinds)
        share = total / sums[at[1]] if sums[at[1]] else 0.0
        low, high = (float(e[at[1]]) * share for e in (totals.low, totals.high))
        reason = "" if totals.method == "simulated" else "a part of the iterations stands for all"
        unsure = [r for r in rows if r in guesses]
        if unsure:
            low = max(0.0, low - float(totals.missed[unsure, :, at[1]].sum()))
            reason = f"data decide where the access at {guesses[unsure[0]]} goes next"
        return Lines(
            capacity, kinds[0], kinds[1], kinds[2], written, low, high, smaller, larger, reason
        )

    everything = range(totals.missed.shape[0])
    levels = tuple(
        level(everything, c, s, float(totals.written[lines.index(s)])) for c, s in wanted
    )
    loops = []
    for loop, depth, own, times in _bodies(tree.body, totals):
        rows = [plan.references[r] for r, _ in own]
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
    return Evaluation(levels, _merged(loops), totals.footprint, totals.method)


def _between(middle: Evaluation, ends: Sequence[Evaluation], what: str) -> Evaluation:
    """Results where a fraction is not known: those of one half, between those of none and all."""
    levels = tuple(
        replace(
            level,
            low=min(level.low, *(e.levels[k].low for e in ends)),
            high=max(level.high, *(e.levels[k].high for e in ends)),
            reason=f"it depends on the {what}",
        )
        for k, level in enumerate(middle.levels)
    )
    return replace(middle, levels=levels)


def _merged(loops: Sequence[LoopLines]) -> tuple[LoopLines, ...]:
    """Loops of the source: what several calls run is added up."""
    found: dict[tuple[str, str, int], LoopLines] = {}
    for loop in loops:
        key = (loop.at, loop.function, loop.depth)
        known = found.get(key)
        found[key] = loop if known is None else known + loop
    return tuple(found.values())


def _bodies(
    body: Sequence[TreeNode], totals: Totals, loop: LoopNode | None = None, depth: int = 0
) -> Iterator[tuple[LoopNode | None, int, list[tuple[AccessNode, float]], float]]:
    """(loop, depth, its own references with how often each runs, iterations), outer before
    inner."""
    times = 1.0 if loop is None else totals.counts[loop]
    own: list[tuple[AccessNode, float]] = []
    inner: list[LoopNode] = []

    def visit(nodes: Sequence[TreeNode], often: float) -> None:
        for node in nodes:
            if isinstance(node, AccessNode):
                own.append((node, often))
            elif isinstance(node, Guard):
                visit(node.body, totals.counts[node])
            else:
                inner.append(node)

    visit(body, times)
    if loop is not None or own:
        yield loop, depth, own, times
    for child in inner:
        yield from _bodies(child.body, totals, child, depth + 1)
