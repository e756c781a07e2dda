"""looplaw history: models of measurements over commits, and the commits that changed them."""

from __future__ import annotations

from pathlib import Path

import click

from looplaw_common.errors import InputError
from looplaw_common.files import write_whole

from ...documents.reading import named_numbers
from ...history.changes import Line, lines_of
from ...history.page import page
from ...history.records import add_records, commit_of, read_records, records_of
from ...loading import study_or_measurements
from ...report import Table
from ...report.cells import counted_noun
from ...report.grid import Column
from ..common import debug_option, format_option, json_option, show, write_json
from ..console import guarded, leave, say

FORMAT = "looplaw-history-changes/1"
_COLUMNS = (
    Column("kernel", "kernel", "path", 12),
    Column("metric", "metric", "word"),
    Column("commit", "commit", "word"),
    Column("subject", "subject", "text", 12),
    Column("kind", "changed", "word"),
    Column("before", "before", "formula", 10),
    Column("after", "after", "formula", 10),
)


@click.command("history")
@click.argument("targets", nargs=-1, metavar="[TARGET...]")
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("looplaw-history.jsonl"),
    show_default=True,
    metavar="FILE",
    help="The history: one JSON line for each commit, kernel and metric.",
)
@click.option(
    "--commit",
    default="HEAD",
    show_default=True,
    metavar="REV",
    help="The commit that TARGETs were measured at; without git, any name.",
)
@click.option(
    "--at",
    "at",
    multiple=True,
    metavar="NAME=VALUE",
    help="The point to follow (default: the largest that most commits have).",
)
@click.option(
    "--least",
    type=click.FloatRange(min=0),
    default=0.05,
    show_default=True,
    metavar="SHARE",
    help="Leave out smaller changes.",
)
@click.option(
    "--risk",
    type=click.FloatRange(min=0, max=1, min_open=True, max_open=True),
    default=0.01,
    show_default=True,
    metavar="P",
    help="Admissible probability of a false change point.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write one page with a plot of each kernel.",
)
@click.option("--fail", is_flag=True, help="Exit with 1 where the last change is for the worse.")
@json_option
@format_option
@debug_option
def history_command(
    targets: tuple[str, ...],
    store: Path,
    commit: str,
    at: tuple[str, ...],
    least: float,
    risk: float,
    html: Path | None,
    fail: bool,
    target: str | None,
    form: str,
    debug: bool,
) -> None:
    """Keep models of measurements over commits, and name the commits that changed them.

    TARGETs (studies or files of measurements) are added to the history as of --commit; without, it
    is only shown. A commit changed a law, or a value from which on the series differs (E-divisive
    change points; counts have no noise, and change wherever they change).

    \b
    looplaw history looplaw-out/matmul --commit HEAD
    looplaw history --html history.html
    """
    with guarded(debug):
        for name in targets:
            where = commit_of(commit, Path.cwd())
            new = tuple(records_of(study_or_measurements(name), where))
            if not new:
                raise InputError(f"{name}: nothing was measured or counted in it")
            add_records(store, new)
            say(f"{store}: {counted_noun(len(new), 'series', 'series')} of {where.name[:10]}")
        point = {k: float(v) for k, v in named_numbers(at).items()} if at else None
        lines = lines_of(read_records(store), at=point, risk=risk, least=least)
        if html is not None:
            write_whole(html, page(lines))
            say(f"page: {html.resolve()}")
        if target:
            write_json({"format": FORMAT, "series": [line.to_json() for line in lines]}, target)
        if target != "-":
            show(_table(lines), form)
        leave(finding=fail and any(line.changes and line.changes[-1].is_worse for line in lines))


def _table(lines: tuple[Line, ...]) -> Table:
    rows = tuple(
        (line.kernel, line.metric, c.commit[:10], c.subject, c.kind, c.before, c.after)
        for line in lines
        for c in line.changes
    )
    few = sum(bool(line.remark) for line in lines)
    commits = len({e.record.commit for line in lines for e in line.entries})
    note = f"{len(lines)} series over {counted_noun(commits, 'commit')}, {len(rows)} changes" + (
        f"; {few} with too few commits to look for change points" if few else ""
    )
    return Table(_COLUMNS, rows, note=note)
