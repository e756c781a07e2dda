"""Loops whose iterations hand more and more work to a library: their times grow beyond counts."""

from __future__ import annotations

import numpy as np
import pytest

import looplaw
from looplaw.studies import time_laws
from looplaw.studies.grown_counts import power_law
from runtime.machine.known import write_machine
from staticana import InputError, find_compiler

from .test_time_laws import machine

_SORTS = """#include <stdlib.h>
static int less(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    unsigned state = 7;
    int *a = malloc(sizeof *a * n);
    for (int i = 0; i < n; i++)
        a[i] = 0;
    for (int k = 0; k < 12; k++) {
        a[state % n] = k;
        qsort(a, n, sizeof *a, less);
    }
    return a[0];
}
"""


def _timed(learner: time_laws._Learner, at: str) -> time_laws._Kernel:
    """Times as an idle machine has them: those of runs depend on what else runs."""
    points = tuple({"n": int(r.params["n"])} for r in learner.runs[::2])
    n = np.array([p["n"] for p in points], dtype=float)
    noise = 1 + 0.02 * np.cos(3 * np.arange(len(n)))
    return time_laws._Kernel(at, points, 12 * 4e-9 * n * np.log2(n) * noise, 1.0)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> looplaw.Study:
    try:
        find_compiler()
    except InputError:
        pytest.skip("no compiler")
    folder = tmp_path_factory.mktemp("study")
    write_machine(machine(1 << 20), folder / "machine.json")
    (folder / "sorts.c").write_text(_SORTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time_laws, "prefers_law", lambda *_: True)
        patch.setattr(time_laws._Learner, "_kernel", _timed)
        return looplaw.study(
            folder / "sorts.c",
            vary={"n": [2000, 4000, 8000, 16000, 32000]},
            out=folder / "out",
            machine=folder / "machine.json",
            repetitions=2,
        )


def test_what_a_library_does_grows_with_the_sizes(study: looplaw.Study) -> None:
    model = next(m for loop, m in study.kernels() if ":14:" in loop.at)
    assert model.law is not None
    grown = float(model.evaluate({"n": 128_000}) / model.evaluate({"n": 32_000}))
    assert 3 < grown < 7  # n log n: 4.5; the loop itself runs 12 times at any size


def test_growth_from_one_at_a_point() -> None:
    points = [{"n": float(n), "m": float(m)} for n in (2, 4, 8) for m in (3, 9)]
    law = power_law(points, np.array([5 * p["n"] ** 2 * p["m"] for p in points])).one_at(points[-1])
    assert law.at(points[-1]) == pytest.approx(1)
    assert law.at({"n": 16, "m": 9}) == pytest.approx(4)
