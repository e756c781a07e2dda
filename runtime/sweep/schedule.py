"""Which runs are made, and in which order.

A sweep asks a schedule for one round of runs after the other. Within a round the order is random,
so that a drift of the machine (frequency, temperature, other users) does not look like growth in a
parameter; it depends on the seed alone, so that several sweeps can share the rounds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from ..launch.inputs import InputFile
from .records import RunRecord
from .repetition import widest


@dataclass(frozen=True)
class Experiment:
    """A run to make.

    Attributes:
        params: the parameter vector.
        argv: the program's arguments.
        repetition: its number; negative for a run that only warms up.
        launcher: words in front of the program, such as mpiexec -n 4.
        environment: words between launcher and program: env NAME=VALUE.
        ranks: number of MPI processes, None where it is not known.
        stdin: the file that the program reads as its standard input.
        files: those that it finds under their names.
    """

    params: Mapping[str, int]
    argv: tuple[str, ...]
    repetition: int = 0
    launcher: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    ranks: int | None = None
    stdin: str | None = None
    files: tuple[InputFile, ...] = ()

    @property
    def input(self) -> Path | None:
        """The file of the standard input, as a path."""
        return None if self.stdin is None else Path(self.stdin)

    @property
    def point(self) -> tuple[tuple[str, int], ...]:
        return tuple(sorted(self.params.items()))


class Schedule(Protocol):
    """What a sweep runs, round by round."""

    seed: int

    @property
    def waits(self) -> bool:
        """May the next round depend on how earlier runs end? If not, it can be asked for before
        they are made."""
        ...

    def next_round(self) -> Sequence[Experiment]:
        """The runs to make next, in order; none ends the sweep. All runs of earlier rounds have
        been passed to `add`."""
        ...

    def add(self, record: RunRecord) -> None:
        """Take note of a finished run, successful or not."""
        ...


def shuffled(experiments: Iterable[Experiment], seed: int, number: int) -> list[Experiment]:
    """The runs of round `number` in random order."""
    result = list(experiments)
    random.Random(f"{seed} {number}").shuffle(result)
    return result


class Listed:
    """Each of the given runs once, in their order."""

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
    """Every point a fixed number of times.

    Args:
        points: one experiment for each point; the repetition is set here.
        repetitions: measured runs of each point.
        warmup: runs of each point before these, which are not measured.
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
    """Every point until the confidence intervals of its times are tight.

    Args:
        first: the runs that are made in any case.
        until: wanted relative half-width of the 95 % confidence interval, as 0.05.
        most: upper bound on the repetitions of a point.
        times: gives the times of a run, one for each kernel.
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
        """Point -> relative half-width of its widest interval, for the points where that is wider
        than wanted. A point with a failed run is not repeated."""
        found = {}
        for point, runs in self._runs.items():
            width = widest(list(zip(*runs, strict=True)))
            if width > self._until and point not in self._failed:
                found[point] = width
        return found
