"""Sweeps through Slurm's job arrays: a Slurm on PATH that runs them here and does to them what real
ones do."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from runtime import (
    Budget,
    Demand,
    Experiment,
    InputError,
    Repeated,
    RunError,
    RunRecord,
    Slurm,
    Store,
    Work,
    arrays,
    batch_of,
    build_program,
    known_runs,
    plan_all,
    run_on_slurm,
)
from runtime.slurm.job_arrays import read_tasks, read_work, walltime
from runtime.sweep.run_locks import Owner, RunLocks
from staticana import canonical, compile_sources, parse_module
from tests.places import ROOT

# Says when it starts and ends; the one with 7 waits for the gate when it starts; the one with 13
# fails.
PROGRAM = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    char line[64];
    int log = open(getenv("LOG"), O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (write(log, line, sprintf(line, "start %d\\n", n)) < 0) return 2;
    for (int i = 0; i < n; i++) {
        s++;
    }
    while (n == 7 && access(getenv("GATE"), F_OK)) {
        usleep(1000);
    }
    if (n == 13) return 3;
    return write(log, line, sprintf(line, "end %d\\n", n)) < 0;
}
"""
QUICK = Slurm(poll_s=0.05, demands=(Demand({}, {"partition": "short"}),))


class Cluster:
    """The fake Slurm, the program, and the log of its executions."""

    def __init__(self, folder: Path) -> None:
        source = folder / "program.c"
        source.write_text(PROGRAM)
        text = canonical(compile_sources([source]))
        self.folder, self.state, self.log = folder / "out", folder / "slurm", folder / "log"
        self.executable = build_program(
            text, plan_all(parse_module(text)), folder / "program"
        ).executable
        self.work = Work(self.folder, self.executable, "a", 60.0, 0)
        self.said: list[str] = []
        self.state.mkdir()
        self.plan({})

    def plan(self, fates: dict[str, str]) -> None:
        (self.state / "plan.json").write_text(json.dumps(fates))

    def sweep(
        self, numbers: Sequence[int], slurm: Slurm = QUICK, budget: Budget | None = None
    ) -> list[tuple[RunRecord, bool]]:
        points = [Experiment({"n": n}, (str(n),)) for n in numbers]
        return list(
            run_on_slurm(
                Repeated(points, 1),
                Store(self.folder),
                slurm,
                self.work,
                budget=budget,
                say=self.said.append,
            )
        )

    def ended(self) -> Counter[int]:
        return Counter(
            int(line.split()[1])
            for line in self.log.read_text().splitlines()
            if line.startswith("end")
        )


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, path in (("FAKE_SLURM", "slurm"), ("LOG", "log"), ("GATE", "gate")):
        monkeypatch.setenv(name, str(tmp_path / path))
    from . import fake_slurm

    fake_slurm.install(commands)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    return Cluster(tmp_path)


def test_a_task_takes_no_module_of_the_folder_of_submission(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "checkout"
    for name in ("runtime", "looplaw_common", "numpy", "json", "llvmlite"):
        (checkout / name).mkdir(parents=True)
        (checkout / name / "__init__.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')\n")
    monkeypatch.chdir(checkout)
    assert [r.status for r, _ in cluster.sweep([1])] == ["ok"]
    assert not (tmp_path / "mark").exists()


def test_each_run_is_made_once(cluster: Cluster) -> None:
    first = cluster.sweep([1, 2, 3], replace(QUICK, together=2))
    assert {r.params["n"]: (r.status, r.iterations[0], fresh) for r, fresh in first} == {
        n: ("ok", n, True) for n in (1, 2, 3)
    }
    second = cluster.sweep([1, 2, 3, 4])
    assert Counter(fresh for _, fresh in second) == {False: 3, True: 1}
    assert cluster.ended() == {1: 1, 2: 1, 3: 1, 4: 1}
    assert sorted(p.name for p in cluster.state.glob("task-*")) == [
        "task-100_0",
        "task-100_1",
        "task-101_0",
    ]


@pytest.mark.parametrize(("fate", "jobs"), [("preempt", 1), ("node_fail", 2), ("timeout", 2)])
def test_what_is_ended_from_outside_is_made_again(cluster: Cluster, fate: str, jobs: int) -> None:
    """Slurm itself starts again what it preempts; what a failed node or the walltime ended is
    submitted again."""
    cluster.plan({"100_0": fate})
    assert [(r.params["n"], r.status) for r, _ in cluster.sweep([7])] == [(7, "ok")]
    assert cluster.log.read_text().split() == ["start", "7", "start", "7", "end", "7"]
    assert len(list(cluster.state.glob("job-*"))) == jobs


def test_a_task_that_nobody_knows_of_is_submitted_again(cluster: Cluster) -> None:
    cluster.plan({"100_0": "lost", "101_0": "lost"})
    assert [r.status for r, _ in cluster.sweep([5])] == ["ok"]
    assert cluster.ended() == {5: 1}
    assert any("submitted again (2 of 2)" in line for line in cluster.said)


def test_runs_are_given_up_after_the_bound(cluster: Cluster) -> None:
    once_more = replace(QUICK, retries=1)
    ((failed, _),) = cluster.sweep([13], once_more)
    assert (failed.status, failed.exit_code) == ("failed", 3)
    assert cluster.log.read_text().split() == ["start", "13"] * 2
    cluster.plan({"102_0": "lost", "103_0": "lost"})
    ((lost, _),) = cluster.sweep([5], once_more)
    assert lost.reason == "task 103_0 ended without it: lost, Slurm does not know it any more"
    assert Store(cluster.folder).load()[lost.key].reason == lost.reason, (
        "what was given up is kept with its reason"
    )


def test_what_somebody_cancelled_stays_cancelled(cluster: Cluster) -> None:
    cluster.plan({"100_0": "cancel"})
    ((record, _),) = cluster.sweep([5])
    assert record.reason == "task 100_0 ended without it: CANCELLED"
    assert len(list(cluster.state.glob("job-*"))) == 1


def test_a_spent_budget_takes_back_what_waits(cluster: Cluster) -> None:
    cluster.plan({"100_0": "hold"})
    budget = Budget(0.0)
    assert cluster.sweep([5], budget=budget) == []
    assert budget.stopped
    assert (cluster.state / "task-100_0").read_text().startswith("CANCELLED")


def test_a_command_that_was_ended_goes_on_with_its_jobs(cluster: Cluster) -> None:
    """Killed while its tasks run: the next one waits for them and submits nothing twice."""
    script = (
        f"import sys\nfrom pathlib import Path\nfrom tests.runtime.slurm.test_slurm import *\n"
        f"points = [Experiment({{'n': n}}, (str(n),)) for n in (1, 7)]\n"
        f"for _ in run_on_slurm(Repeated(points, 1), Store(Path({str(cluster.folder)!r})), QUICK, "
        f"Work(Path({str(cluster.folder)!r}), Path({str(cluster.executable)!r}), 'a', 60.0, 0)):\n"
        f"    print('one', flush=True)\n"
    )
    root = ROOT
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(root)},
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "one\n", "the other run waits at the gate"
        first.kill()
    (cluster.state.parent / "gate").touch()
    found = cluster.sweep([1, 7])
    assert sorted(r.params["n"] for r, _ in found if r.ok) == [1, 7]
    assert cluster.ended() == {1: 1, 7: 1}
    assert len(list(cluster.state.glob("job-*"))) == 1


HOSTILE = "a b;touch X$(touch X)`touch X`'\"\\#%A&|<>*?~!"


def test_every_field_of_a_script_is_quoted(tmp_path: Path) -> None:
    """The shell and sbatch see each setting as one word; nothing of it runs."""
    e = Experiment({"n": 1}, (HOSTILE,))
    for name in ("partition", "comment"):
        slurm = Slurm(demands=(Demand({}, {name: HOSTILE}),), options=(f"--comment={HOSTILE}",))
        (array,) = arrays([e], slurm, 60.0)
        batch = batch_of(array, tmp_path / HOSTILE, "a", slurm)
        lines = batch.script.splitlines()
        words = [shlex.split(line.removeprefix("#SBATCH")) for line in lines if line[:1] == "#"][1:]
        assert all(len(found) == 1 for found in words)
        assert [f"--{name}={HOSTILE}"] in words
        assert [f"--comment={HOSTILE}"] in words
        assert shlex.split(lines[-1])[-1] == str(batch.folder)
        assert HOSTILE not in lines, "arguments are in files, not in the script"


@pytest.mark.parametrize("timeout_s", [None, 60.0])
def test_tasks_read_what_was_written(tmp_path: Path, timeout_s: float | None) -> None:
    points = [Experiment({"n": n}, (str(n),), ranks=n or None) for n in range(3)]
    work = Work(
        tmp_path, tmp_path / "a", "i", timeout_s, 7, {"host": "x"}, {"counters": []}, ("8",)
    )
    (array,) = arrays(points[:2], Slurm(together=2), timeout_s)
    batch = batch_of(array, tmp_path, "i", Slurm(together=2))
    batch.write(work)
    assert read_work(batch.folder) == work
    assert read_tasks(batch.folder) == list(array.tasks) == [tuple(points[:2])]


@pytest.mark.parametrize("character", ["\n", "\r", "\x07", "\x1b", "\u2028", "\u202e", "\udcff"])
@pytest.mark.parametrize("field", ["folder", "demand", "option", "setup"])
def test_scripts_have_no_control_characters(character: str, field: str, tmp_path: Path) -> None:
    text = f"x{character}touch X"
    slurm = {
        "folder": Slurm(),
        "demand": Slurm(demands=(Demand({}, {"account": text}),)),
        "option": Slurm(options=(text,)),
        "setup": Slurm(setup=(text,)),
    }[field]
    (array,) = arrays([Experiment({"n": 1}, ("1",))], slurm, 60.0)
    with pytest.raises(InputError, match="which a job script cannot have"):
        batch_of(array, tmp_path / (text if field == "folder" else "out"), "a", slurm)


def test_a_script_that_slurm_refuses(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "bin" / "sbatch").write_text(
        "#!/bin/sh\necho 'sbatch: error: invalid partition specified: short' >&2\nexit 1\n"
    )
    with pytest.raises(RunError, match="invalid partition specified: short"):
        cluster.sweep([1])


def test_resources_by_run() -> None:
    """Runs of equal resources are an array; later demands win; the walltime follows from the
    timeout."""
    slurm = Slurm(
        (Demand({}, {"mem": "{n}M", "time": "0:10:00"}), Demand({"n": (64,)}, {"time": "2:00:00"})),
        ("--exclusive",),
    )
    points = [Experiment({"n": n, "p": p}, (str(n),), ranks=p) for n in (8, 64) for p in (1, 4)]
    found = {a.options: [t[0].params for t in a.tasks] for a in arrays(points, slurm, 60.0)}
    assert found == {
        (
            f"--ntasks={p}",
            f"--mem={n}M",
            f"--time={'2:00:00' if n == 64 else '0:10:00'}",
            "--exclusive",
        ): [{"n": n, "p": p}]
        for n in (8, 64)
        for p in (1, 4)
    }
    assert "--time=0:07:00" in Slurm(together=5).asked(points[0], 60.0), (
        "five runs of a minute each, and two minutes"
    )
    with pytest.raises(InputError, match=r"slurm mem = \{m\}M: \{m\} has no values"):
        arrays(points, Slurm((Demand({}, {"mem": "{m}M"}),)), 60.0)


def test_demands_hold_for_runs_that_match_in_all_parameters() -> None:
    demand = Demand({"n": (1, 2), "p": (4,)}, {})
    assert demand.holds({"n": 2, "p": 4, "m": 7})
    assert not demand.holds({"n": 2, "p": 5})
    assert not demand.holds({"n": 3, "p": 4})
    assert not demand.holds({"n": 2})
    assert Demand({}, {}).holds({})


@pytest.mark.parametrize(
    ("text", "seconds", "time"),
    [
        ("1:30:00", None, "1:30:00"),
        ("2-0:00:00", None, "2-0:00:00"),
        ("UNLIMITED", None, "UNLIMITED"),
        ("90s", 90.0, "0:02:00"),
        ("30m", 1800.0, "0:30:00"),
        ("1h", 3601.0, "1:01:00"),
        ("100h", 360_000.0, "100:00:00"),
    ],
)
def test_time_limits_are_those_of_slurm(text: str, seconds: float | None, time: str) -> None:
    assert walltime(text, seconds) == time
    hours, minutes = (int(part) for part in time.split(":")[:2]) if seconds else (0, 0)
    assert not seconds or 0 <= (60 * hours + minutes) * 60 - seconds < 60


def test_what_is_no_time_limit() -> None:
    with pytest.raises(InputError, match=r"slurm time soon: write it with a unit"):
        walltime("soon", None)


def test_arrays_are_no_longer_than_slurm_takes(tmp_path: Path) -> None:
    points = [Experiment({"n": n}, (str(n),)) for n in range(2500)]
    found = arrays(points, Slurm(together=2), 60.0)
    assert [len(a.tasks) for a in found] == [1000, 250]
    assert [e.params["n"] for a in found for t in a.tasks for e in t] == list(range(2500))
    script = batch_of(
        found[1],
        tmp_path / "it's %here",
        "a",
        Slurm(together=2, parallel=8, setup=("module load gcc",)),
    ).script
    assert "#SBATCH --array=0-249%8\n" in script
    assert "%%here" in script
    assert script.index("module load gcc\n") < script.index("exec ")
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


def test_runs_that_need_no_results_are_submitted_together() -> None:
    points = [Experiment({"n": n}, (str(n),)) for n in (1, 2)]
    found = known_runs(Repeated(points, 3, warmup=1))
    assert Counter((e.params["n"], e.repetition) for e in found) == {
        (n, r): 1 for n in (1, 2) for r in (-1, 0, 1, 2)
    }


def test_locks_of_jobs_that_ended_are_taken_over(tmp_path: Path) -> None:
    """On another machine a lock is over when its job is: it has ended, or it is an earlier start
    of the same one."""

    def owner(machine: str, job: str, restart: str = "0") -> Owner:
        return Owner(machine, 1, "1", "cells", None, job, restart)

    here = Owner.this(tmp_path / "cells", 1.0).machine
    RunLocks(tmp_path, owner("elsewhere", "100_1")).acquire("a")
    assert not RunLocks(tmp_path, owner(here, "101_0")).acquire("a")
    assert not RunLocks(tmp_path, owner(here, "101_0"), frozenset({"100_2", "101"})).acquire("a")
    assert RunLocks(tmp_path, owner("third", "100_1", "1")).acquire("a"), (
        "the same task after a requeue"
    )
    assert RunLocks(tmp_path, owner("fourth", "101_0"), frozenset({"100_1"})).acquire("a")
    assert RunLocks(tmp_path, owner("fifth", "102_0"), frozenset({"101"})).acquire("a"), (
        "the whole job has ended"
    )
