"""The graphs of an analysis, against a program that counts its own calls."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import looplaw as ll
from staticana import find_compiler
from tests.lazily import Package
from tests.places import ROOT

nx = Package("networkx")

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#ifdef COUNTED
static long calls[80];
__attribute__((destructor)) static void print(void) {
    for (int line = 0; line < 80; line++) printf("%ld\\n", calls[line]);
}
#define CALL(f) (calls[__LINE__]++, f)
#else
#define CALL(f) f
#endif
static volatile long sum;
static void row(int m) { for (int j = 0; j < m; j++) sum += j; }
static void cell(int m) { sum += m; }
static void grid(int n, int m) {
    for (int i = 0; i < n; i++)
        CALL(row(m));
    for (int i = 0; i < n; i++)
        if (i > 2)
            CALL(cell(i));
    CALL(cell(n));
    CALL(cell(m));
}
static void twice(int n, int m) {
    CALL(grid(n, m));
    CALL(grid(m, n));
}
static void deep(int n) {
    for (int i = 0; i < 3; i++)
        CALL(cell(i));
    if (n > 0)
        CALL(deep(n - 1));
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void (*chosen)(int) = row;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int *a = calloc(100, sizeof *a);
    CALL(twice(n, m));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            CALL(cell(j));
    if (n > 5)
        CALL(chosen(m));
    CALL(deep(m));
    qsort(a, 100, sizeof *a, compare);
    for (int i = 0; i < 100; i++) {
        if (a[i]) break;
        CALL(cell(i));
    }
    if (m > 3) return 0;
    CALL(cell(n));
    return 0;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("graphs") / "calls.c"
    file.write_text(PROGRAM)
    return file


@pytest.fixture(scope="module")
def analysis(source: Path) -> ll.Analysis:
    return ll.analyze(source)


def place(text: str) -> int:
    """The line that begins so."""
    return next(k for k, line in enumerate(PROGRAM.splitlines(), 1) if line.strip() == text)


def test_calls_are_made_as_often_as_the_call_graph_says(
    source: Path, analysis: ll.Analysis
) -> None:
    program = source.with_suffix("")
    compiler = find_compiler().command
    subprocess.run([*compiler, "-w", "-DCOUNTED", source, "-o", program], check=True)
    told = {
        int(at.split(":")[-2]): total
        for *_, calls in analysis.call_graph.edges(data="calls")
        for at, total in calls.items()
    }
    for n, m in ((0, 0), (1, 3), (7, 2), (6, 9), (-2, 5)):
        done = subprocess.run([program, str(n), str(m)], capture_output=True, text=True, check=True)
        for line, number in enumerate(map(int, done.stdout.split())):
            if number:
                assert line in told
            if line in told and told[line].kind == "exact":
                assert told[line].evaluate({"n": n, "m": m}) == number, (line, n, m)
    exact = {line for line, total in told.items() if total.kind == "exact"}
    assert exact >= {
        *(place(f"CALL({c});") for c in ("twice(n, m)", "grid(n, m)", "grid(m, n)", "row(m)")),
        *(place(f"CALL({c});") for c in ("cell(j)", "chosen(m)", "deep(m)")),
    }


def test_the_call_graph_answers_what_networkx_is_asked(analysis: ll.Analysis) -> None:
    graph = analysis.call_graph
    assert set(graph) == {"main", "twice", "grid", "row", "cell", "deep", "compare"}
    assert nx.shortest_path(graph, "main", "cell") == ["main", "cell"]
    assert list(nx.selfloop_edges(graph)) == [("deep", "deep")]
    assert nx.descendants(graph, "twice") == {"grid", "row", "cell"}
    assert graph.nodes["row"]["line"] == analysis["row"].line
    assert graph.nodes["row"]["work"] is analysis["row"].work
    (handed,) = graph.edges["main", "compare"]["calls"].values()
    assert handed.kind == "unknown"
    assert handed.reason


def test_loops_stand_below_those_in_which_they_run(analysis: ll.Analysis) -> None:
    tree = analysis.loop_tree
    assert set(tree) == {loop.at for loop in analysis.loops}
    (row,) = (loop for loop in analysis.loops if loop.function == "row")
    (around,) = tree.predecessors(row.at)
    assert tree.nodes[around]["function"] == "grid"
    assert not tree.edges[around, row.at]["nested"]
    assert tree.nodes[row.at]["total"] is row.total
    nested = nx.DiGraph((a, b) for a, b, inside in tree.edges(data="nested") if inside)
    assert nx.is_forest(nested)
    assert nested.number_of_edges() == 1


def test_parameters_lead_to_what_they_can_influence() -> None:
    a = ll.analyze(
        "static volatile long sum;\n"
        "static void n(int k) { for (int i = 0; i < k; i++) sum += i; }\n"
        "int atoi(const char *);\n"
        "int main(int argc, char **argv) {\n"
        "    int n_ = atoi(argv[1]), m = atoi(argv[2]);\n"
        "    n(n_);\n"
        "    for (int j = 0; j < m; j++) sum += j;\n"
        "    return 0;\n"
        "}\n",
        param={"n": "argv[1]", "m": "argv[2]"},
    )
    graph = a.dependences
    assert nx.is_bipartite(graph)
    assert set(graph.successors("n")) == {a["source.c:2"].at, "n()", "main"}
    assert {a["source.c:7"].at, "main"} <= set(graph.successors("m"))
    assert not graph.has_edge("m", a["source.c:2"].at)
    assert graph.nodes["n()"]["kind"] == "function"
    assert graph.nodes["n"]["kind"] == "parameter"


def test_a_file_answers_all_but_who_calls_whom(analysis: ll.Analysis, tmp_path: Path) -> None:
    file = tmp_path / "analysis.json"
    file.write_text(json.dumps(analysis.to_json()))
    read = ll.load(file)
    assert set(read.loop_tree.edges) == set(analysis.loop_tree.edges)
    assert set(read.dependences.edges) == set(analysis.dependences.edges)
    with pytest.raises(ll.DataError, match=r"no call graph: looplaw\.analyze\(PROGRAM\) has") as e:
        read.call_graph  # noqa: B018
    assert "\n" not in str(e.value)


def test_networkx_is_imported_for_a_graph_alone(source: Path) -> None:
    code = (
        "import sys\n"
        "from looplaw.cli.main import main\n"
        "main(['analyze', sys.argv[1], '--json', '-'], standalone_mode=False)\n"
        "import looplaw\n"
        "a = looplaw.analyze(sys.argv[1])\n"
        "assert 'networkx' not in sys.modules\n"
        "a.loop_tree\n"
        "assert 'networkx' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, source], cwd=ROOT, check=True, capture_output=True)


def test_a_call_in_a_parallel_region_is_its_functions() -> None:
    try:
        a = ll.analyze(
            "static volatile long sum;\n"
            "static void row(int m) { for (int j = 0; j < m; j++) sum += j; }\n"
            "int atoi(const char *);\n"
            "int main(int argc, char **argv) {\n"
            "    int n = atoi(argv[1]);\n"
            "#pragma omp parallel for\n"
            "    for (int i = 0; i < n; i++) row(i);\n"
            "    return 0;\n"
            "}\n",
            language="c",
            flags=["-fopenmp"],
        )
    except ll.InputError as error:
        pytest.skip(f"no OpenMP: {error}")
    assert list(a.call_graph.edges) == [("main", "row")]
