"""Runs are bounded and reported; what is finished stays on disk; damaged files are refused or
skipped, aloud."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from looplaw_common.starter import Starter
from runtime import (
    Budget,
    Experiment,
    Repeated,
    RunError,
    Store,
    build_program,
    plan_all,
    run,
    run_sweep,
    snapshot,
)
from staticana import canonical, compile_sources, parse_module

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int i = 0; i < n; i++) {
        s++;
    }
    if (n == 13) { fprintf(stderr, "unlucky\\n"); return 3; }
    if (n == 14) { *(volatile int *)0 = 1; }
    while (n == 15) {
        pause();
    }
    return 0;
}
"""


def schedule(*values: int, repetitions: int = 1, warmup: int = 0, seed: int = 0) -> Repeated:
    return Repeated(
        [Experiment({"n": n}, (str(n),)) for n in values], repetitions, warmup=warmup, seed=seed
    )


def test_timeout_and_missing_program(tmp_path: Path) -> None:
    result = run([sys.executable, "-c", "while True: pass"], timeout_s=0.3)
    assert (result.status, result.exit_code) == ("timeout", None)
    assert "0.3" in result.reason
    with pytest.raises(RunError, match="cannot start"):
        run([str(tmp_path / "nothing")])


def test_stderr_is_kept_and_bounded() -> None:
    result = run(
        [sys.executable, "-c", "import sys; sys.stderr.write('x' * 100000 + 'end'); sys.exit(4)"],
        timeout_s=30,
    )
    assert result.reason == "exit code 4"
    assert result.stderr.endswith("end")
    assert len(result.stderr) <= 4096


def test_a_run_without_the_counts_it_was_asked_for_failed(tmp_path: Path) -> None:
    result = run([sys.executable, "-c", "pass"], cells=tmp_path / "cells")
    assert (result.status, result.reason) == ("failed", "it left no counts")
    written = "import os; open(os.environ['LOOPLAW_CELLS'], 'w').write('x' * 9999)"
    result = run([sys.executable, "-c", written], cells=tmp_path / "cells")
    assert result.reason == f"it left no counts: {tmp_path / 'cells'}: not a file of counts"
    said = "looplaw: counts are incomplete: cannot write cells: No space left on device"
    result = run([sys.executable, "-c", f"import sys; sys.exit(print({said!r}, file=sys.stderr))"],
                 cells=tmp_path / "cells")  # fmt: skip
    assert result.reason.endswith("no counts: cannot write cells: No space left on device")
    assert run([sys.executable, "-c", "pass"]).status == "ok"


def test_damaged_cells_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cells"
    with pytest.raises(RunError, match="no counts"):
        snapshot(path)
    path.write_bytes(b"short")
    with pytest.raises(RunError, match="cut short"):
        snapshot(path)
    path.write_bytes(b"\0" * 8192)
    with pytest.raises(RunError, match="not a file of counts"):
        snapshot(path)


def test_sweep_reports_failures_and_resumes(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    text = canonical(compile_sources([source]))
    program = build_program(text, plan_all(parse_module(text)), tmp_path / "program")
    wanted = (5, 13, 14, 15, 20)
    store = Store(tmp_path / "out")
    first = {
        r.params["n"]: r
        for r, _ in run_sweep(
            program.executable, schedule(*wanted), store, identity="a", timeout_s=3
        )
    }
    assert [first[n].status for n in (5, 13, 14, 15, 20)] == [
        "ok",
        "failed",
        "failed",
        "timeout",
        "ok",
    ]
    assert first[13].reason == "exit code 3"
    assert "unlucky" in first[13].stderr
    assert first[14].reason == "crashed: SIGSEGV"
    assert first[20].iterations[0] == 20

    with store.path.open("ab") as file:  # a crash in the middle of a line
        file.write(b'{"key": "half')
    again = {
        r.params["n"]: fresh
        for r, fresh in run_sweep(
            program.executable, schedule(*wanted), store, identity="a", timeout_s=3
        )
    }
    assert store.torn == 1
    assert again == {5: False, 13: True, 14: True, 15: True, 20: False}
    assert len(Store(tmp_path / "out").load()) == 5
    other = [
        fresh
        for _, fresh in run_sweep(program.executable, schedule(5), store, identity="b", timeout_s=5)
    ]
    assert other == [True], "another program's runs must not be taken for this one's"


def test_interrupted_sweep_keeps_what_was_measured(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    text = canonical(compile_sources([source]))
    program = build_program(text, plan_all(parse_module(text)), tmp_path / "program")
    store = Store(tmp_path / "out")
    sweep = run_sweep(program.executable, schedule(*range(6)), store, identity="a")
    done = [next(sweep)[0].params["n"] for _ in range(3)]
    sweep.close()
    remaining = [
        r.params["n"]
        for r, fresh in run_sweep(program.executable, schedule(*range(6)), store, identity="a")
        if fresh
    ]
    assert sorted(done + remaining) == list(range(6))


def test_order_is_random_recorded_and_the_same_again(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    text = canonical(compile_sources([source]))
    program = build_program(text, plan_all(parse_module(text)), tmp_path / "program")
    values = tuple(range(20, 32))

    def order(folder: str, seed: int) -> list[tuple[int, int]]:
        runs = [
            r
            for r, _ in run_sweep(
                program.executable,
                schedule(*values, repetitions=2, warmup=1, seed=seed),
                Store(tmp_path / folder),
                identity="a",
            )
        ]
        assert [r.order for r in runs] == list(range(len(runs)))
        assert {r.seed for r in runs} == {seed}
        return [(r.repetition, r.params["n"]) for r in runs]

    found = order("a", 3)
    assert [k for k, _ in found] == [-1] * 12 + [0] * 12 + [1] * 12, (
        "the round that warms up comes first"
    )
    rounds = [tuple(n for k, n in found if k == number) for number in (-1, 0, 1)]
    assert all(sorted(r) == list(values) for r in rounds)
    assert len({values, *rounds}) == 4, "each round has an order of its own"
    assert order("b", 3) == found
    assert order("c", 4) != found


def test_a_spent_budget_starts_no_run_but_reads_finished_ones(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    text = canonical(compile_sources([source]))
    program = build_program(text, plan_all(parse_module(text)), tmp_path / "program")
    store = Store(tmp_path / "out")
    assert len(list(run_sweep(program.executable, schedule(20, 21), store, identity="a"))) == 2
    budget = Budget(0.0)
    assert [
        fresh
        for _, fresh in run_sweep(
            program.executable, schedule(20, 21), store, identity="a", budget=budget
        )
    ] == [False, False]
    assert not budget.stopped
    assert (
        len(
            list(
                run_sweep(
                    program.executable, schedule(20, 21, 22, 23), store, identity="a", budget=budget
                )
            )
        )
        <= 2
    )
    assert budget.stopped


def test_an_interrupt_while_a_program_is_being_started_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    fork = os.fork

    def interrupted() -> int:
        keeper = fork()
        if keeper:
            started.append(keeper)
            signal.raise_signal(signal.SIGINT)  # before the keeper of the program is known
        return keeper

    monkeypatch.setattr(os, "fork", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(["sleep", "60"], events=("task-clock",))  # so that the keeper is a fork of this process
    assert len(started) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)  # and is what it was before


def test_an_interrupt_while_the_small_process_starts_a_program_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    os.mkfifo(out)
    start, programs = Starter.start, []

    def interrupted(self: Starter, *task: Any) -> bool:
        begun = start(self, *task)
        programs.append(int(out.read_text()))
        signal.raise_signal(signal.SIGINT)
        return begun

    monkeypatch.setattr(Starter, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(["sh", "-c", f"echo $$ > {out}; exec sleep 60"])
    (program,) = programs
    with pytest.raises(ProcessLookupError):
        os.kill(program, 0)
