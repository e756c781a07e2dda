"""An MPI program on four processes: every rank is held against the formula of its own share."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from looplaw import analyze
from looplaw.cli.main import main
from tests.places import SAMPLES

SAMPLE = SAMPLES / "heat-mpi"
Looplaw = Callable[..., Any]
# name -> its compiler, its launcher, how to get them; the first is what the system calls mpiexec
LIBRARIES = {
    "default": ("mpicc", "mpiexec", "apt install mpich libmpich-dev"),
    "openmpi": ("mpicc.openmpi", "mpiexec.openmpi", "apt install openmpi-bin libopenmpi-dev"),
    "mpich": ("mpicc.mpich", "mpiexec.mpich", "apt install mpich libmpich-dev"),
}


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The compiler and launcher of an MPI library; those that are the default one's are tested
    once."""
    compiler, launcher, how = LIBRARIES[request.param]
    found, usual = (
        tuple(map(shutil.which, pair)) for pair in ((compiler, launcher), LIBRARIES["default"][:2])
    )
    if None in found:
        pytest.skip(
            f"MPI PROGRAMS ARE NOT TESTED with {request.param}: no {compiler} and {launcher} here"
            f" ({how})"
        )
    if (
        request.param != "default"
        and None not in usual
        and Path(str(found[1])).resolve() == Path(str(usual[1])).resolve()
    ):
        pytest.skip(f"{request.param} is what mpiexec is here, and is tested as that")
    for name in (
        "OMPI_ALLOW_RUN_AS_ROOT",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
        "OMPI_MCA_rmaps_base_oversubscribe",
    ):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe")
    monkeypatch.setenv("MPICC", compiler)
    return compiler, launcher


@pytest.fixture
def looplaw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: tuple[str, str]) -> Looplaw:
    """The command with what the library needs: its launcher where several processes are run."""
    monkeypatch.chdir(tmp_path)
    started = () if library[1] == "mpiexec" else ("--launcher", f"{library[1]} -n {{p}}")

    def run(*line: object) -> Any:
        words = [str(word) for word in line]
        return CliRunner().invoke(
            main, [*words, *(started if words[0] != "verify" and "--launcher" not in words else ())]
        )

    return run


def share(n: int, p: int, rank: int) -> int:
    """Points of one process, counted one by one: process r has the points r, r + p, r + 2 p, ..."""
    return sum(point % p == rank for point in range(n))


def test_ranks_are_counted_and_compared_one_by_one(looplaw: Looplaw, tmp_path: Path) -> None:
    options = (
        "--mpi",
        "--param",
        "p=mpi:size",
        "--param",
        "rank=mpi:rank",
        "--vary",
        "n=2,7,10",
        "--vary",
        "steps=3",
        "--vary",
        "p=1,4",
        "--repetitions",
        1,
        "--out",
        "out",
        "--timeout",
        60,
    )
    done = looplaw("study", SAMPLE / "heat.c", *options)
    assert done.exit_code == 0, done.output
    study = json.loads((tmp_path / "out" / "study.json").read_text())
    update = next(loop for loop in study["loops"] if loop["function"] == "step")
    assert (update["total"]["kind"], update["obeys"]) == ("exact", "yes")
    counted = {
        (c["params"]["n"], c["params"]["p"], c["params"]["rank"]): c["iterations"]
        for c in update["counted"]
    }
    assert counted == {
        (n, p, r): 3 * share(n, p, r) for n in (2, 7, 10) for p in (1, 4) for r in range(p)
    }
    assert [p["values"] for p in study["parameters"] if p["name"] == "rank"] == [[0, 1, 2, 3]]

    rows = [
        json.loads(line) for line in looplaw("run", SAMPLE / "heat.c", *options).stdout.splitlines()
    ]
    iterations = [
        r
        for r in rows
        if r["metric"] == "iterations" and r["callpath"] == update["at"] and r["params"]["p"] == 4
    ]
    assert {(r["params"]["n"], r["rank"]): r["value"] for r in iterations} == {
        (n, r): 3 * share(n, 4, r) for n in (2, 7, 10) for r in range(4)
    }
    for n in (2, 7, 10):
        assert sum(r["value"] for r in iterations if r["params"]["n"] == n) == 3 * n, (
            "together they do the serial work"
        )


def test_compare_shows_the_classes_of_ranks_that_differ(looplaw: Looplaw) -> None:
    """With n = 4 k + 2 points on four processes two have k points and two k + 1, and the largest is
    1 + 2/n times the mean."""
    done = looplaw(
        "study",
        SAMPLE / "heat.c",
        "--mpi",
        "--param",
        "p=mpi:size",
        "--vary",
        "n=6,10,14,22",
        "--vary",
        "steps=3",
        "--vary",
        "p=4",
        "--repetitions",
        1,
        "--out",
        "out",
        "--timeout",
        60,
    )
    assert done.exit_code == 0, done.output
    shown = CliRunner().invoke(main, ["compare", "out"]).stdout
    models = [
        line.rsplit("  ", 1)[1]
        for line in shown.splitlines()
        if "heat.c:8:5" in line and "*n" in line
    ]
    assert models == ["-1.5 + 0.75*n", "1.5 + 0.75*n", "1 + 2*n**(-1)"]
    said = " ".join(shown.split())
    assert "heat.c:8:5: 2 classes by iterations" in said
    assert "heat.c:27:5: " not in said, "every process makes the same steps"


def test_every_entry_of_every_rank_is_verified(looplaw: Looplaw, library: tuple[str, str]) -> None:
    if library[1] != "mpiexec":
        pytest.skip("verify starts programs by mpiexec")
    done = looplaw(
        "verify",
        SAMPLE / "heat.c",
        "--mpi",
        "--param",
        "p=mpi:size",
        "--param",
        "rank=mpi:rank",
        "--vary",
        "n=2,7,10",
        "--vary",
        "steps=3",
        "--vary",
        "p=1,4",
    )
    assert done.exit_code == 0, done.output


def test_a_count_that_differs_by_rank_is_a_law_in_the_rank(
    looplaw: Looplaw, tmp_path: Path
) -> None:
    """Nobody has to name the rank; every rank is held to the law."""
    done = looplaw(
        "study",
        SAMPLE / "heat.c",
        "--mpi",
        "--vary",
        "n=10,20",
        "--vary",
        "steps=3,5",
        "--vary",
        "p=4",
        "--repetitions",
        1,
        "--out",
        "out",
    )
    assert done.exit_code == 0, done.output
    loops = {
        loop["function"] + str(loop["nesting"]): loop
        for loop in json.loads((tmp_path / "out" / "study.json").read_text())["loops"]
    }
    assert (loops["step1"]["total"]["kind"], loops["step1"]["obeys"]) == ("exact", "yes")


def test_too_few_processes_are_noticed(looplaw: Looplaw, library: tuple[str, str]) -> None:
    done = looplaw(
        "run",
        SAMPLE / "heat.c",
        "--mpi",
        "--vary",
        "n=10",
        "--vary",
        "steps=1",
        "--vary",
        "p=4",
        "--repetitions",
        1,
        "--launcher",
        f"{library[1]} -n 2",
    )
    assert done.exit_code == 3
    assert "2 MPI processes left counts, not 4" in done.stderr


def test_the_study_file_of_the_sample(looplaw: Looplaw, tmp_path: Path) -> None:
    done = looplaw(
        "run",
        SAMPLE / "mpi.toml",
        "--vary",
        "n=100,200",
        "--vary",
        "steps=2",
        "--vary",
        "p=1,2",
        "--design",
        "full",
        "--until",
        "90%",
        "--max-repetitions",
        3,
        "--out",
        "out",
    )
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(r["params"]["n"], r["params"]["p"]) for r in rows} == {
        (n, p) for n in (100, 200) for p in (1, 2)
    }


def test_the_rank_is_a_parameter_of_an_analysis(tmp_path: Path, library: tuple[str, str]) -> None:
    (tmp_path / "shares.c").write_text("""
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), p, me, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int i = me * n / p; i < (me + 1) * n / p; i++) sum += i;
    for (int i = me; i < n; i += p) sum += i;
    if (me == 0) for (int k = 1; k < p; k++) sum += k;
    MPI_Finalize();
    return sum;
}
""")
    found = analyze(tmp_path / "shares.c")
    assert {p.name: p.origin for p in found.parameters}["rank"] == "mpi:rank"
    assert [loop.total.kind for loop in found.loops] == ["exact"] * 3
    for n, p in ((17, 4), (3, 5), (0, 2)):
        for rank in range(p):
            at = {"n": n, "p": p, "rank": rank}
            counts = [loop.total.evaluate(at) for loop in found.loops]
            block = (rank + 1) * n // p - rank * n // p
            assert counts == [block, len(range(rank, n, p)), p - 1 if rank == 0 else 0]
    named = analyze(tmp_path / "shares.c", param={"r": "mpi:rank"})
    assert {p.name for p in named.parameters} == {"n", "p", "r"}
