"""How many loops of real programs the static analysis counts, checked against runs, and compared
with LLVM's ScalarEvolution.

    LULESH=DIR HPCG=DIR ... python -m benchmarks.bench_static [--only NAME,...] [--reasons] [--json
    FILE] python -m benchmarks.bench_static --large FILE.bc[:ENTRY] ...

programs.py lists the programs and where they are published; those whose variable is not set are
skipped. Every step runs in a process of its own. A loop's result is the weakest of all builds and
runs of its program. The exit code is 1 if a count is wrong or the analysis fails, 2 if a program
cannot be built or run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .programs import BENCHMARKS, Benchmark, Build

_WORKER = "--worker"
# From weak to strong. A parametric count is "data" when a mean or a fraction stands in it, which
# only a run can tell, else "value": then every symbol is a value of the program.
_KINDS = ("unknown", "bounded", "data", "value", "exact")
_SLOW_S = 10.0
_FORMULA = 2000  # characters that are kept of one
_LLVM = re.compile(
    r"Loop %(\S+): (?:<multiple exits> )?(?:(Unpredictable) backedge|backedge-taken count is"
    r" (?!\*\*\*))"
)
_PLACE = re.compile(r"[^\s(]*?:\d+:\d+|[^\s(]+:%[^\s)]+")


# -- workers: one process a step
def compile_worker(job: dict[str, Any]) -> dict[str, Any]:
    """Sources -> canonical.ll, and one .ll for each source for the peer."""
    from staticana import canonical, compile_sources
    from staticana.frontend.clang import find_compiler
    from staticana.frontend.compile import compile_source

    folder = Path(job["folder"])
    if len(job["sources"]) > 1 or not job["sources"][0].endswith((".bc", ".ll")):
        for k, source in enumerate(job["sources"]):
            (folder / f"unit{k}.ll").write_text(
                compile_source(Path(source), job["flags"]), errors="surrogateescape"
            )
    (folder / "canonical.ll").write_text(
        canonical(compile_sources(job["sources"], flags=job["flags"])), errors="surrogateescape"
    )
    return {"compiler": str(find_compiler())}


def run_worker(job: dict[str, Any]) -> dict[str, Any]:
    """canonical.ll -> a program with a counter in every loop, and what it counts for each command
    line."""
    from runtime import build_program, plan_all, run
    from staticana import parse_module

    folder = Path(job["folder"])
    text = (folder / "canonical.ll").read_text(errors="surrogateescape")
    plan = plan_all(parse_module(text), timed=False)
    program = build_program(
        text, plan, folder / "counted", cxx=job["cxx"], link_flags=job["link"]
    ).executable
    found = []
    for argv in job["argvs"]:
        for p in job["threads"] or job["ranks"] or [None]:
            result = run(
                [*_threads(job, p), str(program), *argv],
                timeout_s=job["timeout"],
                cells=folder / "cells",
                cwd=Path(job["cwd"]),
                launcher=["mpiexec", "-n", str(p)] if job["ranks"] else [],
            )
            good = result.status != "timeout" and (
                result.exit_code == job["status"]
                if job["status"] is not None
                else (result.exit_code or 0) >= 0
            )
            parts = [result.ranks.get(r) for r in range(p)] if job["ranks"] else [result.counts]
            for part in parts:
                counts: Counter[str] = Counter()
                for c in plan.counters:
                    counts[c.at] += int(part.iterations[c.id]) if part is not None else 0
                found.append(
                    {
                        "good": good and part is not None,
                        "failed": bool(result.exit_code),
                        "reason": f"{result.reason} {result.stderr[-200:]}".strip(),
                        "elapsed_s": result.elapsed_s,
                        "counts": counts,
                    }
                )
    return {"runs": found}


def _threads(job: Mapping[str, Any], number: int | None) -> list[str]:
    """The beginning of a command that runs a program with so many OpenMP threads."""
    return ["env", f"OMP_NUM_THREADS={number}", "OMP_DYNAMIC=false"] if job["threads"] else []


def analysis_worker(job: dict[str, Any]) -> dict[str, Any]:
    """canonical.ll -> what the analysis says of each loop, its value for each command line, and
    what that took."""
    from staticana import analyze_module, parse_module

    text = (Path(job["folder"]) / "canonical.ll").read_text(errors="surrogateescape")
    started = time.process_time()
    module = parse_module(text)
    argc = len(job["runs"][0][0]) + 1 if job["runs"] else None
    named = {"ranks": "mpi:size", "rank": "mpi:rank"} if job["ranks"] else {}
    analysis = analyze_module(module, entry=job["entry"], parameters=named, argc=argc, matrix=False)
    cpu_s, memory_mb = time.process_time() - started, _peak_mb()
    vectors = [_values(analysis.parameters, job["values"], *point) for point in job["runs"]]
    causes = _causes(module) if job["reasons"] else {}
    loops = []
    for own, found in ((True, analysis.loops), (False, analysis.library)):
        for loop in found:
            total = loop.total
            loops.append(
                {
                    "at": loop.at,
                    "own": own,
                    "function": loop.function,
                    "kind": _kind(total),
                    "per_entry": _kind(loop.per_entry) in ("exact", "value"),
                    "formula": _text(total.formula),
                    "reason": total.reason,
                    "opaque": [[o.meaning, o.at] for o in total.opaque],
                    "causes": sorted({c for h in loop.headers for c in causes.get(h, ())}),
                    "values": [
                        [_value(e, v) for e in (total.formula, total.lower, total.upper)]
                        for v in vectors
                    ],
                    "holds": [total.holds(v) for v in vectors],
                    "no_error": any(a.startswith("no error exit") for a in total.assumptions),
                }
            )
    return {
        "cpu_s": cpu_s,
        "memory_mb": memory_mb,
        "loops": loops,
        "functions": len(analysis.functions),
        "instructions": sum(
            len(b.instructions) for f in module.functions.values() for b in f.blocks.values()
        ),
    }


def peer_worker(job: dict[str, Any]) -> dict[str, Any]:
    """Loops (by place) of which LLVM's ScalarEvolution can compute the backedge-taken count, each
    with all its copies."""
    import llvmlite.binding as llvm

    from staticana import parse_module
    from staticana.ir.loop_info import loop_forest

    folder, opt = Path(job["folder"]), job["opt"]
    linked = folder / "linked.bc"
    _call(
        [
            opt.replace("opt", "llvm-link", 1),
            *sorted(map(str, folder.glob("unit*.ll"))),
            "-o",
            str(linked),
        ]
    )
    answer: dict[str, Any] = {}
    for name, passes in (
        ("canonical", "function(sroa,loop-simplify,lcssa)"),
        ("O1", "default<O1>"),
    ):
        out = folder / f"{name}.peer.ll"
        text = _call(
            [
                opt,
                f"-passes={passes},function(print<scalar-evolution>)",
                "-S",
                "-scalar-evolution-classify-expressions=0",
                str(linked),
                "-o",
                str(out),
            ]
        )
        computable: dict[tuple[str, str], bool] = {}
        function = ""
        for line in text.splitlines():
            if line.startswith("Determining loop execution counts for: @"):
                function = line.partition("@")[2].strip('"')
            found = _LLVM.match(line)
            if found:
                computable[function, found.group(1).strip('"')] = found.group(2) is None
        module = parse_module(str(llvm.parse_assembly(out.read_text(errors="surrogateescape"))))
        loops: dict[str, bool] = {}
        for f in module.functions.values():
            for loop in loop_forest(f, module).loops:
                if (f.name, loop.header) in computable:
                    loops[loop.at] = loops.get(loop.at, True) and computable[f.name, loop.header]
        answer[name] = loops
    return answer


def _call(command: Sequence[str], cwd: Path | None = None) -> str:
    done = subprocess.run(
        list(command),
        capture_output=True,
        text=True,
        errors="replace",
        cwd=cwd,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)[:200]}: {done.stderr.strip()[-300:]}")
    return done.stderr


def _peak_mb() -> float:
    """Of this process alone: ru_maxrss would include what its parent held when it was started."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return (
        int(found.group(1)) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ) / 1024


def _kind(count: Any) -> str:
    if count.kind != "parametric":
        return str(count.kind)
    return (
        "data"
        if any(o.meaning.startswith(("mean ", "fraction ")) for o in count.opaque)
        else "value"
    )


def _text(e: object) -> str | None:
    return None if e is None else str(e)[:_FORMULA]


def _values(
    parameters: Sequence[Any],
    known: Mapping[str, int],
    argv: Sequence[str],
    units: int = 1,
    rank: int = 0,
) -> dict[str, int]:
    """What the program parameters are in this run of so many threads or processes; atoi reads 0
    from a word that is no number."""
    values = dict(known)
    for p in parameters:
        if p.origin.startswith("argv["):
            word = argv[int(p.origin[5:-1]) - 1]
            number = re.match(r"\s*[-+]?\d+", word)
            values[p.name] = int(number.group()) if number else 0
        elif p.origin == "argc":
            values[p.name] = len(argv) + 1
        elif p.origin in ("mpi:size", "omp:threads", "mpi:rank"):
            values[p.name] = rank if p.origin == "mpi:rank" else units
    return values


def _value(e: Any, values: Mapping[str, int]) -> int | float | None:
    """The number; None where there is no formula, a symbol has no value, or it is a sum too long to
    add up."""
    if e is None or not e.symbols <= values.keys():
        return None
    try:
        number = e.evaluate(values)
    except OverflowError:
        return None
    return int(number) if number == int(number) else float(number)


def _causes(module: Any) -> dict[tuple[str, str], set[str]]:
    """What the exit conditions of each loop rest on inside it, by (function, header): for people
    who improve the analysis."""
    from staticana.ir.loop_info import loop_forest

    found: dict[tuple[str, str], set[str]] = {}
    for f in module.functions.values():
        for loop in loop_forest(f, module).loops:
            leaves: set[str] = set()
            seen: set[str] = set()
            work = [
                f.blocks[e.source].terminator.operands[0]
                for e in loop.exits
                if not e.is_unwind
                and f.blocks[e.source].terminator.opcode in ("br", "switch")
                and f.blocks[e.source].terminator.operands
            ]
            while work:
                token = work.pop()
                i = f.definitions.get(token)
                if i is None or token in seen or f.block_of[token] not in loop.blocks:
                    continue
                seen.add(token)
                if i.opcode == "load":
                    leaves.add(f"load {i.type} {_address(f, i.operands[0])}")
                elif i.opcode in ("call", "invoke"):
                    leaves.add(f"call {i.operands[0]}"[:60])
                elif i.opcode == "phi" and f.block_of[token] == loop.header:
                    step = [
                        f.definitions[o]
                        for o in i.operands
                        if o in f.definitions and f.block_of[o] in loop.blocks
                    ]
                    leaves |= {
                        f"header phi, next is {s.opcode}"
                        for s in step
                        if s.opcode not in ("add", "sub")
                    }
                    work += [o for s in step for o in s.operands]
                else:
                    if i.opcode == "fcmp":
                        leaves.add("floating-point comparison")
                    work += i.operands
            ways = len({e.source for e in loop.exits if not e.is_unwind})
            if ways != 1:
                leaves.add(f"{ways} exits")
            if any(e.is_unwind for e in loop.exits):
                leaves.add("an exception leaves")
            found[f.name, loop.header] = leaves
    return found


def _address(f: Any, token: str) -> str:
    """A description of an address: a global, a member of a type, an array element."""
    i = f.definitions.get(token)
    if i is None:
        return "of a global" if token.startswith("@") else "through an argument"
    if i.opcode == "getelementptr":
        kind = f"member of {i.type}" if i.type.startswith("%") else f"element of {i.type}"
        return f"{kind} {_address(f, i.operands[0])}"[:90]
    if i.opcode == "load":
        return "through a loaded pointer"
    return {
        "alloca": "of a local whose address is taken",
        "phi": "through a pointer that moves",
        "call": "through a call's result",
    }.get(i.opcode, f"through {i.opcode}")


_STEPS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "compile": compile_worker,
    "run": run_worker,
    "analysis": analysis_worker,
    "peer": peer_worker,
}


# -- the parent: what is built, what is compared
_LIBRARY = "/c++/"
"""In the paths of the C++ library's headers: the analysis has models in the place of functions of
its containers, whose own loops are then no loops of the program."""


@dataclass
class LoopRow:
    """One source loop of a program over all builds and runs."""

    kind: str = "exact"
    runs: int = 0
    executes: bool = False
    equal: bool = True  # the exact formula had a value, and it was the counted one, in every run
    per_entry: bool = True
    peer: dict[str, bool] = field(default_factory=dict)
    formula: str | None = None
    reason: str | None = None
    opaque: list[list[str]] = field(default_factory=list)
    causes: list[str] = field(default_factory=list)


@dataclass
class Row:
    """One program."""

    loops: dict[str, LoopRow] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    failed: list[str] = field(
        default_factory=list
    )  # the analysis ends with an exception or too late
    unusable: list[str] = field(default_factory=list)  # cannot be built or run
    unlike: list[str] = field(default_factory=list)  # parametric counts that contradict each other
    builds: int = 0
    cpu_s: float = 0.0
    slowest_s: float = 0.0
    instructions: int = 0
    memory_mb: float = 0.0
    peer: bool = False
    asked: set[str] = field(default_factory=set)  # units of which the peer has seen a build


class StepError(Exception):
    """A worker failed; the message is the end of its stderr."""


def step(name: str, job: dict[str, Any], timeout_s: float) -> dict[str, Any]:
    """Run one worker.

    Raises:
        StepError: it ended with an exception or too late.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, answer = Path(folder) / "job.json", Path(folder) / "answer.json"
        given.write_text(json.dumps(job))
        try:
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "benchmarks.bench_static",
                    _WORKER,
                    name,
                    str(given),
                    str(answer),
                ],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout_s,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            raise StepError(f"ended after {timeout_s:g} s") from None
        if done.returncode or not answer.exists():
            raise StepError(done.stderr.strip()[-2000:] or f"exit code {done.returncode}")
        result: dict[str, Any] = json.loads(answer.read_text())
        return result


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
        row.unlike += [f"{name} {argv}: {short(text)}" for text in _unlike(found["loops"], run)]
    wrong = len(row.wrong)
    known = {loop["at"] for loop in found["loops"]}
    for run in counted:
        row.wrong += [
            f"{name}: {short(at)} ran {n} times and is not in the analysis"
            for at, n in run["counts"].items()
            if n and at not in known and _LIBRARY not in at
        ]
    for loop in found["loops"]:
        key = f"{build.unit}:{short(loop['at'])}"
        entry = row.loops.setdefault(key, LoopRow()) if loop["own"] else LoopRow()
        about = f"{short(loop['at'])} in {loop['function']}"
        for k, run in enumerate(counted):
            if run["good"]:
                text = _held(loop, entry, k, run)
                row.wrong += [f"{name}: {runs[k]} {about}: {text}"] if text else []
        _weaken(loop, entry, peers, short)
    if len(row.wrong) > wrong:
        _keep(folder, name, options)


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
        _call(filled(command), cwd=work)
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


def _held(
    loop: Mapping[str, Any], entry: LoopRow, number: int, run: Mapping[str, Any]
) -> str | None:
    """Hold the count of a loop in one run against its formula; what is wrong, or None. A run that
    breaks what the count assumes, a relation of parameters or that no error ends the program, says
    nothing about it."""
    n = run["counts"].get(loop["at"], 0)
    entry.runs += 1
    entry.executes |= n > 0
    if not loop["holds"][number] or (run["failed"] and loop["no_error"]):
        return None
    value, lower, upper = loop["values"][number]
    entry.equal &= loop["kind"] == "exact" and value == n
    if loop["kind"] == "exact" and value is not None and value != n:
        return f"{loop['formula'][:200]} = {value}, counted {n}"
    if (lower is not None and n < lower) or (upper is not None and n > upper):
        return f"{loop['kind']}, bounds [{lower}, {upper}], counted {n}"
    return None


def _weaken(
    loop: Mapping[str, Any],
    entry: LoopRow,
    peers: Mapping[str, Mapping[str, bool]],
    short: Callable[[str], str],
) -> None:
    """Add one build's result of a loop to its row, which keeps the weakest of all builds."""
    if _KINDS.index(loop["kind"]) < _KINDS.index(entry.kind) or entry.formula is None:
        entry.formula = loop["formula"]
        entry.reason = loop["reason"] and short(loop["reason"])
        entry.opaque = [[short(m), short(at)] for m, at in loop["opaque"]]
        entry.causes = loop["causes"]
    entry.kind = min(entry.kind, loop["kind"], key=_KINDS.index)
    entry.per_entry &= loop["per_entry"]
    for form, places in peers.items():
        # A loop that LLVM unrolled, deleted or turned into a call counts as one it can count.
        entry.peer[form] = places.get(loop["at"], form == "O1")
        entry.peer["gone"] = loop["at"] not in places


def _unlike(loops: Sequence[dict[str, Any]], run: Mapping[str, Any]) -> list[str]:
    """Loops with the same parametric formula and different counts: a symbol had several values, or
    a formula is wrong."""
    if not run["good"]:
        return []
    groups: dict[str, dict[str, int]] = {}
    for loop in loops:
        if loop["kind"] in ("value", "data") and len(loop["formula"]) < _FORMULA:
            groups.setdefault(loop["formula"], {})[loop["at"]] = run["counts"].get(loop["at"], 0)
    return [
        (f"{formula[:80]} is " + ", ".join(f"{n} at {at}" for at, n in counts.items()))[:400]
        for formula, counts in groups.items()
        if len(set(counts.values())) > 1
    ]


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


def _shares(rows: Sequence[Row]) -> dict[str, Any]:
    """One line of the table."""
    loops = [entry for row in rows for entry in row.loops.values()]
    run = [entry for entry in loops if entry.executes]
    kinds = Counter(entry.kind for entry in run)

    def share(n: int) -> float | None:
        return n / len(run) if run else None

    peer = all(row.peer for row in rows if row.builds)
    return {
        "loops": len(loops),
        "executing": len(run),
        **{k: share(kinds[k]) for k in reversed(_KINDS)},
        "equal": share(sum(e.kind == "exact" and e.equal for e in run)),
        "per_entry": share(sum(e.per_entry for e in run)),
        "llvm": share(sum(e.peer.get("canonical", False) for e in run)) if peer else None,
        "llvm_O1": share(sum(e.peer.get("O1", False) for e in run)) if peer else None,
        "gone_at_O1": share(sum(e.peer.get("gone", False) for e in run)) if peer else None,
        "wrong": sum(len(r.wrong) for r in rows),
        "builds": sum(r.builds for r in rows),
        "instructions": sum(r.instructions for r in rows),
        "cpu_s": sum(r.cpu_s for r in rows),
        "slowest_s": max((r.slowest_s for r in rows), default=0.0),
        "memory_mb": max((r.memory_mb for r in rows), default=0.0),
    }


_COLUMNS = (
    ("exact", "exact", 6),
    ("equal", "equal", 6),
    ("value", "value", 6),
    ("data", "data", 5),
    ("bounded", "bound.", 7),
    ("unknown", "unkn.", 6),
)
_PEER = (("per_entry", "entry", 6), ("llvm", "llvm", 6), ("llvm_O1", "-O1", 5))


def _head() -> str:
    def titles(columns: Sequence[tuple[str, str, int]]) -> str:
        return "".join(f"{title:>{width}}" for _, title, width in columns)

    return (
        f"{'program':<10}{'loops':>6}{'run':>5} |{titles(_COLUMNS)}{'wrong':>6} |{titles(_PEER)} |"
        f"{'instr.':>8}{'CPU s':>7}{'MB':>5}"
    )


def _line(name: str, s: Mapping[str, Any]) -> str:
    def percents(columns: Sequence[tuple[str, str, int]]) -> str:
        return "".join(
            f"{'-' if s[key] is None else f'{100 * s[key]:.0f}%':>{width}}"
            for key, _, width in columns
        )

    return (
        f"{name:<10}{s['loops']:>6}{s['executing']:>5} |{percents(_COLUMNS)}{s['wrong']:>6}"
        f" |{percents(_PEER)} |{s['instructions']:>8}{s['cpu_s']:>7.1f}{s['memory_mb']:>5.0f}"
    )


def reasons(rows: Mapping[str, Row]) -> str:
    """Why executing loops have no exact count, most frequent first: by reason, by opaque symbol, by
    the loop to blame."""
    titles = (
        "kind value or data: reason",
        "kind value or data: meaning of the opaque symbols",
        "unknown or bounded: reason",
        "loops that others wait for (with themselves), and what their exits rest on",
        "what the exits of loops without a count of their own rest on",
    )
    tables: dict[str, dict[str, list[str]]] = {title: {} for title in titles}
    causes = {
        f"{name}:{at.partition(':')[2]}": entry.causes
        for name, row in rows.items()
        for at, entry in row.loops.items()
    }
    for name, row in rows.items():
        for at, entry in row.loops.items():
            if not entry.executes or entry.kind == "exact":
                continue
            place, reason = f"{name}:{at.partition(':')[2]}", entry.reason or "no reason is given"
            table = tables[titles[0] if entry.kind in ("value", "data") else titles[2]]
            table.setdefault(
                "it contains ..." if reason.startswith("it contains ") else _shape(reason), []
            ).append(place)
            for meaning in sorted({_shape(m) for m, _ in entry.opaque}):
                tables[titles[1]].setdefault(meaning, []).append(place)
            named = {
                p
                for text in (reason, *(meaning for meaning, _ in entry.opaque))
                for p in _PLACE.findall(text)
            }
            for blamed in sorted(f"{name}:{p}" for p in named):
                why = "; ".join(causes.get(blamed, ()))
                tables[titles[3]].setdefault(f"{blamed} [{why}]", []).append(place)
            if place.partition(":")[2] in reason:  # the loop itself is the cause
                for cause in entry.causes:
                    tables[titles[4]].setdefault(cause, []).append(place)
    text = []
    contradictions = [text for row in rows.values() for text in row.unlike]
    if contradictions:
        text += [
            (
                "\nsame parametric formula, different counts (a symbol with several values, or a"
                " wrong formula)"
            ),
            *(f"        {line}" for line in contradictions),
        ]
    for title, table in tables.items():
        if not table:
            continue
        text.append(f"\n{title}")
        text += [
            f"{len(places):>6}  {reason[:400]}  e.g. {', '.join(_spread(places))}"
            for reason, places in sorted(table.items(), key=lambda item: (-len(item[1]), item[0]))
        ]
    return "\n".join(text)


def _shape(reason: str) -> str:
    """The reason without its source location."""
    return _PLACE.sub("PLACE", reason)


def _spread(places: Sequence[str]) -> list[str]:
    return [places[k] for k in sorted({0, len(places) // 2, len(places) - 1})]


def large(programs: Sequence[str], options: argparse.Namespace) -> int:
    """Analyse big modules without running them: crashes, times, memory."""
    findings: list[str] = []
    found: dict[str, Any] = {}
    kinds = ("exact", "value", "data", "bounded", "unknown")
    print(
        f"{'module':<24}{'entry':<12}{'instr.':>8}{'funct.':>7}{'loops':>6}"
        f" |{'exact':>6}{'value':>6}{'data':>5}{'bound.':>7}{'unkn.':>6} |{'CPU s':>7}{'MB':>6}"
    )
    for program in programs:
        path, _, entry = program.partition(":")
        with tempfile.TemporaryDirectory() as folder:
            job = {
                "folder": folder,
                "sources": [path],
                "flags": [],
                "runs": [],
                "ranks": [],
                "entry": entry or "main",
                "values": {},
                "reasons": False,
            }
            about = f"{Path(path).name[:23]:<24}{job['entry']!s:<12}"
            try:
                step("compile", job, options.timeout)
                answer = step("analysis", job, options.timeout)
            except StepError as error:
                findings.append(f"{program}: {error}")
                print(f"{about}FAILED: {str(error).splitlines()[-1][:60]}", flush=True)
                continue
        loops = answer["loops"]
        number = Counter(loop["kind"] for loop in loops)
        found[program] = {
            **{k: v for k, v in answer.items() if k != "loops"},
            "loops": len(loops),
            **number,
        }
        widths = zip(kinds, (6, 6, 5, 7, 6), strict=True)
        shares = "".join(f"{100 * number[k] / max(1, len(loops)):>{w - 1}.0f}%" for k, w in widths)
        print(
            f"{about}{answer['instructions']:>8}{answer['functions']:>7}{len(loops):>6} |{shares}"
            f" |{answer['cpu_s']:>7.1f}{answer['memory_mb']:>6.0f}",
            flush=True,
        )
    print(
        "All loops of the module, whether or not the entry reaches them. CPU seconds of parsing and"
        " analysis."
    )
    for text in findings:
        print(f"FAILED {text}", file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps({"modules": found, "failed": findings}, indent=1) + "\n")
    return 1 if findings else 0


def _options() -> argparse.Namespace:
    """The command line's options; `only` are names of programs in capitals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="names of programs, separated by commas")
    parser.add_argument("--unit", help="units of programs, such as cg or gemm, separated by commas")
    parser.add_argument(
        "--reasons", action="store_true", help="print why executing loops are not exact"
    )
    parser.add_argument(
        "--large", nargs="+", metavar="FILE.bc[:ENTRY]", help="analyse big modules, run nothing"
    )
    parser.add_argument(
        "--keep", type=Path, help="folder for the modules with wrong counts, failures or long times"
    )
    parser.add_argument(
        "--timeout", type=float, default=600, help="seconds for one step (default 600)"
    )
    parser.add_argument(
        "--run-timeout", type=float, default=60, help="seconds for one run (default 60)"
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    known = [b.variable for b in BENCHMARKS]
    options.only = options.only.upper().split(",") if options.only else known
    unknown = sorted(set(options.only) - set(known))
    if unknown:
        choices = ", ".join(name.lower() for name in known)
        parser.error(f"--only {', '.join(unknown)}: choose from {choices}")
    return options


def _print_row(name: str, row: Row) -> None:
    """A program's line, and below it what is wrong."""
    print(_line(name, _shares([row])), flush=True)
    for text in row.wrong:
        print(f"  WRONG COUNT {text}", flush=True)
    for text in row.failed:
        print(f"  ANALYSIS FAILED {text}", flush=True)
    if row.unlike:
        print(
            f"  {len(row.unlike)} parametric formulas stand at loops with different counts; see"
            " --reasons"
        )
    for text in row.unusable:
        print(f"  not checked: {text}", flush=True)


_LEGEND = """\
Shares of the loops that run. equal: exact and as counted in every run (else a parameter has no
known value); value: a formula in named values of the program; data: one with means or fractions,
which only a run can tell. entry: the iterations per entry are exact or of kind value; compare with
llvm: ScalarEvolution has a backedge-taken count, on the same IR and after -O1 (counting the loops
that vanish there). CPU s: parsing and analysis of all builds; MB: the largest."""


def main() -> int:
    """Run and print the table; returns the exit code."""
    options = _options()
    if options.large:
        return large(options.large, options)
    opt = next(
        (name for name in ("opt-22", "opt-21", "opt-20", "opt-19") if shutil.which(name)), None
    )
    if opt is None:
        print(
            "no opt of LLVM 19 or later: LLVM's ScalarEvolution is skipped (apt install llvm-19)",
            file=sys.stderr,
        )
    rows: dict[str, Row] = {}
    print(_head())
    for benchmark in BENCHMARKS:
        folder = os.environ.get(benchmark.variable)
        name = benchmark.variable.lower()
        if benchmark.variable not in options.only:
            continue
        if not folder:
            print(
                f"{name:<10} skipped: clone {benchmark.source}, then set"
                f" {benchmark.variable}=FOLDER"
            )
            continue
        rows[name] = measure(benchmark, Path(folder).resolve(), options, opt)
        _print_row(name, rows[name])
    everything = _shares(list(rows.values()))
    print(_line("all", everything))
    print(_LEGEND)
    if options.reasons:
        print(reasons(rows))
    if options.json:
        programs = {
            name: {**_shares([row]), **asdict(row), "asked": sorted(row.asked)}
            for name, row in rows.items()
        }
        document = {"format": "looplaw-bench-static/1", "peer": opt, "all": everything}
        text = json.dumps(document | {"programs": programs}, indent=1)
        options.json.write_text(f"{text}\n")
    if any(row.wrong or row.failed for row in rows.values()):
        return 1
    return 2 if any(row.unusable for row in rows.values()) else 0


def worker(name: str, job: str, answer: str) -> int:
    """One step, in a process of its own."""
    from runtime import RunError
    from staticana import InputError

    try:
        Path(answer).write_text(json.dumps(_STEPS[name](json.loads(Path(job).read_text()))))
    except (InputError, RunError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(worker(*sys.argv[2:5]) if len(sys.argv) == 5 and sys.argv[1] == _WORKER else main())
