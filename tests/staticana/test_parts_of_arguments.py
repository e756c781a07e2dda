"""Laws of an entry in a part of a structure that it is passed by value."""

from pathlib import Path

from staticana import analyze, canonical, compile_sources

_SLICE = """
typedef struct { unsigned short kind, offset; int size; } slice;
int total(slice a, const int *p) {
  int s = 0;
  for (int i = 0; i < a.size; i++) s += p[i];
  return s;
}
"""


def test_a_part_of_an_argument_is_a_parameter_without_a_known_range(tmp_path: Path) -> None:
    source = tmp_path / "slice.c"
    source.write_text(_SLICE)
    found = analyze(canonical(compile_sources([source])), entry="total")
    ranges = {p.name: p.range for p in found.parameters}
    assert "size" in str(found.loops[0].total.formula)
    assert ranges["size"] is None
