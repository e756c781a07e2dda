# ruff: noqa: E501  (lines of C in texts)
"""Loops over rows whose bounds are read from memory: the sum of the bounds is the count, whatever
overwrites them, and whichever way the loops are left."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from runtime import Program, build_program, plan_all, run
from runtime.instrumentation.data_bounds import find_data_bound
from runtime.instrumentation.induction_variables import find_induction_variable
from staticana import Module, canonical, compile_sources, parse_module
from staticana.frontend.clang import find_compiler
from staticana.ir.loop_info import loop_forest

# name -> (a nest over the rows of a, which has n + 1 elements; is each row's bound summed, and are
# the sums those of rows that lie one behind the other). COUNT(k) stands in the body of loop k.
NESTS: dict[str, tuple[str, bool, bool]] = {
    "rows": ("FOR0 { FORK { C(1); t += d[k & 63]; } e[i & 63] = t; }", True, True),
    "rows_set_first": ("FOR0 { e[i & 63] = 0; FORK { C(1); e[i & 63] += d[k & 63]; } }", True, True),
    "written_in_a_row": ("FOR0 { FORK { C(1); t += d[k & 63]; if (k == 9) a[i + 1]--; } }", True, True),
    "written_between": ("FOR0 { FORK { C(1); t += d[k & 63]; } if (i & 1) a[i + 1] += 2; }", True, True),
    "written_before": ("FOR0 { a[i] ^= 1; FORK { C(1); t += d[k & 63]; } }", True, True),
    "left_early": ("FOR0 { FORK { C(1); t += d[k & 63]; if (k == 40) break; } }", True, True),
    "left_between": (
        "FOR0 { if (a[i] == 30) break; FORK { C(1); t += d[k & 63]; } if (a[i] == 20) break; }",
        True, False,
    ),
    "some_rows": ("FOR0 { if (a[i] & 1) continue; FORK { C(1); t += d[k & 63]; } }", True, False),
    "backwards": (
        "for (int i = n - 1; i >= 0; i--) { C(0); FORK { C(1); t += d[k & 63]; } }", True, True,
    ),
    "far_apart": (
        "FOR0 { for (int k = a[i]; k < a[n - i]; k++) { C(1); t += d[k & 63]; } }",
        True, True,
    ),
    "from_zero": ("FOR0 { for (int k = 0; k < a[i]; k++) { C(1); t += d[k & 63]; } }", True, False),
    "up_to": ("FOR0 { for (int k = a[i]; k <= a[i + 1]; k++) { C(1); t += d[k & 63]; } }", True, True),
    "long_variable": (
        "FOR0 { for (long k = a[i]; k < a[i + 1]; k++) { C(1); t += d[k & 63]; } }", True, True,
    ),
    "unsigned_variable": (
        "FOR0 { for (size_t k = a[i] & 63; k < (size_t)(a[i + 1] & 63); k++) { C(1); t += d[k]; } }",
        True, False,
    ),
    "short_lengths": (
        "FOR0 { for (int k = 0; k < (signed char)a[i]; k++) { C(1); t += d[k & 63]; } }", True, False,
    ),
    "pointer_replaced": (
        "struct rows r = {a}; FOR0 { r.a = i == 3 ? b : r.a;"
        " for (int k = r.a[i]; k < r.a[i + 1]; k++) { C(1); t += d[k & 63]; } }",
        True, False,
    ),
    "in_a_structure": (
        "q.a = a; FOR0 { for (int k = q.a[i]; k < q.a[i + 1]; k++) { C(1); t += d[k & 63];"
        " if (k == 17) q.a = b; } }",
        True, True,
    ),
    "three_levels": (
        "for (int h = 0; h < 3; h++) { FOR0 { FORK { C(1);"
        " for (int l = d[k & 63]; l < d[k & 63] + 2; l++) { C(2); t ^= l; } } } if (h < n) a[h]++; }",
        True, True,
    ),
    "invariant_bound": (
        "FOR0 { for (int k = a[0]; k < a[n]; k++) { C(1); t += d[k & 63]; } }", False, False,
    ),
    "falling": ("FOR0 { for (int k = a[i + 1]; k > a[i]; k--) { C(1); t += d[k & 63]; } }", False, False),
    "tested_behind": (
        "FOR0 { int k = a[i]; do { C(1); t += d[k & 63]; k++; } while (k < a[i + 1]); }", False, False,
    ),
    "called": ("FOR0 { FORK { C(1); t += d[k & 63]; } if (i == 5) rewrite(a, n); }", True, True),
    "leaving": ("FOR0 { FORK { C(1); if (d[k & 63] == 61) leave(t); } }", True, True),
}  # fmt: skip
_MACROS = """#include <stdio.h>
#include <stdlib.h>
#ifdef COUNTED
#define COUNT(f, k) counted[f][k]++
#else
#define COUNT(f, k)
#endif
#define FOR0 for (int i = 0; i < n; i++) { C(0);
#define FORK for (int k = a[i]; k < a[i + 1]; k++)
struct rows { int *a; } q;
static long counted[64][3];
static int d[64], e[64];
static void show(void) {
#ifdef COUNTED
    fprintf(stderr, "counts");
    for (int f = 0; f < 64; f++) for (int k = 0; k < 3; k++) fprintf(stderr, " %ld", counted[f][k]);
#endif
}
static void leave(long t) { show(); exit(t == 5); }
static void rewrite(int *a, int n) { if (n > 7) a[7] = a[6] + 1; }
"""
# row pointers: sorted, with empty rows, in any order, with negative ones, few
ARRAYS = {
    "sorted": lambda r: sorted(r.randrange(60) for _ in range(12)),
    "repeated": lambda r: sorted(r.choice((0, 5, 9, 30)) for _ in range(12)),
    "any": lambda r: [r.randrange(60) for _ in range(12)],
    "negative": lambda r: [r.randrange(-40, 40) for _ in range(12)],
    "one": lambda r: [3, 20],
    "none": lambda r: [],
}


def _source() -> str:
    functions, calls = [], []
    for f, (name, (text, _, _)) in enumerate(NESTS.items()):
        body = text.replace("FOR0 {", "FOR0").replace("C(", f"COUNT({f}, ")
        functions.append(
            f"static long {name}(int n, int *a, int *b)"
            f" {{ long t = 0; {body.replace('FOR0', _for0(f))} return t; }}"
        )
        calls.append(f'    if (which == {f}) printf("%ld\\n", {name}(n, a, b));')
    # without any row there is nothing that the first could be read from
    return "\n".join(
        [
            _MACROS,
            *functions,
            "int main(int argc, char **argv) {",
            "    int which = atoi(argv[1]), n = argc < 4 ? 0 : argc - 3;",
            "    int *a = n ? malloc((n + 1) * sizeof *a) : NULL;",
            "    int *b = n ? malloc((n + 1) * sizeof *b) : NULL;",
            "    for (int i = 0; i < 64; i++) d[i] = i * 37 % 64;",
            "    for (int i = 0; n && i <= n; i++) { a[i] = atoi(argv[i + 2]); b[i] = 2 * i; }",
            *calls,
            "    show();",
            "    return 0;",
            "}",
            "",
        ]
    )


def _for0(f: int) -> str:
    return f"for (int i = 0; i < n; i++) {{ COUNT({f}, 0);"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "rows.c"
    path.write_text(_source())
    return path


@pytest.fixture(scope="module")
def module(source: Path) -> Module:
    return parse_module(canonical(compile_sources([source])))


@pytest.fixture(scope="module")
def program(module: Module, source: Path) -> Program:
    return build_program(module.text, plan_all(module, timed=False), source.with_suffix(""))


@pytest.fixture(scope="module")
def oracle(source: Path) -> Path:
    compiler, made = find_compiler(), source.with_name("oracle")
    command = [*compiler.command, "-O0", "-w", "-DCOUNTED", str(source), "-o", str(made)]
    subprocess.run(command, check=True)
    return made


@pytest.mark.parametrize("name", NESTS)
def test_summed_bounds_count_what_ran(
    name: str, program: Program, oracle: Path, module: Module, tmp_path: Path
) -> None:
    f = [*NESTS].index(name)
    loops = [c for c in plan_all(module, timed=False).counters if c.function == name]
    own = loops[1:] if name == "three_levels" else loops
    for seed, (kind, make) in enumerate(ARRAYS.items()):
        rows = make(random.Random(f"{name} {seed}"))
        arguments = [str(f), *map(str, rows)]
        expected = subprocess.run([oracle, *arguments], capture_output=True, text=True, check=False)
        wanted = [int(n) for n in expected.stderr.split()[1:]][3 * f : 3 * f + len(own)]
        done = run([str(program.executable), *arguments], cells=tmp_path / f"{kind}.cells")
        assert done.counts is not None
        found = [int(done.counts.iterations[c.id]) for c in own]
        assert found == wanted, (kind, rows)


def test_which_bounds_are_summed(module: Module) -> None:
    for name, (_, summed, telescoping) in NESTS.items():
        function = module.functions[name]
        loops = loop_forest(function, module).by_header()
        found: Counter[str] = Counter()
        for loop in loops.values():
            variable = find_induction_variable(function, loop)
            if loop.parent is None or variable is None:
                continue
            bound = find_data_bound(function, loop, loops[loop.parent], variable)
            found["summed"] += bound is not None
            found["telescoping"] += bound is not None and bound.first is not None
        assert (found["summed"] > 0, found["telescoping"] > 0) == (summed, telescoping), name
