"""Sizes that a program takes from its environment, its standard input or a file's name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.command_line import looplaw

_ENVIRONMENT = """#include <stdlib.h>
int main(void) {
    volatile long s = 0;
    int n = atoi(getenv("N"));
    for (int i = 0; i < n; i++) s += i;
    return 0; }
"""
_INPUT = """#include <stdio.h>
int main(void) {
    volatile long s = 0;
    int n = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) s += i;
    return 0; }
"""
_SIZES = (10, 20, 40, 80)


def counted(folder: Path, *words: str) -> list[int]:
    """What the runs of a study counted, by size."""
    vary = ",".join(map(str, _SIZES))
    more = ("--vary", f"n={vary}", "--repetitions", "1", "--machine", "none", "--json", "s.json")
    done = looplaw("study", *words, *more, cwd=folder)
    assert done.returncode == 0, done.stderr
    study = json.loads((folder / "s.json").read_text())
    (loop,) = study["loops"]
    return [c["iterations"] for c in loop["counted"]]


def test_a_size_of_the_environment(tmp_path: Path) -> None:
    (tmp_path / "e.c").write_text(_ENVIRONMENT)
    assert counted(tmp_path, "e.c", "--env", "N={n}") == list(_SIZES)


def test_a_size_of_the_standard_input(tmp_path: Path) -> None:
    (tmp_path / "i.c").write_text(_INPUT)
    for n in _SIZES:
        (tmp_path / f"in-{n}.txt").write_text(f"{n}\n")
    assert counted(tmp_path, "i.c", "--stdin", "in-{n}.txt") == list(_SIZES)
    (tmp_path / "study.toml").write_text(
        'program = "i.c"\n[run]\nstdin = "in-{n}.txt"\nenv = {A = 1}\n[vary]\nn = [10, 40]\n'
    )
    dry = looplaw("study", str(tmp_path / "study.toml"), "--dry-run", cwd=tmp_path)
    assert all(line.endswith(".txt") and " < " in line for line in dry.stdout.splitlines())
    assert "env A=1 " in dry.stdout


def test_a_file_that_the_program_reads_is_written_for_each_run(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(_INPUT.replace("scanf(", 'fscanf(fopen("size.in", "r"), '))
    (tmp_path / "size.template").write_text("{n}\n{other}\n")
    (tmp_path / "size.in").write_text("mine\n")
    words = ("--template", "size.template=size.in")
    assert counted(tmp_path, "f.c", *words) == list(_SIZES)
    assert (tmp_path / "size.in").read_text() == "mine\n"
    (tmp_path / "study.toml").write_text(
        'program = "f.c"\n[run]\ntemplate = {"size.template" = "size.in"}\n[vary]\nn = [10, 40]\n'
    )
    dry = looplaw("study", str(tmp_path / "study.toml"), "--dry-run", cwd=tmp_path)
    assert all(line.endswith("  # with size.in") for line in dry.stdout.splitlines())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--template", "none=size.in"), "--template none: No such file"),
        (("--template", "i.c"), "write TEMPLATE=FILE"),
        (("--template", "i.c=size.in"), "no value of n"),
        (("--env", "{n}"), "write NAME=VALUE as in --env N={n}"),
        (("--stdin", "no-{n}.txt"), "no-10.txt: no such file"),
        (("--stdin", "i.c"), "no value of n"),
    ],
)
def test_what_reaches_no_program_is_refused(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "i.c").write_text(_INPUT)
    done = looplaw("study", "i.c", "--vary", "n=10,20", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr or "the program has no parameter n" in done.stderr


@pytest.mark.parametrize(
    ("words", "second"), [(("--args", "{n} 7"), 7), (("--args", "9 7", "--env", "N={n}"), 7)]
)
def test_the_name_of_what_is_varied_is_not_that_of_another_word(
    tmp_path: Path, words: tuple[str, ...], second: int
) -> None:
    """The program calls its second word n, the study its first one or what its environment has."""
    (tmp_path / "w.c").write_text(
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n    volatile long s = 0;\n"
        '    int m = atoi(argv[1]), n = atoi(argv[2]);\n    getenv("N");\n'
        "    for (int i = 0; i < m; i++) s += i;\n    for (int i = 0; i < n; i++) s += i;\n"
        "    return 0; }\n"
    )
    more = ("--vary", "n=10,20,40", "--repetitions", "1", "--machine", "none", "--json", "s.json")
    done = looplaw("study", "w.c", *words, *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    study = json.loads((tmp_path / "s.json").read_text())
    first, last = study["loops"]
    assert [c["iterations"] for c in last["counted"]] == [second] * 3
    assert [loop["obeys"] for loop in (first, last)] == ["yes", "yes"]


_ONE_LOOP = """#include <stdlib.h>
volatile long s;
static __attribute__((noinline)) int get(char **a) { return atoi(a[1]); }
int main(int argc, char **argv) {
    NUMBER
    for (int i = 0; i < n; i++) s += i;
    return 0; }
"""


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("int n = get(argv + 1);", "{n} 37"),
        ("int k = 1; if (argc > 1 && argc != 3) k = 2; int n = atoi(argv[k]);", "{n} 37 2"),
    ],
)
def test_a_word_that_the_number_of_words_brings_is_told_apart_too(
    tmp_path: Path, number: str, words: str
) -> None:
    (tmp_path / "w.c").write_text(_ONE_LOOP.replace("NUMBER", number))
    done = looplaw("verify", "w.c", "--vary", "n=5,9", "--args", words, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("design", ["[design]\npoints = [{n = 5}, {n = 9}]", "[vary]\nn = [5, 9]"])
def test_values_of_single_points_are_told_apart_too(tmp_path: Path, design: str) -> None:
    (tmp_path / "w.c").write_text(
        _ONE_LOOP.replace("NUMBER", "s = atoi(argv[1]); int n = atoi(argv[2]);")
    )
    (tmp_path / "w.toml").write_text(
        f'program = ["w.c"]\n[run]\nargs = "{{n}} 37"\nrepetitions = 1\n{design}\n'
    )
    done = looplaw("verify", "w.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(
    None in map(shutil.which, ("mpicc", "mpiexec")), reason="no MPI here: apt install mpich"
)
def test_p_is_the_number_of_processes_wherever_mpi_starts(tmp_path: Path) -> None:
    """The program never asks how many processes there are, and calls a word p."""
    (tmp_path / "w.c").write_text(
        "#include <mpi.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n"
        "    MPI_Init(&argc, &argv);\n    volatile long s = 0;\n    int p = atoi(argv[1]);\n"
        "    for (int i = 0; i < p; i++) s += i;\n    MPI_Finalize();\n    return 0; }\n"
    )
    words = ("--vary", "p=1,2", "--args", "7")
    done = looplaw("verify", "w.c", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
