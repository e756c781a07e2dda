"""Lines that miss in runs that are too long to simulate as a whole.

Some iterations stand for the others of their loop: those of equal parts of its work, with all
remainders by the number of iterations that share a line. Each is simulated exactly, in caches that
hold what ran before it: since caches that hold the most recently used lines depend on the last
distinct lines only, so much of what ran last is run again that it fills the largest one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, gcd

import numpy as np
from numpy.typing import NDArray

from .access_tree import AccessNode, Guard, LoopNode, TreeNode
from .machine_code import LINE
from .run import Run
from .work import Values, Work

_SAMPLES = (12, 4, 3)
"""Samples of a loop, by the number of sampled loops around it."""
_GRID = 257
"""Iterations of a loop between which work is taken to grow evenly."""
_MOST_REMAINDERS = 16
"""Remainders of a period of which iterations are sampled one by one."""
_BLOCK = 64
"""Iterations of a sample at most."""
_PAST, _FURTHER, _FOUND = 16, 4, 0.9
"""Accesses before a sample that are run for each line of the largest cache; so many times more
where lines that miss may be from before, unless more than the last part of them stays so."""
_LONGEST, _ALL_PASTS = 32_000_000, 600_000_000
"""Accesses that are run before one sample, and before all of them, at most."""
_UNKNOWN = 0.01
"""Part of a sample's lines that matters."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """`missed` (references, kinds, capacities); `written`, `unknown`, `variance` (capacities):
    lines of which it is not known whether they were used before, and the variance of all that
    missed by sampling."""

    missed: NDArray[np.float64]
    written: NDArray[np.float64]
    unknown: NDArray[np.float64]
    variance: NDArray[np.float64]

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            self.missed + other.missed,
            self.written + other.written,
            self.unknown + other.unknown,
            self.variance + other.variance,
        )

    def __mul__(self, factor: float) -> Estimate:
        return Estimate(
            self.missed * factor,
            self.written * factor,
            self.unknown * factor,
            self.variance * factor**2,
        )

    @property
    def total(self) -> NDArray[np.float64]:
        """Lines that missed, by capacity."""
        found: NDArray[np.float64] = self.missed.sum(axis=(0, 1))
        return found


@dataclass(frozen=True, eq=False)
class _Past:
    """What ran before: parts of a body, and iterations below `high` of the first where it is the
    loop that is being sampled; before it `before`."""

    before: _Past | None
    values: Values
    parts: Sequence[TreeNode]
    high: int | None = None


@dataclass(frozen=True, eq=False)
class _Piece:
    node: TreeNode
    values: Values
    low: int = 0
    high: int = 1


class Sampler:
    """Estimates for one run. `needed`: lines of the largest cache that matters."""

    def __init__(self, run: Run, work: Work, needed: int) -> None:
        self.run, self.work, self.needed = run, work, needed
        self.spent = 0.0
        self.random = np.random.default_rng(1)
        stack = run.stack
        self.nothing = Estimate(
            np.zeros((*stack.missed.shape[:2], len(stack.capacities))),
            *(np.zeros(len(stack.capacities)) for _ in range(3)),
        )

    def total(self, accesses: float) -> Estimate:
        """The whole run; `accesses`: of all samples together, about."""
        return self._sequence(self.run.body, self.run.values, None, accesses, 0)

    def left(self) -> NDArray[np.float64]:
        """Written lines that are left in each cache at the end."""
        self._warm(_Past(None, self.run.values, self.run.body), _LONGEST)
        return self.run.dirty().astype(np.float64)

    def _sequence(
        self,
        parts: Sequence[TreeNode],
        values: Values,
        before: _Past | None,
        accesses: float,
        depth: int,
    ) -> Estimate:
        costs = [self.work.of(p, values) for p in parts]
        whole = sum(costs) or 1.0
        found = self.nothing
        for k, (part, cost) in enumerate(zip(parts, costs, strict=True)):
            past = _Past(before, values, parts[:k]) if k else before
            share = max(accesses * cost / whole, accesses / (4 * len(parts)))
            if not cost:
                continue
            if isinstance(part, LoopNode):
                found = found + self._loop(part, values, past, share, depth)
            elif isinstance(part, Guard) and cost > share:
                found = found + self._sequence(part.body, values, past, share, depth)
            else:
                found = found + self._window(_Piece(part, values), past)
        return found

    def _loop(
        self, loop: LoopNode, values: Values, before: _Past | None, accesses: float, depth: int
    ) -> Estimate:
        n = round(self.work.trips(loop, values))
        if self.work.iterations(loop, 0, n, values) <= accesses:
            return self._window(_Piece(loop, values, 0, n), before)
        number = _SAMPLES[min(depth, len(_SAMPLES) - 1)]
        each = accesses / number
        size, cycle = self._block(loop, n, values, each)
        number = max(number - number % cycle, cycle)

        def estimate(low: int, high: int) -> Estimate:
            past = _Past(before, values, (loop,), low) if low else before
            if high - low > 1 or self.work.iterations(loop, low, high, values) <= each:
                return self._window(_Piece(loop, values, low, high), past)
            return self._sequence(loop.body, {**values, loop.index: low}, past, each, depth + 1)

        if n <= (number + 1) * size:
            return sum((estimate(k, min(n, k + size)) for k in range(0, n, size)), self.nothing)
        grid = np.unique(np.linspace(size, n, _GRID).round())
        costs = [self._cost(loop, a, b, values) for a, b in pairwise(grid)]
        reached = np.concatenate(([0.0], np.cumsum(costs)))
        period = self._period(loop, values)
        remainders = _spread(cycle, period)
        share = 1.0  # of the iterations that the sample stands for, those that there are
        weight = reached[-1] / number
        rates: list[Estimate] = []
        for k in range(number):
            place = weight * (k + 0.25 + 0.5 * self.random.random())
            at = min(max(int(np.interp(place, reached, grid)) - size // 2, size), n - size)
            if cycle > 1:
                rest = remainders[k % cycle]
                at -= (at - rest) % period
                at += period if at < size else 0
                share = len(range(rest or period, n, period)) * period / (n - size)
            cost = self._cost(loop, at, at + size, values)
            rates.append(estimate(at, at + size) * (share / cost))
        found = sum((rate * weight for rate in rates), estimate(0, size))
        return replace(found, variance=found.variance + _between(rates, cycle) * weight**2)

    def _cost(self, loop: LoopNode, low: float, high: float, values: Values) -> float:
        return max(1.0, self.work.iterations(loop, float(low), float(high), values))

    def _block(self, loop: LoopNode, n: int, values: Values, each: float) -> tuple[int, int]:
        """(iterations of a sample, number of samples that begin at all places in a line): a sample
        has `each` accesses at most where that is possible."""
        period = self._period(loop, values)
        size = int(min(_BLOCK, each // self._cost(loop, n // 2, n // 2 + 1, values)))
        return (size - size % period, 1) if size >= period else (1, min(period, _MOST_REMAINDERS))

    def _period(self, loop: LoopNode, values: Values) -> int:
        """Iterations after which the addresses of references begin a new line."""
        steps = [self.work.step(access, loop, values) for access, _ in loop.accesses()]
        return max((ceil(LINE / int(s)) for s in steps if s and 1 <= s < LINE), default=1)

    def _window(self, piece: _Piece, before: _Past | None) -> Estimate:
        """A part of the run. More of what ran before it is run where its lines may be from there,
        as long as that finds some of them."""
        cost = float(_PAST * self.needed)
        last = np.inf
        while True:
            is_complete = self._warm(before, cost)
            found = self._counted(piece, is_complete)
            self.spent += cost
            unknown = float(found.unknown.max())
            is_known = (found.unknown <= _UNKNOWN * found.total).all() or unknown > _FOUND * last
            if is_known or cost >= _LONGEST or self.spent > _ALL_PASTS:
                return found
            cost, last = min(_FURTHER * cost, _LONGEST), unknown

    def _counted(self, piece: _Piece, is_complete: bool) -> Estimate:
        """Run a piece and count. is_complete: do the caches hold all that ran before it?"""
        stack = self.run.stack
        lines = int(stack.state.used)
        missed, written = stack.missed.copy(), stack.written.copy()
        self._run(piece)
        new = stack.missed - missed
        # a cache that the past did not fill may have held any of the lines that are new
        is_open = (stack.capacities > lines) & (not is_complete)
        unknown = np.where(is_open, new[:, :, 0].sum(), 0.0)
        leaving = (stack.written - written).astype(np.float64)
        return Estimate(from_bands(new), leaving, unknown, np.zeros(len(unknown)))

    def _run(self, piece: _Piece) -> None:
        self.run.set(piece.values)
        self.run.part(piece.node, piece.low, piece.high)

    # -- what ran before
    def _warm(self, past: _Past | None, cost: float) -> bool:
        """Fill the caches with what ran last and has this cost; is nothing missing?"""
        self.run.stack.clear()
        pieces = list(self._recent(past, cost))
        for piece in reversed(pieces):
            self._run(piece)
        # iterations before the last one may cost less than it
        return sum(map(self._of, pieces)) < cost / _FURTHER

    def _of(self, piece: _Piece) -> float:
        if isinstance(piece.node, LoopNode):
            return self._cost(piece.node, piece.low, piece.high, piece.values)
        return self.work.of(piece.node, piece.values)

    def _recent(self, past: _Past | None, cost: float) -> Iterator[_Piece]:
        """What ran last and has this cost together, the last piece first."""
        while past is not None and cost > 0:
            for piece in self._last(past, cost):
                yield piece
                cost -= self._of(piece)
            past = past.before

    def _last(self, past: _Past, cost: float) -> Iterator[_Piece]:
        for part in reversed(past.parts):
            if cost <= 0:
                return
            if isinstance(part, LoopNode):
                n = round(self.work.trips(part, past.values)) if past.high is None else past.high
                yield from self._last_iterations(part, past.values, n, cost)
                cost -= self._cost(part, 0, n, past.values)
            else:
                yield _Piece(part, past.values)
                cost -= self.work.of(part, past.values)

    def _last_iterations(
        self, loop: LoopNode, values: Values, high: int, cost: float
    ) -> Iterator[_Piece]:
        if high <= 0:
            return
        one = self._cost(loop, high - 1, high, values)
        has_loops = not all(isinstance(node, AccessNode) for node in loop.body)
        if one > 2 * cost and has_loops:
            inside = {**values, loop.index: high - 1}
            yield from self._last(_Past(None, inside, loop.body), cost)
        else:
            yield _Piece(loop, values, max(0, high - ceil(cost / one)), high)


def from_bands(missed: NDArray[np.int64]) -> NDArray[np.float64]:
    """(references, kinds, bands) to lines that miss each capacity: a line found in band b + 1 was
    outside the first b; one in band 0 was nowhere."""
    found = missed[:, :, :1] + np.cumsum(missed[:, :, :0:-1], axis=2)[:, :, ::-1][:, :, 1:]
    return found.astype(np.float64)


def _between(rates: Sequence[Estimate], cycle: int) -> NDArray[np.float64]:
    """Variance of the sum of samples by what they differ from their neighbours; those of a cycle
    count together, since they differ by design."""
    totals = np.array([rate.total for rate in rates])
    groups = totals.reshape(len(rates) // cycle, cycle, -1).sum(axis=1)
    steps = np.diff(groups, axis=0)
    found: NDArray[np.float64] = (np.abs(steps) ** 2).sum(axis=0) / 6
    return found


def _spread(number: int, period: int) -> list[int]:
    """`number` remainders by `period`, evenly spread, so ordered that neighbours differ."""
    step = max(1, round(number * 0.382))
    while gcd(step, number) != 1:
        step += 1
    return [k * step % number * period // number for k in range(number)]
