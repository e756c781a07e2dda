"""One program: its builds, their runs, and what the analysis says of them."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..programs import Benchmark, Build
from .calls import call
from .rows import LoopRow, Row, held, unlike, weaken
from .swept import broken_laws, command_lines
from .workers import StepError, step

_SLOW_S = 10.0
_LIBRARY = "/c++/"
"""In the paths of the C++ library's headers, whose loops are no loops of the program. The analysis
has models in the place of functions of its containers; a loop of another function that it does not
list is one that it missed."""


def measure(benchmark: Benchmark, root: Path, options: argparse.Namespace, opt: str | None) -> Row:
    """Compile, run, analyse and ask the peer, for all builds of a program."""
    row = Row(peer=opt is not None)
    try:
        builds = benchmark.builds(root)
    except OSError as error:
        row.unusable.append(str(error))
        return row
    for build in builds:
        if options.unit and build.unit not in options.unit.split(","):
            continue
        if sys.stderr.isatty():
            print(f"\x1b[K{build.unit} {_variant(build)}", end="\r", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="bench-static-") as folder:
            try:
                _measure(build, root, Path(folder), row, options, opt)
            except (StepError, RuntimeError, OSError) as error:
                row.unusable.append(
                    f"{build.unit} {_variant(build)}: {str(error).splitlines()[-1][:300]}"
                )
    return row


def _variant(build: Build) -> str:
    return " ".join(
        [
            *[f for f in build.flags if f.startswith("-D")][:3],
            *[c[-1].split()[-1] for c in build.prepare[1:]],
        ]
    )


def _measure(
    build: Build, root: Path, folder: Path, row: Row, options: argparse.Namespace, opt: str | None
) -> None:
    """Compile one build, run it, analyse it, and add what comes out to the program's row."""
    work = _prepare(build, root, folder)
    job = _job(build, root, work, options) | {"folder": str(folder), "opt": opt}
    runs = [_shown(*point) for point in job["runs"]]
    step("compile", job, options.timeout)
    name = f"{build.unit} {_variant(build)}".strip()
    try:
        found = step("analysis", job, options.timeout)
    except StepError as error:
        row.failed.append(f"{name}: {error}")
        _keep(folder, name, options)
        return
    row.builds += 1
    row.cpu_s += found["cpu_s"]
    row.slowest_s = max(row.slowest_s, found["cpu_s"])
    row.instructions += found["instructions"]
    row.memory_mb = max(row.memory_mb, found["memory_mb"])
    if found["cpu_s"] > _SLOW_S:
        _keep(folder, name, options)
    counted = step("run", job, options.timeout + len(runs) * options.run_timeout)["runs"]
    for run, argv in zip(counted, runs, strict=True):
        if not run["good"]:
            row.unusable.append(f"{name} {argv}: {run['reason']}")
    peers: dict[str, dict[str, bool]] = {}
    if opt and build.unit not in row.asked:  # other builds differ by constants or arguments
        row.asked.add(build.unit)
        peers = step("peer", job, options.timeout)

    def short(at: str) -> str:
        return _relative(at, (work, root))

    for run, argv in zip(counted, runs, strict=True):
        row.unlike += [f"{name} {argv}: {short(text)}" for text in unlike(found["loops"], run)]
    wrong = len(row.wrong)
    known = {loop["at"] for loop in found["loops"]}
    for run in counted:
        missing = [at for at, n in run["counts"].items() if n and at not in known]
        row.modelled |= {short(at) for at in missing if at in found["modelled"]}
        row.missed |= {
            short(at) for at in missing if _LIBRARY in at and at not in found["modelled"]
        }
        row.wrong += [
            f"{name}: {short(at)} ran {run['counts'][at]} times and is not in the analysis"
            for at in missing
            if _LIBRARY not in at
        ]
    for loop in found["loops"]:
        key = f"{build.unit}:{short(loop['at'])}"
        entry = row.loops.setdefault(key, LoopRow()) if loop["own"] else LoopRow()
        about = f"{short(loop['at'])} in {loop['function']}"
        for k, run in enumerate(counted):
            if run["good"]:
                text = held(loop, entry, k, run)
                row.wrong += [f"{name}: {runs[k]} {about}: {text}"] if text else []
        weaken(loop, entry, peers, short)
    if build.sweep is not None:
        _sweep(build, job, row, options, short)
    if len(row.wrong) > wrong:
        _keep(folder, name, options)


def _sweep(
    build: Build,
    job: dict[str, Any],
    row: Row,
    options: argparse.Namespace,
    short: Callable[[str], str],
) -> None:
    """Make a study of a build, check its laws at other points, and add them to the rows."""
    sweep = job["sweep"]
    try:
        laws = step("study", job, options.timeout)["laws"]
    except StepError as error:
        row.failed.append(f"{build.unit}: the study failed: {error}")
        return
    argvs = command_lines(sweep)
    checked = job | {"argvs": argvs, "threads": (), "ranks": ()}
    runs = step("run", checked, options.timeout + len(argvs) * options.run_timeout)["runs"]
    # the study runs in another folder, and compilers write places relative to theirs
    laws = {short(at): law for at, law in laws.items()}
    runs = [r | {"counts": {short(at): n for at, n in r["counts"].items()}} for r in runs]
    row.wrong += [f"{build.unit}: {text}" for text in broken_laws(laws, runs)]
    for at, law in laws.items():
        entry = row.loops.get(f"{build.unit}:{at}")
        if entry is not None:
            entry.law, entry.law_formula = law["kind"], law["formula"]
            entry.law_is_swept = law["swept"]


def _prepare(build: Build, root: Path, folder: Path) -> Path:
    """Copy and write what a build needs; returns its folder."""
    work = folder / "sources"
    if build.copied is not None:
        (work / build.copied).parent.mkdir(parents=True, exist_ok=True)
        target = work / build.copied if build.written else work
        shutil.copytree(root / build.copied, target, dirs_exist_ok=True)
    work.mkdir(exist_ok=True)
    for name, text in build.written.items():
        (work / name).write_text(text)
    return work


def _job(build: Build, root: Path, work: Path, options: argparse.Namespace) -> dict[str, Any]:
    """What the workers have to know of a build; its preparing commands have been run.

    Raises:
        RuntimeError: a source is missing.
    """
    mpi = _mpi_flags() if any("{mpi}" in f for f in build.flags) else ()
    cxx = os.environ.get("CXX", "c++")

    def filled(words: Sequence[str]) -> list[str]:
        parts = (mpi if w == "{mpi}" else [w.format(root=root, work=work, cxx=cxx)] for w in words)
        return [part for found in parts for part in found]

    for command in build.prepare:
        call(filled(command), cwd=work)
    base = work if build.copied is not None else root
    for pattern in build.sources:
        if not any(base.glob(pattern)):
            raise RuntimeError(f"{base} has no {pattern}")
    sources = sorted({str(p) for pattern in build.sources for p in base.glob(pattern)})
    return {
        "sources": sources,
        "flags": ["-w", *filled(build.flags)],
        "entry": "main",
        "link": filled(build.link),
        "cxx": any(s.endswith((".cc", ".cpp")) for s in sources),
        "argvs": [filled(argv) for argv in build.runs],
        "runs": [point for argv in build.runs for point in _points(build, filled(argv))],
        "threads": build.threads,
        "ranks": build.ranks,
        "cwd": filled([build.cwd])[0],
        "status": build.status,
        "timeout": options.run_timeout,
        "values": dict(build.values),
        "reasons": options.reasons or options.json is not None,
        "sweep": None if build.sweep is None else asdict(build.sweep),
    }


def _points(build: Build, argv: Sequence[str]) -> list[list[Any]]:
    """What is held against formulas for one command line: (arguments, threads or processes, rank)
    of each run, and of each process of a run under MPI."""
    if build.ranks:
        return [[argv, p, rank] for p in build.ranks for rank in range(p)]
    return [[argv, p] for p in build.threads] or [[argv]]


def _shown(argv: Sequence[str], number: int | None = None, rank: int | None = None) -> str:
    """A run, for messages."""
    more = [] if number is None else [f"x{number}"]
    return " ".join([shlex.join(argv), *more, *([] if rank is None else [f"rank {rank}"])])


def _keep(folder: Path, name: str, options: argparse.Namespace) -> None:
    """Keep the module of a finding for inspection."""
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        shutil.copy(
            folder / "canonical.ll", options.keep / f"{re.sub(r'[^A-Za-z0-9]+', '_', name)}.ll"
        )


def _relative(text: str, roots: Sequence[Path]) -> str:
    """A text with places, without the folders of the program.

    Compilers cut the part of a path that it shares with the working directory, so any tail of a
    root may stand there.
    """
    for root in roots:
        parts = root.resolve().parts[1:]
        tails = ["/".join(parts[k:]) + "/" for k in range(len(parts))]
        text = re.sub(r"(^|[\s(,])(?:/?" + "|".join(map(re.escape, tails)) + ")", r"\1", text)
    return text


def _mpi_flags() -> list[str]:
    if shutil.which("mpicc") is None:
        raise RuntimeError("mpicc is not installed")
    words = shlex.split(
        subprocess.run(["mpicc", "-show"], capture_output=True, text=True, check=True).stdout
    )
    return [w for w in words[1:] if w.startswith(("-I", "-L", "-l"))]
