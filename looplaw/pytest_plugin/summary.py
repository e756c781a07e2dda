"""The table of all results at the end of a run: sizes, models, and the laws that were compared."""

from __future__ import annotations

from collections.abc import Sequence

from looplaw_common.formula.formula import BARE_LOG

from ..report.grid import Column, Lines, Table, render
from .growth import Scaling

_HOLDS = {"holds": "yes", "broken": "no", "cannot tell": "cannot tell"}


def summary(found: Sequence[tuple[str, Scaling]], width: int) -> str:
    """The table of results, each with the test it belongs to, `width` columns wide."""
    columns = (
        Column("test", "test", "path", 16),
        Column("counter", "counted", "word"),
        Column("sizes", "sizes", "word"),
        Column("model", "model", "formula", 12),
        Column("law", "law", "text", 10),
        Column("holds", "holds", "word"),
    )
    rows = tuple(
        (
            node,
            s.counted,
            _range(s),
            s.formula,
            tuple(held.text for held in s.held),
            tuple(_HOLDS[held.status] for held in s.held),
        )
        for node, s in found
    )
    # a line and no warning: users who turn warnings into errors write log(n) as well
    note = BARE_LOG if any(held.law.has_bare_log for _, s in found for held in s.held) else ""
    return render(Table(columns, rows, note=note), width=width, color=False)


def _range(s: Scaling) -> Lines:
    return tuple(
        f"{n} {min(p[n] for p in s.points):g}..{max(p[n] for p in s.points):g}" for n in s.points[0]
    )
