"""What a sweep would do: job scripts for Slurm, command lines otherwise, and how long it takes."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from looplaw_common.text import in_one_line
from runtime import Experiment, known_runs
from runtime.launch.run import command_line

from ..planning.measurement_plan import seconds_of_run
from ..report.cells import counted_noun
from ..report.forecast_table import seconds_text
from ..studies.building import executable_of
from ..studies.live import Live
from ..studies.prepared import Prepared
from ..studies.slurm_runs import job_scripts
from ..studies.sweep import schedule_of
from .console import say, tell_lines

F = TypeVar("F", bound=Callable[..., Any])

dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Run nothing: print the commands, and how long they may take."
)


def show_dry_run(prepared: Prepared, live: Live, folder: Path) -> None:
    """The job scripts, each behind a line that names the file it would be, or a line for each run
    in the order of runs; those that follow from how others end are not among them. Nothing is built
    or written."""
    if prepared.settings.is_for_slurm:
        schedule = schedule_of(prepared, live, prepared.experiments)
        for batch in job_scripts(prepared, schedule, folder):
            tasks = batch.array.tasks
            head = f"{len(tasks)} tasks, {sum(map(len, tasks))} runs"
            tell_lines(f"# {batch.folder / 'job.sh'}: {head}\n{batch.script}")
        return
    runs = known_runs(schedule_of(prepared, live, prepared.experiments))
    program = str(executable_of(prepared, folder))
    for e in runs:
        words = command_line((*e.environment, program, *e.argv), e.launcher)
        read = "" if e.stdin is None else f" < {shlex.quote(e.stdin)}"
        with_files = "".join(f"  # with {name}" for name in [file.path for file in e.files])
        tell_lines(in_one_line(shlex.join(words) + read + with_files))
    say(_time_text(prepared, runs))


def _time_text(prepared: Prepared, runs: Sequence[Experiment]) -> str:
    """How many runs there are and how long they take, by the formulas of their loops."""
    loops = prepared.analysis.loops
    formulas = [loop.total.formula for loop in loops if loop.total.formula is not None]
    seconds = sum(seconds_of_run(formulas, run.params) for run in runs)
    inexact = sum(loop.total.kind != "exact" for loop in loops)
    more = f"; {counted_noun(inexact, 'loop')} without an exact formula may take longer"
    return (
        f"{counted_noun(len(runs), 'run')}, about {seconds_text(seconds)} in all"
        f"{more if inexact else ''}; nothing was run"
    )
