"""`collapse(k)`: every loop of the source is reported, with the iterations that it has where the
pragma is ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Compiler, analyze, canonical, compile_sources
from staticana.frontend.clang import usable_compilers
from staticana.frontend.program_files import compile_source
from tests.staticana.frontend.test_openmp import FLAGS, missing_openmp

SOURCE = """#include <stdlib.h>
long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    #pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < j; k++)
                s += k;
    #pragma omp parallel for collapse(3) schedule(dynamic, 2) reduction(+ : s)
    for (int i = 0; i < 4; i++)
        for (unsigned j = 2; j < (unsigned)(m + 20); j += 2)
            for (long k = n; k > -3; k -= 2)
                s += k;
    #pragma omp parallel for collapse(2) schedule(static, 3) reduction(+ : s)
    for (int i = 0; /* for ( */ i < 6; i++)
        for (int j = 13; j > 3; j -= 2)
            s += j;
    #pragma omp simd collapse(2) reduction(+ : s)
    for (int i = 1; i <= n; i += 2)
        for (int j = 0; j < m; j++)
            s += j;
    #pragma omp parallel
    for (int t = 0; t < m; t++) {
        #pragma omp for collapse(2) nowait
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= m; j++)
                s += j;
    }
    #pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = i; j < m; j++)
            s += j;
    return 0;
}
"""


NESTING = dict.fromkeys(("6:5", "11:5", "16:5", "20:5", "24:5", "31:5"), 1)
NESTING |= dict.fromkeys(("7:9", "12:9", "17:9", "21:9", "26:9", "32:9"), 2)
NESTING |= dict.fromkeys(("8:13", "13:13", "27:13"), 3)


def counts(n: int, m: int, p: int) -> dict[str, int]:
    """Iterations by line and column of the loops' words; the loop over t runs on every thread."""
    down = len(range(n, -3, -2))
    even = len(range(2, m + 20, 2))
    return {
        "6:5": max(0, n),
        "7:9": max(0, n) * max(0, m),
        "8:13": max(0, n) * sum(range(m)),
        "11:5": 4,
        "12:9": 4 * even,
        "13:13": 4 * even * down,
        "16:5": 6,
        "17:9": 30,
        "20:5": len(range(1, n + 1, 2)),
        "21:9": len(range(1, n + 1, 2)) * max(0, m),
        "24:5": p * max(0, m),
        "26:9": max(0, m) * max(0, n),
        "27:13": max(0, m) * max(0, n) * (max(0, m) + 1),
        "31:5": max(0, n),
        "32:9": sum(len(range(i, m)) for i in range(n)),
    }


def test_sources_are_found_from_a_folder_beside_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # debug information names files from the folder that both have in common
    if missing_openmp():
        pytest.skip(str(missing_openmp()))
    path = tmp_path / "nests.c"
    path.write_text(SOURCE)
    beside = tmp_path / "beside"
    beside.mkdir()
    monkeypatch.chdir(beside)
    analysis = analyze(canonical(compile_sources([path], flags=FLAGS)))
    assert {loop.at.split(":", 1)[1] for loop in analysis.loops} == NESTING.keys()


@pytest.mark.parametrize("compiler", usable_compilers(), ids=str)
def test_every_loop_of_the_source_is_counted(
    compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing_openmp():
        pytest.skip(str(missing_openmp()))
    monkeypatch.setenv("LOOPLAW_CC", "zig" if compiler.kind == "zig" else compiler.command[0])
    path = tmp_path / "nests.c"
    path.write_text(SOURCE)
    analysis = analyze(canonical(compile_sources([path], flags=FLAGS)))
    found = {loop.at.split(":", 1)[1]: loop for loop in analysis.loops}
    assert found.keys() == counts(1, 1, 1).keys()
    assert {at: loop.nesting for at, loop in found.items()} == NESTING
    assert found["8:13"].parent == found["7:9"].at
    assert found["7:9"].parent == found["6:5"].at
    assert found["6:5"].inner == (found["7:9"].at,)
    for n, m, p in [(5, 3, 1), (0, 7, 2), (17, 2, 4), (4, 0, 2), (1, 1, 4), (-2, -3, 2), (6, 9, 3)]:
        values = {"n": n, "m": m, "p": p}
        for at, expected in counts(n, m, p).items():
            assert found[at].total.kind == "exact", (at, found[at].total.reason)
            formula = found[at].total.formula
            assert formula is not None
            assert formula.evaluate(values) == expected, (at, values)


def test_the_work_is_that_of_the_innermost_loops(tmp_path: Path) -> None:
    """The loops around a collapsed one are no work of their own."""
    path = tmp_path / "work.c"
    path.write_text(
        "double a[64];\n"
        "void f(int n, int m) {\n"
        "#pragma omp simd collapse(2)\n"
        "  for (int i = 0; i < n; i++)\n"
        "    for (int j = 0; j < m; j++)\n"
        "      a[j] += i;\n"
        "}\n"
    )
    found = analyze(canonical(compile_sources([path], flags=["-fopenmp-simd"])), entry="f")
    # columns are those of the loops' steps with clang 14
    assert [loop.at.split(":")[-2] for loop in found.loops] == ["4", "5"]
    assert found.functions[0].work.evaluate({"n": 6, "m": 7}) == 42


def test_without_the_source_a_loop_stands_where_its_step_does(tmp_path: Path) -> None:
    path = tmp_path / "nests.c"
    path.write_text(SOURCE)
    text = compile_source(path, FLAGS).replace(str(path), "gone.c")
    path.unlink()
    assert "looplaw.nest" in text
    bare = tmp_path / "bare.c"
    bare.write_text(
        "#define EACH(i, n) for (int i = 0; i < n; i++)\n"
        "long s;\n"
        "void f(int n, int m) {\n"
        "#pragma omp parallel for collapse(2)\n"
        "  EACH(i, n)\n"
        "    EACH(j, m)\n"
        "      s += i;\n"
        "}\n"
    )
    found = analyze(canonical(compile_sources([bare], flags=FLAGS)), entry="f")
    assert {loop.at.split(":")[1]: str(loop.total.formula) for loop in found.loops}.keys() == {
        "5",
        "6",
    }
