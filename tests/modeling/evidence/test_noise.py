"""Levels of noise: their prior, what repetitions say of them, and what series share."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from modeling.data.measurements import Stack
from modeling.evidence.goodness_of_fit import poor_fits
from modeling.evidence.noise import (
    Evidence,
    Levels,
    _alike,
    level_prior,
    pooled_levels,
    profiles,
    repetition_evidence,
)
from modeling.evidence.noise_shape import (
    Repetitions,
    pooled_bounded_prior,
    shape_evidence,
    usual_prior,
)
from modeling.settings import DEFAULT

NOISE, BOUNDED = DEFAULT.noise, DEFAULT.bounded


def test_trust_falls_with_the_distance_from_the_largest_point() -> None:
    distance = np.array([3.0, 1.0, 0.5, 0.0])
    found = profiles(distance, NOISE)
    for row, kappa in zip(found[:-1], NOISE.kappas, strict=False):
        assert row.tolist() == [1 + (kappa * d) ** 2 for d in distance]
    assert found[-1].tolist() == [1, 1, 1, NOISE.outlier_size**2]
    levels = replace(Levels.every(), profiles=np.array([2, 0]))
    assert levels.variances(distance).tolist() == found[[2, 0]].tolist()


def test_the_prior_of_levels_is_one_of_exact_counts_and_one_of_noise() -> None:
    prior = level_prior()
    assert prior.sum() == pytest.approx(1)
    assert prior.sum(axis=0) == pytest.approx(NOISE.profile_prior)
    share, noisy = prior.sum(axis=1), NOISE.noisy
    assert share[~noisy] == pytest.approx([NOISE.exact_share / (~noisy).sum()] * (~noisy).sum())
    logs = [math.log(s / NOISE.usual) / NOISE.width for s in NOISE.sigmas[noisy]]
    ratios = share[noisy] / share[noisy][0]
    assert ratios == pytest.approx([math.exp((logs[0] ** 2 - x**2) / 2) for x in logs])


def test_levels_that_hardly_occur_are_dropped() -> None:
    prior = np.full((len(NOISE.sigmas), len(NOISE.kappas)), 1e-6)
    prior[5, 0], prior[6, 2], prior[7, 3] = 0.6, 0.3, 0.7 * NOISE.negligible * 0.6
    levels = Levels.of(prior)
    assert levels.pooled
    assert levels.sigmas.tolist() == NOISE.sigmas[[5, 6]].tolist()
    assert levels.profiles.tolist() == [0, 2]
    assert np.exp(levels.prior) == pytest.approx(np.array([[0.6, 1e-6], [1e-6, 0.3]]), rel=1e-3)
    low, high = np.log(levels.sigmas)
    assert math.log(levels.usual_sigma) == pytest.approx((0.6 * low + 0.3 * high) / 0.9, abs=1e-3)
    every = Levels.every()
    assert not every.pooled
    assert np.exp(every.prior) == pytest.approx(level_prior())


def test_repetitions_say_how_much_means_vary() -> None:
    """Half of the prior is for independent repetitions, half for runs that differ by as much more
    as any level up to this."""
    levels = Levels.every()
    squares, dof, repetitions = np.array([0.02, 0.0]), np.array([6.0, 0.0]), np.array([3.0, 1.0])
    found = repetition_evidence(squares, dof, repetitions, levels)
    assert found[1] == pytest.approx(np.zeros(len(levels.sigmas)), abs=1e-12)
    alone = [-6 / 2 * math.log(3 * s**2) - 0.02 / 2 / (3 * s**2) for s in NOISE.sigmas]
    for k in range(len(NOISE.sigmas)):
        top = max(alone[: k + 1])
        less = top + math.log(sum(math.exp(a - top) for a in alone[: k + 1]) / (k + 1))
        top = max(alone[k], less)
        both = top + math.log((math.exp(alone[k] - top) + math.exp(less - top)) / 2)
        assert found[0, k] == pytest.approx(both)
    some = replace(levels, sigmas=NOISE.sigmas[[4, 7]])
    assert repetition_evidence(squares, dof, repetitions, some) == pytest.approx(found[:, [4, 7]])


def peaked(which: list[int]) -> np.ndarray:
    """Evidence (K, S, V) of series with these levels of noise, of one law throughout."""
    found = np.full((len(which), len(NOISE.sigmas), len(NOISE.kappas)), -30.0)
    found[np.arange(len(which)), which, 0] = 500.0
    return found


def test_series_share_their_noise_where_they_are_many_and_alike() -> None:
    many = NOISE.enough
    assert pooled_levels(Evidence(peaked([9] * many)[None])).sigmas.tolist() == [NOISE.sigmas[9]]
    assert not pooled_levels(Evidence(peaked([9] * (many - 1))[None])).pooled
    assert not pooled_levels(Evidence(peaked([9, 18] * many)[None])).pooled
    pooled = pooled_levels(Evidence(peaked([9, 10, 10] * many)[None]))
    assert pooled.sigmas.tolist() == NOISE.sigmas[[9, 10]].tolist()
    expected = (np.array([1, 2]) * many + NOISE.pseudo * level_prior()[[9, 10], 0]) / (
        3 * many + NOISE.pseudo
    )
    assert np.exp(pooled.prior[:, 0]) == pytest.approx(expected, rel=1e-3)


def test_what_laws_leave_of_counts_is_no_scatter() -> None:
    """Of 40 series 16 have no noise at all, and the others are off by different amounts: their laws
    are missing, and none holds throughout."""
    exact, off, throughout = [0] * 16, [9, 18] * 12, NOISE.slopes == 0
    found = pooled_levels(Evidence(peaked(exact + off)[None]))
    assert not found.pooled
    less = found.prior - np.log(level_prior())
    assert less[NOISE.noisy][:, throughout] == pytest.approx(np.log(NOISE.negligible))
    assert not less[~NOISE.noisy].any()
    assert not less[:, ~throughout].any()
    times = pooled_levels(Evidence(peaked(exact + off)[None]), counted=False)
    assert (times.prior == np.log(level_prior())).all()


@pytest.mark.parametrize("exact", [0, 1, 2])
def test_few_series_without_noise_may_have_none_by_chance(exact: int) -> None:
    found = pooled_levels(Evidence(peaked([0] * exact + [9, 18] * ((40 - exact) // 2))[None]))
    assert not found.pooled
    assert (found.prior == np.log(level_prior())).all()


def test_kinds_of_laws_are_learned_from_series_with_one_noise() -> None:
    """What a change of regime explains is no noise, and how many series have one is their share."""
    count, changing = 40, 30
    evidence = peaked([9] * count)
    evidence[:changing] = -30.0
    others = np.full((2, count, len(NOISE.sigmas)), -np.inf)
    others[0, :changing, 9] = 500.0
    found = pooled_levels(Evidence(evidence[None], others=others))
    assert found.pooled
    assert found.sigmas.tolist() == [NOISE.sigmas[9]]
    usual = np.exp([0.0, DEFAULT.regimes.log_share, DEFAULT.tiles.log_share])
    usual *= NOISE.pseudo_kinds / usual.sum()
    expected = np.log((changing + usual[1]) / (count - changing + usual[0]))
    assert found.changes == pytest.approx(expected, rel=0.01)
    assert found.steps == pytest.approx(np.log(usual[2] / (count - changing + usual[0])), rel=0.01)
    none = pooled_levels(Evidence(peaked([9] * count)[None], others=np.full_like(others, -np.inf)))
    assert none.changes == pytest.approx(np.log(usual[1] / (count + usual[0])))


def test_traits_of_laws_are_learned_from_series_with_one_noise() -> None:
    """Of 40 series 30 have laws of the second kind, which is rare otherwise; 10 tell nothing."""
    count, telling, usual = 40, 30, np.array([0.9, 0.1])
    evidence = np.stack([peaked([9] * count), peaked([9] * count)])
    evidence[0, :telling] -= 100.0
    found = pooled_levels(Evidence(evidence, usual))
    assert found.traits is not None
    pseudo = usual * NOISE.pseudo_traits
    expected = (telling + pseudo[1]) / (telling + pseudo.sum())
    assert np.exp(found.traits) == pytest.approx([1 - expected, expected], abs=1e-3)
    assert found.of_all().traits is found.traits
    apart = np.stack([peaked([9, 18] * (count // 2))] * 2)
    assert pooled_levels(Evidence(apart, usual)).traits is None


def test_series_that_tell_no_traits_join_those_that_do() -> None:
    one = Evidence(peaked([9] * 3)[None])
    two = Evidence(np.stack([peaked([9] * 2)] * 2), np.array([0.9, 0.1]))
    both = Evidence.joined([one, two])
    assert both.throughout.shape[:2] == (2, 5)
    assert both.usual is not None
    assert both.usual.tolist() == [0.9, 0.1]
    assert Evidence.joined([one, one]).usual is None


def test_changes_of_series_without_a_common_noise_are_not_believed() -> None:
    count = 40
    evidence = peaked([9, 18] * (count // 2))
    others = np.full((2, count, len(NOISE.sigmas)), -np.inf)
    others[0, :, 9] = 510.0
    others[0, ::2, 9] = -np.inf
    found = pooled_levels(Evidence(evidence[None, :, :, ::-1].copy(), others=others))
    assert not found.pooled
    assert found.changes == DEFAULT.regimes.log_share
    assert found.of_all().changes == found.changes


def test_series_that_change_their_law_share_nothing() -> None:
    prior = np.zeros((len(NOISE.sigmas), len(NOISE.kappas)))
    prior[9, 0], prior[9, 1] = NOISE.most_alike, 1 - NOISE.most_alike
    assert _alike(prior, NOISE)
    prior[9, 0], prior[9, 1] = NOISE.most_alike - 0.01, 1.01 - NOISE.most_alike
    assert not _alike(prior, NOISE)
    prior[9, 0], prior[9, 1] = 0.5, 0.0
    for other in range(len(NOISE.sigmas)):
        both = prior.copy()
        both[other, 0] += 0.5
        ratios = [
            max(s / t if s > t else t / s for t in NOISE.sigmas[[9, other]]) for s in NOISE.sigmas
        ]
        assert _alike(both, NOISE) == (min(ratios) < NOISE.alike), "all within a factor of one"


def uniform(series: int, points: int, count: int, seed: int = 2) -> Repetitions:
    values = np.random.default_rng(seed).uniform(0.8, 1.2, (series, points, count))
    means = values.mean(axis=2)
    return Repetitions(
        np.full(means.shape, float(count)),
        means,
        ((values - means[..., None]) ** 2).sum(axis=2),
        values.min(axis=2),
        values.max(axis=2),
    )


def test_repetitions_inform_where_they_are_enough_and_vary() -> None:
    found = uniform(6, 3, BOUNDED.fewest)
    assert found.informative(BOUNDED).tolist() == list(range(6))
    found.counts[1, 2] = BOUNDED.fewest - 1
    found.lows[2, 0] = 0.0
    found.lows[3, 0] = np.nan
    found.lows[4], found.highs[4] = found.means[4], found.means[4]
    found.lows[5, 1:], found.highs[5, 1:] = found.means[5, 1:], found.means[5, 1:]
    assert found.informative(BOUNDED).tolist() == [0, 5], "one point that varies will do"


@pytest.mark.parametrize("sets", [[BOUNDED.enough], [3, 9], [BOUNDED.enough - 1]])
def test_the_common_shape_is_that_of_expectation_maximisation(sets: list[int]) -> None:
    """Series by series, in plain floats."""
    parts = [uniform(n, 3, 5, seed) for seed, n in enumerate(sets)]
    found = pooled_bounded_prior(parts)
    if sum(sets) < BOUNDED.enough:
        assert np.array_equal(found, usual_prior())
        return
    even, normal = (
        np.concatenate([shape_evidence(part)[shape] for part in parts]) for shape in (0, 1)
    )
    usual = np.exp(usual_prior()) / BOUNDED.share
    start = (BOUNDED.share, 1 - BOUNDED.share)
    shares, widths = [0.5, 0.5], [usual, usual]
    for _ in range(BOUNDED.rounds):
        totals = [np.zeros(len(usual)), np.zeros(len(usual))]
        for one, other in zip(even, normal, strict=True):
            top = max(one.max(), other.max())
            each = [
                np.exp(e - top) * share * width
                for e, share, width in zip((one, other), shares, widths, strict=True)
            ]
            whole = each[0].sum() + each[1].sum()
            totals = [t + e / whole for t, e in zip(totals, each, strict=True)]
        weight = BOUNDED.pseudo
        shares = [
            (t.sum() + weight * s) / (len(even) + weight)
            for t, s in zip(totals, start, strict=True)
        ]
        widths = [(t + weight * usual) / (t.sum() + weight) for t in totals]
    if shares[0] <= BOUNDED.mostly:
        assert (found == -np.inf).all()
    else:
        assert np.exp(found) == pytest.approx(shares[0] * widths[0], rel=1e-6, abs=1e-12)


def test_a_bad_fit_is_one_beyond_what_repetitions_scatter() -> None:
    """The scatter is that of scipy's pooled variance: squares over degrees of freedom."""
    points = 2.0 ** np.arange(4)[:, None]
    law = np.full((1, 4), 10.0)
    for spread, is_poor in ((0.11, True), (0.13, False)):
        values = np.array([[10.0, 10.0, 30.0, 30.0]]).T * (1 + np.array([-1, 1]) * spread)
        means = values.mean(axis=1)[None]
        squares = ((values - means.T) ** 2).sum(axis=1)[None]
        series = Stack(
            ["f"], ["time"], ("n",), points, np.full((1, 4), 2.0), means, squares, means, means
        )
        error = 100 * np.mean(2 * np.abs(means - law) / (means + law))
        scatter = 100 * np.sqrt(np.mean(np.var(values, axis=1, ddof=1) / means[0] ** 2))
        assert error > DEFAULT.goodness.unusual_smape
        assert (error > DEFAULT.goodness.supported * scatter) == is_poor
        assert bool(poor_fits(series, law, DEFAULT.goodness)) == is_poor
