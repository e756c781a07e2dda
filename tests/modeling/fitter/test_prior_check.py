"""Priors that the points refute are dropped, and the model says so."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from modeling import Measurements, Prior, Series, Term, fit
from modeling.pmnf.dictionary import FactorTable
from modeling.search.fixed_exponents import neighbours
from modeling.settings import DEFAULT

N = 8 * 2.0 ** np.arange(7)
RIGHT, WRONG = Term.of({"n": (1, 0)}), Term.of({"n": ("3/2", 0)})


def model(prior, seed):
    generator = np.random.default_rng(seed)
    values = (3 + 2 * N) * (1 + 0.05 * generator.standard_normal(len(N)))
    series = Series.from_values("f", "time", ("n",), N[:, None], values)
    return fit(Measurements((series,)), {("f", "time"): prior}).models[0]


@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_law_is_dropped_with_a_note(seed):
    found = model(Prior(frozenset("n"), (WRONG,), fixed=True), seed)
    assert float(found.evaluate({"n": 4 * N[-1]})) == pytest.approx(3 + 8 * N[-1], rel=0.3)
    assert any("refute" in note for note in found.notes)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("terms", [(RIGHT,), (RIGHT, WRONG)])
def test_a_right_law_stays(seed, terms):
    found = model(Prior(frozenset("n"), terms, fixed=True), seed)
    assert not found.notes
    assert {t for _, t in found.terms} <= set(terms)


def noisy(prior, seed, noise):
    """A model from five noisy points, which cannot tell neighbouring laws."""
    n = N[:5]
    generator = np.random.default_rng(seed)
    values = (3 + 2 * n) * (1 + noise * generator.standard_normal(len(n)))
    series = Series.from_values("f", "time", ("n",), n[:, None], values)
    found = fit(Measurements((series,)), {("f", "time"): prior}).models[0]
    return found, 3 + 8 * n[-1]


def test_a_wrong_law_that_cannot_be_refuted_is_averaged_with_others():
    prior = Prior(frozenset("n"), (WRONG,), fixed=True)
    inside = sure = told = 0
    for seed in range(20):
        found, truth = noisy(prior, seed, 0.1)
        low, high = found.interval({"n": 4 * N[4]})
        inside += float(low) <= truth <= float(high)
        off = abs(float(found.evaluate({"n": 4 * N[4]})) / truth - 1)
        sure += found.certainty == "sure" and off > 0.25
        told += any("the given law" in note for note in found.notes)
    assert inside >= 16
    assert sure <= 2
    assert told >= 15


def test_a_right_law_is_worth_as_much_as_before():
    prior = Prior(frozenset("n"), (RIGHT,), fixed=True)
    known = [noisy(prior, seed, 0.1) for seed in range(20)]
    free = [noisy(Prior(), seed, 0.1) for seed in range(20)]

    def near(models):
        return sum(abs(float(m.evaluate({"n": 4 * N[4]})) / t - 1) < 0.15 for m, t in models)

    assert near(known) >= 16
    assert near(known) > near(free)


@pytest.mark.parametrize("wrong", ["3/2", "1/2", "2"])
def test_a_wrong_law_is_a_hint_which_law_is_right(wrong):
    law = Prior(frozenset("n"), (Term.of({"n": (wrong, 0)}),), fixed=True)
    hinted = [noisy(law, seed, 0.05) for seed in range(20)]
    free = [noisy(Prior(), seed, 0.05) for seed in range(20)]

    def near(models):
        return sum(abs(float(m.evaluate({"n": 4 * N[4]})) / t - 1) < 0.1 for m, t in models)

    assert near(hinted) >= near(free)


def test_a_wrong_factor_of_a_product_does_not_hide_the_right_one():
    right, wrong = Term.of({"r": (1, 0), "z": (1, 0)}), Term.of({"r": (1, 0), "z": ("3/2", 0)})
    rows = 64 * N[:5]
    for seed in range(8):
        generator = np.random.default_rng(seed)
        points = np.column_stack([rows, generator.uniform(4, 64, 5)])
        values = (points[0].prod() + points.prod(axis=1)) * (
            1 + 0.01 * generator.standard_normal(5)
        )
        series = Series.from_values("f", "time", ("r", "z"), points, values)
        prior = {("f", "time"): Prior(None, (wrong,), fixed=True)}
        found = fit(Measurements((series,)), prior).models[0]
        assert {t for _, t in found.terms} == {right}, seed
        assert found.notes


def test_neighbours_differ_in_one_place():
    table = FactorTable.of(N)
    n, square = (table.factors.index((Fraction(i), Fraction(0))) for i in (1, 2))
    law = [np.array([square]), np.array([n])]
    found = neighbours(law, [table], DEFAULT.hypotheses)
    kept = [sum(any((a == b).all() for b in other) for a in law) for other in found]
    assert set(kept) == {1}
    assert sorted(len(other) for other in found)[:3] == [1, 1, 2]
    assert not any(np.array_equal(*other) for other in found if len(other) == 2)
    powers = {table.factors[int(c[0])][0] for other in found for c in other}
    assert min(powers) == 0
    assert max(powers) == 3


def test_without_doubt_a_fixed_law_is_all_there_is():
    doubt = replace(DEFAULT, hypotheses=replace(DEFAULT.hypotheses, wrong=1e-12, refuted=np.inf))
    n = N[:5]
    prior = {("f", "time"): Prior(frozenset("n"), (WRONG,), fixed=True)}
    noise = 0.1 * np.random.default_rng(0).standard_normal(len(n))
    series = Series.from_values("f", "time", ("n",), n[:, None], (3 + 2 * n) * (1 + noise))
    found = fit(Measurements((series,)), prior, settings=doubt).models[0]
    assert {t for _, t in found.terms} <= {WRONG}
