"""Measurements with their ranks kept apart, from files and from runs, for the report's section on
ranks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from modeling import Measurements, read
from modeling.data.observations import Point, observations
from modeling.data.ranks import RankedMeasurements, Row, from_rows
from modeling.readers import BINARY, read_text
from modeling.readers.jsonlines import is_json_lines

from ..exchange.csv import read_csv
from ..exchange.observations import Observation
from .reading import text_of

Loose = tuple[str, str, Point, int | None, object, float]
"""A row as `modeling.data.ranks` has it, perhaps without a rank."""
_TIME = "time"


def measured(source: str) -> tuple[Measurements, RankedMeasurements | None]:
    """Measurements as `modeling.read` finds them, and again with ranks apart where they have any;
    "-" is stdin.

    Raises:
        InputError: no such file, or of a kind that no reader knows.
        DataError: the content is wrong.
    """
    path = Path(source)
    if source != "-" and (not path.is_file() or path.suffix in BINARY):
        return read(source), None
    text, name = text_of(source)
    return read_text(text, name, path.suffix), _of_text(text, name)


def title_of(source: str) -> str:
    """What a report calls a file of measurements."""
    return "standard input" if source == "-" else Path(source).name


def rows_of(found: Iterable[Observation]) -> Iterable[Loose]:
    """Observations as rows."""
    return (
        (o.callpath, o.metric, o.point, o.rank, o.repetition or 0, float(o.value)) for o in found
    )


def ranked(found: Iterable[Loose]) -> RankedMeasurements | None:
    """The call paths whose every observation names its rank; None where no two ranks are told
    apart.

    A rank that recorded no time of a call path where others did spent none there.
    """
    known = list(found)
    without = {callpath for callpath, _, _, rank, _, _ in known if rank is None}
    rows: list[Row] = [
        (c, m, p, rank, r, v)
        for c, m, p, rank, r, v in known
        if rank is not None and c not in without
    ]
    if len({rank for _, _, _, rank, _, _ in rows}) < 2:
        return None
    ranks: dict[tuple[str, Point, object], set[int]] = {}
    timed: dict[tuple[str, Point, object], set[int]] = {}
    for callpath, metric, point, rank, repetition, _ in rows:
        ranks.setdefault((callpath, point, repetition), set()).add(rank)
        if metric == _TIME:
            timed.setdefault((callpath, point, repetition), set()).add(rank)
    idle = [
        (c, _TIME, p, rank, r, 0.0)
        for (c, p, r), those in timed.items()
        for rank in ranks[c, p, r] - those
    ]
    return from_rows([*rows, *idle])


def _of_text(text: str, name: str) -> RankedMeasurements | None:
    if is_json_lines(text):
        if '"rank"' not in text:
            return None
        return ranked(
            (o.callpath, o.metric, o.point, o.rank, o.repetition or 0, o.value)
            for o in observations(text, name)
        )
    head = {c.strip() for c in text.split("\n", 1)[0].split(",")}
    return (
        ranked(rows_of(read_csv(text, name)))
        if {"callpath", "metric", "value", "rank"} <= head
        else None
    )
