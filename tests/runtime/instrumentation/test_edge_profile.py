"""The fewest counters: how many words nests and branches take, counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime import instrument, plan_all
from staticana import canonical, compile_sources, parse_module

# name -> (source, words): iterations and entries of all loops are wanted
PROGRAMS = {
    # calls and iterations of both loops; the inner loop is entered once in each outer iteration
    "nest": (
        (
            "int f(int n) {\n    int s = 0;\n    for (int i = 0; i < n; i++)\n        for (int k ="
            " 0; k < i; k++) s += k;\n    return s;\n}\n"
        ),
        3,
    ),
    # two loops behind each other are entered equally often
    "pair": (
        (
            "int f(int n) {\n    int s = 0;\n    for (int i = 0; i < n; i++) s += i;\n"
            "    for (int k = 0; k < n; k++) s ^= k;\n    return s;\n}\n"
        ),
        3,
    ),
    # an endless loop that one of two breaks ends: nothing follows from the exits
    "breaks": (
        (
            "int f(int n) {\n    for (;;) {\n        if (n % 7 == 0) break;\n        if (n % 5 =="
            " 0) break;\n        n++;\n    }\n    return n;\n}\n"
        ),
        2,
    ),
    # the inner loop is in a branch, and is not entered in each iteration
    "branch": (
        (
            "int f(int n) {\n    int s = 0;\n    for (int i = 0; i < n; i++) {\n        if (i % 3)"
            " {\n            for (int k = 0; k < i; k++) s += k;\n        }\n    }\n    return"
            " s;\n}\n"
        ),
        4,
    ),
    # g() may not return: the second loop may be entered less often than the first
    "leaving": (
        (
            "void g(void);\nint f(int n) {\n    int s = 0;\n    for (int i = 0; i < n; i++) s +="
            " i;\n    g();\n    for (int k = 0; k < n; k++) s ^= k;\n    return s;\n}\n"
        ),
        4,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_number_of_words(name: str, tmp_path: Path) -> None:
    source, words = PROGRAMS[name]
    path = tmp_path / f"{name}.c"
    path.write_text(source)
    module = parse_module(canonical(compile_sources([path])))
    assert instrument(module, plan_all(module, timed=False)).layout.words == words
