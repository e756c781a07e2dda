"""Lines that miss in runs that are too long to simulate as a whole.

Some iterations stand for the others of their loop: those of equal parts of its work, with all
remainders by the number of iterations that share a line. Each is simulated exactly, in caches that
hold what ran before it. Since caches that hold the most recently used lines depend on the last
distinct lines only, as many as the largest cache has are found by going backwards and are touched
again in the order of the program; what lies far back is replayed (`replay_code`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .access_tree import AccessNode, Guard, LoopNode, TreeNode
from .machine_code import LINE, Code
from .run import Run
from .work import Work

_SAMPLES = (6, 3, 3)
"""Samples of a loop, by the number of sampled loops around it."""
_REFINEMENTS, _PRECISION = (24, 3, 0), 0.01
"""Strata of a loop are divided so many times at most, by the number of sampled loops around it,
until their error is this part of the lines."""
_GRID = 257
"""Iterations of a loop between which work is taken to grow evenly."""
_MOST_REMAINDERS = 16
_BLOCK = 64
"""Iterations of a sample at most."""
_PART, _LEAST = 16, 256
"""What is replayed as one piece brings this part, at most, of the lines used since; in the
beginning, of so many lines."""
_RECENT = 8
"""A window's recent past is run in full up to this part of the window's accesses."""
_REPLAY, _LONG_REPLAY = 8_000_000, 64_000_000
"""Touches that the past of one sample may take; where it lacks lines that matter."""
_REPLAYS = 400_000_000
"""Touches after which strata are not divided any more."""
_UNKNOWN = 0.01
"""Part of a sample's lines that matters."""
_FOOTPRINT = 200_000_000
"""Touches that counting the distinct lines may take."""

Values = Mapping[str, int]


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


class _Past:
    """What ran before: a loop's iterations below `high`, or parts of a body; the last first."""

    __slots__ = ("before", "high", "loop", "parts", "values")

    def __init__(
        self,
        before: _Past | None,
        values: Values,
        *,
        loop: LoopNode | None = None,
        high: int = 0,
        parts: Sequence[TreeNode] = (),
    ) -> None:
        self.before, self.values, self.loop, self.high, self.parts = (
            before,
            values,
            loop,
            high,
            parts,
        )


@dataclass(frozen=True, eq=False)
class _Piece:
    node: TreeNode
    values: Values
    low: int
    high: int


@dataclass(frozen=True)
class _Stratum:
    """A part of a loop's work, low .. high, with an estimate for each unit of it, and whether all
    of it was run."""

    low: float
    high: float
    estimate: Estimate
    is_complete: bool = False


class _Scale:
    """A loop's iterations from `first` on, by the work that is done before them."""

    def __init__(self, work: Work, loop: LoopNode, values: Values, first: int, n: int) -> None:
        self.work, self.loop, self.values = work, loop, values
        self.grid = np.unique(np.linspace(first, n, _GRID).round())
        costs = [self.cost(a, b) for a, b in zip(self.grid[:-1], self.grid[1:], strict=True)]
        self.reached = np.concatenate(([0.0], np.cumsum(costs)))
        self.total = float(self.reached[-1])

    def cost(self, low: float, high: float) -> float:
        return max(1.0, self.work.iterations(self.loop, float(low), float(high), self.values))

    def iteration(self, work: float) -> int:
        return int(np.interp(work, self.reached, self.grid))


class Sampler:
    """Estimates for one run. `needed`: lines of the largest cache that matters."""

    def __init__(self, run: Run, replay: Code, work: Work, needed: int) -> None:
        self.run, self.replay, self.work, self.needed = run, replay, work, needed
        self.touched = 0.0
        self.random = np.random.default_rng(1)
        stack = run.stack
        self.nothing = Estimate(
            np.zeros((*stack.missed.shape[:2], len(stack.capacities))),
            *(np.zeros(len(stack.capacities)) for _ in range(3)),
        )

    def footprint(self) -> tuple[float, float] | None:
        """Distinct lines of the whole run, and those of them that are written; None where counting
        them takes too long."""
        pieces = [
            _Piece(p, self.run.values, 0, round(self.work.trips(p, self.run.values)))
            if isinstance(p, LoopNode)
            else _Piece(p, self.run.values, 0, 1)
            for p in self.run.body
        ]
        if sum(map(self._touches, pieces)) > _FOOTPRINT:
            return None
        self.run.stack.clear()
        for piece in pieces:
            self._again(piece, not isinstance(piece.node, LoopNode))
        return float(self.run.stack.state.used), float(self.run.written_lines())

    def left(self) -> NDArray[np.float64]:
        """Written lines that are left in each cache at the end."""
        end = _Past(None, self.run.values, parts=self.run.body)
        self._warm(_Piece(self.run.body[-1], self.run.values, 0, 0), end, _LONG_REPLAY)
        return self.run.dirty().astype(np.float64)

    def total(self, accesses: float) -> Estimate:
        """The whole run; `accesses`: of all samples together, about."""
        return self._sequence(self.run.body, {**self.run.values}, None, accesses, 0)

    # -- forwards
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
            if not cost:
                continue
            past = _Past(before, values, parts=parts[:k]) if k else before
            share = max(accesses * cost / whole, accesses / (4 * len(parts)))
            if isinstance(part, LoopNode):
                found = found + self._loop(part, values, past, share, depth)
            elif isinstance(part, Guard) and cost > share:
                found = found + self._sequence(part.body, values, past, share, depth)
            else:
                found = found + self._window(_Piece(part, values, 0, 1), past)
        return found

    def _loop(
        self, loop: LoopNode, values: Values, before: _Past | None, accesses: float, depth: int
    ) -> Estimate:
        n = round(self.work.trips(loop, values))
        if n <= 0:
            return self.nothing
        cost = self.work.iterations(loop, 0, n, values)
        if cost <= accesses:
            return self._window(_Piece(loop, values, 0, n), before)
        number = _SAMPLES[min(depth, len(_SAMPLES) - 1)]
        each = accesses / number
        size, cycle = self._block(loop, n, values, each)
        number = max(number - number % cycle, cycle)

        def estimate(low: int, high: int) -> Estimate:
            past = _Past(before, values, loop=loop, high=low) if low else before
            if high - low > 1 or self.work.iterations(loop, low, high, values) <= each:
                return self._window(_Piece(loop, values, low, high), past)
            inside = {**values, loop.index: low}
            return self._sequence(loop.body, inside, past, each, depth + 1)

        if n <= (number + 1) * size:
            return sum((estimate(k, min(n, k + size)) for k in range(0, n, size)), self.nothing)
        scale = _Scale(self.work, loop, values, size, n)
        period = self._period(loop, values)
        remainders = _spread(cycle, period) if cycle > 1 else ()

        def part(low: float, high: float, number: int) -> _Stratum:
            first, end = scale.iteration(low), scale.iteration(high)
            if end - first <= size:
                end = min(n, max(end, first + 1))
                found = estimate(first, end)
                return _Stratum(low, high, found * (1 / scale.cost(first, end)), True)
            share = 0.25 + 0.5 * self.random.random()
            at = scale.iteration(low + (high - low) * share) - size // 2
            if remainders:
                at += remainders[number % cycle] - at % period
            at = min(max(at, first), end - size)
            found = estimate(at, at + size)
            return _Stratum(low, high, found * (1 / scale.cost(at, at + size)))

        goals = np.linspace(0, scale.total, number + 1)
        strata = [part(goals[k], goals[k + 1], k) for k in range(number)]
        if cycle == 1:
            self._refine(strata, part, _REFINEMENTS[min(depth, len(_REFINEMENTS) - 1)])
        found = sum((s.estimate * (s.high - s.low) for s in strata), estimate(0, size))
        return replace(found, variance=found.variance + _between(strata, cycle))

    def _refine(
        self, strata: list[_Stratum], part: Callable[[float, float, int], _Stratum], number: int
    ) -> None:
        """Divide the strata that decide about the error, `number` times at most."""
        for _ in range(number):
            total = sum(s.estimate.total * (s.high - s.low) for s in strata)
            errors = _errors(strata) / np.maximum(total, 1.0)
            is_close = np.sqrt((errors**2).sum(axis=0)).max() < _PRECISION
            if is_close or self.touched > _REPLAYS:
                return
            worst = int(errors.max(axis=1).argmax())
            low, high = strata[worst].low, strata[worst].high
            middle = (low + high) / 2
            strata[worst : worst + 1] = [part(low, middle, 0), part(middle, high, 0)]

    def _block(self, loop: LoopNode, n: int, values: Values, each: float) -> tuple[int, int]:
        """(iterations of a sample, number of samples that begin at all places in a line): a sample
        has `each` accesses at most where that is possible."""
        period = self._period(loop, values)
        middle = self.work.iterations(loop, n // 2, n // 2 + 1, values) or 1.0
        size = int(min(_BLOCK, each // max(1.0, middle)))
        if size >= period:
            return size - size % period, 1
        return 1, min(period, _MOST_REMAINDERS)

    def _period(self, loop: LoopNode, values: Values) -> int:
        """Iterations after which the addresses of references begin a new line."""
        found = 1
        for reference, _ in loop.accesses():
            step = self.work.step(reference, loop, values)
            if step and step < LINE:
                found = max(found, -(-LINE // int(step)))
        return found

    # -- one window
    def _window(self, piece: _Piece, before: _Past | None) -> Estimate:
        found = self._attempt(piece, before, _REPLAY)
        if found.unknown.any() and (found.unknown > _UNKNOWN * found.total).any():
            found = self._attempt(piece, before, _LONG_REPLAY)
        return found

    def _attempt(self, piece: _Piece, before: _Past | None, touches: float) -> Estimate:
        stack = self.run.stack
        is_complete = self._warm(piece, before, touches)
        lines = int(stack.state.used)
        missed, written = stack.missed.copy(), stack.written.copy()
        self._run(piece)
        new = stack.missed - missed
        found = from_bands(new)
        unknown = np.zeros(len(stack.capacities))
        if not is_complete:
            unknown = np.where(stack.capacities > lines, new[:, :, 0].sum(), 0.0)
        leaving = (stack.written - written).astype(np.float64)
        return Estimate(found, leaving, unknown, np.zeros(len(unknown)))

    def _run(self, piece: _Piece) -> None:
        self.run.set({s: v for s, v in piece.values.items() if s in self.run.plan.slots})
        self.run.stack.state.budget = 1 << 60
        self.run.part(piece.node, piece.low, piece.high)

    def _warm(self, piece: _Piece, before: _Past | None, touches: float) -> bool:
        """Fill the caches with what the past leaves; is nothing missing?"""
        run = self.run
        run.stack.clear()
        if before is None:
            return True
        pieces: list[tuple[_Piece, bool]] = []
        recent = self._cost(piece) / _RECENT
        spent = 0.0
        is_complete = True
        for earlier in self._back(before):
            if run.stack.state.used >= self.needed:
                break
            cost = self._cost(earlier)
            is_recent = not isinstance(earlier.node, LoopNode) or cost <= recent
            recent -= cost if is_recent else 0
            spent += cost if is_recent else self._touches(earlier)
            if spent > touches:
                is_complete = False
                break
            pieces.append((earlier, is_recent))
            self._again(earlier, is_recent)
        self.touched += 2 * spent
        run.stack.clear()
        for earlier, is_recent in reversed(pieces):
            self._again(earlier, is_recent)
        return is_complete

    def _again(self, piece: _Piece, is_recent: bool) -> None:
        if is_recent:
            self._run(piece)
        else:
            self.run.set({s: v for s, v in piece.values.items() if s in self.run.plan.slots})
            self.run.call(self.replay.parts[piece.node], piece.low, piece.high)

    def _cost(self, piece: _Piece) -> float:
        if isinstance(piece.node, LoopNode):
            return self.work.iterations(piece.node, piece.low, piece.high, piece.values)
        return self.work.of(piece.node, piece.values)

    # -- backwards
    def _back(self, past: _Past | None) -> Iterator[_Piece]:
        """What ran before in pieces, the last first."""
        while past is not None:
            if past.loop is not None:
                yield from self._back_loop(past.loop, past.high, past.values)
            else:
                yield from self._back_parts(past.parts, past.values)
            past = past.before

    def _back_parts(self, parts: Sequence[TreeNode], values: Values) -> Iterator[_Piece]:
        for part in reversed(parts):
            if isinstance(part, AccessNode):
                yield _Piece(part, values, 0, 1)
            elif isinstance(part, Guard):
                if self.work.of(part, values):
                    yield from self._back_parts(part.body, values)
            else:
                n = round(self.work.trips(part, values))
                yield from self._back_loop(part, n, values)

    def _back_loop(self, loop: LoopNode, high: int, values: Values) -> Iterator[_Piece]:
        """A loop's iterations below `high`. Only lines that were not used since have their place in
        the stack from a piece: pieces that add few of them grow."""
        if high <= 0:
            return
        state = self.run.stack.state
        has_loops = any(not isinstance(n, AccessNode) for n in loop.body)
        limit = max(_LEAST, state.used) / _PART
        first = self._touches(_Piece(loop, values, high - 1, high))
        size = max(int(limit / max(1.0, first)), 0 if has_loops else 1)
        while high > 0:
            before = state.used
            if size:
                low = max(0, high - size)
                yield _Piece(loop, values, low, high)
                high = low
            else:
                yield from self._back_parts(loop.body, {**values, loop.index: high - 1})
                high -= 1
            added = state.used - before
            limit = max(_LEAST, state.used) / _PART
            if added <= limit / 2:
                size = max(1, 2 * size)
            elif added > limit:
                size = size // 2 if has_loops else max(1, size // 2)

    def _touches(self, piece: _Piece) -> float:
        """Touches that a replay takes."""
        if not isinstance(piece.node, LoopNode):
            return self._cost(piece)
        return self.work.touches(piece.node, piece.low, piece.high, piece.values)


def from_bands(missed: NDArray[np.int64]) -> NDArray[np.float64]:
    """(references, kinds, bands) to lines that miss each capacity: a line found in band b + 1 was
    outside the first b; one in band 0 was nowhere."""
    found = missed[:, :, :1] + np.cumsum(missed[:, :, :0:-1], axis=2)[:, :, ::-1][:, :, 1:]
    return found.astype(np.float64)


def _errors(strata: Sequence[_Stratum]) -> NDArray[np.float64]:
    """Standard deviations (strata, capacities) by what strata differ from their neighbours: within
    one, lines are taken to vary evenly from those of the one before to those of the one behind."""
    rates = np.array([s.estimate.total for s in strata])
    sizes = np.array([s.high - s.low for s in strata])
    steps = np.abs(np.diff(rates, axis=0))
    none = np.zeros((1, rates.shape[1]))
    before, behind = np.concatenate((none, steps)), np.concatenate((steps, none))
    sizes[[s.is_complete for s in strata]] = 0.0
    found: NDArray[np.float64] = np.maximum(before, behind) * sizes[:, None] / np.sqrt(12)
    return found


def _between(strata: Sequence[_Stratum], cycle: int) -> NDArray[np.float64]:
    """Variance of the sum of strata; those of a cycle count together, since they differ by
    design."""
    groups = []
    for k in range(0, len(strata) - cycle + 1, cycle):
        group = strata[k : k + cycle]
        size = group[-1].high - group[0].low
        parts = [s.estimate * ((s.high - s.low) / size) for s in group]
        groups.append(_Stratum(group[0].low, group[-1].high, sum(parts[1:], parts[0])))
    found: NDArray[np.float64] = (_errors(groups) ** 2).sum(axis=0)
    return found


def _spread(number: int, period: int) -> list[int]:
    """`number` remainders by `period`, evenly spread, so ordered that neighbours differ."""
    all_of_them = [k * period // number for k in range(number)]
    step = max(1, round(number * 0.382))
    while np.gcd(step, number) != 1:
        step += 1
    return [all_of_them[k * step % number] for k in range(number)]
