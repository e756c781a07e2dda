"""Branches that the same data decide again, against those that one reads in the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import InputError, canonical, compile_sources, find_compiler
from staticana.interprocedural.program import Program
from staticana.ir.parser import parse_module
from staticana.traffic.access_tree import access_tree, repeated_branches

_PROGRAM = """#include <stdlib.h>
static int compared(int n, const char *a, const char *b, int *row) {
    for (int i = 1; i < n; i++) {
        int last = 0;
        for (int j = 1; j < n; j++) { // letters: compared
            int above = row[j];
            if (a[i] == b[j]) row[j] = last + 1;
            else row[j] = row[j - 1] > above ? row[j - 1] : above;
            last = above;
        }
    }
    return row[n - 1];
}
static void moved(int n, double *grid, const char *wall) {
    for (int t = 0; t < 10; t++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) // letters: mask
                if (!wall[y * n + x]) grid[y * n + x] = grid[y * n + x] * 0.5 + 1;
}
static void step(int n, double *grid, const char *wall) {
    for (int x = 0; x < n; x++) // letters: called
        if (wall[x] > 3) grid[x] += 2;
}
static int once(int n, const int *v, int *kept) {
    int m = 0;
    for (int i = 0; i < n; i++) // letters: once
        if (v[i] > 7) kept[m++] = v[i];
    return m;
}
static void sorted(int n, int *v) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n; j++) // letters: changed
            if (v[j] > v[j + 1]) { int t = v[j]; v[j] = v[j + 1]; v[j + 1] = t; }
}
static int selected(int n, const int *v) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) // letters: selected
            if (v[j] > 7) s += 3;
    return s;
}
static void drawn(int n, double *grid) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) // letters: drawn
            if (rand() % 2) grid[j] += 1;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    char *a = malloc(n * n), *b = malloc(n);
    int *row = calloc(n, sizeof *row), *kept = calloc(n, sizeof *kept);
    double *grid = calloc(n * n, sizeof *grid);
    for (int i = 0; i < n; i++) { a[i] = rand() % 4; b[i] = rand() % 4; }
    int s = compared(n, a, b, row);
    moved(n, grid, a);
    for (int t = 0; t < n; t++) step(n, grid, b);
    s += once(n, row, kept);
    sorted(n, row);
    s += selected(n, row);
    drawn(n, grid);
    return s > 0;
}
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, int]]:
    """Name of a loop in the program -> branches, and the line of the loop around."""
    try:
        find_compiler()
    except InputError:
        pytest.skip("no compiler")
    source = Path(tmp_path_factory.mktemp("branches")) / "program.c"
    source.write_text(_PROGRAM)
    program = Program(parse_module(canonical(compile_sources((str(source),)))), entry="main")
    lines = _PROGRAM.splitlines()
    return {
        lines[_line(at) - 1].split("letters: ")[-1]: (r.branches, _line(r.around))
        for at, r in repeated_branches(access_tree(program)).items()
    }


def _line(at: str) -> int:
    return int(at.split(":")[-2])


def _line_of(text: str) -> int:
    return 1 + next(k for k, line in enumerate(_PROGRAM.splitlines()) if text in line)


def test_a_word_that_each_letter_is_compared_with_decides_again(
    found: dict[str, tuple[int, int]],
) -> None:
    assert found["compared"] == (1, _line_of("for (int i = 1;"))


def test_a_mask_decides_again_in_each_step_of_time(found: dict[str, tuple[int, int]]) -> None:
    assert found["mask"] == (1, _line_of("t < 10"))
    assert found["called"] == (1, _line_of("t < n"))


def test_data_that_are_seen_once_or_change_or_are_selected_do_not(
    found: dict[str, tuple[int, int]],
) -> None:
    assert set(found) == {"compared", "mask", "called"}
