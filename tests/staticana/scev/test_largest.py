"""Totals of loops whose iterations data decide at each entry, by the largest of these."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Count, analyze, canonical, compile_sources

HEAD = "extern int coin(void);\n"

CASES = {
    "what is read from an array": (
        "void f(int n, int *a) { for (int i = 0; i < n; i++)"
        " for (int j = 0; j < a[i]; j++) coin(); }",
        {"n": 3},
        {"a": 7},
        21,
        "largest value loaded from a[",
    ),
    "a result": (
        "void f(int n) { for (int i = 0; i < n; i++) { int m = coin();"
        " for (int j = 0; j < m; j++) coin(); } }",
        {"n": 4},
        {"m": 5},
        20,
        "largest result of coin",
    ),
    "a quotient of a result": (
        "void f(int n) { for (int i = 0; i < n; i++) { int m = coin();"
        " for (int j = 0; j < m; j += 2) coin(); } }",
        {"n": 4},
        {"m": 5},
        12,
        "largest result of coin",
    ),
    "a difference": (
        "void f(int n) { for (int i = 0; i < n; i++) { int a = coin(), b = coin();"
        " for (int j = a; j < b; j++) coin(); } }",
        {"n": 4},
        {"d": 5},
        20,
        "largest ",
    ),
}


def inner(tmp_path: Path, source: str) -> Count:
    file = tmp_path / "p.c"
    file.write_text(HEAD + source)
    return analyze(canonical(compile_sources([file])), entry="f").loops[1].total


@pytest.mark.parametrize(
    ("source", "known", "largest", "most", "meaning"), CASES.values(), ids=list(CASES)
)
def test_the_total_is_within_entries_times_the_largest(
    tmp_path: Path,
    source: str,
    known: dict[str, int],
    largest: dict[str, int],
    most: int,
    meaning: str,
) -> None:
    total = inner(tmp_path, source)
    assert total.upper is not None
    assert total.kind != "exact"
    told = [o for o in total.opaque if o.symbol in total.upper.symbols]
    assert len(told) == 1
    assert told[0].meaning.startswith(meaning)
    number = next(iter(largest.values()))
    assert total.upper.evaluate({**known, told[0].symbol: number}) == most


def test_what_falls_with_a_value_is_not_bounded_by_its_largest(tmp_path: Path) -> None:
    source = """void f(int n) { for (int i = 0; i < n; i++) { int m = coin();
        for (int j = m; j < 10; j++) coin(); } }"""
    total = inner(tmp_path, source)
    if total.upper is not None:  # of 10 - m, not of m
        symbols = dict.fromkeys(total.upper.symbols, 12) | {"n": 2}
        assert total.upper.evaluate(symbols) >= 24


def test_what_falls_with_what_is_read_is_bounded_by_its_smallest(tmp_path: Path) -> None:
    source = """void f(int n, int cap, const int *w) { for (int i = 0; i < n; i++)
        for (int c = cap; c >= w[i]; c--) coin(); }"""
    total = inner(tmp_path, source)
    assert total.upper is not None
    [least] = [o for o in total.opaque if o.symbol in total.upper.symbols]
    assert least.meaning.startswith("smallest value loaded from w[")
    assert total.upper.evaluate({"n": 3, "cap": 10, least.symbol: 4}) == 21
    assert "Sum" not in str(total.upper)
