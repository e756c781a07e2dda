"""C and C++ through clang: a clang on PATH whose LLVM is not newer than llvmlite's, else the clang
inside the `ziglang` wheel, so that a machine with nothing but Python works.

The flags keep loops and names as they were written and leave simplification to the few passes of
`canonical`: -O2 without its passes, since -O0 marks functions noinline and -O1 reshapes loops.
"""

from __future__ import annotations

import os
import re
import subprocess
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import llvmlite.binding as llvm

from looplaw_common.commands import answered, as_argument, package_folder, text_of, tool
from looplaw_common.errors import InputError, LooplawWarning

from ..ir.cxx_names import OF_LIBCXX
from .front_end import CompilerTimeout, WithoutMPI, run_compiler, unreadable
from .isolation import BrokeDown, Refused, read_apart

IR_FLAGS = (
    "-O2",
    "-g",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-discard-value-names",
    "-S",
    "-emit-llvm",
)
C_SUFFIXES = frozenset((".c",))
CXX_SUFFIXES = frozenset((".cc", ".cpp", ".cxx", ".C", ".c++"))
_OLDEST = 14  # earlier clangs write typed pointers
_CXX17_BY_DEFAULT = 16  # clang 16 release notes: "The default C++ language standard is now gnu++17"
_CANDIDATES = (
    "clang",
    *(f"clang-{v}" for v in range(int(llvm.llvm_version_info[0]), _OLDEST - 1, -1)),
)


@dataclass(frozen=True)
class Compiler:
    """A C and C++ compiler that writes LLVM IR. `kind` is "clang" or "zig"; `version` that of its
    LLVM."""

    command: tuple[str, ...]
    cxx: tuple[str, ...]
    kind: str
    version: tuple[int, ...]

    def for_source(self, path: Path) -> tuple[str, ...]:
        """The command for a file of this suffix."""
        return self.cxx if path.suffix in CXX_SUFFIXES else self.command

    def __str__(self) -> str:
        return f"clang {'.'.join(map(str, self.version))}" + (
            " (from the ziglang wheel)" if self.kind == "zig" else ""
        )


def _version(command: Sequence[str]) -> tuple[int, ...] | None:
    try:
        out = text_of(answered([*command, "--version"], timeout_s=60).stdout)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"clang version (\d+)\.(\d+)\.(\d+)", out)
    return tuple(int(g) for g in found.groups()) if found and "Apple" not in out else None


def find_compiler() -> Compiler:
    """The compiler that will be used; LOOPLAW_CC=zig or a path to a clang overrides the search.

    Raises:
        InputError: there is none, or the one asked for is unusable.
    """
    return _find(os.environ.get("LOOPLAW_CC", ""), os.environ.get("PATH", ""))


def usable_compilers() -> tuple[Compiler, ...]:
    """Every compiler of this machine that could be used, those that are preferred first."""
    path = os.environ.get("PATH", "")
    clangs = [_clang(name, path) for name in _CANDIDATES]
    found = [c for c in (*clangs, _zig()) if c is not None]
    real = {os.path.realpath(c.command[0]) if c.kind == "clang" else "zig": c for c in found[::-1]}
    return tuple(c for c in found if c in real.values())


@lru_cache(maxsize=8)
def _find(wanted: str, path: str) -> Compiler:
    if wanted != "zig":
        for name in (wanted,) if wanted else _CANDIDATES:
            clang = _clang(name, path)
            if clang is not None:
                return clang
        if wanted:
            raise InputError(
                f"LOOPLAW_CC={wanted}: not a clang with LLVM {_OLDEST} to"
                f" {llvm.llvm_version_info[0]}; unset it or name one"
            )
    zig = _zig()
    if zig is None:
        raise InputError(
            "no compiler found: install clang, or type: pip install 'looplaw[compiler]'"
        )
    return zig


@lru_cache(maxsize=32)
def _clang(name: str, path: str) -> Compiler | None:
    """The clang of a name, where it is one whose IR can be read."""
    found = tool(name, path)
    version = _version([found]) if found else None
    if not found or not version or not _OLDEST <= version[0] <= int(llvm.llvm_version_info[0]):
        return None
    # clang-14 pairs with clang++-14; where there is none, the driver itself compiles C++ but cannot
    # link it.
    base = Path(found)
    partner = base.with_name(base.name.replace("clang", "clang++", 1))
    cxx = (str(partner),) if partner.exists() else (found, "--driver-mode=g++")
    return Compiler((found,), cxx, "clang", version)


@lru_cache(maxsize=1)
def _zig() -> Compiler | None:
    """The clang of the ziglang wheel, which is a program in its folder."""
    folder = package_folder("ziglang")
    zig = None if folder is None else tool(str(folder / "zig"))
    version = None if zig is None else _version([zig, "cc"])
    if zig is None or version is None or version[0] > int(llvm.llvm_version_info[0]):
        return None
    return Compiler((zig, "cc"), (zig, "c++"), "zig", version)


def linkers(text: str, *, cxx: bool = False) -> Iterator[Compiler]:
    """Compilers to link a program of this IR with, best first: the one in use, and then others
    that come with the C++ library that it was compiled with, which are looked for if asked for.

    Raises:
        InputError: there is no compiler.
    """
    chosen, kinds = find_compiler(), ["zig", "clang"]
    if cxx and "St" in text:
        kinds = ["zig" if OF_LIBCXX.search(text) else "clang"]  # libc++, libstdc++
    if chosen.kind in kinds:
        yield chosen
    others = [c for c in usable_compilers() if c != chosen]
    alike = [c for c in others if c.kind in kinds]
    if alike or chosen.kind in kinds:
        yield from alike
    else:
        yield chosen
        yield from others


def compile_flags(compiler: Compiler) -> tuple[str, ...]:
    """Flags that write IR as the analysis wants it."""
    return (*IR_FLAGS, *(("-fno-sanitize=undefined",) if compiler.kind == "zig" else ()))


def leading_flags(compiler: Compiler) -> tuple[str, ...]:
    """Flags to stand before those of users, which may undo them.

    Where zig optimises it drops every `assert`, which clang does not unless it is told to; and it
    warns of arguments that it adds itself.
    """
    if compiler.kind != "zig":
        return ()
    return ("-UNDEBUG", "-Wno-unused-command-line-argument")


class Clang:
    """The front end of C and C++."""

    suffixes = (".c", ".cc", ".cpp", ".cxx", ".C", ".c++")

    def in_order(self, sources: Sequence[Path]) -> Sequence[Path]:
        return sources

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        return compiled_together([source], flags)[0]


def compiled_together(
    sources: Sequence[Path], flags: Sequence[str] = (), only: Compiler | None = None
) -> list[str]:
    """The IR of the C and C++ files of one program, all by one compiler: objects of two C++
    libraries do not link.

    Where the compiler in use does not compile them, or LLVM does not read what it writes, the next
    one that is found is tried, and a warning of one line says so.

    Args:
        only: the one compiler to use.

    Raises:
        InputError: no compiler compiles them; the first error of the one in use is quoted.
    """
    chosen = only or find_compiler()
    first: InputError | None = None
    order = list(dict.fromkeys(sources))
    for compiler, standard in _attempts(chosen, sources, flags, alone=only is not None):
        texts: dict[Path, str] = {}
        source = order[0]
        try:
            for source in order:
                given = (*(standard if _is_cxx(source) else ()), *flags)
                texts[source] = _readable(compiler, source, given)
        except (CompilerTimeout, WithoutMPI):
            raise
        except InputError as error:
            first = first or error
            order = [source, *(s for s in order if s != source)]  # others may fail there, too
            continue
        if first is not None:
            means = " ".join(map(str, (compiler, *standard)))
            names = " and ".join(map(str, sources))
            warnings.warn(
                f"{names}: compiled by {means}, since with {chosen}: {first}",
                LooplawWarning,
                stacklevel=2,
            )
        return [texts[source] for source in sources]
    assert first is not None
    raise first


def _is_cxx(source: Path) -> bool:
    return source.suffix in CXX_SUFFIXES


def _attempts(
    chosen: Compiler, sources: Sequence[Path], flags: Sequence[str], *, alone: bool
) -> Iterator[tuple[Compiler, tuple[str, ...]]]:
    """Compilers to try, and flags for C++ besides: older clangs take C++14 for the standard."""
    yield chosen, ()
    if (
        chosen.version[0] < _CXX17_BY_DEFAULT
        and any(map(_is_cxx, sources))
        and not any(flag.startswith(("-std", "--std")) for flag in flags)
    ):
        yield chosen, ("-std=gnu++17",)
    if not alone:
        yield from ((other, ()) for other in usable_compilers() if other != chosen)


def _readable(compiler: Compiler, source: Path, flags: Sequence[str]) -> str:
    """The IR of a file by one compiler.

    Raises:
        InputError: it does not compile, or LLVM does not read it.
    """
    text = compiled_by(compiler, source, flags)
    refused = _refused(compiler, text)
    if refused is not None:
        raise unreadable(source, str(compiler), refused)
    return text


def compiled_by(compiler: Compiler, source: Path, flags: Sequence[str] = ()) -> str:
    """The IR that one compiler writes.

    Raises:
        InputError: the file does not compile; the first error is quoted.
    """
    return run_compiler(
        source,
        [
            *compiler.for_source(source),
            *compile_flags(compiler),
            *leading_flags(compiler),
            *flags,
            as_argument(source),
        ],
        lambda stderr: _without_openmp(source, compiler, stderr),
    )


def _refused(compiler: Compiler, text: str) -> InputError | None:
    """Why LLVM does not read what a compiler wrote. What it wrote itself, it reads."""
    if compiler.version[0] == llvm.llvm_version_info[0]:
        return None
    try:
        read_apart(text)
    except (Refused, BrokeDown) as error:
        return error
    return None


def _without_openmp(path: Path, compiler: Compiler, stderr: str) -> str | None:
    """What to install when OpenMP's header or library is the thing that is missing."""
    if "'omp.h' file not found" not in stderr and "libomp" not in stderr:
        return None
    return f"{path}: {missing_openmp(compiler)}"


def missing_openmp(compiler: Compiler) -> str:
    """That a compiler has no OpenMP, and what to install."""
    remedy = (
        f"install libomp-{compiler.version[0]}-dev"
        if compiler.kind == "clang"
        else "the ziglang wheel has none; install clang-19 and libomp-19-dev"
    )
    return f"the compiler has no OpenMP: {remedy}"
