"""Models of random series are the same with the kernel and without it; thousands of them:
`python -m benchmarks.modeling_kernel`."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.modeling_kernel import SAME, Told, experiments, told
from modeling import Series
from modeling.kernel import library
from modeling.least_squares.batched_gram_schmidt import factor
from modeling.pmnf.goodness import determination
from modeling.settings import ARITHMETIC, FEWEST_TO_COMPILE

NUMBER = {"1 parameter": 75, "2 parameters": 50, "3 parameters": 25}
MOST_APART = 0.01
"""The share of awkward series whose models may differ: of those without noise whose points are so
close or so few that the coefficients of their rivals are rounding."""


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    if library.kernel(FEWEST_TO_COMPILE) is None:
        pytest.skip("no C compiler")


def _both(series: tuple[Series, ...]) -> list[tuple[Told, Told]]:
    found = (told(series, compiled=compiled) for compiled in (True, False))
    return list(zip(*found, strict=True))


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        *((kind, number // 2) for kind, number in NUMBER.items()),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in NUMBER.items()),
    ],
)
def test_both_say_the_same_of_random_series(kind: str, number: int) -> None:
    pairs = [p for e in experiments(number, 2, kind) for p in _both(e.series)]
    apart = [one.apart(other) for one, other in pairs]
    assert len(pairs) >= number
    assert sum(a > SAME for a in apart) <= max(1, MOST_APART * len(pairs)), max(apart)


@pytest.mark.parametrize(
    ("number", "seed"),
    [(80, 3), *(pytest.param(200, seed, marks=pytest.mark.slow) for seed in (3, 4))],
)
def test_rounding_of_close_points_is_not_seen(number: int, seed: int) -> None:
    """Columns of powers are nearly dependent there: the order of operations would be seen in the
    coefficients, which are far greater than the values."""
    pairs = [p for e in experiments(number, seed, "close points") for p in _both(e.series)]
    assert max(one.apart(other) for one, other in pairs) <= SAME


def test_laws_that_are_one_function_of_the_points_are_in_the_same_order() -> None:
    """Parameters that change together: x**2 is x*y and y**2, up to a factor."""
    generator = np.random.default_rng(4)
    x = 2.0 ** np.arange(2, 8)
    points = np.stack([x, 3 * x], axis=1)
    made = tuple(
        Series.from_values(
            f"f{k}",
            "time",
            ("x", "y"),
            points,
            ((5 + x**power) * generator.uniform(0.95, 1.05, len(x))).tolist(),
        )
        for k, power in enumerate((0.5, 1.0, 1.5, 2.0))
    )
    for one, other in _both(made):
        assert one.apart(other) <= SAME
        assert one.words == other.words


def test_dependent_columns_add_nothing() -> None:
    x = np.linspace(1, 2, 6)
    columns = np.stack([np.ones(6), x, x * (1 + 0.1 * ARITHMETIC.dependent)])[..., None]
    found = factor(columns.copy())
    assert np.isinf(found.log_volume[0])
    assert not found.basis[2].any()
    np.testing.assert_array_equal(found.basis[:2], factor(columns[:2].copy()).basis)
    assert np.isfinite(found.root).all()


def test_rounding_is_no_variation() -> None:
    y = np.full(5, 0.1) * (1 + np.array([0, 1, 0, -1, 0]) * 2e-16)
    assert determination(y, np.full(5, 0.1)) == 1
