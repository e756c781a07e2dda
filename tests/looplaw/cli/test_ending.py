"""However looplaw ends, and whatever it is doing: nothing that it started is left, its lock is
released, and one line says why."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from staticana import find_compiler
from tests.looplaw_common.test_processes import MARK, survivors
from tests.places import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a subreaper")

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
    words = ["study", "program.c", "--vary", vary, "--repetitions", "1", "--out", "out"]
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


QUICK = ("SIGTERM", "SIGKILL")
"""The ways that are tried in every state each time; all others while a program runs."""


@pytest.mark.parametrize(
    ("way", "state"),
    [
        pytest.param(
            way, state, marks=() if way in QUICK or state == "running" else pytest.mark.slow
        )
        for way in WAYS
        for state in STATES
    ],
)
def test_nothing_is_left(way: str, state: str, tmp_path: Path) -> None:
    number, codes, text = WAYS[way]
    process = start(state, tmp_path)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert not survivors(str(tmp_path)), "processes are left"
    assert process.returncode in codes, errors
    assert text in errors
    assert "Traceback" not in errors
    assert not (tmp_path / "out" / "study.json").exists() or way == "SIGINT"
    if way != "SIGKILL":
        assert not list(tmp_path.glob("out/locks/*.*")), "a lock is left"
        assert not list(tmp_path.glob("out/*study.json*")) or way == "SIGINT"
