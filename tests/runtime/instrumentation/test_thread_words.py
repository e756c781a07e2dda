"""Functions that need not ask whether their thread has words: each thread that reaches one has got
them, whichever way it comes."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime import build_program, plan_all, run
from runtime.instrumentation.abnormal_exits import find_abnormal_exits
from runtime.instrumentation.thread_words import find_entered, may_fork
from staticana import canonical, compile_sources, parse_module

# Each way into `sum`: from main, from a thread's first function (without and with loops), from a
# constructor, a destructor, a handler of exit, by a pointer.
PROGRAM = """#include <pthread.h>
#include <stdlib.h>
static long data[64];
static volatile long sink;
__attribute__((noinline)) static long sum(long n) {
    long s = 0;
    for (long i = 0; i < n; i++) s += data[i & s & 63];
    return s;
}
__attribute__((noinline)) static long twice(long n) { return sum(n) + sum(n); }
__attribute__((noinline)) static long again(long n) { return n ? sum(n) + again(n - 1) : 0; }
static void *plain(void *p) { sink = twice(5); return p; }
static void *looping(void *p) {
    for (int k = 0; k < 3; k++) sink = twice(k);
    return p;
}
__attribute__((constructor)) static void before(void) { sink = sum(7); }
__attribute__((destructor)) static void after(void) { sink = sum(11); }
static void at_end(void) { sink = sum(13); }
int main(int argc, char **argv) {
    pthread_t t[4];
    long (*volatile pointer)(long) = again;
    (void)argv;
    atexit(at_end);
    for (int k = 0; k < 4; k++) pthread_create(&t[k], 0, k % 2 ? looping : plain, 0);
    for (int k = 0; k < 4; k++) pthread_join(t[k], 0);
    sink = sum(argc) + pointer(4);
    return 0;
}
"""
ENTRIES = 2 * 2 + 2 * 3 * 2 + 1 + 1 + 1 + 1 + 4
ITERATIONS = 2 * 2 * 5 + 2 * 2 * (0 + 1 + 2) + 7 + 11 + 13 + 1 + (4 + 3 + 2 + 1)
FORKING = """#include <sys/wait.h>
#include <unistd.h>
static volatile long sink;
__attribute__((noinline)) static void work(int n) { for (int i = 0; i < n; i++) sink++; }
__attribute__((noinline)) static int split(int n) {
    int child = fork();
    work(n + (child == 0));
    return child;
}
int main(void) {
    int child = split(10);
    if (child == 0) _exit(0);
    return waitpid(child, 0, 0) != child;
}
"""


@pytest.mark.parametrize("timed", [False, True])
def test_every_way_into_a_function_counts(timed: bool, tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(PROGRAM)
    text = canonical(compile_sources([tmp_path / "program.c"]))
    plan = plan_all(parse_module(text), timed=timed)
    program = build_program(text, plan, tmp_path / "program")
    done = run([str(program.executable)], timeout_s=60, cells=tmp_path / "cells")
    assert done.status == "ok", done
    assert done.counts is not None
    (loop,) = (c.id for c in plan.counters if c.function == "sum")
    assert int(done.counts.entries[loop]) == ENTRIES
    assert int(done.counts.iterations[loop]) == ITERATIONS


def test_only_closed_functions_do_without_the_test(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(PROGRAM)
    module = parse_module(canonical(compile_sources([tmp_path / "program.c"])))
    abnormal = find_abnormal_exits(module)
    assert not may_fork(module)
    closed = {"main", "sum", "twice"}
    others = {"plain", "looping", "before", "after", "at_end", "again"}
    assert find_entered(module, abnormal, {"sum"}).with_words == {"main"}, "others call sum as well"
    found = find_entered(module, abnormal, closed | others)
    assert found.testing == others - abnormal.leaving
    if not abnormal.leaving & others:
        assert found.with_words == others | closed


def test_a_forked_child_counts_for_itself(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(FORKING)
    text = canonical(compile_sources([tmp_path / "program.c"]))
    module = parse_module(text)
    assert may_fork(module)
    assert not find_entered(module, find_abnormal_exits(module), {"work"}).with_words
    plan = plan_all(module)
    program = build_program(text, plan, tmp_path / "program")
    done = run([str(program.executable)], timeout_s=60, cells=tmp_path / "cells")
    assert done.counts is not None
    (loop,) = (c.id for c in plan.counters if c.function == "work")
    assert int(done.counts.iterations[loop]) == 10 + 11
