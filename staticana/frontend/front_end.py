"""What a front end is: one object that turns the files of one kind into LLVM IR.

A front end is registered in `registry`, which asks it for nothing but what the two Protocols here
say.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import llvmlite.binding as llvm

from looplaw_common.errors import InputError, RunError
from looplaw_common.files import without_room
from looplaw_common.processes import completed
from looplaw_common.scratch import scratch_folder

_COMPILE_TIMEOUT_S = 600
"""Seconds that the compiler may take for one file."""
_NO_MPI = re.compile(r"'mpif?\.h'.* not found|'mpi(?:_f08)?\.mod'")
_PLACED = re.compile(r"\S.*:\d+:\d+: ")


class FrontEnd(Protocol):
    """A reader of one kind of file, chosen by the file name's suffix."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Suffixes of its files, with the dot; the ones to name in a message first."""

    def in_order(self, sources: Sequence[Path]) -> Sequence[Path]:
        """The files of one program in an order in which they compile."""

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        """The IR of an existing file, as text, before `canonical`.

        Args:
            flags: further flags of the user for the compiler.
            modules: a folder that all files of one program share while they are compiled, for what
                one exports and another imports (Fortran's .mod files).

        Raises:
            InputError: the compiler is missing, or the file does not compile; the first error is
                quoted.
        """


class Language(FrontEnd, Protocol):
    """A front end for a language whose programs need its own driver to link their library."""

    @property
    def language(self) -> str:
        """The prefix of its DW_LANG_ names in debug information, by which its IR is recognised."""

    @property
    def driver(self) -> str:
        """What its compiler is called."""

    def find(self) -> str | None:
        """The path of its compiler, None where there is none."""

    def link_command(self, inputs: Sequence[str], folder: Path) -> list[str]:
        """The command that links objects with the language's library, without the -o; `folder` is
        for files it needs to write.

        Raises:
            InputError: the language's compiler is missing.
        """


class CompilerTimeout(InputError):
    """A compiler took too long."""


class DoesNotCompile(InputError):
    """A compiler refused a file. `said`: all that it wrote to stderr."""

    def __init__(self, message: str, said: str) -> None:
        super().__init__(message)
        self.said = said


class WithoutMPI(DoesNotCompile):
    """A compiler does not find MPI's header or module."""


def run_compiler(
    source: Path, command: Sequence[str], explain: Callable[[str], str | None] = lambda _: None
) -> str:
    """The IR that `command` writes to the file behind -o.

    Args:
        source: the file to name in messages.
        explain: a better message for what the compiler printed to stderr; None where it has none.

    Raises:
        DoesNotCompile: the compiler failed. WithoutMPI: for want of MPI's header.
        CompilerTimeout: it took too long.
        RunError: the disk is full.
    """
    with scratch_folder() as folder:
        out = folder / "out.ll"
        try:
            done = completed([*command, "-o", str(out)], _COMPILE_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise CompilerTimeout(
                f"{source}: the compiler took longer than {_COMPILE_TIMEOUT_S} s"
            ) from None
        if done.code != 0 and (full := without_room(done.errors, folder.parent)):
            raise RunError(f"{source}: compiling: {full}")
        if done.code != 0 or not out.exists():
            message = explain(done.errors) or _first_error(source, done.errors)
            is_mpi = _NO_MPI.search(message) is not None
            raise (WithoutMPI if is_mpi else DoesNotCompile)(message, done.errors)
        return out.read_text(encoding="utf-8", errors="surrogateescape")


def _first_error(path: Path, stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if "error:" in line or line.startswith("error[")]
    lines.sort(key=lambda line: _PLACED.match(line) is None)  # flang first says that it failed
    return (
        f"does not compile: {lines[0]}"
        if lines
        else f"{path}: does not compile: {stderr.strip()[-300:]}"
    )


def unreadable(source: Path, compiler: str, error: Exception) -> InputError:
    """The error for IR that a compiler wrote and llvmlite's LLVM does not parse."""
    return InputError(
        f"{source}: {compiler} writes IR that LLVM {llvm.llvm_version_info[0]} does not read: "
        f"{' '.join(str(error).split())[:200]}"
    )
