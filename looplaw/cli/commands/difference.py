"""looplaw diff: which formulas and models changed between two studies."""

from __future__ import annotations

from pathlib import Path

import click

from looplaw_common.files import write_whole

from ...documents.study import StudyLoop
from ...laws.study_diff import FORMAT, Pair, difference, law_of, with_baseline
from ...loading import study_file
from ...report import Table, render_html
from ...report.formulas import fewer_digits
from ...report.grid import Column
from ..common import debug_option, format_option, json_option, show, write_json
from ..console import guarded, leave, say

_COLUMNS = (
    Column("at", "loop", "path", 16),
    Column("changes", "what changed", "text", 12),
    Column("law_old", "law before", "formula", 8),
    Column("law_new", "law now", "formula", 8),
    Column("time_old", "time before, s", "formula", 10),
    Column("time_new", "time now, s", "formula", 10),
    Column("time_ratio", "now / before", "number"),
)


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the new study's report with the old one beside it.",
)
@json_option
@format_option
@debug_option
def difference_command(
    old: str, new: str, html: Path | None, target: str | None, form: str, debug: bool
) -> None:
    """List the formulas and models that changed from study OLD to study NEW.

    The exit code is 1 if a law changed or a time grew.

    \b
    looplaw diff looplaw-out/before looplaw-out/after
    looplaw diff looplaw-out/before looplaw-out/after --html difference.html
    """
    with guarded(debug):
        before, after = study_file(old), study_file(new)
        pairs = difference(before, after)
        if html:
            write_whole(html, render_html(with_baseline(after, before)))
            say(f"report: {html.resolve()}")
        if target:
            write_json({"format": FORMAT, "loops": [p.to_json() for p in pairs]}, target)
        if target != "-":
            show(_table(pairs), form)
        leave(finding=any(p.slower or "law" in p.changes for p in pairs))


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
