"""Times of whole runs of proxy applications at 4 times the largest size measured.

    LULESH=DIR HPCG=DIR COMD=DIR python -m benchmarks.bench_whole_runs [--only NAME ...]
        [--keep FOLDER]

Each program is swept over six sizes; the time of a run at 4 times the largest, kernel
by kernel and outside of all kernels, is foretold as `looplaw predict STUDY` does, and then run.
Times are CPU seconds of the instrumented program, the least of the runs. The rival is the line
through the last two sizes on logarithms.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from looplaw.laws.forecast import forecast
from looplaw.laws.machine_costs import costs_for
from looplaw.settings.settings import Runs, Settings
from looplaw.studies.finish import finish
from looplaw.studies.prepare import prepare
from looplaw.studies.sweep import run_study
from looplaw_common.errors import LooplawError
from looplaw_common.files import write_whole

FORMAT = "looplaw-bench-whole-runs/1"
_FACTOR = 4


@dataclass(frozen=True)
class Program:
    """A program and the sizes of its sweep."""

    title: str
    settings: Settings
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Result:
    """CPU seconds: measured at the target, foretold with the interval, and by the line."""

    program: str
    size: int
    measured: float
    foretold: float
    low: float
    high: float
    line: float
    limit: str

    @property
    def error(self) -> float:
        """Relative error of what was foretold."""
        return self.foretold / self.measured - 1


def programs(scratch: Path) -> Iterator[Program]:
    """The programs that the environment names."""
    if root := os.environ.get("LULESH"):
        sources = tuple(sorted(_absolute(root).glob("*.cc")))
        settings = Settings(
            sources, {}, args=("-s", "{n}", "-i", "20"), flags=("-DUSE_MPI=0", "-I", root)
        )
        yield Program("LULESH", settings, (6, 8, 9, 10, 12, 14))
    if root := os.environ.get("HPCG"):
        folders = (_absolute(root), _absolute(root) / "src")
        includes = tuple(w for f in folders for w in ("-I", str(f)))
        settings = Settings(
            tuple(sorted((_absolute(root) / "src").glob("*.cpp"))),
            {},
            args=("--nx={n}", "--ny=32", "--nz=32", "--rt=0"),
            flags=("-DHPCG_NO_MPI", "-DHPCG_NO_OPENMP", *includes),
        )
        # multigrid halves three times; no side may be shorter than an eighth of another, and sides
        # below 16 are taken as the longest one
        yield Program("HPCG", settings, (16, 24, 32, 40, 48, 56))
    if root := os.environ.get("COMD"):
        copied = scratch / "comd"
        shutil.copytree(_absolute(root) / "src-mpi", copied, dirs_exist_ok=True)
        names = "VARIANT HOSTNAME KERNEL_NAME KERNEL_RELEASE PROCESSOR COMPILER"
        macros = f"{names} COMPILER_VERSION CFLAGS LDFLAGS".split()
        (copied / "CoMD_info.h").write_text("".join(f'#define CoMD_{m} ""\n' for m in macros))
        settings = Settings(
            tuple(sorted(copied.glob("*.c"))),
            {},
            args=("-x", "{n}", "-y", "{n}", "-z", "{n}", "-N", "10", "-n", "5"),
            flags=("-std=c99", "-DDOUBLE"),
        )
        yield Program("CoMD", settings, (5, 6, 7, 8, 9, 10))


def result_of(program: Program, folder: Path, repetitions: int) -> Result:
    """Sweep, foretell, run.

    Raises:
        LooplawError: the program cannot be built, or has no model.
    """
    runs = Runs(repetitions=repetitions, timeout_s=200.0)
    prepared = prepare(replace(program.settings, vary={"n": program.sizes}, runs=runs))
    live = run_study(prepared, folder / "sweep").live
    _, _, study = finish(prepared, live, costs_for(None))
    size = _FACTOR * program.sizes[-1]
    found = forecast(study, {"n": float(size)})
    target = prepare(
        replace(program.settings, vary={"n": (size,)}, runs=replace(runs, repetitions=1))
    )
    done = [r for r in run_study(target, folder / "target").live.runs if r.ok and r.cpu_s]
    if not done:
        raise LooplawError(f"{program.title}: the run at n = {size} failed")
    seconds = {
        n: statistics.median(r.cpu_s or 0.0 for r in live.runs if r.ok and r.params["n"] == n)
        for n in program.sizes
    }
    *_, before, last = program.sizes
    slope = math.log(seconds[last] / seconds[before]) / math.log(last / before)
    return Result(
        program.title,
        size,
        min(r.cpu_s or 0.0 for r in done),
        found.time.seconds,
        found.time.low,
        found.time.high,
        seconds[last] * _FACTOR**slope,
        found.sentence,
    )


def _absolute(text: str) -> Path:
    return Path(text).absolute()


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench_whole_runs")
    parser.add_argument("--only", nargs="*", default=[], help="Names of programs.")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--json", type=_absolute, help="Write the results to this file.")
    parser.add_argument(
        "--keep", type=_absolute, help="Keep runs here; those that are are used again."
    )
    options = parser.parse_args()
    results: list[Result] = []
    print("program    size  measured s  foretold s  90 % interval        error  line's error")
    with contextlib.ExitStack() as stack:
        made = tempfile.TemporaryDirectory(prefix="looplaw-bench-")
        name = options.keep or Path(stack.enter_context(made))
        name.mkdir(parents=True, exist_ok=True)
        # some programs write files where they are started; debug information names the folder, so
        # that kept runs are those of a program only if it is the same again
        stack.enter_context(contextlib.chdir(name))
        for program in programs(name):
            if options.only and program.title not in options.only:
                continue
            try:
                r = result_of(program, name / program.title, options.repetitions)
            except LooplawError as error:
                print(f"{program.title}: {error}", file=sys.stderr)
                continue
            results.append(r)
            print(
                f"{r.program:8} {r.size:6} {r.measured:11.3g} {r.foretold:11.3g}"
                f"  {r.low:8.3g} to {r.high:8.3g} {r.error:+8.0%} {r.line / r.measured - 1:+13.0%}"
                f"\n         {r.limit}",
                flush=True,
            )
    if results:
        middle = statistics.median(abs(r.error) for r in results)
        inside = sum(r.low <= r.measured <= r.high for r in results)
        print(f"median error {middle:.0%}; {inside} of {len(results)} inside the interval")
    if options.json:
        document = {"format": FORMAT, "results": [asdict(r) for r in results]}
        write_whole(options.json, json.dumps(document, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
