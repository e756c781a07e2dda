"""Tests that a run passes once: taken for passed where it gives up otherwise, named where not."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import Analysis, analyze, canonical, compile_sources

HEAD = """
#include <stdio.h>
#include <stdlib.h>
static double a[1000];
"""


def analysed(tmp_path: Path, body: str, *, above: str = "") -> Analysis:
    source = tmp_path / "p.c"
    source.write_text(f"{HEAD}{above}int main(int argc, char **argv) {{\n{body}\nreturn 0;\n}}\n")
    return analyze(canonical(compile_sources([source])))


GIVES_UP = {
    "another result": 'if (fscanf(stdin, "%d", &m) != 1) return 2;',
    "a message": 'if (fscanf(stdin, "%d", &m) != 1) { puts("bad"); return 0; }',
    "several tests": 'if (fscanf(stdin, "%d", &m) != 1 || m < 0 || getenv("A") == NULL) '
    '{ fprintf(stderr, "bad\\n"); return 1; }',
    "a cleanup": "double *b = malloc(8), *c = malloc(8);"
    ' if (!b || !c || fscanf(stdin, "%d", &m) != 1)'
    ' { fprintf(stderr, "bad\\n"); goto out; }',
    "the result that is tested": "m = getchar(); if (m) return m;",
    "one that is compared": "m = getchar(); if (m == 0) { a[3] = 1; } else return m;",
    "an exit": 'if (getenv("A")) { puts("usage"); exit(0); }',
}


@pytest.mark.parametrize("guard", GIVES_UP.values(), ids=list(GIVES_UP))
def test_a_run_that_gives_up_is_an_assumption(tmp_path: Path, guard: str) -> None:
    found = analysed(
        tmp_path,
        f"int n = atoi(argv[1]), m = 0; {guard} for (int i = 0; i < n; i++) a[i % 1000] += m;"
        " out: for (int i = 0; i < 3; i++) a[i] = 0;",
    )
    loop = found.loops[0]
    assert (loop.total.kind, str(loop.total.formula)) == ("exact", "Max(0, n)")
    assert any(note.startswith(("the run ", "no error exit")) for note in loop.total.assumptions)
    assert all("p.c:" in note for note in loop.total.assumptions if note.startswith("the run "))


@pytest.mark.parametrize(
    "guard", ["m = getchar(); if (m > 3) return m;", "m = getchar(); if (m != 2) return m;"]
)
def test_a_result_that_may_be_the_usual_one_is_no_error(tmp_path: Path, guard: str) -> None:
    found = analysed(
        tmp_path,
        f"int n = atoi(argv[1]), m = 0; {guard} for (int i = 0; i < n; i++) a[i % 1000] += m;",
    )
    assert found.loops[0].total.kind == "parametric"


def test_the_assumption_is_said_in_source_words(tmp_path: Path) -> None:
    found = analysed(
        tmp_path,
        'int n = atoi(argv[1]), m = 0; if (fscanf(stdin, "%d", &m) != 1) { puts("bad"); return 2; }'
        " for (int i = 0; i < n; i++) a[i % 1000] += m;",
    )
    assert any("`fscanf(...) == 1`" in note for note in found.loops[0].total.assumptions)


def test_a_side_branch_is_a_named_zero_or_one(tmp_path: Path) -> None:
    found = analysed(
        tmp_path,
        'int n = atoi(argv[1]), m = 0; fscanf(stdin, "%d", &m);'
        " if (m > 3) { for (int i = 0; i < n; i++) a[i % 1000] += m; }"
        " else { for (int i = 0; i < 2 * n; i++) a[i % 1000] += m; }",
    )
    for loop in found.loops:
        assert loop.total.kind == "parametric"
        (unknown,) = loop.total.opaque
        assert unknown.meaning.startswith("whether the run passes `m ")


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("_Bool b = m < 7, c = !b; if (c)", "`m >= 7`"),
        ("_Bool b = m < 7, c = !b; if (!c)", "`m < 7`"),
        ("_Bool b = m != 4, c = !b, d = !c; if (d)", "`m != 4`"),
        ("if (!(m <= 2))", "`m > 2`"),
    ],
)
def test_a_branch_is_named_by_what_is_compared(tmp_path: Path, test: str, words: str) -> None:
    found = analysed(
        tmp_path,
        'int n = atoi(argv[1]), m = 0; fscanf(stdin, "%d", &m);'
        f" {test} for (int i = 0; i < n; i++) a[i % 1000] += m;",
    )
    (unknown,) = found.loops[0].total.opaque
    assert unknown.meaning.startswith(f"whether the run passes {words} at ")


def test_code_that_runs_again_and_again_keeps_its_fraction(tmp_path: Path) -> None:
    found = analysed(
        tmp_path,
        "int n = atoi(argv[1]); for (int i = 0; i < n; i++) work(i, n);",
        above="static int work(int i, int n) {\n if (a[i % 1000] > 1) return 1;\n"
        " for (int k = 0; k < n; k++) a[k % 1000] += 1;\n return 0;\n}\n",
    )
    inner = next(loop for loop in found.loops if loop.function == "work")
    assert inner.total.kind == "parametric"
    assert inner.total.opaque[0].meaning.startswith("fraction")


def test_an_end_in_a_loop_that_works_bounds_what_follows(tmp_path: Path) -> None:
    found = analysed(
        tmp_path,
        "int n = atoi(argv[1]); find(n); for (int i = 0; i < n; i++) a[i % 1000] += 1;",
        above="static void find(int n) {\n for (int k = 0; k < n; k++)\n"
        '  if (a[k % 1000] > 1) { puts("found"); exit(0); }\n}\n',
    )
    last = next(loop for loop in found.loops if loop.function == "main")
    assert last.total.kind == "bounded"
    assert str(last.total.upper) == "Max(0, n)"


def test_options_that_end_the_program_are_passed(tmp_path: Path) -> None:
    found = analysed(
        tmp_path,
        "parse(argc, argv); for (int i = 0; i < 10; i++) a[i] += 1;",
        above="#include <string.h>\nstatic void parse(int argc, char **argv) {\n"
        ' for (int k = 1; k < argc; k++)\n  if (!strcmp(argv[k], "-h")) { puts("help"); exit(0); }'
        "\n}\n",
    )
    last = next(loop for loop in found.loops if loop.function == "main")
    assert (last.total.kind, str(last.total.formula)) == ("exact", "10")
    assert any(note.startswith("the run does not end at ") for note in last.total.assumptions)


def test_what_follows_a_certain_end_is_not_exact(tmp_path: Path) -> None:
    found = analysed(
        tmp_path,
        "int n = atoi(argv[1]); leave(n); for (int i = 0; i < n; i++) a[i % 1000] += 1;",
        above='__attribute__((noinline)) static void leave(int n) { printf("%d", n); exit(0); }\n',
    )
    main = next((loop for loop in found.loops if loop.function == "main"), None)
    assert main is None or main.total.kind != "exact" or str(main.total.formula) == "0"
