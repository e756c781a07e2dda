"""Which part of a domain that a file's size divides a process has: a formula in that size."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from staticana import Analysis, Count, analyze, canonical, compile_sources

HEAD = """
#include <stdio.h>
#include <stdlib.h>
static volatile long s;
static struct { int first, last, cells; } part;
static int read_size(void) { int m; if (scanf("%d", &m) != 1 || m < 1) exit(1); return m; }
"""
START = """
int main(int argc, char **argv) {
  int r = atoi(argv[1]), p = atoi(argv[2]), m = read_size(), q, lo, hi;
  if (p < 1 || r < 0 || r >= p) return 1;
"""


def analysed(tmp_path: Path, body: str, *, above: str = "") -> Analysis:
    source = tmp_path / "p.c"
    source.write_text(f"{HEAD}{above}{START}{body}\nreturn 0;\n}}\n")
    return analyze(canonical(compile_sources([source])))


def evaluated(total: Count, **values: int) -> int:
    """The count with the one value that only a run tells."""
    (unknown,) = total.opaque
    found = total.evaluate({unknown.symbol: values.pop("m"), **values})
    assert isinstance(found, int)
    return found


DIVIDE = {
    "the first parts have one more": (
        "q = m / p; if (r < m % p) { lo = (q + 1) * r; hi = lo + q; }"
        " else { lo = (q + 1) * (m % p) + q * (r - m % p); hi = lo + q - 1; }"
        " for (int i = lo; i <= hi; i++) s++;",
        "",
        lambda m, p, r: m // p + (r < m % p),
    ),
    "members of a structure, set under conditions": (
        "divide(m, r, p); for (int i = part.first; i <= part.last; i++) s++;",
        "static __attribute__((noinline)) void divide(int m, int r, int p) {\n"
        " int q = m / p, more = m % p; part.first = r * q + 1;\n"
        " if (r <= more) part.first += r; else part.first += more;\n"
        " part.last = part.first + q - 1; if (r < more) part.last++; }\n",
        lambda m, p, r: m // p + (r < m % p),
    ),
    "the last part has the rest": (
        "lo = m / p * r; hi = lo + m / p; if (r == p - 1) hi = m;"
        " if (hi > m) hi = m; for (int i = lo; i < hi; i++) s++;",
        "",
        lambda m, p, r: m - m // p * r if r == p - 1 else m // p,
    ),
    "a way that some processes go beside": (
        "hi = 3; if (r > 0) { if (m > 2 * r) hi = m; else hi = r; }"
        " for (int i = 0; i < hi; i++) s++;",
        "",
        lambda m, p, r: 3 if r == 0 else m if m > 2 * r else r,
    ),
}


@pytest.mark.parametrize("case", DIVIDE)
def test_a_part_is_a_formula_in_what_is_read(tmp_path: Path, case: str) -> None:
    body, above, iterations = DIVIDE[case]
    found: Callable[[int, int, int], int] = iterations
    total = analysed(tmp_path, body, above=above).loops[-1].total
    assert total.kind == "parametric"
    for m in range(1, 14):
        for p in range(1, 6):
            for r in range(p):
                assert evaluated(total, m=m, p=p, r=r) == found(m, p, r), (m, p, r)


def test_a_loop_in_an_iteration_rests_on_what_is_read_before(tmp_path: Path) -> None:
    total = (
        analysed(
            tmp_path,
            "for (int k = 0; k < p; k++) if (r < m - 4)"
            " for (int i = 0; i < (m < 2 * p ? m : 2 * p); i++) s++;",
        )
        .loops[-1]
        .total
    )
    for m in range(1, 14):
        for p in range(1, 6):
            for r in range(p):
                found = p * min(m, 2 * p) if r < m - 4 else 0
                assert evaluated(total, m=m, p=p, r=r) == found, (m, p, r)


def test_another_number_in_each_iteration_is_not_one_number(tmp_path: Path) -> None:
    total = (
        analysed(
            tmp_path,
            "for (int k = 0; k < p; k++) { m = read_size(); if (m > r) hi = r; else hi = 2 * m;"
            " for (int i = 0; i < hi; i++) s++; }",
        )
        .loops[-1]
        .total
    )
    assert total.opaque[0].meaning.startswith("mean")


def test_a_function_that_is_called_with_two_numbers_has_a_count_for_each(tmp_path: Path) -> None:
    total = (
        analysed(
            tmp_path,
            "work(m, r); work(read_size(), r);",
            above="static __attribute__((noinline)) void work(int m, int r) { int hi;\n"
            " if (m > r) hi = r; else hi = 2 * m; for (int i = 0; i < hi; i++) s++; }\n",
        )
        .loops[-1]
        .total
    )
    for first, second, r in ((5, 2, 3), (2, 5, 3), (1, 1, 0)):
        symbols = [o.symbol for o in total.opaque]
        values = dict(zip(symbols, (first, second), strict=True))
        counted = sum(r if m > r else 2 * m for m in (first, second))
        assert total.evaluate({"p": 4, "r": r, **values}) == counted
