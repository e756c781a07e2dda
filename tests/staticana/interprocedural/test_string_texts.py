"""Numbers read from strings that are made of words of the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from staticana import Analysis, analyze, canonical, compile_sources

_PROGRAM = """\
#include <cstdlib>
#include <string>
#include <vector>
int g;
static int of(const std::string &s) { return std::atoi(s.c_str()); }
int main(int, char **argv) {
  std::string a = argv[1], b = argv[2], changed = argv[1], twice = argv[1];
  std::vector<std::string> words(argv + 1, argv + 3), swapped(argv + 1, argv + 3);
  twice = argv[2];
  changed += "0";
  swapped[0].swap(swapped[1]);
  for (int i = std::atoi(a.c_str()); i > 0; --i) g++;
  for (int i = of(b); i > 0; --i) g++;
  for (int i = std::stoi(words[1]); i > 0; --i) g++;
  for (int i = std::atoi(changed.c_str()); i > 0; --i) g++;
  for (int i = std::atoi(twice.c_str()); i > 0; --i) g++;
  for (int i = std::stoi(swapped[0]); i > 0; --i) g++;
}
"""
_ORIGINS = {12: "argv[1]", 13: "argv[2]", 14: "argv[2]", 15: None, 16: None, 17: None}


def test_numbers_of_words_that_strings_hold_unchanged_are_parameters(tmp_path: Path) -> None:
    (tmp_path / "words.cc").write_text(_PROGRAM)
    analysis = analyze(canonical(compile_sources([tmp_path / "words.cc"])))
    assert _origins(analysis, _ORIGINS) == _ORIGINS


def _origins(analysis: Analysis, lines: Iterable[int]) -> dict[int, str | None]:
    """Line of a loop -> the origin of a parameter of its total, where that is exact."""
    origins = {p.name: p.origin for p in analysis.parameters}
    found = {}
    for loop in analysis.loops:
        formula = loop.total.formula
        names = formula.symbols if formula is not None and loop.total.kind == "exact" else ()
        found[int(loop.at.split(":")[-2])] = next(map(origins.get, names), None)
    return {line: found[line] for line in lines}


_READ_INTO = """\
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
int g;
static int number(const char *word) {
  int value;
  if (std::sscanf(word, "%d", &value) != 1) std::exit(1);
  return value;
}
int main(int, char **argv) {
  int a = 0, b = 0, c = 0, d = 0, e = 0;
  long f = 0;
  std::sscanf(argv[1], "%d", &a);
  std::istringstream(argv[2]) >> b;
  std::stringstream text;
  text << argv[3];
  if (!(text >> c)) return 1;
  std::stringstream joined;
  joined << argv[1] << argv[2];
  joined >> d;
  std::sscanf(argv[1], "%x", &e);
  std::sscanf(argv[4], "%ld", &f);
  for (int i = 0; i < a; i++) g++;
  for (int i = 0; i < b; i++) g++;
  for (int i = 0; i < c; i++) g++;
  for (int i = number(argv[2]); i > 0; --i) g++;
  for (long i = 0; i < f; i++) g++;
  for (int i = 0; i < d; i++) g++;
  for (int i = 0; i < e; i++) g++;
}
"""
_READ_ORIGINS = {
    24: "argv[1]",
    25: "argv[2]",
    26: "argv[3]",
    27: "argv[2]",
    28: "argv[4]",
    29: None,
    30: None,
}


def test_numbers_that_a_call_reads_from_words_into_variables_are_parameters(tmp_path: Path) -> None:
    (tmp_path / "words.cc").write_text(_READ_INTO)
    analysis = analyze(canonical(compile_sources([tmp_path / "words.cc"])))
    assert _origins(analysis, _READ_ORIGINS) == _READ_ORIGINS
    first = next(loop for loop in analysis.loops if ":24:" in loop.at)
    assert "argv[1] is a number" in first.total.assumptions
