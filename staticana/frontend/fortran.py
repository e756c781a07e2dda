"""Fortran through flang, whose IR does not say which branch of a loop is its test.

clang marks a loop's start with `!llvm.loop` metadata and places the test's branch there; flang does
neither for the loops it lowers from `do`. The marks are added here, so that `ir.loop_info` tells a
test from an `exit`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import llvmlite.binding as llvm

from looplaw_common.cache import cache_folder
from looplaw_common.commands import as_argument, tool
from looplaw_common.errors import InputError
from looplaw_common.files import write_whole
from looplaw_common.scratch import scratch_folder

from ..ir.loop_info import NESTED_IN, Loop, loop_forest
from ..ir.matchers import is_icmp
from ..ir.parser import parse_module
from ..ir.types import Function, Module
from .front_end import run_compiler, unreadable
from .isolation import BrokeDown, Refused, read_apart
from .loop_shape import LoopMarks, one_latch, own_exits, source_lines
from .mpi_f08 import DECLARED, MODULE, module_text, with_error_codes
from .openmp.flang_loops import with_shared_loops
from .openmp.regions import OF_FLANG

FORTRAN_FLAGS = ("-O0", "-g", "-S", "-emit-llvm")
_OLDEST = 18  # the first flang that writes debug information
_MODULE = re.compile(r"(?im)^[ \t]*module[ \t]+(\w+)[ \t]*(?:!.*)?$")
_USE = re.compile(
    r"(?im)^[ \t]*(?:use\b(?:[ \t]*,[ \t]*(?:non_)?intrinsic)?(?:[ \t]*::)?"
    r"|submodule[ \t]*\()[ \t]*(\w+)"
)
_OF_FLANG = b"!mod$"
"""How the modules begin that flang writes."""
_DO = re.compile(r"\bdo\b", re.IGNORECASE)


class Fortran:
    """The front end of Fortran."""

    suffixes = (".f90", ".f95", ".f03", ".f08", ".f", ".for", ".F90", ".F")
    language = "Fortran"
    driver = "flang"

    def find(self) -> str | None:
        return find_flang()

    def in_order(self, sources: Sequence[Path]) -> Sequence[Path]:
        """Each behind those with the modules that it uses; as they are given where modules use
        each other."""
        texts = {s: s.read_text(encoding="utf-8", errors="replace") for s in sources}
        made = {m.lower(): source for source, text in texts.items() for m in _MODULE.findall(text)}
        needs = {
            source: {made[m.lower()] for m in _USE.findall(text) if m.lower() in made} - {source}
            for source, text in texts.items()
        }
        try:
            return list(TopologicalSorter(needs).static_order())
        except CycleError:
            return sources

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        found = find_flang()
        if found is None:
            raise InputError(f"{source}: no flang found: apt install flang-19")
        leading = leading_flags(found, flags)
        words = [found, *FORTRAN_FLAGS, f"-J{modules}", f"-I{modules}", *leading, *flags]
        text = run_compiler(source, [*words, as_argument(source)])
        return read_fortran(source, text)

    def link_command(self, inputs: Sequence[str], folder: Path) -> list[str]:
        flang = find_flang()
        if flang is None:
            raise InputError("no flang found to link a Fortran program: apt install flang-19")
        return [flang, *inputs]


def read_fortran(source: Path, text: str) -> str:
    """The IR that flang wrote of a source, with its loops marked.

    Raises:
        InputError: LLVM does not read it.
    """
    try:
        return loops_of_fortran(read_apart(with_error_codes(text)))
    except (Refused, BrokeDown) as error:
        raise unreadable(source, "flang", error) from None


def leading_flags(flang: str, flags: Sequence[str]) -> tuple[str, ...]:
    """Flags with which sources find the modules of MPI, and omp_lib.h, which flang keeps where it
    seeks modules only."""
    own = Path(flang).resolve().parent.parent / "include" / "flang"
    return *mpi_module(flang, flags), *((f"-I{own}",) if "-fopenmp" in flags else ())


def mpi_module(flang: str, flags: Sequence[str]) -> tuple[str, ...]:
    """Flags with which `use mpi` and `use mpi_f08` are read where the library's own modules are of
    another compiler: they are made of its mpif.h, which declares the same without the types of
    arguments."""
    folders = [Path(flag[2:]) for flag in flags if flag.startswith("-I")]
    found = next((f for f in folders if (f / "mpif.h").exists() and (f / "mpi.mod").exists()), None)
    if found is None or _OF_FLANG in (found / "mpi.mod").read_bytes()[:16]:
        return ()
    header = found / "mpif.h"
    told = f"{flang} {header.resolve()} {header.stat().st_mtime_ns} {DECLARED}".encode()
    folder = cache_folder() / f"mpi-{hashlib.sha256(told).hexdigest()[:16]}"
    if not (folder / "mpi.mod").exists():
        texts = {"mpi": "module mpi\n  include 'mpif.h'\nend module mpi\n"}
        if of_2008 := module_text(header):
            texts[MODULE] = of_2008
        with scratch_folder() as scratch:
            words = [flang, *FORTRAN_FLAGS, f"-J{scratch}", f"-I{scratch}", *flags]
            for name, written in texts.items():
                source = scratch / f"{name}.f90"
                source.write_text(written, encoding="ascii")
                try:
                    run_compiler(source, [*words, str(source)])
                except InputError:  # of the program's own file it says what it does not find
                    break
                folder.mkdir(parents=True, exist_ok=True)
                write_whole(folder / f"{name}.mod", (scratch / f"{name}.mod").read_bytes())
    return (f"-I{folder}",) if folder.is_dir() else ()


def find_flang() -> str | None:
    """The Fortran compiler, of an LLVM that llvmlite reads."""
    newest = int(llvm.llvm_version_info[0])
    names = [
        f"{name}-{v}" for v in range(newest, _OLDEST - 1, -1) for name in ("flang", "flang-new")
    ]
    return next((path for name in ("flang", "flang-new", *names) if (path := tool(name))), None)


def loops_of_fortran(text: str) -> str:
    """Mark the tests of DO loops, as clang does: flang's branches say where, but not which is the
    test.

    A counted loop's test compares what is left with zero; that of DO WHILE stands in the line of
    the DO.
    """
    text, shared = with_shared_loops(text)
    text = own_exits(one_latch(text))
    module = parse_module(text)
    lines = text.split("\n")
    marks = LoopMarks(module, lines)
    for f in module.functions.values():
        if f.is_declaration:
            continue
        for loop in loop_forest(f, module).loops:
            if OF_FLANG in f.name and loop.header.startswith("omp_dispatch"):
                marks.add(f, loop, f'!{{!"{NESTED_IN}"}}')  # over the parts that a thread gets
                continue
            node = f.blocks[loop.header].terminator.dbg
            if (f.name, loop.header) in shared:
                marks.add(f, loop, shared[f.name, loop.header])
                continue
            if (
                node is None
                or not any(e.source == loop.header for e in loop.exits)
                or not (_is_counted(f, loop) or _is_do(module, node))
            ):
                continue
            marks.add(f, loop, node)
    return "\n".join(lines)


def _is_counted(f: Function, loop: Loop) -> bool:
    branch = f.blocks[loop.header].terminator
    test = f.definitions.get(branch.operands[0]) if branch.operands else None
    return (
        is_icmp(test)
        and test.extra[0] == "sgt"
        and test.operands[1] == "0"
        and f.block_of.get(test.operands[0]) == loop.header
    )


def _is_do(module: Module, node: str) -> bool:
    place = module.location(node)
    if place is None:
        return False
    lines = source_lines(module, node)
    return 0 < place.line <= len(lines) and _DO.search(lines[place.line - 1]) is not None
