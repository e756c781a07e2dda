"""Bounds by sizes that only a run knows: texts, lists, inputs, values that are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Analysis, Count, analyze, canonical, compile_sources

HEAD = """#include <stdio.h>
#include <string.h>
struct node { int v; struct node *next, *left, *right; };
struct set { int n; int *of; };
extern int coin(void);
"""


def analysed(tmp_path: Path, source: str, entry: str) -> Analysis:
    file = tmp_path / "p.c"
    file.write_text(HEAD + source)
    return analyze(canonical(compile_sources([file])), entry=entry)


def bound(count: Count) -> tuple[str, list[str]]:
    """A bound, and what its symbols mean."""
    assert count.upper is not None
    return str(count.upper), [o.meaning for o in count.opaque if o.symbol in count.upper.symbols]


SIZES = {
    "a text": (
        "int f(char *s) { int k = 0; while (*s++) k++; return k; }",
        "s_len",
        "length of the string at s",
    ),
    "a text that is changed behind": (
        "void f(char *s) { for (int i = 0; s[i]; i++) if (s[i] > 'a') s[i]--; }",
        "s_len",
        "length of the string at s",
    ),
    "the front of a text": (
        "int f(char *s) { int i = 0;"
        " while (((s[i] >= 9 && s[i] <= 13) || s[i] == 32) && s[i]) i++; return i; }",
        "s_len",
        "length of the string at s",
    ),
    "a list": (
        "int f(struct node *p) { int k = 0; while (p) { k += p->v; p = p->next; } return k; }",
        "p_nodes",
        "nodes of the list at p",
    ),
    "a list that is turned round": (
        "struct node *f(struct node *p) { struct node *b = 0; while (p) {"
        " struct node *q = p->next; p->next = b; b = p; p = q; } return b; }",
        "p_nodes",
        "nodes of the list at p",
    ),
    "a path down a tree": (
        "int f(struct node *p, int v) { while (p) { if (p->v == v) return 1;"
        " p = v < p->v ? p->left : p->right; } return 0; }",
        "p_height",
        "height of the tree at p",
    ),
}


@pytest.mark.parametrize(("source", "upper", "meaning"), SIZES.values(), ids=list(SIZES))
def test_what_a_loop_passes_bounds_it(
    tmp_path: Path, source: str, upper: str, meaning: str
) -> None:
    total = analysed(tmp_path, source, "f").loops[0].total
    assert bound(total) == (upper, [meaning])


def test_a_text_that_may_end_before_has_no_formula_but_a_bound(tmp_path: Path) -> None:
    source = "int f(char *s) { int i = 0; while (s[i] != 10 && s[i]) i++; return i; }"
    total = analysed(tmp_path, source, "f").loops[0].total
    assert str(total.upper) == "s_len"
    assert total.formula != total.upper


def test_a_function_that_is_called_often_has_the_largest_one(tmp_path: Path) -> None:
    found = analysed(
        tmp_path,
        "int g(char *s) { int k = 0; while (*s++) k++; return k; }\n"
        "void f(char **t, int n) { for (int i = 0; i < n; i++) g(t[i]); }",
        "f",
    )
    upper, meanings = bound(found["p.c:6"].total)
    assert upper == "most_s_len*Max(0, n)"
    assert meanings == ["largest length of the string at s"]


def test_a_loop_runs_for_each_input_that_it_reads(tmp_path: Path) -> None:
    source = 'int main(void) { int c = 0; do { scanf("%d", &c); } while (c != 4); return c; }'
    total = analysed(tmp_path, source, "main").loops[0].total
    assert str(total.formula) == "values"
    assert [o.meaning.partition(" at ")[0] for o in total.opaque] == ["values that are read"]


def test_the_input_that_ends_a_loop_is_not_counted(tmp_path: Path) -> None:
    source = "int main(void) { int c; while ((c = getchar()) != 10) ; return c; }"
    total = analysed(tmp_path, source, "main").loops[0].total
    assert str(total.formula) == "characters"
    assert total.opaque[0].meaning.startswith("characters but the last that are read at ")


def test_a_loop_may_begin_once_more_than_it_reads(tmp_path: Path) -> None:
    source = (
        'int main(void) { int c = 0; while (1) { if (c == 4) break; scanf("%d", &c); } return c; }'
    )
    total = analysed(tmp_path, source, "main").loops[0].total
    assert str(total.upper) == "values + 1"


def test_what_a_callee_reads_each_time_is_an_input_of_the_loop(tmp_path: Path) -> None:
    source = (
        'int next(void) { int c; if (scanf("%d", &c) == 9) c = coin(); return c; }'
        "int main(void) { while (next() != 3) ; return 0; }"
    )
    total = analysed(tmp_path, source, "main").loops[0].total
    assert str(total.upper) == "values"
    assert total.kind != "exact"


def test_a_callee_that_need_not_read_bounds_nothing(tmp_path: Path) -> None:
    source = (
        'int next(void) { int c = coin(); if (c) scanf("%d", &c); return c; }'
        "int main(void) { while (next() != 3) ; return 0; }"
    )
    assert analysed(tmp_path, source, "main").loops[0].total.upper is None


def test_a_bound_that_is_read_anew_is_no_more_than_the_largest_one(tmp_path: Path) -> None:
    source = "void f(int *n, int *of) { for (int i = 0; i < *n; i++) of[i] = i; }"
    upper, meanings = bound(analysed(tmp_path, source, "f").loops[0].total)
    assert upper.startswith("Max(0, most_")
    assert meanings[0].startswith("largest value loaded from ")


def test_a_search_has_the_bound_of_what_it_searches(tmp_path: Path) -> None:
    source = (
        "int f(const struct set *s, int v) {"
        " for (int i = 0; i < s->n; i++) if (s->of[i] == v) return i; return -1; }"
    )
    assert bound(analysed(tmp_path, source, "f").loops[0].total)[1] == ["value loaded from s->n"]


UNBOUNDED = {
    "a text that is written ahead": "void f(char *s) { for (int i = 0; s[i]; i++) s[i + 1] = 1; }",
    "a text that another pointer may write": (
        "void f(char *s, char *t) { for (int i = 0; s[i]; i++) t[-i] = 1; }"
    ),
    "a text whose 0 is written over": (
        "void f(char *s) { for (int i = 0;; i++) { s[i] = 1; if (!s[i]) break; } }"
    ),
    "a list that grows": (
        "void f(struct node *p, struct node *q) {"
        " while (p) { p->next = q; q->next = p; p = p->next; } }"
    ),
    "a circle that data leave": (
        "int f(struct node *p) { int k = 0; while (coin()) { p = p->next; k++; } return k; }"
    ),
    "a node that need not change": (
        "void f(struct node *p) { while (p) { if (coin()) p = p->next; } }"
    ),
}


@pytest.mark.parametrize("source", UNBOUNDED.values(), ids=list(UNBOUNDED))
def test_what_may_change_has_no_size(tmp_path: Path, source: str) -> None:
    total = analysed(tmp_path, source, "f").loops[0].total
    assert total.kind != "exact"
    # but an array has room for so much
    assert total.upper is None or str(total.upper) == "most_s_elements"
