"""The table of series at one size in their places."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from modeling.data.measurements import Series
from modeling.readers.tables.names import Kind, named
from modeling.scaling.standings import RANKED, Place, standings
from modeling.scaling.versions import Ratio

from .cells import counted_noun
from .grid import Column, Table

_MOST_SAID = 3


def is_rate(series: Series) -> bool:
    """Is more of it better, by the name of its metric or its unit?"""
    return named(series.metric).kind in (Kind.RATE, Kind.DERIVED) or series.unit.endswith("/s")


def standings_of(series: Sequence[Series]) -> list[tuple[Place, ...]]:
    """The places of the series of each metric."""
    metrics = dict.fromkeys(s.metric for s in series)
    of = ([s for s in series if s.metric == m] for m in metrics)
    return [places for own in of for places in standings(own, more_is_better=is_rate(own[0]))]


def standings_table(found: Sequence[Sequence[Place]]) -> Table:
    """Each series in its place, how many times worse it is than the first, and whether that is
    known; below, what the first of each metric is."""
    columns = (
        Column("metric", "metric", "text", 8),
        Column("place", "", "number"),
        Column("series", "series", "path", 12),
        Column("value", "value", "number"),
        Column("ratio", "times", "number"),
        Column("low", "lower", "number"),
        Column("high", "upper", "number"),
        Column("values", "values", "number"),
        Column("standing", "against the first", "word"),
    )
    rows = [
        (
            f"{p.metric} [{p.unit}]" if p.unit else p.metric,
            str(k),
            p.name,
            f"{p.value:.3g}",
            f"{p.ratio.value:.3g}",
            _end(p.ratio.low),
            _end(p.ratio.high),
            str(p.count),
            "" if p.standing == "first" else p.standing,
        )
        for places in found
        for k, p in enumerate(places, 1)
    ]
    return Table(columns, tuple(rows), note=". ".join(map(said, found[:_MOST_SAID])))


def said(places: Sequence[Place]) -> str:
    """The outcome in a sentence."""
    first, *others = places
    sure = [p for p in others if p.standing == "behind"]
    open_ = [p for p in others if p.standing == "cannot tell"]
    parts = [f"{first.metric}: {first.name} is first"]
    if sure:
        more = f", and {counted_noun(len(sure) - 1, 'other')} more" if len(sure) > 1 else ""
        parts = [f"{parts[0]}, {sure[0].name} {_times(sure[0].ratio)} worse{more}"]
    if open_:
        why = "" if sure or any(isfinite(p.p_value) for p in open_) else _why(open_)
        names = ", ".join(p.name for p in open_[:3])
        more = f" and {len(open_) - 3} more" if len(open_) > 3 else ""
        parts.append(f"the measurements do not tell it from {names}{more}{why}")
    return "; ".join(parts)


def _why(places: Sequence[Place]) -> str:
    if places[0].is_paired and places[0].count < RANKED:
        return f": ranks need at least {RANKED} cases, here are {places[0].count}; add some"
    if all(p.count == 1 for p in places):
        return ": each was measured once, so the noise is not known; repeat it 5 times"
    return ": too few values each; repeat it 5 times"


def _times(ratio: Ratio) -> str:
    interval = f" ({_end(ratio.low)} to {_end(ratio.high)})" if isfinite(ratio.low) else ""
    return f"{ratio.value:.3g} times{interval}"


def _end(value: float) -> str:
    return f"{value:.3g}" if isfinite(value) else ""
