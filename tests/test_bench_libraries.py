"""A law that a call does not obey is told as wrong, and drivers call what they say that they do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.bench_libraries import Tally, analysed, built, held, judged, table
from benchmarks.library_types import Types
from staticana import Count, canonical, compile_sources, parse_module
from staticana.count import Unknown
from staticana.expr import sym

N, TEST, SEEN = sym("n"), sym("passes_3"), sym("iterations")
GUARD = Unknown("passes_3", "whether the run passes `a > 3` at a.c:3:1 (1) or not (0)", "a.c:3:1")


@pytest.mark.parametrize(
    ("count", "counted", "outcome"),
    [
        (Count("exact", N * 2), 10, "equal"),
        (Count("exact", N * 2), 11, "wrong"),
        (Count("exact", N * 2, preconditions=(N - 6,)), 11, "outside"),
        (Count("exact", N * 2, assumptions=("no overflow of values",)), 11, "open"),
        (Count("exact", N * 2, assumptions=("allocations succeed",)), 11, "wrong"),
        (Count("parametric", N * TEST, opaque=(GUARD,)), 0, "chosen"),
        (Count("parametric", N * TEST, opaque=(GUARD,)), 5, "chosen"),
        (Count("parametric", N * TEST, opaque=(GUARD,)), 3, "wrong"),
        (Count("bounded", lower=N, upper=N * N), 25, "bounds"),
        (Count("bounded", lower=N, upper=N * N), 26, "wrong"),
        (Count("bounded", lower=N, upper=N * N), 4, "wrong"),
        (Count("parametric", SEEN, opaque=(Unknown("iterations", "", ""),)), 7, "nothing"),
        (Count.unknown("why"), 7, "nothing"),
    ],
)
def test_a_law_is_held_against_what_was_counted(count: Count, counted: int, outcome: str) -> None:
    assert judged(count, {"n": 5}, ["passes_3"], counted) == outcome


SOURCE = """
#include <stdlib.h>
struct row { int used; double *data; struct { int width; short more[4]; } shape; };
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
double total(const struct row *p) {
    double s = 0;
    for (int i = 0; i < p->used; i++) s += p->data[i];
    for (int i = 0; i < p->shape.more[2]; i++) s += i;
    return s;
}
struct row *make(int n) {
    struct row *p = calloc(1, sizeof *p);
    p->used = n & 15;
    p->data = calloc(p->used + 1, sizeof(double));
    for (int i = 0; i < p->used; i++) p->data[i] = i;
    return p;
}
int some(const char *text, unsigned n) {
    int s = 0;
    if (text[0] > 'a') for (unsigned i = 0; i < n; i++) s += i;
    return s;
}
int walk(int (*step)(int), int n) { int s = 0; for (int i = 0; i < n; i++) s += step(i); return s; }
void ends(int n) { for (int i = 0; i < n; i++) if (i == 5) *(volatile int *)0 = 1; }
"""


def test_laws_of_a_library_are_held_against_calls_with_random_arguments(tmp_path: Path) -> None:
    source = tmp_path / "library.c"
    source.write_text(SOURCE)
    text = canonical(compile_sources([source]))
    analyses = {a.entry: a for a in analysed(text, 60.0)}
    library = built("library", text, analyses, tmp_path)
    called = {s.symbol for s in library.driver.functions}
    assert called == {"sum", "total", "make", "some", "ends"}, "no pointers to functions are made"
    tally = Tally("library")
    held(library, 8, 1, tally, tmp_path)
    assert tally.calls["ok"] + tally.calls["crashed"] == 5 * 8
    assert 0 < tally.calls["crashed"] < 8, "some calls of one function end by a signal"
    assert all(tally.outcomes[o] > 0 for o in ("equal", "named", "chosen")), tally.outcomes
    assert tally.outcomes["wrong"] == tally.outcomes["nothing"] == 0, tally.findings
    assert f"{tally.outcomes['equal']}" in table([tally])

    (loop,) = (x for x in analyses["sum"].loops if x.function == "sum")
    assert loop.total.formula is not None
    off = replace(loop, total=replace(loop.total, formula=loop.total.formula + 1))
    analyses["sum"] = replace(analyses["sum"], loops=(off,))
    broken = Tally("broken")
    held(replace(library, analyses=analyses), 8, 1, broken, tmp_path)
    assert broken.outcomes["wrong"] == 8
    assert {f.function for f in broken.findings} == {"sum"}


def test_an_expression_of_the_source_is_read_from_memory(tmp_path: Path) -> None:
    source = tmp_path / "library.c"
    source.write_text(SOURCE)
    module = parse_module(canonical(compile_sources([source])))
    types = Types(module)
    signature = types.signature(module.functions["total"])
    assert signature is not None
    found = types.read("p->shape.more[2]", signature)
    assert found is not None
    assert found[1].bytes == 2
    assert "+ 16" in found[0], found
    for other in ("q->used", "p->data[0]", "p->missing", "p->shape", "p->used + 1"):
        assert types.read(other, signature) is None, other
