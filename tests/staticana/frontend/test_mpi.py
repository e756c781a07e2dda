"""Programs of MPI are compiled, analysed and linked without a word about MPI."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from staticana import InputError, analyze, canonical, compile_sources
from staticana.frontend.fortran import find_flang
from staticana.frontend.mpi import mpi_flags
from staticana.frontend.mpi_f08 import with_error_codes

C = """
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]), p;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  volatile int s = 0;
  for (int i = 0; i < n / p; i++) s += i;
  return s;
}
"""
FORTRAN_READS = """
program shared
  implicit none
  integer, parameter :: world = 1140850688
  integer :: n, steps, i, rank, error
  character(32) :: word
  call mpi_init(error)
  call mpi_comm_rank(world, rank, error)
  if (rank == 0) then
    call get_command_argument(1, word)
    read (word, *) n
    call get_command_argument(2, word)
    read (word, *) steps
  end if
  call mpi_bcast(n, 1, 1275069467, 0, world, error)
  call mpi_bcast(steps, 1, 1275069467, 0, world, error)
  do i = 1, n
    print *, i
  end do
  do i = 1, steps
    print *, i
  end do
end program
"""
HEADER = """
typedef int MPI_Comm;
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
int MPI_Init(int *, char ***);
int MPI_Comm_size(MPI_Comm, int *);
"""
FORTRAN = """
program shared
  implicit none
  integer, parameter :: world = 1140850688
  integer :: n, i, p, rank, error
  character(32) :: word
  call mpi_init(error)
  call mpi_comm_size(world, p, error)
  call mpi_comm_rank(world, rank, error)
  call get_command_argument(1, word)
  read (word, *) n
  do i = 1, n / p
    call mpi_bcast(n, 1, 1275069467, 0, world, error)
  end do
  print *, n
end program
"""
FORTRAN_2008 = """
program shared
  use mpi_f08
  implicit none
  integer :: n, i, p, rank, from
  integer, volatile :: s
  type(MPI_Comm) :: all
  type(MPI_Status) :: status
  type(MPI_Request) :: sent(1)
  character(32) :: word
  call MPI_Init()
  all = MPI_COMM_WORLD
  call MPI_Comm_size(all, p)
  call MPI_Comm_rank(all, rank)
  n = 0
  if (rank == 0) then
    call get_command_argument(1, word)
    read (word, *) n
  end if
  call MPI_Bcast(n, 1, MPI_INTEGER, 0, all)
  do i = 1, n / p
    s = i
  end do
  call MPI_Isend(rank, 1, MPI_INTEGER, mod(rank + 1, p), 0, all, sent(1))
  call MPI_Recv(from, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, all, status)
  call MPI_Waitall(1, sent, MPI_STATUSES_IGNORE)
  if (all == MPI_COMM_WORLD .and. status%MPI_SOURCE == from) print *, rank, from
  call MPI_Finalize()
end program
"""


@pytest.mark.parametrize(
    ("given", "handed"),
    [
        ("ptr %n, ptr null), !dbg !7", "ptr %n, ptr ERROR), !dbg !7"),
        ("ptr null, ptr null)", "ptr null, ptr ERROR)"),
        ("ptr null, ptr %n)", "ptr null, ptr %n)"),
        ("ptr %name, ptr null, i64 64), !dbg !7", "ptr %name, ptr ERROR, i64 64), !dbg !7"),
        ("ptr null, ptr %n, i64 %length)", "ptr null, ptr %n, i64 %length)"),
    ],
)
def test_an_error_code_is_the_last_argument(given: str, handed: str) -> None:
    text = with_error_codes(f"  call void @mpi_test_({given}\n")
    assert text.splitlines()[0] == f"  call void @mpi_test_({handed}".replace(
        "ERROR", "@looplaw.mpi.error"
    )


def _source(tmp_path: Path) -> Path:
    source = tmp_path / "shared.c"
    source.write_text(C)
    return source


def test_the_library_at_hand_has_the_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "include"
    folder.mkdir()
    (folder / "mpi.h").write_text(HEADER)
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(f"#!/bin/sh\necho cc -I{folder} -L/opt/mpi -lmpi -Wl,-z,now\n")
    wrapper.chmod(0o755)
    monkeypatch.setenv("MPICC", str(wrapper))
    analysis = analyze(canonical(compile_sources([_source(tmp_path)])))
    assert str(analysis.loops[0].total) == "Count(exact: Max(0, floor(n/p)))"
    assert mpi_flags()[1] == ("-L/opt/mpi", "-lmpi", "-Wl,-z,now")


def test_who_has_no_library_is_told_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPICC", os.fspath(tmp_path / "none"))
    with pytest.raises(InputError, match=r"mpi\.h' file not found.*apt install mpich"):
        compile_sources([_source(tmp_path)])


def test_fortran_asks_by_reference(tmp_path: Path) -> None:
    """The number of processes is a parameter, and what a broadcast leaves of a number that all
    have; what is received is none."""
    if find_flang() is None:
        pytest.skip("no flang here: apt install flang-19")
    source = tmp_path / "shared.f90"
    source.write_text(FORTRAN)
    (loop,) = analyze(canonical(compile_sources([source]))).loops
    assert str(loop.total) == "Count(exact: Max(0, floor(n/p)))"
    received = "call mpi_recv(n, 1, 1275069467, 0, 0, world, rank, error)"
    source.write_text(FORTRAN.replace("  do i", f"  {received}\n  do i"))
    (loop,) = analyze(canonical(compile_sources([source]))).loops
    assert loop.total.kind == "parametric"


def test_what_one_process_of_fortran_reads_is_a_parameter_of_all(tmp_path: Path) -> None:
    """Of variables that the others leave as they are, one beside the other."""
    if find_flang() is None:
        pytest.skip("no flang here: apt install flang-19")
    source = tmp_path / "shared.f90"
    source.write_text(FORTRAN_READS)
    loops = analyze(canonical(compile_sources([source])), ranks=True).loops
    assert [str(x.total) for x in loops] == [
        "Count(exact: Max(0, n))",
        "Count(exact: Max(0, steps))",
    ]


def test_fortran_2008_hands_over_structures_and_no_error_codes(tmp_path: Path) -> None:
    flang = find_flang()
    if flang is None or shutil.which("mpiexec") is None:
        pytest.skip("no flang or no MPI here: apt install flang-19 mpich libmpich-dev")
    source, text, program = (tmp_path / name for name in ("m.f90", "m.ll", "m"))
    source.write_text(FORTRAN_2008)
    flags, link = mpi_flags(fortran=True)
    text.write_text(canonical(compile_sources([source], flags=flags)))
    (loop,) = analyze(text.read_text(), ranks=True).loops
    assert str(loop.total) == "Count(exact: Max(0, floor(n/p)))"
    subprocess.run([flang, text, "-o", program, *link], check=True, capture_output=True)
    done = subprocess.run(
        ["mpiexec", "-n", "2", program, "9"], check=True, capture_output=True, text=True
    )
    assert sorted(line.split() for line in done.stdout.splitlines()) == [["0", "1"], ["1", "0"]]
