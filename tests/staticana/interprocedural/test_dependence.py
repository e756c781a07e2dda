"""Which parameters may influence loops and functions: what is not named must not matter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources

_MAIN = "#include <stdlib.h>\nint main(int argc, char **argv) {\n"


def _influences(
    folder: Path, source: str, entry: str = "main"
) -> tuple[Mapping[int | None, set[str]], Mapping[str, set[str]]]:
    """Line of each loop -> its parameters, and those of the functions."""
    file = folder / "program.c"
    file.write_text(source)
    found = analyze(canonical(compile_sources([file])), entry=entry)
    loops = {int(loop.at.split(":")[1]): set(loop.parameters) for loop in found.loops}
    return loops, {f.name: set(f.parameters) for f in found.functions}


def test_arguments_of_an_entry_decide_through_memory_and_conditions(tmp_path: Path) -> None:
    source = """int work(int *a, int n, int m, int unused) {
    int s = 0;
    for (int i = 0; i < n; i++)
        while (a[s % 7] < m + i) a[s++ % 7]++;
    return s + unused;
}
"""
    loops, functions = _influences(tmp_path, source, entry="work")
    assert loops[4] == {"n", "m"}
    assert functions["work"] == {"n", "m", "unused"}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("x = n;", {"n"}),  # a value
        ("if (n > 3) x = rand();", {"n"}),  # a condition
        ("table[1] = n; x = table[rand() & 1];", {"n"}),  # an object
        ("*pointer = n; x = *other;", {"n"}),  # memory that may be the same
        ("x = take(n);", {"n"}),  # an argument and a result
        ("x = called(n);", {"n"}),  # a call through a pointer
        ("if (n > 3) set(); x = global;", {"n"}),  # a condition on a call that writes
        ('char t[9]; __builtin_sprintf(t, "%d", n); x = atoi(t);', {"n"}),  # a text
        ("char t[9] = {0}; __builtin_memset(t, 1, n); x = __builtin_strlen(t);", {"n"}),
        ("table[1] = n; x = rand();", set[str]()),  # nothing of it
    ],
)
def test_a_parameter_flows_to_a_loop(tmp_path: Path, statement: str, expected: set[str]) -> None:
    source = f"""#include <stdlib.h>
static int table[2], global;
static __attribute__((noinline)) void set(void) {{ global = rand(); }}
static __attribute__((noinline)) int take(int k) {{ return rand() % k; }}
static int (*called)(int) = take;
void choose(int (*f)(int)) {{ called = f; }}
int work(int *pointer, int *other, int n) {{
    int x = rand(), s = 0;
    {statement}
    while (s * rand() < x) s++;
    return s;
}}
"""
    loops, _ = _influences(tmp_path, source, entry="work")
    assert loops[10] == expected


def test_what_calls_pass_on_influences_callees_and_what_is_above_them(tmp_path: Path) -> None:
    source = (
        "#include <stdio.h>\n"
        + _MAIN.replace("#include <stdlib.h>\n", "#include <stdlib.h>\nstatic int walk(int);\n")
        + """    int n = atoi(argv[1]), m = atoi(argv[2]);
    for (int i = 0; i < m; i++)
        if (rand() % n) walk(i);
}
static int walk(int start) {
    int s = start;
    while (s != rand()) s++;
    return s;
}
"""
    )
    loops, functions = _influences(tmp_path, source)
    assert loops[11] >= {"n", "m"}
    assert functions["main"] >= {"n", "m"}
