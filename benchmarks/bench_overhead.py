"""The overhead of counting: instrumented programs against the same programs without counters, and
against LLVM's own instrumentation.

    LULESH=DIR HPCG=DIR python -m benchmarks.bench_overhead [--runs 7] [--only NAME,...]
    [--variants plain,again,counted] [--json FILE]

Every loop is counted, and each count is compared with clang's coverage. CPU time is the median
quotient of runs one after the other, with the variants interleaved; instructions are those of
valgrind's callgrind. `again` is a copy of the program without counters: what it differs from 1 by
is the noise of the machine, and no other column is better known. What a process takes once, to
start and to leave its counts, is measured apart, with a program that does nothing, and the medians
of time are printed with it and without. `counted`, `symbols` (the values of formulas' symbols are
recorded as well) and `timed` (with time stamps around every kernel) are relative to the same IR
without counters; `profile` (-fprofile-instr-generate) and `hooks` (-finstrument-functions, with
empty hooks) to clang's plain -O3. `foreseen` is what --max-overhead predicts for `counted`, without
the start of the program. The exit code is 1 if a loop is miscounted. In the JSON file, `loops` is
the number of loops that coverage distinguishes, `exact` those with equal counts, `counted` all. The
programs of overhead_programs are the hard ones: inner loops of a few iterations, rows, lists,
recursion.
"""

from __future__ import annotations

import argparse
import json
import operator
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from looplaw.laws.symbols import kernel_symbols
from runtime import Plan, build_program, counted_instructions, plan_all, run
from staticana import (
    Module,
    analyze_module,
    canonical,
    compile_sources,
    find_compiler,
    parse_module,
)
from staticana.frontend.clang import CXX_SUFFIXES

from . import coverage
from .programs import BENCHMARKS

SAMPLES = Path(__file__).parent.parent / "samples"
PROGRAMS = Path(__file__).parent / "overhead_programs"
VARIANTS = ("plain", "again", "counted", "symbols", "timed", "clang", "profile", "hooks")
AGAINST = {
    "again": "plain",
    "counted": "plain",
    "symbols": "plain",
    "timed": "plain",
    "profile": "clang",
    "hooks": "clang",
}
COUNTING = ("counted", "symbols", "timed")
_HOOKS = "".join(
    f"__attribute__((no_instrument_function)) void __cyg_profile_func_{name}(void *f, void *c)"
    " {}\n"
    for name in ("enter", "exit")
)


@dataclass(frozen=True)
class Job:
    """A program, with arguments for the runs that are timed and for those under callgrind."""

    name: str
    sources: tuple[Path, ...]
    timed: tuple[str, ...]
    small: tuple[str, ...]
    flags: tuple[str, ...] = ()

    @property
    def is_cxx(self) -> bool:
        return any(s.suffix in CXX_SUFFIXES for s in self.sources)


_SIZES = {
    "matmul": ("400 400 400", "150 150 150"),
    "lu": ("600", "220"),
    "stencil": ("700 150", "250 40"),
    "cg": ("200 100", "70 20"),
    "mergesort": ("1500000", "60000"),
    "nbody": ("6000", "1500"),
    "fft": ("19", "14"),
    "ep": ("24 1 10", "19 1 10"),
    "trsv": ("4000", "1500"),
    "slides": ("4096 1 30000000", "1024 1 2000000"),
}
_HARD = {
    "short_loops.c": ("20000 60", "3000 10"),
    "rows_in_vectors.cc": ("30000 60", "3000 20"),
    "rows.c": ("30000 60", "3000 15"),
    "triangles.c": ("12000 500", "3000 120"),
    "lists.c": ("20000 40", "20000 5"),
    "divide.c": ("300000", "20000"),
    "early_exits.c": ("60000", "4000"),
}
_REAL = {
    "LULESH": ("-s 24 -i 25", "-s 8 -i 8"),
    "HPCG": ("--nx=32 --ny=32 --nz=32 --rt=0", "--nx=16 --ny=16 --nz=16 --rt=0"),
}


def jobs(only: Sequence[str]) -> list[Job]:
    """The samples, and the real programs whose environment variables are set."""
    found = [
        Job(name, (SAMPLES / name / f"{name}.c",), tuple(timed.split()), tuple(small.split()))
        for name, (timed, small) in _SIZES.items()
    ]
    found += [
        Job(Path(name).stem, (PROGRAMS / name,), tuple(timed.split()), tuple(small.split()))
        for name, (timed, small) in _HARD.items()
    ]
    for benchmark in BENCHMARKS:
        folder = os.environ.get(benchmark.variable)
        if benchmark.variable not in _REAL or benchmark.run_as:
            continue
        if not folder:
            print(
                f"{benchmark.variable.lower()}: skipped: {benchmark.variable}=DIR names a clone of"
                f" {benchmark.source}",
                file=sys.stderr,
            )
            continue
        root = Path(folder).resolve()
        build = benchmark.builds(root)[0]
        timed, small = _REAL[benchmark.variable]
        sources = sorted(p for pattern in build.sources for p in root.glob(pattern))
        found.append(
            Job(build.unit, tuple(sources), tuple(timed.split()), tuple(small.split()), build.flags)
        )
    return [job for job in found if not only or job.name in only]


def instructions(command: Sequence[str], folder: Path, counts: bool) -> int | None:
    """Instructions executed, by callgrind; None where there is no valgrind."""
    if shutil.which("valgrind") is None:
        return None
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(folder / "small.profraw")}
    if counts:
        environment["LOOPLAW_CELLS"] = str(folder / "small.cells")
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found.group(1)) if found else None


def with_symbols(module: Module) -> Plan:
    """A plan that counts every loop and records the values of formulas' symbols."""
    plan = plan_all(module, timed=False)
    analysis = analyze_module(module, entries=True)
    symbols = tuple((s.kernel, s.values) for s in kernel_symbols(module, analysis, plan))
    return replace(plan, calls=True, sampled=True, symbols=symbols) if symbols else plan


def foreseen(job: Job, folder: Path) -> float | None:
    """Instructions with counters over those without, as --max-overhead predicts them."""
    text = canonical(compile_sources(job.sources, flags=job.flags))
    plan = plan_all(parse_module(text), timed=False, entries=False)

    def succeeds(executable: Path) -> bool:
        return run([str(executable), *job.small], cwd=folder).status == "ok"

    plain, counted = (counted_instructions(text, p, succeeds, cxx=job.is_cxx) for p in (None, plan))
    return counted / plain if counted and plain else None


def build(job: Job, folder: Path) -> tuple[dict[str, Path], dict[int, str]]:
    """The program in all variants, and the places of the loops in the counted one."""
    compiler = find_compiler()
    text = canonical(compile_sources(job.sources, flags=job.flags))
    module = parse_module(text)
    plan = plan_all(module, timed=False, entries=False)
    plans = {
        "plain": None,
        "again": None,
        "counted": plan,
        "symbols": with_symbols(module),
        "timed": plan_all(module, entries=False),
    }
    made = {
        name: (
            build_program(
                text, p, folder / name, cxx=job.is_cxx, link_flags=("-Wl,--strip-debug",)
            ).executable
        )
        for name, p in plans.items()
    }
    hooks = folder / "hooks.c"
    hooks.write_text(_HOOKS)
    peers = {
        "clang": (),
        "profile": ("-fprofile-instr-generate",),
        "hooks": ("-finstrument-functions",),
        "covered": coverage.FLAGS,
    }
    for name, flags in peers.items():
        made[name] = folder / name
        objects = []
        for k, source in enumerate((*job.sources, *([hooks] if name == "hooks" else []))):
            objects.append(str(folder / f"{name}{k}.o"))
            subprocess.run(
                [
                    *compiler.for_source(source),
                    "-O3",
                    *job.flags,
                    *(() if source == hooks else flags),
                    "-w",
                    "-c",
                    str(source),
                    "-o",
                    objects[-1],
                ],
                check=True,
            )
        done = subprocess.run(
            [
                *(compiler.cxx if job.is_cxx else compiler.command),
                *objects,
                *flags,
                "-lm",
                "-lpthread",
                "-o",
                str(made[name]),
            ],
            check=name != "hooks",
            capture_output=name == "hooks",
        )
        if (
            done.returncode
        ):  # with this option clang calls members of std::string that the library does not export
            del made[name]
    return made, {c.id: c.at for c in plan.counters}


def exactness(
    job: Job, made: dict[str, Path], places: dict[int, str], folder: Path
) -> tuple[int, int, list[str]]:
    """Number of loops with the count of clang's coverage, number of comparable loops, and messages
    about the others."""
    result = run([str(made["counted"]), *job.small], cells=folder / "cells", cwd=folder)
    assert result.counts is not None, result
    raw = folder / "covered.profraw"
    subprocess.run(
        [str(made["covered"]), *job.small],
        env={**os.environ, "LLVM_PROFILE_FILE": str(raw)},
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    )
    regions = coverage.regions(made["covered"], [raw], find_compiler().command[0])
    counted: Counter[coverage.Place] = Counter()
    for k, at in places.items():
        counted[coverage.place(at, regions)] += int(result.counts.iterations[k])
    expected = coverage.iterations(regions, counted)
    known = {place: n for place, n in expected.items() if n is not None}
    wrong = [
        f"{place[0]}:{place[1]}:{place[2]}: counted {counted[place]}, coverage says {n}"
        for place, n in known.items()
        if counted[place] != n
    ]
    return len(known) - len(wrong), len(known), wrong


def measure(
    job: Job, made: dict[str, Path], folder: Path, runs: int, wanted: Sequence[str]
) -> tuple[dict[str, list[float]], dict[str, int | None]]:
    """CPU seconds of each round, and instructions, of each variant."""
    variants = tuple(name for name in VARIANTS if name in made and name in wanted)
    os.environ["LLVM_PROFILE_FILE"] = str(folder / "timed.profraw")
    times = interleaved({name: made[name] for name in variants}, job.timed, folder, runs)
    executed = {
        name: instructions([str(made[name]), *job.small], folder, name in COUNTING)
        for name in variants
    }
    return times, executed


def interleaved(
    made: Mapping[str, Path], words: Sequence[str], folder: Path, runs: int
) -> dict[str, list[float]]:
    """CPU seconds of programs that are run in turns, each round beginning with another one."""
    names, times = tuple(made), {name: list[float]() for name in made}
    cells = folder / "cells"
    for k in range(runs):
        for name in names[k % len(names) :] + names[: k % len(names)]:
            found = run(
                [str(made[name]), *words], cells=cells if name in COUNTING else None, cwd=folder
            )
            times[name].append(found.cpu_s)
    return times


def starting(folder: Path, runs: int) -> tuple[float, float, float]:
    """Milliseconds that a process without counters takes which does nothing, and what a copy of it
    and one with counters take more."""
    source = folder / "nothing.c"
    source.write_text("int main(int n, char **v) { while (n > 1) n--; return 0; }\n")
    text = canonical(compile_sources([source]))
    plan = plan_all(parse_module(text), timed=False, entries=False)
    made = {
        name: build_program(text, p, folder / f"nothing.{name}").executable
        for name, p in (("plain", None), ("again", None), ("counted", plan))
    }
    times = interleaved(made, (), folder, runs)
    plain = statistics.median(times["plain"])
    more = (_median(times, name, "plain", operator.sub) for name in ("again", "counted"))
    return 1000 * plain, *(1000 * m for m in more)  # type: ignore[return-value]


def _median(
    times: Mapping[str, Sequence[float]],
    name: str,
    base: str,
    compared: Callable[[float, float], float] = operator.truediv,
) -> float:
    """The median over all rounds of what a program takes, compared with another one."""
    return statistics.median(map(compared, times[name], times[base]))


def _quotient(a: int | None, b: int | None) -> float | None:
    return a / b if a and b else None


def _columns(values: Mapping[str, float | None], digits: int) -> str:
    """A row's quotients, - where there is none."""
    return "".join(
        f"{'-':>9}" if (value := values[n]) is None else f"{value:>9.{digits}f}" for n in AGAINST
    )


def _medians(rows: Sequence[Mapping[str, object]], once_ms: float) -> str:
    """The medians over programs, with what a process takes once and without."""
    counted = [float(str(r["time_ratio"])) for r in rows]
    again = [float(str(r["again_time_ratio"])) for r in rows]
    rate = [
        c - once_ms / 1000 / float(str(r["plain_s"])) for c, r in zip(counted, rows, strict=True)
    ]
    return (
        f"counted {statistics.median(counted):.3f}, without what a process takes once"
        f" {statistics.median(rate):.3f}, again {statistics.median(again):.3f}"
        f" ({min(again):.3f} to {max(again):.3f})"
    )


def main() -> int:
    """Run and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--variants", default=",".join(VARIANTS), help="what is measured")
    parser.add_argument("--json", type=Path, default=os.environ.get("JSON"))
    options = parser.parse_args()
    if find_compiler().kind != "clang" or coverage.tools(find_compiler().command[0]) is None:
        print(
            "bench-overhead compares with clang's coverage: install clang-19 and llvm-19",
            file=sys.stderr,
        )
        return 2
    rows: dict[str, dict[str, object]] = {}
    wrong: list[str] = []
    names = "".join(f"{n:>9}" for n in AGAINST)
    print(
        f"{'program':<16}{'loops':>6}{'exact':>10} | {'plain s':>8} {names} | instructions: {names}"
        f"{'foreseen':>9}"
    )
    for job in jobs([n for n in options.only.split(",") if n]):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            made, places = build(job, folder)
            exact, known, found = exactness(job, made, places, folder)
            wrong += found
            seconds, executed = measure(
                job, made, folder, options.runs, options.variants.split(",")
            )
            ahead = foreseen(job, folder)
        time_ratio = {
            n: _median(seconds, n, base) if n in seconds else None for n, base in AGAINST.items()
        }
        plain_s = statistics.median(seconds["plain"])
        ratio = {n: _quotient(executed.get(n), executed.get(base)) for n, base in AGAINST.items()}
        loops = len(set(places.values()))
        rows[job.name] = {
            "instructions_ratio": ratio["counted"],
            "time_ratio": time_ratio["counted"],
            "loops": known,
            "exact": exact,
            "counted": loops,
            "plain_s": plain_s,
            "foreseen_ratio": ahead,
            **{
                f"{n}_{what}_ratio": values[n]
                for n in AGAINST
                if n != "counted"
                for what, values in (("time", time_ratio), ("instructions", ratio))
            },
        }
        print(
            f"{job.name:<16}{loops:>6}{f'{exact}/{known}':>10} | {plain_s:>8.3f} "
            f"{_columns(time_ratio, 3)} |               {_columns(ratio, 4)}{ahead or 0:>9.4f}",
            flush=True,
        )
    for line in wrong:
        print(line, file=sys.stderr)
    print("exact: loops with the count of clang's coverage, of those that it distinguishes.")
    with tempfile.TemporaryDirectory() as name:
        start_ms, noise_ms, once_ms = starting(Path(name), 10 * options.runs)
    print(
        f"start and end of a process: {start_ms:.2f} ms, a copy of it {noise_ms:+.2f} ms, with"
        f" counters {once_ms:+.2f} ms"
    )
    for what, names in (("samples", set(_SIZES)), ("all", set(rows))):
        chosen = [row for n, row in rows.items() if n in names]
        if chosen and {"counted", "again"} <= {*options.variants.split(",")}:
            print(f"median of time, {what}: {_medians(chosen, once_ms)}")
    if options.json:
        Path(options.json).write_text(json.dumps({"programs": rows}, indent=1) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
