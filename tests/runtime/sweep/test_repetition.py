"""Intervals of times with outliers, held against scipy's trimmed t-test and against simulation."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest

from runtime import Experiment, Repeated, RunRecord, UntilTight, trimmed_mean
from runtime.sweep.repetition import widest


@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 10, 23, 50])
def test_interval_is_that_of_yuen(n: int) -> None:
    """scipy gives the statistic (a - b) / error of two trimmed means; b has no spread, so the error
    is a's."""
    from scipy import stats  # not above: each worker imports this file, and stats takes a second

    values = np.random.default_rng(n).lognormal(0, 0.3, n)
    found = trimmed_mean(values.tolist())
    cut = int(0.2 * n)
    assert found.mean == pytest.approx(np.mean(np.sort(values)[cut : n - cut]))
    t = stats.ttest_ind(values, np.zeros(50), equal_var=False, trim=0.2).statistic
    assert found.half == pytest.approx(found.mean / t * stats.t.ppf(0.975, n - 2 * cut - 1))


def test_interval_covers_in_spite_of_outliers() -> None:
    generator = np.random.default_rng(1)
    hits = 0
    for _ in range(1000):
        values = generator.normal(1.0, 0.02, 12)
        values[0] += generator.exponential(5.0)  # an interrupt
        found = trimmed_mean(values.tolist())
        hits += abs(found.mean - 1.0) <= found.half
        assert found.relative < 0.1
    assert hits >= 930


def test_single_and_equal_values() -> None:
    assert trimmed_mean([2.0]).relative == math.inf
    assert trimmed_mean([2.0, 2.0]).relative == 0
    assert widest([]) == math.inf
    assert widest([[0.0, 0.0]]) == math.inf
    assert widest([[1.0, 1.0], [0.001, 0.002]]) == 0, "what takes no time need not be known well"
    assert widest([[1.0, 1.0], [0.5, 0.6]]) > 0.5


def _sweep(
    schedule: UntilTight, time_of: Callable[[int, int], float | None]
) -> list[tuple[int, int]]:
    """(n, repetition) of the runs that a schedule asks for."""
    asked = []
    while experiments := schedule.next_round():
        for e in experiments:
            asked.append((e.params["n"], e.repetition))
            time = time_of(e.params["n"], e.repetition)
            schedule.add(
                RunRecord(
                    "",
                    e.params,
                    e.argv,
                    e.repetition,
                    "failed" if time is None else "ok",
                    0,
                    "",
                    "",
                    0.1,
                    0.1,
                    (1,),
                    (1,),
                    (time or 0.0,),
                )
            )
    return asked


def test_points_are_repeated_until_they_are_tight() -> None:
    generator = random.Random(3)
    noise = {1: 0.001, 2: 0.05, 3: 3.0, 4: 0.0}

    def time_of(n: int, repetition: int) -> float | None:
        return None if n == 4 and repetition == 1 else generator.lognormvariate(0, noise[n])

    points = [Experiment({"n": n}, ()) for n in noise]
    schedule = UntilTight(Repeated(points, 3), 0.05, 25, lambda r: r.seconds)
    asked = _sweep(schedule, time_of)
    runs = {n: sorted(k for m, k in asked if m == n) for n in noise}
    assert runs[1] == [0, 1, 2], "tight after the first three"
    assert 3 < len(runs[2]) < 25
    assert runs[3] == list(range(25)), "never tight: as often as is allowed"
    assert runs[4] == [0, 1, 2], "failed once: not repeated"
    assert set(schedule.loose()) == {(("n", 3),)}
