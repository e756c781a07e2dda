"""Exported functions of a library, on one analysis in which each function is analysed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Analysis, canonical, compile_sources, parse_module
from staticana.libraries import Library

LIBRARY = """
#include <stdio.h>
struct job { int n, kind; };
static int setup;
static void inner(double *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }
static void fixed(double *a, int n) { for (int j = 0; j < n; j++) inner(a, 4); }
static void by_kind(double *a, const struct job *j) {
    if (j->kind == 1) for (int i = 0; i < j->n; i++) a[i] = 0;
    else inner(a, 2 * j->n);
}
static int reads(const double *a, int n) {
    for (int i = 0; i < n; i++) if (a[i] < 0) return -1;
    return 0;
}
void rows(double *a, int n, int m) { for (int i = 0; i < n; i++) inner(a + i * m, m); }
void ten(double *a) { fixed(a, 10); }
void more(double *a, int k) { fixed(a, k + 1); ten(a); }
void zeros(double *a, int n) { struct job j = {n, 1}; by_kind(a, &j); }
void any(double *a, int n, int kind) { struct job j = {n, kind}; by_kind(a, &j); }
int checked(const double *a, int n) {
    if (reads(a, n) < 0) { fprintf(stderr, "negative\\n"); return 1; }
    return 0;
}
int quiet(const double *a, int n) { return reads(a, n) < 0 ? 0 : n; }
void set(int n) { setup = n; }
int uses(void) { int s = 0; for (int i = 0; i < setup; i++) s += i; return s; }
"""
NAMES = ("any", "checked", "more", "quiet", "rows", "set", "ten", "uses", "zeros")


@pytest.fixture(scope="module")
def module_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    source = tmp_path_factory.mktemp("library") / "library.c"
    source.write_text(LIBRARY)
    return canonical(compile_sources([source]))


def _laws(analysis: Analysis) -> dict[tuple[str, str], list[tuple[str, str, str]]]:
    counts = {
        (loop.function, loop.at): (loop.total, loop.per_call, loop.per_entry)
        for loop in analysis.loops
    }
    return {at: [(c.kind, str(c.formula), str(c.upper)) for c in cs] for at, cs in counts.items()}


def _totals(library: Library, name: str) -> dict[str, tuple[str, str]]:
    found = library.analyse(name).analysis
    return {x.function: (x.total.kind, str(x.total.formula)) for x in found.loops}


def test_laws_of_a_function_are_those_of_a_library_analysed_for_it_alone(module_text: str) -> None:
    library = Library(parse_module(module_text))
    assert library.names == NAMES
    for name in reversed(NAMES):
        alone = Library(parse_module(module_text))
        assert _laws(library.analyse(name).analysis) == _laws(alone.analyse(name).analysis)


def test_arguments_and_memory_of_one_entry_do_not_reach_another(module_text: str) -> None:
    library = Library(parse_module(module_text))
    assert _totals(library, "ten") == {"fixed": ("exact", "10"), "inner": ("exact", "40")}
    assert _totals(library, "more") == {
        "fixed": ("exact", "Max(0, k + 1) + 10"),
        "inner": ("exact", "4*Max(0, k + 1) + 40"),
    }
    assert _totals(library, "rows")["inner"] == ("exact", "Max(0, m)*Max(0, n)")
    assert _totals(library, "zeros")["by_kind"] == ("exact", "Max(0, n)")
    assert _totals(library, "zeros")["inner"] == ("exact", "0")
    kinds = _totals(library, "any")
    assert "kind" in kinds["by_kind"][1]
    assert "kind" in kinds["inner"][1]
    assert _totals(library, "ten") == {"fixed": ("exact", "10"), "inner": ("exact", "40")}


def test_a_result_is_an_error_where_the_callers_of_a_run_report_it(module_text: str) -> None:
    """`checked` reports what `quiet` takes for an answer."""
    library = Library(parse_module(module_text))
    assert _totals(library, "checked")["reads"] == ("exact", "Max(0, n)")
    assert _totals(library, "quiet")["reads"][0] != "exact"


def test_what_callers_hand_on_goes_through_functions_that_do_not_read_it(tmp_path: Path) -> None:
    source = tmp_path / "handed.c"
    source.write_text(
        """
struct size { int m; };
static void work(double *a, const struct size *s, int k) {
    for (int i = 0; i < s->m * k; i++) a[i] = i;
}
static void pass(double *a, const struct size *s, int k) { work(a, s, k + 1); }
void five(double *a) { struct size s; s.m = 5; pass(a, &s, 1); }
void given(double *a, int n) { struct size s = {n}; pass(a, &s, 0); }
void twice(double *a, int n) { struct size s = {n}, t; t.m = 3; pass(a, &s, 0); pass(a, &t, 0); }
"""
    )
    library = Library(parse_module(canonical(compile_sources([source]))))
    found = {name: library.analyse(name).analysis.loops[0] for name in library.names}
    said = {name: (str(x.total.formula), x.per_call.kind) for name, x in found.items()}
    assert said["five"] == ("10", "exact")
    assert said["given"] == ("Max(0, n)", "exact")
    assert said["twice"] == ("Max(0, n) + 3", "parametric"), "its calls find different sizes"
