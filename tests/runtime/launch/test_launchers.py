"""Launchers: MPI's, and Slurm's srun and sbatch as programs on PATH that behave like them."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from runtime import Experiment, Program, Repeated, Store, build_program, plan_all, run, run_sweep
from runtime.launch.run import command_line
from staticana import canonical, compile_sources, parse_module

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    const char *rank = getenv("PMI_RANK");
    for (int i = 0; i < n + (rank ? atoi(rank) : 0); i++) {
        s++;
    }
    fprintf(stderr, "says %s\\n", argv[2]);
    while (n == 99) {
        pause();
    }
    return n == 13;
}
"""
# Starts --ntasks processes with a rank each, as srun does with PMI; PMI_RANK is what MPI programs
# see.
SRUN = """#!/bin/sh
case "$1" in --ntasks=*) n=${1#--ntasks=} ;; *) echo "srun: bad $1" >&2; exit 2 ;; esac
shift
code=0
pids=
r=0
trap 'kill $pids 2>/dev/null; exit 1' TERM
while [ $r -lt $n ]; do PMI_RANK=$r "$@" & pids="$pids $!"; r=$((r + 1)); done
for p in $pids; do wait $p || code=$?; done
exit $code
"""
# A job runs in a session of its own, its errors go to a file, and only scancel ends it.
SBATCH = """#!/bin/sh
echo "$*" >> "$SLURM_LOG"
for word; do case "$word" in
--error=*) errors=${word#--error=} ;; --job-name=*) name=${word#--job-name=} ;;
esac; last=$word; done
setsid sh -c "$last" 2> "$errors" > /dev/null &
echo $! > "$SLURM_LOG.$name"
wait $!
"""
SCANCEL = """#!/bin/sh
kill -9 -- -$(cat "$SLURM_LOG.${1#--name=}")
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    text = canonical(compile_sources([source]))
    return build_program(text, plan_all(parse_module(text)), tmp_path / "program")


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in (("srun", SRUN), ("sbatch", SBATCH), ("scancel", SCANCEL)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("SLURM_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def test_the_command_goes_where_the_launcher_wants_it() -> None:
    assert command_line(("a b", "1"), ("srun", "-n", "2")) == ("srun", "-n", "2", "a b", "1")
    words = command_line(("a b", "$x"), ("sbatch", "--wrap", "srun {command} > x"))
    assert shlex.split(words[2]) == ["srun", "a b", "$x", ">", "x"]


@pytest.mark.parametrize(
    "launcher",
    [
        ("srun", "--ntasks=3"),
        ("sbatch", "--wait", "--ntasks=3", "--wrap", "srun --ntasks=3 {command}"),
    ],
)
def test_ranks_of_slurm(
    program: Program, slurm: Path, tmp_path: Path, launcher: tuple[str, ...]
) -> None:
    word = "it's $HOME"
    points = [
        Experiment({"n": n, "p": 3}, (str(n), word), launcher=launcher, ranks=3) for n in (10, 13)
    ]
    found = {
        r.params["n"]: r
        for r, _ in run_sweep(
            program.executable, Repeated(points, 1), Store(tmp_path / "out"), identity="a"
        )
    }
    assert [r.iterations[0] for r in found[10].ranks] == [10, 11, 12]
    assert found[10].iterations[0] == 33
    assert [p.params for p in found[10].of_ranks("rank")] == [
        {"n": 10, "p": 3, "rank": k} for k in range(3)
    ]
    assert found[10].launcher == launcher
    assert f"says {word}" in found[10].stderr, (
        "words reach the program as they are, and its errors come back"
    )
    assert (found[13].status, found[13].reason) == ("failed", "exit code 1")
    if launcher[0] == "sbatch":
        assert "--job-name=looplaw-" in slurm.read_text()
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["locks", "runs"], (
        "shared scratch files are removed"
    )


def test_a_job_that_takes_too_long_is_cancelled(
    program: Program, slurm: Path, tmp_path: Path
) -> None:
    for launcher in (
        ("srun", "--ntasks=2"),
        ("sbatch", "--wait", "--wrap", "srun --ntasks=2 {command}"),
    ):
        done = run(
            [str(program.executable), "99", "x"],
            launcher=launcher,
            timeout_s=1,
            cells=tmp_path / "cells",
        )
        assert done.status == "timeout"
        assert not _counting(tmp_path / "cells"), f"{launcher[0]} left processes"


def _counting(cells: Path) -> list[str]:
    """Processes that still run with these counts."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (
                b"LOOPLAW_CELLS=" + os.fsencode(cells)
                in (folder / "environ").read_bytes().split(b"\0")
                and (folder / "cmdline").read_bytes()
            ):
                found.append((folder / "cmdline").read_text())
        except OSError:
            continue
    return found


def test_the_wrong_number_of_processes_is_a_failure(
    program: Program, slurm: Path, tmp_path: Path
) -> None:
    done = run(
        [str(program.executable), "4", "x"],
        launcher=("srun", "--ntasks=2"),
        ranks=3,
        cells=tmp_path / "cells",
    )
    assert done.status == "failed"
    assert "2 MPI processes left counts, not 3" in done.reason
