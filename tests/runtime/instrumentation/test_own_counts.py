# ruff: noqa: E501  (lines of C in texts)
"""Loops counted by variables of the program that run with them, and variables that only look so."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from runtime.instrumentation.abnormal_exits import find_abnormal_exits
from runtime.instrumentation.own_counts import OwnCounts
from staticana.ir.loop_info import loop_forest
from tests.runtime.instrumentation.counted_nests import CountedNests

_NEST = "for (int i = 0; i < n; i++) {{ C(0); if (a[i] & 1) {{ for (int k = 0; k < 4; k++) {{ C(1); t += d[k]; }} {} }} {} }}"


def _nest(inside: str, behind: str = "", *, before: str = "", after: str = "t += c;") -> str:
    return f"{before} {_NEST.format(inside, behind)} {after}"


# name -> (a nest of which the inner loop runs where a[i] is odd, does a variable count that)
NESTS = {
    "local": (_nest("c++;", before="int c = 5;"), True),
    "local_unused": (_nest("c++;", before="long c = 0;", after=""), True),
    "by_three": (_nest("c += 3;", before="long c = n;"), True),
    "downwards": (_nest("c--;", before="long c = n;"), True),
    "unsigned_wraps": (_nest("c -= 1u;", before="unsigned c = 1;"), False),
    "long_wraps": (_nest("c -= 1ul;", before="unsigned long c = 1;"), True),
    "twice": (_nest("c++; if (a[i] & 2) c++;", before="int c = 0;"), False),
    "reset": (_nest("c++;", "if (a[i] == 8) c = 0;", before="int c = 0;"), False),
    "also_elsewhere": (_nest("c++;", "c += a[i] & 4;", before="int c = 0;"), False),
    "stands_in": (_nest("b[i] = c + 1;", before="int c = 3;", after="t += b[0];"), False),
    "left_early": (_nest("c++; if (c == 3) break;", before="int c = 0;"), True),
    "left_before": (_nest("if (a[i] == 7) break; c++;", before="int c = 0;"), True),
    "memory": (_nest("hidden++;", after=""), True),
    "memory_by_two": (_nest("hidden += 2;", "t += hidden;", after=""), True),
    "memory_twice": (_nest("hidden++;", "if (a[i] == 4) hidden = 2;", after=""), False),
    "address_known": (_nest("known++;", "*elsewhere ^= 1;", before="elsewhere = &known;", after=""), False),
    "exported": (_nest("everyones++;", after=""), False),
    "in_a_thread": (_nest("threads++;", after=""), False),
    "called_inside": (_nest("hidden++;", "t += touch(a[i]);", after=""), False),
    "nested": (
        "int c = 0; for (int h = 0; h < 3; h++) { C(0); for (int i = 0; i < n; i++) { C(1); if (a[i] > h) {"
        " c++; for (int k = 0; k < 7; k += 2) { C(2); t ^= d[k]; } } } } t += c;",
        True,
    ),
    "fixed_none": (
        "for (int i = 0; i < n; i++) { C(0); if (a[i] & 1) for (int k = 4; k < 4; k++) { C(1); t++; } }", False,
    ),
    "fixed_falling": (
        "for (int i = 0; i < n; i++) { C(0); if (a[i] & 1) for (int k = 9; k > 2; k -= 3) { C(1); t += d[k]; } }",
        False,
    ),
    "fixed_left": (
        "for (int i = 0; i < n; i++) { C(0); for (int k = 0; k < 8; k++) { C(1); if (d[k] == (a[i] & 63)) break; } }",
        False,
    ),
    "fixed_leaving": (
        "for (int i = 0; i < n; i++) { C(0); for (int k = 0; k < 8; k++) { C(1); if (k == a[i]) leave(k); } }",
        False,
    ),
    "up_to_unequal": (
        "for (int i = 0; i < n; i++) { C(0); if (a[i] & 1) for (long k = 1; k != 10; k += 3) { C(1); t += d[k]; } }",
        False,
    ),
}  # fmt: skip
_DECLARATIONS = """#include <pthread.h>
static long hidden, known, threads, *elsewhere;
long everyones;
static int touch(int x) { if (x == 6) hidden += 5; return x & 3; }
static void *work(void *p) { threads += p != NULL; return p; }
void start(pthread_t *t) { pthread_create(t, NULL, work, NULL); }
"""


@pytest.fixture(scope="module")
def nests(tmp_path_factory: pytest.TempPathFactory) -> CountedNests:
    texts = {name: text for name, (text, _) in NESTS.items()}
    return CountedNests.build(tmp_path_factory.mktemp("own"), _DECLARATIONS, texts)


@pytest.mark.parametrize("name", NESTS)
def test_own_variables_count_what_ran(name: str, nests: CountedNests, tmp_path: Path) -> None:
    for seed in range(3):
        r = random.Random(f"{name} {seed}")
        numbers = [r.randrange(10) for _ in range(r.choice((3, 12)))]
        found, expected = nests.counts(name, numbers, tmp_path)
        assert found == expected, numbers


def test_which_variables_count(nests: CountedNests) -> None:
    own = OwnCounts(nests.module, find_abnormal_exits(nests.module))
    for name, (_, counts) in NESTS.items():
        function = nests.module.functions[name]
        found = list(own.find(function, loop_forest(function, nests.module)))
        assert bool(found) == counts, (name, found)
