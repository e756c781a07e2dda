"""The runs of a study: which come when, made here or by job arrays.

Every finished run is on disk before the next one starts; the same study started again goes on
where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from modeling import Models
from runtime import (
    Budget,
    Experiment,
    Program,
    Repeated,
    RunRecord,
    Schedule,
    Store,
    UntilTight,
    run_on_slurm,
    run_sweep,
)

from .adaptive import Adaptive
from .building import build
from .design import Runner, points
from .live import Live
from .prepared import Prepared
from .provenance import provenance
from .slurm_runs import slurm_work


@dataclass(frozen=True)
class Sweep:
    """A study that was run: interrupted by the user, or at the end of its budget, or to its end."""

    live: Live
    store: Store
    schedule: Schedule
    interrupted: bool
    budget_spent: bool


def schedule_of(prepared: Prepared, live: Live, experiments: Sequence[Experiment]) -> Schedule:
    """How often and in which order the given points are run."""
    runs = prepared.settings.runs
    first = Repeated(experiments, runs.repetitions, warmup=runs.warmup, seed=runs.seed)
    return (
        first
        if runs.until is None
        else UntilTight(first, runs.until, max(runs.most, runs.repetitions), live.times)
    )


def adaptive_schedule(prepared: Prepared, live: Live, models: Callable[[], Models]) -> Adaptive:
    """Points in batches until every model is identified: those that the plan suggests, then others
    of the design."""
    settings, analysis = prepared.settings, prepared.analysis
    runner = Runner(settings, analysis)
    every = points(settings, analysis)
    first = every
    if settings.design == "full" and not settings.points:
        first = points(replace(settings, design="lines"), analysis)
    return Adaptive(
        first,
        every,
        settings.vary,
        run=runner.at,
        batch=lambda experiments: schedule_of(prepared, live, experiments),
        models=models,
        modeler=live.modeler,
        seed=settings.runs.seed,
    )


def run_study(
    prepared: Prepared,
    folder: Path,
    *,
    live: Live | None = None,
    schedule: Schedule | None = None,
    on_start: Callable[[Experiment, Path], None] | None = None,
    on_run: Callable[[RunRecord, bool], None] | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Sweep:
    """Build and sweep. `on_run` gets each run, and whether it was made just now; `say` a line for
    what Slurm is given."""
    store = Store(folder)
    program = build(prepared, folder)
    live = live or Live(prepared)
    schedule = schedule or schedule_of(prepared, live, prepared.experiments)
    budget = Budget(prepared.settings.runs.budget_s, prepared.settings.runs.most_runs)
    try:
        for record, fresh in _made(prepared, program, schedule, store, budget, on_start, say):
            live.add(record)
            if on_run:
                on_run(record, fresh)
    except KeyboardInterrupt:
        return Sweep(live, store, schedule, True, False)
    return Sweep(live, store, schedule, False, budget.stopped)


def _made(
    prepared: Prepared,
    program: Program,
    schedule: Schedule,
    store: Store,
    budget: Budget,
    on_start: Callable[[Experiment, Path], None] | None,
    say: Callable[[str], None],
) -> Iterator[tuple[RunRecord, bool]]:
    """The runs of a schedule, made here or by job arrays."""
    settings = prepared.settings
    if settings.is_for_slurm:
        return run_on_slurm(
            schedule,
            store,
            settings.slurm,
            slurm_work(prepared, store.folder),
            budget=budget,
            say=say,
        )
    return run_sweep(
        program.executable,
        schedule,
        store,
        identity=prepared.identity,
        timeout_s=settings.runs.timeout_s,
        budget=budget,
        provenance=provenance(prepared),
        on_start=on_start,
        events=settings.events,
    )
