"""Numbers read from strings that are made of words of the command line."""

from __future__ import annotations

from pathlib import Path

from staticana import analyze, canonical, compile_sources

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
    origins = {p.name: p.origin for p in analysis.parameters}
    found = {}
    for loop in analysis.loops:
        formula = loop.total.formula
        names = formula.symbols if formula is not None and loop.total.kind == "exact" else ()
        found[int(loop.at.split(":")[-2])] = next(map(origins.get, names), None)
    assert {line: found[line] for line in _ORIGINS} == _ORIGINS
