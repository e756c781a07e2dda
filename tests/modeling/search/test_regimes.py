"""Programs that change their behaviour at a size: the last regime counts for forecasts."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.modeling_hard import hard_cases
from benchmarks.modeling_protocols import several_parameters
from modeling import Measurements, Models, Series, fit
from modeling.settings import DEFAULT


def measured(name, x, law, noise=0.02, repetitions=1, seed=1):
    generator = np.random.default_rng(seed)
    x = np.asarray(x, dtype=float)
    values = law(x)[:, None] * (1 + noise * generator.standard_normal((len(x), repetitions)))
    return Series.from_values(name, "time", ("n",), x[:, None], values)


SIZES = 100 * 2.0 ** np.arange(8)
LAWS = {
    "cache step": lambda x: x * np.where(x > 1000, 3.0, 1.0),
    "greater of two": lambda x: np.maximum(900.0, x),
    "another protocol": lambda x: np.where(x > 900, 4000 + 0.4 * x, 300 + x),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("seed", range(3))
def test_the_last_regime_is_forecast(name, seed):
    law = LAWS[name]
    series = measured(name, SIZES, law, repetitions=3, seed=seed)
    model = fit(Measurements((series,))).models[0]
    far = {"n": 4 * SIZES[-1]}
    assert float(model.evaluate(far)) == pytest.approx(float(law(np.array([far["n"]]))[0]), rel=0.2)
    assert model.before is not None
    assert SIZES[2] < model.before.until < SIZES[4]
    assert model.evaluate({"n": SIZES}) == pytest.approx(law(SIZES), rel=0.1)


def test_one_law_stays_one_law():
    series = tuple(
        measured(f"{k}", SIZES, lambda x, k=k: 3 + x ** (0.5 * k), seed=k) for k in range(1, 6)
    )
    assert all(m.before is None for m in fit(Measurements(series)).models)


def test_regimes_survive_a_file_and_agree_with_batches():
    series = tuple(measured(n, SIZES, law, seed=7) for n, law in LAWS.items())
    models = fit(Measurements(series))
    back = Models.from_json(json.loads(json.dumps(models.to_json())))
    at = {"n": np.concatenate([SIZES, [4 * SIZES[-1]]])}
    batched, (low, high) = models.values(at), models.interval(at)
    for k, (one, two) in enumerate(zip(models.models, back.models, strict=True)):
        assert one.evaluate(at) == pytest.approx(batched[k], rel=1e-9)
        assert two.evaluate(at) == pytest.approx(batched[k], rel=1e-9)
        for model in (one, two):
            assert np.array(model.interval(at)) == pytest.approx(
                np.array([low[k], high[k]]), rel=1e-6
            )


def test_the_interval_below_a_change_is_that_of_the_law_there():
    series = measured("step", SIZES, LAWS["cache step"], repetitions=5)
    model = fit(Measurements((series,))).models[0]
    low, high = model.interval({"n": SIZES[:2]})
    assert (low < SIZES[:2]).all()
    assert (SIZES[:2] < high).all()
    assert (high / low < 1.5).all()


def test_every_repetition_of_the_largest_point_is_no_outlier():
    values = [[1.0, 1.01, 0.99]] * 5 + [[2.0, 2.01, 1.99]]
    series = Series.from_values("jump", "time", ("n",), SIZES[:6, None], values)
    model = fit(Measurements((series,))).models[0]
    assert float(model.evaluate({"n": SIZES[5]})) == pytest.approx(2, rel=0.05)


@pytest.mark.parametrize("seed", [11, pytest.param(12, marks=pytest.mark.slow)])
def test_few_protocol_switches_are_called_sure_and_these_rightly(seed):
    cases = list(hard_cases("protocol switch", 100, seed))
    models = [fit(Measurements((c.series,))).models[0] for c in cases]
    off = [
        abs(float(m.evaluate(c.query)) / c.truth - 1) for m, c in zip(models, cases, strict=True)
    ]
    sure = [e for m, e in zip(models, off, strict=True) if m.identifiable]
    assert sum(e > 0.25 for e in sure) <= max(1, 0.1 * len(sure))
    ends = [m.interval(c.query) for m, c in zip(models, cases, strict=True)]
    held = [low <= c.truth <= high for (low, high), c in zip(ends, cases, strict=True)]
    assert np.mean(held) >= 0.85
    assert np.median(off) < 0.15


RANKS, ROWS, STEPS = 8 * 2.0 ** np.arange(4), 1000 * np.arange(1.0, 5), np.arange(1.0, 4)


def grid(law, *axes, noise=0.02, seed=1):
    """A series of two or three parameters p, n and t at all points of a grid."""
    points = np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], axis=1)
    generator = np.random.default_rng(seed)
    values = law(*points.T)[:, None] * (1 + noise * generator.standard_normal((len(points), 2)))
    return Series.from_values("grid", "time", ("p", "n", "t")[: len(axes)], points, values)


ON_GRIDS = {
    "another algorithm": lambda p, n: n / 1000 * np.where(p > 20, 5.0, 1.0),
    "at the largest alone": lambda p, n: (2 + n / 1000) * np.where(p > 40, 3.0, 1.0),
    "out of a cache": lambda p, n: (1 + p / 8 + n / 500) * np.where(n > 2500, 2.5, 1.0),
}


@pytest.mark.parametrize("name", ON_GRIDS)
@pytest.mark.parametrize("seed", range(3))
def test_a_step_of_one_of_several_parameters_is_no_steep_power(name, seed):
    law = ON_GRIDS[name]
    model = fit(Measurements((grid(law, RANKS, ROWS, seed=seed),))).models[0]
    far = {"p": 2 * RANKS[-1], "n": 2 * ROWS[-1]}
    assert float(model.evaluate(far)) == pytest.approx(float(law(**far)), rel=0.25)
    assert model.before is not None
    assert model.before.parameter == ("n" if "cache" in name else "p")


def test_a_step_on_a_grid_of_three_survives_a_file():
    series = grid(
        lambda p, n, t: (n / 1000 + n / 1000 * t) * np.where(p > 40, 2.0, 1.0), RANKS, ROWS, STEPS
    )
    models = fit(Measurements((series,)))
    far = {"p": 128.0, "n": 8000.0, "t": 6.0}
    back = Models.from_json(json.loads(json.dumps(models.to_json()))).models[0]
    assert float(models.models[0].evaluate(far)) == pytest.approx(112, rel=0.2)
    for at in (far, {"p": 16.0, "n": 2000.0, "t": 2.0}):
        assert float(back.evaluate(at)) == pytest.approx(float(models.models[0].evaluate(at)))
        assert back.interval(at) == pytest.approx(models.models[0].interval(at))


@pytest.mark.parametrize("seed", range(3))
def test_smooth_laws_of_several_parameters_have_no_step(seed):
    series = grid(lambda p, n: 1 + p**0.5 + n / 1000 * np.log2(p), RANKS, ROWS, seed=seed)
    assert fit(Measurements((series,))).models[0].before is None


def test_steps_are_found_among_series_that_share_their_noise():
    cases = list(hard_cases("step on a grid, 2 parameters", 30, 5))
    models = fit(Measurements(tuple(c.series for c in cases))).models
    off = [
        abs(float(m.evaluate(c.query)) / c.truth - 1) for m, c in zip(models, cases, strict=True)
    ]
    assert np.median(off) < 0.15
    wrong = [e > 0.25 for m, e in zip(models, off, strict=True) if m.identifiable]
    assert sum(wrong) <= max(1, 0.1 * len(wrong))


def test_noisy_series_with_and_without_a_step_are_modelled_in_any_blocks():
    generator = np.random.default_rng(4)
    cases = several_parameters(24, 2, 0.0, 1, 4)
    series = tuple(
        replace(
            c.series,
            means=c.series.means * np.maximum(1 + 0.4 * generator.standard_normal(25), 0.02),
        )
        for c in cases
    )
    one = replace(DEFAULT, batch=replace(DEFAULT.batch, block=1))
    whole, alone = (fit(Measurements(series), settings=s).models for s in (DEFAULT, one))
    far = {"x": 256.0, "y": 256.0}
    for a, b in zip(whole, alone, strict=True):
        assert float(a.evaluate(far)) == pytest.approx(float(b.evaluate(far)), rel=1e-6)
