"""What becomes of argv: laws speak of a word only where the program reads what the user wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from staticana import Count, ProgramParameter, analyze, canonical, compile_sources
from tests.twin import build_twin

HEADER = """#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <stdio.h>
int MPI_Init(int *, char ***);
volatile long s;
#define OWN static __attribute__((noinline))
OWN void loop(long k) {
  for (long i = 0; i < k; i++) {
    s += 1;
  }
}
struct line { int c; char **v; };
struct options { const char *file; int n; };
"""
LOOP = "a.c:9"
READ = "loop(atoi(argv[1]));"
SWAP = "OWN void change(char ***v) { (*v)[1] = (*v)[2]; }"
IN_STRUCTURE = "OWN void change(struct line *l) { l->v[1] = l->v[2]; }"
GLOBAL = "char **kept; OWN void change(void) { kept[1] = kept[2]; }"


def law_and_counts(
    folder: Path, before: str, body: str, runs: Sequence[Sequence[int]]
) -> tuple[Count, tuple[ProgramParameter, ...], list[int]]:
    """The law of `loop`, the parameters, and what the loop's twin counts in each run."""
    source, stub = folder / "a.c", folder / "stub.c"
    source.write_text(
        f"{HEADER}{before}\nint main(int argc, char **argv) {{\n{body}\nreturn 0;\n}}\n"
    )
    stub.write_text("int MPI_Init(int *c, char ***v) { return 0; }\n")
    found = analyze(canonical(compile_sources([source])))
    (total,) = [x.total for x in found.loops if x.function == "loop"]
    twin = build_twin([source, stub], folder)
    return total, found.parameters, [twin.run(run)[LOOP] for run in runs]


def values(parameters: Sequence[ProgramParameter], words: Sequence[int]) -> dict[str, int]:
    """The parameters of a run with these words."""
    at = {p.name: int(p.origin[5:-1]) for p in parameters if p.origin.startswith("argv[")}
    numbers = {name: words[k - 1] for name, k in at.items()}
    return numbers | {p.name: len(words) + 1 for p in parameters if p.origin == "argc"}


@pytest.mark.parametrize(
    ("before", "body"),
    [
        (
            "OWN void begin(int *c, char ***v) { MPI_Init(c, v); (*v)[1] = (*v)[2]; }",
            "begin(&argc, &argv);",
        ),
        (SWAP, "MPI_Init(&argc, &argv); change(&argv);"),
        (SWAP, "change(&argv); MPI_Init(&argc, &argv);"),
        (SWAP, "change(&argv);"),
        (
            "OWN void clean(int *c, char ***v) { char **a = *v; if (a[1][0] == '5') {"
            " a[1] = a[2]; a[2] = a[3]; --*c; } }",
            "MPI_Init(&argc, &argv); clean(&argc, &argv);",
        ),
        (
            "char **kept; OWN void change(void) { kept[0] = kept[1]; }",
            "kept = argv; MPI_Init(&argc, &kept); kept++; change();",
        ),
        ("OWN void change(char ***v) { (*v)[1][0] = '7'; }", "change(&argv);"),
        ("OWN void change(char **w) { (*w)[0] = '7'; }", "char *w = argv[1]; change(&w);"),
        ("char *kept; OWN void change(void) { kept[0] = '7'; }", "kept = argv[1]; change();"),
        (GLOBAL, "kept = argv; change();"),
        (IN_STRUCTURE, "struct line l = {argc, argv}; change(&l);"),
        (IN_STRUCTURE, "struct line *l = malloc(sizeof *l); l->v = argv; change(l);"),
        (
            f"{IN_STRUCTURE} OWN struct line *made(char **v)"
            " { struct line *l = malloc(sizeof *l); l->v = v; return l; }",
            "change(made(argv));",
        ),
        (
            "struct line all; OWN void change(void) { all.v[1] = all.v[2]; }",
            "all.v = argv; change();",
        ),
        (
            "OWN void change(char **v) { v[1] = v[2]; } OWN void not(char **v) {}"
            "void (*volatile call)(char **) = not;",
            "if (s == 0) call = change; call(argv);",
        ),
        (
            "OWN void change(int n, ...) { va_list l; va_start(l, n);"
            " char **v = va_arg(l, char **); v[1] = v[2]; va_end(l); }",
            "change(1, argv);",
        ),
        (
            "unsigned long kept; OWN void change(void) { char **v = (char **)kept; v[1] = v[2]; }",
            "kept = (unsigned long)argv; change();",
        ),
        ("", "char *copy[3]; memcpy(copy, argv, sizeof copy); copy[1][0] = '9';"),
        ("", "char *end; strtol(argv[1], &end, 10); end[-1] = '1';"),
        ("", "char **two[2] = {argv, argv}; two[argc & 1][1] = argv[2];"),
        (
            "OWN char ***same(char ***v) { return v; }",
            "char ***v = same(&argv); (*v)[1] = (*v)[2];",
        ),
    ],
)
def test_words_that_are_changed_anywhere_are_no_parameters(
    tmp_path: Path, before: str, body: str
) -> None:
    total, _, counted = law_and_counts(tmp_path, before, body + READ, [(5, 6, 8)])
    assert counted != [5]
    assert total.kind != "exact"


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("char **kept;", f"kept = argv; {READ}"),
        ("", "char *end; long n = strtol(argv[1], &end, 10); if (*end) return 1; loop(n);"),
        ("", f"char **end = argv; while (*end) {{ end++; }} s = end - argv; {READ}"),
        (
            "OWN void parse(struct options *o, char **v) { o->file = v[2]; o->n = atoi(v[1]); }",
            'struct options o; parse(&o, argv); fopen(o.file, "r"); loop(o.n);',
        ),
        (
            "struct options all; OWN void parse(char **v) { all.file = v[2]; all.n = atoi(v[1]); }",
            'parse(argv); fopen(all.file, "r"); loop(all.n);',
        ),
    ],
)
def test_words_that_are_kept_and_read_are_parameters(
    tmp_path: Path, before: str, body: str
) -> None:
    runs = [(5, 6), (0, 3), (12, 1)]
    total, parameters, counted = law_and_counts(tmp_path, before, body, runs)
    assert total.kind == "exact"
    assert [total.evaluate(values(parameters, run)) for run in runs] == counted


GET = "OWN int get(char **a) { return atoi(a[1]); }"
TAKE = "OWN void take(char ***a) { ++*a; }"
NEXT = "OWN int next(char ***a) { return atoi(*++*a); }"


@pytest.mark.parametrize(
    ("before", "body", "at"),
    [
        (TAKE, f"MPI_Init(&argc, &argv); take(&argv); {READ}", 2),
        (TAKE, f"take(&argv); take(&argv); {READ}", 3),
        (GET, "loop(get(argv + 1));", 2),
        (
            f"{GET} OWN int further(char **a) {{ return get(a + 1); }}",
            "loop(further(argv + 1));",
            3,
        ),
        ("OWN void shift(int *c, char ***v) { --*c; ++*v; }", f"shift(&argc, &argv); {READ}", 2),
        ("OWN char **rest(char **a) { return a + 1; }", f"argv = rest(rest(argv)); {READ}", 3),
        (TAKE, "for (int i = 0; i < 3; i++) take(&argv); loop(atoi(argv[0]));", 3),
        (
            "OWN void take(char ***a, int k) { if (k) *a += 2; else *a += 1; }",
            f"take(&argv, argc > 3); {READ}",
            3,
        ),
    ],
)
def test_words_behind_those_that_functions_pass_are_parameters(
    tmp_path: Path, before: str, body: str, at: int
) -> None:
    """The run is given as many words as the program reads, wherever it moves argv."""
    runs = [(5, 6, 8, 2), (0, 3, 7, 9), (12, 1, 4, 3)]
    total, parameters, counted = law_and_counts(tmp_path, before, body, runs)
    assert f"argv[{at}]" in {p.origin for p in parameters}
    assert total.kind == "exact"
    assert [total.evaluate(values(parameters, run)) for run in runs] == counted


@pytest.mark.parametrize(
    ("before", "body"),
    [
        (NEXT, "int n = next(&argv), m = next(&argv); loop(n * 10 + m);"),
        (
            "char **kept; OWN int next(void) { return atoi(*++kept); }",
            "kept = argv; int n = next(), m = next(); loop(n * 10 + m);",
        ),
        (
            "OWN int get(char **a, int k) { return k ? get(a + 1, k - 1) : atoi(a[0]); }",
            "loop(get(argv, 2));",
        ),
        (
            "OWN int one(char **a) { return atoi(a[1]); } OWN int two(char **a) {"
            " return atoi(a[2]); }",
            "int (*get)(char **) = s ? one : two; loop(get(argv));",
        ),
    ],
)
def test_no_exact_law_speaks_of_what_is_no_parameter(
    tmp_path: Path, before: str, body: str
) -> None:
    runs = [(5, 6, 8), (1, 3, 7)]
    total, parameters, counted = law_and_counts(tmp_path, before, body, runs)
    if total.kind == "exact":
        assert [total.evaluate(values(parameters, run)) for run in runs] == counted


def test_a_word_that_the_run_is_not_given_is_not_read(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        f"{HEADER}int main(int argc, char **argv) {{ loop(argc > 2 ? atoi(argv[2]) : 10);"
        " loop(atoi(argv[1])); return 0; }\n"
    )
    found = analyze(canonical(compile_sources([source])), argc=2)
    (total,) = [x.total for x in found.loops if x.function == "loop"]
    assert total.kind == "exact"
    assert {p.origin for p in found.parameters} == {"argv[1]"}
    assert total.evaluate({p.name: 7 for p in found.parameters}) == 17


@pytest.mark.parametrize(
    ("body", "is_exact"),
    [
        ("std::vector<char *> a(argv, argv + argc); a[1][0] = '9';", False),
        ("std::vector<char *> a; a.push_back(argv[1]); a[0][0] = '9';", False),
        ("std::vector<char **> a; a.push_back(argv); a[0][1] = argv[2];", False),
        ("struct L { char **v; void f() { v[1] = v[2]; } } l{argv}; l.f();", False),
        ("std::vector<std::string> a(argv, argv + argc); a[1][0] = '9';", True),
        ("std::vector<const char *> a; a.push_back(argv[1]);", True),
        ("std::vector<std::string> a; a.emplace_back(argv[1]); a[0][0] = '9';", True),
    ],
)
def test_words_that_containers_of_pointers_keep_may_be_changed(
    tmp_path: Path, body: str, is_exact: bool
) -> None:
    source = tmp_path / "a.cc"
    source.write_text(
        "#include <cstdlib>\n#include <string>\n#include <vector>\nvolatile long s;\n"
        "__attribute__((noinline)) static void loop(long k) { for (long i = 0; i < k; i++) s = i; }"
        f"\nint main(int argc, char **argv) {{ {body} {READ} return 0; }}\n"
    )
    found = analyze(canonical(compile_sources([source])))
    (total,) = [x.total for x in found.loops if x.function.startswith("loop")]
    assert (total.kind == "exact") == is_exact
