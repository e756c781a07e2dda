"""verify of programs with OpenMP; the number of MPI processes in the shapes in which programs keep
it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from staticana import analyze, canonical, compile_sources

OPENMP = """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    #pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += i * j;
    #pragma omp parallel
    {
        #pragma omp for schedule(dynamic) reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += i;
        #pragma omp for schedule(static, 3) reduction(+ : s)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++)
                s += k;
        #pragma omp sections reduction(+ : s)
        {
            #pragma omp section
            for (int a = 0; a < n; a++)
                s += a;
            #pragma omp section
            for (int b = 0; b < m; b++)
                s += b;
        }
    }
    return s == 1;
}
"""
MPI = """#include <stdlib.h>
int MPI_Init(int *, char ***);
int MPI_Comm_size(int, int *), MPI_Comm_rank(int, int *);
#define WORLD 0x44000000
static void ask(int *rank, int *count) {
    MPI_Comm_size(WORLD, count);
    MPI_Comm_rank(WORLD, rank);
}
static int asked(void) {
    int count;
    MPI_Comm_size(WORLD, &count);
    return count;
}
int main(int argc, char **argv) {
    DECLARED
    MPI_Init(&argc, &argv);
    MPI_Comm_size(WORLD, &size);
    SET
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int k = 0; k < n * size; k++) {
        s += k;
    }
    return 0;
}
"""


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_openmp_is_verified_at_entries_and_in_total(
    threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No count depends on the number of threads, which is varied all the same."""
    monkeypatch.chdir(tmp_path)
    Path("team.c").write_text(OPENMP)
    done = CliRunner().invoke(
        main,
        [
            *("verify", "team.c", "--flag=-fopenmp", "--vary", "n=0,1,7", "--vary", "m=5"),
            *("--vary", f"p={threads}", "--json", "out.json"),
        ],
    )
    if done.exit_code == 2 and ("omp" in done.stderr or "OpenMP" in done.stderr):
        pytest.skip(f"OPENMP IS NOT VERIFIED: {done.stderr.splitlines()[-1]}")
    assert done.exit_code == 0, done.output + done.stderr
    found = json.loads(Path("out.json").read_text())
    assert found["summary"]["wrong_at_entry"] == found["summary"]["wrong_totals"] == 0
    assert all(loop["total_obeys"] == "yes" for loop in found["loops"])
    assert sum(loop["checked"] > 0 for loop in found["loops"]) >= 5


@pytest.mark.parametrize(
    ("declared", "set_", "is_known"),
    [
        ("int size;", "", True),
        ("int size = 1;", "", True),
        ("int size = 1; if (rand() & 1) size = 2;", "", True),
        ("int size = 1;", "if (rand() & 1) size = 2;", False),
        ("static int size;", "", True),
        (
            "struct { int rank, size; } c;\n#define size c.size",
            "MPI_Comm_rank(WORLD, &c.rank);",
            True,
        ),
        ("int comm = WORLD, size;\n#undef WORLD\n#define WORLD comm", "", True),
        ("int size, rank;", "ask(&rank, &size);", True),
        ("int size;", "size = asked();", True),
        ("int size, half;", "MPI_Comm_size(atoi(argv[1]), &size);", False),
    ],
)
def test_the_number_of_processes_in_a_variable(
    declared: str, set_: str, is_known: bool, tmp_path: Path
) -> None:
    source = tmp_path / "ranks.c"
    source.write_text(MPI.replace("DECLARED", declared).replace("SET", set_))
    found = analyze(canonical(compile_sources([source])), parameters={"p": "mpi:size"})
    total = found.loops[0].total
    assert (total.kind == "exact") == is_known
    assert ("p" in str(total.formula)) == is_known
