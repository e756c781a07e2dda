"""What is left out of two versions leaves what the change concerns as it is."""

from pathlib import Path

import pytest

from looplaw.gate.common_parts import without_common
from looplaw.gate.versions import Options, compare_units, units
from staticana import analyze, canonical, compile_sources, parse_module

SOURCE = """
#include <assert.h>
static int limit = 8;
static int *table;
static int used(int n) { int s = 0; for (int i = 0; i < n; i++) s += table[i]; return s; }
void set(int n) { limit = n; }
int idle(int n) { assert(n > 0); for (int i = 0; i < n; i++) table[i] = i; return n; }
int changed(int n) { int s = 0; for (int i = 0; i < limit; i++) s += used(n) + %s; return s; }
int calls(int n) { return changed(n) + idle(n); }
"""


@pytest.fixture
def versions(tmp_path: Path) -> tuple[str, str, tuple[str, str]]:
    """The IR of two versions, of which the second has other lines, and their folders."""
    texts, folders = [], []
    for name, text in (("old", SOURCE % "1"), ("new", "\n\n" + SOURCE % "n")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a.c").write_text(text)
        texts.append(compile_sources([folder / "a.c"]))
        folders.append(str(folder))
    return texts[0], texts[1], (folders[0], folders[1])


def test_only_what_the_change_concerns_keeps_its_body(
    versions: tuple[str, str, tuple[str, str]],
) -> None:
    for text in without_common(*versions):
        module = parse_module(text)
        bodies = {n for n, f in module.functions.items() if not f.is_declaration}
        assert bodies == {"changed", "used", "calls"}


def test_a_variable_that_a_left_out_function_sets_has_any_value(
    versions: tuple[str, str, tuple[str, str]],
) -> None:
    """Else the loop would run 8 times, as if nobody called set()."""
    analysis = analyze(canonical(without_common(*versions)[1]), entry="changed")
    (law,) = (f.work for f in analysis.functions if f.name == "changed")
    assert "limit" in str(law.formula)


def test_versions_that_differ_in_lines_alone_keep_nothing(tmp_path: Path) -> None:
    sides = []
    for name, text in (("old", SOURCE % "1"), ("new", "\n\n" + SOURCE % "1")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.c").write_text(text)
        sides.append(units(tmp_path / name, ("a.c",), Options()))
    assert compare_units(*sides) == ()
    old, new = (side[0] for side in sides)
    texts = without_common(old.compiled, new.compiled, (str(old.root), str(new.root)))
    assert not any("\ndefine " in text for text in texts)
