"""The table of a forecast: kernels, the rest, the whole, and below it what limits and what next."""

from __future__ import annotations

from math import isfinite

from ..laws.forecast import Forecast
from .cells import Row
from .grid import Column, Table


def seconds_text(value: float) -> str:
    """A time with its unit, to three digits."""
    if not isfinite(value):
        return "unbounded"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if abs(value) * factor >= 1 or unit == "us":
            return f"{value * factor:.3g} {unit}"
    return f"{value:.3g} s"


def forecast_table(found: Forecast) -> Table:
    """Each kernel with its time, its share of the run, and what bounds it; the rest; the sum."""
    columns = (
        Column("kernel", "kernel", "path", 14),
        Column("time", "time", "word"),
        Column("interval", "90 % interval", "word"),
        Column("share", "share", "word"),
        Column("bound_by", "bound by", "word"),
        Column("level", "lines from", "word"),
    )
    whole = found.time
    rows: list[Row] = [
        (
            ("  " if k.is_part else "") + k.at,
            seconds_text(k.seconds),
            _interval(k.low, k.high),
            _share(k.seconds, whole.seconds),
            "?" if k.bound_by is None else k.bound_by,
            "?" if k.level is None else k.level,
        )
        for k in whole.kernels
    ]
    outside = whole.outside
    rest = _interval(outside.low, outside.high)
    share = _share(outside.seconds, whole.seconds)
    rows.append(("outside of kernels", seconds_text(outside.seconds), rest, share, "", ""))
    interval = _interval(whole.low, whole.high)
    rows.append(("the run", seconds_text(whole.seconds), interval, "100 %", "", ""))
    records = Table(tuple(c.key for c in columns), tuple(rows))
    return Table(columns, tuple(rows), note="\n".join(_notes(found)), records=records)


def _interval(low: float, high: float) -> str:
    return f"{seconds_text(low)} to {seconds_text(high)}"


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}".replace("%", " %") if whole > 0 else ""


def _notes(found: Forecast) -> list[str]:
    notes = [found.sentence]
    notes += [f"{n} is {where}." for n, where in found.ranges.items() if where != "measured"]
    step = found.next
    if step is None:
        notes.append("No single size would halve the interval.")
        return notes
    at = ", ".join(f"{n}={v}" for n, v in step.at.items())
    notes.append(
        f"To halve the interval, measure {at}, which takes {seconds_text(step.seconds)}"
        + (f":\n{step.command}" if step.command else ".")
    )
    return notes
