"""Loops over pointers and iterators count by these; inline functions of a whole program are its
own; functions that may throw or end the program look for their words once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from runtime import Plan, RunResult, build_program, plan_all, run
from runtime.build.inline_functions import internal
from runtime.instrumentation.induction_variables import find_induction_variable
from staticana import canonical, compile_sources, parse_module
from staticana.ir.data_layout import Layout
from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Module

# each loop counts for itself, into the element of `own` with its line
PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>
static long own[200];
#define COUNT own[__LINE__]++
struct Odd { char c[24]; int n; };
static Odd fixed[10];
static int global_numbers[16];
static int up(const int *a, const int *e, int x) {
    for (; a != e; ++a) { COUNT; if (*a == x) return *a; }
    return -1;
}
static int down(const int *a, const int *e) {
    int s = 0;
    while (e > a) { COUNT; s += *--e; if (s > 100) break; }
    return s;
}
static int odd(const Odd *a, int n) {
    int s = 0;
    for (const Odd *p = a; p < a + n; p += 2) { COUNT; if (p->n == 7) continue; s += p->n; }
    return s;
}
static int text(const char *s) {
    int n = 0;
    for (; *s; s++) { COUNT; if (*s == '!') break; n += *s == 'a'; }
    return n;
}
static int table() {
    int s = 0;
    for (int *p = global_numbers; p != global_numbers + 16; p++) { COUNT; s += *p; }
    return s;
}
template <class T> T sum(const std::vector<T> &v) {
    T s = 0;
    for (auto it = v.rbegin(); it != v.rend(); ++it) { COUNT; s += *it; }
    return s;
}
static long nested(const std::vector<std::vector<int>> &v, int limit) {
    long s = 0;
    for (auto &row : v) {
        COUNT;
        for (int x : row) { COUNT; if (x > limit) return s; s += x; }
    }
    return s;
}
static int checked(const std::vector<int> &v, int n) {
    int s = 0;
    for (int k = 0; k < n; k++) { COUNT; s += v.at(k); }
    return s;
}
static int grown(int n) {
    std::vector<int> v;
    for (int k = 0; k < n; k++) { COUNT; v.push_back(k); if (n == 77 && k == 50) throw k; }
    int s = 0;
    for (int k = 0; k < n; k += 3) { COUNT; s += v[k]; }
    return s;
}
static void report() {
    for (int k = 0; k < 200; k++) if (own[k]) fprintf(stderr, "%d:%ld\\n", k, own[k]);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), s = 0;
    atexit(report);
    std::vector<int> a;
    for (int k = 0; k < n; k++) { COUNT; a.push_back(k % 13); }
    std::vector<std::vector<int>> v(5);
    for (int k = 0; k < 5; k++) { COUNT; v[k].assign(a.begin(), a.begin() + k); }
    for (int k = 0; k < 10; k++) { COUNT; fixed[k].n = k; }
    for (int r = 0; r < 9; r++) {
        COUNT;
        s += up(a.data(), a.data() + n, 3 * r) + down(a.data(), a.data() + n) + odd(fixed, r);
        s += text("banana!" + r % 7) + text("aa") + table() + sum(a) + sum(std::vector<long>(r, 1));
        s += nested(v, r);
        try { COUNT; s += checked(a, n + r % 2); } catch (const std::out_of_range &) { s++; }
        try { COUNT; s += grown(r == 4 ? 77 : n); } catch (int) { s++; }
    }
    printf("%d\\n", s);
    for (int k = 0; ; k++) { COUNT; if (a.at(k % n) == 4 || k > 90) exit(0); }
}
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("pointers") / "program.cc"
    path.write_text(PROGRAM)
    return canonical(compile_sources([path]))


@pytest.mark.parametrize("how", ["plain", "entries", "timed", "calls", "precise"])
def test_every_loop_has_the_count_that_it_has_itself(text: str, how: str, tmp_path: Path) -> None:
    plan = plan_all(
        parse_module(text),
        timed=how == "timed",
        entries=how == "entries",
        calls=how == "calls",
        precise=how == "precise",
    )
    program = build_program(text, plan, tmp_path / "program", cxx=True)
    for n in ("20", "4"):
        _check(plan, run([str(program.executable), n], timeout_s=60, cells=tmp_path / n))


def _check(plan: Plan, done: RunResult) -> None:
    assert done.counts is not None, done
    lines = {int(k): int(v) for k, v in re.findall(r"(?m)^(\d+):(\d+)$", done.stderr)}
    found: dict[int, int] = {}
    for c in plan.counters:
        place = re.search(r"program\.cc:(\d+):", c.at)
        if place is not None:
            line = int(place.group(1))
            found[line] = found.get(line, 0) + int(done.counts.iterations[c.id])
    loops = {k: v for k, v in found.items() if "for (" in _line(k) or "while (" in _line(k)}
    in_body = {k: lines.get(k, lines.get(k + 1, 0)) for k in loops}  # or on the next line
    in_body.pop(_at("200"))
    assert {k: loops[k] for k in in_body} == in_body
    assert len(in_body) >= 15


def _line(number: int) -> str:
    return PROGRAM.split("\n")[number - 1]


def _at(part: str) -> int:
    return next(k for k, line in enumerate(PROGRAM.split("\n"), 1) if f"k < {part};" in line)


def _variables(module: Module, name: str) -> list[str]:
    """The types of the variables that count the loops of a function."""
    function = next(f for f in module.functions.values() if name in f.name)
    found = [
        find_induction_variable(function, loop, Layout(module))
        for loop in loop_forest(function, module).loops
    ]
    return [v.type if v is not None else "" for v in found]


def test_pointers_are_variables_that_count(text: str) -> None:
    module = parse_module(text)
    assert _variables(module, "up") == ["ptr"]
    assert _variables(module, "odd") == ["ptr"]
    assert _variables(module, "table") == ["ptr"]
    assert _variables(module, "nested") == ["ptr", "ptr"]
    assert _variables(module, "checked") == ["i32"]


def test_inline_functions_that_are_only_called_are_internal() -> None:
    inline = "define linkonce_odr hidden i32 @{0}() comdat {{\n  ret i32 1\n}}\n"
    names = ("called", "taken", '"an operator"', "in.a.table")
    before = "".join(f"${name} = comdat any\n" for name in names) + "\n"
    before += "@table = constant [1 x ptr] [ptr @in.a.table]\n"
    before += "".join(inline.format(name) for name in names)
    before += (
        'define ptr @main() {\n  %1 = call i32 @called()\n  %2 = invoke i32 @"an operator"()\n'
        "          to label %a unwind label %b\na:\n  %3 = call i32 @in.a.table()\n"
        "  %4 = call i32 @taken()\n  ret ptr @taken\nb:\n  unreachable\n}\n"
    )
    after = internal(before)
    assert "define internal i32 @called() {" in after
    assert 'define internal i32 @"an operator"() {' in after
    assert inline.format("taken") in after
    assert inline.format("in.a.table") in after
