"""The table of a forecast: kernels, the rest, the whole, and below it what limits and what next."""

from __future__ import annotations

from math import isfinite

from modeling.pmnf.prediction import WIDEST

from ..laws.forecast import Forecast
from ..laws.limits import is_sure
from ..laws.time_prediction import PredictedKernel, why_unknown
from .cells import Row, counted_noun
from .grid import Column, Table
from .places import short_places

NOT_KNOWN = "not known"
_SMALL = 0.01
"""Kernels with a smaller share are one line, unless all are asked for."""


def seconds_text(value: float) -> str:
    """A time with its unit, to three digits."""
    if not isfinite(value):
        return "unbounded"
    for unit, size, least in (("h", 3600.0, 2.0), ("min", 60.0, 2.0)):  # as the page has them
        if abs(value) >= least * size:
            return f"{value / size:.3g} {unit}"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if abs(value) * factor >= 1 or unit == "us":
            return f"{value * factor:.3g} {unit}"
    return f"{value:.3g} s"


def forecast_table(found: Forecast, *, every: bool = True) -> Table:
    """Each kernel with its time, the share of the run that is its own, and what bounds it; the
    rest; the sum.

    Args:
        every: kernels with less than 1 % of the run, too; else they are one line for people.
    """
    columns = (
        Column("kernel", "kernel", "path", 14),
        Column("time", "time", "word"),
        Column("interval", "90 % interval", "word"),
        Column("share", "own share", "word"),
        Column("bound_by", "bound by", "word"),
        Column("level", "lines from", "word"),
    )
    whole = found.time
    places = short_places(k.at for k in whole.kernels)
    shown = [k for k in whole.kernels if every or k.own >= _SMALL * whole.seconds]
    rows = [_row(k, places[k.at], whole.seconds) for k in shown]
    if left := [k for k in whole.kernels if k not in shown]:
        small = sum(k.own for k in left)
        share = _share(small, whole.seconds)
        name = counted_noun(len(left), "smaller kernel")
        rows.append((name, seconds_text(small), "", share, "", ""))
    outside = whole.outside
    apart = whole.seconds - sum(k.own for k in whole.kernels) - outside.seconds
    if apart >= _SMALL * whole.seconds:
        share = _share(apart, whole.seconds)
        rows.append(("not attributed", seconds_text(apart), "", share, "", ""))
    rest = _told(outside.seconds, outside.low, outside.high)
    share = _share(outside.seconds, whole.seconds)
    last: list[Row] = [
        ("outside of kernels", *rest, share, "", ""),
        ("the run", *_told(whole.seconds, whole.low, whole.high), "100 %", "", ""),
    ]
    full = [_row(k, ("  " if k.is_part else "") + k.at, whole.seconds) for k in whole.kernels]
    records = Table(tuple(c.key for c in columns), (*full, *last))
    return Table(columns, (*rows, *last), note=tuple(_notes(found)), records=records)


def _row(k: PredictedKernel, name: str, whole: float) -> Row:
    return (
        name,
        *_told(k.seconds, k.low, k.high),
        _share(k.own, whole),
        "?" if k.bound_by is None else k.bound_by + ("" if is_sure(k) else "?"),
        "?" if k.level is None else k.level,
    )


def _told(seconds: float, low: float, high: float) -> tuple[str, str]:
    """A time and its interval, where it says anything."""
    if why_unknown(low, high) is not None:
        return NOT_KNOWN, f"wider than {WIDEST:g} times"
    return seconds_text(seconds), f"{seconds_text(low)} to {seconds_text(high)}"


def _share(part: float, whole: float) -> str:
    return f"{min(part / whole, 1.0):.0%}".replace("%", " %") if whole > 0 else ""


def _notes(found: Forecast) -> list[str]:
    notes, clock = [found.sentence], found.clock[:1].upper() + found.clock[1:]
    notes += [f"{n} is {where}." for n, where in found.ranges.items() if where != "measured"]
    step = found.next
    if found.machine is not None:
        return [*notes, f"{clock} on {found.machine}, where the program never ran."]
    notes.append(f"{clock} on {found.measured_on or 'the machine'}, where the runs were made.")
    if found.time.runs:
        runs = counted_noun(found.time.runs, "run")
        return [*notes, f"These are the times of {runs} of this size: median, least and largest."]
    if step is None:
        return [*notes, "No single size would halve the interval."]
    at = ", ".join(f"{n}={v}" for n, v in step.at.items())
    notes.append(
        f"To halve the interval, measure {at}, which takes {seconds_text(step.seconds)}"
        + (":" if step.command else ".")
    )
    notes += [step.command] if step.command else []
    return notes
