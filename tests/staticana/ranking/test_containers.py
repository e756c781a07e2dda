"""Bounds of loops that fill and empty containers, and what they are called."""

from __future__ import annotations

import re

import pytest

from staticana import Count, analyze, canonical, compile_sources

_HEAD = """#include <deque>
#include <queue>
#include <stack>
#include <string>
#include <vector>
using std::vector;
struct Graph { vector<int> nodes; std::string label; };
void anything(vector<int> &q);
bool coin();
"""
_BOUNDED = {
    "asked_again": (
        """(vector<int> &v, int d) { size_t r = 2;
        while (r + 1 < v.size() && v[r] == d) ++r; return r; }""",
        "Max(0, v_size - 3)",
    ),
    "merged": (
        """(vector<int> &a, vector<int> &b) { int i = 0, j = 0;
        while (i < a.size() && j < b.size()) { if (a[i] < b[j]) i++; else j++; } return i; }""",
        "a_size + b_size",
    ),
    "one_pointer_follows": (
        """(vector<int> &a, vector<int> &b) { int j = 0;
        for (int x : a)
            while (j < b.size() && b[j] < x) j++;
        return j; }""",
        "b_size",
    ),
    "popped_while_filled": (
        """(vector<int> &v) { std::stack<int> q; int s = 0;
        for (int x : v) {
            while (!q.empty() && q.top() > x) { s += q.top(); q.pop(); }
            q.push(x);
        } return s; }""",
        "v_size",
    ),
    "some_put_in": (
        """(vector<int> &v) { vector<int> q; int s = 0;
        for (int x : v) if (x > 3) q.push_back(x);
        while (!q.empty()) { s += q.back(); q.pop_back(); } return s; }""",
        "v_size",
    ),
    "rows": (
        """(vector<vector<int>> &rows) { int s = 0;
        for (int i = 0; i < rows.size(); ++i)
            for (int j = 0; j < rows[i].size(); ++j) s += rows[i][j];
        return s; }""",
        "most_rows_k_size*rows_size",
    ),
    "texts": (
        """(vector<std::string> &words) { int s = 0;
        for (auto &w : words)
            for (char c : w) s += c;
        return s; }""",
        "most_w_size*words_size",
    ),
    "left_by_another": (
        """(vector<int> &v) { vector<int> q;
        for (int x : v) { q.push_back(x); anything(q); }
        while (!q.empty()) q.pop_back();
        return 0; }""",
        "q_size",
    ),
    "swapped": (
        """(vector<int> &v) { std::deque<int> q, p;
        for (int x : v) { q.push_back(x); if (coin()) std::swap(q, p); }
        while (!q.empty()) { q.pop_back(); if (q.empty()) std::swap(q, p); }
        return 0; }""",
        "v_size",
    ),
    "filled_while_emptied": (
        """(vector<int> &v) { std::queue<int> q; q.push(0); int s = 0;
        while (!q.empty()) { int u = q.front(); q.pop(); if (v[u]) q.push(u + 1); s += u; }
        return s; }""",
        None,
    ),
    "two_names_of_what_may_be_one": (
        """(vector<int> &v, vector<int> &w) { int s = 0;
        while (v.size() > 1) { v.pop_back(); w.push_back(s++); }
        return s; }""",
        None,
    ),
    "named": (
        """(Graph *g) { int s = 0;
        for (int i = 0; i < g->nodes.size(); ++i) s += i;
        for (size_t i = 0; i < g->label.size(); ++i) s += i;
        return s; }""",
        "label_size",
    ),
}
"""Function -> what stands behind its name, and the bound of the loop that stands last in it."""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("containers") / "p.cc"
    functions = (f'extern "C" int {name}{body}\n' for name, (body, _) in _BOUNDED.items())
    file.write_text(_HEAD + "".join(functions))
    return canonical(compile_sources([file], flags=["-std=c++17"]))


def last(module: str, name: str) -> Count:
    """The iterations of the loop that stands last in a function, in one call."""
    found = [x for x in analyze(module, entry=name).loops if x.function == name]
    return max(found, key=lambda x: tuple(map(int, x.at.split(":")[-2:]))).total


@pytest.mark.parametrize("name", _BOUNDED)
def test_bounds_by_numbers_of_elements(module: str, name: str) -> None:
    found = last(module, name).upper
    # names that several functions of a file have are numbered
    text = None if found is None else re.sub(r"_\d+\b", "", str(found))
    assert text == _BOUNDED[name][1]


def test_numbers_of_elements_are_called_as_in_the_source(module: str) -> None:
    count = last(module, "named")
    assert [(o.symbol, o.meaning) for o in count.opaque] == [("label_size", "g->label.size()")]
    # no container has fewer than no elements
    assert not any("label_size" in a for a in count.assumptions)
