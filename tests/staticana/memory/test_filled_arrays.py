"""Arrays that one loop has filled, and all that may come between."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources

_PROGRAM = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rows { int *at; };
static int *seen;
static long s;
static void touch(void) { if (seen) seen[1] = 9; }
static void through(struct rows *r) { r->at[0] = 11; }
static void handler(int number) { seen[2] = 50; }
static void walk(const int *at, int n) {
    for (int i = 0; i < n; i++)
        for (int k = at[i]; k < at[i + 1]; k++) s++;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *a = malloc((n + 1) * sizeof(int));
    a[0] = 0; for (int i = 0; i < n; i++) a[i + 1] = a[i] + 2;
    BETWEEN
    walk(a, n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < a[i]; k++) s++;
    return s;
}
"""


def kinds(tmp_path: Path, between: str) -> list[str]:
    source = tmp_path / "p.c"
    source.write_text(_PROGRAM.replace("BETWEEN", between))
    found = analyze(canonical(compile_sources([source])))
    return [x.total.kind for x in found.loops if x.at.rsplit(":", 2)[1] in ("14", "23")]


@pytest.mark.parametrize(
    "between", ["", "seen = a;", 'printf("%d", a[0]);', "int *b = malloc(n * 4); b[0] = 3;"]
)
def test_what_leaves_an_array_as_it_is(tmp_path: Path, between: str) -> None:
    assert kinds(tmp_path, between) == ["exact", "exact"]


@pytest.mark.parametrize(
    "between",
    [
        "seen = a; touch();",
        "struct rows r = {a}; through(&r);",
        "memcpy(a, argv[1], 4);",
        'sscanf(argv[1], "%d", &a[1]);',
        "seen = a; signal(SIGUSR1, handler); raise(SIGUSR1);",
        "char *b = (char *)a; b[0] = 3;",
    ],
)
def test_what_may_change_an_array(tmp_path: Path, between: str) -> None:
    assert "exact" not in kinds(tmp_path, between)
