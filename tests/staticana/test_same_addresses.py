"""Branches on whether two pointers are equal: decided for allocations, else a named 0 or 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Analysis, analyze, canonical, compile_sources

_DOT = """
#include <stdlib.h>
static double dot(int n, const double *x, const double *y) {
    double s = 0;
    if (x == y)
        for (int i = 0; i < n; i++) s += x[i] * x[i];
    else
        for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}
struct vector { double *values; };
static double of(int n, struct vector *x, struct vector *y) { return dot(n, x->values, y->values); }
static void fill(struct vector *v, int n) { v->values = malloc(n * 8); v->values[0] = n; }
static void drop(double *x) { free(x); }
"""


def analysed(tmp_path: Path, body: str) -> Analysis:
    source = tmp_path / "p.c"
    source.write_text(
        f"{_DOT}int main(int argc, char **argv) {{\nint n = atoi(argv[1]); double s = 0;\n{body}\n"
        "return s;\n}\n"
    )
    return analyze(canonical(compile_sources([source])))


def laws(found: Analysis) -> list[str]:
    return [str(loop.total.formula) for loop in found.loops]


@pytest.mark.parametrize(
    "between", ["free(x);", "drop(x);", "if (n > 3) free(x);", "x = realloc(x, n * 9);"]
)
def test_memory_that_was_freed_may_come_again(tmp_path: Path, between: str) -> None:
    body = f"double *x = malloc(n * 8);\n{between}\ndouble *y = malloc(n * 8);\n"
    found = analysed(tmp_path, f"{body} s += dot(n, x, y);")
    assert [loop.total.kind for loop in found.loops] == ["parametric", "parametric"]
    assert laws(found) == ["same*Max(0, n)", "Max(0, n)*(1 - same)"]


def test_an_address_is_never_in_a_formula(tmp_path: Path) -> None:
    found = analysed(
        tmp_path,
        "struct vector a, b; fill(&a, n); fill(&b, n);\ns += of(n, &a, &a) + of(n, &a, &b);",
    )
    assert laws(found) == ["Max(0, n)*(same + 1)", "Max(0, n)*(1 - same)"]
    (unknown,) = found.loops[0].total.opaque
    assert unknown.meaning.startswith("whether ")
    assert unknown.meaning.endswith(" are the same address (1) or not (0)")
