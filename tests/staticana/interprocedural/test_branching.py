"""Bounds of recursions that data let branch, against the worst that any data can make of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from staticana import Count, analyze, canonical, compile_sources

HEAD = "extern int coin(int);\n"

ROWS = """
static void place(int row) { if (row >= 4) return;
    for (int i = 0; i < 3; i++) if (coin(i)) place(row + 1); }
int main(void) { place(0); return 0; }
"""
CHOICES = """
static void pick(int left) { for (int i = 0; i < left; i++) coin(i);
    if (left <= 0) return; if (coin(1)) pick(left - 1); if (coin(2)) pick(left - 2); }
int main(void) { pick(6); return 0; }
"""
SORT = """
static void sort(int *a, int l, int r) {
    if (r - l == 1) { coin(0); } else if (l != r) {
        sort(a, l, (l + r) / 2); sort(a, (l + r) / 2 + 1, r);
        for (int i = l; i <= r; i++) coin(a[i]); } }
void f(int *a, int n) { if (n > 0) sort(a, 0, n - 1); }
"""


def total(tmp_path: Path, source: str, entry: str = "main") -> Count:
    file = tmp_path / "p.c"
    file.write_text(HEAD + source)
    return analyze(canonical(compile_sources([file])), entry=entry).loops[0].total


def rows(row: int) -> int:
    return 0 if row >= 4 else 3 + 3 * rows(row + 1)


def choices(left: int) -> int:
    return 0 if left <= 0 else left + choices(left - 1) + choices(left - 2)


def sorting(size: int) -> int:
    if size <= 2:
        return 0
    return size + sorting((size + 1) // 2) + sorting(size // 2)


@pytest.mark.parametrize(
    ("source", "worst"), [(ROWS, rows(0)), (CHOICES, choices(6))], ids=["in a loop", "twice"]
)
def test_the_bound_is_not_below_the_worst(tmp_path: Path, source: str, worst: int) -> None:
    found = total(tmp_path, source)
    assert found.kind != "exact"
    assert found.upper is not None
    assert found.upper.constant is not None
    assert worst <= found.upper.constant


def test_a_recursion_in_a_loop_has_its_worst(tmp_path: Path) -> None:
    assert str(total(tmp_path, ROWS).upper) in (str(rows(0)), str(3 * (1 + 3 + 9 + 27 + 81)))


def test_halves_that_are_not_always_cut_are_within_n_log_n(tmp_path: Path) -> None:
    upper = total(tmp_path, SORT, "f").upper
    assert upper is not None
    for n in (1, 2, 3, 7, 64, 100):
        most = upper.evaluate(dict.fromkeys(upper.symbols, n))
        assert sorting(n) <= most <= n * (n.bit_length() + 1)


def test_arguments_that_need_not_fall_bound_nothing(tmp_path: Path) -> None:
    source = """
    static void walk(int at) { if (at >= 9) return;
        for (int i = 0; i < 3; i++) if (coin(i)) walk(at + i); }
    int main(void) { walk(0); return 0; }"""
    assert total(tmp_path, source).upper is None


PERMUTED = """
static void permute(int *a, int k, int n) {
    if (k == n) return;
    for (int i = k; i < n; i++) if (coin(i)) permute(a, k + 1, n); }
void f(int *a, int n) { permute(a, 0, n); }
"""
QUEENS = """
static int queens(int *q, int r, int n) {
    if (r == n) return 1;
    int s = 0;
    for (int i = 0; i < n; i++) if (coin(i)) { q[r] = i; s += queens(q, r + 1, n); }
    return s; }
int f(int *q, int n) { return queens(q, 0, n); }
"""


def permuted(left: int) -> int:
    return left * (1 + permuted(left - 1)) if left > 0 else 0


def queens(rows: int, n: int) -> int:
    return n * (1 + queens(rows - 1, n)) if rows > 0 else 0


@pytest.mark.parametrize(
    ("source", "worst"),
    [(PERMUTED, permuted), (QUEENS, lambda n: queens(n, n))],
    ids=["of fewer and fewer", "in each row"],
)
def test_calls_in_a_loop_over_an_argument_are_bounded(
    tmp_path: Path, source: str, worst: Callable[[int], int]
) -> None:
    found = total(tmp_path, source, "f")
    assert found.upper is not None
    for n in range(1, 7):
        assert worst(n) <= found.upper.evaluate({"n": n})


SUBSETS = """
static void pick(int from, int n) {
    for (int i = from; i < n; i++) if (coin(i)) pick(i + 1, n); }
void f(int n) { pick(0, n); }
"""
PARTS = """
static void part(const int *a, int from, int n) {
    if (coin(from)) return;
    for (int i = from; i < n; i++) { part(a, i + 1, n); if (coin(a[i])) part(a, i + 2, n); } }
void f(int *a, int n) { part(a, 0, n); }
"""


def subsets(left: int) -> int:
    return sum(1 + subsets(k) for k in range(left))


def in_parts(left: int) -> int:
    return sum(1 + in_parts(k) + in_parts(max(0, k - 1)) for k in range(left))


@pytest.mark.parametrize(
    ("source", "worst", "most"),
    [(SUBSETS, subsets, "2**Max(0, n)*Max(0, n)"), (PARTS, in_parts, "3**Max(0, n)*Max(0, n)")],
    ids=["once", "twice"],
)
def test_what_follows_each_element_makes_all_subsets(
    tmp_path: Path, source: str, worst: Callable[[int], int], most: str
) -> None:
    found = total(tmp_path, source, "f")
    assert found.upper is not None
    assert str(found.upper) == most
    for n in range(9):
        assert worst(n) <= found.upper.evaluate({"n": n})


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = from; i < n; i++) if (coin(i)) pick(i, n);",
        "for (int i = from; i < n; i += 2) if (coin(i)) pick(i + 1, n);",
        "for (int i = 0; i < n; i++) if (coin(i)) pick(i + 1, n);",
        "if (from >= 0) for (int i = 0; i < n; i++) if (coin(i)) pick(from - 1 - i, n);",
        "for (int i = from; i < n; i++) if (coin(i)) pick(i + 1, n + coin(i));",
        "for (int i = from; i < n; i++) for (int k = i; k < n; k++) if (coin(k)) pick(k, n);",
    ],
)
def test_what_does_not_follow_its_element_makes_none(tmp_path: Path, body: str) -> None:
    source = f"static void pick(int from, int n) {{ {body} }}\nvoid f(int n) {{ pick(0, n); }}"
    upper = total(tmp_path, source, "f").upper
    assert upper is None or "2**Max(0, n)*Max" not in str(upper)


COUNTED_ON = """
static void pick(const int *n, int from, {other} *out) {{
    for (int i = from; i < *n; i++) {{ *out += 1; if (coin(i)) pick(n, i + 1, out); }} }}
"""
CALLERS = {
    "f": "void f(const int *n, {other} *out) {{ pick(n, 0, out); }}",
    "both": "void both({other} *n) {{ pick((int *)n, 0, n); }}",
    "apart": "void apart(int n) {{ {other} out = 0; pick(&n, 0, &out); }}",
    "pick": "",
}


@pytest.mark.parametrize(
    ("other", "entry", "is_bounded"),
    [
        ("int", "f", False),
        ("char", "f", False),
        ("float", "f", True),
        ("int", "pick", False),
        ("float", "pick", True),
        ("int", "both", False),
        ("int", "apart", True),
    ],
)
def test_an_end_that_another_argument_may_move_bounds_nothing(
    tmp_path: Path, other: str, entry: str, is_bounded: bool
) -> None:
    source = (COUNTED_ON + CALLERS[entry]).format(other=other)
    source = source.replace("static void pick", "void pick") if entry == "pick" else source
    assert (total(tmp_path, source, entry).upper is not None) == is_bounded
