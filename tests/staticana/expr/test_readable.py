"""Formulas read as a person would write them, and mean the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources
from staticana.expr import (
    Expr,
    Step,
    ceil_div,
    floor_div,
    guarded,
    maximum,
    power,
    relation,
    step,
    sym,
)
from tests.places import SAMPLES

n, m, p = sym("n"), sym("m"), sym("p")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for (int i = 0; i < 1 << n; i++) { s++; }", "2**n"),
        (
            (
                "if (n < 2) return; for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) {"
                " s++; } }"
            ),
            "Piecewise((n*(n - 1)/2, n >= 2), (0, True))",
        ),
        (
            (
                "if (m < 1 || n < 3) return; for (int i = 0; i < n; i++) { for (int j = 0; j < m;"
                " j++) { s++; } }"
            ),
            "Piecewise((0, m < 1), (0, n < 3), (m*n, True))",
        ),
        ("for (int i = m; i < n; i++) { s++; }", "Max(0, n - m)"),
        (
            "for (int i = 0; i < n; i++) { for (int j = 0; j < 2 * n - 2; j++) { s++; } }",
            "2*Max(0, n)*(Max(0, n) - 1)",
        ),
    ],
)
def test_counts_are_written_plainly(body: str, expected: str, tmp_path: Path) -> None:
    source = tmp_path / "x.c"
    source.write_text(f"static volatile long s; void entry(int n, int m) {{ {body} }}\n")
    analysis = analyze(canonical(compile_sources([source])), entry="entry")
    total = analysis.loops[-1].total
    assert total.kind == "exact"
    assert str(total.formula) == expected


def test_powers_that_cancel_do_not_stay() -> None:
    analysis = analyze(canonical(compile_sources([SAMPLES / "fft" / "fft.c"])))
    assert "2**Max(0, m) - 1" in {
        str(loop.total.formula) for loop in analysis.loops if loop.nesting == 2
    }


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (m - n, "m - n"),
        (3 - n, "3 - n"),
        (-n - 1, "-n - 1"),
        (n * n * 2 - n * 2, "2*n*(n - 1)"),
        (-n * n * 4 - n * m * 6, "-2*n*(3*m + 2*n)"),
        (power(2, n) * power(2, -n), "1"),
        (power(2, n) * power(2, -n) * n - power(2, m - n) * power(2, n), "n - 2**m"),
        (ceil_div(m, p) * -3 * n - ceil_div(m, p) * 3, "-3*ceiling(m/p)*(n + 1)"),
        ((1 - step(n)) * m, "Piecewise((m, n <= -1), (0, True))"),
        (step(n - 3) * step(m) * p * p, "Piecewise((0, m < 0), (0, n < 3), (p**2, True))"),
        (m + step(n - 2) * (n - m), "Piecewise((n, n >= 2), (m, True))"),
    ],
)
def test_terms_and_conditions(e: Expr, expected: str) -> None:
    assert str(e) == expected


def test_conditions_of_all_terms_are_found() -> None:
    e = (n + m * maximum(0, p)) * step(n - m) * (1 - step(p - 9))
    rest, conditions = guarded(e)
    assert {relation(c) for c in conditions} == {"n >= m", "p <= 8"}
    assert not any(isinstance(a, Step) for a in rest.atoms)
    for at in ({"n": a, "m": b, "p": c} for a in (-1, 2, 5) for b in (-1, 3) for c in (-2, 8, 9)):
        expected = rest.evaluate(at) if all(c.evaluate(at) >= 0 for c in conditions) else 0
        assert e.evaluate(at) == expected


def test_rounded_up_quotients_are_known_not_to_be_negative() -> None:
    assert (
        str(maximum(0, ceil_div(power(2, n), p))) == "Max(0, ceiling(2**n/p))"
    )  # p may be negative
    assert maximum(0, ceil_div(m * m, n * n + 1)) == ceil_div(m * m, n * n + 1)
    assert maximum(0, floor_div(-m * m, n * n + 1)) != floor_div(-m * m, n * n + 1)


def test_a_value_that_leaves_a_loop_keeps_its_variable(tmp_path: Path) -> None:
    """LCSSA form merges it once more; a merge of two variables has the name of neither."""
    (tmp_path / "f.c").write_text("""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile int s;
static void f(long m) { for (long i = 0; i < m; i++) s++; }
int main(int argc, char **argv) {
  int rows = 10, cols = 20;
  for (int a = 1; a + 1 < argc; a++) {
    if (!strcmp(argv[a], "-r")) rows = atoi(argv[++a]);
    else if (!strcmp(argv[a], "-c")) cols = atoi(argv[++a]);
  }
  for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++) s++;
  long wide = getchar() ? getchar() : 3;
  for (long i = 0; i < wide; i++) s++;
  f(getchar() ? rows : cols);
}
""")
    loops = analyze(canonical(compile_sources([tmp_path / "f.c"])), matrix=False).loops
    found = {
        int(loop.at.split(":")[-2]): [(o.symbol, o.meaning) for o in loop.total.opaque]
        for loop in loops
        if loop.nesting == 1 or loop.function == "f"
    }
    assert found[12] == [("rows", "value of rows")]
    assert found[14] == [("wide", "value of wide")]
    assert found[5] == [("v", "result of phi")]
    assert {str(loop.total.formula) for loop in loops if loop.nesting == 2} == {
        "Max(0, cols)*Max(0, rows)"
    }
