"""Loops over C++ containers are counted by their sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import InputError, analyze, canonical, compile_sources, find_compiler
from staticana.frontend import containers
from staticana.frontend.containers import has_wanted
from tests.twin import line_of

SOURCE = """#include <algorithm>
#include <numeric>
#include <vector>
struct Point { double x, y; int z; };
struct Cloud { std::vector<Point> points; long sum() const; };
double over(const std::vector<double> &v) {
  double s = 0;
  for (auto x : v) {
    s += x;
  }
  for (auto it = v.begin(); it != v.end(); ++it) {
    s += *it;
  }
  for (std::size_t i = 0; i < v.size(); i++) {
    s += v[i];
  }
  std::for_each(v.begin(), v.end(), [&](double x) { s += x; });
  return s + std::accumulate(v.begin(), v.end(), 0.0);
}
long Cloud::sum() const {
  long s = 0;
  for (const auto &p : points) {
    s += p.z;
  }
  return s;
}
template <int N> int repeated(int n) {
  int s = 0;
  for (int i = 0; i < n * N; i++) {
    s += i;
  }
  return s;
}
int both(int n) { return repeated<2>(n) + repeated<3>(n); }
"""


@pytest.fixture(params=["", "zig"], ids=["libstdc++", "libc++"])
def text(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LOOPLAW_CC", request.param)
    try:
        find_compiler()
    except InputError:
        pytest.skip("the ziglang wheel is not installed")
    path = tmp_path / "v.cpp"
    path.write_text(SOURCE)
    return canonical(compile_sources([path]))


def test_vectors_are_counted_by_their_size(text: str) -> None:
    analysis = analyze(text, entry="over")
    loops = [loop for loop in analysis.loops if loop.function == "over"]
    assert len(loops) == 3
    for loop in [*loops, *(loop for loop in analysis.library if loop.total.opaque)]:
        assert [o.meaning for o in loop.total.opaque] == ["v.size()"]
        assert [loop.total.evaluate({"v_size": n}) for n in (0, 1, 7)] == [0, 1, 7]
    assert len(analysis.library) == 2


def test_a_member_of_a_class_has_its_name(text: str) -> None:
    (loop,) = [loop for loop in analyze(text, entry="sum").loops if loop.function == "sum"]
    assert line_of(loop.at) == "v.cpp:22"
    assert loop.total.evaluate({"points_size": 5}) == 5


def test_instances_of_a_template_add_up(text: str) -> None:
    (loop,) = [
        loop for loop in analyze(text, entry="both").loops if loop.function.startswith("repeated")
    ]
    assert [loop.total.evaluate({"n": n}) for n in (-1, 0, 4)] == [0, 0, 20]


def test_what_is_put_into_a_vector_stays_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """libc++ hands the address of the value through lambda expressions."""
    path = tmp_path / "p.cc"
    path.write_text(
        "#include <cstdlib>\n#include <vector>\nint main(int argc, char **argv) {\n"
        "  int n = std::atoi(argv[1]);\n  std::vector<int> v;\n  v.push_back(n);\n"
        "  for (int i = 0; i < n; i++) {\n    v[0] += i;\n  }\n  return v[0] < 0;\n}\n"
    )
    for name in ("", "zig"):
        monkeypatch.setenv("LOOPLAW_CC", name)
        try:
            find_compiler()
        except InputError:
            continue
        (loop,) = analyze(canonical(compile_sources([path]))).loops
        assert (loop.total.kind, str(loop.total.formula)) == ("exact", "Max(0, n)")


_NODES = """#include <cstdlib>
#include <list>
static volatile long s;
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  std::list<int> l(n, 3);
  for (int x : l) s += x;
  for (auto i = l.begin(); i != l.end(); ++i) {
    if (*i == argc) continue;
    s += 2;
  }
  return 0;
}
"""


def test_a_list_is_walked_once_from_end_to_end(tmp_path: Path) -> None:
    source = tmp_path / "nodes.cc"
    source.write_text(_NODES)
    try:
        found = analyze(canonical(compile_sources([source])))
    except InputError as error:
        pytest.skip(str(error))
    totals = {line_of(x.at): x.total for x in found.loops}
    for line in (7, 8):
        total = totals[f"nodes.cc:{line}"]
        assert (total.kind, str(total.formula)) in (("exact", "n"), ("exact", "Max(0, n)"))


@pytest.mark.parametrize(
    "name",
    [
        "_ZN9__gnu_cxx17__normal_iteratorIPdSt6vectorIdSaIdEEEppEv",
        "_ZNSt6vectorIdSaIdEE5beginEv",
        "_ZNKSt6vectorIdSaIdEE4cendEv",
        "_ZNSt3__16vectorIdNS_9allocatorIdEEE5beginB8ne200100Ev",
        "_ZNSt3__111__wrap_iterIPdEppB8ne200100Ev",
        "_ZZNSt3__18for_eachIPdZ1fvEUldE_ENKUldE_clEd",
        "_ZNSt14_List_iteratorIdEppEv",
        "_ZNSt20_List_const_iteratorIdEppEv",
        "_ZNSt17_Rb_tree_iteratorIiEppEv",
        "_ZNSt8__detail14_Node_iteratorIiLb1ELb0EEppEv",
        "_ZNSt3__115__list_iteratorIdPvEppB8ne200100Ev",
        "_ZNSt3__114__map_iteratorINS_15__tree_iteratorIiEEEppEv",
        "_ZNSt3__115__hash_iteratorIPiEppEv",
        "_ZNSt8_Rb_treeIiiE8_M_beginEv",
        "_ZNSt8__detail19_Node_iterator_baseIiLb0EE7_M_incrEv",
        "_ZSt3minIiERKT_S2_S2_",
        "_ZSt5clampIiERKT_S2_S2_S2_",
        "_ZNSt3__13maxB8ne200100IiEERKT_S3_S3_",
        "_ZNKSt4pairIiiE3getEv",
        "_ZNSt5tupleIJiiEEC2Ev",
        "_ZNSt4pairIiiEC2Ev",
        "_ZNKSt10unique_ptrIiE3getEv",
        "_ZNKSt10shared_ptrIiE3getEv",
        "_ZNSt3__16__lessIiiEclERKiS3_",
        "_ZNSt3__112__end_nodeEv",
    ],
)
def test_functions_that_may_be_inlined_are_noticed_by_their_names(name: str) -> None:
    looked_for = containers._WANTED.search(name) is not None
    assert has_wanted(f"call void @{name}(ptr %0)") == looked_for
    assert not has_wanted("call void @solve(ptr %0)")
