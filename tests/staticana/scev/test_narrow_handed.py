"""Numbers of narrow types that a function reads through a pointer: what was stored there wraps
around."""

from __future__ import annotations

from pathlib import Path

from staticana import analyze, canonical, compile_sources

SOURCE = """#include <stdlib.h>
volatile long s;
static void of_byte(const signed char *p) {
  for (int i = 0; i < *p; i++) s++;
}
static void of_short(const short *p) {
  for (int i = 0; i < *p; i++) s++;
}
static void from_below(const signed char *p) {
  for (int i = -5; i < *p; i++) s++;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) {
    signed char x = (signed char)(i * 40);
    of_byte(&x);
  }
  for (int i = 0; i < n; i++) {
    short x = (short)(i * 16384);
    of_short(&x);
  }
  for (int i = 0; i < n; i++) {
    signed char x = (signed char)-i;
    from_below(&x);
  }
}
"""


def _cut(x: int, bits: int) -> int:
    return (x + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def test_formulas_hold_where_stored_values_fit(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(SOURCE)
    analysis = analyze(canonical(compile_sources([tmp_path / "f.c"])), matrix=False)
    totals = {int(loop.at.split(":")[-2]): loop.total for loop in analysis.loops}
    fits = {4: 3, 7: 1, 10: 128}  # the last i whose value fits
    for n in range(12):
        expected = {
            4: sum(max(0, _cut(40 * i, 8)) for i in range(n)),
            7: sum(max(0, _cut(16384 * i, 16)) for i in range(n)),
            10: sum(max(0, 5 - i) for i in range(n)),
        }
        for line, count in expected.items():
            total, values = totals[line], {"n": n}
            assert total.kind == "exact"
            assert total.holds(values) == (n <= fits[line] + 1), (line, n)
            if total.holds(values):
                assert total.evaluate(values) == count, (line, n)
