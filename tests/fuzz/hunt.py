"""Many cases are judged at a time; a wrong one is made minimal by deleting and lessening the choices that wrote it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from .batch import LoopFinding, check
from .generator import SHAPES, Case, case_of, random_case

_BATCH = 20


def draw(number: int, seed: int) -> list[Case]:
    """Cases of a seed, as many of each shape."""
    shapes = list(SHAPES)
    return [random_case(random.Random(f"{seed} {k}"), shapes[k % len(shapes)]) for k in range(number)]


def judge(cases: Sequence[Case]) -> Iterator[tuple[Case, list[LoopFinding]]]:
    """Every case with its findings."""
    for start in range(0, len(cases), _BATCH):
        some = cases[start:start + _BATCH]
        yield from zip(some, check(some), strict=True)


def complaint(findings: Sequence[LoopFinding]) -> str | None:
    """What is wrong with a case, if anything."""
    return next((f.wrong for f in findings if f.wrong), None)


def minimal(wrong: Case) -> tuple[Case, str]:
    """The smallest wrong case that simpler choices lead to, and what is wrong with it."""
    best, text = wrong, complaint(check([wrong])[0])
    assert text is not None, "it is not wrong when it is checked alone"
    tried = {best.source}
    while True:
        candidates = [c for c in map(case_of, _simpler(best.choices)) if _size(c) < _size(best)]
        for case, findings in judge([c for c in {c.source: c for c in candidates}.values() if c.source not in tried]):
            tried.add(case.source)
            found = complaint(findings)
            if found is not None:
                best, text = case, found
                break
        else:
            return best, text


def _size(case: Case) -> tuple[int, int, tuple[int, ...]]:
    return case.source.count("\n"), len(case.source), case.choices


def _simpler(choices: Sequence[int]) -> Iterator[list[int]]:
    """One stretch left out, or one choice made smaller; the largest steps first."""
    width = len(choices) // 2
    while width:
        for start in range(1, len(choices), max(1, width // 2)):
            yield [*choices[:start], *choices[start + width:]]
        width //= 2
    for k, choice in enumerate(choices):
        for less in sorted({0, choice // 2, choice - 1} - {choice, -1}):
            yield [*choices[:k], less, *choices[k + 1:]]
        if choice and k + 1 < len(choices):
            yield [*choices[:k], 0, *choices[k + 2:]]
