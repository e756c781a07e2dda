"""Which loops run directly inside which, whether nested or called."""

from __future__ import annotations

from pathlib import Path

from staticana import LoopResult, analyze, canonical, compile_sources

SOURCE = """#include <stdlib.h>
volatile double s;
static void leaf(int n) {
  for (int i = 0; i < n; i++) s += i;            // 4
}
static void between(int n) { leaf(n); }
static void down(int n) {
  for (int i = 0; i < n; i++) down(n - 2);       // 8
}
static void (*const either[2])(int) = {leaf, between};
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) {                  // 13
    between(i);
    for (int j = 0; j < i; j++) {                // 15
      for (int k = 0; k < j; k++) s += k;        // 16
      leaf(j);
    }
  }
  leaf(n);
  for (int i = 0; i < n; i++) down(i);           // 21
  for (int i = 0; i < n; i++) s += i;            // 22
  for (int i = 0; i < n; i++) either[i % 2](n);  // 23
}
"""


def test_loops_inside_are_those_nested_and_those_called(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(SOURCE)
    analysis = analyze(canonical(compile_sources([tmp_path / "f.c"])), matrix=False)

    def line(at: str) -> int:
        return int(at.split(":")[-2])

    def inside(loop: LoopResult) -> set[int]:
        return set(map(line, loop.inner))

    assert {line(loop.at): inside(loop) for loop in analysis.loops} == {
        4: set(),
        8: {8},
        13: {4, 15},
        15: {16, 4},
        16: set(),
        21: {8},
        22: set(),
        23: {4},
    }
