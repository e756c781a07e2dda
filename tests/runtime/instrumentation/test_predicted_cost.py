"""What --max-overhead predicts, beside what callgrind counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime import build_program, kernels_of, plan_all, run
from runtime.instrumentation.counter_cost import Executions, LoopShape, executed, predicted
from staticana import canonical, compile_sources, find_compiler, parse_module
from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Module

PROGRAMS = Path(__file__).parents[3] / "benchmarks" / "overhead_programs"
# file -> (arguments, percent of more instructions with counters, without the start of both
# programs: make bench-overhead, clang 22)
MEASURED = {
    "short_loops.c": ("3000 10", 13.7),
    "rows_in_vectors.cc": ("3000 20", 4.6),
    "rows.c": ("3000 15", 5.1),
    "triangles.c": ("3000 120", 1.5),
    "lists.c": ("20000 5", 6.6),
    "divide.c": ("20000", 13.1),
    "early_exits.c": ("4000", 2.6),
}
SHAPES = """
void stream(double *a, const double *b, double x, int n) {
    for (int i = 0; i < n; i++) a[i] = b[i + 1] * x;
}
void bytes(char *a, const char *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i] ^ 3; }
double sum(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
int find(const int *a, int n) { for (int i = 0; i < n; i++) if (a[i] == 7) return i; return n; }
void gather(int *a, const int *at, int n) { for (int i = 0; i < n; i++) a[i] = a[at[i]]; }
void column(int *a, int n) { for (int i = 0; i < n; i++) a[i * n] = 1; }
"""
WIDTHS = {"stream": 2, "bytes": 16, "sum": 1, "find": 1, "gather": 1, "column": 1}


@pytest.mark.parametrize("name", MEASURED)
def test_the_prediction_is_near_what_was_counted(name: str, tmp_path: Path) -> None:
    words, percent = MEASURED[name]
    if name.endswith(".cc") and find_compiler().kind == "zig":
        pytest.skip("measured with libstdc++, and zig has libc++")
    text = canonical(compile_sources([PROGRAMS / name]))
    module, plan = parse_module(text), plan_all(parse_module(text), timed=False)
    cxx = name.endswith(".cc")
    program = build_program(text, plan, tmp_path / "program", cxx=cxx)
    done = run([str(program.executable), *words.split()], timeout_s=60, cells=tmp_path / "cells")
    assert done.counts is not None
    counts = executed(plan, done.counts)
    kernels = {key: k for k, kernel in enumerate(kernels_of(module)) for key in kernel.loops}
    costs = predicted(module, plan, kernels, Executions(module, counts))
    found = 100 * sum(costs.kernels.values()) / costs.program
    assert percent / 2 < found < percent * 2


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Module:
    path = tmp_path_factory.mktemp("shapes") / "shapes.c"
    path.write_text(SHAPES)
    return parse_module(canonical(compile_sources([path])))


@pytest.mark.parametrize("name", WIDTHS)
def test_what_is_done_at_once(name: str, shapes: Module) -> None:
    function = shapes.functions[name]
    (loop,) = loop_forest(function, shapes).loops
    assert LoopShape(function, loop, 100.0).width == WIDTHS[name]
    assert LoopShape(function, loop, 3.0).width == 1, "too few iterations"


def instructions(folder: Path, body: str) -> float:
    """The instructions that a program is taken to have."""
    path = folder / "program.c"
    path.write_text(body)
    return Executions(parse_module(canonical(compile_sources([path])))).instructions


def test_sums_that_lead_to_addresses_fold_into_them(tmp_path: Path) -> None:
    def sums(value: str) -> float:
        body = f"long f(const int *a, int n, int m) {{ long s = 0; int k; {value} return s; }}"
        return instructions(tmp_path, body)

    plain = sums("for (k = 0; k < n; k++) s += a[k];")
    assert sums("for (k = 0; k < n; k++) s += a[k + m];") < plain * 1.05
    assert sums("for (k = 0; k < n; k++) s += a[k] + k;") > plain * 1.05


def test_calls_of_recursive_functions_are_not_inlined(tmp_path: Path) -> None:
    def program(callee: str) -> float:
        other = "static int g(int n) { return n ? n * 3 : 7; }"
        f = f"static int f(int n) {{ return n ? {callee}(n - 1) + n : 0; }}"
        return instructions(tmp_path, f"{other}\n{f}\nint main(int n) {{ return f(n) + g(n); }}")

    assert program("f") > program("g")
