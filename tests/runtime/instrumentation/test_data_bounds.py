# ruff: noqa: E501  (lines of C in texts)
"""Loops over rows whose bounds are read from memory: the sum of the bounds is the count, whatever
overwrites them, and whichever way the loops are left."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from runtime import build_program, plan_all, run
from runtime.instrumentation.data_bounds import Accesses, find_data_bound
from runtime.instrumentation.induction_variables import find_induction_variable
from staticana.ir.loop_info import loop_forest
from tests.runtime.instrumentation.counted_nests import CountedNests

# name -> (a nest over the rows of a, which has n + 1 elements; is each row's bound summed, and are
# the sums those of rows that lie one behind the other). C(k) stands in the body of loop k.
NESTS: dict[str, tuple[str, bool, bool]] = {
    "rows": ("ROWS { C(0); FORK { C(1); t += d[k & 63]; } e[i & 63] = t; }", True, True),
    "rows_set_first": ("ROWS { C(0); e[i & 63] = 0; FORK { C(1); e[i & 63] += d[k & 63]; } }", False, False),
    "other_type_set_first": (
        "static double y[64]; ROWS { C(0); y[i & 63] = 0; FORK { C(1); y[i & 63] += d[k & 63]; }"
        " t += (long)y[i & 63]; }",
        True, True,
    ),
    "written_in_a_row": ("ROWS { C(0); FORK { C(1); t += d[k & 63]; if (k == 9) a[i + 1]--; } }", False, False),
    "written_in_a_row_by_a_call": (
        "ROWS { C(0); FORK { C(1); t += d[k & 63]; if (k == 9) rewrite(a, n); } }", True, True,
    ),
    "written_between": ("ROWS { C(0); FORK { C(1); t += d[k & 63]; } if (i & 1) a[i + 1] += 2; }", True, True),
    "written_before": ("ROWS { C(0); a[i] ^= 1; FORK { C(1); t += d[k & 63]; } }", True, True),
    "left_early": ("ROWS { C(0); FORK { C(1); t += d[k & 63]; if (k == 40) break; } }", True, True),
    "left_between": (
        "ROWS { C(0); if (a[i] == 30) break; FORK { C(1); t += d[k & 63]; } if (a[i] == 20) break; }",
        True, False,
    ),
    "some_rows": ("ROWS { C(0); if (a[i] & 1) continue; FORK { C(1); t += d[k & 63]; } }", True, False),
    "backwards": (
        "for (int i = n - 1; i >= 0; i--) { C(0); FORK { C(1); t += d[k & 63]; } }", True, True,
    ),
    "far_apart": (
        "ROWS { C(0); for (int k = a[i]; k < a[n - i]; k++) { C(1); t += d[k & 63]; } }",
        True, True,
    ),
    "from_zero": ("ROWS { C(0); for (int k = 0; k < a[i]; k++) { C(1); t += d[k & 63]; } }", True, False),
    "up_to": ("ROWS { C(0); for (int k = a[i]; k <= a[i + 1]; k++) { C(1); t += d[k & 63]; } }", True, True),
    "long_variable": (
        "ROWS { C(0); for (long k = a[i]; k < a[i + 1]; k++) { C(1); t += d[k & 63]; } }", True, True,
    ),
    "unsigned_variable": (
        "ROWS { C(0); for (size_t k = a[i] & 63; k < (size_t)(a[i + 1] & 63); k++) { C(1); t += d[k]; } }",
        True, False,
    ),
    "short_lengths": (
        "ROWS { C(0); for (int k = 0; k < (signed char)a[i]; k++) { C(1); t += d[k & 63]; } }", True, False,
    ),
    "pointer_replaced": (
        "struct rows r = {a}; ROWS { C(0); r.a = i == 3 ? b : r.a;"
        " for (int k = r.a[i]; k < r.a[i + 1]; k++) { C(1); t += d[k & 63]; } }",
        True, False,
    ),
    "in_a_structure": (
        "q.a = a; ROWS { C(0); for (int k = q.a[i]; k < q.a[i + 1]; k++) { C(1); t += d[k & 63];"
        " if (k == 17) q.a = b; } }",
        False, False,
    ),
    "three_levels": (
        "for (int h = 0; h < 3; h++) { C(0); ROWS { C(1); FORK { C(2); t += d[k & 63]; } }"
        " if (h < n) a[h]++; }",
        True, True,
    ),
    "invariant_bound": (
        "ROWS { C(0); for (int k = a[0]; k < a[n]; k++) { C(1); t += d[k & 63]; } }", False, False,
    ),
    "falling": ("ROWS { C(0); for (int k = a[i + 1]; k > a[i]; k--) { C(1); t += d[k & 63]; } }", False, False),
    "tested_behind": (
        "ROWS { C(0); int k = a[i]; do { C(1); t += d[k & 63]; k++; } while (k < a[i + 1]); }", False, False,
    ),
    "called": ("ROWS { C(0); FORK { C(1); t += d[k & 63]; } if (i == 5) rewrite(a, n); }", True, True),
    # an accessor's call reads the bound, as v[i] of a std::vector does
    "accessor": ("struct rows r = {a}; ROWS { C(0); FOREL { C(1); t += d[k & 63]; } }", True, True),
    "accessor_written_between": (
        "struct rows r = {a}; ROWS { C(0); FOREL { C(1); t += d[k & 63]; } if (i & 1) *el(&r, i + 1) += 2; }",
        True, True,
    ),
    "accessor_written_in_a_row": (
        "struct rows r = {a}; ROWS { C(0); FOREL { C(1); t += d[k & 63]; if (k == 9) *el(&r, i + 1) -= 1; } }",
        False, False,
    ),
    "accessor_left_early": (
        "struct rows r = {a}; ROWS { C(0); FOREL { C(1); t += d[k & 63]; if (k == 40) break; } }", True, True,
    ),
    "accessor_of_another": (
        "struct rows r = {a}; ROWS { C(0); if (i == 3) r.a = b; FOREL { C(1); t += d[k & 63]; } }", True, False,
    ),
    "accessor_replaced_in_a_row": (
        "q.a = a; ROWS { C(0); for (int k = *el(&q, i); k < *el(&q, i + 1); k++) { C(1); t += d[k & 63];"
        " if (k == 17) q.a = b; } }",
        False, False,
    ),
    "accessor_that_writes": (
        "struct rows r = {a}; ROWS { C(0); for (int k = *seen(&r, i); k < *seen(&r, i + 1); k++) { C(1);"
        " t += d[k & 63]; } }",
        False, False,
    ),
    "leaving": ("ROWS { C(0); FORK { C(1); if (d[k & 63] == 61) leave(t); } }", True, True),
}  # fmt: skip
_DECLARATIONS = """#define ROWS for (int i = 0; i < n; i++)
#define FORK for (int k = a[i]; k < a[i + 1]; k++)
struct rows { int *a; } q;
#define FOREL for (int k = *el(&r, i); k < *el(&r, i + 1); k++)
static int *el(struct rows *r, long i) { return &r->a[i]; }
static int *seen(struct rows *r, long i) { e[63]++; return &r->a[i]; }
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


@pytest.fixture(scope="module")
def nests(tmp_path_factory: pytest.TempPathFactory) -> CountedNests:
    texts = {name: text for name, (text, _, _) in NESTS.items()}
    return CountedNests.build(tmp_path_factory.mktemp("rows"), _DECLARATIONS, texts)


@pytest.mark.parametrize("name", NESTS)
def test_summed_bounds_count_what_ran(name: str, nests: CountedNests, tmp_path: Path) -> None:
    for seed, (kind, make) in enumerate(ARRAYS.items()):
        rows = make(random.Random(f"{name} {seed}"))
        found, expected = nests.counts(name, rows, tmp_path)
        assert found == expected, (kind, rows)


def test_bounds_are_summed_for_each_call(nests: CountedNests, tmp_path: Path) -> None:
    """The same where the calls of a kernel are kept apart."""
    plan = plan_all(nests.module, calls=True)
    program = build_program(nests.module.text, plan, tmp_path / "calls")
    for name in ("rows", "written_in_a_row", "left_early", "some_rows", "in_a_structure"):
        rows = ARRAYS["any"](random.Random(name))
        _, expected = nests.counts(name, rows, tmp_path)
        arguments = [str(nests.names.index(name)), *map(str, rows)]
        done = run([str(program.executable), *arguments], cells=tmp_path / "cells")
        assert done.counts is not None
        ids = [c.id for c in plan.counters if c.function == name]
        calls = [row.iterations for row in done.counts.calls.rows if row.kernel == ids[0]]
        assert [sum(call[k] for call in calls) for k in ids] == expected[: len(ids)], name


def test_which_bounds_are_summed(nests: CountedNests) -> None:
    accesses = Accesses(nests.module)
    for name, (_, summed, telescoping) in NESTS.items():
        function = nests.module.functions[name]
        loops = loop_forest(function, nests.module).by_header()
        found: Counter[str] = Counter()
        for loop in loops.values():
            variable = find_induction_variable(function, loop)
            if loop.parent is None or variable is None:
                continue
            bound = find_data_bound(function, loop, loops[loop.parent], variable, accesses)
            found["summed"] += bound is not None
            found["telescoping"] += bound is not None and bound.first is not None
        assert (found["summed"] > 0, found["telescoping"] > 0) == (summed, telescoping), name
