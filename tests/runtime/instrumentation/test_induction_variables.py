"""Loops whose own variable counts them, whatever its step is; and those where it does not tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime import Program, build_program, plan_all, run
from runtime.instrumentation.instrument import counters_in
from staticana import Module, canonical, compile_sources, parse_module

# line -> (the loop, its iterations in Python); a, b and s are arguments
LOOPS = {
    10: ("for (int i = a; i < b; i += 3) t += d[i & 63];", lambda a, b, s: len(range(a, b, 3))),
    11: ("for (int i = b; i > a; i -= 5) t += d[i & 63];", lambda a, b, s: len(range(b, a, -5))),
    12: (
        "for (size_t i = 0; i < (size_t)b; i += 4) t += d[i & 63];",
        lambda a, b, s: len(range(0, b, 4)),
    ),
    13: (
        "for (int i = a; i < b; i += s) t += d[i & 63];",
        lambda a, b, s: len(range(a, b, s)) if a < b else 0,
    ),
    14: (
        "for (long i = b; i > a; i += -(long)s) t ^= d[i & 63];",
        lambda a, b, s: len(range(b, a, -s)) if b > a else 0,
    ),
    15: (
        "for (int i = a; i < b; i += s) { t += d[i & 63]; if (t == 1 << 20) break; }",
        lambda a, b, s: len(range(a, b, s)) if a < b else 0,
    ),
    16: (
        "for (int i = a; i < b; i += 7) { t += d[i & 63]; if (i == a + 14) break; }",
        lambda a, b, s: min(3, len(range(a, b, 7))),
    ),
    17: (
        "for (unsigned i = a; i != (unsigned)a + 3u * (unsigned)s; i += s) t += d[i & 63];",
        lambda a, b, s: 3 if s else 0,
    ),
    18: (
        "for (int i = 0, m = s; i < b; i += m) { t += d[i & 63]; m++; }",
        lambda a, b, s: next(k for k in range(10**6) if sum(s + j for j in range(1, k + 1)) >= b),
    ),
    19: (
        "for (long i = a; i < b; i += s + 1) t += d[i & 63];",
        lambda a, b, s: len(range(a, b, s + 1)) if a < b else 0,
    ),
    20: (
        "for (int i = b; i > a; i -= s) t ^= d[i & 63];",
        lambda a, b, s: len(range(b, a, -s)) if b > a else 0,
    ),
    21: (
        "{ int i = a, k; do { k = i; i += s; t += d[k & 63]; } while (k < b); }",
        lambda a, b, s: next(k for k in range(1, 10**6) if a + (k - 1) * s >= b),
    ),
    22: (
        "{ int i = a, k; do { k = i; i += 2; t += d[k & 63]; } while (k < b); }",
        lambda a, b, s: next(k for k in range(1, 10**6) if a + (k - 1) * 2 >= b),
    ),
    23: (
        "for (long i = a; i != a + 4 * (long)s; i += s) t ^= d[i & 63];",
        lambda a, b, s: 4 if s else 0,
    ),
}
FOLLOWED = {10, 11, 12, 13, 14, 16, 18, 19, 20, 22, 23}
"""Of these a variable counts (in 18 it is m); 15 may end at a step of 0, 17 may wrap, 21 tests
behind its body."""
CASES = [
    (0, 0, 1),
    (0, 1, 1),
    (0, 64, 1),
    (-7, 50, 3),
    (3, 1000, 7),
    (5, 6, 100),
    (9, 2, 4),
    (0, 12, 12),
    (0, 13, 12),
    (4, 4, 0),
]


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Module:
    path = tmp_path_factory.mktemp("source") / "program.c"
    lines = "\n".join(f"    {text}" for text, _ in LOOPS.values())
    path.write_text(f"""#include <stdlib.h>
static int d[64];
int main(int argc, char **argv) {{
    int a = atoi(argv[1]), b = atoi(argv[2]), s = atoi(argv[3]);
    long t = 0;
    d[0] = argc;



{lines}
    return t == 77;
}}
""")
    return parse_module(canonical(compile_sources([path])))


@pytest.fixture(scope="module")
def program(module: Module, tmp_path_factory: pytest.TempPathFactory) -> Program:
    return build_program(
        module.text, plan_all(module), tmp_path_factory.mktemp("built") / "program"
    )


@pytest.mark.parametrize(("a", "b", "s"), CASES)
def test_counts(program: Program, a: int, b: int, s: int, tmp_path: Path) -> None:
    result = run(
        [str(program.executable), str(a), str(b), str(s)], timeout_s=60, cells=tmp_path / "cells"
    )
    assert result.status == "ok", result
    assert result.counts is not None
    assert program.plan is not None
    found = {
        int(c.at.split(":")[-2]): int(result.counts.iterations[c.id]) for c in program.plan.counters
    }
    assert found == {line: count(a, b, s) for line, (_, count) in LOOPS.items()}


def test_no_counter_runs_along_where_a_variable_does(module: Module) -> None:
    plan = plan_all(module, timed=False, entries=False)
    at = {(c.function, c.header): int(c.at.split(":")[-2]) for c in plan.counters}
    assert {at[c.function, c.header] for c in counters_in(module, plan) if c.follows} == FOLLOWED
