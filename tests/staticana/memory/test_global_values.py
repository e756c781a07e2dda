"""Globals that are set once, whatever their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources

_SOURCE = """
#include <stdlib.h>
static int n$x;
static int table$[4] = {1, 2, 3, 4};
volatile double work;
static void set$(int v) { n$x = v; }
int main(int argc, char **argv) {
  set$(atoi(argv[1]));
  for (int i = 0; i < n$x; i++) work += i;
  for (int i = 0; i < table$[2]; i++) work += i;
  return 0;
}
"""


def test_names_that_ir_puts_in_quotes(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(_SOURCE)
    found = analyze(canonical(compile_sources([source])))
    assert [str(loop.total.formula) for loop in found.loops] == ["Max(0, v)", "3"]


_PART = """
#include <stdlib.h>
int shown = 5;
static int own = 4;
volatile double work;
void setup(int n);
int main(int argc, char **argv) {
  setup(atoi(argv[1]));
  for (int i = 0; i < shown; i++) work += i;
  for (int i = 0; i < own; i++) work += i;
  return 0;
}
"""


@pytest.mark.parametrize("strict", [False, True])
def test_other_modules_may_write_what_they_can_name(tmp_path: Path, strict: bool) -> None:
    source = tmp_path / "a.c"
    source.write_text(_PART)
    shown, own = (
        loop.total for loop in analyze(canonical(compile_sources([source])), strict=strict).loops
    )
    said = "setup writes only what its arguments point to"
    assert (said in shown.assumptions) == (not strict)
    assert str(own.upper if strict else own.formula) == "4"
    assert shown.upper is None if strict else str(shown.formula) == "5"


def test_an_entry_of_a_library_finds_what_others_have_put_into_globals(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        "int shown = 5; const int fixed = 6; volatile double work;"
        " void run(void) { for (int i = 0; i < shown; i++) work += i;"
        " for (int i = 0; i < fixed; i++) work += i; }"
    )
    found = analyze(canonical(compile_sources([source])), entry="run").loops
    assert [loop.total.kind for loop in found] == ["parametric", "exact"]


_STEPS = """
#include <stdlib.h>
#include <string.h>
typedef void (*step)(int);
static double a[64];
static void once(int n) {{ for (int i = 0; i < n; i++) a[i % 64] += i; }}
static void twice(int n) {{ for (int i = 0; i < 2 * n; i++) a[i % 64] -= i; }}
static step table[2] = {{once, twice}};
{change}
int main(int argc, char **argv) {{
    int n = atoi(argv[1]);
    {call}
    table[n > 9](n);
    return a[3] > 1;
}}
"""


@pytest.mark.parametrize(
    ("change", "call"),
    [
        ("", ""),
        ("void change(int k) { table[k] = twice; }", "change(argc & 1);"),
        ("void change(step *p) { *p = twice; }", "change(table);"),
        ("void change(step *p) { memcpy(p, p + 1, sizeof *p); }", "change(table);"),
        (
            "static step *at(int k) { return k ? &table[1] : table; }"
            " void change(int k) { *at(k) = twice; }",
            "change(0);",
        ),
    ],
    ids=["never", "by index", "by pointer", "copied", "by a pointer returned"],
)
def test_a_table_of_functions_holds_as_long_as_nothing_writes_it(
    tmp_path: Path, change: str, call: str
) -> None:
    source = tmp_path / "a.c"
    source.write_text(_STEPS.format(change=change, call=call))
    found = analyze(canonical(compile_sources([source])))
    totals = {loop.function: loop.total for loop in found.loops}
    if change:
        assert all(total.kind != "exact" for total in totals.values())
    else:
        for n in (5, 9, 10, 30):
            expected = {"once": n if n <= 9 else 0, "twice": 2 * n if n > 9 else 0}
            assert {f: total.evaluate({"n": n}) for f, total in totals.items()} == expected


_TEMPLATE = """
#include <stdlib.h>
#include <string.h>
struct particle { double x[3], f[3]; };
struct system { int n; struct particle *p; };
struct table { size_t buckets, entries; int **first; };
volatile double work;
static struct system *make(int n) {
  struct system *s = malloc(sizeof *s);
  s->n = n;
  s->p = calloc(n, sizeof *s->p);
  return s;
}
static void forces(struct system *s) {
  for (int i = 0; i < s->n; i++) memset(s->p[i].f, 0, sizeof s->p[i].f);
}
static int *find(struct table *t, int key) { t->entries++; return t->first[key % t->buckets]; }
int main(int argc, char **argv) {
  struct system *s = make(atoi(argv[1]));
  for (int i = 0; i < 3; i++) forces(s);
  struct table t = {.buckets = 31};
  t.first = calloc(t.buckets, sizeof *t.first);
  for (int i = 0; i < 5; i++) work += find(&t, i) != 0;
  for (size_t b = 0; b < t.buckets; b++) work += b;
  return 0;
}
"""


def test_the_constant_that_a_structure_is_copied_from_is_written_by_nothing(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(_TEMPLATE)
    found = analyze(canonical(compile_sources([source])))
    assert [str(loop.total.formula) for loop in found.loops if loop.function == "main"] == [
        "3",
        "5",
        "31",
    ]
