"""What programs of MPI are compiled and linked with, as the library's own compiler wrappers tell
it."""

from __future__ import annotations

import os
import shlex
import subprocess
from functools import lru_cache

from looplaw_common.commands import answered, text_of, tool_words
from looplaw_common.errors import InputError

_TIMEOUT_S = 30
"""Time that a compiler of MPI may take to say its flags."""


def mpi_flags(*, fortran: bool = False) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(compiler flags, linker flags) of mpicc, or of the wrapper that the variable MPICC names; of
    Fortran those of mpif90, or of MPIFC.

    Raises:
        InputError: there is no such wrapper, or it does not say.
    """
    variable, usual = ("MPIFC", "mpif90") if fortran else ("MPICC", "mpicc")
    return _flags(os.environ.get(variable, usual), variable)


@lru_cache(maxsize=8)
def _flags(wrapper: str, variable: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    try:
        command = tool_words([*shlex.split(wrapper), "-show"])
        done = answered(command, timeout_s=_TIMEOUT_S)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise InputError(
            f"{wrapper} cannot be run: install MPI (apt install mpich libmpich-dev), or set"
            f" {variable} to its compiler"
        ) from None
    if done.returncode != 0:
        raise InputError(
            f"{wrapper} -show: exit code {done.returncode}; give the flags of MPI with --flag and"
            " --link"
        )
    words = shlex.split(text_of(done.stdout))[1:]
    return (
        tuple(dict.fromkeys(w for w in words if w.startswith(("-I", "-D")))),
        tuple(w for w in words if w.startswith(("-L", "-l", "-Wl,"))),
    )
