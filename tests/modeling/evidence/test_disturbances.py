"""Repetitions that something disturbed do not bend a law, and clean ones stay as they are."""

from __future__ import annotations

import json
import statistics

import numpy as np
import pytest

from modeling import Measurements, Models, Series, fit
from modeling.data.measurements import Stack
from modeling.evidence.disturbances import _middle_of, _worth_a_look, cleaned
from modeling.settings import DEFAULT

X = 32 * 2.0 ** np.arange(7)
LAW = 5 + 0.01 * X**1.5


def series(name, noise, repetitions, seed=0):
    generator = np.random.default_rng(seed)
    return Series.from_values(name, "time", ("n",), X[:, None], noise(generator, repetitions))


def normal(s):
    return lambda g, r: LAW[:, None] * (1 + s * g.standard_normal((len(X), r)))


def disturbed(s, share, factor):
    def noise(g, r):
        return normal(s)(g, r) * np.where(g.random((len(X), r)) < share, factor, 1.0)

    return noise


def tailed(h):
    return lambda g, r: LAW[:, None] * (1 + h * g.exponential(1.0, (len(X), r))) / (1 + h)


def many(noise, repetitions, count=40):
    return Stack.of([series(str(k), noise, repetitions, k) for k in range(count)])


@pytest.mark.parametrize("repetitions", [2, 3, 5, 10])
@pytest.mark.parametrize("noise", [normal(0.02), normal(0.2)])
def test_clean_repetitions_stay_as_they_are_to_the_last_bit(noise, repetitions):
    stack = many(noise, repetitions, 200)
    found = cleaned(stack, DEFAULT.disturbances)
    same = (found.series.means == stack.means).all(axis=1)
    assert same.mean() >= 0.97


def test_uniform_noise_stays_for_the_shape_that_fits_it():
    stack = many(lambda g, r: LAW[:, None] * (1 + g.uniform(-0.2, 0.2, (len(X), r))), 5)
    found = cleaned(stack, DEFAULT.disturbances)
    assert (found.series.highs == stack.highs).all(axis=1).mean() >= 0.97


@pytest.mark.parametrize(("share", "factor"), [(0.05, 5.0), (0.1, 3.0), (0.05, 0.1)])
def test_disturbed_observations_are_left_out(share, factor):
    stack = many(disturbed(0.02, share, factor), 10)
    found = cleaned(stack, DEFAULT.disturbances).series
    before = np.abs(np.log(stack.means / LAW)).mean()
    after = np.abs(np.log(found.means / LAW)).mean()
    assert before > 0.05
    assert after < 0.008


def test_two_observations_at_a_point_are_told_apart_by_the_other_points():
    values = [[v, 1.01 * v] for v in LAW]
    values[3] = [LAW[3], 4 * LAW[3]]
    found = cleaned(
        Stack.of([Series.from_values("f", "time", ("n",), X[:, None], values)]),
        DEFAULT.disturbances,
    )
    assert found.series.means[0, 3] == pytest.approx(LAW[3], rel=0.01)
    assert found.left_out[0] == pytest.approx(1, abs=0.01)


def test_a_floor_tells_more_than_the_mean():
    stack = many(tailed(0.2), 10)
    found = cleaned(stack, DEFAULT.disturbances)
    assert found.floor.mean() > 0.8
    assert np.std(np.log(found.series.means / LAW)) < 0.6 * np.std(np.log(stack.means / LAW))
    assert np.log(found.series.means / LAW).mean() == pytest.approx(0, abs=0.02)


def test_units_do_not_matter():
    small = series("f", disturbed(0.02, 0.1, 4.0), 5, seed=3)
    large = Series.from_values("f", "time", ("n",), X[:, None], (1e9 * small.sample).tolist())
    one, two = (cleaned(Stack.of([s]), DEFAULT.disturbances).series.means for s in (small, large))
    assert two == pytest.approx(1e9 * one, rel=1e-9)


def test_models_of_disturbed_measurements_are_right_and_say_what_was_left_out():
    for seed in range(4):
        one = series("f", disturbed(0.02, 0.08, 5.0), 5, seed)
        hit = (one.sample > 2 * LAW[:, None]).sum()
        model = fit(Measurements((one,))).models[0]
        truth = 5 + 0.01 * (4 * X[-1]) ** 1.5
        assert float(model.evaluate({"n": 4 * X[-1]})) == pytest.approx(truth, rel=0.1)
        assert [n.split()[0] for n in model.notes] == ([str(hit)] if hit else [])
        back = Models.from_json(
            json.loads(json.dumps({"format": "looplaw-models/1", "models": [model.to_json()]}))
        )
        assert back.models[0].notes == model.notes


def test_observations_that_follow_from_statistics_need_not_be_kept():
    one = series("f", disturbed(0.02, 0.1, 4.0), 4, seed=5)
    bare = Series(
        *(
            getattr(one, n)
            for n in (
                "callpath",
                "metric",
                "parameters",
                "points",
                "counts",
                "means",
                "squares",
                "lows",
                "highs",
            )
        )
    )
    with_sample, without = (
        cleaned(Stack.of([s]), DEFAULT.disturbances).series.means for s in (one, bare)
    )
    assert without == pytest.approx(with_sample, rel=1e-6)


def suspicious(values):
    """Is the farthest observation at a point far from the others, for how far these are from each
    other at the usual point, or do upward extremes prevail? In plain floats."""
    rules = DEFAULT.disturbances
    farthest, scatter, up, down = [], [], 0.0, 0.0
    for point in values.tolist():
        mean = statistics.fmean(point)
        others = sorted(point, key=lambda v: abs(v - mean))[:-1]
        farthest.append(max(abs(v - mean) for v in point) / mean)
        scatter.append(statistics.stdev(others) / mean if len(others) > 1 else farthest[-1])
        up += max(point) - mean
        down += mean - min(point)
    usual = max(statistics.median(scatter), rules.least)
    return max(farthest) > rules.far * usual or up > rules.skewed * down


@pytest.mark.parametrize("repetitions", [2, 3, 4, 7])
def test_only_series_with_an_observation_far_from_the_others_are_looked_at(repetitions):
    kinds = [normal(0.02), disturbed(0.02, 0.03, 1.2), tailed(0.1), disturbed(0.1, 0.03, 3.0)]
    found = [noise(np.random.default_rng(k), repetitions) for k in range(20) for noise in kinds]
    expected = [k for k, values in enumerate(found) if suspicious(values)]
    stack = Stack.of(
        [
            Series.from_values(f"{k:03}", "time", ("n",), X[:, None], values.tolist())
            for k, values in enumerate(found)
        ]
    )
    assert 10 < len(expected) < 70
    assert _worth_a_look(stack, DEFAULT.disturbances).tolist() == expected


def test_the_middle_distance_is_the_median_of_those_at_repeated_points():
    generator = np.random.default_rng(3)
    for _ in range(20):
        count = generator.integers(1, 5, (1, 6)).astype(float)
        away = generator.uniform(0.1, 1, (1, 6, 4))
        away[:, :, 0] = 0.0  # the level's own
        away[np.arange(4) >= count[..., None]] = np.nan
        distances = [
            d
            for n, row in zip(count[0], away[0].tolist(), strict=True)
            for d in row
            if n > 1 and d > 0
        ]
        expected = statistics.median_low(distances) if distances else 0.0
        assert _middle_of(away, count)[0] == expected


def test_a_disturbed_observation_of_exact_counts_is_left_out():
    values = np.repeat(LAW[:, None], 5, axis=1)
    values[2, 3] *= 10
    stack = Stack.of([Series.from_values("f", "visits", ("n",), X[:, None], values.tolist())])
    found = cleaned(stack, DEFAULT.disturbances)
    assert found.series.means[0] == pytest.approx(LAW, rel=1e-6)
    assert found.left_out[0] == pytest.approx(1, abs=1e-3)
    assert found.note(0) == "one observation is far from its repetitions and was left out"


@pytest.mark.parametrize("unit", [1e-12, 1e12])
def test_units_do_not_matter_to_tails(unit):
    values = tailed(0.2)(np.random.default_rng(8), 40)
    one, other = (
        cleaned(
            Stack.of([Series.from_values("f", "time", ("n",), X[:, None], (u * values).tolist())]),
            DEFAULT.disturbances,
        )
        for u in (1.0, unit)
    )
    assert one.floor.tolist() == other.floor.tolist() == [True]
    assert other.series.means == pytest.approx(unit * one.series.means, rel=1e-9)
