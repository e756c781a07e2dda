"""What `--max-overhead` foresees, beside what counters cost.

    [LULESH=DIR HPCG=DIR] python -m benchmarks.bench_foreseen
    [--compilers clang-14,clang-19,libc++,zig] [--levels 2,3] [--only NAME,...] [--json FILE]

For each program, compiler and level: instructions with counters over those without, in percent.
`measured` is callgrind's, without what an empty program takes to start; `foreseen` is what
--max-overhead predicts from runs of its own, in which it counts instructions block by block;
`model` what the table of prices predicts from the counts of such a run, where no block can be
counted; `guess` what it predicts without a run, as `looplaw cc` does. A prediction is right within
a factor of 1.5, or within 0.5 % of the program's instructions, which the padding in front of
loops makes up for; the exit code is 1 if one in `foreseen` is not. The programs are those of
overhead_programs and foreseen_programs, and the public ones whose variables are set.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

from runtime import Plan, build_program, kernels_of, plan_all, run
from runtime.build.build import optimise
from runtime.build.executed_instructions import counted_instructions
from runtime.instrumentation.counter_cost import Executions, executed, predicted
from staticana import canonical, compile_sources, parse_module
from staticana.ir.types import Module

from .bench_overhead import Job, instructions, jobs

PROGRAMS = Path(__file__).parent / "foreseen_programs"
COMPILERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "clang-14": ("clang-14", ()),
    "clang-19": ("clang-19", ()),
    "libc++": ("clang-19", ("-stdlib=libc++",)),
    "zig": ("zig", ("-mcpu=baseline",)),
}
"""Name -> value of LOOPLAW_CC, and flags; valgrind does not know all of this machine's processor,
which zig compiles for."""
FACTOR = 1.5
SMALL = 0.5


@dataclass(frozen=True)
class Row:
    """A program built in one way; costs in percent of its instructions without counters."""

    program: str
    compiler: str
    level: int
    measured: float
    foreseen: float
    model: float
    guess: float


def is_near(foreseen: float, measured: float) -> bool:
    """Within the factor, or so small that the difference does not matter."""
    low, high = sorted((foreseen, measured))
    return high - low <= SMALL or (low > 0 and high <= FACTOR * low)


def programs() -> Iterator[Job]:
    """The hard programs of bench_overhead, those of this benchmark, and the public ones."""
    samples = Path(__file__).parent.parent / "samples"
    yield from (job for job in jobs(()) if samples not in job.sources[0].parents)
    for path in sorted(PROGRAMS.iterdir()):
        words = tuple(path.read_text().split("\n")[0].strip("/* ").split())
        yield Job(path.stem, (path,), words, words)


@cache
def _start(cxx: bool, flags: Sequence[str], compiler: str) -> int:
    """Instructions of an empty program; the compiler is the one of LOOPLAW_CC."""
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / ("empty.cc" if cxx else "empty.c")
        library = "#include <iostream>\n" if cxx else ""
        source.write_text(
            f"{library}int main(int, char **) {{ return 0; }}\n"
            if cxx
            else "int main(void) { return 0; }\n"
        )
        text = canonical(compile_sources([source], flags=flags))
        link = _for_linker(flags)
        made = build_program(text, None, Path(name) / "empty", cxx=cxx, link_flags=link)
        return _executed(made.executable, (), Path(name))


def _executed(executable: Path, words: Sequence[str], folder: Path) -> int:
    """Instructions by callgrind."""
    found = instructions([str(executable), *words], folder, counts=False)
    if found is None:
        raise SystemExit("bench-foreseen counts instructions with callgrind: install valgrind")
    return found


def _for_linker(flags: Sequence[str]) -> tuple[str, ...]:
    return tuple(flag for flag in flags if flag.startswith("-stdlib"))


def rows_of(job: Job, compiler: str, own: Sequence[str], levels: Sequence[int]) -> Iterator[Row]:
    """A program at all levels."""
    text = canonical(compile_sources(job.sources, flags=(*job.flags, *own)))
    module = parse_module(text)
    plan = plan_all(module, timed=False, entries=False)
    link = _for_linker(own)
    for level in levels:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)

            def succeeds(executable: Path, folder: Path = folder) -> bool:
                return run([str(executable), *job.small], cwd=folder).status == "ok"

            measured, foreseen = list[int](), list[float]()
            for what, p in (("plain", None), ("counted", plan)):
                made = build_program(
                    text,
                    p,
                    folder / what,
                    cxx=job.is_cxx,
                    link_flags=link,
                    code=partial(optimise, level=level),
                )
                start = _start(job.is_cxx, own, compiler)
                measured.append(_executed(made.executable, job.small, folder) - start)
                found = counted_instructions(
                    text, p, succeeds, cxx=job.is_cxx, link_flags=link, level=level
                )
                assert found is not None
                foreseen.append(found)
            model, guess = _by_prices(job, text, module, plan, folder, link)
        yield Row(
            job.name,
            compiler,
            level,
            100 * (measured[1] / measured[0] - 1),
            100 * (foreseen[1] / foreseen[0] - 1),
            model,
            guess,
        )


def _by_prices(
    job: Job, text: str, module: Module, plan: Plan, folder: Path, link: Sequence[str]
) -> tuple[float, float]:
    """What the table of prices predicts, with the counts of a run and without."""
    first = plan_all(module, timed=False)
    program = build_program(text, first, folder / "first", cxx=job.is_cxx, link_flags=link)
    done = run([str(program.executable), *job.small], cells=folder / "cells", cwd=folder)
    assert done.counts is not None, done
    kernels = {key: k for k, kernel in enumerate(kernels_of(module)) for key in kernel.loops}

    def cost(executions: Executions) -> float:
        found = predicted(module, plan, kernels, executions)
        return 100 * sum(found.kernels.values()) / found.program

    return cost(Executions(module, executed(first, done.counts))), cost(Executions(module))


def main() -> int:
    """Run and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--compilers", default=",".join(COMPILERS))
    parser.add_argument("--levels", default="2,3")
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--json", type=Path, default=None)
    options = parser.parse_args()
    levels = [int(word) for word in options.levels.split(",")]
    only = [word for word in options.only.split(",") if word]
    found: list[Row] = []
    print(f"{'program':<20}{'compiler':<10}{'level':>5}{'measured':>10}{'foreseen':>10}", end="")
    print(f"{'':>4}{'model':>9}{'':>4}{'guess':>9}")
    for job in programs():
        if only and job.name not in only:
            continue
        for compiler in options.compilers.split(","):
            os.environ["LOOPLAW_CC"], flags = COMPILERS[compiler]
            if compiler == "libc++" and not job.is_cxx:
                continue
            for row in rows_of(job, compiler, flags, levels):
                found.append(row)
                print(_line(row), flush=True)
    for name in ("foreseen", "model", "guess"):
        missed = sum(not is_near(getattr(r, name), r.measured) for r in found)
        print(f"{name}: {len(found) - missed} of {len(found)} within a factor of {FACTOR}")
    if options.json:
        Path(options.json).write_text(json.dumps([asdict(r) for r in found], indent=1) + "\n")
    return any(not is_near(r.foreseen, r.measured) for r in found)


def _line(row: Row) -> str:
    """A row, with ! behind predictions that are off."""
    marks = [" " if is_near(p, row.measured) else "!" for p in (row.foreseen, row.model, row.guess)]
    return (
        f"{row.program:<20}{row.compiler:<10}{row.level:>5}{row.measured:>8.2f} %"
        f"{row.foreseen:>8.2f} %{marks[0]:<2}{row.model:>9.2f} %{marks[1]:<2}"
        f"{row.guess:>9.2f} %{marks[2]}"
    )


if __name__ == "__main__":
    sys.exit(main())
