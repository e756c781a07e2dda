"""Loops whose iterations do different things, one after another, against the same loops in
Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from looplaw_common.errors import LooplawWarning
from staticana import Analysis, analyze, canonical, compile_sources, parse_module
from staticana.expr import Expr
from staticana.frontend import phases
from staticana.frontend.isolation import BrokeDown
from staticana.frontend.rust import find_rustc
from staticana.ir.loop_info import loop_forest

_C = """
extern void use(int);
void f(int n, int k) {
  int up = 1, x = 0;
  while (x >= 0) {
    if (up) { x++; if (x >= n) up = 0; } else x--;
  }
  int skip = k;
  for (int i = 0; i < n; i++) {
    if (skip != 0) { i += 2; skip = 0; continue; }
    use(i);
  }
  int state = 0;
  for (int i = 0; i < n; i++) {
    if (state == 0) { if (i == k) state = 1; }
    else if (state == 1) state = 2;
    if (state == 2) break;
  }
  int first = 1;
  for (int i = 0; i < n; i++) {
    for (int j = first; j < i; j++) use(j);
    first = 0;
  }
}
"""
_RUST = """
pub fn work(a: &[u64], b: &[u64], n: usize, k: usize) -> u64 {
    let mut c = 0u64;
    for x in a.iter().chain(b) { c ^= x; }
    for x in a.iter().skip(k) { c ^= x; }
    for i in (0..=n).step_by(3) { c ^= i as u64; }
    for i in (0..n).rev() { for j in (1..=i).rev() { c ^= (i * j) as u64; } }
    for x in a.iter().take_while(|x| **x < 7) { c ^= x; }
    c
}
"""


def _up_and_down(n: int, _: int) -> int:
    up, x, count = True, 0, 0
    while x >= 0:
        count += 1
        x += 1 if up else -1
        up = up and x < n
    return count


def _skipped(n: int, k: int) -> int:
    i = count = 0
    while i < n:
        count += 1
        if k != 0:
            i, k = i + 2, 0
        i += 1
    return count


def _in_states(n: int, k: int) -> int:
    state = count = 0
    for i in range(n):
        count += 1
        if state == 0:
            state = int(i == k)
        elif state == 1:
            state = 2
        if state == 2:
            break
    return count


def _behind_first(n: int, _: int) -> int:
    return sum(max(0, i - (1 if i == 0 else 0)) for i in range(n))


def test_flags_of_c_tell_phases_apart(tmp_path: Path) -> None:
    analysis = _analysed(tmp_path / "p.c", _C, "f")
    truths: dict[int, Callable[[int, int], int]] = {
        5: _up_and_down,
        9: _skipped,
        14: _in_states,
        21: _behind_first,
    }
    for line, truth in truths.items():
        total = _total(analysis, line)
        for n in range(1, 9):
            for k in range(-2, 12):
                assert total.evaluate({"n": n, "k": k}) == truth(n, k), (line, n, k)


def test_iterators_of_rust_are_phases(tmp_path: Path) -> None:
    if find_rustc() is None:
        pytest.skip("there is no rustc")
    analysis = _analysed(tmp_path / "p.rs", _RUST, "work")
    truths: dict[int, Callable[[int, int, int, int], int]] = {
        4: lambda a, b, n, k: a + b,
        5: lambda a, b, n, k: max(0, a - k),
        6: lambda a, b, n, k: n // 3 + 1,
        7: lambda a, b, n, k: n,
    }
    for line, truth in truths.items():
        total = _total(analysis, line)
        for a, b, n, k in ((0, 0, 0, 0), (3, 0, 1, 1), (3, 2, 2, 5), (1, 4, 9, 1), (6, 1, 10, 2)):
            values = {"a_len": a, "b_len": b, "n": n, "k": k}
            assert total.evaluate(values) == truth(a, b, n, k), (line, values)
    bounded = next(loop for loop in analysis.loops if loop.at.endswith(":8:5")).total
    assert bounded.formula is not None
    assert bounded.upper is not None
    assert bounded.upper.evaluate({"a_len": 5}) == 5


def _analysed(file: Path, source: str, entry: str) -> Analysis:
    file.write_text(source)
    return analyze(canonical(compile_sources([file])), entry=entry)


def _total(analysis: Analysis, line: int) -> Expr:
    total = next(x.total for x in analysis.loops if int(x.at.split(":")[-2]) == line)
    assert total.kind == "exact", (line, total)
    assert total.formula is not None
    return total.formula


def test_loops_in_phases_are_counted_as_the_one_that_runs(tmp_path: Path) -> None:
    """Counters stand in the program as it is written: each loop must be found there."""
    (tmp_path / "f.c").write_text(_C)
    ir = canonical(compile_sources([tmp_path / "f.c"]))
    module = parse_module(ir)
    running = {loop.header: loop.at for loop in loop_forest(module.functions["f"], module).loops}
    found = analyze(ir, entry="f")
    assert {h for loop in found.loops for _, h in loop.headers} == running.keys()
    assert all(running[h] == loop.at for loop in found.loops for _, h in loop.headers)
    assert {e.header for e in analyze(ir, entry="f", entries=True).entries} == running.keys()


_THROWING = """#include <vector>
extern void step(std::vector<int> &v, int i);
extern "C" void f(int n, int k) {
    std::vector<int> v(3, n);
    bool first = true;
    for (int i = 0; i < n; i++) {
        step(v, i);
        if (!first) {
            for (int j = 0; j < k; j++) step(v, j);
        }
        first = false;
    }
}
"""


def test_exceptions_leave_phases_as_they_leave_the_loop(tmp_path: Path) -> None:
    analysis = _analysed(tmp_path / "p.cpp", _THROWING, "f")
    for n in range(5):
        assert _total(analysis, 6).evaluate({"n": n, "k": 3}) == n
        assert _total(analysis, 9).evaluate({"n": n, "k": 3}) == 3 * max(0, n - 1)


def test_what_cannot_be_told_apart_is_counted_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(text: str, passes: object) -> str:
        raise BrokeDown("LLVM breaks down")

    monkeypatch.setattr(phases, "transformed", fails)
    with pytest.warns(LooplawWarning, match="not told apart by their phases: LLVM breaks down"):
        analysis = _analysed(tmp_path / "p.c", _C, "f")
    assert all(loop.total.formula is not None for loop in analysis.loops)


def test_what_data_begin_is_no_phase(tmp_path: Path) -> None:
    source = """extern int found(int);
        void f(int n) {
          int first = 1;
          for (int k = 0; k < n; k++) {
            if (!found(k)) continue;
            if (!first) found(-1);
            first = 0;
          }
        }"""
    analysis = _analysed(tmp_path / "p.c", source, "f")
    assert _total(analysis, 4).evaluate({"n": 7}) == 7


_LEFT_BY_THE_FLAG = {
    "for (int j = 0; j < m; j++) { c++; if (first) break; }": 1,
    "int j = 0; for (;;) { c++; if (first || ++j >= m) break; }": 1,
    "for (int j = 0; j < m; j++) for (int k = 0; k < m; k++) { c++; if (first) goto on; } on:": 2,
}


@pytest.mark.parametrize("inner", _LEFT_BY_THE_FLAG)
def test_a_loop_that_the_flag_leaves_at_once_is_still_counted(inner: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "int c; void f(int n, int m) { int first = 1;"
        f" for (int i = 0; i < n; i++) {{ {inner} ; first = 0; }} }}"
    )
    found = analyze(
        canonical(compile_sources([tmp_path / "a.c"])),
        entry="f",
        parameters={"n": "arg:f:0", "m": "arg:f:1"},
    )
    _, *others = sorted(found.loops, key=lambda loop: loop.at)
    assert len(others) == _LEFT_BY_THE_FLAG[inner]
    for loop in others:  # the first iteration of the loop around counts, too
        formula = loop.total.formula
        if loop.total.kind == "exact" and formula is not None:
            assert formula.evaluate({"n": 1, "m": 5}) == 1
