"""A copy with time stamps keeps nothing from being inlined that was inlined before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from runtime import build_program, instrument, plan_all, run
from runtime.instrumentation.single_calls import called_once
from staticana import canonical, compile_sources, parse_module

_SOURCE = """static double deep(double x) { return x * x + 1; }
static double once(double x) { return deep(x) / 3; }
static double twice(double x) { return x - 2; }
__attribute__((noinline)) static double kept(double x) { return x - 3; }
double seen(double x) { return x - 4; }
static double handed(double x) { return x - 5; }
double (*pointer)(double) = handed;
static double counted(double x) {
    for (int k = 0; k < 3; k++) x += k;
    return x;
}
static double again(double x, int n) { return n ? again(x, n - 1) / 2 : x; }
double work(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += once(a[i]) + twice(a[i]) + twice(s) + kept(s) + seen(s) + handed(s) + counted(s);
    return s + again(s, 3);
}
int main(void) {
    double a[8] = {0};
    return work(a, 8) == 1;
}
"""


def test_functions_that_are_called_once_are_inlined_into_both_versions(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(_SOURCE)
    text = canonical(compile_sources([source]))
    module = parse_module(text)
    assert called_once(module, ()) == frozenset()
    assert called_once(module, ("work", "counted")) == {"once", "deep"}
    assert called_once(module, ("work",)) == {"once", "deep", "counted"}

    plan = plan_all(module)
    marked = {
        line[line.index("@") + 1 : line.index("(")]
        for line in instrument(module, plan).text.splitlines()
        if line.startswith("define internal double @") and " alwaysinline" in line
    }
    assert marked >= {"once", "deep"}
    assert marked <= {"once", "deep", "counted"}
    program = build_program(text, plan, tmp_path / "a").executable
    done = run([str(program)], cells=tmp_path / "cells", cwd=tmp_path)
    assert done.counts is not None
    assert sorted(int(done.counts.iterations[c.id]) for c in plan.counters) == [8, 24]


_LOCALS = """#include <stdlib.h>
static void fill(double *x, int k) { for (int j = 0; j < 4; j++) x[j] = k + j; }
static double nest(int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double x[4], room;
        fill(x, i);
        room = x[0] + x[3];
        if (room < 0) exit(1);
        s += room;
    }
    return s;
}
int main(int argc, char **argv) {
    (void)argv;
    return nest(argc) + nest(argc + 1) < 0;
}
"""


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("calls", [False, True])
def test_local_variables_come_first(tmp_path: Path, timed: bool, calls: bool) -> None:
    # the optimiser takes local arrays apart that are in a function's first block, and only those;
    # a call in front of them that is inlined ends that block
    source = tmp_path / "a.c"
    source.write_text(_LOCALS)
    module = parse_module(canonical(compile_sources([source])))
    plan = plan_all(module, timed=timed, calls=calls)
    counted = parse_module(instrument(module, replace(plan, sampled=calls)).text)
    for function in counted.functions.values():
        if function.is_declaration:
            continue
        opcodes = [i.opcode for b in function.blocks.values() for i in b.instructions]
        first = [i.opcode for i in function.entry.instructions]
        allocas = opcodes.count("alloca")
        assert first[:allocas] == ["alloca"] * allocas, function.name
