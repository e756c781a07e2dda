"""looplaw study: the whole way from source to a report."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click
import msgspec

from looplaw_common.errors import InputError
from looplaw_common.files import write_whole
from modeling import Models
from modeling.pmnf.machine_costs import Costs
from runtime import Experiment, RunRecord

from ...documents.reading import named_floats
from ...documents.study import StudyDocument
from ...laws.answer import answer
from ...laws.comparison import Comparison, broken_assumptions
from ...laws.forecast import expect_varied
from ...laws.machine_costs import costs_for
from ...laws.metrics import modeled
from ...laws.settle import with_remedies
from ...report import render_html
from ...report.answer_text import advice
from ...report.cells import counted_noun
from ...settings.settings import Settings
from ...studies.finish import finish, write
from ...studies.kernel_study import prepare_kernels
from ...studies.kernels import kernels_in
from ...studies.live import Live
from ...studies.prepare import prepare
from ...studies.prepared import Prepared
from ...studies.sweep import Sweep, adaptive_schedule, run_study
from ...studies.way_of_running import crowded, way_of_running
from ..answer_options import answer_options, cost_option, show_study
from ..bar import bar
from ..common import debug_option, expect_place, format_option, json_option, write_json
from ..console import guarded, leave, messages, say, tell_lines
from ..dry_run import dry_run_option, show_dry_run
from ..fitting.proved_work import WORKERS
from ..options import experiment_options, experiment_settings
from ..progress import (
    Failures,
    Hottest,
    arguments_missing,
    report_selection,
    report_sweep,
    shown_point,
)
from ..watch import Watch


@click.command("study")
@click.argument("program", nargs=-1, required=True)
@experiment_options
@dry_run_option
@click.option("--adaptive", is_flag=True, help="Stop when the runs determine every model.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Directory of the study."
)
@json_option
@click.option(
    "--machine",
    metavar="FILE",
    help="Costs of memory to model times with: of looplaw machine --json, or none. [default: this"
    " machine's, measured once]",
)
@click.option(
    "--at",
    "sizes",
    multiple=True,
    metavar="NAME=VALUE",
    help="The size to predict.  [default: 4 times the largest]",
)
@cost_option
@answer_options
@format_option
@debug_option
def study_command(
    program: tuple[str, ...],
    out: Path | None,
    target: str | None,
    machine: str | None,
    form: str,
    debug: bool,
    adaptive: bool,
    dry_run: bool,
    sizes: tuple[str, ...],
    cost: float | None,
    **given: Any,
) -> None:
    """Run PROGRAM at several sizes, say what limits it at a larger one, and write a report.

    PROGRAM is sources, .ll or .bc files, or a study.toml.

    \b
    looplaw study matmul.c --vary n=64,128,256,512
    looplaw study nest.c --vary n=64,256 --vary p=1,2,4 --vary m=100
    looplaw study matmul.c --vary n=64,128,256 --until 5% --budget-time 5s
    looplaw study app.cc io.cc --vary n=64,128,256 --kernel 'solve*' --max-overhead 2%
    looplaw study matmul.c --vary n=64,128,256,512 --at n=4096 --all
    looplaw study rows.cl --vary n=64,128,256
    looplaw study study.toml
    """
    with guarded(debug):
        expect_place(target)
        settings = experiment_settings(program, given)
        folder = out or Path("looplaw-out") / settings.program[0].stem
        if (kernels := kernels_in(settings)) is not None:
            wanted = _Wanted(folder, target, form, named_floats(sizes), cost, given)
            _study_kernels(kernels, settings, wanted, dry_run=dry_run)
            return
        if dry_run:
            prepared = prepare(settings)
            show_dry_run(prepared, Live(prepared), folder)
            return
        costs = None if settings.is_for_slurm and machine is None else costs_for(machine, say)
        wanted = _Wanted(folder, target, form, named_floats(sizes), cost, given)
        study_and_report(settings, wanted, costs, adapt=adaptive)


@dataclass(frozen=True)
class _Wanted:
    """Where the study goes and what of it is shown. at: the size that the run is meant for. cost:
    of an hour of a node."""

    folder: Path
    json: str | None
    form: str
    at: Mapping[str, float]
    cost: float | None
    shown: Mapping[str, Any]


_REPORT = "report.html"
_NO_FORMULA = ": the source gives no formula for them; one that agrees was found in the counts"


def study_and_report(
    settings: Settings, wanted: _Wanted, costs: Costs | None, *, adapt: bool
) -> None:
    """Run the study, show what came out, and leave."""
    folder, target = wanted.folder, wanted.json
    if unknown := [n for n in wanted.at if n not in settings.vary]:
        known = ", ".join(settings.vary) or "nothing"
        raise InputError(f"--at {', '.join(unknown)}: the study varies {known}")
    if not adapt:
        expect_varied(wanted.at, settings.vary)
    with messages.status("compiling and analysing"):
        prepared = prepare(settings)
    report_selection(prepared)
    live = Live(prepared)
    sweep, made = _swept(prepared, live, folder, adapt)
    if not any(r.ok for r in live.runs):
        _leave_without_runs(prepared, sweep, live, made)
    report_sweep(prepared, sweep)
    with messages.status("fitting and comparing"):
        comparison, models, document = finish(prepared, live, costs)
        document = msgspec.structs.replace(
            document, target=dict(wanted.at) or None, cost_per_hour=wanted.cost
        )
        found = answer(document, None, str(folder))
        found = with_remedies(found, str(folder))
        document = msgspec.structs.replace(found.study, advice=advice(found))
    if settings.metrics:
        chosen = modeled(settings.metrics)
        models = Models(tuple(m for m in models.models if m.metric in chosen))
    _write(document, models, wanted)
    if document.summary.conclusion:
        say(f"{document.summary.conclusion}{_NO_FORMULA if document.loops else ''}")
    if target != "-":
        show_study(document, wanted.form, wanted.shown, found)
    _tell_rest(comparison, wanted)
    if any(p.origin in WORKERS and len(p.values) >= _FEWEST_FOR_A_LAW for p in document.parameters):
        say(f"speed-up: looplaw scaling {wanted.folder} --plot speedup.pdf")
    if sweep.interrupted:
        say(f"interrupted after {made}; the same command goes on there")
    leave(interrupted=sweep.interrupted, finding=bool(comparison.miscounted))


_FEWEST_FOR_A_LAW = 3
"""Numbers of workers that `scaling` needs to tell its methods apart."""


def _study_kernels(text: str, settings: Settings, wanted: _Wanted, *, dry_run: bool) -> None:
    """Launch the kernels of a program on this processor, show what came out, and leave."""
    with messages.status("compiling and analysing"):
        study = prepare_kernels(settings, text)
    points = study.points
    for line in study.said:
        say(line)
    if dry_run:
        for point in points:
            tell_lines(shown_point(point))
        return
    say(f"{counted_noun(len(points), 'point')}: {counted_noun(len(study.parts), 'kernel')} each")
    failures = Failures()
    with closing(study), bar("launching", len(points)) as shown:
        for point in points:
            shown.tell(shown_point(point))
            failures.report(study.run(point))
            shown.step()
    if not any(r.ok for r in study.runs):
        say(f"looplaw: no launch succeeded: {study.runs[0].reason}")
        leave(unusable=True)
    comparison, models, document = study.finish()
    document = msgspec.structs.replace(document, target=dict(wanted.at) or None)
    _write(document, models, wanted)
    if wanted.json != "-":
        show_study(document, wanted.form, wanted.shown, answer(document, None, str(wanted.folder)))
    _tell_rest(comparison, wanted)
    leave(finding=bool(comparison.miscounted))


def _write(document: StudyDocument, models: Models, wanted: _Wanted) -> None:
    """The study, its models and its report as files."""
    wanted.folder.mkdir(parents=True, exist_ok=True)
    write(wanted.folder, document, models)
    write_whole(wanted.folder / _REPORT, render_html(document))
    if wanted.json:
        write_json(document, wanted.json)


def _tell_rest(comparison: Comparison, wanted: _Wanted) -> None:
    """What was miscounted, where no table for people says it, what was not judged, and where the
    report is."""
    if wanted.form != "text" or wanted.json == "-":
        for row in comparison.miscounted:
            say(f"{row.loop.at}: {row.reason}")
    for text in broken_assumptions(comparison):
        say(text)
    say(f"report: {(wanted.folder / _REPORT).resolve()}")


def _leave_without_runs(prepared: Prepared, sweep: Sweep, live: Live, made: str) -> NoReturn:
    """Where no run succeeded there is nothing to report: neither counts nor times."""
    if sweep.interrupted:
        say(f"interrupted after {made}; the same command goes on there")
        leave(interrupted=True)
    if sweep.budget_spent:
        report_sweep(prepared, sweep)
    reasons = Counter(r.reason for r in live.runs if r.reason)
    why = f": {reasons.most_common(1)[0][0]}" if len(reasons) == 1 else ""
    hint = arguments_missing(prepared)
    say(f"looplaw: no run succeeded{why}{f'; {hint}' if hint else ''}")
    leave(unusable=True)


def _swept(prepared: Prepared, live: Live, folder: Path, adapt: bool) -> tuple[Sweep, str]:
    """Make the runs behind a progress bar; the sweep, and how many runs were made of how many."""
    settings, loops = prepared.settings.runs, prepared.analysis.loops
    runs = len(prepared.experiments) * (settings.repetitions + settings.warmup)
    exact = sum(loop.total.kind == "exact" for loop in loops)
    how = way_of_running(prepared)
    say(f"{'up to ' if adapt else ''}{counted_noun(runs, 'run')}{': ' if how else ''}{how}")
    say(f"{counted_noun(len(loops), 'loop')} found, {exact} with an exact formula")
    if note := crowded(prepared, len(os.sched_getaffinity(0))):
        say(note)
    fresh: list[bool] = []
    hottest, failures = Hottest(prepared), Failures()
    with bar("building", runs) as shown, Watch(enabled=messages.is_terminal) as watch:

        def started(e: Experiment, cells: Path) -> None:
            at = shown_point(e.params)
            shown.tell(at)
            watch.follow(
                cells,
                lambda seen: shown.tell(
                    f"{at}: {int(seen.iterations.clip(0).sum()):.3g} iterations"
                ),
            )

        def finished(record: RunRecord, is_fresh: bool) -> None:
            fresh.append(is_fresh)
            shown.step()
            if told := hottest.after(record):
                shown.learned(told)
            failures.report(record)

        sweep = run_study(
            prepared,
            folder,
            live=live,
            schedule=adaptive_schedule(prepared, live, live.models) if adapt else None,
            on_start=started,
            on_run=finished,
            say=say,
        )
    if reused := fresh.count(False):
        were = "was" if reused == 1 else "were"
        say(f"{counted_noun(reused, 'run')} {were} finished before and reused")
    return sweep, f"{len(fresh)} of {max(runs, len(fresh))} runs"
