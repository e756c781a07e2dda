"""One observation, as files hold it and readers and writers exchange it: nothing is aggregated yet.

Numbers stay what they are in the file: 64 is not 64.0 when it is written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from looplaw_common.errors import DataError

Number = int | float
"""A number as it was written: an integer of any length, or a floating-point number."""
Point = tuple[tuple[str, Number], ...]
"""Names and values of parameters, sorted by name: where something was measured, as a key."""
SeriesName = tuple[str, str]
"""(callpath, metric)."""


def point_of(params: Mapping[str, Number]) -> Point:
    """Parameter values as a key that does not depend on their order."""
    return tuple(sorted(params.items()))


class Fault(float):
    """What stands for a value that cannot be used: no number, with the reason."""

    message: str

    def __new__(cls, message: str) -> Fault:
        fault = super().__new__(cls, "nan")
        fault.message = message
        return fault


@dataclass(frozen=True, slots=True)
class Observation:
    """One value of a metric of a call path at parameter values.

    rank, thread and repetition are None where they are unknown; line is the line of the file, for
    messages, and is no part of the observation; unit is empty where it is unknown.
    """

    params: Mapping[str, Number]
    callpath: str
    metric: str
    value: Number
    rank: int | None = None
    thread: int | None = None
    repetition: int | None = None
    line: int | None = field(default=None, compare=False, repr=False)
    unit: str = ""

    @property
    def series(self) -> SeriesName:
        return self.callpath, self.metric

    @property
    def point(self) -> Point:
        return point_of(self.params)


def sound(observations: Iterable[Observation]) -> Iterator[Observation]:
    """The observations, none of which is a fault.

    Raises:
        DataError: what is wrong with the first one that is.
    """
    for o in observations:
        if isinstance(o.value, Fault):
            raise DataError(o.value.message)
        yield o


def numbered(observations: Iterable[Observation]) -> Iterator[Observation]:
    """Number the repetitions: an observation without a repetition gets the next number among those
    of the same series, point, rank and thread."""
    taken: dict[tuple[SeriesName, Point, int | None, int | None], int] = {}
    for o in observations:
        key = (o.series, o.point, o.rank, o.thread)
        repetition = taken.get(key, 0) if o.repetition is None else o.repetition
        taken[key] = max(taken.get(key, 0), repetition + 1)
        yield o if o.repetition is not None else replace(o, repetition=repetition)
