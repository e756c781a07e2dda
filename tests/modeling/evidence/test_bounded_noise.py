"""Bounded noise: evidence and coefficients against quadrature, and when it is taken for granted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modeling import Measurements, OnlineFitter, Series, fit, read
from modeling.data.measurements import Floats, Statistics
from modeling.evidence import bounded_noise
from modeling.evidence.bounded_noise import Trials, bounded_fits
from modeling.evidence.noise import Levels, level_prior
from modeling.evidence.noise_shape import (
    Repetitions,
    plausible,
    pooled_bounded_prior,
    shape_evidence,
    usual_prior,
)
from modeling.fitter.design import Design, groups_of
from modeling.search.bounded_noise_selection import _bounded
from modeling.search.candidate_fits import fit_candidates
from modeling.search.gathered import gather
from modeling.settings import DEFAULT
from tests.modeling.kernel.twins import NumpySampler

EDGES, SIGMAS = DEFAULT.bounded.edges, DEFAULT.noise.sigmas
LOG_RANGE, NEGATIVE = DEFAULT.coefficients.log_width, DEFAULT.coefficients.negative

X = 2.0 ** np.arange(3, 8)
Noise = Callable[[np.random.Generator, tuple[int, ...]], Floats]
SHAPES: dict[str, Noise] = {
    "uniform": lambda g, size: g.uniform(-0.2, 0.2, size),
    "normal": lambda g, size: np.maximum(0.115 * g.standard_normal(size), -0.9),
    "lognormal": lambda g, size: np.exp(0.115 * g.standard_normal(size)) - 1,
    "laplace": lambda g, size: np.maximum(g.laplace(0, 0.082, size), -0.9),
}


def observed(noise: Noise, count: int, repetitions: int, seed: int) -> list[tuple[float, Series]]:
    """Series 5 + c x at five points, and what is true at four times the largest."""
    generator = np.random.default_rng(seed)
    found = []
    for k in range(count):
        slope = 10 ** generator.uniform(-2, 1)
        values = (5 + slope * X)[:, None] * (1 + noise(generator, (len(X), repetitions)))
        found.append(
            (
                5 + slope * 4 * X[-1],
                Series.from_values(f"f{k:03}", "time", ("x",), X[:, None], values),
            )
        )
    return found


def repetitions_of(values: Floats) -> Repetitions:
    """Of values (K, P, R)."""
    means = values.mean(axis=2)
    return Repetitions(
        np.full(means.shape, float(values.shape[2])),
        means,
        ((values - means[..., None]) ** 2).sum(axis=2),
        values.min(axis=2),
        values.max(axis=2),
    )


def test_shapes_are_as_probable_as_quadrature_says() -> None:
    values = np.random.default_rng(1).uniform(0.8, 1.2, (1, 2, 4)) * np.array([3.0, 50.0])[:, None]
    middles = np.sqrt(EDGES[1:] * EDGES[:-1])
    even, normal = shape_evidence(repetitions_of(values))
    cells = [k for k, h in enumerate(middles) if 0.1 < h < 0.5][::4]
    assert len(cells) > 5
    for k in cells:
        h, uniform, gaussian = middles[k], 0.0, 0.0
        for v in values[0]:
            logs = np.linspace(-1.5, 1.5, 60_001)
            f, step = np.exp(logs), logs[1] - logs[0]  # relative to the mean, as the evidence is
            ratio = v[:, None] / v.mean() / f
            inside = (np.abs(ratio - 1) <= h).all(axis=0)
            with np.errstate(divide="ignore"):
                uniform += np.log((inside * (2 * h * f) ** -len(v)).sum() * step)
            s = h / np.sqrt(3)
            gaussian += np.log(
                np.exp(-0.5 * ((v[:, None] / v.mean() - 1 - logs) / s) ** 2).prod(axis=0).sum()
                * step
            )
            gaussian -= len(v) / 2 * np.log(2 * np.pi * s**2)
        assert even[0, k] == pytest.approx(uniform, abs=0.02) or even[0, k] == uniform == -np.inf
        assert normal[0, k] == pytest.approx(gaussian, abs=0.02)


@pytest.mark.parametrize("terms", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_laws_are_as_probable_as_quadrature_says(terms: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    columns = np.stack([np.ones(5), X / X[-1]])[:terms]
    values = (np.array([3.0, 4.0])[:terms] @ columns)[:, None] * generator.uniform(
        0.85, 1.15, (5, 4)
    )
    low, high = values.min(axis=1), values.max(axis=1)
    trials = Trials(
        columns[..., None],
        columns[..., -1:, None],
        np.full((5, 1), 4.0),
        low[:, None],
        high[:, None],
        np.array([0.15]),
        np.zeros(1),
        np.zeros(1, dtype=np.int64),
        np.ones(1, dtype=bool),
    )
    found = bounded_fits(trials, usual_prior(), np.full(1, -np.inf))

    deviation = np.sqrt(np.einsum("ijn,ijn->in", found.root, found.root))[:, 0]
    axes = [
        c + s * np.linspace(-9, 9, 20_001 if terms == 1 else 301)
        for c, s in zip(found.coefficients[:, 0], deviation, strict=True)
    ]
    at = np.stack(np.meshgrid(*axes, indexing="ij")).reshape(terms, -1)
    value = np.maximum(at.T @ columns, 1e-9)
    edges, prior = np.log(EDGES), np.exp(usual_prior())
    fine = np.linspace(edges[0], edges[-1], 128 * 40 + 1)[:-1] + (edges[-1] - edges[0]) / (
        2 * 128 * 40
    )
    weight = np.repeat(prior, 40) / 40  # of each of the fine cells of log h
    needed = np.maximum(high / value - 1, 1 - low / value).max(axis=1)
    powers = weight * np.exp(fine) ** -20.0
    above = np.append(np.cumsum(powers[::-1])[::-1], 0.0)
    density = (
        above[np.searchsorted(fine, np.log(np.maximum(needed, 1e-9)))]
        * (2 * value).prod(axis=1) ** -4.0
    )
    density *= (at.T @ columns > 0).all(axis=1) / (np.abs(at) * np.exp(LOG_RANGE)).prod(axis=0)
    density *= np.where(at > 0, 1 - NEGATIVE, NEGATIVE).prod(axis=0)
    total = density.sum() * np.prod([a[1] - a[0] for a in axes])

    mean = (density * at).sum(axis=1) / density.sum()
    spread = np.sqrt((density * (at - mean[:, None]) ** 2).sum(axis=1) / density.sum())
    assert found.evidence[0] == pytest.approx(np.log(total), abs=0.25)
    assert np.abs((found.coefficients[:, 0] - mean) / spread).max() < 0.25
    assert deviation == pytest.approx(spread, rel=0.2)


@pytest.mark.parametrize("shape", ["uniform", "normal"])
@pytest.mark.parametrize("counts", [(5, 5, 5, 5, 5), (3, 9, 4, 5, 6)])
def test_both_shapes_are_weighed_in_the_same_units(shape: str, counts: tuple[int, ...]) -> None:
    generator = np.random.default_rng(9)
    values = [7 * (1 + SHAPES[shape](generator, (n,)) / 2) for n in counts]
    series = Series.from_values("f", "time", ("x",), X[:, None], values)
    design = Design(next(groups_of(Measurements((series,)), {})))
    batch = design.batch(np.arange(1), Levels.every(), 0.0)
    candidate_fits = fit_candidates(batch, design.candidates(batch))
    throughout = [
        replace(w, log_weight=np.where(np.arange(w.base.shape[2]) == 0, w.log_weight, -np.inf))
        for w in candidate_fits
    ]
    normal = gather(batch, throughout, 1000)
    constant = np.flatnonzero((normal.coefficients[0] != 0).sum(axis=1) == 1)
    place = next(k for k in constant if not normal.codes[0, k].any())
    bounded = _bounded(batch, normal, np.array([0.1]))

    every, n = np.concatenate(values), sum(counts)
    c = np.exp(
        np.linspace(np.log(4), np.log(12), 20_001)
    )  # log c is uniform in both cases, which need not be counted
    squares = ((every[:, None] / c - 1) ** 2).sum(axis=0)
    logs = [
        np.log(p / 2)
        - n / 2 * np.log(2 * np.pi * s**2 * np.mean(counts))
        - n * np.log(c)
        - squares / (2 * s**2 * np.mean(counts))
        for s, p in zip(SIGMAS, level_prior()[:, 0], strict=True)
    ]
    needed = np.maximum(every.max() / c - 1, 1 - every.min() / c)
    edges = np.log(EDGES)
    fine = np.linspace(edges[0], edges[-1], 128 * 40 + 1)[:-1] + (edges[-1] - edges[0]) / (
        2 * 128 * 40
    )
    powers = np.repeat(np.exp(usual_prior()), 40) / 40 * np.exp(fine) ** -float(n)
    above = np.append(np.cumsum(powers[::-1])[::-1], 0.0)
    even = (
        above[np.searchsorted(fine, np.log(needed))] * (2 * c) ** -float(n)
    ).sum() * level_prior()[:, 0].sum()
    odds = np.log(even) - np.logaddexp.reduce(np.concatenate(logs))
    assert bounded.evidence[0, place] - normal.evidence[0, place] == pytest.approx(odds, abs=0.7)


@pytest.mark.parametrize(
    ("shape", "repetitions", "is_bounded"),
    [
        ("uniform", 5, True),
        ("uniform", 10, True),
        ("normal", 5, False),
        ("normal", 10, False),
        ("lognormal", 5, False),
        ("lognormal", 10, False),
        ("laplace", 5, False),
    ],
)
def test_series_of_one_metric_tell_the_shape_of_their_noise(
    shape: str, repetitions: int, is_bounded: bool
) -> None:
    generator = np.random.default_rng(7)
    values = 3 * (1 + SHAPES[shape](generator, (64, 5, repetitions)))
    prior = pooled_bounded_prior([repetitions_of(values[:20]), repetitions_of(values[20:])])
    share = float(np.exp(np.logaddexp.reduce(prior)))
    assert share > 0.9 if is_bounded else share == 0
    rows, width = plausible(repetitions_of(values), prior)
    if is_bounded:
        assert len(rows) > 0.95 * len(values)
        assert np.median(width) == pytest.approx(0.2, rel=0.1)
    else:
        assert not len(rows)


def test_few_repetitions_or_none_tell_no_shape() -> None:
    generator = np.random.default_rng(3)
    two = repetitions_of(3 * (1 + generator.uniform(-0.2, 0.2, (20, 5, 2))))
    exact = repetitions_of(
        np.full((20, 5, 5), 3.0) * (1 + generator.uniform(-5e-5, 5e-5, (20, 5, 5)))
    )
    unknown = replace(
        repetitions_of(3 * (1 + generator.uniform(-0.2, 0.2, (20, 5, 5)))),
        lows=np.full((20, 5), np.nan),
    )
    for repetitions in (two, exact, unknown):
        assert not len(plausible(repetitions, usual_prior())[0])
        assert np.array_equal(pooled_bounded_prior([repetitions]), usual_prior())


def without_extremes(series: Series) -> Series:
    return replace(series, lows=None, highs=None)


def test_bounded_noise_makes_predictions_sharper_and_intervals_true() -> None:
    cases = observed(SHAPES["uniform"], 120, 5, 11)
    models = fit(Measurements(tuple(s for _, s in cases))).models
    blunt = fit(Measurements(tuple(without_extremes(s) for _, s in cases))).models
    at = {"x": 4 * X[-1]}
    error, before = (
        np.array(
            [
                abs(float(m.evaluate(at)) / true - 1)
                for m, (true, _) in zip(found, cases, strict=True)
            ]
        )
        for found in (models, blunt)
    )
    assert np.mean(error < 0.02) > np.mean(before < 0.02) + 0.1
    assert np.median(error) < 0.75 * np.median(before)
    inside = [
        low <= true <= high
        for (true, _), (low, high) in zip(cases, (m.interval(at) for m in models), strict=True)
    ]
    assert np.mean(inside) >= 0.85
    widths = [
        [np.log(high / low) for low, high in (m.interval(at) for m in found)]
        for found in (models, blunt)
    ]
    assert np.median(widths[0]) < np.median(widths[1])


@pytest.mark.parametrize("shape", ["normal", "lognormal"])
def test_other_noise_is_modelled_as_if_nothing_were_known_of_extremes(shape: str) -> None:
    series = [s for _, s in observed(SHAPES[shape], 40, 5, 5)]
    models = fit(Measurements(tuple(series))).models
    plain = fit(Measurements(tuple(map(without_extremes, series)))).models
    assert [m.formula for m in models] == [m.formula for m in plain]


def test_laws_do_not_depend_on_what_is_fitted_with_them() -> None:
    generator = np.random.default_rng(6)
    owner = np.repeat(np.arange(12), 2)
    columns = np.stack([np.ones((5, 24)), np.stack([X, X**1.1], axis=1)[:, np.tile([0, 1], 12)]])
    values = (3 + 0.1 * X)[:, None, None] * generator.uniform(0.8, 1.2, (5, 12, 4))
    trials = Trials(
        columns,
        4 * columns[:, -1:],
        np.full((5, 24), 4.0),
        values.min(axis=2)[:, owner],
        values.max(axis=2)[:, owner],
        np.full(24, 0.2),
        np.zeros(24),
        owner,
        np.ones(24, dtype=bool),
    )
    whole = bounded_fits(trials, usual_prior(), np.full(12, -np.inf))
    assert np.isfinite(whole.evidence).sum() > 12
    for some in (np.arange(2), np.arange(2, 10), np.arange(10, 24)[::-1]):
        part = bounded_fits(trials.part(some), usual_prior(), np.full(12, -np.inf))
        assert part.evidence == pytest.approx(whole.evidence[some], rel=1e-9)
        assert part.coefficients == pytest.approx(whole.coefficients[:, some], rel=1e-9)
        assert part.root == pytest.approx(whole.root[..., some], rel=1e-6)


def mixed_trials(seed: int, equal: bool) -> Trials:
    """Laws of a constant and a power, right ones and wrong ones, for series of uniform noise."""
    generator = np.random.default_rng(seed)
    n, owner = 24, np.repeat(np.arange(8), 3)
    powers = np.tile([1.0, 0.3, -1.0], 8)
    columns = np.stack([np.ones((5, n)), (X[:, None] / X[0]) ** powers])
    law = generator.uniform(1, 5, 8) + generator.uniform(-0.03, 0.2, 8) * X[:, None]
    law = np.maximum(law, 0.2)
    counts = np.where(equal, 4.0, generator.integers(3, 9, (5, 8)))
    values = law[..., None] * generator.uniform(0.8, 1.2, (5, 8, 9))
    kept = np.arange(9) < counts[..., None]
    return Trials(
        columns,
        (4 * X[-1:, None] / X[0]) ** np.stack([np.zeros(n), powers])[:, None],
        counts[:, owner],
        np.where(kept, values, np.inf).min(axis=2)[:, owner],
        np.where(kept, values, -np.inf).max(axis=2)[:, owner],
        np.full(n, 0.2),
        generator.normal(0, 1, n),
        owner,
        np.arange(n) % 2 == 0,
    )


@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize("terms", [1, 2])
def test_numpy_and_kernel_weigh_laws_alike(
    equal: bool, terms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = mixed_trials(1, equal)
    if terms == 1:
        trials = replace(trials, columns=trials.columns[1:], far=trials.far[1:])
    best = np.full(8, -np.inf)
    best[0] = 1000.0  # all its laws are hopeless
    compiled = bounded_fits(trials, usual_prior(), best)
    monkeypatch.setattr(bounded_noise, "_sampler", NumpySampler)
    alone = bounded_fits(trials, usual_prior(), best)
    assert 6 < np.isfinite(compiled.evidence).sum() < len(trials.width) - 3
    assert alone.evidence == pytest.approx(compiled.evidence, rel=1e-9)
    assert alone.coefficients == pytest.approx(compiled.coefficients, rel=1e-9)
    assert alone.root == pytest.approx(compiled.root, rel=1e-7, abs=1e-12)
    assert alone.width == pytest.approx(compiled.width, rel=1e-9)


def test_easy_laws_take_two_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first only finds the place; hard ones end after the last round that is allowed."""
    rounds: list[int] = []  # samples of each

    class Counted(NumpySampler):
        def round(self, *given: Any) -> Any:
            rounds.append(given[3].shape[1])
            return super().round(*given)

    monkeypatch.setattr(bounded_noise, "_sampler", Counted)
    trials = mixed_trials(2, True).part(np.arange(0, 24, 3))
    one = replace(trials, columns=trials.columns[:1], far=trials.far[:1])
    rules = DEFAULT.bounded
    settings = replace(DEFAULT, bounded=replace(rules, hopeless=1e9, good_share=0.01))
    bounded_fits(one, usual_prior(), np.full(8, -np.inf), settings)
    assert rounds == [rules.first_samples, 2 * rules.samples]
    rounds.clear()
    never = replace(DEFAULT, bounded=replace(rules, hopeless=1e9, good_share=1.0))
    bounded_fits(trials, usual_prior(), np.full(8, -np.inf), never)
    later = min(rules.samples * 4, rules.most_samples)
    assert rounds == [rules.first_samples] + [later] * (rules.most_rounds - 1)
    assert bounded_noise._size(9, False, rules) == rules.most_samples


@pytest.mark.parametrize("k", [1, 2, 4])
def test_samples_are_those_of_a_student_distribution(k: int) -> None:
    from scipy import stats  # not above: each worker imports this file, and stats takes a second

    z, log_density = bounded_noise._sample(k, 4096, DEFAULT.bounded)
    student = stats.multivariate_t(np.zeros(k), np.eye(k), df=DEFAULT.bounded.degrees)
    assert log_density == pytest.approx(student.logpdf(z.T))
    for axis in z:
        shares = stats.t(DEFAULT.bounded.degrees).cdf(axis)
        even = (np.arange(len(shares)) + 0.5) / len(shares)
        assert np.abs(np.sort(shares) - even).max() < 0.01, "more even than chance is"


def test_merged_statistics_keep_extremes_where_all_are_known() -> None:
    values = [3.0, 1.0, 2.0]
    for order in permutations(values):
        a, b, c = map(Statistics.of, order)
        for merged in (
            a.plus(b).plus(c),
            a.plus(b.plus(c)),
            Statistics().plus(a.plus(b)).plus(c.plus(Statistics())),
        ):
            assert (merged.count, merged.low, merged.high) == (3, 1.0, 3.0)
    unknown = Statistics(2, 2.5, 0.5)
    for left, right in product((Statistics.of(1.0), unknown), repeat=2):
        merged = left.plus(right)
        assert (merged.low is None) == (merged.high is None) == (unknown in (left, right))


def test_extremes_are_known_wherever_single_observations_are_seen(tmp_path: Path) -> None:
    generator = np.random.default_rng(4)
    values = {float(x): (x * generator.uniform(0.9, 1.1, 4)).tolist() for x in X}
    rows = [(x, v) for x, found in values.items() for v in found]
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(json.dumps({"params": {"x": x}, "value": v}) + "\n" for x, v in rows))
    online = OnlineFitter(("x",))
    for x, v in rows:
        online.observe("main", "time", {"x": x}, v)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["x", "value"])
    direct = Series.from_values("main", "time", ("x",), X[:, None], list(values.values()))
    for series in (
        direct,
        read(path).series[0],
        online.measurements().series[0],
        Measurements.from_pandas(frame).series[0],
    ):
        assert series.lows is not None
        assert series.lows.tolist() == [min(v) for v in values.values()]
        assert series.highs is not None
        assert series.highs.tolist() == [max(v) for v in values.values()]
    half = direct.part(np.array([0, 2]))
    assert half.lows is not None
    assert half.lows.tolist() == [min(values[float(x)]) for x in X[[0, 2]]]

    online.merge("main", "time", {"x": float(X[0])}, 3, 8.0, 0.1)
    for series in (
        online.measurements().series[0],
        Measurements.from_pandas(Measurements((direct,)).to_pandas()).series[0],
    ):
        assert series.lows is None
        assert series.highs is None
