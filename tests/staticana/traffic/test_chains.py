"""Chains of operations that wait for one another, against those that one reads in the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import InputError, canonical, compile_sources, find_compiler
from staticana.interprocedural.program import Program
from staticana.ir.parser import parse_module
from staticana.traffic.access_tree import access_tree

_KERNELS = {
    "sum of products": (1, "double s = 0; LOOP s += a[i] * b[i]; a[0] = s;"),
    "Horner's rule": (2, "double s = 0; LOOP s = s * b[0] + a[i]; a[0] = s;"),
    "quotients": (5, "double s = 1; LOOP s = a[i] / s + 1; a[0] = s;"),
    "prefix sums": (1, "LOOP a[i + 1] = a[i + 1] + a[i];"),
    "a sum in memory": (2, "LOOP a[7] -= b[i] * a[7];"),
    "a value that the iteration stored": (
        2,
        "double y = 0; LOOP { a[i] = b[i] + 3 * y; y = a[i]; }",
    ),
    "single precision": (1, "float s = 0; LOOP s += (float)i; a[0] = s;"),
    "a sum under a condition": (1, "double s = 0; LOOP if (b[i] > 0) s += b[i]; a[0] = s;"),
    "an update": (0, "LOOP a[i] += 2 * b[i];"),
    "another place in each iteration": (0, "LOOP a[i] = a[i + 1] + b[i];"),
    "a sum of integers": (0, "int s = 0; LOOP s += c[i]; a[0] = s;"),
    "the value before": (0, "double last = 0; LOOP { b[i] = last; last = a[i] + 1; }"),
}


@pytest.fixture(scope="module")
def chains(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    try:
        find_compiler()
    except InputError:
        pytest.skip("no compiler")
    source = tmp_path_factory.mktemp("chains") / "kernels.c"
    loop = "for (int i = 0; i < n; i++)"
    functions = [
        f"static void f{k}(int n, double *a, double *b, int *c) {{ {body.replace('LOOP', loop)} }}"
        for k, (_, body) in enumerate(_KERNELS.values())
    ]
    calls = " ".join(f"f{k}(argc, a, b, c);" for k in range(len(functions)))
    source.write_text(
        "static double a[900], b[900]; static int c[900];\n"
        + "\n".join(functions)
        + f"\nint main(int argc, char **argv) {{ {calls} return (int)a[3]; }}\n"
    )
    program = Program(parse_module(canonical(compile_sources((str(source),)))), entry="main")
    names = dict(zip((f"f{k}" for k in range(len(functions))), _KERNELS, strict=True))
    return {names[loop.function]: loop.chain for loop in access_tree(program).loops}


@pytest.mark.parametrize("name", _KERNELS)
def test_the_longest_chain_of_a_loop(chains: dict[str, int], name: str) -> None:
    assert chains[name] == _KERNELS[name][0]


def test_only_innermost_loops_have_chains(tmp_path: Path) -> None:
    try:
        find_compiler()
    except InputError:
        pytest.skip("no compiler")
    source = tmp_path / "nest.c"
    source.write_text(
        """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = malloc(n * sizeof *a), s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s += a[j];
    return s > 0;
}
"""
    )
    program = Program(parse_module(canonical(compile_sources((str(source),)))), entry="main")
    found = {loop.at.split(":")[-2]: loop.chain for loop in access_tree(program).loops}
    assert found == {"5": 0, "6": 1}
