"""A Slurm of one machine, as far as its users see it: sbatch, squeue, sacct, scancel and scontrol
by the name that it is called by. Job arrays run at once, each task as a process group of its own
with Slurm's variables.

The folder FAKE_SLURM holds its state. FAKE_SLURM/plan.json says what befalls a task JOB_TASK (jobs
count from 100): "preempt" ends it with SIGTERM once its program runs, and starts it again;
"node_fail" and "timeout" kill it then; "lost" is never started and nobody knows of it; "cancel" is
never started; "hold" waits for ever.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

STATE = Path(os.environ["FAKE_SLURM"])
LOG, GATE = Path(os.environ["LOG"]), Path(os.environ["GATE"])
ENDED = {"node_fail": "NODE_FAIL", "timeout": "TIMEOUT"}


def install(folder: Path) -> None:
    """Put the commands into a folder."""
    for name in ("sbatch", "squeue", "sacct", "scancel"):
        path = folder / name
        path.write_text(
            f"#!{sys.executable} -SE\nimport sys\nsys.argv[0] = {name!r}\n"
            f"exec(compile(open({__file__!r}).read(), {__file__!r}, 'exec'))\n"
        )
        path.chmod(0o755)


def sbatch(words: list[str]) -> None:
    """sbatch --parsable SCRIPT; options are lines #SBATCH of the script."""
    assert words[0] == "--parsable"
    script = Path(words[1])
    options = dict(
        line.split(maxsplit=1)[1].strip("'").lstrip("-").partition("=")[::2]
        for line in script.read_text().splitlines()
        if line.startswith("#SBATCH ")
    )
    first, last = options["array"].partition("%")[0].split("-")
    job = 100 + len(list(STATE.glob("job-*")))
    (STATE / f"job-{job}").write_text(script.read_text())
    for task in range(int(first), int(last) + 1):
        set_state(f"{job}_{task}", "PENDING")
    for task in range(int(first), int(last) + 1):
        subprocess.Popen(
            [
                sys.executable,
                "-SE",
                __file__,
                "task",
                str(job),
                str(task),
                str(script),
                options["output"],
            ],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    print(job)


def set_state(name: str, state: str) -> None:
    partial = STATE / f".{name}"
    partial.write_text(state)
    partial.replace(STATE / f"task-{name}")


def states() -> dict[str, str]:
    return {p.name[5:]: p.read_text() for p in STATE.glob("task-*")}


def run_task(words: list[str]) -> None:
    """One task, with what is planned for it."""
    job, task, script, output = words
    name = f"{job}_{task}"
    plan = json.loads((STATE / "plan.json").read_text()).get(name, "")
    if plan in ("lost", "cancel", "hold"):
        if plan == "lost":
            (STATE / f"task-{name}").unlink()
        elif plan == "cancel":
            set_state(name, "CANCELLED by 0")
        return
    set_state(name, "RUNNING")
    if plan:
        before = LOG.read_text() if LOG.exists() else ""
        process = start(job, task, script, output, 0)
        until(lambda: LOG.exists() and len(LOG.read_text()) > len(before))
        if plan == "preempt":
            process.send_signal(signal.SIGTERM)
        else:
            kill_all(job, task)
        process.wait()
        GATE.touch()
        if plan != "preempt":
            set_state(name, ENDED[plan])
            return
        set_state(name, "PENDING")
        set_state(name, "RUNNING")
    code = start(job, task, script, output, 1 if plan else 0).wait()
    set_state(name, "FAILED" if code else "COMPLETED")


def start(job: str, task: str, script: str, output: str, restarts: int) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "SLURM_JOB_ID": str(int(job) * 1000 + int(task)),
        "SLURM_ARRAY_JOB_ID": job,
        "SLURM_ARRAY_TASK_ID": task,
    }
    if restarts:
        environment["SLURM_RESTART_COUNT"] = str(restarts)
    with open(output.replace("%A", job).replace("%a", task), "ab") as log:
        return subprocess.Popen(
            ["/bin/bash", script],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def kill_all(job: str, task: str) -> None:
    """All processes of a task, as Slurm finds them by their control group."""
    wanted = {f"SLURM_ARRAY_JOB_ID={job}".encode(), f"SLURM_ARRAY_TASK_ID={task}".encode()}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted <= set((folder / "environ").read_bytes().split(b"\0")):
                os.kill(int(folder.name), signal.SIGKILL)
        except OSError:
            continue


def until(true: Callable[[], bool]) -> None:
    while not true():
        time.sleep(0.01)


def squeue(words: list[str]) -> None:
    assert {"--noheader", "--array", "--format=%i"} <= set(words), words
    assert f"--user={os.getuid()}" in words
    for name, state in states().items():
        if state in ("PENDING", "RUNNING"):
            print(name)


def sacct(words: list[str]) -> None:
    jobs = next(word for word in words if word.startswith("--jobs="))[len("--jobs=") :].split(",")
    for name, state in states().items():
        if name.partition("_")[0] in jobs:
            print(f"{name}|{state}")


def scancel(words: list[str]) -> None:
    assert words[0] == "--state=PENDING"
    for name, state in states().items():
        if state == "PENDING" and name.partition("_")[0] in words[1:]:
            set_state(name, "CANCELLED by 0")


if __name__ == "__main__":
    if sys.argv[1:2] == ["task"]:
        run_task(sys.argv[2:])
    else:
        {"sbatch": sbatch, "squeue": squeue, "sacct": sacct, "scancel": scancel}[sys.argv[0]](
            sys.argv[1:]
        )
