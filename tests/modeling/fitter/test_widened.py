"""Intervals learn from the largest points of series of the same metric."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.bench_modeling import PUBLIC
from benchmarks.modeling_hard import hard_cases
from benchmarks.modeling_protocols import Case, real_cases, relative_error
from modeling import Measurements, Model, Models, Series, fit

X = 2.0 ** np.arange(3, 10)
BEYOND = {"n": float(2 * X[-1])}


def _series(name: str, y: np.ndarray) -> Series:
    return Series.from_values(name, "time", ["n"], X[:, None].tolist(), y.tolist())


def _bent(seed: int, count: int = 24) -> tuple[list[Series], np.ndarray]:
    """Laws whose power drifts with the size, as no term of the normal form does, and whose noise
    differs from series to series; and their values at twice the largest size."""
    rng = np.random.default_rng(seed)
    found, beyond = [], []
    every = np.append(X, BEYOND["n"])
    for k in range(count):
        walk = np.cumsum(rng.normal(0.6, 0.35, len(every)))
        y = np.exp(walk) * np.exp(10 ** rng.uniform(-3, -1) * rng.normal(size=len(every)))
        found.append(_series(f"f{k}", y[:-1]))
        beyond.append(y[-1])
    return found, np.array(beyond)


def _held(models: Models, true: np.ndarray) -> float:
    ends = [m.interval(BEYOND) for m in models.models]
    return float(np.mean([low <= y <= high for (low, high), y in zip(ends, true, strict=True)]))


def test_forecasts_that_missed_the_largest_points_get_wider_intervals() -> None:
    together, alone = [], []
    for seed in range(3):
        series, true = _bent(seed)
        together.append(_held(fit(Measurements(tuple(series))), true))
        each = tuple(fit(Measurements((s,))).models[0] for s in series)
        alone.append(_held(Models(each), true))
    assert np.mean(together) >= np.mean(alone)
    assert np.mean(together) >= 0.75


def test_series_that_share_their_noise_are_left_as_they_are() -> None:
    rng = np.random.default_rng(1)
    laws = [3 * X, 5 + X**1.5, X * np.log2(X), 40 + X] * 4
    noisy = [_series(f"f{k}", y * (1 + 0.02 * rng.normal(size=len(X)))) for k, y in enumerate(laws)]
    for model in fit(Measurements(tuple(noisy))).models:
        assert model.mixture is not None
        assert model.mixture.widened == 1


def test_files_keep_how_much_wider_intervals_are() -> None:
    rng = np.random.default_rng(2)
    jumps = [X * np.append(np.ones(len(X) - 1), rng.uniform(1.5, 3)) for _ in range(12)]
    noisy = [y * np.exp(10 ** rng.uniform(-4, -1) * rng.normal(size=len(X))) for y in jumps]
    models = fit(Measurements(tuple(_series(f"f{k}", y) for k, y in enumerate(noisy))))
    again = Models.from_json(models.to_json())
    first = models.models[0].mixture
    assert first is not None
    assert first.widened > 1
    for one, other in zip(models.models, again.models, strict=True):
        assert other.interval(BEYOND) == pytest.approx(one.interval(BEYOND), rel=1e-12)
    low, high = models.interval(BEYOND, 0.9)
    each = np.array([m.interval(BEYOND) for m in models.models])
    assert low == pytest.approx(each[:, 0], rel=1e-9)
    assert high == pytest.approx(each[:, 1], rel=1e-9)


def test_what_all_series_deviate_by_is_no_noise() -> None:
    """Array programs that all leave the caches alike: taken for noise, they would be worse together
    than alone."""
    sets: dict[str, list[Case]] = {}
    for case in real_cases(PUBLIC[0]):
        sets.setdefault(case.kind, []).append(case)
    errors = []
    for cases in sets.values():
        together = fit(Measurements(tuple(c.series for c in cases))).models
        alone = [fit(Measurements((c.series,))).models[0] for c in cases]
        errors.append((_error(cases, together), _error(cases, alone)))
        # what is learned of a dozen series may be worth a little less than nothing for them
        assert errors[-1][0] <= 1.15 * errors[-1][1]
    shared, own = np.mean(errors, axis=0)
    assert shared <= 1.05 * own


def _error(cases: list[Case], models: Sequence[Model]) -> float:
    """Mean error in % of the largest points, which the models do not know."""
    forecasts = (float(m.evaluate(c.query)) for m, c in zip(models, cases, strict=True))
    each = [relative_error(f, c.truth) for f, c in zip(forecasts, cases, strict=True)]
    return float(np.mean(each))


def test_designs_without_lines_are_not_extrapolated_by_lines() -> None:
    """Each parameter was varied alone from the smallest point, and one point has both larger:
    nothing is known of the neighbours of that point, so that it is no end of a line."""
    cases = list(hard_cases("sparse cross, 2 parameters", 30, 2))
    together = fit(Measurements(tuple(c.series for c in cases))).models
    alone = [fit(Measurements((c.series,))).models[0] for c in cases]
    assert _error(cases, together) <= 1.1 * _error(cases, alone) + 1
    assert _error(cases, alone) <= 20
