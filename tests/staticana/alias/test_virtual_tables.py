"""Virtual calls go to the functions in their slot of any table, whatever comes before the slots."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources
from tools.ir_corpus import CORPUS, modules

_TEXT = """#include <stdlib.h>
struct Base {
  int n;
  virtual int other() { return 1; }
  virtual long run(int m) = 0;
};
struct Left : virtual Base {
  long run(int m) override {
    long s = 0;
    for (int i = 0; i < m; i++) s += i;
    return s;
  }
};
static long call(Base &b, int m) { return b.run(m); }
static long chosen(Base &b, long (Base::*f)(int), int m) { return (b.*f)(m); }
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  Left left;
  return call(left, n) < CHOSEN;
}
"""


@pytest.mark.parametrize("compiler", ["clang-14", "clang-22", "zig"])
def test_tables_with_offsets_of_virtual_bases(compiler: str) -> None:
    """`run` and `left` are only called through the base: their counts are those of its calls."""
    text = modules(CORPUS / "compilers-virtual_bases.xz")[compiler]
    totals = {loop.at.split(":")[-2]: loop.total for loop in analyze(canonical(text)).loops}
    assert totals["48"].kind == "exact"
    assert totals["34"].kind == "parametric"
    assert {totals[line].kind for line in ("14", "24")} == {"exact"}
    left, right = (totals[line].formula for line in ("14", "24"))
    assert left is not None
    assert right is not None
    assert left.evaluate({"n": 5, "m": 3}) == 5 * 4 // 2 + 3 + 4
    assert right.evaluate({"n": 5, "m": 3}) == 3 + 4


@pytest.mark.parametrize("flags", [(), ("-fno-rtti",)])
@pytest.mark.parametrize("chosen", ["0", "chosen(left, &Base::run, n)"])
def test_a_function_only_called_through_its_base_may_run(
    flags: tuple[str, ...], chosen: str, tmp_path: Path
) -> None:
    path = tmp_path / "v.cc"
    path.write_text(_TEXT)
    text = canonical(compile_sources([path], flags=[*flags, f"-DCHOSEN={chosen}"]))
    (loop,) = analyze(text).loops
    assert (loop.total.kind, str(loop.total.formula)) != ("exact", "0")
    if chosen == "0":
        assert (loop.total.kind, str(loop.total.formula)) == ("exact", "Max(0, n)")
