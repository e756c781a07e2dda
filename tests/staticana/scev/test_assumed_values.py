"""What a count takes for granted of values that may wrap around, and in which words."""

from __future__ import annotations

from pathlib import Path

from staticana import analyze, canonical, compile_sources

PROGRAM = """\
#include <stdlib.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    unsigned u = (unsigned)n, v = (unsigned)m;
    for (unsigned k = 0; k < u * v; k++) s++;
    for (unsigned k = 0; k < u * 3; k++) s++;
    for (int i = 0; i < (int)((long)n * 5); i++) s++;
    for (int i = 0; i < (short)n; i++) s++;
    for (long i = 0; i < (long)n * m; i++) s++;
    for (unsigned char c = (unsigned char)n; c > 0; c--) s++;
    for (int i = 0; i < n * m; i++) s++;
    return 0;
}
"""


def test_each_count_says_which_values_must_fit(tmp_path: Path) -> None:
    """Signed overflow is undefined and need not be assumed away; where unsigned values wrap around
    or narrow ones are cut, the count would be another."""
    source = tmp_path / "p.c"
    source.write_text(PROGRAM)
    found = analyze(canonical(compile_sources([source])))
    assumed = {
        int(loop.at.split(":")[-2]): [a for a in loop.total.assumptions if "program" not in a]
        for loop in found.loops
    }
    assert all(loop.total.kind == "exact" for loop in found.loops)
    assert assumed == {
        6: ["m*n <= 4294967295", "m*n >= 0"],
        7: ["3*n <= 4294967295", "3*n >= 0"],
        8: ["5*n <= 2147483647", "5*n >= -2147483648"],
        9: ["n <= 32767", "n >= -32768"],
        10: [],
        11: ["n <= 255", "n >= 0"],
        12: [],
    }
