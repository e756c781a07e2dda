"""One observation, as it goes in and out; numbers stay what they are, 64 is not 64.0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from modeling import DataError
from modeling.data.columns import Number
from modeling.data.columns import Observation as Read

Point = tuple[tuple[str, Number], ...]
Series = tuple[str, str]


@dataclass(frozen=True)
class Observation:
    """A value of a metric of a call path, at parameter values; rank, thread and repetition where
    they are known."""

    params: Mapping[str, Number]
    callpath: str
    metric: str
    value: Number
    rank: int | None = None
    thread: int | None = None
    repetition: int | None = None

    @property
    def series(self) -> Series:
        return self.callpath, self.metric

    @property
    def point(self) -> Point:
        return tuple(sorted(self.params.items()))


def numbered(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """All with a repetition: those without one get the next number among the equal ones, in their
    order."""
    found: list[Observation] = []
    taken: dict[tuple[Series, Point, int | None, int | None], int] = {}
    for o in observations:
        key = (o.series, o.point, o.rank, o.thread)
        repetition = taken.get(key, 0) if o.repetition is None else o.repetition
        taken[key] = max(taken.get(key, 0), repetition + 1)
        found.append(replace(o, repetition=repetition))
    return tuple(found)


def repeated(observations: Iterable[Read], name: str) -> tuple[Observation, ...]:
    """What a reader of modeling read; values at one point are its repetitions.

    Raises:
        DataError: there are none.
    """
    found = numbered(
        Observation(dict(o.params), o.callpath, o.metric, o.value) for o in observations
    )
    if not found:
        raise DataError(f"{name}: holds no observations")
    return found


def merged(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """Ranks, threads and repetitions of a point as its repetitions, numbered from 0 in their order."""
    rows = sorted(
        observations,
        key=lambda o: tuple(-1 if n is None else n for n in (o.repetition, o.rank, o.thread)),
    )
    return numbered(replace(o, rank=None, thread=None, repetition=None) for o in rows)


def repetitions(
    observations: Sequence[Observation], form: str
) -> dict[Series, dict[Point, list[Number]]]:
    """The values of each series and point in the order of their repetitions, for a format that has
    a list of values and nothing else.

    Raises:
        DataError: there are ranks or threads, or repetitions are missing or double.
    """
    for o in observations:
        for what, number in (("rank", o.rank), ("thread", o.thread)):
            if number is not None:
                raise DataError(
                    f"{o.callpath}, {o.metric}: {form} has no place for a {what}; add --merge to"
                    " make ranks and threads repetitions, or use --format csv or jsonl"
                )
    found: dict[Series, dict[Point, list[Number]]] = {}
    numbers: dict[tuple[Series, Point], set[int]] = {}
    for o in sorted(numbered(observations), key=lambda o: o.repetition or 0):
        found.setdefault(o.series, {}).setdefault(o.point, []).append(o.value)
        numbers.setdefault((o.series, o.point), set()).add(o.repetition or 0)
    for (series, point), known in numbers.items():
        if known != set(range(len(found[series][point]))):
            raise DataError(
                f"{series[0]}, {series[1]} at {shown(point)}: {form} numbers repetitions 0, 1, 2,"
                " ... and here some are missing or double; add --merge to number them anew"
            )
    return found


def parameters_of(observations: Sequence[Observation], form: str) -> tuple[str, ...]:
    """The parameters, which must be the same for all observations.

    Raises:
        DataError: they are not, or there are no observations.
    """
    if not observations:
        raise DataError("there are no observations")
    names = tuple(observations[0].params)
    for o in observations:
        if set(o.params) != set(names):
            raise DataError(
                f"{o.callpath}, {o.metric}: {form} has the same parameters everywhere, but here are"
                f" {', '.join(o.params)} and elsewhere {', '.join(names)}; use --format csv or"
                " jsonl"
            )
    return names


def shown(point: Point) -> str:
    return ", ".join(f"{name}={value}" for name, value in point)
