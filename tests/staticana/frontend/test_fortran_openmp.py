"""Loops that threads of a Fortran program share are counted as those of clang are."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from looplaw.settings.settings import Settings
from looplaw.studies.prepare import prepare
from staticana import analyze, canonical, compile_sources
from staticana.frontend.fortran import find_flang
from staticana.frontend.openmp.pragmas import has_library
from tests.twin import line_of

PROGRAM = """program main
  implicit none
  integer :: n, i, j, k
  real(8), allocatable :: a(:, :)
  real(8) :: total
  character(32) :: word
  call get_command_argument(1, word)
  read (word, *) n
  allocate(a(n, n))
  a = 1
  total = 0
  do k = 1, 3
    !$omp parallel do private(i) reduction(+: total)
    do j = 2, n - 1
      do i = 1, j
        total = total + a(i, j)
      end do
    end do
    !$omp end parallel do
    !$omp parallel
    !$omp do schedule(dynamic, 4)
    do j = 1, n
      a(1, j) = j
    end do
    !$omp end do
    !$omp end parallel
  end do
  print *, total
end program main
"""
LAWS: dict[int, Callable[[int], int]] = {
    12: lambda n: 3,
    14: lambda n: 3 * max(0, n - 2),
    15: lambda n: 3 * sum(range(2, n)),
    22: lambda n: 3 * n,
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    if find_flang() is None:
        pytest.skip("no flang here: apt install flang-19")
    path = tmp_path / "shared.f90"
    path.write_text(PROGRAM)
    return path


def test_iterations_of_all_threads_are_those_of_the_loop(source: Path) -> None:
    analysis = analyze(canonical(compile_sources([source], flags=("-fopenmp",))))
    found = {int(line_of(x.at).rpartition(":")[2]): x.total for x in analysis.loops}
    assert found.keys() == LAWS.keys()
    for line, total in found.items():
        assert total.kind == "exact", (line, total)
        for n in (1, 2, 9):
            assert total.evaluate({"n": n, "p": 3}) == LAWS[line](n)


def test_the_program_does_what_it_did(source: Path, tmp_path: Path) -> None:
    if not has_library() or shutil.which("mpiexec") is None:
        pytest.skip("no libomp here: apt install libomp-19-dev")
    text = canonical(compile_sources([source], flags=("-fopenmp",)))
    (tmp_path / "shared.ll").write_text(text)
    flang = find_flang() or ""
    said = set()
    for name in ("shared.f90", "shared.ll"):
        words = [flang, "-fopenmp", str(tmp_path / name), "-o", str(tmp_path / "shared")]
        subprocess.run(words, check=True, capture_output=True)
        done = subprocess.run(
            [tmp_path / "shared", "9"], check=True, capture_output=True, text=True
        )
        said.add(done.stdout)
    assert len(said) == 1


def test_a_study_turns_pragmas_of_fortran_on(source: Path) -> None:
    if not has_library():
        pytest.skip("no libomp here: apt install libomp-19-dev")
    settings = Settings((source,), {"n": (8, 16), "threads": (1, 2)})
    assert prepare(settings).settings.flags == ("-fopenmp",)


def test_two_reductions_are_two_loops(source: Path) -> None:
    """flang says of the second that it stands where the first does."""
    source.write_text(
        """program p
  implicit none
  integer :: n, i, s
  character(len=32) :: a
  call get_command_argument(1, a)
  read(a, *) n
  s = 0
  !$omp parallel do reduction(+: s)
  do i = 1, n
    s = s + ieor(i, s)
  end do
  !$omp parallel do reduction(+: s)
  do i = 1, 2*n
    s = s + ieor(i, s)
  end do
  print *, s
end program
"""
    )
    analysis = analyze(canonical(compile_sources([source], flags=("-fopenmp",))))
    found = {int(line_of(x.at).rpartition(":")[2]): x.total for x in analysis.loops}
    assert {line: total.evaluate({"n": 7, "p": 3}) for line, total in found.items()} == {
        9: 7,
        13: 14,
    }


def test_loops_of_simd_are_loops_of_each_thread(source: Path) -> None:
    source.write_text(
        """program p
  implicit none
  integer :: n, i, j
  real(8) :: a(9, 9)
  character(len=32) :: word
  call get_command_argument(1, word)
  read(word, *) n
  !$omp parallel do
  do i = 1, n
    !$omp simd
    do j = 2, n
      a(j, i) = i
    end do
  end do
  print *, a
end program
"""
    )
    analysis = analyze(canonical(compile_sources([source], flags=("-fopenmp",))))
    found = {int(line_of(x.at).rpartition(":")[2]): x.total for x in analysis.loops}
    assert {line: total.evaluate({"n": 7, "p": 3}) for line, total in found.items()} == {
        9: 7,
        11: 42,
    }
