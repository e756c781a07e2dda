"""A task of a job array: python -m runtime.slurm.task FOLDER makes the runs of task
SLURM_ARRAY_TASK_ID of the batch in FOLDER.

It claims each run as any other sweep of the study does, so that none is made twice, and writes it
through to the disk. When Slurm says that the time is up or the node is wanted (SIGTERM), the
program is ended and its claim given up.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from looplaw_common.errors import RunError

from ..build.build import Program
from ..launch.environment import machine
from ..launch.slurm_commands import this_task
from ..sweep.schedule import Listed
from ..sweep.store import Store
from ..sweep.sweep import Provenance, run_sweep
from .job_arrays import read_tasks, read_work

_TERMINATED = 128 + signal.SIGTERM


def main(folder: Path) -> None:
    """Make the runs of this task, and say what became of each.

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
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # scripts may have been started without
    signal.signal(signal.SIGTERM, _terminated)
    os.environ.pop(
        "SLURM_PROCID", None
    )  # that of this script; what srun or mpiexec starts has its own
    provenance = Provenance({**work.environment, **machine()}, work.program)
    for record, fresh in run_sweep(
        Program(work.executable, None),
        Listed(tasks[int(number)], work.seed),
        Store(work.study),
        identity=work.identity,
        timeout_s=work.timeout_s,
        provenance=provenance,
        shared=True,
        over=frozenset(work.over),
    ):
        point = " ".join(f"{name}={value}" for name, value in record.params.items())
        print(
            f"{task}: {point} repetition {record.repetition}:"
            f" {record.status}{'' if fresh else ' (made before)'}",
            flush=True,
        )


def _terminated(*_: object) -> None:
    """As Ctrl-C, which is held back while a program is being started: it could not be ended in
    between."""
    signal.raise_signal(signal.SIGINT)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except RunError as error:
        sys.exit(f"looplaw: {error}")
    except KeyboardInterrupt:
        sys.exit(_TERMINATED)
