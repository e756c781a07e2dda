"""Programs that change their behaviour at a size: the last regime counts for forecasts."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.modeling_hard import hard_cases
from modeling import Measurements, Models, Series, fit


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


@pytest.mark.parametrize("seed", [11, 12])
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
