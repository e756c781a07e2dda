"""Files of a program that do not compile: which, why, and what mends it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from pathlib import Path

from looplaw_common.errors import LooplawWarning

_CURES = (
    (
        re.compile(r"'([^']+)' file not found"),
        "name the folder of {} with --flag=-IFOLDER, or take the project's own flags from its"
        " compile_commands.json",
    ),
    (
        re.compile(r"Cannot read module file for module '([^']+)': (?!.*not found)"),
        "the module {} is of another Fortran compiler: build its library with flang; for MPI write"
        " use mpi, or include 'mpif.h'",
    ),
    (
        re.compile(r"undeclared|unknown type name|undefined|no member named|incomplete type"),
        "it may need the project's own flags: --flag=-DNAME, or its compile_commands.json",
    ),
)
"""What the compiler says -> what helps."""


def with_cure(why: str) -> str:
    """Why a file does not compile, with what mends it where that is known."""
    for said, cure in _CURES:
        found = said.search(why)
        if found is not None:
            return f"{why} ({cure.format(*found.groups())})"
    return why


def with_missing(text: str, paths: Iterable[Path]) -> str:
    """A module of a program that other files belong to: it is no whole program."""
    return f"{text}\n" + "".join(f'declare void @"what {path.name} defines"()\n' for path in paths)


def tell_left_out(path: Path, why: str) -> None:
    """Warn of a file that does not compile: what is said of the program is said without it."""
    warnings.warn(f"left out: {path}: {why}", LooplawWarning, stacklevel=2)
