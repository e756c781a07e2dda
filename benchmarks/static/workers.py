"""The steps of a measurement, each in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .analysing import analysis_worker
from .calls import call
from .swept import study_worker

_LLVM = re.compile(
    r"Loop %(\S+): (?:<multiple exits> )?(?:(Unpredictable) backedge|backedge-taken count is"
    r" (?!\*\*\*))"
)


def compile_worker(job: dict[str, Any]) -> dict[str, Any]:
    """Sources -> canonical.ll, and one .ll for each source for the peer."""
    from staticana import canonical, compile_sources
    from staticana.frontend.clang import find_compiler
    from staticana.frontend.program_files import compile_source

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


def peer_worker(job: dict[str, Any]) -> dict[str, Any]:
    """Loops (by place) of which LLVM's ScalarEvolution can compute the backedge-taken count, each
    with all its copies."""
    import llvmlite.binding as llvm

    from staticana import parse_module
    from staticana.ir.loop_info import loop_forest

    folder, opt = Path(job["folder"]), job["opt"]
    linked = folder / "linked.bc"
    call(
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
        text = call(
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


STEPS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "compile": compile_worker,
    "run": run_worker,
    "analysis": analysis_worker,
    "peer": peer_worker,
    "study": study_worker,
}


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
                [sys.executable, "-m", "benchmarks.static.workers", name, str(given), str(answer)],
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


def worker(name: str, job: str, answer: str) -> int:
    """One step, in a process of its own."""
    from runtime import RunError
    from staticana import InputError

    try:
        Path(answer).write_text(json.dumps(STEPS[name](json.loads(Path(job).read_text()))))
    except (InputError, RunError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(worker(*sys.argv[1:4]))
