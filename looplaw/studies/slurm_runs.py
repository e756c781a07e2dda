"""The runs of a study as job arrays of Slurm."""

from __future__ import annotations

import json
from pathlib import Path

from runtime import Batch, Schedule, Work, arrays, batch_of, known_runs

from .building import executable_of
from .prepared import Prepared
from .provenance import provenance


def slurm_work(prepared: Prepared, folder: Path) -> Work:
    """What the tasks of job arrays have in common. Runs made on another partition, or by a command
    here, are others."""
    settings, kept = prepared.settings, provenance(prepared)
    places = [
        value
        for demand in settings.slurm.demands
        for name, value in sorted(demand.options.items())
        if name in ("partition", "constraint")
    ]
    return Work(
        folder.resolve(),
        executable_of(prepared, folder.resolve()),
        json.dumps([prepared.identity, "slurm", *places]),
        settings.runs.timeout_s,
        settings.runs.seed,
        kept.environment,
        kept.program,
    )


def job_scripts(prepared: Prepared, schedule: Schedule, folder: Path) -> list[Batch]:
    """The job arrays of the runs that do not depend on others; nothing is written."""
    work, slurm = slurm_work(prepared, folder), prepared.settings.slurm
    return [
        batch_of(array, work.study, work.identity, slurm)
        for array in arrays(known_runs(schedule), slurm, work.timeout_s)
    ]
