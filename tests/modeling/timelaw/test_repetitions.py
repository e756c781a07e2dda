"""How much longer one run takes than the quickest: in the interval of a law, on its upper side."""

from __future__ import annotations

import math

import numpy as np
import pytest

from modeling.timelaw.fit import fit_time_law
from modeling.timelaw.repetitions import excess

from .test_time_law import _COUNT, _SIZES, machine, sweep_traffic, truth


def test_each_run_is_compared_with_the_least_of_the_others() -> None:
    points = [[2.0, 1.0, 4.0], [3.0], [5.0, 5.0]]
    away = [math.log(2), 0.0, math.log(4), 0.0, 0.0]
    assert 1.645 * excess(points, floor_s=0.0) == pytest.approx(np.quantile(away, 0.95), rel=1e-3)


def test_one_run_that_took_very_long_among_many_is_no_rule() -> None:
    quiet = [[1.0 + 0.001 * k for k in range(5)] for _ in range(6)]
    one = [*quiet[:5], [1.0, 1.001, 1.002, 1.003, 9.0]]
    assert excess(one) == pytest.approx(excess(quiet), abs=1e-3)


def test_what_was_measured_once_and_what_the_clock_loses_tell_nothing() -> None:
    assert excess([[1.0], [2.0]]) == 0.0
    assert excess([[1e-6, 1.9e-6, 2e-6]]) == 0.0


def test_an_interval_holds_single_runs_and_stays_narrow_where_runs_are_alike() -> None:
    rng = np.random.default_rng(3)
    costs, far = machine(), {"n": np.array([800.0])}
    held, widths = [], []
    for disturbed in (0.3, 0.0):
        base = truth(_SIZES, costs)
        runs = base * np.exp(disturbed * rng.exponential(size=(5, len(_SIZES))))
        law = fit_time_law(
            runs.min(axis=0),
            {"n": _SIZES},
            [_COUNT],
            sweep_traffic(),
            costs,
            repeats=excess(runs.T.tolist()),
        ).law
        low, high = law.interval(far, 0.9)
        new = truth(far["n"], costs) * np.exp(disturbed * rng.exponential(size=400))
        held.append(float(np.mean((low <= new) & (new <= high))))
        widths.append((float((law.seconds(far) / low)[0]), float((high / law.seconds(far))[0])))
    assert min(held) >= 0.85
    assert widths[0][1] > 1.3 * widths[0][0]  # longer, not shorter
    assert widths[1][1] == pytest.approx(widths[1][0])
