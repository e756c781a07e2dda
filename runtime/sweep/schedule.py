"""Which runs are made, and in which order. A sweep asks for one round of runs after the other;
within a round the order is random, so that drifts of the machine do not look like growth, and the
rounds can be shared by several sweeps.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from .records import RunRecord
from .repetition import widest


@dataclass(frozen=True)
class Experiment:
    """One run to make: the parameter vector, the program's arguments, the number of the repetition
    (negative: it only warms up), the launcher's words with `environment` for the words of env
    behind it, and how many MPI processes there are where that is known."""

    params: Mapping[str, int]
    argv: tuple[str, ...]
    repetition: int = 0
    launcher: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    ranks: int | None = None

    @property
    def point(self) -> tuple[tuple[str, int], ...]:
        return tuple(sorted(self.params.items()))


class Schedule(Protocol):
    """What a sweep runs."""

    seed: int

    @property
    def waits(self) -> bool:
        """May the next round depend on how those before it end? If not, it can be asked for before
        they are made."""
        ...

    def next_round(self) -> Sequence[Experiment]:
        """The runs to make next, in order; none: the sweep is over. All runs of the round before
        have been `add`ed."""
        ...

    def add(self, record: RunRecord) -> None:
        """A run of the round is finished, well or not."""
        ...


def shuffled(experiments: Iterable[Experiment], seed: int, number: int) -> list[Experiment]:
    """The round `number` in a random order of its own."""
    result = list(experiments)
    random.Random(f"{seed} {number}").shuffle(result)
    return result


class Listed:
    """These runs, each once, in their order."""

    def __init__(self, experiments: Sequence[Experiment], seed: int = 0) -> None:
        self.seed, self._left = seed, tuple(experiments)

    @property
    def waits(self) -> bool:
        return not self._left

    def next_round(self) -> Sequence[Experiment]:
        found, self._left = self._left, ()
        return found

    def add(self, record: RunRecord) -> None:
        pass


class Repeated:
    """Every point a number of times.

    Args:
        points: one experiment for each point; its number of repetition is set here.
        repetitions: runs of each point that are measured.
        warmup: runs of each point before these, that are not.
        seed: of the order.
    """

    def __init__(
        self, points: Sequence[Experiment], repetitions: int, *, warmup: int = 0, seed: int = 0
    ) -> None:
        self.points, self.seed, self._end, self._next = tuple(points), seed, repetitions, -warmup

    @property
    def waits(self) -> bool:
        return self._next >= self._end

    def next_round(self) -> Sequence[Experiment]:
        if self._next >= self._end:
            return ()
        number = self._next
        self._next += 1
        return shuffled((replace(e, repetition=number) for e in self.points), self.seed, number)

    def add(self, record: RunRecord) -> None:
        pass


class UntilTight:
    """Every point a number of times, and then on until the intervals of its times are tight.

    Args:
        first: the runs of each point that are made in any case.
        until: relative half-width of the 95 % confidence interval that is wanted, as 0.05.
        most: repetitions of a point at most.
        times: the times of a run that count, one for each kernel.
    """

    def __init__(
        self,
        first: Repeated,
        until: float,
        most: int,
        times: Callable[[RunRecord], Sequence[float]],
    ) -> None:
        self.seed, self._first, self._until, self._most, self._times = (
            first.seed,
            first,
            until,
            most,
            times,
        )
        self._runs: dict[tuple[tuple[str, int], ...], list[Sequence[float]]] = {}
        self._failed: set[tuple[tuple[str, int], ...]] = set()
        self._round = 0

    @property
    def waits(self) -> bool:
        return self._first.waits

    def next_round(self) -> Sequence[Experiment]:
        self._round += 1
        first = self._first.next_round()
        if first:
            return first
        open_ = self.loose()
        return shuffled(
            (
                replace(e, repetition=len(self._runs[e.point]))
                for e in self._first.points
                if e.point in open_ and len(self._runs[e.point]) < self._most
            ),
            self.seed,
            self._round,
        )

    def add(self, record: RunRecord) -> None:
        point = tuple(sorted(record.params.items()))
        if not record.ok:
            self._failed.add(point)
        elif record.repetition >= 0:
            self._runs.setdefault(point, []).append(self._times(record))

    def loose(self) -> dict[tuple[tuple[str, int], ...], float]:
        """Points whose intervals are still wider than wanted, with the relative half-width of the
        widest; points with a failed run are left as they are."""
        found = {}
        for point, runs in self._runs.items():
            width = widest(list(zip(*runs, strict=True)))
            if width > self._until and point not in self._failed:
                found[point] = width
        return found
