"""Grids with few points, and series that no law describes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest

from modeling import Measurements, Model, Series, fit


def model_of(
    names: Sequence[str],
    points: Sequence[Sequence[float]],
    values: Sequence[float | Sequence[float]],
) -> Model:
    return fit(Measurements((Series.from_values("f", "count", names, points, values),))).models[0]


@pytest.mark.parametrize(
    "f",
    [
        lambda n, m: (n - 2) * (m - 2),
        lambda n, m: (n - 1) * (m - 3),
        lambda n, m: 5 * (n + 1) * (m - 1),
        lambda n, m: (n - 2) * m,
        lambda n, m: n * n * (m - 2),
    ],
)
@pytest.mark.parametrize("n", [(50, 100, 200, 400), (16, 24, 32, 64, 96)])
@pytest.mark.parametrize("m", [(60, 120), (7, 20, 31)])
def test_nests_with_offsets_on_small_grids(
    f: Callable[[int, int], int], n: Sequence[int], m: Sequence[int]
) -> None:
    points = list(product(n, m))
    model = model_of("nm", points, [f(*p) for p in points])
    assert [
        float(model.evaluate({"n": float(a), "m": float(b)})) for a, b in points
    ] == pytest.approx([f(*p) for p in points])
    assert not model.identifiable or float(
        model.evaluate({"n": 3000.0, "m": 700.0})
    ) == pytest.approx(f(3000, 700), rel=1e-6)


def test_the_simplest_exact_law_is_found_on_eight_points() -> None:
    points = list(product((50, 100, 200, 400), (60, 120)))
    model = model_of("nm", points, [(n - 2) * (m - 2) for n, m in points])
    assert {str(t): round(c, 6) for c, t in model.terms} == {"n": -2, "m": -2, "m*n": 1}
    assert model.constant == pytest.approx(4)


def test_offsets_under_a_common_factor() -> None:
    points = list(product((10, 20, 40, 80), (8, 16), (1, 2, 3)))
    model = model_of("nmt", points, [(n - 2) * (m - 2) * t for n, m, t in points])
    assert float(model.evaluate({"n": 300.0, "m": 50.0, "t": 10.0})) == pytest.approx(
        298 * 48 * 10, rel=1e-6
    )


@pytest.mark.parametrize(
    "values",
    [
        [0, 0, 64, 128, 256],
        [0, 0, 64, 128, 256, 512, 1024, 2048],
        [0, 100, 0, 100, 0],
        [1, 9, 0.3, 30, 2],
        [5, 0.1, 9, 0.02, 30],
        [0, 0, 0, 0, 100, 0],
    ],
)
def test_no_law_is_identified_where_none_fits(values: Sequence[float]) -> None:
    model = model_of("n", [[2.0 ** (k + 1)] for k in range(len(values))], values)
    assert not model.identifiable
    assert model.reason


def test_large_noise_is_believed_where_repetitions_show_it() -> None:
    generator = np.random.default_rng(4)
    values = [(10 * np.exp(0.8 * generator.standard_normal(12))).tolist() for _ in range(6)]
    model = model_of("n", [[2.0**k] for k in range(6)], values)
    assert model.reason is None or "repetitions" not in model.reason


def test_zero_where_the_law_is_zero_is_no_misfit() -> None:
    model = model_of("n", [[n] for n in (1, 2, 4, 8, 16)], [3 * (n - 1) for n in (1, 2, 4, 8, 16)])
    assert model.identifiable
    assert float(model.evaluate({"n": 100.0})) == pytest.approx(297)


def test_many_parameters_do_not_crash() -> None:
    points = np.random.default_rng(2).integers(1, 50, (40, 7)).astype(float)
    model = model_of("abcdefg", points.tolist(), (3 * points[:, 0] + 5).tolist())
    assert model.evaluate(dict(zip("abcdefg", points.T, strict=True))) == pytest.approx(
        3 * points[:, 0] + 5
    )
