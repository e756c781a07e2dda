"""Readers follow writers without disturbing them and never see half of a change; tables are
bounded."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path

import pytest

from runtime import Program, RunError, build_program, plan_all, run, snapshot
from staticana import canonical, compile_sources, parse_module

# Two threads call a kernel; every call makes exactly 3 iterations of one loop and 5 of the other.
STRESS = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int data[16];
static long calls;
static volatile int stop, sink;
__attribute__((noinline)) static int kernel(int n) {
    int s = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < n; k++) {
            s += data[(i + k) % 16];
        }
    }
    return s;
}
static void *work(void *p) {
    long s = 0, done = 0;
    do {
        for (long i = 0; i < calls; i++) {
            s += kernel(5 + (i & 1));
        }
        done += calls;
    } while (!stop);
    sink = (int)s;
    return (void *)done;
}
int main(int argc, char **argv) {
    pthread_t t[2];
    void *done;
    long all = 0;
    calls = atol(argv[1]);
    stop = argc < 3;
    for (int k = 0; k < 2; k++) {
        pthread_create(&t[k], 0, work, argv);
    }
    while (!stop) {
        stop = getchar() == EOF;
    }
    for (int k = 0; k < 2; k++) {
        pthread_join(t[k], &done);
        all += (long)done;
    }
    printf("%ld", all);
    return 0;
}
"""

SIZES = """#include <stdlib.h>
struct grid { int rows, columns; };
static long sweep(const struct grid *g, int step) {
    long s = 0;
    for (int i = 0; i < g->rows; i += step) {
        for (int j = 0; j < 4; j++) {
            s += i ^ j;
        }
    }
    return s;
}
int main(int argc, char **argv) {
    struct grid g = {0, 0};
    long s = 0;
    for (int k = 0; k < atoi(argv[1]); k++) {
        g.rows = 10 * (k / 2);
        s += sweep(&g, 2);
    }
    return s == 12345;
}
"""


def build(source: str, folder: Path, **options: bool) -> Program:
    path = folder / "program.c"
    path.write_text(source)
    text = canonical(compile_sources([path]))
    return build_program(text, plan_all(parse_module(text), **options), folder / "program")


def test_two_writers_and_a_reader(tmp_path: Path) -> None:
    program = build(STRESS, tmp_path, calls=True)
    assert program.plan is not None
    kernel = next(c.id for c in program.plan.counters if c.function == "kernel" and c.nesting == 1)
    cells, read, last = tmp_path / "cells", 0, 0
    with subprocess.Popen(
        [str(program.executable), "1000", "until told"],
        env={"LOOPLAW_CELLS": str(cells)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        running = True
        while running:
            running = process.poll() is None
            try:
                seen = snapshot(cells)
            except RunError:
                continue
            read += 1
            if read == 50:
                process.stdin.close()
            rows = {row.values["n"]: row for row in seen.calls.rows if row.kernel == kernel}
            for n, row in rows.items():
                assert row.iterations == {kernel: 3 * row.calls, kernel + 1: 3 * n * row.calls}, (
                    "a torn read"
                )
                assert row.timed <= row.calls
            total = sum(row.calls for row in rows.values())
            assert total >= last, "counts never go back"
            last = total
        calls = int(process.stdout.read())
    assert process.returncode == 0
    assert read >= 50
    assert last == calls
    assert int(seen.iterations[kernel]) == 3 * calls
    assert 0 < seen.samples[kernel] <= calls


def test_calls_are_told_apart_by_what_influences_them(tmp_path: Path) -> None:
    program = build(SIZES, tmp_path, calls=True)
    assert program.plan is not None
    kernel = next(c.id for c in program.plan.counters if c.function == "sweep" and c.nesting == 1)
    result = run([str(program.executable), "9"], timeout_s=60, cells=tmp_path / "cells")
    assert result.counts is not None
    rows = [row for row in result.counts.calls.rows if row.kernel == kernel]
    assert all(set(row.values.values()) >= {2} for row in rows), "the step is one of the values"
    found = {
        max(v for v in row.values.values() if v != 2) if len(set(row.values.values())) > 1 else 2: (
            row.calls,
            row.iterations[kernel],
            row.iterations[kernel + 1],
        )
        for row in rows
    }
    assert found == {
        10 * k: (2 if k < 4 else 1, 5 * k * (2 if k < 4 else 1), 20 * k * (2 if k < 4 else 1))
        for k in range(5)
    }


def test_a_full_table_says_what_it_left_out(tmp_path: Path) -> None:
    program = build(SIZES, tmp_path, calls=True)
    assert program.plan is not None
    kernel = next(c.id for c in program.plan.counters if c.function == "sweep" and c.nesting == 1)
    result = run([str(program.executable), "3000"], timeout_s=60, cells=tmp_path / "cells")
    assert result.counts is not None
    kept = sum(row.calls for row in result.counts.calls.rows if row.kernel == kernel)
    assert kept + result.counts.calls.missed[kernel] == 3000
    assert 0 < result.counts.calls.missed[kernel] < 3000
    assert result.counts.iterations[kernel] == sum(5 * (k // 2) for k in range(3000)), (
        "totals are whole"
    )


def test_memory_does_not_grow_with_events(tmp_path: Path) -> None:
    program = build(STRESS, tmp_path, calls=True)
    sizes = []
    for calls in (10, 100_000):
        run([str(program.executable), str(calls)], timeout_s=60, cells=tmp_path / "cells")
        sizes.append((tmp_path / "cells").stat().st_size)
    assert max(sizes) < 2 * min(sizes), (
        "a block for each of two threads, or one that the second takes over"
    )


def test_what_a_writer_left_that_was_ended_in_the_middle_of_an_event(tmp_path: Path) -> None:
    """Its turn stays odd, and nobody is there to make a copy."""
    program = build(SIZES, tmp_path, calls=True)
    run([str(program.executable), "3"], timeout_s=60, cells=tmp_path / "cells")
    whole = snapshot(tmp_path / "cells").calls
    data = bytearray((tmp_path / "cells").read_bytes())
    at, left = 4096, 0
    while at < int.from_bytes(data[8:16], "little"):
        if data[at] == 3:  # a table of calls
            data[at + 24] |= 1
            left += 1
        at += int.from_bytes(data[at + 16 : at + 24], "little")
    assert left
    (tmp_path / "left").write_bytes(data)
    assert snapshot(tmp_path / "left").calls == whole


@pytest.mark.parametrize("at", [0, 40, 4096, 4104, 4120, 5000])
def test_damaged_files_are_refused(at: int, tmp_path: Path) -> None:
    """A flipped bit anywhere gives counts or an error, never a crash."""
    program = build(SIZES, tmp_path, calls=True)
    run([str(program.executable), "3"], timeout_s=60, cells=tmp_path / "cells")
    whole = (tmp_path / "cells").read_bytes()
    for bit in (0, 5, 7):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << bit
        (tmp_path / "damaged").write_bytes(damaged)
        with contextlib.suppress(RunError):
            snapshot(tmp_path / "damaged")
    (tmp_path / "damaged").write_bytes(whole[:5000])
    with pytest.raises(RunError, match="cut short"):
        snapshot(tmp_path / "damaged")
