"""Laws of speed-up as a table."""

from __future__ import annotations

from collections.abc import Sequence

from ...report import Table
from ...report.grid import Column
from .scaling_laws import Scaling


def laws_table(found: Sequence[Scaling]) -> Table:
    """One row a call path: its law, how well that predicted larger runs than it had seen, what it
    gives at the most processes."""
    columns = (
        Column("callpath", "call path", "path", 12),
        Column("method", "method", "text", 8),
        Column("error", "error held out", "number"),
        Column("processes", "most processes", "number"),
        Column("speedup", "speed-up there", "number"),
        Column("efficiency", "efficiency", "number"),
        Column("law", "law in seconds", "formula", 16),
    )
    rows = []
    for s in found:
        last = max(s.rows(), key=lambda r: (r.nodes * r.cores, r.size))
        most = float(s.runs.processes.max())
        speedup = last.model_speedup
        rows.append(
            (
                s.callpath,
                s.mixture,
                s.box.errors.get(s.box.method),
                most,
                speedup,
                None if speedup is None else speedup / most,
                s.law_text,
            )
        )
    shown = tuple(
        (r[0], r[1], _percent(r[2]), f"{r[3]:g}", _short(r[4]), _percent(r[5]), r[6] or "-")
        for r in rows
    )
    return Table(columns, shown, records=Table(tuple(c.key for c in columns), tuple(rows)))


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
