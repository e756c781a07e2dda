"""Many cases are judged at a time; a wrong one is made minimal by deleting and lessening the
choices that wrote it, then by deleting lines."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from staticana import Compiler

from .batch import LoopFinding, check, compiles
from .generator import SHAPES, Case, case_of, random_case

_BATCH = 20
_AT_ONCE = 10  # candidates for a smaller case
_LONELY = re.compile(r"\s*(s \+= .*;|s\+\+;|if \(.*\) (break|continue|return s|\w+ [-+]= \d+);)$")


def draw(numbers: Iterable[int], seed: int) -> list[Case]:
    """The cases of a seed with these numbers, as many of each shape."""
    shapes = list(SHAPES)
    return [random_case(random.Random(f"{seed} {k}"), shapes[k % len(shapes)]) for k in numbers]


def judge(
    cases: Sequence[Case], compiler: Compiler | None = None
) -> Iterator[tuple[Case, list[LoopFinding]]]:
    """Every case with its findings, from the IR of a compiler."""
    for start in range(0, len(cases), _BATCH):
        some = cases[start : start + _BATCH]
        yield from zip(some, check(some, compiler), strict=True)


def complaint(findings: Sequence[LoopFinding], fault: str | None = None) -> LoopFinding | None:
    """The first loop that is wrong (with this sort of mistake), if any."""
    return next((f for f in findings if f.wrong and fault in (None, f.fault)), None)


def minimal(wrong: Case, compiler: Compiler | None = None) -> tuple[Case, str]:
    """The smallest case that simpler choices, then fewer lines lead to and that is wrong in the
    same way from the IR of a compiler; what is wrong with it. As it is where it is right alone."""
    worst = complaint(check([wrong], compiler)[0])
    if worst is None:
        return wrong, f"wrong among others, and right alone\n// program\n{wrong.named('entry')}"
    case, worst = _least(
        wrong, worst, lambda c: map(case_of, _simpler(c.choices)), lambda c: True, compiler
    )
    case, worst = _least(case, worst, _without_lines, compiles, compiler)
    return case, worst.wrong or ""


def _least(
    best: Case,
    worst: LoopFinding,
    smaller: Callable[[Case], Iterable[Case]],
    usable: Callable[[Case], bool],
    compiler: Compiler | None,
) -> tuple[Case, LoopFinding]:
    tried = {best.source}
    at = 0  # a step that helped is tried again before those ahead of it
    while True:
        steps = list(smaller(best))
        untried: dict[str, Case] = {}
        for k in [*range(at, len(steps)), *range(min(at, len(steps)))]:
            case = steps[k]
            if case.source not in tried and _size(case) < _size(best):
                tried.add(case.source)
                if usable(case):
                    untried[case.source] = case
            if len(untried) == _AT_ONCE:
                at = k
                break
        if not untried:
            return best, worst
        for case, findings in judge(list(untried.values()), compiler):
            found = complaint(findings, worst.fault)
            if found is not None and _size(case) < _size(best):
                best, worst = case, found


def _without_lines(case: Case) -> Iterator[Case]:
    """A block left out, or its first and last lines, or a statement that nothing else needs."""
    lines = case.source.splitlines()
    for first, line in enumerate(lines):
        left_out: list[set[int]] = [{first}] if _LONELY.match(line) else []
        if line.endswith("{") or line.endswith("*/"):
            last = _end(lines, first)
            left_out += [set(range(first, last + 1)), {first, last}]
            if " else {" in lines[last]:
                final = _end(lines, last)
                left_out += [
                    set(range(first, final + 1)),
                    {first, final, *range(last, final)},
                    {*range(first, last + 1), final},
                ]
        for some in left_out:
            text = [kept for k, kept in enumerate(lines) if k not in some]
            yield Case("\n".join(text) + "\n", case.types, ())


def _end(lines: Sequence[str], first: int) -> int:
    """The line that closes the block that this one opens: the next that begins with a brace no
    deeper."""
    depth = len(lines[first]) - len(lines[first].lstrip())
    return next(
        (k for k in range(first + 1, len(lines)) if lines[k][: depth + 1] == " " * depth + "}"),
        len(lines) - 1,
    )


def _size(case: Case) -> tuple[int, int, tuple[int, ...]]:
    return case.source.count("\n"), len(case.source), case.choices


def _simpler(choices: Sequence[int]) -> Iterator[list[int]]:
    """One stretch left out, or one choice made smaller; the largest steps first."""
    width = len(choices) // 2
    while width:
        for start in range(1, len(choices), max(1, width // 2)):
            yield [*choices[:start], *choices[start + width :]]
        width //= 2
    for k, choice in enumerate(choices):
        for less in sorted({0, choice // 2, choice - 1} - {choice, -1}):
            yield [*choices[:k], less, *choices[k + 1 :]]
        if choice and k + 1 < len(choices):
            yield [*choices[:k], 0, *choices[k + 2 :]]
