# ruff: noqa: E501  (lines of C in texts)
"""What loads yield: which writes may change a bound, what a caller stored, and what is said of
functions outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Count, LoopResult
from staticana.analysis import analyze
from staticana.frontend.compile import canonical, compile_sources

HEAD = """
struct pair { int n; int m; double *data; int *index; };
extern void outside(void);
extern void filled(struct pair *);
"""


def _loops(
    folder: Path, body: str, *, strict: bool = False, seconds: float = 2.0, head: str = HEAD
) -> list[LoopResult]:
    source = folder / "x.c"
    source.write_text(head + body)
    return list(
        analyze(
            canonical(compile_sources([source])), entry="entry", strict=strict, seconds=seconds
        ).loops
    )


def _total(folder: Path, body: str, *, strict: bool = False) -> Count:
    return _loops(folder, body, strict=strict)[-1].total


@pytest.mark.parametrize(
    "body",
    [
        "p->m = i;",  # another member
        "p->index[i] = i;",  # an int that no member's address reaches
        "p->data[i] = 1;",  # another type
        "int t[4]; t[i & 3] = i;",  # a local object
    ],
)
def test_a_member_is_one_value_while_only_others_are_written(tmp_path: Path, body: str) -> None:
    total = _total(
        tmp_path, f"void entry(struct pair *p) {{ for (int i = 0; i < p->n; i++) {{ {body} }} }}"
    )
    assert (total.kind, str(total.formula)) == ("parametric", "Max(0, n)")
    assert [o.meaning for o in total.opaque] == ["value loaded from p->n"]
    assert not total.assumptions


@pytest.mark.parametrize(
    "body",
    [
        "p->n = i;",
        "q->n = i;",  # the same member, of an object that may be the same
        "*(char *)q = 0;",  # characters reach everything
        "filled(p);",  # handed to a function outside
        "int *r = &q->n; *r = 1;",  # by its address
    ],
)
def test_a_member_that_may_change_is_no_bound(tmp_path: Path, body: str) -> None:
    total = _total(
        tmp_path,
        f"void entry(struct pair *p, struct pair *q) {{ for (int i = 0; i < p->n; i++) {{ {body}"
        " } }",
    )
    assert total.kind == "parametric"
    assert total.opaque[0].meaning.startswith(("iterations", "mean iterations"))


def test_functions_outside_are_an_assumption_which_strict_does_not_make(tmp_path: Path) -> None:
    body = "void entry(struct pair *p) { for (int i = 0; i < p->n; i++) { outside(); } }"
    assert _total(tmp_path, body).assumptions == ("outside returns", "outside does not write n")
    strict = _total(tmp_path, body, strict=True)
    assert (strict.kind, strict.formula, strict.assumptions) == ("bounded", None, ())
    assert [o.meaning for o in strict.opaque] == ["largest value loaded from p->n"]


def test_what_a_callee_stored_is_what_the_loop_reads(tmp_path: Path) -> None:
    total = _total(
        tmp_path,
        """
static void set(struct pair *p, int n) { p->n = n; p->m = 2 * n; }
static int rows(const struct pair *p) { return p->n; }
void entry(int n) { struct pair p; set(&p, n + 1); for (int i = 0; i < rows(&p); i++) { p.m = i; } }
""",
    )
    assert (total.kind, str(total.formula)) == ("exact", "Max(0, n + 1)")


def test_two_objects_of_one_type_keep_their_own_values(tmp_path: Path) -> None:
    loops = _loops(
        tmp_path,
        """
static void set(struct pair *p, int n) { p->n = n; }
static void work(struct pair *p) { for (int i = 0; i < p->n; i++) { p->data[i] = 0; } }
void entry(int n, int m) { struct pair a, b; set(&a, n); set(&b, m); work(&a); work(&b); }
""",
    )
    assert loops[0].total.kind == "exact"
    assert {loops[0].total.evaluate({"n": n, "m": m}) for n, m in ((3, 5), (8, -1))} == {8}


def test_rows_between_neighbouring_offsets_telescope(tmp_path: Path) -> None:
    total = _total(
        tmp_path,
        """
void entry(int n, const int *first, double *v) {
    for (int i = 0; i < n; i++) { for (int j = first[i]; j < first[i + 1]; j++) { v[j] = 0; } } }
""",
    )
    assert str(total.formula) == "first_n - first_0"
    assert [o.meaning for o in total.opaque] == [
        "value loaded from first[n]",
        "value loaded from first[0]",
    ]
    assert any("do not decrease" in a for a in total.assumptions)


def test_a_count_that_takes_too_long_is_refused_and_the_rest_goes_on(tmp_path: Path) -> None:
    inside = "".join(
        f"for (int v{k} = (v{k - 1} > m ? m : v{k - 1}); v{k} < n - v{k - 1}; v{k} += 2) "
        for k in range(1, 6)
    )
    loops = _loops(
        tmp_path,
        f"""
void entry(int n, int m, double *a) {{ for (int v0 = 0; v0 < n; v0++) {{ {inside} {{ a[v0]++; }} }}
    for (int i = 0; i < n; i++) {{ a[i]++; }} }}""",
        seconds=1e-6,
    )
    assert loops[-1].total.kind == "exact"
    assert any("takes longer than 1e-06 s" in (loop.total.reason or "") for loop in loops)


def test_who_is_trusted_not_to_write_is_said_for_values_of_unknown_origin_too(
    tmp_path: Path,
) -> None:
    total = _total(
        tmp_path,
        "void entry(void) { struct pair p; filled(&p); for (int i = 0; i < p.n; i++) {"
        " outside(); } }",
    )
    assert "outside does not write n" in total.assumptions


def test_a_buffer_handed_to_the_library_is_no_other_object_and_that_is_said(tmp_path: Path) -> None:
    body = """#include <stdio.h>
void entry(struct pair *p, char *buffer, FILE *f) { for (int i = 0; i < p->n; i++) { fgets(buffer, 80, f); } }"""
    assert _total(tmp_path, body).assumptions == ("fgets does not write n",)
    assert (
        _total(tmp_path, body, strict=True)
        .opaque[0]
        .meaning.startswith(("iterations", "mean iterations"))
    )
