"""Random loop nests in C: no exact formula may differ from the count, no bound may be violated.

LOOPLAW_NESTS sets how many are tried (default 25; a thousand take some minutes).
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from tests.twin import analysed, build_twin, check_exact, ordered_names

_COUNT = int(os.environ.get("LOOPLAW_NESTS", "25"))
_VECTORS = [(0, 0), (1, 1), (-2, 3), (5, 2), (8, 9), (13, 4), (7, 16), (17, -1), (11, 11)]


@st.composite
def _affine(draw: st.DrawFn, names: list[str]) -> str:
    """A small affine expression over parameters and outer loop variables."""
    parts = [f"{draw(st.integers(1, 2))} * {name}" if draw(st.booleans()) else name
             for name in draw(st.lists(st.sampled_from(names), max_size=2))]
    constant = draw(st.integers(-4, 6))
    text = " + ".join([*parts, str(constant)]) if constant >= 0 or not parts else f"{' + '.join(parts)} - {-constant}"
    shape = draw(st.integers(0, 9))
    if shape == 0:
        return f"({text}) / {draw(st.integers(2, 4))}"
    if shape == 1:
        other = draw(st.sampled_from(names))
        return f"({other} < {text} ? {other} : {text})"
    return text


@st.composite
def _loop(draw: st.DrawFn, names: list[str], depth: int, number: list[int]) -> list[str]:
    number[0] += 1
    v = f"v{number[0]}"
    low, high = draw(_affine(names)), draw(_affine(names))
    kind = draw(st.integers(0, 8))
    if kind <= 2:
        head = f"for (int {v} = {low}; {v} {draw(st.sampled_from(['<', '<=']))} {high}; {v} += {draw(st.integers(1, 3))}) {{"
    elif kind <= 4:
        head = f"for (int {v} = {high}; {v} {draw(st.sampled_from(['>', '>=']))} {low}; {v} -= {draw(st.integers(1, 3))}) {{"
    elif kind == 5:
        head = f"for (int {v} = {draw(st.integers(1, 3))}; {v} < {high}; {v} *= {draw(st.integers(2, 3))}) {{"
    elif kind == 6:
        head = f"for (int {v} = {high}; {v} > {draw(st.integers(0, 3))}; {v} /= 2) {{"
    elif kind == 7:
        number[0] += 1
        head = f"for (int {v} = {low}, v{number[0]} = {high}; {v} < v{number[0]}; {v}++, v{number[0]}--) {{"
    else:
        head = f"for (unsigned {v} = 0; (int){v} < {high}; {v}++) {{"
    body = draw(_body([*names, v] if kind != 8 else names, depth - 1, number))
    if draw(st.integers(0, 5)) == 0:
        body = [f"if ({v if kind != 8 else names[0]} {draw(st.sampled_from(['==', '>']))} {draw(_affine(names))}) break;", *body]
    return [head, *(f"    {line}" for line in body), "}"]


@st.composite
def _body(draw: st.DrawFn, names: list[str], depth: int, number: list[int]) -> list[str]:
    lines = ["s++;"]
    for _ in range(draw(st.integers(0, 2)) if depth > 0 else 0):
        inner = draw(_loop(names, depth, number))
        if draw(st.integers(0, 3)) == 0:
            condition = f"{draw(_affine(names))} {draw(st.sampled_from(['<', '>=', '==', '!=']))} {draw(_affine(names))}"
            inner = [f"if ({condition}) {{", *(f"    {line}" for line in inner), "}"]
        lines += inner
    return lines


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program with one or two nests of up to three loops over n and m."""
    number = [0]
    lines = [line for _ in range(draw(st.integers(1, 2))) for line in draw(_loop(["n", "m"], 3, number))]
    return "\n".join(["#include <stdlib.h>", "int main(int argc, char **argv) {", "    if (argc < 3) return 2;",
                      "    int n = atoi(argv[1]);", "    int m = atoi(argv[2]);", "    volatile long s = n + m;",
                      *(f"    {line}" for line in lines), "    return 0;", "}", ""])


@given(programs())
@settings(max_examples=_COUNT, deadline=None, derandomize=_COUNT <= 25,
          suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_no_formula_is_wrong(source: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "nest.c"
        path.write_text(source)
        analysis = analysed([path], parameters={"n": "argv[1]", "m": "argv[2]"})
        names = ordered_names(analysis)
        assert set(names) <= {"n", "m"}
        check_exact(analysis, build_twin([path], Path(folder)), _VECTORS, names=["n", "m"])
