"""Loops of many shapes in one program, counted as plain Python counts them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, takewhile
from pathlib import Path

from staticana import analyze, canonical, compile_sources

PROGRAM = """\
#include <stdlib.h>
static volatile long s;
static int a[64], filled[64];
struct grid { int nx, ny; long cells; };
static struct grid made(int nx, int ny) {
    struct grid g = {nx, ny, (long)nx * ny};
    return g;
}
static int half(int x) { return x / 2; }
static int least(int x, int y) { return x < y ? x : y; }
static int early(int n, int m) {
    for (int i = 0; i < n; i++) { s++; if (i * 2 >= m) return i; } // @return
    return n;
}
static int global_bound = 3;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    if (n < 0 || m < 0 || n > 60 || m > 60) return 1;
    for (int *p = a; p != &a[20]; p++) s++; // @address
    for (int *p = a + n; p >= a + 1; p--) s++; // @backwards
    for (int *p = a, *q = &a[n]; p < q; p += 3) s++; // @strided
    for (int i = 0; i < n; i++) { if (i == 3) continue; for (int k = 0; k < m; k++) s++; } // @skips
    for (int i = 0; i < n && i < m; i++) s++; // @both
    for (int i = 0; i < n || i < m; i++) s++; // @either
    for (int i = 0; i < n && i * i < m; i++) s++; // @square
    int i = 0; do { s++; i += 2; } while (i < n); // @do
    for (int x = 0, y = n; x < y; x++, y -= 2) s++; // @towards
    for (int x = n; x > 1; x = half(x)) s++; // @halved
    for (int x = 1; x < n; x *= 3) s++; // @tripled
    for (int x = n; x >= 0; x -= 4) s++; // @falls
    for (int i = least(n, m); i < 10; i++) s++; // @from
    for (int i = n > m ? n : m; i > 0; i--) s++; // @larger
    for (int i = 0; i < n % 7; i++) s++; // @rest
    for (int i = 0; i < abs(n - m); i++) s++; // @apart
    struct grid g = made(n, m);
    for (long i = 0; i < g.cells; i++) s++; // @cells
    for (int i = 0; i < g.nx - g.ny; i++) s++; // @members
    int total = 0; for (int i = 0; i < n; i++) total += i; // @total
    for (int i = 0; i < total; i++) s++; // @sum
    for (int i = 0; i < 8; i++) filled[i] = 2 * i + 1; // @fill
    for (int i = 0; i < 8; i++) for (int k = 0; k < filled[i]; k++) s++; // @filled
    for (int i = 0; i < n; i++) for (int k = i; k < m; k++) s++; // @triangle
    for (int i = 0; i < n; i++) if (i % 2 == 0) for (int k = 0; k < i; k++) s++; // @even
    for (int i = 0; i < n; i++) if (i > m) for (int k = 0; k < 2; k++) s++; // @behind
    for (int i = 0; i < n; i += 4) for (int k = i; k < least(i + 4, n); k++) s++; // @tiles
    switch (m % 3) { case 0: for (int k = 0; k < n; k++) s++; break; // @case
    default: for (int k = 0; k < n + 5; k++) s++; } // @default
    for (unsigned u = (unsigned)n; u < 40u; u += 7) s++; // @unsigned
    for (unsigned u = (unsigned)n; u-- > 0;) s++; // @down
    for (int k = 0; k < n >> 2; k++) s++; // @shifted
    for (int k = 0; k < (n & ~3); k++) s++; // @masked
    for (int k = global_bound; k < n; k++) s++; // @global
    for (int k = 0; ; k++) { s++; if (k >= n) break; } // @middle
    for (int k = 0; k != 2 * n; k += 2) s++; // @unequal
    for (double x = 0.5; x < n; x += 0.5) s++; // @float
    early(n, m);
    int k = 0; while (1) { if (k == n) break; if (k == m + 2) goto out; k++; s++; } // @goto
out:
    return 0;
}
"""


def loop(start: float, stays: Callable[[float], bool], step: Callable[[float], float]) -> int:
    x, found = start, 0
    while stays(x):
        x, found = step(x), found + 1
    return found


COUNTS: dict[str, Callable[[int, int], int]] = {
    "return": lambda n, m: len([i for i in range(n) if i == 0 or (i - 1) * 2 < m]),
    "address": lambda n, m: 20,
    "backwards": lambda n, m: n,
    "strided": lambda n, m: len(range(0, n, 3)),
    "skips": lambda n, m: m * (n - (n > 3)),
    "both": min,
    "either": max,
    "square": lambda n, m: len([*takewhile(lambda i: i < n and i * i < m, count())]),
    "do": lambda n, m: max(1, len(range(0, n, 2))),
    "towards": lambda n, m: len([*takewhile(lambda x: x < n - 2 * x, count())]),
    "halved": lambda n, m: loop(n, lambda x: x > 1, lambda x: x // 2),
    "tripled": lambda n, m: loop(1, lambda x: x < n, lambda x: x * 3),
    "falls": lambda n, m: len(range(n, -1, -4)),
    "from": lambda n, m: len(range(min(n, m), 10)),
    "larger": max,
    "rest": lambda n, m: n % 7,
    "apart": lambda n, m: abs(n - m),
    "cells": lambda n, m: n * m,
    "members": lambda n, m: max(0, n - m),
    "total": lambda n, m: n,
    "sum": lambda n, m: sum(range(n)),
    "fill": lambda n, m: 8,
    "filled": lambda n, m: 64,
    "triangle": lambda n, m: sum(len(range(i, m)) for i in range(n)),
    "even": lambda n, m: sum(range(0, n, 2)),
    "behind": lambda n, m: 2 * len(range(m + 1, n)),
    "tiles": lambda n, m: n,
    "case": lambda n, m: n if m % 3 == 0 else 0,
    "default": lambda n, m: n + 5 if m % 3 else 0,
    "unsigned": lambda n, m: len(range(n, 40, 7)),
    "down": lambda n, m: n,
    "shifted": lambda n, m: n // 4,
    "masked": lambda n, m: n // 4 * 4,
    "global": lambda n, m: len(range(3, n)),
    "middle": lambda n, m: n + 1,
    "unequal": lambda n, m: n,
    "float": lambda n, m: loop(0.5, lambda x: x < n, lambda x: x + 0.5),
    "goto": lambda n, m: min(n, m + 2) + 1,
}
POINTS = [(0, 0), (1, 0), (0, 1), (3, 4), (4, 3), (5, 16), (17, 5), (20, 20), (33, 9), (9, 40)]


def test_loops_are_counted_as_python_counts_them(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(PROGRAM)
    found = analyze(canonical(compile_sources([source])))
    lines = PROGRAM.splitlines()
    inner: dict[str, int] = {}
    for k, one in enumerate(found.loops):
        name = lines[int(one.at.split(":")[-2]) - 1].partition("// @")[2]
        column = int(one.at.split(":")[-1])
        before = inner.get(name)
        if before is None or column > int(found.loops[before].at.split(":")[-1]):
            inner[name] = k
    assert inner.keys() == COUNTS.keys()
    for name, expected in COUNTS.items():
        total = found.loops[inner[name]].total
        assert total.kind == "exact", (name, total.reason)
        assert total.formula is not None
        for n, m in POINTS:
            assert total.formula.evaluate({"n": n, "m": m}) == expected(n, m), (name, n, m)


def test_a_choice_that_vanishes_in_the_next_iteration_is_counted(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(
        "int main(void) {\n"
        "    unsigned w = 7;\n"
        "    for (short v = -1; v != 5u * w * 7; v /= 2) {\n"
        "        unsigned short u = 1; int k = 0;\n"
        "        do { u++; } while (k < 14 && u < v);\n"
        "    }\n"
        "}\n"
    )
    found = analyze(canonical(compile_sources([source])))
    assert [loop.total.kind for loop in found.loops] == ["parametric", "parametric"]
