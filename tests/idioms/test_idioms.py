"""Loops of everyday C++ have the law that is expected of them.

A sample runs always; every program with every compiler behind the marker `slow`, and as a table by
`make bench-idioms`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Compiler
from staticana.frontend.clang import usable_compilers

from .laws import Idiom, Verdict, all_idioms, verdicts

SAMPLE = (
    *("push_back", "list_of_ints", "minimum_in_condition", "virtual_calls", "structs_in_vector"),
    *("rows_in_class", "numbers_parsed", "grids_exchanged", "global_boxes", "optional_words"),
    *("rows_of_edges", "vectors_filled"),
)
LEAST = 0.95
"""The share of loops with their law over all programs."""


def _judged(idiom: Idiom, folder: Path, compilers: tuple[Compiler, ...]) -> list[Verdict]:
    clangs = [c for c in usable_compilers() if c.kind == "clang"]
    if not clangs or not compilers:
        pytest.skip("no clang is installed that counts what a program does")
    runs = idiom.runs(folder, clangs[0])
    return [v for c in compilers for v in verdicts(idiom, runs, c)]


@pytest.mark.parametrize("idiom", all_idioms(SAMPLE), ids=lambda i: i.path.stem)
def test_loops_have_their_laws(idiom: Idiom, tmp_path: Path) -> None:
    found = _judged(idiom, tmp_path, usable_compilers()[:1])
    assert found
    assert not [v for v in found if v.wrong or not v.as_expected]


@pytest.mark.slow
def test_all_idioms_with_all_compilers(tmp_path: Path) -> None:
    found = [v for i in all_idioms() for v in _judged(i, tmp_path, usable_compilers())]
    assert not [v for v in found if v.wrong]
    assert sum(v.as_expected for v in found) >= LEAST * len(found)
