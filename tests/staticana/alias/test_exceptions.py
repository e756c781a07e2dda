"""An exception ends a run, or does not: what is behind its handler tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources

_STEP = """#include <cstdlib>
#include <stdexcept>
static long done;
static void step(int n, int k) {
    for (int i = 0; i < n; i++) {
        if ((i * 7 + k) % 11 == 10) throw std::runtime_error("bad");
        done++;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), k = 0;
"""
_ENDS = "try { step(n, k); } catch (...) { return 1; }\nreturn done == 7; }\n"
_RETURNS = (
    "for (; k < 5; k++) { try { step(n, k); } catch (...) { done += 3; } }\nreturn done == 7; }\n"
)
_EXITS = """for (;;) {
    try { step(n, k); } catch (...) { done += 3; }
    if (++k == 5) exit(done == 7);
} }
"""


@pytest.mark.parametrize(("rest", "is_exact"), [(_ENDS, True), (_RETURNS, False), (_EXITS, False)])
def test_a_throw_is_no_error_exit_where_the_run_goes_on(
    tmp_path: Path, rest: str, is_exact: bool
) -> None:
    source = tmp_path / "a.cc"
    source.write_text(_STEP + rest)
    (found,) = (
        x for x in analyze(canonical(compile_sources([source]))).loops if "step" in x.function
    )
    assert (found.total.kind == "exact") == is_exact


_MAIN = "#include <cstdlib>\nstatic long done;\n{functions}\nint main(int argc, char **argv) {{\n"
_LOOP = "for (int i = 0; i < k; i++) done++;\nreturn 0; }\n"


@pytest.mark.parametrize(
    ("functions", "body", "formula", "is_assumed"),
    [
        pytest.param(
            "static void stop() { throw 1; }",
            "try { stop(); k = n; } catch (...) { k = 2; }",
            "2",
            False,
            id="a call that always throws",
        ),
        pytest.param(
            "static void stop(int a) { if (a > 4) throw 1; throw 2; }\n"
            "static void pass(int a) { done++; stop(a); done++; }",
            "try { pass(n); k = n; } catch (...) { k = 3; }",
            "3",
            False,
            id="one that another function passes on",
        ),
        pytest.param(
            "",
            "try { if (n > 4) throw 1; k = n; } catch (...) { k = 2; }",
            "Max(0, Piecewise((2, n >= 5), (n, True)))",
            False,
            id="a throw that its own function catches",
        ),
        pytest.param(
            "static void check(int a) { if (a > 4) throw 1; }",
            "try { check(n); k = n; } catch (...) { return 1; }",
            "Max(0, n)",
            True,
            id="one under a condition elsewhere",
        ),
        pytest.param(
            "static void fail() { throw 1; }",
            "if (n > 4) fail(); k = n;",
            "Max(0, n)",
            True,
            id="a call under a condition",
        ),
        pytest.param(
            "static void fail(int a) { throw a; }",
            "for (int j = 0; j < 3; j++) { try { fail(j); k = n; } catch (int a) { k = a; } }",
            None,
            False,
            id="one of a type that is not known",
        ),
        pytest.param(
            "static void fail() { throw 1; }", "k = n; fail();", None, False, id="never caught"
        ),
    ],
)
def test_an_exception_that_always_comes_is_not_assumed_away(
    tmp_path: Path, functions: str, body: str, formula: str | None, is_assumed: bool
) -> None:
    source = tmp_path / "a.cc"
    head = _MAIN.format(functions=functions)
    source.write_text(f"{head}int n = atoi(argv[1]), k = 1;\n{body}\n{_LOOP}")
    total = analyze(canonical(compile_sources([source]))).loops[-1].total
    assert (str(total.formula) if total.kind == "exact" else None) == formula
    assert any("exception" in a for a in total.assumptions) == is_assumed
