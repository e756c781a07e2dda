"""Functions whose names LLVM prints in quotes are instrumented as others are."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm

from runtime.instrumentation.counter_plan import plan_for
from runtime.instrumentation.instrument import instrument
from runtime.instrumentation.kernels import kernels_of
from staticana import canonical, compile_sources
from staticana.ir.parser import parse_module

_SOURCE = """
double sum$of(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 0) s += a[i];
  return s;
}
int main(int argc, char **argv) { double a[3] = {1, 2, 3}; return sum$of(a, argc) > 7; }
"""


def test_a_name_with_a_dollar_sign(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(_SOURCE)
    module = parse_module(canonical(compile_sources([source])))
    assert '@"sum$of"(' in module.text
    loops = [loop for kernel in kernels_of(module) for loop in kernel.loops]
    unit = instrument(module, plan_for(module, loops, calls=True))
    llvm.parse_assembly(unit.text).verify()
