"""Sources that are written for OpenMP or MPI are known by their directives."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana.frontend.openmp.pragmas import has_pragmas, is_decided, names_mpi


@pytest.mark.parametrize(
    ("name", "text", "openmp", "mpi"),
    [
        ("a.c", "#include <mpi.h>\n  # pragma  omp parallel for\nint i;\n", True, True),
        ("a.cc", '_Pragma("omp parallel") { }\n', True, False),
        ("a.f90", "use mpi_f08\n!$omp parallel do\n", True, True),
        ("a.f90", "      include 'mpif.h'\n", False, True),
        ("a.c", "// no omp here\n#pragma once\nint omp;\n", False, False),
        ("a.ll", "; #pragma omp\n", False, False),
    ],
)
def test_directives_are_found(
    tmp_path: Path, name: str, text: str, openmp: bool, mpi: bool
) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert (has_pragmas([path]), names_mpi([path])) == (openmp, mpi)


def test_flags_decide_before_pragmas() -> None:
    assert is_decided(["-O2", "-fopenmp=libomp"])
    assert is_decided(["-fno-openmp"])
    assert not is_decided(["-fopt-info", "-O2"])
    assert not has_pragmas([Path("no such file.c")])
