"""The analysis does not depend on the compiler: equal kinds and equal formulas, word by word, for
IR of one program by clang 14, 16, 19, 22 and zig.

The IR is kept in tests/staticana/corpus, written by tools/ir_corpus.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze, canonical
from tools.ir_corpus import COMPILERS, CORPUS, modules, sources

_FILES = sorted(CORPUS.glob("*.xz"))


def _found(text: str) -> list[tuple[str, ...]]:
    analysis = analyze(canonical(text), seconds=20)
    return [
        (loop.at, total.kind, *map(str, (total.formula, total.lower, total.upper, total.reason)))
        for loop in analysis.loops
        for total in (loop.total,)
    ]


@pytest.mark.parametrize("path", _FILES, ids=lambda p: p.stem)
def test_every_compiler_leads_to_the_same_laws(path: Path) -> None:
    by_compiler = {name: _found(text) for name, text in modules(path).items()}
    assert tuple(by_compiler) == COMPILERS
    first, *others = by_compiler.items()
    for name, found in others:
        assert found == first[1], f"{name} differs from {first[0]}"


def test_the_corpus_is_that_of_the_programs() -> None:
    """After a sample or a program has changed: .venv/bin/python tools/ir_corpus.py."""
    known = {f"{s.parent.name}-{s.stem}" for s in sources()}
    assert {p.stem for p in _FILES} <= known
    assert len(_FILES) > 60
    assert sum(p.stat().st_size for p in _FILES) < 3_000_000
