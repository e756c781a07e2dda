"""looplaw run: instrumented runs become measurements."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from runtime import Experiment, RunRecord, Snapshot

from ...exchange import observations_of, write_json_lines
from ...studies.adaptive import Adaptive
from ...studies.live import Live
from ...studies.modelers import Metered
from ...studies.prepare import prepare
from ...studies.prepared import Prepared
from ...studies.provenance import places
from ...studies.sweep import Sweep, adaptive_schedule, run_study
from ..common import debug_option, expect_place, write_json
from ..console import guarded, leave, messages, put, say
from ..convergence import Convergence
from ..dry_run import dry_run_option, show_dry_run
from ..options import experiment_options, experiment_settings
from ..progress import Failures, report_selection, report_sweep, shown_point
from ..watch import Watch


@click.command("run")
@click.argument("program", nargs=-1, required=True)
@experiment_options
@click.option("--live", is_flag=True, help="Show the models while they converge.")
@click.option(
    "--adaptive", is_flag=True, help="Stop when the runs determine every model (else exit with 3)."
)
@click.option("--models", "target", metavar="FILE", help="Write the models as JSON.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("looplaw-out/run"),
    help="Directory of the runs.",
)
@click.option(
    "--planned",
    is_flag=True,
    help="Count only loops whose count is not known exactly (looplaw plan lists them).",
)
@dry_run_option
@debug_option
def run_command(
    program: tuple[str, ...],
    live: bool,
    adaptive: bool,
    target: str | None,
    out: Path,
    planned: bool,
    dry_run: bool,
    debug: bool,
    **given: Any,
) -> None:
    """Run PROGRAM instrumented and print measurements as JSON Lines, which looplaw fit reads.

    PROGRAM is sources, .ll or .bc files, or a study.toml.

    \b
    looplaw run matmul.c --vary n=64,128,256 | looplaw fit -
    looplaw run study.toml --live --adaptive --models models.json > measurements.jsonl
    looplaw run study.toml --launcher slurm --slurm time=30m --dry-run
    """
    with guarded(debug):
        expect_place(target)
        prepared = prepare(experiment_settings(program, given), skip_exact=planned)
        report_selection(prepared)
        learned = Live(prepared)
        if dry_run:
            show_dry_run(prepared, learned, out)
            return
        sweep = _swept(prepared, learned, out, is_shown=live, adapt=adaptive)
        report_sweep(prepared, sweep)
        for record in learned.runs:
            rows = (*observations_of(record, places(prepared)), *prepared.operations.of(record))
            put(write_json_lines(rows), nl=False)
        if target:
            write_json(learned.models().to_json(), target)
        open_models = isinstance(sweep.schedule, Adaptive) and not sweep.schedule.identified
        leave(
            interrupted=sweep.interrupted,
            unusable=open_models or not any(r.ok for r in learned.runs),
        )


def _swept(prepared: Prepared, learned: Live, out: Path, *, is_shown: bool, adapt: bool) -> Sweep:
    """Make the runs; with --live the models are shown while they converge."""
    metered = Metered(learned.models, learned)
    following, failures = is_shown and bool(prepared.symbols), Failures()
    shows = (
        Convergence(metered, messages, say, lambda: learned.drifts) if is_shown else nullcontext()
    )
    with shows as shown, Watch(enabled=following) as watch:

        def started(e: Experiment, cells: Path) -> None:
            if shown:
                shown.running(shown_point(e.params))
                watch.follow(cells, lambda seen: grown(e, seen))

        def grown(e: Experiment, seen: Snapshot) -> None:
            if shown and learned.so_far(e, seen.calls.rows):
                shown.grown()

        def finished(record: RunRecord, _: bool) -> None:
            failures.report(record)
            if shown:
                shown.finished()

        models = shown.models if shown else metered.models
        return run_study(
            prepared,
            out,
            live=learned,
            schedule=adaptive_schedule(prepared, learned, models) if adapt else None,
            on_start=started,
            on_run=finished,
            say=say,
        )
