"""The factors of a parameter are chosen along lines."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from modeling.kernel import lines
from modeling.pmnf.dictionary import FactorTable
from modeling.search.line_factors import LineFactors, LineHypotheses
from modeling.settings import DEFAULT
from tests.modeling.kernel.twins import line_factors

GRID = np.array(list(product(2.0 ** np.arange(1, 6), (3.0, 6.0, 12.0, 24.0), (1.0, 2.0))))


def _factors(points: np.ndarray, parameter: int) -> LineFactors:
    table = FactorTable.of(points[:, parameter])
    hypotheses = LineHypotheses(table, DEFAULT)
    every = np.ones(len(points), dtype=bool)
    columns = table.columns(points[:, parameter])
    return LineFactors.of(points, every, parameter, columns, hypotheses)


def _series(points: np.ndarray, count: int) -> np.ndarray:
    """Sums of products with noise, a line of zeros among them."""
    generator = np.random.default_rng(5)
    x, n, _ = points.T
    laws = [1 + x**2 * n, 5 + x * np.log2(x) + n**1.5, 7 + 0 * x]
    y = np.stack([laws[k % 3] * generator.uniform(0.9, 1.1, len(x)) for k in range(count)])
    y[0, (points[:, 1:] == points[0, 1:]).all(axis=1)] = 0.0
    return y


@pytest.mark.parametrize("count", [1, 4, 40])
@pytest.mark.parametrize("holes", [0, 9])
def test_the_factors_of_the_best_hypotheses_are_chosen(
    count: int, holes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of factors is that of hypotheses by their summed least squares; long lines, whose
    errors come from bases, are those of short ones."""
    kept = np.ones(len(GRID), dtype=bool)
    kept[np.random.default_rng(1).choice(len(GRID), holes, replace=False)] = False
    points = GRID[kept]
    y = _series(points, count)
    magnitude, spread = np.maximum(y, 1.0), np.ones(y.shape)
    for parameter in range(2):
        factors = _factors(points, parameter)
        found = factors.chosen(y, magnitude, spread)
        monkeypatch.setattr(lines, "MOST_FORM_POINTS", 0)
        unformed = _factors(points, parameter).chosen(y, magnitude, spread)
        monkeypatch.undo()
        np.testing.assert_array_equal(found, unformed)
        for k in range(min(count, 4)):
            expected = line_factors(factors, y[k], magnitude[k])
            np.testing.assert_array_equal(found[k], expected)


def test_the_factor_of_a_law_comes_first() -> None:
    y = (3 * GRID[:, 0] ** 2 * GRID[:, 1])[None]
    for parameter, power in ((0, 2), (1, 1)):
        factors = _factors(GRID, parameter)
        first = factors.hypotheses.table.factors[factors.chosen(y, y, np.ones(y.shape))[0, 0]]
        assert first == (power, 0)


def test_a_parameter_without_lines_has_plain_factors() -> None:
    factors = _factors(GRID, 2)
    assert not factors.lines
    y = np.ones((2, len(GRID)))
    np.testing.assert_array_equal(factors.chosen(y, y, y), [factors.plain] * 2)
