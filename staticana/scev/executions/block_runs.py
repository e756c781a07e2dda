"""In how many iterations of a loop control may come to a block, its own conditions aside.

An iteration that leaves the loop may have passed the block before: the test at the head of a loop
is made once more than the body runs.
"""

from __future__ import annotations

from ...expr import ONE, TooComplex, maximum, minimum, symbols
from ..bounded_count import BoundedCount, exactly, unknown
from ..context import FunctionContext
from ..unknowns import UnknownInfo


class BlockRuns:
    """Iterations in which blocks of one function are passed."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._runs: dict[tuple[str, str], BoundedCount] = {}
        self._passed: dict[tuple[str, str], frozenset[str]] = {}

    def runs(self, header: str, block: str) -> BoundedCount:
        """In how many iterations per entry control may reach `block`, its own conditions aside."""
        key = header, block
        if key not in self._runs:
            try:
                self._runs[key] = self._find_runs(header, block)
            except TooComplex:
                self._runs[key] = unknown("the formula would be too long")
        return self._runs[key]

    def _find_runs(self, header: str, block: str) -> BoundedCount:
        solution = self.view.trip_counts.solution(header)
        total = solution.iterations
        if total.formula is None:
            return total
        passed = [self._passes(header, limit.edge.source, block) for limit in solution.limits]
        if total.reason is not None:
            return self._runs_by_data(header, block, total, passed)
        bounds = [
            limit.at if beyond else limit.at + 1
            for limit, beyond in zip(solution.limits, passed, strict=True)
            if limit.at is not None
        ]
        if len(solution.limits) == 1 and bounds:
            return exactly(bounds[0], total.preconditions, total.notes)
        if all(
            beyond == limit.edge.is_test
            for limit, beyond in zip(solution.limits, passed, strict=True)
        ):
            return total
        return exactly(minimum(*bounds), total.preconditions, total.notes) if bounds else total

    def _runs_by_data(
        self, header: str, block: str, total: BoundedCount, passed: list[bool]
    ) -> BoundedCount:
        """As `runs`, for a loop whose number of iterations is a mean: the last test is made once
        more than the body."""
        limits = self.view.trip_counts.solution(header).limits
        tests = [beyond for limit, beyond in zip(limits, passed, strict=True) if limit.edge.is_test]
        others = [
            beyond for limit, beyond in zip(limits, passed, strict=True) if not limit.edge.is_test
        ]
        if all(tests) and not any(others):
            return total
        if not any(passed) and not others:
            return total.plus(exactly(ONE))
        view = self.view
        at = view.loops[header].at
        symbol = view.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(view.function.name, "passes", block, header),
                "mean",
                "t",
                f"mean executions of {view.place(view.function.blocks[block].instructions[0])} per"
                f" entry of the loop at {at}",
                at,
                view.function.name,
                view.loops[header].preheader or view.function.entry.name,
            )
        )
        # left by a break before it comes here, or by the test after it was here once more
        lower = maximum(0, total.lower - 1) if any(others) else total.lower
        upper = None if total.upper is None else total.upper + (0 if all(tests) else 1)
        return BoundedCount(symbol, lower, upper, total.preconditions, total.notes, total.reason)

    def _passes(self, header: str, source: str, block: str) -> bool:
        """Does control pass the exit in `source` before it reaches `block` in the same iteration?
        Does control pass the exit in `source` before it reaches `block` in the same iteration?"""
        return block not in (source, header) and block in self._behind(header, source)

    def _behind(self, header: str, source: str) -> frozenset[str]:
        """Blocks that control may come to after `source` before the next iteration, and those it
        leaves the loop to."""
        key = (header, source)
        if key not in self._passed:
            function, blocks = self.view.function, self.view.loops[header].blocks
            seen, work = {header, source}, [source]
            while work:
                for s in function.blocks[work.pop()].successors:
                    if s not in seen:
                        seen.add(s)
                        if s in blocks:
                            work.append(s)
            self._passed[key] = frozenset(seen)
        return self._passed[key]
