"""The files of a program -> the IR of each, and of the kernels that texts of theirs hold."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from looplaw_common.errors import InputError, LooplawWarning
from looplaw_common.scratch import scratch_folder

from .clang import Compiler, compiled_together
from .collapse import with_collapsed_nests
from .front_end import DoesNotCompile, FrontEnd, WithoutMPI
from .gpu import (
    OPENCL,
    Cuda,
    Hip,
    compile_texts,
    is_part,
    options_of_hosts,
    texts_in_ir,
    texts_in_source,
)
from .mpi import mpi_flags
from .registry import CLANG, front_end_of


def compile_source(path: Path, flags: Sequence[str] = (), modules: Path | None = None) -> str:
    """Compile one file to IR text.

    Args:
        modules: the folder for module files that the sources of one program share; by default one
            of its own.

    Raises:
        InputError: the file does not exist, is of an unknown kind or does not compile; the first
            error is quoted.
    """
    front_end = front_end_of_file(path)
    if modules is not None:
        return with_source_nests(front_end.compile(path, flags, modules))
    with scratch_folder() as folder:
        return with_source_nests(front_end.compile(path, flags, folder))


def front_end_of_file(path: Path) -> FrontEnd:
    """The front end for a file.

    Raises:
        InputError: it does not exist, is a folder, or is of an unknown kind.
    """
    if not path.is_file():
        raise InputError(
            f"{path}: is a folder: name its sources" if path.is_dir() else f"{path}: no such file"
        )
    return front_end_of(path)


def with_source_nests(text: str) -> str:
    """A module as clang writes it, with every loop that its source has (see `collapse`)."""
    return with_collapsed_nests(text, _source_text)


def _source_text(name: str) -> str | None:
    """A source file by the name that debug information has for it."""
    try:
        return Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


@dataclass(frozen=True)
class ProgramFiles:
    """The files of one program, and how they are compiled.

    Attributes:
        only: the one compiler for C and C++; None: the next is tried where one fails.
        host_alone: leave out kernels in texts of C and C++.
        failed: the files that do not compile, and why; None: that is an error.
        wants_mpi: may a file still get the MPI at hand?
    """

    paths: tuple[Path, ...]
    only: Compiler | None
    host_alone: bool
    failed: dict[Path, InputError] | None = field(default=None, compare=False)
    wants_mpi: bool = True

    def texts(self, flags: Sequence[str]) -> list[str]:
        """The IR of each file, with the MPI at hand where a file wants one.

        Raises:
            InputError: one does not compile, and that is an error; or there is no MPI.
        """
        try:
            return self._compiled(flags)
        except WithoutMPI as error:
            try:
                of_mpi, _ = mpi_flags()
            except InputError as cure:
                raise DoesNotCompile(f"{error}: {cure}", error.said) from None
            return replace(self, wants_mpi=False)._compiled((*flags, *of_mpi))

    def that_compile(self, flags: Sequence[str]) -> tuple[list[str], dict[Path, InputError]]:
        """The IR of the files that compile, and why the others do not.

        Raises:
            InputError: there is no MPI, and a file wants one.
        """
        failed: dict[Path, InputError] = {}
        return replace(self, failed=failed).texts(flags), failed

    def _compiled(self, flags: Sequence[str]) -> list[str]:
        """The IR of each file, those of one language after each other: a file may need what the
        ones before it leave in the folder of modules."""
        compiled = self._of_clang(flags)
        two_sided = [path for path in self.paths if path.suffix in (*Cuda.suffixes, *Hip.suffixes)]
        hosts = [*compiled, *two_sided]
        for_kernels = _as_hosts_compile(hosts, flags)
        others: dict[FrontEnd, list[Path]] = {}
        for path in dict.fromkeys(self.paths):
            if path.suffix not in CLANG.suffixes:
                others.setdefault(front_end_of(path), []).append(path)
        of_parts: list[str] = []
        with scratch_folder() as modules:
            for front_end, own in others.items():
                given = for_kernels() if front_end is OPENCL else flags
                parts = [p for p in own if is_part(p)] if front_end is OPENCL and own[1:] else []
                if parts:
                    of_parts.append(OPENCL.compile_parts(parts, given))
                for path in front_end.in_order([path for path in own if path not in parts]):
                    try:
                        compiled[path] = compile_source(path, given, modules)
                    except InputError as error:
                        self._left_out(path, error)
        of_texts = [
            text
            for path in (() if self.host_alone else hosts)
            if path in compiled
            for text in _kernels_in(path, compiled[path], for_kernels)
        ]
        return [*(compiled[path] for path in self.paths if path in compiled), *of_texts, *of_parts]

    def _of_clang(self, flags: Sequence[str]) -> dict[Path, str]:
        """The IR of the files in C and C++, all by one compiler."""
        ours = [path for path in self.paths if path.suffix in CLANG.suffixes]
        for path in ours if self.failed is not None else ():
            try:
                compiled_together([path], flags, self.only)
            except InputError as error:
                self._left_out(path, error)
        ours = [path for path in ours if path not in (self.failed or ())]
        texts = compiled_together(ours, flags, self.only) if ours else []
        return {path: with_source_nests(text) for path, text in zip(ours, texts, strict=True)}

    def _left_out(self, path: Path, error: InputError) -> None:
        if self.failed is None or (isinstance(error, WithoutMPI) and self.wants_mpi):
            raise error
        self.failed[path] = error


def _as_hosts_compile(hosts: Sequence[Path], flags: Sequence[str]) -> Callable[[], Sequence[str]]:
    """The flags for kernels, with the definitions of their hosts, which are said; they are sought
    when they are first asked for."""

    @cache
    def found() -> Sequence[str]:
        options = options_of_hosts(hosts, flags)
        said = f"kernels compiled with {' '.join(options.known)}, as their host says"
        assumed = (
            f"kernels compiled with {' '.join(options.assumed)}: the host computes these; laws are"
            " for the values that --flag gives"
        )
        for text, there in ((said, options.known), (assumed, options.assumed)):
            if there:
                warnings.warn(text, LooplawWarning, stacklevel=2)
        return (*flags, *options.every)

    return found


def _kernels_in(path: Path, text: str, flags: Callable[[], Sequence[str]]) -> list[str]:
    """The IR of the kernels in texts of a host; those that do not compile are said."""
    found = texts_in_ir(text)
    if not found and path.suffix not in CLANG.suffixes:  # whose host may be left out
        found = texts_in_source(path.read_text(encoding="utf-8", errors="replace"))
    try:
        return compile_texts(found, path, flags()) if found else []
    except InputError as error:
        warnings.warn(f"{path}: kernels in its texts: {error}", LooplawWarning, stacklevel=2)
        return []
