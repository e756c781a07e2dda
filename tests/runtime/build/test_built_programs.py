"""Programs that a makefile built with looplaw's compilers: they carry what looplaw asks of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from looplaw_common.errors import InputError
from staticana.frontend.built import carries_ir, link_record, link_words, unit_record
from staticana.frontend.compile import compile_sources
from staticana.frontend.fortran import find_flang

_MAIN = """#include <stdio.h>
#include <stdlib.h>
double work(int n);
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += work(i);
    printf("%g\\n", sum);
    return 0;
}
"""
_WORK = """#include <math.h>
double work(int n) {
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += sqrt(j);
    return sum;
}
"""
_MAKEFILE = """all: sums
sums: main.o libwork.a
\t$(CC) main.o -L. -lwork -lm -o sums
libwork.a: work.o
\tar rc libwork.a work.o
"""


def _looplaw(*words: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "looplaw", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an archive and libraries, built by its makefile."""
    folder = tmp_path_factory.mktemp("project")
    for name, text in (("main.c", _MAIN), ("work.c", _WORK), ("Makefile", _MAKEFILE)):
        (folder / name).write_text(text)
    compiler = f"CC={sys.executable} -m looplaw cc"
    root = str(Path(__file__).parents[3])
    subprocess.run(
        ["make", "-s", compiler], cwd=folder, check=True, env=os.environ | {"PYTHONPATH": root}
    )
    return folder


def test_a_built_program_has_the_laws_of_its_sources(project: Path) -> None:
    _looplaw("analyze", "./sums", "--json", "built.json", cwd=project)
    _looplaw("analyze", "main.c", "work.c", "--json", "sources.json", cwd=project)
    built, sources = (
        json.loads((project / f"{name}.json").read_text())["loops"] for name in ("built", "sources")
    )
    assert [(loop["at"], loop["total"]) for loop in built] == [
        (loop["at"], loop["total"]) for loop in sources
    ]
    assert len(built) == 2


def test_a_built_program_is_studied_without_a_flag(project: Path) -> None:
    words = ("--args", "{n}", "--vary", "n=20,40", "--repetitions", "1", "--machine", "none")
    _looplaw("study", "./sums", *words, cwd=project)
    study = json.loads((project / "looplaw-out" / "sums" / "study.json").read_text())
    assert [(loop["law"]["kind"], loop["obeys"]) for loop in study["loops"]] == 2 * [
        ("exact", "yes")
    ]


def test_what_a_program_was_linked_with_is_kept_without_its_own_objects(project: Path) -> None:
    words = link_words(compile_sources([project / "sums"]))
    assert words == (f"-L{project}", "-lwork", "-lm")
    assert carries_ir(project / "main.o")


def test_a_program_of_another_compiler_says_how_to_build_it(tmp_path: Path) -> None:
    program = tmp_path / "tool"
    program.write_bytes(b"\x7fELF" + bytes(60))
    with pytest.raises(InputError, match=r'without IR: build it .* CC="looplaw cc" make'):
        compile_sources([program])


@pytest.mark.parametrize("damage", ["truncated", "changed", "behind others"])
def test_damaged_records_are_refused(tmp_path: Path, damage: str) -> None:
    record = unit_record("define void @f() {\n  ret void\n}\n")
    if damage == "truncated":
        record = record[:-4]
    elif damage == "changed":
        record = record[:-4] + bytes(4)
    else:
        record += link_record(["-lm"])[:-1] + b"?"
    program = tmp_path / "tool"
    program.write_bytes(b"\x7fELF" + record)
    with pytest.raises(InputError, match="its IR is damaged: build it again"):
        compile_sources([program])


def test_link_words_keep_their_letters(tmp_path: Path) -> None:
    words = ['-Wl,-rpath,/a "b"', "/ü/lib\\x.a", "-lm"]
    program = tmp_path / "tool"
    program.write_bytes(
        b"\x7fELF" + unit_record("define void @f() {\n  ret void\n}\n") + link_record(words)
    )
    assert link_words(compile_sources([program])) == tuple(words)


@pytest.mark.skipif(find_flang() is None, reason="needs flang")
def test_fortran_is_built_by_its_makefile(tmp_path: Path) -> None:
    (tmp_path / "sizes.f90").write_text("module sizes\n  integer :: n\nend module sizes\n")
    (tmp_path / "main.f90").write_text(
        "program main\n  use sizes\n  implicit none\n  integer :: i, j\n  real(8) :: s\n"
        "  read(*,*) n\n  s = 0\n  do i = 1, n\n    do j = 1, i\n      s = s + j\n    end do\n"
        "  end do\n  print *, s\nend program main\n"
    )
    _looplaw("fc", "-O2", "-fallow-argument-mismatch", "-c", "sizes.f90", cwd=tmp_path)
    _looplaw("fc", "-O2", "main.f90", "sizes.o", "-o", "main", cwd=tmp_path)
    done = subprocess.run(
        ["./main"], input="9", cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) == 165
    _looplaw("analyze", "main", "--json", "laws.json", cwd=tmp_path)
    laws = json.loads((tmp_path / "laws.json").read_text())["loops"]
    assert [loop["total"]["formula"] for loop in laws] == [
        "Max(0, n)",
        "Max(0, n)*(Max(0, n) + 1)/2",
    ]
