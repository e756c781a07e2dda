"""Study files: every field does what it says, every wrong one is named; designs make the points
they promise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from looplaw.settings.settings import Runs, Settings, parse_duration, parse_part
from looplaw.settings.studyfile import read_study_file
from looplaw.studies.design import experiments, points
from looplaw.studies.prepare import prepare
from staticana import Analysis, InputError, analyze, canonical, compile_sources

PROGRAM = """#include <stdlib.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), k = atoi(argv[3]);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            s++;
        }
    }
    for (int i = 0; i < k; i++) {
        s++;
    }
    return 0;
}
"""
FULL = """
program = ["a.c", "sub/b.c"]
about = "All fields."
entry = "main"
[param]
p = "mpi:size"
[vary]
n = [64, 128, 64]
p = "1:8:*2"
[design]
kind = "lines"
[run]
args = "{n} 'a b'"
launcher = "srun --ntasks={p}"
repetitions = 5
warmup = 1
until = "2.5%"
most = 40
budget = "1.5h"
timeout = "2m"
metrics = ["flops"]
seed = 9
[build]
flags = ["-DX=1"]
link = ["-lm"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text)
    return path


def test_every_field_is_read(tmp_path: Path) -> None:
    found = read_study_file(write(tmp_path, FULL))
    assert found == Settings(
        (tmp_path / "a.c", tmp_path / "sub/b.c"),
        {"n": (64, 128), "p": (1, 2, 4, 8)},
        {"p": "mpi:size"},
        ("{n}", "a b"),
        Runs(5, 1, 0.025, 40, 5400.0, 120.0, ("srun", "--ntasks={p}"), 9),
        "main",
        ("-DX=1",),
        ("-lm",),
        "All fields.",
        "lines",
        metrics=("flops",),
    )
    assert read_study_file(write(tmp_path, 'program = "a.c"\n[run]\nargs = ["{n}", 10]')).args == (
        "{n}",
        "10",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "program: is missing; write program = "),
        ("program = 3", "program: expected a text or a list, not 3"),
        ('program = "a.c"\nvaries = 1', "varies: unknown field; did you mean vary"),
        ('program = "a.c"\nvary = 3', "vary: expected an object, not 3"),
        ('program = "a.c"\n[vary]\nn = [1, 2.5]', r"vary\.n\[1\]: expected an integer, not 2.5"),
        ('program = "a.c"\n[vary]\nn = []', "vary.n: no values; write"),
        ('program = "a.c"\n[vary]\nn = "1:x"', "vary.n: '1:x' is not an integer"),
        ('program = "a.c"\n[vary]\nn = [true]', r"vary\.n\[0\]: expected an integer, not true"),
        ('program = "a.c"\nrun = 3', "run: expected an object, not 3"),
        (
            'program = "a.c"\n[run]\nrepeat = 3',
            "run.repeat: unknown field; did you mean repetitions",
        ),
        (
            'program = "a.c"\n[run]\nrepetitions = 0',
            "run.repetitions: expected an integer >= 1, not 0",
        ),
        ('program = "a.c"\n[run]\nuntil = "5"', "run.until 5: write a fraction"),
        ('program = "a.c"\n[run]\nbudget = "10 parsecs"', "run.budget 10 parsecs: write a time"),
        ('program = "a.c"\n[run]\ntimeout = -1', "run.timeout -1: write a time"),
        (
            'program = "a.c"\n[run]\nlauncher = "srun \'"',
            "run.launcher srun ': No closing quotation",
        ),
        (
            'program = "a.c"\n[design]\nkind = "best"',
            "design.kind: expected one of full, lines, plan, not 'best'",
        ),
        (
            'program = "a.c"\n[design]\npoints = [3]',
            r"design.points\[0\]: expected an object, not 3",
        ),
        ('program = "a.c"\n[build]\nflags = "-O2"', "build.flags: expected a list, not '-O2'"),
        ('program = "a.c', "not TOML"),
    ],
)
def test_wrong_fields_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_study_file(write(tmp_path, text))
    assert "study.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("10m", 600), ("1.5 h", 5400), ("250ms", 0.25)]
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text, "--budget-time") == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "0", "m", "-5", "1y", "nan", "1e999"])
def test_no_durations(text: str) -> None:
    with pytest.raises(InputError, match="write a time"):
        parse_duration(text, "--budget-time")


@pytest.mark.parametrize("text", ["", "0", "5", "100%", "-5%", "5%%", "nan", "inf"])
def test_no_parts(text: str) -> None:
    with pytest.raises(InputError, match="write a fraction"):
        parse_part(text, "--until")
    assert parse_part("5%", "--until") == parse_part("0.05", "--until") == 0.05


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    source = tmp_path_factory.mktemp("design") / "a.c"
    source.write_text(PROGRAM)
    return analyze(canonical(compile_sources([source])))


SETTINGS = Settings((Path("a.c"),), {"n": (2, 4, 8), "m": (10, 20), "k": (1, 3)})


def test_full_design_has_every_combination(analysis: Analysis) -> None:
    found = points(SETTINGS, analysis)
    assert len(found) == 12 == len({tuple(p.items()) for p in found})


def test_lines_meet_in_the_smallest_point_and_leave_them_once_for_each_kernel(
    analysis: Analysis,
) -> None:
    found = points(replace(SETTINGS, design="lines"), analysis)
    base = {"n": 2, "m": 10, "k": 1}
    off = [p for p in found if sum(p[name] != base[name] for name in base) > 1]
    assert off == [{"n": 4, "m": 20, "k": 1}], "n and m meet in a kernel, k is alone"
    assert base in found
    for name, values in SETTINGS.vary.items():
        assert {p[name] for p in found if all(p[o] == base[o] for o in base if o != name)} == set(
            values
        )
    assert len(found) == 1 + 2 + 1 + 1 + 1


def test_single_points(analysis: Analysis) -> None:
    chosen = ({"n": 1, "m": 2, "k": 3}, {"n": 4, "m": 5, "k": 6}, {"n": 1, "m": 2, "k": 3})
    found = experiments(replace(SETTINGS, points=chosen), analysis)
    assert [e.argv for e in found] == [("1", "2", "3"), ("4", "5", "6")]


def test_planned_values_stand_in_for_those_not_given(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(PROGRAM)
    prepared = prepare(Settings((source,), {"k": (7, 9)}, design="plan"))
    vary = prepared.settings.vary
    assert vary["k"] == (7, 9)
    assert len(vary["n"]) == len(vary["m"]) == 5
    assert len(prepared.experiments) == 5 + 4 + 1 + 1
    with pytest.raises(InputError, match="nothing is varied"):
        prepare(Settings((source,), {}))
    with pytest.raises(InputError, match=r"design.points: .* has no value of m"):
        prepare(Settings((source,), {}, points=({"n": 1, "m": 2}, {"n": 1})))


MPI = """int MPI_Comm_size(int, int *);
#include <stdlib.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), p;
    MPI_Comm_size(0x44000000, &p);
    for (int i = 0; i < n / p; i++) {
        s++;
    }
    return 0;
}
"""


@pytest.mark.parametrize(
    ("launcher", "expected"),
    [
        ((), ("mpiexec", "-n", "4")),
        (("mpiexec",), ("mpiexec", "-n", "4")),
        (("srun",), ("srun", "--ntasks=4")),
        (("sbatch",), ("sbatch", "--wait", "--ntasks=4", "--wrap", "srun {command}")),
        (("srun", "-N1", "-n{p}", "--exclusive"), ("srun", "-N1", "-n4", "--exclusive")),
    ],
)
def test_launchers(tmp_path: Path, launcher: tuple[str, ...], expected: tuple[str, ...]) -> None:
    source = tmp_path / "mpi.c"
    source.write_text(MPI)
    found = analyze(canonical(compile_sources([source])), parameters={"p": "mpi:size"})
    (e,) = experiments(
        Settings(
            (source,), {"n": (8,), "p": (4,)}, {"p": "mpi:size"}, runs=Runs(launcher=launcher)
        ),
        found,
    )
    assert (e.launcher, e.ranks, e.argv) == (expected, 4, ("8",))


@pytest.mark.parametrize(
    ("launcher", "vary", "message"),
    [
        (("srun",), {"n": (8,)}, "the number of processes has no values"),
        (("local",), {"n": (8,), "p": (2,)}, "it starts one process, but p is varied"),
        (("srun", "-n{q}"), {"n": (8,), "p": (2,)}, r"\{q\} has no values"),
    ],
)
def test_launchers_that_cannot_be(
    tmp_path: Path, launcher: tuple[str, ...], vary: dict[str, tuple[int, ...]], message: str
) -> None:
    source = tmp_path / "mpi.c"
    source.write_text(MPI)
    found = analyze(canonical(compile_sources([source])), parameters={"p": "mpi:size"})
    with pytest.raises(InputError, match=message):
        experiments(
            Settings((source,), vary, {"p": "mpi:size"}, runs=Runs(launcher=launcher)), found
        )
