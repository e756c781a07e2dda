"""Loops that constants end at the latest, whatever data decide before."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Analysis, analyze, canonical, compile_sources

HEAD = "extern double act(double); extern int coin(void);\n"


def analysed(tmp_path: Path, source: str, entry: str) -> Analysis:
    file = tmp_path / "p.c"
    file.write_text(HEAD + source)
    return analyze(canonical(compile_sources([file])), entry=entry)


def falling(start: float, least: float, step: float) -> int:
    """The iterations of `for (a = start; a > least; a -= step)` in double precision."""
    number = 0
    while start > least:
        start -= step
        number += 1
    return number


@pytest.mark.parametrize("least", [1e-4, 0.01, 0.3])
def test_a_rounded_counter_bounds_what_data_may_end(tmp_path: Path, least: float) -> None:
    source = f"""void f(void) {{ double d = 1;
        for (double a = 1; a > {least} && d > 0.5; a -= 0.001) d = act(a); }}"""
    total = analysed(tmp_path, source, "f").loops[0].total
    assert str(total.upper) == str(falling(1.0, least, 0.001))
    assert total.kind != "exact"


def test_the_largest_of_what_calls_pass_counts(tmp_path: Path) -> None:
    source = """static void f(double least) { double d = 1;
        for (double a = 1; a > least && d > 0.5; a -= 0.001) d = act(a); }
        void g(void) { f(0.3); f(0.01); }"""
    total = analysed(tmp_path, source, "g").loops[0].total
    assert str(total.upper) == str(2 * falling(1.0, 0.01, 0.001))


def test_an_entry_may_be_called_with_anything(tmp_path: Path) -> None:
    source = """void f(double least) { double d = 1;
        for (double a = 1; a > least && d > 0.5; a -= 0.001) d = act(a); }
        void g(void) { f(0.3); }"""
    assert analysed(tmp_path, source, "f").loops[0].total.upper is None


def test_a_counter_that_data_step_is_not_constant(tmp_path: Path) -> None:
    source = """void f(void) { double d = 1;
        for (double a = 1; a > 0.01 && d > 0.5;) { if (coin()) a -= 0.001; d = act(a); } }"""
    assert analysed(tmp_path, source, "f").loops[0].total.upper is None


OPTIONS = """
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc < 2) return 1;
  int n = atoi(argv[1]), steps = 10;
  for (int k = 2; k < argc; k++)
    if (!strncmp(argv[k], "--steps=", 8)) steps = atoi(argv[k] + 8);
  volatile int s = 0;
  for (int t = 0; t < steps; t++) s += n;
  return s;
}
"""


def test_options_behind_the_words_that_are_read_always_are_not_run(tmp_path: Path) -> None:
    source = tmp_path / "options.c"
    source.write_text(OPTIONS)
    loops = analyze(canonical(compile_sources([source]))).loops
    (steps,) = [x.total for x in loops if x.at.split(":")[-2] == "10"]
    assert steps.kind != "exact"
