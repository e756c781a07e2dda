"""Slurm's commands: sbatch submits job arrays, squeue lists what is left of them, sacct or scontrol
report how the rest ended, scancel removes what has not started.

Slurm queues, starts, limits and requeues; no process of ours has to stay alive meanwhile. The store
alone decides which runs are finished. Slurm is asked only which tasks are left, and why one ended
without its runs.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.commands import answered, text_of, tool_words
from looplaw_common.errors import RunError

_TIMEOUT_S = 120
"""For one command: a busy controller answers within its MessageTimeout, 10 to 100 s."""
_JOB = re.compile(r"(\d+)(;[\w.-]+)?")
_TASK = re.compile(r"\d+(_\d+)?")
_STATE = re.compile(r"JobState=(\w+)")
_ARRAY = re.compile(r"ArrayJobId=(\d+) ArrayTaskId=(\d+)(?=\s)")


def submit(script: Path) -> str:
    """Submit a job array; returns the number of the job.

    Raises:
        RunError: there is no sbatch, or it rejects the script; the message is Slurm's.
    """
    done = _run(["sbatch", "--parsable", str(script)])
    found = (
        _JOB.fullmatch(done.stdout.strip().splitlines()[-1])
        if done.returncode == 0 and done.stdout.strip()
        else None
    )
    if found is None:
        said = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise RunError(f"{script}: sbatch did not take it: {said}")
    return found[1]


def queued() -> frozenset[str] | None:
    """Tasks JOB_TASK of this user's job arrays that wait or run; None if squeue does not answer."""
    try:
        done = _run(["squeue", "--noheader", "--array", "--format=%i", f"--user={os.getuid()}"])
    except RunError:
        return None
    if done.returncode != 0:
        return None
    return frozenset(word for word in done.stdout.split() if _TASK.fullmatch(word))


def fates(jobs: Sequence[str]) -> dict[str, str]:
    """Task JOB_TASK -> state (COMPLETED, FAILED, TIMEOUT, NODE_FAIL, PREEMPTED, ...), for the tasks
    that accounting, or else the controller, still knows."""
    if not jobs:
        return {}
    found = {}
    for line in _lines_of(
        [
            "sacct",
            "--noheader",
            "--parsable2",
            "--allocations",
            "--format=JobID,State",
            f"--jobs={','.join(jobs)}",
        ]
    ):
        task, _, state = line.partition("|")
        if _TASK.fullmatch(task) and state:
            found[task] = state.split()[0]  # "CANCELLED by 1000"
    if found:
        return found
    for job in jobs:
        for line in _lines_of(["scontrol", "--oneliner", "show", "job", job]):
            task_of, state_of = _ARRAY.search(line), _STATE.search(line)
            if task_of and state_of:
                found[f"{task_of[1]}_{task_of[2]}"] = state_of[1]
    return found


def cancel_waiting(jobs: Iterable[str]) -> None:
    """Cancel the tasks of these jobs that have not started."""
    words = ["scancel", "--state=PENDING", *sorted(jobs)]
    if len(words) > 2:
        _lines_of(words)


def this_task(environment: Mapping[str, str]) -> tuple[str, str]:
    """The job that a process with this environment belongs to: JOB_TASK or JOB, and the number of
    its restarts; empty texts outside of Slurm."""
    job = environment.get("SLURM_ARRAY_JOB_ID") or environment.get("SLURM_JOB_ID") or ""
    number = environment.get("SLURM_ARRAY_TASK_ID")
    return (f"{job}_{number}" if job and number else job), (
        environment.get("SLURM_RESTART_COUNT", "0") if job else ""
    )


def _lines_of(words: Sequence[str]) -> list[str]:
    """The lines that a command prints; none if it fails."""
    try:
        done = _run(words)
    except RunError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


@dataclass(frozen=True)
class _Answer:
    """What a command printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def _run(words: Sequence[str]) -> _Answer:
    try:
        done = answered(tool_words(words), timeout_s=_TIMEOUT_S, environment=os.environ)
        return _Answer(done.returncode, text_of(done.stdout), text_of(done.stderr))
    except FileNotFoundError:
        raise RunError(
            f"{words[0]}: no such command; --launcher slurm is used on a machine that submits to"
            " Slurm"
        ) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RunError(f"{words[0]}: {error}") from None
