"""The same laws with every compiler: kinds, formulas and bounds of each loop, side by side.

    python -m benchmarks.bench_compilers [--json FILE] [--only SET] [FILE ...]

Compiles the samples, the test programs and, where environment variables say they are, real programs
(POLYBENCH=DIR LULESH=DIR ..., see programs.py) or the files named, with clang 14, 16, 19, 22 and
zig, as far as this machine has them, and compares the loops of the programs' own files. The exit
code is 1 if a loop differs. A program that one compiler cannot compile counts as missing there.
zig comes with a C++ library of its own: where a formula of a C++ program has symbols for what a
library function returns, or keeps in its objects, it is compared by kind and parameters.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from looplaw_common.errors import InputError, LooplawError
from staticana import Count, analyze_module, canonical, parse_module
from staticana.frontend.clang import CXX_SUFFIXES, Compiler, compiled_by, find_compiler
from staticana.frontend.isolation import linked
from tools.ir_corpus import COMPILERS

from .programs import BENCHMARKS

ROOT = Path(__file__).resolve().parent.parent
_SECONDS = 20.0
"""CPU time a count may take, so generous that no difference comes from a slow moment."""
_FLAGS = re.compile(r"\bflags:(.*?)(?:\*/|$)", re.MULTILINE)
SETS = {
    "samples": ("samples/*/*.c",),
    "programs": ("tests/programs/*.c", "tests/programs/cxx/*.cc", "tests/programs/openmp/*.c"),
    "compilers": ("tests/programs/compilers/*",),
    "claims": ("tests/claims/programs/*",),
}

Loops = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Unit:
    """One program: what it is called, and how it is compiled."""

    name: str
    sources: tuple[Path, ...]
    flags: tuple[str, ...] = ()


@dataclass
class Row:
    """One set of programs: programs, loops, and where compilers differ from the first."""

    name: str
    programs: int = 0
    loops: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    differing: list[str] = field(default_factory=list)


def available() -> dict[str, Compiler]:
    """The compilers of the table that are installed, by the names LOOPLAW_CC has for them."""
    found = {}
    kept = os.environ.get("LOOPLAW_CC")
    for name in COMPILERS:
        os.environ["LOOPLAW_CC"] = name
        try:
            found[name] = find_compiler()
        except InputError:
            continue
    os.environ.pop("LOOPLAW_CC")
    if kept is not None:
        os.environ["LOOPLAW_CC"] = kept
    return found


def units(name: str, patterns: Iterable[str]) -> list[Unit]:
    """Programs of this repository, a file each."""
    paths = [p for pattern in patterns for p in sorted(ROOT.glob(pattern))]
    return [unit_of(p) for p in paths if p.suffix in {".c", *CXX_SUFFIXES}]


def unit_of(path: Path) -> Unit:
    """A program of one file, with the flags that its text asks for."""
    text = path.read_text()
    flags = [word for line in _FLAGS.findall(text) for word in line.split()]
    if "#pragma omp" in text or "<omp.h>" in text:
        flags.append("-fopenmp")
    if "<mpi.h>" in text:
        flags += mpi_flags()
    return Unit(path.name, (path,), tuple(dict.fromkeys(flags)))


def mpi_flags() -> tuple[str, ...]:
    """Where mpicc finds its headers; empty without it."""
    if shutil.which("mpicc") is None:
        return ()
    shown = subprocess.run(["mpicc", "-show"], check=True, capture_output=True, text=True)
    return tuple(word for word in shown.stdout.split() if word.startswith("-I"))


def real_programs() -> dict[str, list[Unit]]:
    """The programs that environment variables name; one build of each unit."""
    found: dict[str, list[Unit]] = {}
    for benchmark in BENCHMARKS:
        root = os.environ.get(benchmark.variable)
        if not root or benchmark.run_as:
            continue  # the same program once
        seen: dict[str, Unit] = {}
        for build in benchmark.builds(Path(root)):
            if build.unit in seen or build.prepare:
                continue
            sources = [p for glob in build.sources for p in sorted(Path(root).glob(glob))]
            flags = tuple(
                word
                for flag in build.flags
                for word in (mpi_flags() if flag == "{mpi}" else [flag.format(root=root)])
            )
            seen[build.unit] = Unit(build.unit, tuple(sources), flags)
        found[benchmark.variable.lower()] = list(seen.values())
    return found


def _shown(count: Count, *, of_library: bool) -> str:
    if of_library and count.opaque:
        unknown = {o.symbol for o in count.opaque}
        known = sorted((count.formula.symbols if count.formula else frozenset()) - unknown)
        return f"{count.kind} of {', '.join(known)} and what the library says"
    parts = (count.kind, count.formula, count.lower, count.upper)
    return " | ".join("" if part is None else str(part) for part in parts)


def loops_of(unit: Unit, compiler: Compiler, headers: Path) -> Loops:
    """Place -> kinds, formulas and bounds of the loops of a program's own files.

    Raises:
        LooplawError: it does not compile, or is not analysed.
    """
    extra = ("-isystem", str(headers)) if "-fopenmp" in unit.flags else ()
    texts = [compiled_by(compiler, source, (*unit.flags, *extra)) for source in unit.sources]
    text = texts[0] if len(texts) == 1 else linked(texts)
    analysis = analyze_module(parse_module(canonical(text)), seconds=_SECONDS, matrix=False)
    own = {p.name for source in unit.sources for p in source.parent.iterdir()}
    # folders are shown from where all files' paths begin to differ, headers of the library included
    placed = [(loop.at.rpartition("/")[2], loop) for loop in analysis.loops]
    show = partial(_shown, of_library=any(s.suffix in CXX_SUFFIXES for s in unit.sources))
    return {
        at: (show(loop.total), show(loop.per_call), show(loop.per_entry))
        for at, loop in placed
        if at.partition(":")[0] in own
    }


def _compared(unit: Unit, found: Mapping[str, Loops]) -> list[str]:
    first, *others = found.items()
    return [
        f"{unit.name}: {at}\n    {first[0]}: {first[1].get(at)}\n    {name}: {loops.get(at)}"
        for name, loops in others
        for at in sorted({*first[1], *loops})
        if first[1].get(at) != loops.get(at)
    ]


def compare(name: str, programs: Sequence[Unit], compilers: Mapping[str, Compiler]) -> Row:
    """Compile, analyse and compare a set of programs."""
    row = Row(name)
    with tempfile.TemporaryDirectory() as folder:
        header = next(iter(Path("/usr/lib").glob("llvm-*/lib/clang/*/include/omp.h")), None)
        if header is not None:  # the others' packages put it into the compiler's own folder
            shutil.copy(header, folder)
        for unit in programs:
            found: dict[str, Loops] = {}
            for compiler_name, compiler in compilers.items():
                try:
                    found[compiler_name] = loops_of(unit, compiler, Path(folder))
                except LooplawError as error:
                    row.missing[compiler_name] = row.missing.get(compiler_name, 0) + 1
                    print(f"{unit.name}: {compiler_name}: {error}", file=sys.stderr)
            if not found:
                continue
            loops = next(iter(found.values()))
            row.programs += 1
            row.loops += len(loops)
            for total, *_ in loops.values():
                kind = total.split(" ")[0]
                row.kinds[kind] = row.kinds.get(kind, 0) + 1
            different = _compared(unit, found)
            row.differing += different
            for line in different:
                print(line, file=sys.stderr, flush=True)
    return row


def table(rows: Sequence[Row], compilers: Mapping[str, Compiler]) -> str:
    """The rows as text."""
    lines = [
        f"compilers: {', '.join(compilers)}",
        "programs of  number  loops  exact differing  not compiled",
    ]
    for row in rows:
        missing = ", ".join(f"{n} by {c}" for c, n in row.missing.items()) or "none"
        lines.append(
            f"{row.name:12} {row.programs:>6} {row.loops:>6} {row.kinds.get('exact', 0):>6}"
            f" {len(row.differing):>9}  {missing}"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Print the table; 1 if laws differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_compilers")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", action="append", help="a set of programs, such as samples")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    compilers = available()
    sets = {name: units(name, patterns) for name, patterns in SETS.items()} | real_programs()
    if options.files:
        sets = {"files": [unit_of(path) for path in options.files]}
    rows = [
        compare(name, programs, compilers)
        for name, programs in sets.items()
        if programs and (not options.only or name in options.only)
    ]
    print(table(rows, compilers))
    if options.json:
        options.json.write_text(json.dumps([vars(row) for row in rows], indent=1))
    return int(any(row.differing for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
