"""How many calls of an iteration leave the program, as one reads in the source."""

from __future__ import annotations

from pathlib import Path

from staticana import canonical, compile_sources
from staticana.interprocedural.program import Program
from staticana.ir.parser import parse_module
from staticana.traffic.access_tree import access_tree

SOURCE = """#include <math.h>
#include <string.h>
#include <time.h>
static double a[900], b[900];
static double now(void) { return (double)clock(); }
static void walk(int n) {
    for (int i = 0; i < n; i++) a[i] += 1; /* 7: none */
}
int main(int argc, char **argv) {
    double s = 0;
    for (int k = 0; k < argc; k++) { /* 11: two in now, one of its own */
        double t = now();
        walk(argc);
        s += now() - t;
        s += time(0);
        for (int i = 0; i < argc; i++) /* 16: one, which is not the outer loop's */
            a[i] = cbrt(a[i]);
    }
    for (int k = 0; k < argc; k++) /* 19: none: its lines are known */
        memcpy(a, b, sizeof a);
    for (int k = 0; k < argc; k++) { /* 21: one in a function of two levels */
        if (a[k] > 0) s += now();
    }
    for (int k = 0; k < argc; k++) /* 24: an instruction */
        s += sqrt(fabs(a[k] * a[k]));
    return s > 3;
}
"""


def test_calls_of_what_is_not_in_the_program(tmp_path: Path) -> None:
    source = tmp_path / "calls.c"
    source.write_text(SOURCE)
    program = Program(parse_module(canonical(compile_sources((str(source),)))), entry="main")
    found = {
        int(loop.at.split(":")[-2]): loop.leaves for loop in access_tree(program).loops if loop.at
    }
    del found[24]  # sqrt may set errno: a call with some compilers, an instruction with others
    assert found == {7: 0, 11: 3, 16: 1, 19: 0, 21: 1}
