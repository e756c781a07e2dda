"""Globals that are set once, whatever their names."""

from __future__ import annotations

from pathlib import Path

from staticana import analyze, canonical, compile_sources

_SOURCE = """
#include <stdlib.h>
static int n$x;
static int table$[4] = {1, 2, 3, 4};
volatile double work;
static void set$(int v) { n$x = v; }
int main(int argc, char **argv) {
  set$(atoi(argv[1]));
  for (int i = 0; i < n$x; i++) work += i;
  for (int i = 0; i < table$[2]; i++) work += i;
  return 0;
}
"""


def test_names_that_ir_puts_in_quotes(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(_SOURCE)
    found = analyze(canonical(compile_sources([source])))
    assert [str(loop.total.formula) for loop in found.loops] == ["Max(0, v)", "3"]
