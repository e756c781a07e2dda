"""`make bench-signals`: looplaw is ended in seven ways while it is in five states. Nothing that it
started may live three seconds later, no lock may stay, no finished run may be lost, and the same
command must go on where it was.

States are reached without waiting: each has a place at which looplaw, its compiler or its program
tells that it is there, and stays.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from staticana import find_compiler

from .processes import MARK, hear_signals, survivors

ROOT = Path(__file__).resolve().parents[2]
SURVIVES_S = 3.0
"""What still lives after so long has survived."""

PROGRAM = """#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
    }
    if (n == 5 && getenv("STAY"))
        return system("(setsid sleep 600 &); echo go > $READY; sleep 600");
    return 0;
}
"""
# The compiler of "compiling": it says its version, and then takes for ever, as does its child.
COMPILER = """#!/bin/sh
case "$*" in *--version*) exec {} "$@";; esac
sleep 600 & echo go > $READY; sleep 600
"""
# mpiexec of "timing out": its time is over, and it does not end at once.
LAUNCHER = """#!/bin/sh
trap 'echo go > $READY; while :; do sleep 600; done' TERM
"$@" & (setsid sleep 600 &); while :; do sleep 0.01; done
"""
# looplaw with a place at which it stays, and signals for ways to end that are no signals.
LOOPLAW = """
import os, signal, sys
import looplaw.studies.finish as finish
from looplaw_common.files import replacing
state = os.environ["STATE"]
def stay(*_):
    with open(os.environ["READY"], "w") as ready:
        ready.write("go")
    while True:
        signal.pause()
def write(folder, study, models):
    with replacing(folder / "study.json") as temporary:
        temporary.write_text("{")
        stay()
def broken(*_):
    raise BrokenPipeError(32, "Broken pipe")
def fault(*_):
    raise ValueError("a fault of ours")
signal.signal(signal.SIGUSR1, fault)
signal.signal(signal.SIGUSR2, broken)
if state == "fitting":
    finish.finish = stay
if state == "writing":
    finish.write = write
from looplaw.cli.main import main
main()
"""
STATES = ("compiling", "running", "timing out", "fitting", "writing")
_MORE = ("--repetitions", "1", "--out", "out")
WAYS = {
    "SIGINT": (signal.SIGINT, (130,), "interrupted"),
    "SIGTERM": (signal.SIGTERM, (143,), "ended by SIGTERM"),
    "SIGHUP": (signal.SIGHUP, (129,), "ended by SIGHUP"),
    "SIGQUIT": (signal.SIGQUIT, (131,), "ended by SIGQUIT"),
    "SIGPIPE": (signal.SIGUSR2, (0,), ""),
    "exception": (signal.SIGUSR1, (2,), "internal error"),
    "SIGKILL": (signal.SIGKILL, (-signal.SIGKILL,), ""),
}


def start(state: str, folder: Path) -> subprocess.Popen[str]:
    """looplaw study in this state; returns when it is in it."""
    (folder / "program.c").write_text(PROGRAM)
    environment = {
        **os.environ,
        MARK: str(folder),
        "PYTHONPATH": str(ROOT),
        "READY": str(folder / "ready"),
        "STATE": state,
    }
    vary = "n=4" if state == "timing out" else "n=4,5"
    words = ["study", "program.c", "--vary", vary, *_MORE]
    if state == "running":
        environment["STAY"] = "1"
    if state == "compiling":
        compiler = folder / "clang"
        compiler.write_text(COMPILER.format(shlex.join(find_compiler().command)))
        compiler.chmod(0o755)
        environment["LOOPLAW_CC"] = str(compiler)
    if state == "timing out":
        launcher = folder / "launcher"
        launcher.write_text(LAUNCHER)
        launcher.chmod(0o755)
        (folder / "study.toml").write_text(
            'program = "program.c"\n[vary]\nn = [4]\n[run]\nrepetitions = 1\ntimeout = "300ms"\n'
            f'launcher = "{launcher}"\n'
        )
        words = ["study", "study.toml", "--out", "out"]
    process = subprocess.Popen(
        [sys.executable, "-c", LOOPLAW, *words],
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + 60
    while process.poll() is None and not (folder / "ready").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    assert process.poll() is None, process.communicate()[1]
    return process


@dataclass(frozen=True)
class Outcome:
    """What was seen after looplaw was ended.

    Attributes:
        code: its exit code.
        survivors: processes that lived on.
        locks: locks that were left; those of a killed process are taken over by the next.
        lost: finished runs that were not there afterwards, or were made again.
        faults: everything that is wrong, in words.
    """

    way: str
    state: str
    code: int
    survivors: int
    locks: int
    lost: int
    faults: tuple[str, ...]


def outcome(
    way: str, state: str, folder: Path, *, resume: bool = True, within: float = SURVIVES_S
) -> Outcome:
    """End looplaw in this way while it is in this state, look, and let the command go on; `within`:
    seconds in which all that it started must have ended."""
    number, codes, text = WAYS[way]
    process = start(state, folder)
    before = finished(folder)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    left = len(survivors(str(folder), within))
    locks = len(list(folder.glob("out/locks/*.*")))
    after = finished(folder)
    lost = len(before - after)
    faults = [f"{left} processes are left"] if left else []
    faults += [f"exit code {process.returncode}"] if process.returncode not in codes else []
    faults += [f"its message is {errors.strip()!r}"] if text not in errors else []
    faults += ["a traceback"] if "Traceback" in errors else []
    faults += ["a lock is left"] if locks and way != "SIGKILL" else []
    faults += ["half a study was written"] if _half_written(folder, way) else []
    if resume:
        lost += _lost_by_going_on(folder, after, faults)
    return Outcome(way, state, process.returncode, left, locks, lost, tuple(faults))


def finished(folder: Path) -> set[tuple[str, str]]:
    """Key and time of start of every finished run, read without the store's help."""
    lines = [
        json.loads(line)
        for path in folder.glob("out/runs/*.jsonl")
        for line in path.read_text().splitlines(keepends=True)
        if line.endswith("\n")
    ]
    runs = [line["run"] for line in lines if "run" in line]
    return {(run["key"], run["started"]) for run in runs if run["status"] == "ok"}


def _half_written(folder: Path, way: str) -> bool:
    """Is there a document although the study did not end? SIGINT has it written from what is there;
    SIGKILL may leave a temporary file beside it."""
    files = {p.name for p in folder.glob("out/*study.json*")}
    return bool(files) and way != "SIGINT" and not (way == "SIGKILL" and "study.json" not in files)


def _lost_by_going_on(folder: Path, before: set[tuple[str, str]], faults: list[str]) -> int:
    """Give the command again, undisturbed; how many runs it lost or made again."""
    words = ["study", "program.c", "--vary", "n=4,5", *_MORE]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LOOPLAW_MACHINE": "none"}
    done = subprocess.run(
        [sys.executable, "-m", "looplaw", *words],
        cwd=folder,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
        timeout=120,
    )
    after = finished(folder)
    keys = [key for key, _ in after]
    if done.returncode != 0 or not (folder / "out" / "study.json").exists():
        faults.append(f"does not go on: {done.stderr.strip()!r}")
    return len(before - after) + len(keys) - len(set(keys))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="bench_signals")
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--states", nargs="*", default=list(STATES), choices=STATES)
    parser.add_argument("--json", type=Path, help="Write the results to this file.")
    options = parser.parse_args(arguments)
    hear_signals()
    results: list[Outcome] = []
    print("way        state       exit code  survivors  locks  lost runs")
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as scratch:
        for way in options.ways:
            for state in options.states:
                folder = Path(scratch) / f"{way}-{state}".replace(" ", "-")
                folder.mkdir()
                r = outcome(way, state, folder)
                shutil.rmtree(folder, ignore_errors=True)
                results.append(r)
                print(
                    f"{r.way:10} {r.state:12} {r.code:8} {r.survivors:10} {r.locks:6} {r.lost:10}"
                    f"  {'; '.join(r.faults)}",
                    flush=True,
                )
    wrong = sum(bool(r.faults or r.lost) for r in results)
    print(
        f"{len(results)} ends: {sum(r.survivors for r in results)} survivors after"
        f" {SURVIVES_S:g} s, {sum(r.lost for r in results)} lost runs, {wrong} with a fault"
    )
    if options.json:
        document = {"format": "looplaw-bench-signals/1", "results": [asdict(r) for r in results]}
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
