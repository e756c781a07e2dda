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


MODULES = """
module sizes
  implicit none
  integer :: nx, ny
  real(8), allocatable :: h(:,:)
contains
  subroutine fill()
    integer :: i, j
    allocate(h(0:nx+1,ny))
    h = 1.0
    do j = 1, ny
      do i = 1, nx
        h(i,j) = i*j
      end do
    end do
  end subroutine
  real(8) function total()
    total = sum(h)
  end function
end module
program main
  use sizes
  implicit none
  character(len=32) :: word
  integer :: t
  call get_command_argument(1, word); read(word, *) nx
  call get_command_argument(2, word); read(word, *) ny
  call fill()
  do t = 1, nx, 2
    print *, t, total()
    h(1:nx,1) = h(1:nx,1) + t
  end do
end program
"""


def test_variables_of_modules_are_parameters(tmp_path: Path) -> None:
    """What READ puts into a module's variable holds in every procedure, whatever is printed, filled
    and allocated in between."""
    _need_flang()
    source = tmp_path / "modules.f90"
    source.write_text(MODULES)
    analysis = analyze(canonical(compile_sources([source])))
    assert {p.name: p.origin for p in analysis.parameters} == {"nx": "argv[1]", "ny": "argv[2]"}
    expected = {
        _line(MODULES, "do j ="): lambda nx, ny: ny,
        _line(MODULES, "do i ="): lambda nx, ny: nx * ny,
        _line(MODULES, "do t ="): lambda nx, ny: (nx + 1) // 2,
    }
    found = {int(loop.at.split(":")[-2]): loop.total for loop in analysis.loops}
    for line, count in expected.items():
        assert found[line].kind == "exact", line
        for nx, ny in [(1, 1), (4, 7), (9, 2)]:
            assert found[line].evaluate({"nx": nx, "ny": ny}) == count(nx, ny)


def _line(text: str, part: str) -> int:
    return next(k for k, line in enumerate(text.split("\n"), 1) if part in line)


SCANNED = """
#include <stdio.h>
#include <stdlib.h>
int n, *a;
void fill(void) { for (int i = 0; i < n; i++) a[i] = i; }
int main(int argc, char **argv) {
  a = malloc(100 * sizeof *a);
  sscanf(argv[1], "%d", &n);
  fill();
  sscanf(argv[2], "%d", &n);
  fill();
  return 0;
}
"""


def test_a_global_that_a_call_fills_is_what_it_was_filled_with_last(tmp_path: Path) -> None:
    source = tmp_path / "scanned.c"
    source.write_text(SCANNED)
    names = {"n": "argv[1]", "m": "argv[2]"}
    (loop,) = analyze(canonical(compile_sources([source])), parameters=names).loops
    assert loop.total.kind == "exact"
    assert loop.total.evaluate({"n": 3, "m": 4}) == 7


PARTS = """
#include <stdio.h>
static int a[4];
volatile int s;
int main(void) {
  for (int i = 0; i < 3; i++) scanf("%d", &a[i]);
  for (int i = 0; i < a[1]; i++) s++;
  return 0;
}
"""


def test_a_part_of_a_global_that_a_call_fills_is_not_what_it_starts_with(tmp_path: Path) -> None:
    source = tmp_path / "parts.c"
    source.write_text(PARTS)
    loops = analyze(canonical(compile_sources([source]))).loops
    assert [loop.total.kind for loop in loops] == ["exact", "parametric"]
