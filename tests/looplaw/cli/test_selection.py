# ruff: noqa: E501  (lines of C in texts)
"""Filters of other tools select what the analysis selects; clang itself says so."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from looplaw.cli.selection import profile_list, scorep_filter, selected, xray_list
from staticana import Analysis, analyze, canonical, compile_sources

PROGRAM = """#include <cstdlib>
template <class T> T sum(const T *a, int n) { T s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int twice(int n) { return 2 * n; }
struct S { int go(int n) { int s = 0; for (int k = 0; k < 3; k++) s += n; return s; } };
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = (double *)calloc(n, 8), s = sum(a, n);
    return (int)s + twice(n) + S().go(n);
}
"""
WANTED = {"main", "_Z3sumIdET_PKS0_i"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "t.cpp").write_text(PROGRAM)
    return tmp_path / "t.cpp"


def _analysis(source: Path) -> Analysis:
    return analyze(canonical(compile_sources([str(source)])))


def test_functions_without_growing_loops_are_left_out(source: Path) -> None:
    functions = selected(_analysis(source))
    assert {f.symbol for f in functions} == WANTED
    text = scorep_filter(functions)
    assert text.splitlines()[:2] == ["SCOREP_REGION_NAMES_BEGIN", "  EXCLUDE *"]
    assert set(re.findall(r"INCLUDE MANGLED (\S+)", text)) == WANTED


def _compiled(source: Path, *flags: str) -> str:
    pytest.importorskip("ziglang")
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "c++",
        "-S",
        "-emit-llvm",
        "-O0",
        *flags,
        source.name,
        "-o",
        "out.ll",
    ]
    done = subprocess.run(
        command, cwd=source.parent, capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        warnings.warn(f"the lists were not tried: {done.stderr[-200:]}", stacklevel=1)
        pytest.skip("this clang knows no such flag")
    return (source.parent / "out.ll").read_text()


def test_clang_counts_only_the_selected(source: Path) -> None:
    (source.parent / "list").write_text(profile_list(selected(_analysis(source))))
    ir = _compiled(source, "-fprofile-instr-generate", "-fprofile-list=list")
    assert set(re.findall(r"^@__profc_(\w+)", ir, re.MULTILINE)) == WANTED


def test_xray_instruments_only_the_selected(source: Path) -> None:
    (source.parent / "list").write_text(xray_list(selected(_analysis(source))))
    ir = _compiled(source, "-fxray-instrument", "-fxray-attr-list=list")
    groups = dict(
        re.findall(r'^attributes (#\d+) = .*"function-instrument"="xray-(\w+)"', ir, re.MULTILINE)
    )
    found = {
        name: groups[group]
        for name, group in re.findall(r"^define .*@(\w+)\(.*?(#\d+)", ir, re.MULTILINE)
    }
    assert {name for name, how in found.items() if how == "always"} == WANTED
    assert found["_ZL5twicei"] == "never"
