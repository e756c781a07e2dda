"""What is told of many series at once is what is told of each; forecasts and quantiles against
independent oracles."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr

from benchmarks.modeling_hard import hard_cases
from benchmarks.modeling_protocols import relative_error
from modeling import DataError, Measurements, Models, Series, fit, pool_noise
from modeling.evidence.local_extrapolation import local_line, stacked_weight
from modeling.pmnf.interval import Laws
from modeling.search.identifiability import discriminating_points, further_points
from modeling.settings import INTERVAL
from tests.lazily import Package

optimize = Package("scipy.optimize")
POINTS = 2.0 ** np.arange(3, 8)


def noisy(count: int, noise: float = 0.04) -> Measurements:
    generator = np.random.default_rng(5)
    found = []
    for k in range(count):
        law = generator.uniform(1, 100) + generator.uniform(0.1, 9) * POINTS ** generator.choice(
            [0.5, 1, 2]
        )
        y = law[:, None] * (1 + generator.uniform(-noise, noise, (len(POINTS), 3)))
        found.append(Series.from_values(f"f{k}", "time", ("n",), POINTS[:, None], y))
    return Measurements(tuple(found))


def test_intervals_of_all_are_those_of_each() -> None:
    models = fit(noisy(30))
    at = {"n": np.array([64.0, 512.0, 4096.0])}
    low, high = models.interval(at, 0.8)
    read = Models.from_json(models.to_json())
    for k, (model, again) in enumerate(zip(models.models, read.models, strict=True)):
        for ends in (model.interval(at, 0.8), again.interval(at, 0.8)):
            assert ends[0] == pytest.approx(low[k], rel=1e-9)
            assert ends[1] == pytest.approx(high[k], rel=1e-9)
    assert np.array(read.interval(at, 0.8)) == pytest.approx(np.array([low, high]), rel=1e-9)
    with pytest.raises(DataError, match="no value for n"):
        models.interval({"m": 3.0})


def mixed(count: int) -> Measurements:
    """Two metrics, a series that is zero throughout, one of other points: several groups, in the
    order of none of them."""
    zero = Series.from_values("idle", "time", ("n",), POINTS[:, None], 0 * POINTS)
    short = Series.from_values("short", "time", ("n",), POINTS[:3, None], POINTS[:3])
    some = noisy(count).series
    visits = [replace(s, metric="visits", lows=None, highs=None) for s in some[::2]]
    return Measurements((some[0], zero, *visits, short, *some[1:]))


def test_columns_and_values_of_all_are_those_of_each() -> None:
    models = fit(mixed(11))
    again = Models.from_json(models.to_json())
    at = {"n": np.array([[64.0, 512.0], [4096.0, 9.0]])}
    for found in (models, again):
        assert found.values(at) == pytest.approx(
            np.array([m.evaluate(at) for m in models.models]), rel=1e-9
        )
        seen = []
        for places, table in found.tables():
            starts = np.cumsum([0, *table.lengths])
            for k, place in enumerate(places.tolist()):
                model, row = models.models[place], slice(starts[k], starts[k + 1])
                assert (table.formula[k], table.constant[k]) == (model.formula, model.constant)
                assert [*zip(table.coefficients[row], table.terms[row], strict=True)] == [
                    (c, str(t)) for c, t in model.terms
                ]
                assert (
                    table.smape[k],
                    table.loo_smape[k],
                    table.adjusted_r2[k],
                    table.points[k],
                ) == (
                    model.quality.smape,
                    model.quality.loo_smape,
                    model.quality.adjusted_r2,
                    model.quality.points,
                )
                assert (table.identifiable[k], table.reason[k]) == (
                    model.identifiable,
                    model.reason,
                )
                seen.append(place)
        assert sorted(seen) == list(range(len(models.models)))


def test_models_do_not_depend_on_what_else_is_fitted_where_noise_is_told() -> None:
    """Formulas of a part of the series are those of all of them: hypotheses are screened alike."""
    data = noisy(40)
    pooled = pool_noise(data)
    whole = [m.formula for m in fit(data, pooled=pooled).models]
    for some in (slice(0, 1), slice(3, 8), slice(8, 40)):
        assert [
            m.formula for m in fit(Measurements(data.series[some]), pooled=pooled).models
        ] == whole[some]


def test_a_model_survives_pickling_with_what_was_not_looked_at() -> None:
    model = fit(noisy(3)).models[1]
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 (our own bytes)
    assert again == model
    assert again.to_json() == model.to_json()


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_ends_are_quantiles_of_the_mixture(level: float) -> None:
    generator = np.random.default_rng(1)
    centre, width = generator.normal(0, 3, (6, 20)), 10 ** generator.uniform(-6, 0.5, (6, 20))
    weight = generator.dirichlet(np.full(6, 0.7))
    still = np.zeros((6, 1))
    low, high = Laws(centre, np.abs(centre), centre, width, still, still, weight[:, None]).interval(
        np.zeros(20), False, level
    )
    for k in range(20):

        def below(x: float, k: int = k) -> float:
            return float(weight @ ndtr((x - centre[:, k]) / (INTERVAL.selected * width[:, k])))

        ends = ((low[k], 0.5 - level / 2, min), (high[k], 0.5 + level / 2, max))
        for end, q, holding in ends:
            quantile = optimize.brentq(lambda x, q=q: below(x) - q, -60, 60, xtol=1e-13)
            # the interval holds the value of the first law
            assert end == pytest.approx(holding(quantile, centre[0, k]), abs=1e-8)


@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_what_noise_hides_of_a_law_that_falls_is_in_its_interval(noise: float) -> None:
    """Overhead of processes that is as large as the noise at the most of them is more than that of
    what falls, at four times as many."""
    generator = np.random.default_rng(1)
    p = 2.0 ** np.arange(6)
    share = noise / p[-1] / np.log2(p[-1])
    held = []
    for _ in range(40):
        y = (1 / p + share * np.log2(p)) * (1 + noise * generator.standard_normal(len(p)))
        series = Series.from_values("f", "time", ("p",), p[:, None], y[:, None])
        low, high = fit(Measurements((series,))).models[0].interval({"p": 4 * p[-1]})
        held.append(low <= 1 / (4 * p[-1]) + share * np.log2(4 * p[-1]) <= high)
    assert np.mean(held) >= 0.88


def test_series_that_lack_some_of_the_largest_points_are_fitted_with_the_others() -> None:
    """Without the largest points, which forecasts are tried at, they have the same points."""
    generator = np.random.default_rng(8)
    grid = np.array([(n, m) for n in (4.0, 8, 16, 32, 64) for m in (2.0, 4, 8, 16, 32)])
    lacking = (np.arange(25), np.arange(25) != 24, np.arange(25) != 4, np.arange(25) < 24)
    found = []
    for k in range(24):
        points = grid[lacking[k % 4]]
        exponent = 1 + k % 3 / 2
        law = 3 + points[:, 0] ** exponent * points[:, 1]
        y = law[:, None] * generator.lognormal(0, 0.03, (len(points), 2))
        found.append(Series.from_values(f"f{k}", "time", ("n", "m"), points, y))
    at = {"n": 128.0, "m": 64.0}
    for k, model in enumerate(fit(Measurements(tuple(found))).models):
        true = 3 + 128.0 ** (1 + k % 3 / 2) * 64
        assert float(model.evaluate(at)) == pytest.approx(true, rel=0.25)


def test_the_nearest_discriminating_point_is_proposed() -> None:
    further = further_points(np.array([10.0, 5.0]), (0, 1))
    assert further.shape == (4, 3, 2)
    assert further[0].tolist() == [[20.0, 5.0], [10.0, 10.0], [20.0, 10.0]]
    laws = [lambda x, y: x + 0 * y, lambda x, y: x + (y > 15) * y]  # they differ from y = 20 on
    values = np.array([[law(further[..., 0], further[..., 1]) for law in laws]])
    multiple, direction = discriminating_points(
        values, np.array([[0.5, 0.5]]), np.array([[0.02, 0.02]])
    )
    assert further[multiple[0], direction[0]].tolist() == [10.0, 20.0]


def test_the_local_line_is_the_mean_of_lines_through_two_and_three_points() -> None:
    y = np.array([3.0, 5.0, 4.0, 9.0, 11.0])
    x, far = np.log(POINTS), np.log(200.0)
    expected = np.mean([np.polyval(np.polyfit(x[-m:], np.log(y[-m:]), 1), far) for m in (2, 3)])
    assert local_line(POINTS[:, None], np.array([[200.0]]))[0] @ np.log(y) == pytest.approx(
        expected
    )


def test_lines_are_trusted_as_far_as_they_foretell() -> None:
    true = np.geomspace(1, 9, 40)
    assert stacked_weight(true, 2 * true, true) == 0
    assert stacked_weight(2 * true, true, true) == 1
    assert stacked_weight(true / 2, true * 2, true) == pytest.approx(0.5)


def test_forecasts_of_what_no_law_fits_follow_the_line() -> None:
    """Behaviour that changes within the points: the slope of the last ones is what goes on."""
    generator = np.random.default_rng(3)
    x = 2.0 ** np.arange(1, 8)
    found, truth = [], []
    for k in range(24):
        bend, slope = 2 ** generator.uniform(2, 4), generator.uniform(0.1, 0.6)
        y = np.where(x < bend, x**1.7, bend ** (1.7 - slope) * x**slope) * np.exp(
            generator.normal(0, 0.03, 7)
        )
        found.append(Series.from_values(f"f{k}", "time", ("n",), x[:-1, None], y[:-1]))
        truth.append(y[-1])
    together = [float(m.evaluate({"n": x[-1]})) for m in fit(Measurements(tuple(found))).models]
    alone = [float(fit(Measurements((s,))).models[0].evaluate({"n": x[-1]})) for s in found]
    error = [float(np.mean(np.abs(np.log(np.array(f) / truth)))) for f in (together, alone)]
    assert error[0] < error[1]


@pytest.mark.parametrize("shape", ["max(a, b x)", "ceil(x / tile)"])
def test_what_all_series_deviate_by_is_shared_as_a_law_and_not_as_noise(shape: str) -> None:
    """Most series of a file change their law with size, or rise in steps: each knows it of the
    others."""
    cases = list(hard_cases(shape, 40, 43))
    together = fit(Measurements(tuple(c.series for c in cases))).models
    alone = [fit(Measurements((c.series,))).models[0] for c in cases]
    error = [
        np.mean(
            [
                relative_error(float(m.evaluate(c.query)), c.truth)
                for m, c in zip(models, cases, strict=True)
            ]
        )
        for models in (together, alone)
    ]
    assert error[0] < error[1]
    assert error[0] < 10


def test_extreme_values_are_modelled_without_a_warning() -> None:
    """Lines through points that are close lead far beyond the largest number."""
    generator = np.random.default_rng(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for scale in (1e-100, 1e100):
            x = 1e3 * (1 + 1e-5 * np.arange(5))
            y = scale * 10 ** generator.uniform(-8, 8, (9, 5))
            made = (
                Series.from_values(f"f{k}", "time", ("x",), x[:, None], v[:, None])
                for k, v in enumerate(y)
            )
            for model in fit(Measurements(tuple(made))).models:
                low, high = model.interval({"x": 4e3})
                assert low <= high
                assert model.certainty != "sure"
