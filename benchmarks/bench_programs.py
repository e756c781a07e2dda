"""Whole programs at 4 and 8 times the largest size measured: foretold as a user would have it, run,
and held against each other.

    EXTRAP_PYTHON=FILE python -m benchmarks.bench_programs FOLDER [--only NAME ...] [--json FILE]
        [--keep FOLDER] [--fit FOLDER] [--threads 2]

FOLDER holds clones of the programs, each under its name (`PROGRAMS` says which, and from where; the
two without an origin are here). `looplaw study` builds each one and sweeps it over small sizes;
`looplaw predict` foretells the CPU time of a run at 4 and 8 times the largest; then the same
executable is run there. Those that are missing are left out, and so are those that cannot be
built: the last lines name both. The rivals see the same runs: the line through the last two sizes
on logarithms, the ratio of the counts of the loop that runs most (which is counted at the size
asked for, and so knows the future), and Extra-P. --keep leaves the studies and what was measured
in a folder, from which --fit foretells again without a run. --threads runs those that have OpenMP
with a team of so many threads, and foretells the elapsed time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from looplaw.laws.forecast import forecast
from looplaw.laws.run_seconds import clock_of, seconds_of
from looplaw.loading import study_file
from looplaw_common.errors import LooplawError
from looplaw_common.files import write_whole
from modeling import Series
from runtime import run

from .modeling_peer import extra_p

FORMAT = "looplaw-bench-programs/1"
FACTORS = (4, 8)
OWN = Path(__file__).resolve().parent / "whole_programs"
CHECKPOINTS = Path(__file__).resolve().parent / "llama2_checkpoints.py"
_NEAR = 0.25
_TIMEOUT_S = 120.0
_STUDY_S = 900.0
_LONG_S = 3.0
"""Runs of this length are not repeated."""


@dataclass(frozen=True)
class Program:
    """A whole program and its study. {root} is its clone, {work} a folder of its own, {own} that of
    the programs here, {n} the size.

    origin: where it is published, None for one of those here; sources: globs in the clone, in the
    folder `copied` of it that was copied to {work}, or absolute; written: files below {work};
    prepare: a command of the shell, run in {work}; repetitions: runs at each size, fewer for long
    ones; any_status: its exit code means nothing;
    is_large: its study takes minutes, and is made where the program is named; has_teams: it has
    OpenMP, which `_SERIAL` turns off; "-t 1" on its command line is then the number of threads.
    """

    name: str
    origin: str | None
    sources: tuple[str, ...]
    args: str
    sizes: tuple[int, ...]
    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    copied: str | None = None
    written: Mapping[str, str] = field(default_factory=dict)
    prepare: str = ""
    factors: tuple[int, ...] = FACTORS
    repetitions: int = 3
    any_status: bool = False
    is_large: bool = False
    has_teams: bool = False

    def of_team(self, threads: int) -> Program:
        """The program with OpenMP, for a team of so many threads."""
        flags = tuple(f for f in self.flags if f not in _SERIAL)
        args = self.args.replace("-t 1 ", f"-t {threads} ")
        return replace(self, flags=(*flags, "-fopenmp"), args=args)


_SERIAL = ("-fno-openmp", "-DHPCG_NO_OPENMP")


def _blank(prefix: str, names: str) -> str:
    """A header of macros that a makefile would have written."""
    return "".join(f'#define {prefix}_{name} ""\n' for name in names.split())


_HOST = "HOSTNAME KERNEL_NAME KERNEL_RELEASE PROCESSOR"
PROGRAMS = (
    Program(
        "LULESH",
        "github.com/LLNL/LULESH",
        ("lulesh*.cc",),
        "-s {n} -i 20",
        (4, 5, 6, 8, 10, 12),
        ("-DUSE_MPI=0", "-fno-openmp"),
        has_teams=True,
    ),
    Program(
        "CoMD",
        "github.com/ECP-copa/CoMD",
        ("*.c",),
        "-x {n} -y {n} -z 5 -N 10 -n 5",
        (5, 6, 7, 8, 10, 12),
        ("-std=c99", "-DDOUBLE"),
        ("-lm",),
        copied="src-mpi",
        written={
            "CoMD_info.h": _blank(
                "CoMD", f"VARIANT {_HOST} COMPILER COMPILER_VERSION CFLAGS LDFLAGS"
            )
        },
    ),
    # multigrid halves three times, no side may be shorter than an eighth of another, and sides
    # below 16 are taken as the longest one
    Program(
        "hpcg",
        "github.com/hpcg-benchmark/hpcg",
        ("src/*.cpp",),
        "--nx={n} --ny=32 --nz=32 --rt=0",
        (16, 24, 32, 40, 48),
        ("-DHPCG_NO_MPI", "-DHPCG_NO_OPENMP", "-I{root}", "-I{root}/src"),
        factors=(4,),
        repetitions=2,
        has_teams=True,
    ),
    Program(
        "miniFE",
        "github.com/Mantevo/miniFE",
        (
            "ref/src/main.cpp",
            "ref/src/YAML_*.cpp",
            "ref/utils/BoxPartition.cpp",
            "ref/utils/param_utils.cpp",
            "ref/utils/utils.cpp",
            "ref/utils/mytimer.cpp",
        ),
        "nx={n} ny={n} nz=8",
        (6, 8, 10, 12, 14),
        (
            *(f"-I{{root}}/ref/{f}" for f in ("src", "utils", "fem")),
            "-I{work}",
            "-DMINIFE_SCALAR=double",
            "-DMINIFE_LOCAL_ORDINAL=int",
            "-DMINIFE_GLOBAL_ORDINAL=int",
            "-DMINIFE_CSR_MATRIX",
            "-DMINIFE_INFO=1",
            "-DMINIFE_KERNELS=0",
        ),
        written={"miniFE_info.hpp": _blank("MINIFE", f"{_HOST} CXX CXX_VERSION CXXFLAGS")},
    ),
    Program(
        "miniMD",
        "github.com/Mantevo/miniMD",
        ("*.cpp",),
        "-i in.lj.miniMD -n 20 -nx {n} -ny {n} -nz 5 --half_neigh 0 -gn 1",
        (5, 6, 7, 8, 10),
        ("-I{own}", "-D__sync_fetch_and_add=fetch_and_add"),
        copied="ref",
        # its makefile preprocesses twice, since this stands for a pragma
        prepare="sed -i 's/^ *OMPFORSCHEDULE *$//' *.cpp",
    ),
    Program(
        "XSBench",
        "github.com/ANL-CESAR/XSBench",
        ("openmp-threading/*.c",),
        "-t 1 -s small -g {n} -l 20000 -p 300 -G unionized -m event",
        (50, 75, 100, 150, 200),
        ("-std=gnu99", "-fno-openmp"),
        ("-lm",),
        any_status=True,  # it takes results of sizes other than its own for invalid
        has_teams=True,
    ),
    Program("join", None, ("{own}/join.c",), "{n}", (4000, 6000, 9000, 13000, 20000, 30000)),
    Program(
        "sqlite",
        "sqlite3.c of sqlite.org and test/speedtest1.c of github.com/sqlite/sqlite",
        ("sqlite3.c", "speedtest1.c"),
        "--size {n} --memdb --testset main",
        (1, 2, 3, 4, 6),
        ("-I{root}", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"),
        ("-lm",),
        is_large=True,
    ),
    Program(
        "llama2.c",
        "github.com/karpathy/llama2.c",
        ("run.c",),
        "m4.bin -z tokenizer.bin -t 0 -n {n} -i hello",
        (6, 8, 12, 16, 24, 32),
        link=("-lm",),
        prepare='cp "{root}/tokenizer.bin" . && {python} {checkpoints} 4',
        has_teams=True,
    ),
    Program(
        "zlib",
        "github.com/madler/zlib",
        (
            "{own}/zlib_text.c",
            *(
                f"{n}.c"
                for n in "adler32 compress crc32 deflate inffast inflate inftrees trees uncompr"
                " zutil".split()
            ),
        ),
        "{n}",
        (32, 64, 96, 128, 192, 256),
        ("-I{root}", "-I{own}"),
    ),
    Program(
        "lz4",
        "github.com/lz4/lz4",
        ("{own}/lz4_text.c", "lib/lz4.c"),
        "{n}",
        (128, 256, 384, 512, 768, 1024),
        ("-I{root}/lib", "-I{own}"),
    ),
)


@dataclass(frozen=True)
class Result:
    """Seconds of a run, of CPU time, or elapsed ones of a team: foretold with its interval, and
    measured. rivals: what others foretell; first: the first sentence of the study; study_s: what it
    took, in all."""

    program: str
    factor: int
    size: int
    foretold: float
    low: float
    high: float
    measured: float
    rivals: Mapping[str, float]
    limit: str
    first: str
    study_s: float

    @property
    def error(self) -> float:
        """Relative error of what was foretold."""
        return self.foretold / self.measured - 1

    @property
    def holds(self) -> bool:
        """Is what was measured in the interval?"""
        return self.low <= self.measured <= self.high


@dataclass(frozen=True)
class Target:
    """A run at a size: its seconds, and the iterations of the loop that ran most at the largest
    size of the study."""

    size: int
    seconds: float
    most: int


class Job:
    """One program in its folder."""

    def __init__(self, program: Program, clones: Path, folder: Path, threads: int = 1) -> None:
        self.program = program if threads == 1 else program.of_team(threads)
        self.threads, self.folder = threads, folder
        self.root, self.work = clones / program.name, folder / "work"
        self.out, self.kept = folder / "study", folder / "targets.json"

    def filled(self, text: str) -> str:
        """A text of the program with its folders."""
        places = {
            "{root}": self.root,
            "{work}": self.work,
            "{own}": OWN,
            "{python}": sys.executable,
            "{checkpoints}": CHECKPOINTS,
        }
        for name, place in places.items():
            text = text.replace(name, str(place))
        return text

    def prepare(self) -> None:
        """Copy and write what the build needs.

        Raises:
            LooplawError: a command failed.
        """
        p = self.program
        if p.copied is not None:
            shutil.copytree(self.root / p.copied, self.work, dirs_exist_ok=True)
        self.work.mkdir(parents=True, exist_ok=True)
        for name, text in p.written.items():
            (self.work / name).write_text(text)
        if p.prepare:
            _called(["sh", "-c", self.filled(p.prepare)], self.work)

    def sources(self) -> list[str]:
        """The files that are compiled.

        Raises:
            LooplawError: one is missing.
        """
        base = self.work if self.program.copied is not None else self.root
        found: list[str] = []
        for pattern in map(self.filled, self.program.sources):
            names = [pattern] if os.path.isabs(pattern) else sorted(map(str, base.glob(pattern)))
            if not names:
                raise LooplawError(f"{base} has no {pattern}")
            found += names
        return found

    def study(self, most: int) -> tuple[str, float]:
        """Make the study; what it says first, and the seconds that it took.

        Raises:
            LooplawError: it failed.
        """
        p = self.program
        started = time.monotonic()
        words = [sys.executable, "-m", "looplaw", "study", *self.sources()]
        words += ["--vary", "n=" + ",".join(map(str, p.sizes)), "--args", p.args]
        words += [f"--vary=threads={self.threads}"] if self.threads > 1 else []
        words += [f"--flag={f}" for f in ("-w", *map(self.filled, p.flags))]
        words += [f"--link={f}" for f in p.link]
        words += ["--repetitions", str(min(most, p.repetitions)), "--out", str(self.out)]
        if p.any_status:
            words += ["--launcher", "sh -c '{command}; true'"]
        said = _called(words, self.work)
        (self.folder / "said.txt").write_text(said)
        return said, time.monotonic() - started

    def targets(self, repetitions: int) -> list[Target]:
        """Run the program of the study at its largest size and at those that are asked for, so
        often if it is short.

        Raises:
            LooplawError: a run failed.
        """
        (executable,) = (f for f in self.out.glob("program-*") if os.access(f, os.X_OK))
        found: list[tuple[int, float, np.ndarray]] = []
        for factor in (1, *self.program.factors):
            size = factor * self.program.sizes[-1]
            argv = [str(executable), *(w.format(n=size) for w in self.program.args.split())]
            for _ in range(repetitions):
                if sum(s for n, s, _ in found if n == size) > _LONG_S:
                    break
                one = run(
                    argv,
                    timeout_s=_TIMEOUT_S,
                    cells=self.folder / "cells",
                    cwd=self.work,
                    launcher=("env", f"OMP_NUM_THREADS={self.threads}", "OMP_DYNAMIC=false"),
                )
                if one.counts is None or not (one.status == "ok" or self.program.any_status):
                    raise LooplawError(f"the run at n = {size}: {one.reason or one.status}")
                seconds = one.cpu_s if self.threads == 1 else one.elapsed_s
                found.append((size, seconds, one.counts.iterations))
        most = int(found[0][2].argmax())
        return [
            Target(
                size,
                statistics.median(s for n, s, _ in found if n == size),
                next(int(c[most]) for n, _, c in found if n == size),
            )
            for size in dict.fromkeys(n for n, _, _ in found)
        ]


def _called(words: Sequence[str], folder: Path) -> str:
    """What a command prints.

    Raises:
        LooplawError: it failed.
    """
    try:
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, timeout=_STUDY_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise LooplawError(f"{words[0]} took longer than {_STUDY_S:g} s") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise LooplawError(lines[-1] if lines else f"exit code {done.returncode}")
    return done.stdout


def results_of(job: Job, targets: Sequence[Target], said: str, study_s: float) -> Iterator[Result]:
    """What the study foretells of the runs beside what they took.

    Raises:
        LooplawError: the study has no model, or too few sizes.
    """
    study = study_file(str(job.out / "study.json"))
    clock, seconds = clock_of(study), dict[int, list[float]]()
    for r in study.runs:
        taken = seconds_of(r, clock)
        if taken:
            seconds.setdefault(int(r.params["n"]), []).append(taken)
    least = {n: min(s) for n, s in sorted(seconds.items())}
    first, *asked = targets
    series = Series.from_values(
        "run", "time", ("n",), [[n] for n in least], [[s] for s in least.values()]
    )
    peers = extra_p([series])
    if len(least) < 2:
        raise LooplawError("fewer than two sizes were measured")
    before, last = list(least)[-2:]
    slope = math.log(least[last] / least[before]) / math.log(last / before)
    for target in asked:
        found = forecast(study, {"n": float(target.size)})  # of the only team there is
        rivals = {
            "line": least[last] * (target.size / last) ** slope,
            "counts": least[last] * target.most / max(first.most, 1),
        }
        if peers:
            rivals["Extra-P"] = peers[0][0].evaluate({"n": float(target.size)})
        yield Result(
            job.program.name,
            target.size // last,
            target.size,
            found.time.seconds,
            found.time.low,
            found.time.high,
            target.seconds,
            rivals,
            found.sentence,
            said.split(". ")[0].replace("\n", " "),
            study_s,
        )


def measured(job: Job, repetitions: int) -> Iterator[Result]:
    """Study, run, foretell.

    Raises:
        LooplawError: something failed.
    """
    for old in (job.out, job.work):
        shutil.rmtree(old, ignore_errors=True)
    job.folder.mkdir(parents=True, exist_ok=True)
    job.prepare()
    said, study_s = job.study(repetitions)
    targets = job.targets(repetitions)
    kept = {"study_s": study_s, "targets": [asdict(t) for t in targets]}
    write_whole(job.kept, json.dumps(kept, indent=1))
    yield from results_of(job, targets, said, study_s)


def fitted(job: Job) -> Iterator[Result]:
    """Foretell again from what was kept.

    Raises:
        LooplawError: nothing was.
    """
    try:
        kept = json.loads(job.kept.read_text())
        said = (job.folder / "said.txt").read_text()
        targets = [Target(**t) for t in kept["targets"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LooplawError(f"nothing is kept of it: {error}") from None
    yield from results_of(job, targets, said, kept["study_s"])


_HEAD = (
    f"{'program':10}{'at':>4}{'size':>7}{'foretold':>10}{'90 % interval':>20}{'measured':>10}"
    f"{'error':>7}{'':>5}{'line':>7}{'counts':>8}{'Extra-P':>9}  study s"
)


def row(r: Result) -> str:
    """A line of the table."""
    rivals = "".join(
        f"{100 * (r.rivals[k] / r.measured - 1):+{w}.0f}" if k in r.rivals else f"{'-':>{w}}"
        for k, w in (("line", 7), ("counts", 8), ("Extra-P", 9))
    )
    band = f"{r.low:.3g} to {r.high:.3g}"
    held = "in" if r.holds else "OUT"
    return (
        f"{r.program:10}{f'{r.factor}x':>4}{r.size:>7}{r.foretold:>10.3g}{band:>20}"
        f"{r.measured:>10.3g}{100 * r.error:>+7.0f}{held:>5}{rivals}  {r.study_s:7.0f}"
    )


def summary(found: Sequence[Result]) -> str:
    """How many were near, and how many intervals held."""
    lines = []
    for factor in FACTORS:
        here = [r for r in found if r.factor == factor]
        if not here:
            continue
        near = sum(abs(r.error) <= _NEAR for r in here)
        held = sum(r.holds for r in here)
        middle = statistics.median(abs(r.error) for r in here)
        wide = statistics.median(r.high / max(r.low, 1e-9) for r in here)
        lines.append(
            f"{factor} times: {near} of {len(here)} within a quarter, median error {middle:.0%};"
            f" {held} in their intervals, of a factor of {wide:.2g} from end to end"
        )
        for name in ("line", "counts", "Extra-P"):
            errors = [abs(r.rivals[name] / r.measured - 1) for r in here if name in r.rivals]
            own = [abs(r.error) for r in here if name in r.rivals]
            if errors:
                lines.append(
                    f"  {name}: {sum(e <= _NEAR for e in errors)} within a quarter, median"
                    f" {statistics.median(errors):.0%}; looplaw is nearer"
                    f" {sum(o < e for o, e in zip(own, errors, strict=True))} of {len(own)} times"
                )
    return "\n".join(lines)


def _chosen(only: Sequence[str], clones: Path) -> tuple[list[Program], list[str]]:
    """The programs that are there, and why others are left out."""
    wanted = [p for p in PROGRAMS if not only or p.name.lower() in {n.lower() for n in only}]
    why = {
        p.name: f"not in {clones}; it is {p.origin}"
        for p in wanted
        if p.origin is not None and not (clones / p.name).is_dir()
    }
    large = [p.name for p in wanted if p.is_large and not only]
    why |= {name: f"its study takes minutes; --only {name} makes it" for name in large}
    return [p for p in wanted if p.name not in why], [f"{n}: {text}" for n, text in why.items()]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench_programs", description=__doc__.splitlines()[0])
    parser.add_argument("clones", type=Path, help="The folder of the clones.")
    parser.add_argument("--only", nargs="*", default=[], help="Names of programs.")
    parser.add_argument("--repetitions", type=int, default=3, help="At each size, at most.")
    parser.add_argument("--json", type=Path, help="Write the results to this file.")
    parser.add_argument("--keep", type=Path, help="Leave studies and measured times here.")
    parser.add_argument("--fit", type=Path, help="Foretell again from what was kept here.")
    parser.add_argument("--threads", type=int, default=1, help="Of a team: OpenMP programs alone.")
    options = parser.parse_args()
    known = {p.name.lower() for p in PROGRAMS}
    if strange := [n for n in options.only if n.lower() not in known]:
        parser.error(f"no program {', '.join(strange)}; there are {', '.join(sorted(known))}")
    chosen, missing = _chosen(options.only, options.clones.resolve())
    chosen = [p for p in chosen if p.has_teams or options.threads == 1]
    found: list[Result] = []
    print(_HEAD, flush=True)
    with contextlib.ExitStack() as stack:
        made = options.fit or options.keep
        name = stack.enter_context(tempfile.TemporaryDirectory()) if made is None else made
        for program in chosen:
            folder = Path(name).resolve() / program.name
            job = Job(program, options.clones.resolve(), folder, options.threads)
            try:
                for r in fitted(job) if options.fit else measured(job, options.repetitions):
                    print(row(r), flush=True)
                    found.append(r)
            except (LooplawError, OSError) as error:  # the others are still measured
                missing.append(f"{program.name}: {error}")
                print(missing[-1], file=sys.stderr, flush=True)
    print("\n".join([summary(found), *(f"left out: {text}" for text in missing)]))
    if options.json:
        document = {"format": FORMAT, "results": [asdict(r) for r in found], "left_out": missing}
        write_whole(options.json, json.dumps(document, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
