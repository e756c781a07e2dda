"""Bounds of recursions that mark what they have seen, against runs over random graphs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest

from staticana import Count, analyze, canonical, compile_sources

_HEAD = """#include <vector>
using std::vector;
typedef vector<vector<std::pair<int, int>>> Pairs;
int coin(); int pick(int);
static vector<vector<int>> adj;
static int mk[16];
"""
_OPEN = {
    "marked_by_the_call": "(int u) { mk[u] = 1; for (int w : adj[u]) if (!mk[w]) NAME(w); }",
    "asked_by_the_call": "(int u) { if (mk[u]) return; mk[u] = 1; for (int w : adj[u]) NAME(w); }",
    "marked_before": "(int u) { for (int w : adj[u]) if (!mk[w]) { mk[w] = 1; NAME(w); } }",
    "bits": """(vector<vector<int>> &g, vector<bool> &seen, int u) { seen[u] = true;
        for (int w : g[u]) if (!seen[w]) NAME(g, seen, w); }""",
    "read_again": """(Pairs &g, vector<int> &seen, int u) { seen[u] = 1;
        for (auto &e : g[u]) if (!seen[e.first]) NAME(g, seen, e.first); }""",
    "rows": """(vector<vector<char>> &g, int x, int y) {
        if (x < 0 || y < 0 || x >= g.size() || y >= g[0].size() || g[x][y] != '1') return;
        g[x][y] = '0'; for (int k = 0; k < 4; k++) NAME(g, x + pick(k), y + pick(k + 4)); }""",
    "taken_back": """(int u) { if (mk[u]) return; mk[u] = 1; for (int w : adj[u]) NAME(w);
        mk[u] = 0; }""",
    "another_one": "(int u) { mk[u] = 1; for (int w : adj[u]) if (!mk[w]) NAME(w / 2); }",
    "too_late": "(int u) { for (int w : adj[u]) if (!mk[w]) NAME(w); mk[u] = 1; }",
    "twice": """(int u) { mk[u] = 1;
        for (int w : adj[u]) if (!mk[w]) { NAME(w); NAME(w); } }""",
    "perhaps": "(int u) { if (coin()) mk[u] = 1; for (int w : adj[u]) if (!mk[w]) NAME(w); }",
    "own_marks": """(int u) { int m[16] = {0}; if (m[u]) return; m[u] = 1;
        for (int w : adj[u]) NAME(w); }""",
    "copies": """(vector<int> seen, int u) { seen[u] = 1;
        for (int w : adj[u]) if (!seen[w]) NAME(seen, w); }""",
    "other_marks": """(int *a, int *b, int u) { a[u] = 1;
        for (int w : adj[u]) if (!a[w]) NAME(b, a, w); }""",
    "written_between": """(Pairs &g, vector<int> &seen, int u) { seen[u] = 1;
        for (auto &e : g[u]) if (!seen[e.first]) { e.first = u; NAME(g, seen, e.first); } }""",
    "one_sign_for_all": """(int u, int c) { if (mk[u] == c) return; mk[u] = c;
        for (int w : adj[u]) NAME(w, c); }""",
    "a_sign_of_its_own": """(int u, int c) { if (mk[u] == c) return; mk[u] = c;
        for (int w : adj[u]) NAME(w, c + 1); }""",
    "a_sign_that_is_read": """(int u, int *c) { if (mk[u] == *c) return; mk[u] = *c; *c += 1;
        for (int w : adj[u]) NAME(w, c); }""",
    "another_list_grows": """(vector<int> &g, vector<int> &seen, vector<int> &out, int u) {
        if (seen[u]) return; seen[u] = 1; out.push_back(u);
        for (int w : g) NAME(g, seen, out, w); }""",
}
"""Function -> what it is, NAME standing for itself."""
_BOUNDS = {
    "marked_by_the_call": "17*most_adj_size",
    "asked_by_the_call": "16*most_adj_size",
    "marked_before": "17*most_adj_size",
    "bits": "most_g_size*(most_seen_size + 1)",
    "read_again": "most_g_size*(most_seen_size + 1)",
    "rows": "4*g_cells",
    "one_sign_for_all": "32*most_adj_size",
}
"""The bound of the loop in all that one call does; None for the others."""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> str:
    text = "".join(f'extern "C" void {n}{b.replace("NAME", n)}\n' for n, b in _OPEN.items())
    file = tmp_path_factory.mktemp("marked") / "p.cc"
    file.write_text(_HEAD + text)
    return canonical(compile_sources([file]))


def _loop(module: str, name: str, *, strict: bool = False) -> Count:
    found = analyze(module, entry=name, strict=strict)
    return next(x for x in found.loops if x.function == name).total


@pytest.mark.parametrize("name", _OPEN)
def test_each_cell_pays_for_calls_once(module: str, name: str) -> None:
    upper = _loop(module, name).upper
    text = None if upper is None else re.sub(r"_(k|\d+)\b|_(k|\d+)(?=_)", "", str(upper))
    assert text == _BOUNDS.get(name)


def test_it_rests_on_accesses_that_stay_inside(module: str) -> None:
    found = _loop(module, "asked_by_the_call")
    assert any("stay inside their objects" in a for a in found.assumptions)
    assert _loop(module, "asked_by_the_call", strict=True).upper is None


_Graph = list[list[int]]


def _marked_by_the_call(g: _Graph, seen: set[int], u: int) -> Iterator[int]:
    seen.add(u)
    for w in g[u]:
        yield w
        if w not in seen:
            yield from _marked_by_the_call(g, seen, w)


def _asked_by_the_call(g: _Graph, seen: set[int], u: int) -> Iterator[int]:
    if u in seen:
        return
    seen.add(u)
    for w in g[u]:
        yield w
        yield from _asked_by_the_call(g, seen, w)


def _marked_before(g: _Graph, seen: set[int], u: int) -> Iterator[int]:
    for w in g[u]:
        yield w
        if w not in seen:
            seen.add(w)
            yield from _marked_before(g, seen, w)


@pytest.mark.parametrize("visit", [_marked_by_the_call, _asked_by_the_call, _marked_before])
def test_no_run_goes_beyond_the_bound(
    module: str, visit: Callable[[_Graph, set[int], int], Iterator[int]]
) -> None:
    upper = _loop(module, visit.__name__[1:]).upper
    assert upper is not None
    (symbol,) = upper.symbols
    rng = random.Random(visit.__name__)
    for k in range(200):
        g = [[rng.randrange(16) for _ in range(rng.randrange(9))] for _ in range(16)]
        seen = {u for u in range(16) if rng.randrange(3) == 0} if k % 2 else set[int]()
        runs = sum(1 for _ in visit(g, seen, rng.randrange(16)))
        assert runs <= upper.evaluate({symbol: max(map(len, g))})
