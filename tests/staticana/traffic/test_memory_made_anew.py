"""Memory that is allocated in each iteration: pages that the system has to provide again, against
the page faults of the program."""

from __future__ import annotations

import platform
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from staticana import InputError, canonical, compile_sources, find_compiler
from staticana.interprocedural.program import Program
from staticana.ir.parser import parse_module
from staticana.traffic.access_tree import AccessTree, access_tree
from staticana.traffic.layer_conditions import touched

MIB = 1 << 20
_TIMES = 50
_HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")

# through variables whose addresses are taken, as macros and templates that free have them
_PROGRAM = """#include <stdlib.h>
static void release(double **p) { free(*p); *p = 0; }
static double work(int n, int k) {
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    double s = 0;
    for (int i = 0; i < n; i++) a[i] = i + k, b[i] = i, c[i] = k;
    for (int i = 0; i < n; i++) s += a[i] * b[i] + c[i];
    release(&a), release(&b), release(&c);
    return s;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), times = atoi(argv[2]);
    double s = 0;
    for (int k = 0; k < times; k++) s += work(n, k);
    return s < 0;
}
"""


@pytest.fixture(autouse=True)
def _compiler() -> None:
    try:
        find_compiler()
    except InputError:
        pytest.skip("no compiler")


def tree_of(source: Path) -> AccessTree:
    module = parse_module(canonical(compile_sources((str(source),))))
    return access_tree(Program(module, entry="main"))


def faults(program: Path, n: int, times: int) -> int:
    """Page faults of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    subprocess.run([program, str(n), str(times)], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before


@pytest.mark.parametrize("n", [2_000, 8_000, 40_000, 500_000, 5_000_000])
def test_pages_are_new_where_the_allocator_gave_them_back(tmp_path: Path, n: int) -> None:
    compiler = next((c for c in ("clang-19", "clang-14", "gcc", "cc") if shutil.which(c)), None)
    if compiler is None or platform.libc_ver()[0] != "glibc" or _huge_pages() == "always":
        pytest.skip("no compiler of programs, no glibc, or large pages everywhere")
    source = tmp_path / "work.c"
    source.write_text(_PROGRAM)
    times = _TIMES if n < 1_000_000 else 4
    found = touched(tree_of(source), {"n": n, "times": times}, [MIB], {})
    foretold = max(entry.fresh_pages for entry in found.values())
    program = tmp_path / "work"
    subprocess.run([compiler, "-O1", "-w", source, "-o", program], check=True)
    once = faults(program, n, 1)
    seen = faults(program, n, times) - once
    assert foretold - 3 * n * 8 / 4096 == pytest.approx(seen, rel=0.15, abs=150)


def _huge_pages() -> str:
    """What the system says of them: the choice stands in brackets."""
    if not _HUGE_PAGES.is_file():
        return ""
    text = _HUGE_PAGES.read_text()
    return text[text.find("[") + 1 : text.find("]")]


def test_memory_that_is_kept_is_new_once(tmp_path: Path) -> None:
    source = tmp_path / "kept.c"
    source.write_text("""#include <stdlib.h>
static double *a, *b;
static double work(int n, int k) {
    double s = 0;
    for (int i = 0; i < n; i++) a[i] = i + k, b[i] = i;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), times = atoi(argv[2]);
    a = malloc(n * sizeof *a), b = malloc(n * sizeof *b);
    double s = 0;
    for (int k = 0; k < times; k++) s += work(n, k);
    return s < 0;
}
""")
    n = 40_000
    found = touched(tree_of(source), {"n": n, "times": _TIMES}, [MIB], {})
    pages = max(entry.fresh_pages for entry in found.values())
    assert pages == pytest.approx(2 * n * 8 / 4096, rel=0.1)


def test_what_a_search_in_a_function_finds_moves_from_call_to_call(tmp_path: Path) -> None:
    source = tmp_path / "search.c"
    source.write_text("""#include <stdlib.h>
static int place(const double *x, int n, double value) {
    int low = 0, length = n;
    while (length > 1) {
        int half = length / 2;
        if (x[low + half] <= value) low += half;
        length -= half;
    }
    return low;
}
static double at(const double *x, const double *y, int n, double value) {
    return y[place(x, n, value)];
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *x = malloc(n * 8), *y = malloc(n * 8), s = 0;
    unsigned state = 1;
    for (int i = 0; i < n; i++) x[i] = i, y[i] = 2 * i;
    for (int k = 0; k < n; k++) {
        state = state * 1103515245u + 12345u;
        s += at(x, y, n, state % n);
    }
    return s < 0;
}
""")
    n = 1 << 20
    found = touched(tree_of(source), {"n": n}, [MIB], {"search.c:4:5": 20.0})
    (entry,) = (v for at, v in found.items() if ":19:" in at)
    assert [round(number) for number, _ in entry.random] == [n]
    assert all(size >= n * 8 for _, size in entry.random)
