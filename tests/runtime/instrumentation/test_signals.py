"""Signal handlers that leave a loop in the middle: they are found, and no iteration is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from runtime import build_program, leaving_handlers, plan_all, run
from staticana import canonical, compile_sources, parse_module
from tests.places import ROOT

# The iteration that writes behind the only page that may be written is the 4097th; the handler
# leaves from there.
FAULT = """#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static sigjmp_buf back;
static volatile sig_atomic_t seen;
static void flag(int number) { seen = number; }
static void leave(int number) { HOW; }
static void told(int number, siginfo_t *info, void *context) { if (info) leave(number); }
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + 4096, 4096, PROT_NONE);
    INSTALL
    if (sigsetjmp(back, 1)) return 0;
    for (int i = 0; i < n; i++) {
        p[i] = 1;
    }
    return p[0] - 1;
}
"""
EXEC = 'execl("/bin/true", "true", (char *)0)'
STRUCTURE = (
    "struct sigaction a = {0}; a.sa_sigaction = told; a.sa_flags = SA_SIGINFO; sigaction(SIGSEGV,"
    " &a, 0);"
)


def source(folder: Path, install: str, how: str) -> Path:
    path = folder / "program.c"
    path.write_text(FAULT.replace("INSTALL", install).replace("HOW", how))
    return path


@pytest.mark.parametrize("how", ["_exit(0)", "siglongjmp(back, 1)", "exit(0)", EXEC])
@pytest.mark.parametrize("install", ["signal(SIGSEGV, leave);", STRUCTURE])
def test_nothing_is_lost(install: str, how: str, tmp_path: Path) -> None:
    text = canonical(compile_sources([source(tmp_path, install, how)]))
    module = parse_module(text)
    assert set(leaving_handlers(module)) <= {"leave", "told"}
    assert leaving_handlers(module)
    program = build_program(
        text, plan_all(module, precise=bool(leaving_handlers(module))), tmp_path / "program"
    )
    result = run([str(program.executable), "8192"], timeout_s=60, cells=tmp_path / "cells")
    assert result.status == "ok", result
    assert result.counts is not None
    assert result.counts.iterations.tolist() == [4097]


@pytest.mark.parametrize(
    ("install", "how"),
    [
        ("signal(SIGINT, flag);", "_exit(0)"),
        ("signal(SIGSEGV, SIG_DFL); signal(SIGPIPE, SIG_IGN);", "_exit(0)"),
        ("signal(SIGUSR1, leave);", "seen = number"),
        ("leave(3);", "_exit(0)"),
        (STRUCTURE, "seen = 2 * number"),
    ],
)
def test_handlers_that_return_cost_nothing(install: str, how: str, tmp_path: Path) -> None:
    assert not leaving_handlers(
        parse_module(canonical(compile_sources([source(tmp_path, install, how)])))
    )


@pytest.mark.parametrize(
    "install",
    [
        "void (*other)(int) = argc > 5 ? flag : leave; signal(SIGINT, other);",
        "extern void elsewhere(int); signal(SIGINT, elsewhere);",
        "extern struct sigaction given; sigaction(SIGINT, &given, 0);",
    ],
)
def test_a_handler_that_cannot_be_seen_may_leave(install: str, tmp_path: Path) -> None:
    assert leaving_handlers(
        parse_module(canonical(compile_sources([source(tmp_path, install, "seen = 1")])))
    )


def test_the_commands_say_it_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source(tmp_path, "signal(SIGSEGV, leave);", "_exit(0)")
    done = CliRunner().invoke(
        main, ["run", "program.c", "--vary", "n=100,8192", "--repetitions", "1"]
    )
    assert done.exit_code == 0, done.stderr
    assert [
        line for line in done.stderr.splitlines() if "(leave)" in line
    ] == done.stderr.splitlines()
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {r["params"]["n"]: r["value"] for r in rows if r["metric"] == "iterations"} == {
        100: 100,
        8192: 4097,
    }
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LOOPLAW_CELLS": "cells"}
    made = subprocess.run(
        [sys.executable, "-m", "looplaw", "cc", "-O2", "program.c", "-o", "made"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert made.stderr.count("\n") == 1
    assert "LOOPLAW_PLAN=time,precise" in made.stderr
    subprocess.run(["./made", "8192"], env=environment, check=True)
    counted = [
        json.loads(line)
        for line in CliRunner().invoke(main, ["counts", "cells"]).stdout.splitlines()
    ]
    assert [r["value"] for r in counted if r["metric"] == "iterations"] == [4097]
