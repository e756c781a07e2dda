"""Functions in contexts that several exported functions share are analysed once, and are the same
as for each alone."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from staticana import Analysis, canonical, compile_sources, parse_module
from staticana.libraries import Library
from staticana.scev.function_analysis import FunctionView

LIBRARY = """
struct job { int n, kind; const int *table; };
static const int four[4] = {1, 2, 3, 4};
static void step(double *a, int n, int by) { for (int i = 0; i < n; i *= by) a[i++] = by; }
static void part(double *a, int n, int mode) {
    if (mode == 1) for (int i = 0; i < n; i++) a[i] = i;
    else if (mode == 2) for (int i = 0; i < n; i++) step(a, 4, 3);
    else step(a, n, mode);
}
static int walk(const struct job *j, double *a) {
    int k = 0;
    while (k < j->n && a[k] != j->table[j->kind]) k++;
    if (j->kind == 3) for (int i = 0; i < j->n; i++) a[i] = 0;
    return k;
}
static int deep(double *a, int kind) {
    struct job j = {8, kind, four};
    return walk(&j, a);
}
static int seek(const int *at, int n) {
    int k = 0;
    while (at[k] != n) k += n > 4 ? 2 : 1;
    return k;
}
void one(double *a, int n) { part(a, n, 1); a[0] = seek(four, n); }
void again(double *a, int m) { part(a, m + 1, 1); a[1] = seek(four, 3) + seek(four, m); }
void twice(double *a, int n) { part(a, n, 2); part(a, n, 2); }
void both(double *a, int n) { part(a, n, 1); part(a, n, 2); }
int three(double *a) { return deep(a, 3); }
int other(double *a, double *b) { return deep(b, 3) + a[0]; }
int none(double *a, int k) { return k + deep(a, 0); }
int loop(double *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += deep(a, 3); return s; }
"""
NAMES = ("again", "both", "loop", "none", "one", "other", "three", "twice")


@pytest.fixture(scope="module")
def module_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    source = tmp_path_factory.mktemp("library") / "library.c"
    source.write_text(LIBRARY)
    return canonical(compile_sources([source]))


def _laws(analysis: Analysis) -> list[tuple[str, str, str, str, str, tuple[str, ...]]]:
    return [
        (x.function, x.at, c.kind, str(c.formula), str(c.upper), c.assumptions)
        for x in analysis.loops
        for c in (x.total, x.per_call, x.per_entry)
    ]


def test_laws_in_shared_contexts_are_those_of_each_function_alone(module_text: str) -> None:
    alone = {
        name: _laws(Library(parse_module(module_text)).analyse(name).analysis) for name in NAMES
    }
    for order in list(permutations(NAMES))[:: 40_320 // 6]:
        library = Library(parse_module(module_text))
        assert library.names == NAMES
        assert {name: _laws(library.analyse(name).analysis) for name in order} == alone


def test_a_number_that_callers_pass_decides_over_a_branch(module_text: str) -> None:
    library = Library(parse_module(module_text))
    for name, loops in (("one", "Max(0, n)"), ("again", "Max(0, m + 1)")):
        found = [x for x in library.analyse(name).analysis.loops if x.function == "part"]
        assert [str(x.total.formula) for x in found] == [loops, "0"]
    zeroed = {
        name: [str(x.total.formula) for x in library.analyse(name).analysis.loops][-1]
        for name in ("three", "other", "none")
    }
    assert zeroed == {"three": "8", "other": "8", "none": "0"}


def test_a_function_is_analysed_once_in_a_context(
    module_text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library(parse_module(module_text))
    library.analyse("three")
    made: Counter[str] = Counter()
    init = FunctionView.__init__

    def counted(self: FunctionView, *given: object) -> None:
        init(self, *given)  # type: ignore[arg-type]
        solution = self.trip_counts.solution
        name = self.function.name

        def solved(header: str) -> object:
            made[name] += 1
            return solution(header)

        monkeypatch.setattr(self.trip_counts, "solution", solved)

    monkeypatch.setattr(FunctionView, "__init__", counted)
    library.analyse("other")
    assert made["walk"] == 0
    library.analyse("none")
    assert made["walk"] > 0
