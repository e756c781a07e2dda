"""What users say of a parameter holds, and the first line of a study says how it runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from looplaw.settings.settings import Runs, Settings
from looplaw.studies.prepare import prepare
from looplaw.studies.way_of_running import crowded, way_of_running
from looplaw_common.errors import LooplawWarning
from staticana import InputError
from staticana.frontend.openmp.pragmas import has_library

_HYBRID = """\
#include <stdlib.h>
typedef int MPI_Comm;
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
int MPI_Init(int *, char ***);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Finalize(void);
static volatile long s;
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel for
    for (int i = 0; i < n / size; i++) s++;
    MPI_Finalize();
    return 0;
}
"""


@pytest.fixture(autouse=True)
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "p.c"
    path.write_text(_HYBRID)
    return path


def _settings(program: Path, **given: object) -> Settings:
    vary = {"n": (8, 16), "p": (1, 2, 4)}
    return Settings((program,), vary, flags=("-fopenmp",), **given)  # type: ignore[arg-type]


def test_a_named_number_of_processes_is_that(program: Path) -> None:
    prepared = prepare(_settings(program, parameters={"p": "mpi:size"}))
    assert way_of_running(prepared) == "mpiexec -n 1, 2, 4; 1 thread each; n from argv[1]"
    origins = {p.name: p.origin for p in prepared.analysis.parameters}
    assert origins["p"] == "mpi:size"
    assert {e.launcher for e in prepared.experiments} == {("mpiexec", "-n", n) for n in "124"}


def test_a_named_number_of_threads_is_that(program: Path) -> None:
    prepared = prepare(_settings(program, parameters={"p": "omp:threads", "size": "mpi:size"}))
    assert way_of_running(prepared) == (
        "1 process, without mpiexec; OMP_NUM_THREADS 1, 2, 4; n from argv[1]"
    )
    assert {e.launcher for e in prepared.experiments} == {()}
    assert {e.environment[1] for e in prepared.experiments} == {
        f"OMP_NUM_THREADS={n}" for n in (1, 2, 4)
    }


def test_p_alone_is_the_number_of_processes(program: Path) -> None:
    prepared = prepare(_settings(program))
    assert way_of_running(prepared) == "mpiexec -n 1, 2, 4; 1 thread each; n from argv[1]"


def test_threads_are_varied_beside_processes(program: Path) -> None:
    vary = {"n": (8, 16), "p": (1, 2), "threads": (1, 3)}
    prepared = prepare(Settings((program,), vary, flags=("-fopenmp",)))
    origins = {p.name: p.origin for p in prepared.analysis.parameters}
    assert (origins["p"], origins["threads"]) == ("mpi:size", "omp:threads")
    assert way_of_running(prepared) == ("mpiexec -n 1, 2; OMP_NUM_THREADS 1, 3; n from argv[1]")


def test_pragmas_that_nobody_turns_on_are_said(program: Path) -> None:
    settings = Settings((program,), {"n": (8, 16)})
    if not has_library():
        pytest.skip("no libomp here: apt install libomp-19-dev")
    with pytest.warns(LooplawWarning, match=r"--vary threads=1,2,4 turns them on"):
        assert prepare(settings).settings.flags == ()
    varied = replace(settings, vary={**settings.vary, "threads": (1, 2)})
    assert prepare(varied).settings.flags == ("-fopenmp",)


def test_a_team_whose_size_nobody_says_has_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_library():
        pytest.skip("no libomp here: apt install libomp-19-dev")
    path = tmp_path / "t.c"
    asks = "#include <omp.h>\n" + _HYBRID.replace("n / size", "omp_get_max_threads()")
    path.write_text(asks)
    settings = Settings((path,), {"p": (1, 2)}, args=("8",))
    prepared = prepare(settings)
    assert prepared.settings.flags == ("-fopenmp",)  # it calls functions of OpenMP's library
    assert prepared.settings.vary["threads"] == (1,)
    assert way_of_running(prepared) == "mpiexec -n 1, 2; OMP_NUM_THREADS 1; arguments 8"
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert prepare(settings).settings.vary["threads"] == (3,)


def test_arguments_are_shown_as_they_are_given(tmp_path: Path) -> None:
    path = tmp_path / "q.c"
    path.write_text(
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n"
        "    int s = 0;\n    for (int i = 0; i < atoi(argv[2]); i++) s++;\n    return s == 7; }\n"
    )
    given = Settings((path,), {"n": (8, 16)}, {"n": "argv[2]"}, ("-s", "{n}"))
    assert way_of_running(prepare(given)) == "arguments -s {n}"
    several = Settings((path,), {"n": tuple(range(1, 9))}, {"n": "argv[2]"}, ("x", "{n}"))
    launched = Settings(
        several.program, several.vary, several.parameters, several.args, Runs(launcher=("nice",))
    )
    assert way_of_running(prepare(launched)) == "nice; arguments x {n}"


def test_one_value_that_the_arguments_state_is_known_to_the_program(tmp_path: Path) -> None:
    path = tmp_path / "q.c"
    path.write_text(
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n    int n = atoi(argv[1]);\n"
        "    int s = 0;\n    for (int i = 0; i < n; i++) s++;\n    return s == 7; }\n"
    )
    assert prepare(Settings((path,), {"n": (8,)}, args=("8",))).experiments[0].argv == ("8",)
    for values, args in (((8, 9), ("8",)), ((8,), ("9",))):
        with pytest.raises(InputError, match=r"no value of n \(argv\[1\]\) reaches the program"):
            prepare(Settings((path,), {"n": values}, args=args))


def test_more_workers_than_processors_are_said(program: Path) -> None:
    vary = {"n": (8, 16), "p": (1, 2), "threads": (1, 3)}
    prepared = prepare(Settings((program,), vary, flags=("-fopenmp",)))
    assert crowded(prepared, 6) == ""
    assert crowded(prepared, 4).startswith("6 workers share 4 processors")
    alone = Settings((program,), {"n": (8, 16)}, flags=("-fopenmp",))
    assert crowded(prepare(alone), 1) == ""
