"""Fortran programs: formulas over by-reference arguments and READ values equal the counts of a
twin."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from staticana import InputError, analyze, canonical, compile_sources
from staticana.frontend.fortran import find_flang
from tests.places import PROGRAMS
from tests.twin import line_of

PROGRAM = PROGRAMS / "fortran" / "loops.f90"
_DO = re.compile(r"^\s*(?:\w+: )?do\b")
_TICK = """
subroutine tick(k)
  integer :: k
  integer(8) :: c(100)
  common /counts/ c
  c(k) = c(k) + 1
end subroutine tick
subroutine ticks()
  integer :: k
  integer(8) :: c(100)
  common /counts/ c
  do k = 1, 100
    print *, k, c(k)
  end do
end subroutine ticks
"""


def _need_flang() -> str:
    found = find_flang()
    if found is None:
        pytest.skip("flang is not installed: apt install flang-19")
    return found


def _twin(folder: Path) -> tuple[Path, set[str]]:
    lines, found = [], set()
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1):
        if line == "end program main":
            lines.append("  call ticks()")
        lines.append(line)
        if _DO.match(line):
            found.add(f"{PROGRAM.name}:{number}")
            lines.append(f"call tick({number})")
    path, executable = folder / "twin.f90", folder / "twin"
    path.write_text("\n".join(lines) + _TICK)
    subprocess.run(
        [shutil.which("gfortran") or _need_flang(), str(path), "-o", str(executable)],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    return executable, found


@pytest.mark.parametrize("entry", ["main", "work"])
def test_do_loops_are_counted(entry: str, tmp_path: Path) -> None:
    _need_flang()
    executable, lines = _twin(tmp_path)
    analysis = analyze(canonical(compile_sources([PROGRAM])), entry=entry)
    assert sorted(p.name for p in analysis.parameters) == ["m", "n"]
    totals = {line_of(loop.at): loop.total for loop in analysis.loops}
    # a DO without a condition has no place of its own: it stands where its first test does
    assert len(lines - totals.keys()) == 1
    assert all(total.kind == "exact" for total in totals.values())
    generator = random.Random(2)
    for n, m in [
        (0, 0),
        (-4, 3),
        (9, 7),
        *((generator.randint(-3, 14), generator.randint(-2, 9)) for _ in range(10)),
    ]:
        done = subprocess.run(
            [str(executable), str(n), str(m)], capture_output=True, text=True, check=True
        )
        counts = dict(line.split() for line in done.stdout.splitlines()[1:])
        for at in lines & totals.keys():
            assert totals[at].evaluate({"n": n, "m": m}) == int(counts[at.split(":")[1]]), (
                at,
                n,
                m,
            )


def test_an_argument_that_is_changed_is_no_parameter(tmp_path: Path) -> None:
    _need_flang()
    path = tmp_path / "c.f90"
    path.write_text(
        "subroutine c(n, s)\n integer :: n, s, i\n n = n * s\n do i = 1, n\n  s = s + 1\n end"
        " do\nend subroutine\n"
    )
    (loop,) = analyze(canonical(compile_sources([path])), entry="c").loops
    assert loop.total.kind != "exact"


def test_without_flang_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="no flang found: apt install flang"):
        compile_sources([PROGRAM])


def test_what_is_cut_to_a_variable_must_fit(tmp_path: Path) -> None:
    """A call by reference, in IR that is said to be Fortran's."""
    path = tmp_path / "c.c"
    path.write_text(
        "#include <stdlib.h>\nvolatile int s;\n"
        "__attribute__((noinline)) static void work(int *n) {\n"
        "    for (int i = 0; i < *n; i++) s++;\n}\n"
        "int main(int argc, char **argv) {\n"
        "    long n = atol(argv[1]);\n    int k = (int)(n * 2);\n    work(&k);\n"
        "    for (int i = 0; i < k; i++) s++;\n}\n"
    )
    text = re.sub("DW_LANG_C\\w*", "DW_LANG_Fortran90", canonical(compile_sources([path])))
    for loop in analyze(text).loops:
        assert loop.total.kind == "exact"
        assert loop.total.holds({"n": 5})
        assert not loop.total.holds({"n": 1 << 40})


def test_the_error_that_is_quoted_has_a_place(tmp_path: Path) -> None:
    """flang first says that it could not scan the file, and then why."""
    _need_flang()
    path = tmp_path / "p.f90"
    path.write_text("program p\n  include 'nowhere.h'\nend program\n")
    with pytest.raises(InputError, match=r"p\.f90:2:1: error: .*nowhere\.h"):
        compile_sources([path])


def test_variables_of_modules_have_their_names(tmp_path: Path) -> None:
    _need_flang()
    path = tmp_path / "p.f90"
    path.write_text(
        "module cfg\n  integer :: last\nend module\nsubroutine work(s)\n  use cfg\n"
        "  real(8) :: s\n  integer :: i\n  do i = 1, last\n    s = s + i\n  end do\n"
        "end subroutine\n"
    )
    (loop,) = analyze(canonical(compile_sources([path])), entry="work").loops
    assert [(o.symbol, o.meaning) for o in loop.total.opaque] == [
        ("last", "value loaded from last")
    ]


def test_arrays_and_structures_of_a_whole_program_are_read(tmp_path: Path) -> None:
    """Their descriptors hold sizes as constant expressions that newer LLVMs refuse."""
    _need_flang()
    path = tmp_path / "p.f90"
    path.write_text(
        "program p\n  implicit none\n  type :: grid\n    integer :: n\n  end type\n"
        "  type(grid) :: g\n  integer :: n, i, a(60, 60)\n  character(len=8) :: w\n"
        "  call get_command_argument(1, w)\n  read (w, *) n\n  g%n = n\n  a = 0\n"
        "  do i = 1, n\n    a(1, 1) = a(1, 1) + g%n\n  end do\n  print *, a(1, 1), g\n"
        "end program\n"
    )
    loops = {line_of(x.at): x.total for x in analyze(canonical(compile_sources([path]))).loops}
    assert str(loops["p.f90:13"].formula) == "Max(0, n)"


def test_files_are_compiled_in_the_order_of_their_modules(tmp_path: Path) -> None:
    if find_flang() is None:
        pytest.skip("no flang here: apt install flang-19")
    texts = {
        "main.f90": "program p\n  USE Sizes, only : n\n  integer :: i\n"
        "  do i = 1, n\n    print *, i\n  end do\nend program\n",
        "sizes.f90": "module sizes\n  use, non_intrinsic :: Base ! its parent\n"
        "  integer, parameter :: n = 2*m\nend module\n",
        "base.f90": "module base\n  integer, parameter :: m = 21\nend module base\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (loop,) = analyze(canonical(compile_sources([tmp_path / name for name in texts]))).loops
    assert str(loop.total) == "Count(exact: 42)"
