"""Whether sources are written for OpenMP or MPI, and the flag that turns OpenMP on."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from looplaw_common.commands import answered, text_of
from looplaw_common.errors import InputError

from ..clang import find_compiler

FLAG = "-fopenmp"
_PRAGMA = re.compile(
    r"^[ \t]*#[ \t]*pragma[ \t]+omp\b|\b_Pragma\(\s*\"omp\b|^[ \t]*!\$omp\b",
    re.MULTILINE | re.IGNORECASE,
)
_MPI = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"]mpi\.h[>\"]|^[ \t]*use[ \t]+mpi(?:_f08)?\b"
    r"|^[ \t]*include[ \t]+'mpif\.h'",
    re.MULTILINE | re.IGNORECASE,
)
_TIMEOUT_S = 30
"""Time that a preprocessor may take."""
_MOST = 8 << 20
"""Bytes of a source in which they are looked for."""


def has_pragmas(sources: Iterable[Path]) -> bool:
    """Has one of the sources a directive of OpenMP?"""
    return any(_PRAGMA.search(_text(path)) for path in sources)


def names_mpi(sources: Iterable[Path]) -> bool:
    """Does one of the sources use MPI?"""
    return any(_MPI.search(_text(path)) for path in sources)


def is_decided(flags: Sequence[str]) -> bool:
    """Do flags say whether OpenMP is on?"""
    return any(flag.startswith(("-fopenmp", "-fno-openmp", "-qopenmp")) for flag in flags)


@lru_cache(maxsize=1)
def has_library() -> bool:
    """Has the compiler in use the library that OpenMP's programs are linked with?"""
    try:
        compiler = find_compiler()
        if compiler.kind != "clang":
            return False
        command = [*compiler.command, "-print-file-name=libomp.so"]
        said = text_of(answered(command, timeout_s=_TIMEOUT_S).stdout).strip()
    except (InputError, OSError, subprocess.TimeoutExpired):
        return False
    return Path(said).is_absolute()


def _text(path: Path) -> str:
    if path.suffix in (".ll", ".bc", ".toml"):
        return ""
    try:
        with path.open("rb") as file:
            return file.read(_MOST).decode("utf-8", "replace")
    except OSError:
        return ""  # whoever compiles it says so
