"""What distinguishes observations: numbers are parameters, anything else tells series apart.

Benchmarks and profiles say of each run what it was given: sizes, and variants, data types, flags.
Readers hand all of it to `Keys`, which says of each name whether it is a parameter, a part of the
series' name, or of no use; what is dropped though it differs is said in a warning.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from looplaw_common.errors import DataError, LooplawWarning

from ..data.checks import exact_text
from ..data.observations import Number

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_LONGEST, _LISTED = 80, 8
"""Characters of a value in the name of a series, and names in a message."""


def number_in(value: object) -> Number | None:
    """The finite number that a value is, perhaps as text; None where it is none. A boolean is a
    name for a variant, and no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    text = str(value).strip()
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return exact_text(text, "a number", "") if isinstance(value, str) else value
    except DataError:  # too large
        return None


def text_of(value: object) -> str:
    """A value in the name of a series: one line without addresses of objects."""
    return _ADDRESS.sub("", " ".join(str(value).split()))[:_LONGEST]


def labelled(callpath: str, labels: Iterable[tuple[str, object]]) -> str:
    """A call path with what tells its series apart, as in main->solve[variant=simd]."""
    told = ", ".join(f"{name}={text_of(value)}" for name, value in labels)
    return f"{callpath}[{told}]" if told else callpath


@dataclass(frozen=True)
class Keys:
    """What names are: parameters, labels of series, or dropped though they differ."""

    parameters: tuple[str, ...]
    labels: tuple[str, ...]
    dropped: tuple[str, ...] = ()

    @staticmethod
    def of(rows: Sequence[Mapping[str, object]], certain: Collection[str] = ()) -> Keys:
        """What the names in rows are, each of which is one run.

        A name that is no number everywhere is a label where the `certain` names have it, where two
        runs at the same numbers differ in it, or where it sorts all runs into groups of several
        points. Else it is of no use: constant, or another in every run, as dates are.
        """
        names = dict.fromkeys(name for row in rows for name in row)
        numbers = [n for n in names if all(number_in(r[n]) is not None for r in rows if n in r)]
        points = [tuple(number_in(row.get(n)) for n in numbers) for row in rows]
        labels: list[str] = []
        dropped: list[str] = []
        for name in (n for n in names if n not in numbers):
            values = [text_of(row.get(name)) for row in rows]
            if name in certain:
                labels.append(name)
            elif len(set(values)) > 1:
                (labels if is_told_apart(values, points) else dropped).append(name)
        return Keys(tuple(numbers), tuple(labels), tuple(dropped))

    def point(self, row: Mapping[str, object]) -> dict[str, Number]:
        """The parameters of a row."""
        found = ((n, number_in(row[n])) for n in self.parameters if n in row)
        return {n: v for n, v in found if v is not None}

    def label(self, callpath: str, row: Mapping[str, object]) -> str:
        """The name of the series of a row."""
        return labelled(callpath, [(n, row[n]) for n in self.labels if row.get(n) is not None])

    def warn(self, name: str) -> None:
        """Say what is dropped of a file or folder of this name."""
        say_dropped(name, self.dropped, "differ in every run, and are neither sizes nor variants")


def is_told_apart(values: Sequence[str], points: Sequence[tuple[Number | None, ...]]) -> bool:
    """Do values sort runs at these points into series?"""
    groups: dict[str, set[tuple[Number | None, ...]]] = {}
    for value, point in zip(values, points, strict=True):
        groups.setdefault(value, set()).add(point)
    if len(groups) == len(values) and len(set(points)) == len(values):
        return False
    several = all(len(own) > 1 for own in groups.values())
    return several or (
        sum(map(len, groups.values())) > len(set(points)) and len(groups) < len(values)
    )


def say_dropped(name: str, keys: Iterable[str], why: str) -> None:
    """One warning that names what a reader does not use of a file."""
    found = list(dict.fromkeys(map(str, keys)))
    if found:
        more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        told = ", ".join(k[:_LONGEST] for k in found[:_LISTED])
        warnings.warn(f"{name}: not used: {told}{more}, which {why}", LooplawWarning, stacklevel=2)
