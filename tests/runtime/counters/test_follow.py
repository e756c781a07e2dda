"""Counts can be read while the program runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from runtime import build_program, follow, plan_all, snapshot
from staticana import canonical, compile_sources, parse_module

PROGRAM = """#include <stdio.h>
static volatile long s;
static void work(void) {
    for (int i = 0; i < 1000; i++) {
        s++;
    }
}
int main(void) {
    for (int k = 0; k < 5; k++) {
        work();
        puts("done");
        fflush(stdout);
        getchar();
    }
    return 0;
}
"""


def test_a_reader_follows(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    text = canonical(compile_sources([source]))
    program = build_program(text, plan_all(parse_module(text)), tmp_path / "program")
    counter = (
        next(c.id for c in program.plan.counters if c.function == "work") if program.plan else 0
    )
    cells = tmp_path / "cells"
    with subprocess.Popen(
        [str(program.executable)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"LOOPLAW_CELLS": str(cells)},
    ) as process:
        assert process.stdin
        assert process.stdout
        for k in range(1, 6):
            assert process.stdout.readline() == "done\n"
            assert snapshot(cells).iterations[counter] == 1000 * k
            assert not snapshot(cells).clean
            process.stdin.write("\n")
            process.stdin.flush()
    seen = list(follow(cells, interval_s=0.01))
    assert seen[-1].clean
    assert seen[-1].iterations[counter] == 5000
