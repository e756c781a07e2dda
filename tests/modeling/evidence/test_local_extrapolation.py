"""The line through the last points: exact for powers, and what its forecasts are worth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from modeling.evidence.local_extrapolation import (
    earned_weight,
    extrapolation_weight,
    local_line,
    needed_error,
    stacked_weight,
)
from modeling.settings import DEFAULT

SETTINGS = DEFAULT.extrapolation
GRID = np.array([[x, y] for x in (2.0, 4, 8, 16) for y in (1.0, 3, 9)])


def power(points: np.ndarray) -> np.ndarray:
    return 5 * points[:, 0] ** 1.3 * (points[:, 1] ** -0.4 if points.shape[1] > 1 else 1)


@pytest.mark.parametrize(
    "points",
    [
        np.array([[3.0], [7.0], [20.0], [21.0]]),
        np.array([[7.0], [7.0], [3.0], [21.0], [21.0]]),
        GRID,
        GRID[::-1],
        np.concatenate([GRID, GRID[5:7]]),
    ],
)
def test_powers_go_on_as_they_are(points: np.ndarray) -> None:
    far = 7.5 * points[-3:]
    assert local_line(points, far) @ np.log(power(points)) == pytest.approx(np.log(power(far)))


def test_the_mean_of_the_lines_through_two_and_three_points() -> None:
    x, y = np.log([1.0, 2.0, 8.0, 64.0]), np.array([9.0, 1.0, 4.0, 2.0])
    found = local_line(np.exp(x)[:, None], np.array([[128.0]])) @ y
    lines = [np.polyval(np.polyfit(x[-k:], y[-k:], 1), math.log(128)) for k in (2, 3)]
    assert found[0] == pytest.approx(np.mean(lines))


def test_a_parameter_with_one_value_or_none_above_zero_changes_nothing() -> None:
    points = np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    one, other = np.array([[8.0, 5.0]]), np.array([[8.0, 50.0]])
    values = np.array([1.0, 2.0, 4.0])
    assert (local_line(points, one) @ values == local_line(points, other) @ values).all()
    zero = np.array([[0.0], [4.0]])
    assert local_line(zero, np.array([[8.0]])) @ np.array([7.0, 3.0]) == pytest.approx([3.0])


def test_the_weight_grows_with_the_noise_between_two_limits() -> None:
    silent, loud = SETTINGS.silent, SETTINGS.loud
    sigma = np.array([silent / 2, silent, math.sqrt(silent * loud), loud, 2 * loud])
    assert extrapolation_weight(sigma, SETTINGS) == pytest.approx([0, 0, 0.5, 1, 1], abs=1e-12)


def smape(one: float, other: float) -> float:
    return 2 * abs(one - other) / (one + other)


def test_the_line_earns_a_weight_where_the_law_is_clearly_worse() -> None:
    slack, true = SETTINGS.slack, 40.0
    cases = [(law, line) for law in (20.0, 39.0, 41.0, 60, 400) for line in (25.0, 38, 40, 44, 80)]
    law, line = np.array(cases).T
    found = earned_weight(law, line, np.full(len(cases), true))
    assert 0 < np.count_nonzero(found) < len(cases)
    for weight, (a, b) in zip(found, cases, strict=True):
        worse, better = smape(a, true) + slack, smape(b, true) + slack
        is_earned = worse > SETTINGS.earns * better and better < SETTINGS.farthest + slack
        assert weight == pytest.approx(1 - better / worse if is_earned else 0)


@pytest.mark.parametrize("line", [38.0, 40.0, 44.0, 35.0])
def test_the_error_from_which_a_weight_is_earned(line: float) -> None:
    true = 40.0
    needed = float(needed_error(np.array([line]), np.array([true]))[0])
    for share, is_earned in ((0.999, False), (1.001, True)):
        error = share * needed
        law = true * (1 + error / 2) / (1 - error / 2)
        assert smape(law, true) == pytest.approx(error)
        weight = earned_weight(np.array([law]), np.array([line]), np.array([true]))[0]
        assert (weight > 0) == is_earned


def test_the_common_weight_has_the_least_error_and_is_the_usual_one_without_data() -> None:
    generator = np.random.default_rng(4)
    chosen = set()
    for count in (1, 2, 5, 30):
        for bias in (0.5, 1.0, 2.0):
            true = generator.uniform(1, 9, count)
            law = true * bias * generator.lognormal(0, 0.3, count)
            line = true * generator.lognormal(0, 0.3, count)
            costs = {}
            for k in range(SETTINGS.weight_count):
                w = k / (SETTINGS.weight_count - 1)
                errors = [
                    smape(a ** (1 - w) * b**w, t) for a, b, t in zip(law, line, true, strict=True)
                ]
                costs[w] = sum(errors) + (w - SETTINGS.usual_weight) ** 2
            found = stacked_weight(law, line, true)
            assert found == pytest.approx(min(costs, key=lambda w: costs[w]))
            chosen.add(round(found, 3))
    assert len(chosen) > 3
    same = np.full(3, 7.0)
    assert stacked_weight(same, same, same) == pytest.approx(SETTINGS.usual_weight)
