"""A task of a job array: `python -m runtime.slurm.task FOLDER` makes the runs of task
SLURM_ARRAY_TASK_ID of the batch in FOLDER.

It locks each run like any other sweep of the study, so that none is made twice, and syncs it to the
disk. When Slurm sends SIGTERM, because the time is up or the node is needed, the task ends the
program and releases the lock.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from looplaw_common.errors import RunError
from looplaw_common.text import as_line

from ..launch.environment import machine
from ..launch.slurm_commands import this_task
from ..sweep.schedule import Listed
from ..sweep.store import Store
from ..sweep.sweep import Provenance, run_sweep
from .job_arrays import read_tasks, read_work

_TERMINATED = 128 + signal.SIGTERM  # the exit code of a shell whose command SIGTERM ended


def main(folder: Path) -> None:
    """Make the runs of this task and print the outcome of each.

    Raises:
        RunError: the batch cannot be read, or has no such task.
    """
    task, _ = this_task(os.environ)
    number = os.environ.get("SLURM_ARRAY_TASK_ID", "")
    work, tasks = read_work(folder), read_tasks(folder)
    if not number.isdecimal() or int(number) >= len(tasks):
        raise RunError(
            f"{folder}: it has {len(tasks)} tasks, and SLURM_ARRAY_TASK_ID is {number or 'not set'}"
        )
    # A shell starts background jobs with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _terminated)
    # This script's rank, which the runtime would take for the program's; srun sets its own.
    os.environ.pop("SLURM_PROCID", None)
    provenance = Provenance({**work.environment, **machine()}, work.program)
    for record, fresh in run_sweep(
        work.executable,
        Listed(tasks[int(number)], work.seed),
        Store(work.study),
        identity=work.identity,
        timeout_s=work.timeout_s,
        provenance=provenance,
        shared=True,
        over=frozenset(work.over),
    ):
        point = " ".join(f"{name}={value}" for name, value in record.params.items())
        outcome = f"{record.status}{'' if fresh else ' (made before)'}"
        print(as_line(f"{task}: {point} repetition {record.repetition}: {outcome}"), flush=True)


def _terminated(*_: object) -> None:
    """Treat SIGTERM like Ctrl-C, which `launch.run` holds back while it starts a program."""
    signal.raise_signal(signal.SIGINT)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except RunError as error:
        sys.exit(as_line(f"looplaw: {error}"))
    except KeyboardInterrupt:
        sys.exit(_TERMINATED)
