"""Functions that are handed functions: counted for each function they are handed."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Analysis, analyze, canonical, compile_sources
from staticana.ir.parser import parse_module

HANDED = """
#include <stdio.h>
#include <stdlib.h>
typedef double (*kernel)(int);
static double a[1000];
static double add(int n) {
  for (int i = 0; i < n; i++) a[i % 1000] += 1;
  return a[0];
}
static double square(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[(i + j) % 1000] += 1;
  return a[1];
}
static double run(kernel k, int n, int times) {
  double s = 0;
  for (int t = 0; t < times; t++) s += k(n);
  return s;
}
static double twice(kernel k, int n) { return run(k, n, 2) + run(k, n + 1, 1); }
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  double s = run(add, n, 10) + run(&square, n, 3) + twice(square, n);
  printf("%g\\n", s);
  return 0;
}
"""
CXX = """
#include <cstdlib>
static int field[100];
template <class F> static void each(int n, F f) { for (int i = 0; i < n; i++) f(i); }
static void apply(void (*f)(int), int n) { for (int i = 0; i < n; i++) f(i); }
namespace one { void touch(int i) { for (int k = 0; k < 3; k++) field[k] += i; } }
namespace two { void touch(int i) { for (int k = 0; k < 5; k++) field[k] += i; } }
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  apply(one::touch, n);
  apply(two::touch, 2 * n);
  each(n, [](int i) { field[i % 100]++; });
  return field[3] & 1;
}
"""


def analysed(tmp_path: Path, name: str, text: str) -> Analysis:
    source = tmp_path / name
    source.write_text(text)
    return analyze(canonical(compile_sources([source])))


def totals(found: Analysis, **at: int) -> dict[tuple[str, int], object]:
    return {
        (loop.function, int(loop.at.split(":")[1])): loop.total.evaluate(at)
        for loop in found.loops
        if loop.total.kind == "exact"
    }


@pytest.mark.parametrize("n", [0, 1, 7])
def test_each_function_runs_as_often_as_it_is_handed(tmp_path: Path, n: int) -> None:
    found = analysed(tmp_path, "p.c", HANDED)
    assert totals(found, n=n) == {
        ("add", 7): 10 * n,
        ("square", 11): 5 * n + n + 1,
        ("square", 12): 5 * n * n + (n + 1) ** 2,
        ("run", 17): 16,
    }


def test_functions_of_a_namespace(tmp_path: Path) -> None:
    found = totals(analysed(tmp_path, "p.cc", CXX), n=6)
    assert sorted(v for v in found.values() if v is not None) == [6, 18, 18, 60]


def test_headers_are_those_of_the_program_that_runs(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(HANDED)
    text = canonical(compile_sources([source]))
    functions = parse_module(text).functions
    for loop in analyze(text).loops:
        assert all(f in functions and header in functions[f].blocks for f, header in loop.headers)


def test_functions_are_listed_once(tmp_path: Path) -> None:
    found = analysed(tmp_path, "p.c", HANDED)
    names = [f.name for f in found.functions]
    assert sorted(names) == sorted(set(names)) == ["add", "main", "run", "square", "twice"]
