"""Formulas that outgrow every limit end in a reason, not in an error."""

from __future__ import annotations

from pathlib import Path

from staticana import analyze, canonical, compile_sources

PROGRAM = """#include <stdlib.h>

static int data[64];

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    long s = 0;
    int w = 1, x = 1;
    if (n > 0 || 3 < n) w = n;
    if (0 != w) x = m + n;
    for (int v = -1 * x + -1 * x < 1 ? -1 * x + -1 * x : 1; v > n + n; v--) {
        if (data[x & 63] % 2 == 0) break;
        s++;
    }
    return s < 0;
}
"""


def test_a_minimum_of_ends_that_is_too_long_is_no_error(tmp_path: Path) -> None:
    source = tmp_path / "long.c"
    source.write_text(PROGRAM)
    (loop,) = analyze(canonical(compile_sources((str(source),)))).loops
    assert loop.total.kind != "exact"
    assert loop.total.reason
