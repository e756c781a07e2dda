"""Loops that constants end if data have not ended them before: what the longest run takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Analysis, analyze, analyze_module, canonical, compile_sources, parse_module
from staticana.expr.budget import Allowance

HEAD = """extern int coin(void);
extern double real(void);
static const int to_zero[] = {3, 5, 7, 0};
static unsigned kept(unsigned x) { unsigned own[2]; own[x % 2] = x; return own[x % 2]; }
static void passed(const char *p, unsigned long n) {
    if (!p) return;
    while (--n) if (p[n] == 1) return;
}
"""

LOOPS = [
    ("for (double x = 1; x > 0 && !coin(); x -= 0.25) ;", 4),
    ("for (double x = 1; x > 0; x -= 0.25) if (coin()) break;", 4),
    ("double d = 1; for (double x = 1; x > 0 && d > 0.5; x -= 0.25) d = real();", 4),
    ("for (int i = 0; to_zero[i] && to_zero[i] != k; i++) ;", 3),
    ("for (int i = 0; to_zero[i]; i++) if (to_zero[i] == k) return;", 3),
    ('for (const char *p = "hello"; *p; p++) if (*p == k) return;', 5),
    ("unsigned c = 27; while (c != 1 && !coin()) c = c % 2 ? 3 * c + 1 : c / 2;", 111),
    ("unsigned c = 27; while (kept(c) != 1 && !coin()) c = c % 2 ? 3 * c + 1 : c / 2;", 111),
    # left by a break in the iteration whose test would have ended it
    ("unsigned c = 8; for (;;) { if (coin()) break; if (c == 1) break; c /= 2; }", 4),
    ("unsigned c = 8; do { if (coin()) break; c /= 2; } while (c != 1);", 3),
]


def analysed(tmp_path: Path, loop: str) -> Analysis:
    file = tmp_path / "p.c"
    file.write_text(f"{HEAD}void f(int k) {{ {loop} }}")
    return analyze(canonical(compile_sources([file])), entry="f")


@pytest.mark.parametrize(("loop", "most"), LOOPS)
def test_the_longest_run_bounds_a_loop(tmp_path: Path, loop: str, most: int) -> None:
    total = analysed(tmp_path, loop).loops[0].total
    assert total.kind != "exact"
    assert str(total.upper) == str(most)


@pytest.mark.parametrize(
    "loop",
    [
        "unsigned c = 27; while (c != 1 && !coin()) c = coin() ? 3 * c + 1 : c / 2;",
        "int i = 0; while (!coin()) i = (i + 1) % 7;",
        "double x = 1; while (x > 0 && !coin()) if (coin()) x -= 0.25;",
        "unsigned c = 5; while (kept(c) != 1 && !coin()) ;",
    ],
)
def test_what_data_decide_too_has_no_such_bound(tmp_path: Path, loop: str) -> None:
    assert analysed(tmp_path, loop).loops[0].total.upper is None


@pytest.mark.parametrize(
    "loop",
    [
        # nothing that is known changes from one iteration to the next
        "unsigned c = 5; while (kept(c) != 1 && !coin()) ;",
        # what never runs counts down from 0
        "passed(0, 0);",
    ],
)
def test_a_loop_that_does_not_end_leaves_the_steps_to_others(tmp_path: Path, loop: str) -> None:
    file = tmp_path / "p.c"
    file.write_text(f"{HEAD}void f(int k) {{ {loop} }}")
    allowance = Allowance(2.0)
    steps = allowance.runs
    module = parse_module(canonical(compile_sources([file])))
    analyze_module(module, entry="f", allowance=allowance)
    assert steps - allowance.runs < 10_000
