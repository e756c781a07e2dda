"""Loops that end at what they find in arrays: no more iterations than the array has elements."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Analysis, analyze, canonical, compile_sources
from staticana.expr import expr

HEAD = "#include <stdlib.h>\nextern int coin(void); extern void fill(int *);\n"


def analysed(tmp_path: Path, source: str, entry: str = "f", *, strict: bool = False) -> Analysis:
    file = tmp_path / "p.c"
    file.write_text(HEAD + source)
    return analyze(canonical(compile_sources([file])), entry=entry, strict=strict)


LOOPS = [
    ("int i = 0; while (a[i] != x) i++;", "Max(0, n)"),
    ("int i = 3; while (a[i] != x) i++;", "Max(0, n - 3)"),
    ("int i = n - 1; while (a[i] != x) i--;", "Max(0, n)"),
    ("int i = 0; while (a[i + 2] != x) i++;", "Max(0, n)"),
    ("int i = 0; for (;;) { if (a[i] == x) break; i += coin() ? 1 : 2; }", "Max(0, n)"),
    ("long i = 0; while (a[2 * i] != x) i++;", "Max(0, (n + 1)/2)"),
]


@pytest.mark.parametrize(("loop", "most"), LOOPS)
def test_a_search_ends_inside_of_what_is_allocated(tmp_path: Path, loop: str, most: str) -> None:
    source = f"void f(int n, int x) {{ int *a = malloc(n * sizeof *a); fill(a); {loop} }}"
    total = analysed(tmp_path, source).loops[0].total
    assert str(total.upper) == most
    assert total.kind != "exact"
    assert any("stay inside their objects" in a for a in total.assumptions)


def test_arrays_of_known_size_bound_their_searches(tmp_path: Path) -> None:
    source = """static int table[40];
        void f(int x) { int a[9]; fill(a); fill(table);
            for (int i = 0; a[i] != x; i++) ;
            for (int i = 0; table[i] != x; i++) ; }"""
    loops = analysed(tmp_path, source).loops
    assert [str(x.total.upper) for x in loops] == ["9", "40"]


def test_what_callers_hand_over_is_as_large_as_the_largest(tmp_path: Path) -> None:
    source = """static int find(int *a, int x) { int i = 0; while (a[i] != x) i++; return i; }
        int f(int n, int x) { int a[9]; int *b = calloc(n, sizeof *b); fill(a); fill(b);
            return find(a, x) + find(b, x); }"""
    most = analysed(tmp_path, source).loops[0].total.upper
    assert most is not None
    for n in (0, 4, 9, 20):
        assert most.substitute({"n": expr(n)}).constant == 2 * max(9, n)


def test_an_array_of_unknown_size_gives_its_number_of_elements_a_name(tmp_path: Path) -> None:
    source = "int f(int *a, int x) { int i = 0; while (a[i] != x) i++; return i; }"
    total = analysed(tmp_path, source).loops[0].total
    assert str(total.upper) == "most_a_elements"
    assert total.opaque[-1].meaning == "largest elements of the array at a"


def test_a_search_may_begin_anywhere_in_what_it_is_handed(tmp_path: Path) -> None:
    source = "int f(int *a, int i, int x) { while (a[i] != x) i--; return i; }"
    assert analysed(tmp_path, source).loops[0].total.upper is None


def test_the_language_alone_bounds_no_search(tmp_path: Path) -> None:
    source = "int f(int x) { int a[9]; fill(a); int i = 0; while (a[i] != x) i++; return i; }"
    assert analysed(tmp_path, source, strict=True).loops[0].total.upper is None


def test_an_array_that_is_not_read_in_each_iteration_bounds_nothing(tmp_path: Path) -> None:
    source = """void f(int x) { int a[9]; fill(a); int i = 0;
        while (coin() != x) { if (coin()) x = a[i % 9]; i++; } }"""
    assert analysed(tmp_path, source).loops[0].total.upper is None


def test_a_program_that_reads_before_its_array_is_not_trusted(tmp_path: Path) -> None:
    source = """void f(int n) { int a[9]; fill(a); int i = 0;
        while (i < n) { if (a[i] >= a[i - 1]) i++; else { a[i] = a[i - 1]; i--; } } }"""
    assert analysed(tmp_path, source).loops[0].total.upper is None


CPP = """#include <vector>
#include <string>
#include <deque>
extern int coin();
"""
ELEMENTS = [
    ("const std::vector<int> &v", "int i = 0; while (v[i] != 7) i++;", "most_v_size", 0),
    ("std::deque<int> &v", "int i = 2; while (v[i] != 7) i++;", "most_v_size", 2),
    ("const std::string &v", "int i = 0; while (v[i] != 'x') i++;", "most_v_size", -1),
    (
        "std::vector<int> &v",
        "int i = 0; while (v[i] > 0) { v.push_back(v[i] - 1); i++; }",
        "most_v_size",
        0,
    ),
]


@pytest.mark.parametrize(("given", "loop", "most", "begun"), ELEMENTS)
def test_indices_stay_inside_of_containers(
    tmp_path: Path, given: str, loop: str, most: str, begun: int
) -> None:
    total = analysed_cpp(tmp_path, f"void f({given}) {{ {loop} }}").loops[0].total
    assert total.upper is not None
    assert total.upper.evaluate({most: 40}) == 40 - begun
    assert any("stay inside their objects" in a for a in total.assumptions)


def test_rows_of_rows_are_no_longer_than_the_longest(tmp_path: Path) -> None:
    source = """int f(const std::vector<std::vector<int>> &v, int k) {
        int j = 0; while (v[k][j] != 7) j++; return j; }"""
    total = analysed_cpp(tmp_path, source).loops[0].total
    assert total.upper is not None
    assert [o.meaning for o in total.opaque][-1].startswith("largest v[k].size()")


def test_an_element_that_is_not_asked_for_in_each_iteration_bounds_nothing(tmp_path: Path) -> None:
    source = """int f(const std::vector<int> &v) {
        int i = 0; while (coin()) { if (coin()) i += v[i % 9]; i++; } return i; }"""
    assert analysed_cpp(tmp_path, source).loops[0].total.upper is None


def test_keys_of_maps_are_no_indices(tmp_path: Path) -> None:
    source = "int f(std::map<int, int> &m) { int i = 0; while (m[i] != 7) i++; return i; }"
    assert analysed_cpp(tmp_path, "#include <map>\n" + source).loops[0].total.upper is None


def analysed_cpp(tmp_path: Path, source: str) -> Analysis:
    file = tmp_path / "p.cpp"
    file.write_text(CPP + source.replace(" f(", " looplaw_f(", 1))
    return analyze(canonical(compile_sources([file])), entry="looplaw_f")
