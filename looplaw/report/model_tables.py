"""The table of fitted models with their errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from modeling.data.units import label_of
from modeling.pmnf.count_law import Counted
from modeling.pmnf.documents import ModelDocument, ModelsDocument

from .cells import Row, model_text, percent, records_table
from .formulas import fewer_digits
from .grid import Column, Table

_FEW = 2
"""Models of which each is named where the same is said of all."""


def models_table(models: ModelsDocument) -> Table:
    """Each model with its errors, and how far its value is known at four times the largest sizes;
    below, the reasons why models are not identifiable, notes, and the laws of regimes that are
    over."""
    columns = (
        Column("callpath", "call path", "path", 10),
        Column("metric", "metric", "path", 6),
        Column("formula", "model", "formula", 14),
        Column("smape", "error %", "number"),
        Column("loo_smape", "left out %", "number"),
        Column("points", "points", "number"),
        Column("certainty", "at 4x", "word"),
    )
    keys = (
        "callpath",
        "metric",
        "formula",
        "smape",
        "loo_smape",
        "adjusted_r2",
        "points",
        "identifiable",
        "certainty",
        "reason",
        "notes",
        "unit",
    )
    rows: list[Row] = []
    records: list[Row] = []
    for m in models.models:
        q = m.quality
        shown = percent(q.smape), percent(q.loo_smape)
        named = label_of(m.metric, m.unit or "")
        rows.append((m.callpath, named, model_text(m), *shown, q.points, m.certainty or "open"))
        errors = q.smape, q.loo_smape, q.adjusted_r2
        records.append(
            (
                *(m.callpath, m.metric, m.formula, *errors, q.points, m.identifiable),
                *(m.certainty or None, m.reason, "; ".join(m.notes or ()) or None, m.unit or None),
            )
        )
    note = list(_not_identifiable(m for m in models.models if not m.identifiable))
    note += [
        f"{m.callpath}, {m.metric}: {m.counted.reason}"
        + ("" if m.counted.seen else "; the model is an approximation")
        + rivals_text(m.counted)
        for m in models.models
        if m.counted is not None and m.counted.formula is None
    ]
    note += [f"{m.callpath}, {m.metric}: {n}" for m in models.models for n in m.notes or ()]
    note += [
        f"{m.callpath}, {m.metric}: below {m.before.parameter} = {m.before.until:.4g} another law"
        f" holds, {fewer_digits(m.before.formula)}"
        for m in models.models
        if m.before
    ]
    return _one_metric(
        Table(columns, tuple(rows), note=tuple(note), records=records_table(keys, records))
    )


def _not_identifiable(models: Iterable[ModelDocument]) -> Iterator[str]:
    """Which models the points do not decide, and why; several of one reason in one line."""
    groups: dict[str, list[str]] = {}
    for m in models:
        groups.setdefault(m.reason or "", []).append(f"{m.callpath}, {m.metric}")
    for reason, found in groups.items():
        why = f"not identifiable from these points{': ' if reason else ''}{reason}"
        if len(found) <= _FEW:
            yield from (f"{one}: {why}" for one in found)
        else:
            yield f"{found[0]}, and {len(found) - 1} more: {why}"


def rivals_text(counted: Counted) -> str:
    """The formulas that all fit counts, and where they differ."""
    if not counted.rivals:
        return ""
    at = ", ".join(f"{n}={v}" for n, v in (counted.decide or {}).items())
    return f" ({' or '.join(counted.rivals)}{f'; they differ at {at}' if at else ''})"


def _one_metric(table: Table) -> Table:
    """The table without its column of metrics where all of them are times."""
    if {row[1] for row in table.rows} != {"time"}:
        return table
    return replace(
        table,
        columns=(table.columns[0], *table.columns[2:]),
        rows=tuple((r[0], *r[2:]) for r in table.rows),
    )
