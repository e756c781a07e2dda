"""Known functions are recovered; noise, constants and bad data are treated as they should be."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modeling import (
    METHODS,
    DataError,
    Measurements,
    Models,
    OnlineFitter,
    Prior,
    Series,
    Statistics,
    Term,
    fit,
)

POINTS = [64, 96, 128, 192, 256]
KNOWN: dict[str, tuple[Callable[[float], float], str]] = {
    "constant": (lambda n: 7.0, "1"),
    "linear": (lambda n: 3 * n + 2, "n"),
    "quadratic": (lambda n: 3 * n * n + 100 * n + 7, "n**2"),
    "triangle": (lambda n: n * (n + 1) / 2, "n**2"),
    "n log n": (lambda n: 5 * n * math.log2(n), "n*log(n, 2)"),
    "root": (lambda n: 2 * n**0.5, "n**(1/2)"),
    "cube": (lambda n: n**3 + 5, "n**3"),
    "three halves": (lambda n: n**1.5, "n**(3/2)"),
    "reciprocal": (lambda n: 100 / n, "n**(-1)"),
    "log": (lambda n: math.log2(n), "log(n, 2)"),
    "lu": (lambda n: n * (n - 1) * (2 * n - 1) / 6, "n**3"),
    "fourth": (lambda n: n**4, "n**4"),
}


def one(
    f: Callable[[float], float],
    points: list[int],
    *,
    noise: float = 0,
    repetitions: int = 1,
    seed: int = 0,
) -> Series:
    generator = np.random.default_rng(seed)
    values = [
        [f(x) * (1 + noise * generator.standard_normal()) for _ in range(repetitions)]
        for x in points
    ]
    return Series.from_values("f", "time", ("n",), [[x] for x in points], values)


@pytest.mark.parametrize("name", KNOWN)
def test_one_parameter_without_noise(name: str) -> None:
    f, lead = KNOWN[name]
    model = fit(Measurements((one(f, POINTS),))).models[0]
    assert str(model.lead) == lead
    assert float(model.evaluate({"n": 1024.0})) == pytest.approx(f(1024), rel=1e-6)
    assert model.quality.points == 5
    assert model.identifiable


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: x * y,
        lambda x, y: x * x * math.log2(y),
        lambda x, y: x * y + x * x,
        lambda x, y: 3 * x + 5 * y + 1,
        lambda x, y: x * y * y + 4,
    ],
)
def test_two_parameters_without_noise(f: Callable[[float, float], float]) -> None:
    grid = [(a, b) for a in (4, 8, 16, 32, 64) for b in (10, 20, 40, 80, 160)]
    series = Series.from_values(
        "f", "time", ("x", "y"), grid, [f(float(a), float(b)) for a, b in grid]
    )
    model = fit(Measurements((series,))).models[0]
    assert float(model.evaluate({"x": 500.0, "y": 700.0})) == pytest.approx(f(500, 700), rel=1e-6)


def test_constants_with_noise_get_no_trend() -> None:
    models = [
        fit(Measurements((one(lambda n: 5, POINTS, noise=0.03, seed=k),))).models[0]
        for k in range(40)
    ]
    assert sum(not m.terms for m in models) >= 38


def test_two_percent_noise_keeps_the_lead() -> None:
    models = [
        fit(
            Measurements((one(lambda n: 3 * n * n, POINTS, noise=0.02, repetitions=3, seed=k),))
        ).models[0]
        for k in range(40)
    ]
    assert sum(str(m.lead) == "n**2" for m in models) >= 32
    inside = 0
    for m in models:
        low, high = m.interval({"n": 512.0})
        inside += bool(low <= 3 * 512**2 <= high)
    assert inside >= 28


def test_a_prior_restricts_and_offers() -> None:
    grid = [(a, b) for a in (4, 8, 16, 32) for b in (1, 2, 4, 8)]
    generator = np.random.default_rng(3)
    series = Series.from_values(
        "f",
        "time",
        ("n", "p"),
        grid,
        [a**2.2 * (1 + 0.01 * b) * (1 + 0.02 * generator.standard_normal()) for a, b in grid],
    )
    prior = Prior(frozenset(("n",)), (Term.of({"n": (Fraction(11, 5), 0)}),))
    model = fit(Measurements((series,)), {("f", "time"): prior}).models[0]
    assert {p for _, t in model.terms for p in t.parameters} == {"n"}
    assert str(model.lead) == "n**(11/5)"


def test_predictions_of_what_cannot_be_negative_are_not() -> None:
    for seed in range(30):
        series = one(lambda n: 50 + n, [4, 8, 16, 32, 64], noise=0.2, seed=seed)
        assert float(fit(Measurements((series,))).models[0].evaluate({"n": 256.0})) >= 0


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ([[5, 1]], "only one point"),
        ([[4, 4], [8, 8], [16, 16], [32, 32]], "together"),
        ([[4, 1], [8, 1]], "values"),
    ],
)
def test_what_points_cannot_tell_is_said(points: list[list[int]], reason: str) -> None:
    series = Series.from_values("f", "time", ("n", "p"), points, [float(p[0] * 3) for p in points])
    model = fit(Measurements((series,))).models[0]
    assert not model.identifiable
    assert model.reason
    assert reason in model.reason


@pytest.mark.parametrize("values", [[0, 0, 0, 0, 0], [0, 1, 2, 3, 4], [-5, -4, -3, -2, -1]])
def test_odd_values_do_not_crash(values: list[float]) -> None:
    for points in (POINTS, [0, 1, 2, 3, 4], [-2, -1, 0, 1, 2]):
        series = Series.from_values("f", "time", ("n",), [[p] for p in points], values)
        model = fit(Measurements((series,))).models[0]
        assert math.isfinite(model.constant)
        json.dumps(model.to_json())


def test_not_a_number_is_refused() -> None:
    with pytest.raises(DataError, match="another unit"):
        Series.from_values("f", "time", ("n",), [[1], [2]], [1e-300, 1e300])
    with pytest.raises(DataError, match="finite"):
        Series.from_values("f", "time", ("n",), [[1], [2]], [1.0, math.nan])
    with pytest.raises(DataError, match="finite"):
        OnlineFitter(("n",)).observe("f", "time", {"n": 1}, math.inf)
    with pytest.raises(DataError, match="no value for parameter n"):
        OnlineFitter(("n",)).observe("f", "time", {"m": 1}, 1)


@settings(deadline=None, max_examples=25)
@given(st.permutations(range(24)))
def test_online_is_offline_in_any_order(order: list[int]) -> None:
    generator = np.random.default_rng(1)
    observations = [(n, 2.0 * n + 30 + generator.random()) for n in POINTS[:4] for _ in range(6)]
    online = OnlineFitter(("n",))
    for k in order:
        online.observe("f", "time", {"n": observations[k][0]}, observations[k][1])
    series = Series.from_values(
        "f", "time", ("n",), [[n] for n, _ in observations], [v for _, v in observations]
    )
    a, b = online.models().models[0], fit(Measurements((series,))).models[0]
    assert a.formula.split("*")[-1] == b.formula.split("*")[-1]
    assert float(a.evaluate({"n": 999.0})) == pytest.approx(
        float(b.evaluate({"n": 999.0})), rel=1e-9
    )


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.integers(1, 29))
def test_merging_statistics_is_adding_observations(values: list[float], cut: int) -> None:
    def of(part: list[float]) -> Statistics:
        total = Statistics()
        for v in part:
            total = total.plus(Statistics(1, v, 0.0))
        return total

    merged, whole = of(values[:cut]).plus(of(values[cut:])), of(values)
    assert merged.count == whole.count == len(values)
    assert merged.mean == pytest.approx(float(np.mean(values)), rel=1e-9, abs=1e-6)
    assert merged.squares == pytest.approx(
        float(((np.array(values) - np.mean(values)) ** 2).sum()), rel=1e-6, abs=1e-3
    )


def test_models_survive_json() -> None:
    models = fit(Measurements((one(lambda n: 3 * n * n + 5 * n, POINTS, noise=0.02),)))
    again = Models.from_json(json.loads(json.dumps(models.to_json())))
    assert again.models[0].formula == models.models[0].formula
    assert again.models[0].interval({"n": 500.0})[1] == pytest.approx(
        float(models.models[0].interval({"n": 500.0})[1])
    )
    for bad in (
        {},
        [],
        {"format": "looplaw-models/1", "models": [{"callpath": "f"}]},
        {"format": "looplaw-models/1", "models": [{"exponents": 1}]},
    ):
        with pytest.raises(DataError):
            Models.from_json(bad)


@pytest.mark.filterwarnings("error")
def test_what_never_happens_is_zero_for_sure() -> None:
    grid = [(n, m) for n in (50, 100, 200, 400) for m in (60, 120, 240)]
    never, some = fit(
        Measurements(
            (
                Series.from_values("f", "iterations", ("n", "m"), grid, [0.0] * len(grid)),
                Series.from_values("f", "time", ("n", "m"), grid, [1e-9 * n * m for n, m in grid]),
            )
        )
    ).models
    assert not never.terms
    assert (never.constant, never.identifiable) == (0.0, True)
    assert some.identifiable


@pytest.mark.parametrize("method", sorted(METHODS))
def test_values_below_one_have_no_root_of_a_logarithm(method: str) -> None:
    points = [(2.0**k,) for k in range(-3, 4)]
    series = Series.from_values("f", "time", ("n",), points, [3 + x**2 for (x,) in points])
    model = fit(Measurements((series,)), method=method).models[0]
    assert np.isfinite(model.evaluate({"n": 16.0}))
