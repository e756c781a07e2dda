"""Many cases are judged at a time; a wrong one is made minimal by deleting and lessening the choices that wrote it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from .batch import LoopFinding, check
from .generator import SHAPES, Case, case_of, random_case

_BATCH = 20
_AT_ONCE = 10  # candidates for a smaller case


def draw(number: int, seed: int) -> list[Case]:
    """Cases of a seed, as many of each shape."""
    shapes = list(SHAPES)
    return [random_case(random.Random(f"{seed} {k}"), shapes[k % len(shapes)]) for k in range(number)]


def judge(cases: Sequence[Case]) -> Iterator[tuple[Case, list[LoopFinding]]]:
    """Every case with its findings."""
    for start in range(0, len(cases), _BATCH):
        some = cases[start:start + _BATCH]
        yield from zip(some, check(some), strict=True)


def complaint(findings: Sequence[LoopFinding], fault: str | None = None) -> LoopFinding | None:
    """The first loop that is wrong (with this sort of mistake), if any."""
    return next((f for f in findings if f.wrong and fault in (None, f.fault)), None)


def minimal(wrong: Case) -> tuple[Case, str]:
    """The smallest case that simpler choices lead to and that is wrong in the same way; what is wrong with it."""
    best, worst = wrong, complaint(check([wrong])[0])
    assert worst is not None, "it is not wrong when it is checked alone"
    tried = {best.source}
    at = 0  # a step that helped is tried again before those ahead of it
    while True:
        steps = list(_simpler(best.choices))
        untried: dict[str, Case] = {}
        for k in [*range(at, len(steps)), *range(min(at, len(steps)))]:
            case = case_of(steps[k])
            if case.source not in tried and _size(case) < _size(best):
                tried.add(case.source)
                untried[case.source] = case
            if len(untried) == _AT_ONCE:
                at = k
                break
        if not untried:
            return best, worst.wrong or ""
        for case, findings in judge(list(untried.values())):
            found = complaint(findings, worst.fault)
            if found is not None and _size(case) < _size(best):
                best, worst = case, found


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
