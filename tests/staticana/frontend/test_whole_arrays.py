"""Fortran's whole arrays: what an assignment leaves in descriptors, and what internal procedures do
to the variables of their host, against the iterations that the program itself counts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from staticana import Analysis, analyze, canonical, compile_sources
from staticana.frontend.fortran import find_flang
from staticana.frontend.host_variables import has_host_variables, with_host_variables_apart

PROGRAM = """program main
  implicit none
  type box
    integer :: n, half
    real(8), allocatable :: u(:, :)
    real(4), allocatable :: k(:)
  end type box
  type(box) :: b
  real(8), allocatable :: w(:, :), row(:)
  integer :: n, i, j, tally
  character(32) :: word
  call read_size()
  tally = 0
  call fill(b, n)
BODY
  print *, tally
contains
  subroutine read_size()
    if (command_argument_count() < 1) stop 1
    call get_command_argument(1, word)
    read (word, *) n
  end subroutine read_size
  subroutine count_up()
    tally = tally + 1
  end subroutine count_up
  subroutine fill(b, n)
    type(box), intent(inout) :: b
    integer, intent(in) :: n
    b%n = n
    b%half = n / 2
    allocate(b%u(n, b%half), b%k(3))
    b%u = 1.5d0
    b%k = 4
  end subroutine fill
end program main
"""
BODIES = {
    "scalar": ("b%u = 2\n  b%k = 7\n", "b%half", "size(b%u, 1)"),
    "same shape": ("w = b%u\n  b%u = w*2\n", "b%half", "size(w, 1)"),
    "another shape": ("allocate(w(1, 1))\n  w = b%u\n", "size(w, 2)", "b%n"),
    "of an expression": ("w = transpose(b%u)\n  row = w(:, 1)\n", "size(b%u, 2)", "b%n"),
    "a section": ("b%u(2:n, :) = b%u(1:n - 1, :)\n", "ubound(b%u, 2)", "ubound(b%u, 1)"),
    "two in a row": ("row = b%u(:, 1)\n  row = [row, row]\n", "b%half", "b%n"),
}
LOOPS = """  do j = 1, OUTER
    do i = 1, INNER
      call count_up()
    end do
  end do
"""


def _source(tmp_path: Path, name: str) -> Path:
    if find_flang() is None:
        pytest.skip("no flang here: apt install flang-19")
    before, outer, inner = BODIES[name]
    loops = LOOPS.replace("OUTER", outer).replace("INNER", inner)
    source = tmp_path / "whole.f90"
    source.write_text(PROGRAM.replace("BODY", f"  {before}{loops}"))
    return source


def _counted(tmp_path: Path, source: Path, n: int) -> int:
    """What the program itself counts."""
    executable = tmp_path / "whole"
    if not executable.exists():
        subprocess.run([find_flang() or "", str(source), "-o", str(executable)], check=True)
    done = subprocess.run([executable, str(n)], check=True, capture_output=True, text=True)
    return int(done.stdout)


def _analysed(source: Path) -> Analysis:
    return analyze(canonical(compile_sources([source])))


@pytest.mark.parametrize("name", BODIES)
def test_bounds_are_known_after_an_assignment(name: str, tmp_path: Path) -> None:
    source = _source(tmp_path, name)
    inner = max(_analysed(source).loops, key=lambda loop: loop.nesting)
    assert inner.total.kind == "exact", inner.total
    for n in (1, 2, 7):
        assert inner.total.evaluate({"n": n}) == _counted(tmp_path, source, n)


def test_an_array_of_the_same_type_may_change_what_a_pointer_shares(tmp_path: Path) -> None:
    """A bound that stands in a target of the type of the elements is not taken for granted."""
    source = _source(tmp_path, "scalar")
    text = source.read_text()
    text = text.replace("  integer :: n, i", "  integer, target :: bound(2)\n  integer :: n, i")
    text = text.replace("  b%u = 2\n", "  integer, pointer :: p(:)\n  b%u = 2\n", 1)
    text = text.replace("  integer, pointer :: p(:)\n", "")
    text = text.replace("  integer :: n, i", "  integer, pointer :: p(:)\n  integer :: n, i")
    text = text.replace("  b%k = 7\n", "  bound = 3\n  p => bound\n  p = n\n")
    text = text.replace("do i = 1, size(b%u, 1)", "do i = 1, bound(1)")
    source.write_text(text)
    inner = max(_analysed(source).loops, key=lambda loop: loop.nesting)
    for n in (1, 5):
        if inner.total.kind == "exact":
            assert inner.total.evaluate({"n": n}) == _counted(tmp_path, source, n)


IR = """define internal i32 @inner(i32 %k, ptr nest %tuple) {
entry:
  %at = getelementptr { ptr, ptr }, ptr %tuple, i32 0, i32 1
  %n = load ptr, ptr %at
  %v = load i32, ptr %n
  %s = call i32 @deeper(ptr %tuple)
  %t = add i32 %v, %s
  %u = add i32 %t, %k
  store i32 %u, ptr %n
  ret i32 %u
}

define internal i32 @deeper(ptr nest %tuple) {
entry:
  %at = getelementptr { ptr, ptr }, ptr %tuple, i32 0, i32 0
  %m = load ptr, ptr %at
  %v = load i32, ptr %m
  ret i32 %v
}

define i32 @host(ptr %m, ptr %n) {
entry:
  %tuple = alloca { ptr, ptr }
  %first = getelementptr { ptr, ptr }, ptr %tuple, i32 0, i32 0
  store ptr %m, ptr %first
  %second = getelementptr { ptr, ptr }, ptr %tuple, i32 0, i32 1
  store ptr %n, ptr %second
  %r = call i32 @inner(i32 7, ptr %tuple)
  ret i32 %r
}
"""


def test_internal_procedures_get_addresses_as_arguments() -> None:
    assert has_host_variables(IR)
    text = canonical(IR)
    assert "tuple" not in text
    assert "call i32 @inner(i32 7, ptr %n, ptr %m)" in text
    assert "call i32 @deeper(ptr %looplaw.host.member.1)" in text


@pytest.mark.parametrize(
    "used",
    [
        "  store ptr %tuple, ptr %n\n",  # kept
        "  %x = call i32 @outside(ptr %tuple)\n",
        "  %p = getelementptr { ptr, ptr }, ptr %tuple, i32 0, i32 %k\n  %q = load ptr, ptr %p\n",
    ],
)
def test_a_structure_that_is_used_otherwise_stays(used: str) -> None:
    text = IR.replace("  %v = load i32, ptr %n\n", f"  %v = load i32, ptr %n\n{used}")
    text += "declare i32 @outside(ptr)\n"
    assert "@inner(i32 %k, ptr nest %tuple)" in with_host_variables_apart(text)
