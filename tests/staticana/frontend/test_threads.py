"""Threads: loops of what they run are counted as in calls, and their depth is no more than that."""

from pathlib import Path

import pytest

from staticana import Analysis, analyze, canonical, compile_sources, find_compiler

PROGRAMS = Path(__file__).parents[2] / "claims" / "programs"


def analysed(path: Path) -> Analysis:
    return analyze(canonical(compile_sources([path], flags=["-pthread"])))


def totals(analysis: Analysis, function: str, n: int, t: int) -> list[object]:
    return [
        loop.total.evaluate({"n": n, "t": t})
        for loop in analysis.loops
        if loop.function == function and loop.total.kind == "exact"
    ]


def test_what_threads_run_is_counted_where_they_are_started() -> None:
    found = analysed(PROGRAMS / "threads_as_calls.c")
    for n, t in ((0, 3), (7, 3), (40, 7)):
        assert totals(found, "own_part", n, t) == [n]
        assert totals(found, "by_number", n, t) == [n]
    loops = [loop for loop in found.loops if loop.function == "own_part"]
    assert "every thread is started and runs to its end" in loops[0].total.assumptions


@pytest.mark.skipif(
    find_compiler().kind == "zig", reason="zig's library starts threads in another way"
)
def test_what_a_thread_of_the_library_is_handed_is_known() -> None:
    found = analysed(PROGRAMS / "threads_of_the_library.cc")
    for n, t in ((3, 2), (40, 7)):
        assert totals(found, "operator()", n, t) == [n - n // 2, n, n]
    assert totals(found, "grows", 3, 2) == [3]


def test_threads_side_by_side_take_no_longer_than_their_work(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("""
#include <pthread.h>
#include <stdlib.h>
static double a[1000];
static void *work(void *n) { for (long i = 0; i < (long)n; i++) a[i] = i; return NULL; }
int main(int argc, char **argv) {
    long n = atol(argv[1]);
    pthread_t one, two;
    pthread_create(&one, NULL, work, (void *)n);
    pthread_create(&two, NULL, work, (void *)n);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
""")
    of = {f.name: f for f in analysed(tmp_path / "p.c").functions}
    assert of["main"].work.evaluate({"n": 6}) == 12
    assert (of["main"].depth.kind, of["main"].efficiency) == ("bounded", None)
    assert of["main"].depth.upper == of["main"].work.formula
    assert of["work"].depth == of["work"].work or of["work"].depth.kind == "exact"
    # two threads are started and waited for, and a number is read
    assert of["main"].operations["calls"].evaluate({"n": 6}) == 5
