"""What a sweep would do: job scripts for Slurm, command lines otherwise."""

from __future__ import annotations

import shlex
from pathlib import Path

from looplaw_common.text import in_one_line
from runtime import Schedule, known_runs
from runtime.launch.run import command_line

from ..studies.building import executable_of
from ..studies.prepared import Prepared
from ..studies.slurm_runs import job_scripts


def dry_run_text(prepared: Prepared, schedule: Schedule, folder: Path) -> str:
    """The job scripts, each behind a line that names the file it would be, or a line for each run
    in the order of runs; those that follow from how others end are not among them. Nothing is built
    or written."""
    if prepared.settings.is_for_slurm:
        return "\n".join(
            f"# {batch.folder / 'job.sh'}: {len(batch.array.tasks)} tasks, "
            f"{sum(map(len, batch.array.tasks))} runs\n{batch.script}"
            for batch in job_scripts(prepared, schedule, folder)
        )
    program = executable_of(prepared, folder)
    commands = (
        shlex.join(command_line((*e.environment, str(program), *e.argv), e.launcher))
        for e in known_runs(schedule)
    )
    return "".join(f"{in_one_line(command)}\n" for command in commands)
