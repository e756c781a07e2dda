"""OpenMP: what a team counts together equals the formula, for several numbers of threads."""

from __future__ import annotations

import random
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from staticana import Compiler, InputError, analyze, canonical, compile_sources, find_compiler
from tests.places import PROGRAMS
from tests.twin import analysed, build_twin, check_exact, line_of

OPENMP = PROGRAMS / "openmp"
FLAGS = ("-fopenmp",)


@cache
def missing_openmp(compiler: Compiler | None = None) -> str | None:
    """Why OpenMP programs cannot be built here (by this compiler)."""
    compiler = compiler or find_compiler()
    done = subprocess.run(
        [*compiler.command, *FLAGS, "-x", "c", "-", "-o", "/dev/null"],
        capture_output=True,
        text=True,
        input="#include <omp.h>\nint main(void) { return omp_get_max_threads() == 0; }",
        check=False,
    )
    return (
        None
        if done.returncode == 0
        else f"{compiler} has no OpenMP: apt install libomp-{compiler.version[0]}-dev"
    )


def _need_openmp() -> None:
    reason = missing_openmp()
    if reason:
        pytest.skip(reason)


@pytest.mark.parametrize(
    ("name", "exact", "loops"), [("schedules.c", 16, 16), ("regions.c", 10, 11)]
)
def test_team_counts_as_predicted(
    name: str, exact: int, loops: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _need_openmp()
    analysis = analysed([OPENMP / name], flags=FLAGS)
    assert {p.name: p.origin for p in analysis.parameters} == {
        "n": "argv[1]",
        "m": "argv[2]",
        "p": "omp:threads",
    }
    twin = build_twin([OPENMP / name], tmp_path, FLAGS)
    # nothing may stand between collapsed loops: the twin does not count the outer one
    counted = tuple(loop for loop in analysis.loops if line_of(loop.at) in twin.lines)
    assert len(analysis.loops) - len(counted) == (name == "regions.c")
    analysis = replace(analysis, loops=counted)
    assert len(analysis.loops) == loops
    assert sum(loop.total.kind == "exact" for loop in analysis.loops) == exact, [
        (loop.at, loop.total.reason) for loop in analysis.loops if loop.total.kind != "exact"
    ]
    generator = random.Random(3)
    for threads in (1, 2, 4):
        monkeypatch.setenv("OMP_NUM_THREADS", str(threads))
        vectors = [(n, m, threads) for n, m in [(0, 0), (-2, 3), (17, 9), (5, 0)]] + [
            (generator.randint(-2, 17), generator.randint(0, 9), threads) for _ in range(8)
        ]
        assert check_exact(analysis, twin, vectors, ["n", "m", "p"]) == exact * len(vectors)


def test_loops_stand_where_the_source_has_them() -> None:
    _need_openmp()
    analysis = analysed([OPENMP / "schedules.c"], flags=FLAGS)
    source = (OPENMP / "schedules.c").read_text().splitlines()
    for loop in analysis.loops:
        assert "for (" in source[int(line_of(loop.at).split(":")[1]) - 1]
    assert {loop.function for loop in analysis.loops} == {"main", "f"}
    inner = next(loop for loop in analysis.loops if loop.nesting == 3)
    assert inner.parent is not None


WORKSHARING = """
#include <stdlib.h>
void work(double *a, int n, int m) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i] += j;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  double *a = calloc(n, 8);
  work(a, n, m);
  return a[0] > 0;
}
"""


def test_depth_and_efficiency_of_a_shared_loop(tmp_path: Path) -> None:
    _need_openmp()
    path = tmp_path / "w.c"
    path.write_text(WORKSHARING)
    analysis = analysed([path], flags=FLAGS)
    work = next(f for f in analysis.functions if f.name == "main")
    for n, m in [(8, 3), (1, 5), (7, 0)]:
        assert work.work.evaluate({"n": n, "m": m, "p": 4}) == n * m
        assert work.depth.evaluate({"n": n, "m": m, "p": 4}) == m
    assert work.efficiency is not None
    assert "p" in work.efficiency


def test_depth_of_unequal_iterations_is_refused(tmp_path: Path) -> None:
    _need_openmp()
    path = tmp_path / "w.c"
    path.write_text(WORKSHARING.replace("j < m", "j < i"))
    depth = next(f for f in analysed([path], flags=FLAGS).functions if f.name == "main").depth
    assert depth.kind == "unknown"
    assert "not all of one length" in str(depth.reason)


def test_ir_of_a_team_needs_no_openmp_here() -> None:
    """A worksharing loop inside a serial one, as clang wrote it; names of values are discarded."""
    analysis = analyze(canonical((OPENMP / "team.ll").read_text()))
    totals = {line_of(loop.at): loop.total for loop in analysis.loops}
    for n, m, p in [(6, 3, 1), (6, 3, 4), (0, 2, 3), (-1, 4, 2)]:
        values = {"n": n, "m": m, "p": p}
        assert totals["team.c:6"].evaluate(values) == p * max(0, m)
        assert totals["team.c:8"].evaluate(values) == max(0, m) * max(0, n)


def test_what_to_install_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "w.c"
    path.write_text("#include <omp.h>\nint main(void) { return 0; }")
    monkeypatch.setenv("LOOPLAW_CC", "zig")
    try:
        find_compiler()
    except InputError:
        pytest.skip("the ziglang wheel is not installed")
    with pytest.raises(InputError, match=r"OpenMP.*libomp-\d+-dev"):
        compile_sources([path], flags=FLAGS, only=find_compiler())


def test_constructs_that_are_not_analysed_are_refused(tmp_path: Path) -> None:
    _need_openmp()
    path = tmp_path / "t.c"
    path.write_text(
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n  int n = atoi(argv[1]), s = 0;\n "
        " #pragma omp teams distribute parallel for reduction(+:s)\n  for (int i = 0; i < n; i++) s"
        " += 1;\n  #pragma omp"
        " parallel for\n  for (int i = 0; i < 7; i++) s += 1;\n  return s;\n}\n"
    )
    totals = {
        line_of(loop.at).split(":")[1]: loop.total for loop in analysed([path], flags=FLAGS).loops
    }
    assert totals["7"].evaluate({}) == 7
    refused = [total for line, total in totals.items() if line != "7"]
    assert len(refused) == 1
    assert all(total.kind == "unknown" and "not analysed" in str(total.reason) for total in refused)


def test_both_versions_of_a_loop_under_an_if_clause_of_simd_are_rewritten(tmp_path: Path) -> None:
    """clang writes the loop twice, each after a call of its own that asks for the bounds."""
    path = tmp_path / "simd.c"
    path.write_text(
        "#include <stdlib.h>\n"
        "int main(int argc, char **argv) {\n"
        "  int n = atoi(argv[1]), c = 0;\n"
        "#pragma omp parallel for simd reduction(+ : c) if (n > 10)\n"
        "  for (int i = 0; i < n; i++) c += i;\n"
        "  return c < 0;\n}\n"
    )
    analysis = analyze(canonical(compile_sources([path], flags=["-fopenmp"])))
    assert {line_of(loop.at) for loop in analysis.loops} == {"simd.c:5"}
    assert all(loop.total.kind in ("exact", "parametric") for loop in analysis.loops)


ORPHANS = """
#include <omp.h>
#include <stdlib.h>
long s;
static void orphan(int n) {
  #pragma omp for schedule(guided) nowait
  for (int i = 0; i < n; i++) s += 1;
  #pragma omp single
  for (int i = 0; i < n; i++) s += 1;
}
static int mine(int n) {
  return n / omp_get_num_threads() + (omp_get_thread_num() < n % omp_get_num_threads());
}
static void within(int n) {
  orphan(n + 1);
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  #pragma omp parallel
  {
    within(n);
    for (int i = 0; i < mine(m); i++) s += 1;
    #pragma omp sections
    {
      #pragma omp section
      for (int i = 0; i < m; i++) s += 1;
    }
    #pragma omp single
    {
      #pragma omp taskloop grainsize(3)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += 1;
    }
  }
  orphan(m);
  return 0;
}
"""


def test_orphaned_constructs_taskloops_and_a_single_section(tmp_path: Path) -> None:
    """Functions that regions call share out the work of the team that calls them, and do it alone
    outside of regions."""
    _need_openmp()
    path = tmp_path / "orphans.c"
    path.write_text(ORPHANS)
    found = {line_of(loop.at).split(":")[1]: loop for loop in analysed([path], flags=FLAGS).loops}
    assert {line: loop.function for line, loop in found.items()} == {
        "7": "orphan",
        "9": "orphan",
        **dict.fromkeys(("22", "26", "31", "32"), "main"),
    }
    for n, m, p in [(5, 7, 1), (0, 1, 3), (8, 3, 2), (4, 0, 4)]:
        counted = {"7": n + 1 + m, "9": n + 1 + m, "22": m, "26": m, "31": n, "32": n * m}
        values = {"n": n, "m": m, "p": p}
        assert {line: loop.total.evaluate(values) for line, loop in found.items()} == counted


def test_copies_in_one_function_add_up_in_a_call_of_it(tmp_path: Path) -> None:
    """A function with a region is inlined where a region calls it; here, one of one thread."""
    _need_openmp()
    path = tmp_path / "twice.c"
    path.write_text(
        """
        static void work(void) {
            #pragma omp parallel
            for (int i = 0; i < 2; i++) {
            }
        }
        static void both(void) {
            work();
            #pragma omp parallel if (0)
            work();
        }
        int main(void) { both(); return 0; }
        """
    )
    (loop,) = analyze(canonical(compile_sources([path], flags=FLAGS))).loops
    assert (loop.function, str(loop.total.formula)) == ("both", "4*p")
    assert str(loop.per_call.formula) == "4*p"
