"""Observations as tables of series, points and lists of values, for formats without a place for
ranks, threads and numbers of repetitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from modeling import DataError
from modeling.data.observations import Number, Observation, Point, SeriesName, numbered


def merged(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """Observations without ranks and threads: those of a point become repetitions, numbered from 0
    by repetition, rank and thread."""
    rows = sorted(
        observations,
        key=lambda o: tuple(-1 if n is None else n for n in (o.repetition, o.rank, o.thread)),
    )
    return tuple(numbered(replace(o, rank=None, thread=None, repetition=None) for o in rows))


def repetitions(
    observations: Sequence[Observation], form: str
) -> dict[SeriesName, dict[Point, list[Number]]]:
    """The values of each series and point in the order of their repetitions.

    Raises:
        DataError: there are ranks or threads, or repetitions are missing or double; `form` names
            the format in the message.
    """
    for o in observations:
        for what, number in (("rank", o.rank), ("thread", o.thread)):
            if number is not None:
                raise DataError(
                    f"{o.callpath}, {o.metric}: {form} has no place for a {what}; add --merge to"
                    " make ranks and threads repetitions, or use --format csv or jsonl"
                )
    found: dict[SeriesName, dict[Point, list[Number]]] = {}
    numbers: dict[tuple[SeriesName, Point], set[int]] = {}
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
    """A point for messages."""
    return ", ".join(f"{name}={value}" for name, value in point)
