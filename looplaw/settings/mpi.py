"""What a program of MPI is compiled and linked with, as the library's own compiler wrapper tells
it."""

from __future__ import annotations

import os
import shlex
import subprocess

from looplaw_common.commands import answered, text_of, tool_words
from staticana import InputError

_TIMEOUT_S = 30


def mpi_flags() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(compiler flags, linker flags) of mpicc, or of the wrapper that the variable MPICC names.

    Raises:
        InputError: there is no such wrapper, or it does not say.
    """
    wrapper = os.environ.get("MPICC", "mpicc")
    try:
        command = tool_words([*shlex.split(wrapper), "-show"])
        done = answered(command, timeout_s=_TIMEOUT_S)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise InputError(
            f"{wrapper} cannot be run: install MPI (apt install mpich libmpich-dev), or set MPICC"
            " to its compiler"
        ) from None
    if done.returncode != 0:
        raise InputError(
            f"{wrapper} -show: exit code {done.returncode}; give the flags of MPI with --flag and"
            " --link"
        )
    words = shlex.split(text_of(done.stdout))[1:]
    return (
        tuple(w for w in words if w.startswith(("-I", "-D"))),
        tuple(w for w in words if w.startswith(("-L", "-l", "-Wl,"))),
    )
