"""Values that rise in steps are followed through the middle of the steps."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.modeling_hard import hard_cases
from modeling import Measurements, Model, Prior, Series, Term, fit

X = np.array([32.0, 48, 72, 108, 162, 243, 365])


def _model(y: np.ndarray, prior: Prior | None = None, x: np.ndarray = X) -> Model:
    series = Series.from_values("f", "time", ["n"], x[:, None].tolist(), y.tolist())
    return fit(Measurements((series,)), {("f", "time"): prior} if prior else None).models[0]


def test_steps_of_a_tile_grow_in_proportion() -> None:
    """Some steps look like a logarithm from a size on; most do not."""
    rng, errors = np.random.default_rng(5), []
    for tile in np.geomspace(35, 120, 12):
        start = rng.uniform(0, 2)
        y = (start + np.ceil(X / tile)) * (1 + 0.01 * rng.normal(size=len(X)))
        true = start + 4 * X[-1] / tile + 0.5
        errors.append(abs(float(_model(y).evaluate({"n": 4 * X[-1]})) / true - 1))
    assert np.median(errors) < 0.1
    assert np.mean(errors) < 0.16


@pytest.mark.parametrize("power", [0.5, 0.75, 1.5, 2.0])
def test_noisy_laws_of_other_powers_are_no_stairs(power: float) -> None:
    found = []
    for seed in range(5):
        noise = np.random.default_rng(seed).normal(size=len(X))
        y = X**power * (1 + 0.03 * noise)
        found.append(float(_model(y).evaluate({"n": 4 * X[-1]})) / (4 * X[-1]) ** power)
    assert np.median(found) == pytest.approx(1, rel=0.12)


def test_a_law_that_is_known_has_no_stairs() -> None:
    y = 3 + np.ceil(X / 75.0)
    known = Prior(frozenset({"n"}), (Term.of({"n": (2, 0)}),), fixed=True)
    assert _model(y, known).formula == _model(y, known).formula
    lower = Prior(frozenset({"n"}), lower=(Term.of({"n": (2, 0)}),))
    assert "**2" in _model(y, lower).formula


def test_values_at_zero_and_few_points_are_no_trouble() -> None:
    few = np.array([0.0, 1, 2, 3])
    assert np.isfinite(float(_model(1 + np.ceil(few / 2), x=few).evaluate({"n": 9.0})))
    assert np.isfinite(float(_model(1 + np.ceil(X[:4] / 90), x=X[:4]).evaluate({"n": 999.0})))


def test_forecasts_of_tiles_hold_what_steps_and_sizes_leave_open() -> None:
    """Sizes of a tile with the same steps at all points differ in their slope."""
    cases = list(hard_cases("ceil(x / tile)", 60, 17))
    models = [fit(Measurements((c.series,))).models[0] for c in cases]
    ends = [m.interval(c.query) for m, c in zip(models, cases, strict=True)]
    held = [low <= c.truth <= high for (low, high), c in zip(ends, cases, strict=True)]
    assert np.mean(held) >= 0.85
    off = [float(m.evaluate(c.query)) / c.truth for m, c in zip(models, cases, strict=True)]
    assert abs(np.median(np.log(off))) < 0.02
