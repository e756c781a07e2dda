"""Bounds of loops for those who verify, and bounds that sources state."""

from __future__ import annotations

import re
from pathlib import Path

from tests.command_line import looplaw

_SOURCE = """extern int next(int);
int work(int n) {
  int c = 0, x = n;
  // looplaw: iterations <= n*n
  while (x != 1) { x = next(x); c++; }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++) c++;
  while (next(c)) c++;
  return c;
}
"""


def _run(folder: Path, *words: str) -> str:
    (folder / "a.c").write_text(_SOURCE)
    done = looplaw("analyze", "a.c", "--entry", "work", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_loops_are_unwound_inner_ones_first(tmp_path: Path) -> None:
    text = _run(tmp_path, "--export", "unwindset", "--at", "n=10")
    assert text == "--unwindset work.0:101,work.1:5,work.2:11\n"


def test_flow_facts_say_what_they_rest_on(tmp_path: Path) -> None:
    lines = _run(tmp_path, "--export", "flowfacts", "--at", "n=10").splitlines()
    assert lines[0].startswith('loop "a.c":5 max 100 total 100; // work; provided that')
    assert "stated: iterations <= n*n (a.c:4)" in lines[0]
    assert lines[2] == 'loop "a.c":7 max 4 total 40; // work'
    assert lines[3] == '// loop "a.c":8 ?; // work: no bound is known'


def test_pragmas_stand_before_the_loops(tmp_path: Path) -> None:
    text = _run(tmp_path, "--export", "loopbound", "--at", "n=10")
    assert re.sub(r" *_Pragma\(.*\)\n", "", text) == _SOURCE
    found = re.findall(r'"loopbound min (\d+) max (\d+)" \)\n +(for \(int \w|while \(x)', text)
    assert found == [("0", "100", "while (x"), ("10", "10", "for (int i"), ("4", "4", "for (int j")]


def test_a_missing_value_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(_SOURCE)
    done = looplaw("analyze", "a.c", "--entry", "work", "--export", "unwindset", cwd=tmp_path)
    assert done.returncode == 2
    assert "add --at n=1000" in done.stderr
    assert not done.stdout


def test_a_table_says_which_bounds_are_stated(tmp_path: Path) -> None:
    first, *others = _run(tmp_path).split("\na.c:")[1:]
    assert "at most n*n (stated)" in first
    assert not any("stated" in row for row in others)
