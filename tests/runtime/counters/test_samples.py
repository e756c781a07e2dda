"""Kernels whose calls are a sample: few or long calls are all kept, of many short ones so few that
keeping them costs next to nothing, and what is kept says how much is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from runtime import Calls, Snapshot, build_program, instrument, plan_all, run
from staticana import canonical, compile_sources, parse_module

# rows(a, n) runs n iterations; main calls it COUNT times with sizes from FIRST on, in THREADS
# threads one after the other.
PROGRAM = """#include <pthread.h>
#include <stdlib.h>
static long data[64];
static long count, first, step;
__attribute__((noinline)) static long rows(const long *a, long n) {
    long s = 0;
    for (long i = 0; i < n; i++) s += a[(i * s) & 63];
    return s;
}
static void *work(void *result) {
    for (long k = 0; k < count; k++) *(long *)result += rows(data, first + step * k);
    return 0;
}
int main(int argc, char **argv) {
    long s = 0, threads = atol(argv[4]);
    count = atol(argv[1]);
    first = atol(argv[2]);
    step = atol(argv[3]);
    for (long t = 0; t < threads; t++) {
        pthread_t other;
        pthread_create(&other, 0, work, &s);
        pthread_join(other, 0);
    }
    return s == 12345;
}
"""
FREE = 192 + 8
"""Calls that are kept in any case (rt_calls.h)."""
WORK = 64_000
"""Iterations for one more."""


@pytest.fixture(scope="module", params=[False, True], ids=["counted", "timed"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    (folder / "program.c").write_text(PROGRAM)
    text = canonical(compile_sources([folder / "program.c"]))
    everything = plan_all(parse_module(text), timed=request.param, entries=False, calls=True)
    plan = replace(everything, sampled=True)
    return build_program(text, plan, folder / "program").executable


def counted(program: Path, folder: Path, *words: int) -> tuple[Snapshot, Calls, int]:
    """The counts of a run, the calls of `rows` in it, and its loop."""
    done = run([str(program), *map(str, words)], timeout_s=60, cells=folder / "cells")
    assert done.counts is not None
    names = ("n",)
    found = [r for r in done.counts.calls.rows if tuple(r.values) == names]
    kernels = {r.kernel for r in found}
    assert len(kernels) == 1
    (kernel,) = kernels
    missed = {k: n for k, n in done.counts.calls.missed.items() if k == kernel}
    return done.counts, Calls(tuple(found), missed), kernel


def test_few_calls_are_all_kept(program: Path, tmp_path: Path) -> None:
    _, calls, kernel = counted(program, tmp_path, 100, 2, 3, 1)
    assert {r.values["n"]: r.calls for r in calls.rows} == {2 + 3 * k: 1 for k in range(100)}
    assert all(r.iterations == {kernel: r.values["n"]} for r in calls.rows)
    assert not calls.missed


def test_long_calls_are_all_kept(program: Path, tmp_path: Path) -> None:
    _, calls, _ = counted(program, tmp_path, 400, WORK, 0, 1)
    assert [(r.values["n"], r.calls) for r in calls.rows] == [(WORK, 400)]
    assert not calls.missed


def test_many_short_calls_are_a_sample(program: Path, tmp_path: Path) -> None:
    """All with different values: rows from the whole run, each of them right, and no doubt about
    how many calls there were."""
    number = 60_000
    counts, calls, kernel = counted(program, tmp_path, number, 1, 1, 1)
    kept = sum(r.calls for r in calls.rows)
    assert kept + calls.missed[kernel] == number
    assert all(r.iterations[kernel] == r.calls * r.values["n"] for r in calls.rows)
    assert int(counts.iterations[kernel]) == number * (number + 1) // 2, "totals are whole"
    sizes = sorted(r.values["n"] for r in calls.rows)
    assert len(sizes) == kept, "a table of different values"
    assert sizes[:200] == list(range(1, 201))
    assert sizes[-1] > number / 2, "what comes late is represented"


def test_the_price_is_bounded_by_the_work(program: Path, tmp_path: Path) -> None:
    number, each = 200_000, 5
    counts, calls, kernel = counted(program, tmp_path, number, each, 0, 1)
    kept = sum(r.calls for r in calls.rows)
    assert kept + calls.missed[kernel] == number
    assert int(counts.iterations[kernel]) == number * each
    if not counts.samples.any():  # else calls that are timed are kept as well
        assert FREE <= kept <= FREE + 2 * number * each / WORK + 1
    assert kept < number / 100


def test_samples_of_threads_add_up(program: Path, tmp_path: Path) -> None:
    """Threads that come after each other go on with the same sample."""
    number, threads = 3_000, 6
    counts, calls, kernel = counted(program, tmp_path, number, 4, 0, threads)
    kept = sum(r.calls for r in calls.rows)
    assert kept + calls.missed[kernel] == number * threads
    assert [r.iterations[kernel] for r in calls.rows] == [4 * kept]
    assert int(counts.iterations[kernel]) == 4 * number * threads


# Its calls are known where it ends: its bound is loaded once, one inner loop always runs as
# often; the process forks between two calls, and a thread calls it first.
NESTS = """#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static long data[64], sizes[2];
static long nest(const long *a, const long *n) {
    long s = 0;
    for (long i = 0; i < n[1]; i++) {
        for (int k = 0; k < 8; k++) s += a[(i + k * s) & 63];
        for (long j = 0; j < i; j++) s ^= a[(j + s) & 63];
    }
    return s;
}
static void *work(void *result) {
    for (sizes[1] = 0; sizes[1] < 40; sizes[1]++) *(long *)result += nest(data, sizes);
    return 0;
}
int main(void) {
    long s = 0;
    pthread_t other;
    pthread_create(&other, 0, work, &s);
    pthread_join(other, 0);
    work(&s);
    int child = fork();
    for (int k = 0; k < 300; k++) s += nest(data, sizes);
    if (child) wait(0);
    return s == 12345;
}
"""


def test_calls_that_are_kept_where_they_end(tmp_path: Path) -> None:
    source = tmp_path / "nests.c"
    source.write_text(NESTS)
    text = canonical(compile_sources([source]))
    module = parse_module(text)
    plan = replace(plan_all(module, timed=False, calls=True), sampled=True)
    assert "@nest.looplaw.timed" not in instrument(module, plan).text, "no second version"
    program = build_program(text, plan, tmp_path / "nests").executable
    done = run([str(program)], timeout_s=60, cells=tmp_path / "cells")
    assert done.counts is not None
    outer, fixed, inner = (c.id for c in plan.counters if c.function == "nest")
    rows = [r for r in done.counts.calls.rows if r.kernel == outer]
    sizes = [(next(iter(r.values.values())), r) for r in rows]
    assert {n for n, _ in sizes} == {*range(41)}
    for n, row in sizes:
        assert row.iterations == {
            outer: row.calls * n,
            fixed: row.calls * 8 * n,
            inner: row.calls * n * (n - 1) // 2,
        }
    kept = sum(row.calls for row in rows)
    assert kept + done.counts.calls.missed.get(outer, 0) == 80 + 600
    assert int(done.counts.iterations[outer]) == 2 * sum(range(40)) + 600 * 40
