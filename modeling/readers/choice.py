"""What a user says of measurements: which names are parameters, values and labels of series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from looplaw_common.errors import InputError

from ..data.columns import Columns
from ..data.observations import Observation, Point
from .keys import labelled


@dataclass(frozen=True)
class Choice:
    """Names of parameters, values and labels; empty where the measurements are to tell."""

    parameters: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    series: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parameters or self.values or self.series)

    @property
    def named(self) -> tuple[str, ...]:
        """All names that are chosen."""
        return (*self.parameters, *self.values, *self.series)


NOTHING = Choice()
"""The measurements tell all."""


def regrouped(columns: Columns, choice: Choice, name: str) -> Columns:
    """Measurements of a format that says what is a parameter, as a user wants to see them: only
    the chosen metrics, what is no chosen parameter repeating a point, and parameters among
    `series` in the names of the call paths.

    Raises:
        InputError: there is no parameter or metric of a chosen name.
    """
    known = dict.fromkeys(n for point in columns.points for n, _ in point)
    metrics = dict.fromkeys(metric for _, metric in columns.series)
    if missing := [n for n in (*choice.parameters, *choice.series) if n not in known]:
        raise InputError(
            f"{name}: no parameter {', '.join(missing)}; there are {', '.join(known) or 'none'}"
        )
    if missing := [n for n in choice.values if n not in metrics]:
        raise InputError(f"{name}: no metric {', '.join(missing)}; there are {', '.join(metrics)}")
    found = Columns.of(_regrouped(columns, choice))
    found.units, found.faults = columns.units, columns.faults
    return found


def _regrouped(columns: Columns, choice: Choice) -> Iterator[Observation]:
    kept = choice.parameters
    series, points = tuple(columns.series), tuple(columns.points)
    own = [_split(point, choice) for point in points]
    for s, p, value in zip(*(column.tolist() for column in columns.arrays()), strict=True):
        callpath, metric = series[s]
        params, labels = own[p]
        if not choice.values or metric in choice.values:
            point = {n: v for n, v in params if not kept or n in kept}
            yield Observation(point, labelled(callpath, labels), metric, value)


def _split(point: Point, choice: Choice) -> tuple[Point, Point]:
    """The parameters and the labels of a point."""
    return (
        tuple((n, v) for n, v in point if n not in choice.series),
        tuple((n, v) for n, v in point if n in choice.series),
    )
