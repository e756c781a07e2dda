"""How much scanf writes, by its format."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources
from staticana.alias.scan_formats import bytes_scanned


@pytest.mark.parametrize(
    ("format", "sizes"),
    [
        ("%d,%hd %hhu%lld%ld", [4, 2, 1, 8, 8]),
        ("%f %lf %Lf", [4, 8, 16]),
        ("%*d %d%%%n", [4, 4]),
        ("%s %7s %c %3c %8[^,] %[]a]", [None, 8, 1, 3, 9, None]),
        ("%p%zu", [8, 8]),
        ("x = ", []),
        ("%k", None),
        ("%", None),
        ("%99999999999c", None),
        ("%ls %5ls", [None, None]),
    ],
)
def test_formats(format: str, sizes: list[int | None] | None) -> None:
    assert bytes_scanned(format.encode(), 8) == sizes


_CONFIGURATION = """
#include <stdio.h>
struct config { int n, m, dim; double dt; int steps; };
volatile double work;
int main(void) {
  struct config c = {10, 10, 3, 0.1, 100};
  if (fscanf(stdin, "%d %lf", &c.n, &c.dt) != 2) return 1;
  for (int i = 0; i < c.n; i++) work += 1;
  for (int i = 0; i < c.m; i++) work += 1;
  for (int i = 0; i < c.steps; i++) work += c.dt;
  return 0;
}
"""


def test_scanf_leaves_the_members_beside_what_it_reads(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(_CONFIGURATION)
    found = analyze(canonical(compile_sources([source])))
    assert [str(loop.total.formula) for loop in found.loops] == ["Max(0, n)", "10", "100"]
