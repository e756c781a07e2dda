"""The real compilers behind `looplaw cc`, `c++` and `fc`: each writes IR of its language."""

from __future__ import annotations

import re
import subprocess
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from looplaw_common.commands import answered, text_of
from looplaw_common.errors import InputError, LooplawWarning
from staticana.frontend import fortran
from staticana.frontend.clang import (
    C_SUFFIXES,
    CXX_SUFFIXES,
    compile_flags,
    find_compiler,
    leading_flags,
)
from staticana.frontend.fortran import FORTRAN_FLAGS, Fortran, find_flang, read_fortran

_UNKNOWN = re.compile(r"unknown argument:? '([^']+)'")
_TIMEOUT_S = 30


@dataclass(frozen=True)
class Driver:
    """A compiler as its users call it.

    Attributes:
        suffixes: of the sources that it compiles.
        writes_ir: flags that write IR as the analysis wants it.
        leading: flags to stand before those of a source.
        read: the IR of a source that it wrote, with its loops marked.
        known: the arguments without those that other compilers of the language take.
    """

    command: tuple[str, ...]
    suffixes: Collection[str]
    writes_ir: tuple[str, ...]
    leading: Callable[[Sequence[str]], Sequence[str]]
    read: Callable[[Path, str], str]
    known: Callable[[Sequence[str]], Sequence[str]]


def driver_of(language: str) -> Driver:
    """The compiler of a language: "c", "c++" or "fortran".

    Raises:
        InputError: there is none.
    """
    if language == "fortran":
        return _fortran()
    compiler = find_compiler()
    leading = leading_flags(compiler)
    command = compiler.cxx if language == "c++" else compiler.command
    return Driver(
        command,
        C_SUFFIXES | CXX_SUFFIXES,
        compile_flags(compiler),
        lambda flags: leading,
        lambda source, text: text,
        tuple if compiler.kind == "zig" else partial(_known, command),
    )


def _fortran() -> Driver:
    flang = find_flang()
    if flang is None:
        raise InputError("no flang found: apt install flang-19")
    return Driver(
        (flang,),
        frozenset(Fortran.suffixes),
        FORTRAN_FLAGS,
        lambda flags: fortran.leading_flags(flang, flags),
        read_fortran,
        partial(_known, (flang,)),
    )


def _known(command: Sequence[str], arguments: Sequence[str]) -> Sequence[str]:
    """The arguments without those that the compiler does not know: makefiles name options of
    another one, and MPI's wrappers those of the one that they were built for."""
    try:
        done = answered([*command, "-###", *arguments], timeout_s=_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired):
        return arguments
    unknown = set(_UNKNOWN.findall(text_of(done.stderr)))
    for word in sorted(unknown):
        text = f"{Path(command[0]).name} does not know {word}: left out"
        warnings.warn(text, LooplawWarning, stacklevel=2)
    return [word for word in arguments if word not in unknown]
