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
