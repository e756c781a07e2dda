"""The law of the traffic against an exact LRU simulation of the same references."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import canonical, compile_sources
from staticana.interprocedural.program import Program
from staticana.ir.parser import parse_module
from staticana.traffic import Refused, TrafficLaw, traffic
from staticana.traffic.distinct_lines import distinct
from staticana.traffic.simulation import Simulator

from .lru import lru_misses, trace

KERNELS = {
    "ijk": """void ijk(int n, double A[n][n], double B[n][n], double C[n][n]) {
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j]; }""",
    "ikj": """void ikj(int n, double A[n][n], double B[n][n], double C[n][n]) {
      for (int i = 0; i < n; i++) for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) C[i][j] += A[i][k] * B[k][j]; }""",
    "lu": """void lu(int n, double A[n][n]) {
      for (int k = 0; k < n; k++) for (int i = k + 1; i < n; i++) {
        A[i][k] /= A[k][k];
        for (int j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j]; } }""",
    "stencil": """void stencil(int n, double A[n][n], double B[n][n]) {
      for (int t = 0; t < 3; t++) {
        for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
          B[i][j] = A[i][j] + A[i][j-1] + A[i][j+1] + A[i-1][j] + A[i+1][j];
        for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j]; } }""",
    "transpose": """void transpose(int n, double A[n][n], double B[n][n]) {
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) B[j][i] = A[i][j]; }""",
    "trsv": """void trsv(int n, double L[n][n], double *x, double *b) {
      for (int i = 0; i < n; i++) { x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j];
        x[i] /= L[i][i]; } }""",
    "gemver": """void gemver(int n, double A[n][n], double *u, double *v, double *x, double *y,
                             double *w) {
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] += u[i] * v[j];
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i] += A[j][i] * y[j];
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) w[i] += A[i][j] * x[j]; }""",
    "columns": """double columns(int n, double A[n][n]) { double s = 0;
      for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) s += A[i][j];
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += A[i][j];
      return s; }""",
    "gather": """double gather(int n, double *x, int *col) { double s = 0;
      for (int i = 0; i < n; i++) s += x[col[i]]; return s; }""",
    "callee": """static void row(int n, double *a, double *b) {
      for (int j = 0; j < n; j++) b[j] += a[j]; }
      void callee(int n, double A[n][n], double *b) {
        for (int i = 0; i < n; i++) row(n, &A[i][0], b); }""",
}


def law(name: str, folder: Path) -> TrafficLaw:
    source = folder / f"{name}.c"
    source.write_text(KERNELS[name] + "\n")
    return traffic(Program(parse_module(canonical(compile_sources((str(source),)))), entry=name))


@pytest.mark.parametrize("name", [k for k in KERNELS if k != "gather"])
def test_lines_agree_with_lru(name: str, tmp_path: Path) -> None:
    found = law(name, tmp_path)
    for n in (16, 30):
        for capacity in (2048, 1 << 20):
            exact = lru_misses(found.tree.body, capacity, {"n": n})
            assert found.lines(capacity, {"n": n}) == pytest.approx(exact, rel=0.02), (n, capacity)


@pytest.mark.parametrize("name", ["ijk", "lu", "stencil", "gemver"])
def test_samples_agree_with_all_accesses(name: str, tmp_path: Path) -> None:
    found = law(name, tmp_path)
    values, capacities = {"n": 160}, (8 << 10, 64 << 10, 512 << 10)
    exact = found.at(values, capacities)
    sampler = Simulator(found.tree, found.parameters, accesses=0, sampled=300_000)
    some = sampler.evaluate(capacities, values)
    assert (exact.method, some.method) == ("simulated", "sampled")
    assert some.footprint == pytest.approx(exact.footprint, rel=0.01)
    for one, other in zip(some.levels, exact.levels, strict=True):
        assert one.missed == pytest.approx(other.missed, rel=0.05)
        assert one.low * 0.97 <= other.missed <= one.high * 1.03
        assert one.written_back == pytest.approx(other.written_back, rel=0.25)
    for loop, same in zip(some.loops, exact.loops, strict=True):
        assert loop.iterations == pytest.approx(same.iterations, rel=1e-3)


@pytest.mark.parametrize("name", [k for k in KERNELS if k != "gather"])
def test_distinct_lines_are_those_of_a_trace(name: str, tmp_path: Path) -> None:
    body, values = law(name, tmp_path).tree.body, {"n": 30}
    lines, written, is_counted = distinct(body, values)
    assert is_counted
    assert lines == len(set(trace(body, values)))
    assert 0 <= written <= lines


def test_write_backs(tmp_path: Path) -> None:
    level = law("transpose", tmp_path).at({"n": 128}, (1 << 20,)).levels[0]
    assert level.written_back == 128 * 128 / 8  # B alone is written
    assert level.missed == 2 * level.written_back


def test_large_sizes_are_sampled(tmp_path: Path) -> None:
    lines = law("gemver", tmp_path).lines(256 << 10, {"n": 2048})
    # a column of A is 2048 lines, half of the cache: A streams three times
    assert lines == pytest.approx(3 * 2048**2 / 8, rel=0.05)


def test_needs_values(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="needs a value for n"):
        law("ijk", tmp_path).lines(1024, {})


def test_data_choose_at_random(tmp_path: Path) -> None:
    found = law("gather", tmp_path)
    assert found.parameters == ("n", "x_bytes")
    assert found.unknowns["x_bytes"] == "bytes of x"
    n, lines = 8000, 500
    level = found.at({"n": n, "x_bytes": 64 * lines}, (1 << 22,)).levels[0]
    # every line of x is found by one of 8000 elements but for (1 - 1/500)**8000
    assert level.missed == pytest.approx(n * 4 / 64 + lines, abs=2)
    assert level.random == pytest.approx(lines, abs=2)
    small = found.at({"n": n, "x_bytes": 64 * lines}, (64 * 250,)).levels[0]
    assert small.random == pytest.approx(n / 2, rel=0.1)  # half of x is in the cache, less col


ODDS = """double odds(int n, double *a, double *b) { double s = 0;
  for (int i = 0; i < n; i++) if (a[i] > 0) s += b[i];
  return s; }"""

SWAP = """void swap(int n, int steps, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
    double *c = a; a = b; b = c; } }"""

ROWS = """double rows(int n, double **a) { double s = 0;
  for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) s += a[i][j];
  return s; }"""

SEARCH = """int find(int n, int m, double *a, double *q) { int found = 0;
  for (int k = 0; k < m; k++) { int lo = 0, hi = n;
    while (lo < hi) { int mid = lo + (hi - lo) / 2;
      if (a[mid] < q[k]) lo = mid + 1; else hi = mid; }
    found += lo; }
  return found; }"""

CHASE = """int chase(int n, int *next) { int p = 0;
  for (int i = 0; i < n; i++) p = next[p];
  return p; }"""


def law_of(text: str, entry: str, folder: Path) -> TrafficLaw:
    source = folder / "program.c"
    source.write_text(text + "\n")
    return traffic(Program(parse_module(canonical(compile_sources((str(source),)))), entry=entry))


def test_conditions_on_data_give_bounds(tmp_path: Path) -> None:
    found = law_of(ODDS, "odds", tmp_path)
    level = found.at({"n": 800}, (4096,)).levels[0]
    assert (level.low, level.high) == (100, 200)
    assert not level.is_sure
    assert "fraction" in level.reason
    assert found.at({"n": 800, "f1": 1}, (4096,)).levels[0].missed == 200


def test_distinct_lines_under_conditions_on_data(tmp_path: Path) -> None:
    found = law_of(ODDS, "odds", tmp_path)
    values, capacities = {"n": 8000}, (1 << 20,)
    exact = found.at(values, capacities).levels[0]
    sampler = Simulator(found.tree, found.parameters, accesses=0, sampled=10_000)
    some = sampler.evaluate(capacities, values).levels[0]
    assert some.missed == pytest.approx(exact.missed, rel=0.02)
    assert (some.low, some.high) == (exact.low, exact.high)


def test_swapped_arrays_take_turns(tmp_path: Path) -> None:
    found = law_of(SWAP, "swap", tmp_path)
    at = found.at({"n": 800, "steps": 3}, (4096, 1 << 20))
    assert [x.missed for x in at.levels] == [600, 200]
    assert [loop.iterations for loop in at.loops] == [3, 3 * 798]


def test_rows_by_pointers(tmp_path: Path) -> None:
    found = law_of(ROWS, "rows", tmp_path)
    at = found.at({"n": 256}, (4096, 1 << 20))
    # each row and the pointers to it; a column of 256 lines does not fit in 64
    assert at.levels[1].missed == pytest.approx(256 * 32 + 32, abs=64)
    assert at.levels[0].missed == pytest.approx(256 * 256 + 256 * 32, rel=0.02)
    assert any("one size" in note for note in found.notes)


def test_binary_search_finds_the_middle_in_the_cache(tmp_path: Path) -> None:
    found = law_of(SEARCH, "find", tmp_path)
    values = {"n": 1 << 14, "m": 2000, "t1": 14, "a_bytes": 8 << 14}
    level = found.at(values, (32 << 10,)).levels[0]
    # the upper 8 of 14 steps stay in a cache of 512 lines, the last 3 are in one line
    assert 2000 < level.missed < 4 * 2000
    assert level.is_sure


def test_pointer_chasing_is_not_sure(tmp_path: Path) -> None:
    level = law_of(CHASE, "chase", tmp_path).at({"n": 10_000, "next_bytes": 1 << 20}, (4096,))
    assert not level.is_sure
    assert "data decide" in level.levels[0].reason


def test_footprints_and_conditions(tmp_path: Path) -> None:
    _, middle, inner = law("ijk", tmp_path).loops
    assert inner.lines is not None
    assert inner.per_iteration is not None
    # n lines of B's column, a range of A's row, and one of C's element
    assert str(inner.lines) in ("(9*n + 15)/8", "9*n/8 + 15/8")
    assert inner.per_iteration.constant == 3
    assert middle.fits_until(32 << 10) == ("n", 453)  # 9 n/8 + 15/8 <= 512


def test_triangles_have_no_closed_footprint(tmp_path: Path) -> None:
    outer = law("trsv", tmp_path).loops[0]
    assert outer.lines is None


def test_regimes_agree_with_lru(tmp_path: Path) -> None:
    found = law("ijk", tmp_path)
    everything, rows, columns, nothing = found.regimes
    n = 160
    for regime, lines in ((everything, 10_000), (rows, 4000), (columns, 250)):
        # the condition holds for this capacity, and that of the regime before does not
        assert all(e.evaluate({"n": n}) <= lines for e in regime.needs)
        assert regime.lines is not None
        exact = found.lines(64 * lines, {"n": n})
        assert float(regime.lines.evaluate({"n": n})) == pytest.approx(exact, rel=0.02)
    assert [len(r.at) for r in (everything, rows, nothing)] == [0, 1, 1]


def test_regimes_of_a_triangle_are_summed(tmp_path: Path) -> None:
    found = law("lu", tmp_path)
    inner = next(r for r in found.regimes if r.lines is not None)
    assert str(inner.lines).count("n") == 3  # a cubic polynomial in n
    exact = found.lines(64 * 10, {"n": 400})  # not even a row fits
    assert inner.lines is not None
    assert float(inner.lines.evaluate({"n": 400})) == pytest.approx(exact, rel=0.15)
