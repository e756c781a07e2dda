"""looplaw diff of two studies: the loops whose laws or times changed."""

from __future__ import annotations

from pathlib import Path

from looplaw_common.files import write_whole

from ..documents.study import StudyLoop
from ..gate.findings import FORMAT
from ..gate.judging import Change
from ..laws.study_diff import Pair, difference, law_of, with_baseline
from ..loading import study_file
from ..report import Table, render_html
from ..report.formulas import fewer_digits
from ..report.grid import Column
from .common import show, write_json
from .console import leave, say

_COLUMNS = (
    Column("at", "loop", "path", 16),
    Column("changes", "what changed", "text", 12),
    Column("law_old", "law before", "formula", 8),
    Column("law_new", "law now", "formula", 8),
    Column("time_old", "time before, s", "formula", 10),
    Column("time_new", "time now, s", "formula", 10),
    Column("time_ratio", "now / before", "number"),
)


def compare_studies(old: str, new: str, html: Path | None, target: str | None, form: str) -> None:
    """Write what changed from one study to another, and leave."""
    before, after = study_file(old), study_file(new)
    pairs = difference(before, after)
    if html:
        write_whole(html, render_html(with_baseline(after, before)))
        say(f"report: {html.resolve()}")
    if target:
        found = [_finding(p).to_json() for p in pairs if p.changes]
        loops = [p.to_json() for p in pairs]
        write_json({"format": FORMAT, "findings": found, "loops": loops}, target)
    if target != "-":
        show(_table(pairs), form)
    leave(finding=any(p.slower or "law" in p.changes for p in pairs))


def _finding(p: Pair) -> Change:
    """A loop of two studies as a finding."""
    old, new = ((law_of(side) if side else None) or "" for side in (p.old, p.new))
    if p.old is None or p.new is None:
        return Change("new" if p.old is None else "gone", p.loop.function, p.at, old, new)
    grew = p.slower or "law" in p.changes
    return Change(
        "growth" if grew else "undecided" if "grows otherwise" in p.changes else "shrunk",
        p.loop.function,
        p.at,
        old,
        new,
        reason=", ".join(p.changes),
    )


def _table(pairs: tuple[Pair, ...]) -> Table:
    rows = tuple(
        (
            p.at,
            ", ".join(p.changes),
            *(law_of(side) if side else None for side in (p.old, p.new)),
            *(_time(side) for side in (p.old, p.new)),
            p.ratio,
        )
        for p in pairs
        if p.changes
    )
    same = len(pairs) - len(rows)
    return Table(
        _COLUMNS,
        rows,
        note=f"{len(rows) or 'No'} loop{'s' * (len(rows) != 1)} changed, {same} did not.",
    )


def _time(loop: StudyLoop | None) -> str | None:
    model = loop.time_model if loop is not None else None
    return None if model is None else fewer_digits(model.formula)
