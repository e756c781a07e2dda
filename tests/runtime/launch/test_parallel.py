"""Threads, OpenMP teams and MPI ranks are counted exactly, each in its own place."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from runtime import InputError, Plan, build_program, plan_all, run
from staticana import InputError as NoCompiler
from staticana import canonical, compile_sources, find_compiler, parse_module

OPENMP = """#include <stdlib.h>
#include <omp.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    long s = 0;
    #pragma omp parallel num_threads(2) reduction(+ : s)
    {
        for (int t = 0; t < 7; t++) {
            s += t;
        }
        #pragma omp for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                s += k;
            }
        }
        #pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < n; i++) {
            s += i;
        }
    }
    return s == -1;
}
"""

MPI = """#include <mpi.h>
#include <stdlib.h>
static long work(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
    }
    return s;
}
int main(int argc, char **argv) {
    int rank, size;
    long total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = rank; k < atoi(argv[1]); k += size) {
        long mine = work(k), all;
        MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_SELF);
        total += all;
    }
    MPI_Finalize();
    return total < 0;
}
"""


def by_line(plan: Plan) -> dict[int, int]:
    return {int(c.at.split(":")[-2]): c.id for c in plan.counters}


@pytest.mark.parametrize("n", [0, 1, 10, 101])
def test_openmp_team(n: int, tmp_path: Path) -> None:
    source = tmp_path / "team.c"
    source.write_text(OPENMP)
    try:
        text = canonical(compile_sources([source], flags=["-fopenmp"]))
        plan = plan_all(parse_module(text))
        program = build_program(text, plan, tmp_path / "program").executable
    except (InputError, NoCompiler) as error:
        pytest.skip(f"no OpenMP here: {error}")
    result = run([str(program), str(n)], timeout_s=60, cells=tmp_path / "cells")
    assert result.status == "ok", result
    assert result.counts is not None
    at, counted = by_line(plan), result.counts.iterations
    assert [counted[at[line]] for line in (8, 12, 13, 18)] == [2 * 7, n, n * (n - 1) // 2, n]
    assert result.counts.threads == 2


def _mpi_flags() -> list[str]:
    """What mpicc adds to a command line."""
    wrapper = shutil.which("mpicc")
    if wrapper is None or shutil.which("mpiexec") is None:
        pytest.skip("no mpicc and mpiexec here: apt install mpich libmpich-dev")
    shown = subprocess.run(
        [wrapper, "-show"], capture_output=True, text=True, check=False
    ).stdout.split()
    return [w for w in shown[1:] if w.startswith(("-I", "-L", "-l", "-Wl,"))]


def _of_ranks(tmp_path: Path) -> tuple[Plan, Path]:
    """The program MPI with counters, and their plan."""
    flags = _mpi_flags()
    if find_compiler().kind == "zig":
        pytest.skip("zig does not link the system's MPI library")
    source = tmp_path / "ranks.c"
    source.write_text(MPI)
    text = canonical(compile_sources([source], flags=[f for f in flags if f.startswith("-I")]))
    plan = plan_all(parse_module(text))
    program = build_program(
        text, plan, tmp_path / "program", link_flags=[f for f in flags if not f.startswith("-I")]
    )
    return plan, program.executable


def test_processes_that_are_alone_are_no_run_of_many(tmp_path: Path) -> None:
    """A launcher that does not know the program's MPI library: srun without its plugin."""
    _, program = _of_ranks(tmp_path)
    launcher = tmp_path / "launcher"
    launcher.write_text(
        '#!/bin/sh\nfor k in 0 1; do SLURM_PROCID=$k "$@" || exit; done\n', encoding="ascii"
    )
    launcher.chmod(0o755)

    def ended(ranks: int, launcher: list[str]) -> tuple[str, str]:
        result = run(
            [str(program), "5"],
            timeout_s=120,
            cells=tmp_path / "cells",
            launcher=launcher,
            ranks=ranks,
        )
        return result.status, result.reason

    status, reason = ended(2, [str(launcher)])
    assert status == "failed"
    assert reason.startswith("MPI tells each process that it is alone, not that there are 2")
    assert ended(2, ["mpiexec", "-n", "2"])[0] == "ok"
    assert ended(1, ["mpiexec", "-n", "1"])[0] == "ok"


@pytest.mark.parametrize("n", [3, 50])
def test_mpi_ranks(n: int, tmp_path: Path) -> None:
    plan, program = _of_ranks(tmp_path)
    result = run(
        [str(program), str(n)],
        timeout_s=120,
        cells=tmp_path / "cells",
        launcher=["mpiexec", "-n", "4"],
    )
    assert result.status == "ok", result
    at = by_line(plan)
    assert sorted(result.ranks) == [0, 1, 2, 3]
    for rank, counts in result.ranks.items():
        mine = range(rank, n, 4)
        assert counts.iterations[at[16]] == len(mine)
        assert counts.iterations[at[5]] == sum(mine)
        assert counts.rank == rank
    assert result.counts is not None
    assert result.counts.iterations[at[5]] == n * (n - 1) // 2
    assert result.counts.entries[at[5]] == n


@pytest.mark.parametrize(
    "variable", ["PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"]
)
def test_ranks_are_known_by_every_launcher(variable: str, tmp_path: Path) -> None:
    """mpich, Open MPI, PMIx and Slurm number their processes in the environment."""
    source = tmp_path / "program.c"
    source.write_text(
        "int main(void) {\n    for (volatile int i = 0; i < 9; i++) {\n    }\n    return 0;\n}\n"
    )
    text = canonical(compile_sources([source]))
    program = build_program(text, plan_all(parse_module(text)), tmp_path / "program").executable
    result = run(
        [str(program)], timeout_s=60, cells=tmp_path / "cells", launcher=["env", f"{variable}=3"]
    )
    assert {r: c.iterations.tolist() for r, c in result.ranks.items()} == {3: [9]}
