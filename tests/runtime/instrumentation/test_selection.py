"""Which kernels are instrumented: by name, by file, by what their counters cost; counts of the
others are not touched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from runtime import InputError, Kernel, Plan, Selection, affordable, kernels_of, plan_for, select
from staticana import Module, canonical, compile_sources, parse_module
from tests.places import ROOT

PROGRAM = """#include <stdlib.h>
static volatile long s;
static long a[64];
static void solve_rows(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            s += a[(i + j) % 64];
        }
    }
    for (int i = 0; i < n; i++) {
        s++;
    }
}
static void solve_all(int n) {
    for (int i = 0; i < n; i++) {
        s += i;
        if (s % 7 == 3) s++;
    }
}
#define COUNT(name, n) static void name(void) { for (int k = 0; k < (n); k++) s += k; }
#define BOTH COUNT(first, 3) COUNT(second, 5)
BOTH
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    solve_rows(n);
    solve_all(n);
    first();
    second();
    return 0;
}
"""
N = 9
COUNTS = {5: N, 6: N * (N - 1) // 2, 10: N, 15: N, 22: 3 + 5}  # line -> iterations, by hand


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return path


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Module:
    path = tmp_path_factory.mktemp("source") / "program.c"
    path.write_text(PROGRAM)
    return parse_module(canonical(compile_sources([path])))


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(), {5, 10, 15, 22}),
        (Selection(("solve_*",)), {5, 10, 15}),
        (Selection(("solve_*", "!solve_all")), {5, 10}),
        (Selection(("!solve_*",)), {22}),
        (Selection(("solve_rows[3]",)), {10}),
        (Selection(("solve_rows[2]",)), {5}),
        (Selection(("*program.c:6:*",)), {5}),
        (Selection(files=("*.c",)), {5, 10, 15, 22}),
        (Selection(("solve_all",), ("program.c",)), {15}),
    ],
)
def test_patterns(module: Module, selection: Selection, expected: set[int]) -> None:
    """lines of the outermost loops"""
    chosen = select(kernels_of(module), selection)
    assert {int(k.at.split(":")[-2]) for k in chosen} == expected


@pytest.mark.parametrize(
    ("selection", "near"),
    [
        (Selection(("solverows",)), "solve_rows"),
        (Selection(("!frist",)), "first"),
        (Selection(files=("progam.c",)), "program.c"),
        (Selection(("solve_all", "!solve_*")), "no kernel is left"),
    ],
)
def test_what_matches_nothing_is_an_error_that_says_what_there_is(
    module: Module, selection: Selection, near: str
) -> None:
    with pytest.raises(InputError, match=near):
        select(kernels_of(module), selection)


def counted(program: Path, *options: str) -> tuple[dict[int, int], str]:
    """Line -> iterations at N, and what was said."""
    done = CliRunner().invoke(
        main,
        ["run", str(program), "--vary", f"n={N}", "--repetitions", "1", "--out", "out", *options],
    )
    assert done.exit_code == 0, done.output
    rows = map(json.loads, done.stdout.splitlines())
    return {
        int(r["callpath"].split(":")[-2]): r["value"] for r in rows if r["metric"] == "iterations"
    }, done.stderr


def test_counts_of_a_part_are_those_of_the_whole(program: Path) -> None:
    assert counted(program)[0] == COUNTS
    part, said = counted(program, "--kernel", "solve_*", "--kernel", "!solve_rows[3]")
    assert part == {line: COUNTS[line] for line in (5, 6, 15)}
    assert "instrumented: 2 kernels" in said
    assert counted(program, "--kernel", "first")[0] == {22: COUNTS[22]}, (
        "both copies of the macro's loop"
    )


def test_a_study_leaves_what_is_not_selected_unmeasured(program: Path, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        'program = "program.c"\n[vary]\nn = [4, 8, 16]\n[run]\nrepetitions = 1\n'
        '[select]\nkernel = ["solve_*"]\nfile = "!other.c"\n'
    )
    wrong = CliRunner().invoke(main, ["study", "study.toml", "--out", "out"])
    assert wrong.exit_code == 2
    assert "--file !other.c: no kernel matches" in wrong.stderr
    (tmp_path / "study.toml").write_text(
        'program = "program.c"\n[vary]\nn = [4, 8, 16]\n[run]\nrepetitions = 1\n'
        '[select]\nkernel = ["solve_*"]\nmax_overhead = 90\n'
    )
    done = CliRunner().invoke(main, ["study", "study.toml", "--out", "out"])
    assert done.exit_code == 0, done.output
    loops = json.loads((tmp_path / "out" / "study.json").read_text())["loops"]
    found = {int(loop["at"].split(":")[-2]): (loop["obeys"], loop["verdict"]) for loop in loops}
    assert all(obeys == "yes" for line, (obeys, _) in found.items() if line < 20)
    assert found[22] == ("unchecked", "unmeasured")


def test_the_dearest_kernels_are_left_out_first(module: Module) -> None:
    """The smaller the bound, the fewer are kept, down to none; what is left out is dearer than what
    is kept."""
    every = kernels_of(module)

    def plan_of(chosen: Sequence[Kernel]) -> Plan:
        return plan_for(module, [key for kernel in chosen for key in kernel.loops])

    kept_before = set(every)
    for most in (10.0, 0.2, 0.05, 0.01, 1e-9):
        kept, left = affordable(module, every, plan_of, most)
        assert set(kept) <= kept_before
        assert set(kept) | {out.kernel for out in left} == set(every)
        assert [out.overhead for out in left] == sorted(
            (out.overhead for out in left), reverse=True
        )
        kept_before = set(kept)
    assert not kept_before
    assert affordable(module, every, plan_of, 10.0) == (every, ())
    often = {
        key: (1.0, 1e6 if kernel.is_called("solve_all") else 1.0)
        for kernel in every
        for key in kernel.loops
    }
    _, left = affordable(module, every, plan_of, 0.001, often)
    assert [out.kernel.names[0] for out in left] == ["solve_all[1]"], (
        "volatile accesses: its counter is in memory"
    )


def test_what_a_run_measures_decides(module: Module) -> None:
    """The prices only divide among the kernels what was measured."""
    every = kernels_of(module)

    def plan_of(chosen: Sequence[Kernel]) -> Plan:
        return plan_for(module, [key for kernel in chosen for key in kernel.loops])

    def free(_: Plan) -> float:
        return -0.01

    def dear(plan: Plan) -> float:
        return 0.1 * len(plan.counters)

    def unknown(_: Plan) -> None:
        return None

    assert affordable(module, every, plan_of, 1e-9, measured=free) == (every, ())
    assert affordable(module, every, plan_of, 0.2, measured=unknown) == affordable(
        module, every, plan_of, 0.2
    )
    kept, left = affordable(module, every, plan_of, 0.35, measured=dear)
    assert kept
    assert dear(plan_of(kept)) <= 0.35 < dear(plan_of(every))
    assert {*kept, *(out.kernel for out in left)} == set(every)


def test_too_little_is_refused(program: Path) -> None:
    for percent, text in (
        ("0.000001%", "no kernel is left"),
        ("-1", "write percent"),
        ("x", "write percent"),
    ):
        done = CliRunner().invoke(
            main, ["run", str(program), "--vary", "n=9", "--out", "out", "--max-overhead", percent]
        )
        assert done.exit_code == 2
        assert text in done.stderr


def test_the_compiler_selects_in_every_file(program: Path, tmp_path: Path) -> None:
    compiler = [sys.executable, "-m", "looplaw", "cc", "--kernel=solve_rows", "--kernel", "nowhere"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LOOPLAW_CELLS": str(tmp_path / "cells")}
    subprocess.run([*compiler, "-O2", str(program), "-o", "made"], check=True, env=environment)
    subprocess.run([tmp_path / "made", str(N)], check=True, env=environment)
    done = CliRunner().invoke(main, ["counts", str(tmp_path / "cells")])
    rows = map(json.loads, done.stdout.splitlines())
    assert {
        int(r["callpath"].split(":")[-2]): r["value"] for r in rows if r["metric"] == "iterations"
    } == {line: COUNTS[line] for line in (5, 6, 10)}
