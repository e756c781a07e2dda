"""Loops that divide a number until it is 0, or as long as that leaves no remainder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources


def until_zero(n: int, d: int) -> int:
    number = 0
    while n:
        n, number = int(n / d), number + 1
    return number


def while_divisible(n: int, d: int) -> int:
    number = 0
    while n % d == 0:
        n, number = n // d, number + 1
    return number


CASES: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "until 0": ("while (n != 0) { n /= d; use(n); }", until_zero),
    "once at least": (
        "do { n /= d; use(n); } while (n != 0);",
        lambda n, d: max(1, until_zero(n, d)),
    ),
    "while divisible": ("while (n % d == 0) { n /= d; use(n); }", while_divisible),
}


@pytest.mark.parametrize(("loop", "count"), CASES.values(), ids=list(CASES))
def test_the_bound_is_held_and_met(
    tmp_path: Path, loop: str, count: Callable[[int, int], int]
) -> None:
    file = tmp_path / "p.c"
    file.write_text(f"extern int use(int);\nvoid f(int n, int d) {{ {loop} }}\n")
    total = analyze(canonical(compile_sources([file])), entry="f").loops[0].total
    assert total.upper is not None
    assert "d >= 2" in total.assumptions
    gaps = []
    for n in (*range(1, 200), 2**20, 3**12, 10**6):
        for d in (2, 3, 10, 16):
            gaps.append(total.upper.evaluate({"n": n, "d": d}) - count(n, d))
    assert min(gaps) == 0 or (min(gaps) == 1 and "%" in loop)


def test_a_number_that_is_not_asked_for_bounds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("extern int use(int);\nvoid f(int n, int d) { while (use(n)) n /= d; }\n")
    assert analyze(canonical(compile_sources([file])), entry="f").loops[0].total.upper is None
