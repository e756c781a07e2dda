"""looplaw study: the whole way from source to a report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from looplaw_common.files import write_whole
from modeling import Models
from runtime import Experiment, RunRecord

from ...laws.metrics import modeled
from ...report import render_html
from ...report.tables import study_table
from ...settings.settings import Settings
from ...studies.study import Live, adaptive_schedule, finish, prepare, run_study, write
from ..common import debug_option, expect_place, format_option, show, write_json
from ..console import FINDING, INTERRUPTED, OK, UNUSABLE, guarded, messages, say
from ..options import experiment_options, experiment_settings
from ..progress import report_failure, report_selection, report_sweep, shown_point
from ..watch import Watch


@click.command("study")
@click.argument("program", nargs=-1, required=True)
@experiment_options
@click.option("--adaptive", is_flag=True, help="Stop when every model is identified.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Directory of the study."
)
@click.option(
    "--json", "target", metavar="FILE", help="Write the whole study as JSON as well; - is stdout."
)
@format_option
@debug_option
def study_command(
    program: tuple[str, ...],
    out: Path | None,
    target: str | None,
    form: str,
    debug: bool,
    adaptive: bool,
    **given: Any,
) -> None:
    """Analyse, run and model PROGRAM (sources, .ll, .bc, or a study.toml) and write a report.

    \b
    looplaw study matmul.c --vary n=64,128,256,512
    looplaw study nest.c --vary n=64,256 --vary p=1,2,4 --vary m=100
    looplaw study matmul.c --design plan --until 5% --budget-time 10m
    looplaw study app.cc io.cc --vary n=64,128,256 --kernel 'solve*' --file '!io.cc' --max-overhead 2%
    looplaw study study.toml
    """
    with guarded(debug):
        expect_place(target)
        settings = experiment_settings(program, given)
        folder = out or Path("looplaw-out") / settings.program[0].stem
        sys.exit(_study(settings, folder, target, form, settings.metrics, adaptive))


def _study(
    settings: Settings,
    folder: Path,
    target: str | None,
    form: str,
    metrics: tuple[str, ...],
    adapt: bool,
) -> int:
    with messages.status("compiling and analysing"):
        prepared = prepare(settings)
    exact = sum(loop.total.kind == "exact" for loop in prepared.analysis.loops)
    report_selection(prepared)
    live = Live(prepared)
    schedule = adaptive_schedule(prepared, live, live.models) if adapt else None
    runs = len(prepared.experiments) * (
        prepared.settings.runs.repetitions + prepared.settings.runs.warmup
    )
    say(
        f"{len(prepared.analysis.loops)} loops found, {exact} with an exact formula; "
        + (f"up to {runs} runs to make" if adapt else f"{runs} runs to make")
    )
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    reused = made = 0
    with Progress(
        *columns, console=messages, transient=True, disable=not messages.is_terminal
    ) as progress:
        task = progress.add_task("building", total=runs)

        def started(e: Experiment, cells: Path) -> None:
            at = shown_point(e.params)
            progress.update(task, description=at)
            watch.follow(
                cells,
                lambda seen: progress.update(
                    task, description=f"{at}: {int(seen.iterations.clip(0).sum()):.3g} iterations"
                ),
            )

        def finished(record: RunRecord, fresh: bool) -> None:
            nonlocal reused, made
            reused, made = reused + (not fresh), made + 1
            progress.update(task, advance=1, total=max(runs, made))
            report_failure(record)

        with Watch(enabled=messages.is_terminal) as watch:
            sweep = run_study(
                prepared,
                folder,
                live=live,
                schedule=schedule,
                on_start=started,
                on_run=finished,
                say=say,
            )
    if reused:
        say(f"{reused} runs were finished before and are reused")
    report_sweep(prepared, sweep)
    with messages.status("fitting and comparing"):
        comparison, models, data = finish(prepared, live)
    if metrics:
        models = Models(tuple(m for m in models.models if m.metric in modeled(metrics)))
    write(folder, data, models)
    report = folder / "report.html"
    write_whole(report, render_html(data))
    if target:
        write_json(data, target)
    if target != "-":
        show(study_table(data), form)
    for row in comparison.miscounted:
        say(f"{row.loop.at}: {row.reason}")
    say(f"report: {report.resolve()}")
    if sweep.interrupted:
        say(f"interrupted after {made} of {max(runs, made)} runs; the same command goes on there")
        return INTERRUPTED
    if not any(r.ok for r in live.runs):
        say("looplaw: no run succeeded")
        return UNUSABLE
    return FINDING if comparison.miscounted else OK
