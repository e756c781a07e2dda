"""Local extrapolation earns its weight by the largest point; speed changes no result."""

from __future__ import annotations

import numpy as np
import pytest

from modeling import Measurements, Series, fit
from modeling.evidence.local_extrapolation import earned_weight
from modeling.least_squares.threads import one_blas_thread
from modeling.search.gathered import live

X = 2.0 ** np.arange(4, 11)


def _series(name: str, y: np.ndarray) -> Series:
    return Series.from_values(name, "time", ["n"], X[:, None].tolist(), y.tolist())


def test_the_line_earns_a_weight_where_it_was_clearly_better() -> None:
    true = np.full(4, 100.0)
    law, line = np.array([101.0, 150, 150, 300]), np.array([100.0, 140, 101, 200])
    weight = earned_weight(law, line, true)
    assert weight[0] == weight[1] == weight[3] == 0  # both good, both bad, the line too far off
    assert 0.5 < weight[2] < 1


def test_laws_without_noise_are_not_moved() -> None:
    laws = [5 + 3 * X, 2e-3 * X**2, X * np.log2(X), 7 + 0 * X, 100 / X + 3]
    models = fit(Measurements(tuple(_series(f"f{k}", y) for k, y in enumerate(laws)))).models
    truth = (5 + 3 * 4096, 2e-3 * 4096**2, 4096 * 12, 7, 100 / 4096 + 3)
    for model, value in zip(models, truth, strict=True):
        assert float(model.evaluate({"n": 4096.0})) == pytest.approx(value, rel=1e-6)


def test_rounding_at_the_largest_points_is_no_miss() -> None:
    """Another law is found without them, but the one of all points leaves nothing."""
    values = {2: (3, 12, 24), 4: (3, 6), 8: (3, 12, 24), 16: (3, 6, 12, 24)}
    points = np.array([(x, y) for x, ys in values.items() for y in ys], dtype=float)
    law = 56.05981777785581 + 24.77339750197481 * points[:, 1] ** 0.5 * np.log2(points[:, 1]) ** 2
    series = Series.from_values("f", "time", ["x", "y"], points.tolist(), law.tolist())
    model = fit(Measurements((series,))).models[0]
    assert model.quality.smape < 1e-9
    assert model.constant == pytest.approx(56.05981777785581)


def test_a_coefficient_of_rounding_is_no_term() -> None:
    """A law that is a constant but for rounding is refitted as one."""
    y, fits = np.array([[13.0, 13.0, 16.0, 16.0]]), np.array([[[16.0, 2.5e-15, 0.0]]])
    root = 1e-3 * np.eye(3)[None, None]
    np.testing.assert_array_equal(live(y, fits, root), [[[True, False, False]]])


def test_kept_designs_give_the_same_models() -> None:
    rng = np.random.default_rng(3)
    y = (5 + X**1.5) * np.exp(0.02 * rng.normal(size=len(X)))
    first, again = (fit(Measurements((_series("f", y),))).models[0] for _ in range(2))
    assert first.formula == again.formula
    at = {"n": 4096.0}
    assert np.array(first.interval(at)) == pytest.approx(np.array(again.interval(at)), rel=1e-9)


def test_threads_are_given_back() -> None:
    threadpoolctl = pytest.importorskip("threadpoolctl")

    def threads() -> list[int]:
        return [i["num_threads"] for i in threadpoolctl.threadpool_info()]

    with threadpoolctl.threadpool_limits(2):
        before = threads()
        with one_blas_thread(1000):
            assert min(threads()) == 1
        assert threads() == before


def test_one_point_does_not_end_all_growth() -> None:
    x = [64.0, 512.0, 4096.0, 32768.0]
    y = [0.000457, 0.00138, 0.00365, 0.00745]
    series = Series.from_values("kernel", "time", ["n"], [[v] for v in x], y)
    model = fit(Measurements((series,))).models[0]
    assert float(model.evaluate({"n": 262144.0})) > 1.3 * y[-1]
    assert not model.identifiable
