"""Bounds of loops that go on for each element once: what they mark pays for them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from staticana import Analysis, Count, analyze, canonical, compile_sources

_HEAD = """#include <stdlib.h>
#include <string.h>
struct node { int mark; int next[4]; };
int coin(void);
int pick(int);
static int seen[1000], deg[1000], comp[1000];
static _Bool done[1000];
static struct node g[500];
static signed char color[64][64];
"""
_ITEM = "while (c > 0) { int w = pick(c); c--; %s } return c;"
_BOUNDED = {
    "plain": ("(int c)", "if (!seen[w]) { seen[w] = 1; c++; }", "Max(0, c + 1000)"),
    "bools": ("(int c)", "if (done[w]) continue; done[w] = 1; c += 2;", "Max(0, c + 2000)"),
    "members": ("(int c)", "if (!g[w].mark) { g[w].mark = 1; c++; }", "Max(0, c + 500)"),
    "rows": (
        "(int c)",
        """int v = pick(c); if (v < 0 || w < 0 || v > 63 || w > 63 || color[v][w] != 3) continue;
        color[v][w] = 4; c += 4;""",
        "Max(0, c + 16384)",
    ),
    "counted_down": ("(int c)", "if (--deg[w] == 0) c++;", "Max(0, c + 1000)"),
    "raised": (
        "(int c, int k)",
        "k = k < 0 ? 0 : k; if (comp[w] == -1) { comp[w] = 7; c++; }",
        "Max(0, c + 1000)",
    ),
    "as_many_as_told": (
        "(int c, char *a)",
        "if (a[w] == 'x') { a[w] = 'y'; c++; }",
        "Max(0, c + most_a_elements)",
    ),
    "another_cell": ("(int c)", "if (!seen[w]) { seen[w + 1] = 1; c++; }", None),
    "another_index": ("(int c)", "if (!seen[w]) { w = pick(c); seen[w] = 1; c++; }", None),
    "taken_back": ("(int c)", "if (!seen[w]) { seen[w] = 1; c++; } if (coin()) seen[w] = 0;", None),
    "by_another_pointer": (
        "(int c, int *a, int *b)",
        "if (!a[w]) { a[w] = 1; c++; } b[w / 2] = 0;",
        None,
    ),
    "cleared": ("(int c)", "if (!seen[w]) { seen[w] = 1; c++; } memset(seen, 0, 40);", None),
    "below_zero": ("(int c)", "if (--deg[w] < 0) c++;", None),
    "counted_up": ("(int c)", "if (--deg[w] == 0) c++; deg[pick(c)]++;", None),
}
"""Function -> its parameters, what one step of a worklist does, and the bound of its loop."""
_CXX = """#include <deque>
#include <queue>
#include <set>
#include <stack>
#include <unordered_set>
#include <utility>
#include <vector>
using std::vector;
typedef vector<vector<int>> Rows;
typedef vector<vector<std::pair<int, int>>> Pairs;
"""
_IN_CXX = {
    "bits": (
        """(Rows &adj) { vector<bool> seen(adj.size()); std::queue<int> q; q.push(0); int s = 0;
        while (!q.empty()) { int u = q.front(); q.pop(); s++;
            for (int w : adj[u]) if (!seen[w]) { seen[w] = true; q.push(w); } }
        return s; }""",
        ["adj_size + 2", None],
    ),
    "in_degrees": (
        """(Rows &adj, vector<int> &deg) { std::stack<int> q; q.push(0); int s = 0;
        while (!q.empty()) { int u = q.top(); q.pop(); s++;
            for (int w : adj[u]) if (--deg[w] == 0) q.push(w); }
        return s; }""",
        ["deg_size + 2", None],
    ),
    "flood": (
        """(vector<vector<char>> &grid) { int s = 0;
        for (int i = 0; i < grid.size(); ++i) {
            std::stack<std::pair<int, int>> q; q.push({i, 0});
            while (!q.empty()) { auto [x, y] = q.top(); q.pop(); s++;
                if (grid[x][y] != '1') continue;
                grid[x][y] = '0'; q.push({x + 1, y}); q.push({x, y + 1}); } }
        return s; }""",
        ["grid_size", "2*grid_cells + grid_size + 1"],
    ),
    "read_again": (
        """(Pairs &adj, vector<int> &seen) { std::queue<int> q; q.push(0); int s = 0;
        while (!q.empty()) { int u = q.front(); q.pop(); s++;
            for (auto &e : adj[u]) if (!seen[e.first]) { seen[e.first] = 1; q.push(e.second); } }
        return s; }""",
        ["seen_size + 2", None],
    ),
    "written_between": (
        """(Pairs &adj, vector<int> &seen) { std::queue<int> q; q.push(0);
        while (!q.empty()) { auto &e = adj[0][q.front()]; q.pop();
            if (!seen[e.first]) { e.first = 0; seen[e.first] = 1; q.push(e.second); } }
        return 0; }""",
        [None],
    ),
    "keys": (
        """(Rows &adj) { std::unordered_set<int> seen; vector<int> q = {0}; int s = 0;
        while (!q.empty()) { int u = q.back(); q.pop_back(); s++;
            for (const int &w : adj[u]) if (!seen.count(w)) { seen.insert(w); q.push_back(w); } }
        return s; }""",
        ["most_seen_size + 1", None],
    ),
    "levels": (
        """(Rows &adj) { std::set<int> seen; vector<int> q = {0}; int s = 0;
        while (!q.empty()) { vector<int> p;
            for (int u : q)
                if (seen.insert(u + 1).second) p.push_back(u);
            q = std::move(p); s++; }
        return s; }""",
        ["most_seen_size + 1", "most_seen_size + 1"],
    ),
    "another_key": (
        """(int n) { std::set<int> seen; vector<int> q = {0};
        while (!q.empty()) { int u = q.back(); q.pop_back();
            if (!seen.count(u)) { u = u / 2; seen.insert(u); q.push_back(u + n); } }
        return n; }""",
        [None],
    ),
}


def _compiled(folder: Path, name: str, text: str, *flags: str) -> str:
    file = folder / name
    file.write_text(text)
    return canonical(compile_sources([file], flags=flags))


@pytest.fixture(scope="module")
def c(tmp_path_factory: pytest.TempPathFactory) -> str:
    functions = (f"int {n}{p} {{ {_ITEM % step} }}\n" for n, (p, step, _) in _BOUNDED.items())
    return _compiled(tmp_path_factory.mktemp("marks"), "p.c", _HEAD + "".join(functions))


@pytest.fixture(scope="module")
def cxx(tmp_path_factory: pytest.TempPathFactory) -> str:
    functions = (f'extern "C" int {name}{body}\n' for name, (body, _) in _IN_CXX.items())
    text = _CXX + "".join(functions)
    return _compiled(tmp_path_factory.mktemp("marks"), "p.cc", text, "-std=c++17")


def _loops(analysis: Analysis, name: str) -> list[Count]:
    found = [x for x in analysis.loops if x.function == name]
    found.sort(key=lambda x: tuple(map(int, x.at.split(":")[-2:])))
    return [x.per_call for x in found]


def _text(count: Count) -> str | None:
    return None if count.upper is None else re.sub(r"_\d+\b", "", str(count.upper))


@pytest.mark.parametrize("name", _BOUNDED)
def test_each_cell_is_marked_once(c: str, name: str) -> None:
    (loop,) = _loops(analyze(c, entry=name), name)
    assert _text(loop) == _BOUNDED[name][2]


@pytest.mark.parametrize("name", _IN_CXX)
def test_elements_of_containers_are_marked_once(cxx: str, name: str) -> None:
    loops = _loops(analyze(cxx, entry=name), name)
    for loop, expected in zip(loops, _IN_CXX[name][1], strict=True):
        if expected is not None or len(loops) == 1:
            assert _text(loop) == expected


def test_marks_rest_on_accesses_that_stay_inside(c: str) -> None:
    (loop,) = _loops(analyze(c, entry="plain"), "plain")
    assert any("stay inside their objects" in a for a in loop.assumptions)
    (strict,) = _loops(analyze(c, entry="plain", strict=True), "plain")
    assert strict.upper is None
