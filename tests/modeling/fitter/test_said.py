"""What models say of themselves is so: values lie in their intervals, nothing below zero is told of
times, and how sure a value is is one thing wherever it is asked."""

from __future__ import annotations

import json

import numpy as np
import pytest

from looplaw.cli.commands.models.predict import _predicted
from looplaw.report.model_tables import models_table
from modeling import Measurements, Model, Models, Series, fit
from modeling.evidence.resolution import rounding_noise
from modeling.pmnf.law_names import law_name

FAR = (1.0, 4.0, 1000.0)


def drawn(seed: int) -> tuple[Series, ...]:
    """Series as people have them: few points, numbers of few digits, repetitions, any law."""
    rng = np.random.default_rng(seed)
    found = []
    for k in range(30):
        names = ("n", "p")[: rng.integers(1, 3)]
        axes = [2.0 ** np.arange(3, 3 + rng.integers(1, 7)), 2.0 ** np.arange(rng.integers(1, 5))]
        points = np.stack([a.ravel() for a in np.meshgrid(*axes[: len(names)])], axis=1)
        n, p = points[:, 0], points[:, -1]
        laws = (
            n,
            n**2 / p,
            5 + n * np.log2(n),
            900 - 2 * n,
            100 / p + p,
            1e-3 * 1.3 ** np.minimum(n, 60),
        )
        law = laws[rng.integers(len(laws))]
        scale, noise = 10 ** rng.uniform(-6, 3), rng.choice([0.0, 0.01, 0.2])
        repeated = rng.integers(1, 4)
        values = scale * law[:, None] * (1 + noise * rng.standard_normal((len(law), repeated)))
        values = np.abs(values)
        if rng.integers(2):
            values = np.array([[float(f"{v:.2g}") for v in row] for row in values.tolist()])
        metric = rng.choice(["time", "cost", "wall_time"])
        found.append(Series.from_values(f"f{k}", str(metric), names, points, values))
    return tuple(found)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_said_of_values_holds_everywhere(seed: int) -> None:
    models = fit(Measurements(drawn(seed)))
    again = Models.from_json(json.loads(json.dumps(models.to_json())))
    shown = [row[-1] for row in models_table(models.document).rows]
    for model, read, said in zip(models, again, shown, strict=True):
        reach = {} if model.mixture is None else {n: (t, v) for n, t, _, v in model.mixture.reach}
        for factor in FAR:
            at = {n: top * (factor if values != 1 else 1.0) for n, (top, values) in reach.items()}
            told, of_file = model.predict(at), read.predict(at)
            of_command = _predicted(read, at, "mean")
            assert told.certainty == of_file.certainty == of_command["certainty"]
            if np.isnan(told.value):
                assert (told.low, told.certainty) == (0, "open")
                assert of_command["value"] is None
                assert of_command["reason"]
                continue
            assert told.low <= told.value <= told.high, (model.formula, at)
            assert told.value >= 0
            assert of_command["value"] == pytest.approx(told.value)
            if factor == 4 and len(reach) and any(v != 1 for _, v in reach.values()):
                assert told.certainty == model.certainty == said, (model.formula, at)


def one(values: object, metric: str = "time", x: object = (100, 200, 400, 800)) -> Model:
    points = [[v] for v in x]  # type: ignore[attr-defined]
    series = Series.from_values("f", metric, ("n",), points, values)  # type: ignore[arg-type]
    return fit(Measurements((series,))).models[0]


def test_one_point_tells_nothing_of_others() -> None:
    model = one([1.0], x=(100,))
    assert str(model.certainty_at({"n": 200})) == model.certainty == "open"
    assert model.interval({"n": 200}) == (0, np.inf)
    assert "n = 100" in str(model.why_unknown({"n": 200}))
    assert model.why_unknown({"n": 100}) is None


def test_two_values_decide_no_exponent() -> None:
    points = [(n, p) for n in (64.0, 128, 256, 512) for p in (1.0, 2)]
    values = [1e-9 * n**2 / p for n, p in points]
    series = Series.from_values("f", "cost", ("n", "p"), points, values)
    model = fit(Measurements((series,))).models[0]
    assert not model.identifiable
    assert "p has 2 values" in str(model.reason)
    low, high = model.interval({"n": 512, "p": 16})
    assert high / low > 4
    counts = Series.from_values(
        "f", "iterations", ("n", "p"), points, [n**2 * p for n, p in points]
    )
    counted = fit(Measurements((counts,))).models[0]
    assert counted.counted is not None
    assert counted.counted.formula is None
    assert str(counted.certainty_at({"n": 512, "p": 64})) != "sure"


def test_a_law_that_meets_all_counts_is_no_approximation() -> None:
    points = [(n, p) for n in (64, 128, 256, 512, 1024) for p in (1, 2, 4, 8, 16)]
    counts = [20 * n * (n - 2) // p for n, p in points]
    models = fit(Measurements((Series.from_values("f", "iterations", ("n", "p"), points, counts),)))
    text = models_table(models.document)
    said = "\n".join(text.note)
    assert "approximation" not in said
    assert "meets all 25 counts exactly" in said
    assert not str(text.rows[0][2]).startswith("about")


def test_noise_is_not_below_the_rounding_of_the_numbers() -> None:
    four = one([0.92, 0.64, 0.60, 0.71], x=(1, 2, 4, 8))
    assert not four.identifiable
    low, high = four.interval({"n": 16})
    assert high / low > 1.5
    values = np.array(
        [[0.92, 0.6], [0.123456789, 0.5], [3, 4], [0.015625, 0.046875], [1.23e-4, 5.6e-2]]
    )
    found = rounding_noise(values, np.ones(5, dtype=bool))
    assert found[0] == pytest.approx(0.01 * 12**-0.5)
    assert found[1] == found[2] == 0
    assert found[3] > 0  # a clock of 1/64 s
    assert found[4] > 0  # three digits each


def test_values_of_a_law_below_zero_are_those_of_others_or_unknown() -> None:
    x = 2.0 ** np.arange(10)
    model = one(9.7e7 * x - 1.85e4 * x**1.75, "rate", x)
    far = {"n": 1e9}
    if float(model.evaluate(far)) < 0:
        told = model.predict(far)
        assert np.isnan(told.value) or told.low <= told.value <= told.high
        assert told.certainty == "open"
        assert "below zero" in str(model.why_unknown(far))
    falling = one([97.0, 94, 91, 88, 85, 82, 79, 76], "iterations", range(1, 9))
    low, high = falling.interval({"n": 64})
    assert high / low > 100


def test_python_knows_times_by_their_names() -> None:
    import looplaw

    n = np.array([64.0, 128, 256, 512, 1024])
    plain = looplaw.fit(n, 1e-3 * n)
    named = looplaw.fit(n, 1e-3 * n, metric="wall_time_ms")
    assert plain.predict({"n": 8192}).certainty == named.predict({"n": 8192}).certainty == "rough"
    assert named.unit == "ms"
    assert looplaw.fit(n, 1e-3 * n, metric="cost").predict({"n": 8192}).certainty == "sure"


@pytest.mark.parametrize(("base", "x"), [(2.0, range(10, 26, 2)), (1.618, range(20, 30))])
def test_exponential_growth_is_named(base: float, x: range) -> None:
    rng = np.random.default_rng(5)
    values = [1e-8 * base**n * (1 + 0.02 * rng.standard_normal()) for n in x]
    model = one(values, "time", x)
    assert model.curve is not None
    assert model.curve.curves[0].base == pytest.approx(base, rel=0.01)
    assert "exponential growth: x" in str(law_name(model))
    assert model.terms  # the normal form stays
    n = x[-1] + 5
    found = model.predict({"n": n})
    assert found.value == pytest.approx(1e-8 * base**n, rel=0.2)
    assert found.low <= 1e-8 * base**n <= found.high
    again = Models.from_json(json.loads(json.dumps(Models((model,)).to_json())))[0]
    assert again.predict({"n": n}) == found
    assert float(model.sympy.subs("n", n)) == pytest.approx(found.value)


@pytest.mark.parametrize("power", [1, 2, 3.5])
def test_powers_are_no_exponential_growth(power: float) -> None:
    rng = np.random.default_rng(6)
    for x in (range(3, 12), range(30, 80, 10), (64, 128, 256, 512, 1024)):
        values = [1e-6 * n**power * (1 + 0.02 * rng.standard_normal()) for n in x]
        assert one(values, "time", x).curve is None
