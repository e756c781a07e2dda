"""Programs whose counts were written down independently: a Python twin of each, never a formula, is
held against the analysis, and (slow) against gcov's counts of the program itself."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.twin import analysed

from .oracle import can_count, cover
from .twins import CASES, PROGRAMS


@pytest.mark.parametrize("name", CASES)
def test_analysis_agrees_with_the_twin(name: str) -> None:
    case = CASES[name]
    place = {(path.name, line): marker for marker, (path, line) in case.places().items()}
    rng = random.Random(f"twins of {name}")
    vectors = [*case.edges, *(case.random(rng) for _ in range(6))]
    for words in sorted({len(v) for v in vectors}):
        analysis = analysed(case.sources, argc=words + 1)
        for loop in analysis.loops:
            file, line, _ = loop.at.rsplit("/", 1)[-1].split(":")
            marker = place[file, int(line)]
            assert loop.total.kind == "exact" or case.kind(marker) != "exact", (
                marker,
                loop.total.reason,
            )
            for vector in (v for v in vectors if len(v) == words):
                counted = case.counts(vector)[marker]
                # the n-th word is the n-th parameter
                values = {p.name: vector[int(p.origin[5:-1]) - 1] for p in analysis.parameters}
                if loop.total.kind == "exact":
                    assert loop.total.evaluate(values) == counted, (
                        marker,
                        str(loop.total.formula),
                        values,
                    )
                for bound, sign in ((loop.total.lower, 1), (loop.total.upper, -1)):
                    if bound is not None and bound.symbols <= values.keys():
                        assert sign * (counted - bound.evaluate(values)) >= 0, (
                            marker,
                            str(bound),
                            values,
                        )


@pytest.mark.slow
@pytest.mark.skipif(not can_count(), reason="gcc and gcov are not on PATH")
@pytest.mark.parametrize("name", CASES)
def test_twin_counts_what_the_program_does(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    program = cover(case.sources, tmp_path)
    rng = random.Random(f"twins of {name}")
    for vector in (*case.edges, *(case.random(rng) for _ in range(4))):
        assert case.counts(vector) == program.counts(vector), vector


def test_every_program_has_a_twin() -> None:
    assert set(PROGRAMS.glob("*.c")) == {path for case in CASES.values() for path in case.sources}
