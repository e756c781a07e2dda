"""Priors that the points refute are dropped, and the model says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from modeling import Measurements, Prior, Series, Term, fit
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
        told += any("given beforehand" in note for note in found.notes)
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


def test_without_doubt_a_fixed_law_is_all_there_is():
    doubt = replace(DEFAULT, hypotheses=replace(DEFAULT.hypotheses, wrong=1e-12, refuted=np.inf))
    n = N[:5]
    prior = {("f", "time"): Prior(frozenset("n"), (WRONG,), fixed=True)}
    noise = 0.1 * np.random.default_rng(0).standard_normal(len(n))
    series = Series.from_values("f", "time", ("n",), n[:, None], (3 + 2 * n) * (1 + noise))
    found = fit(Measurements((series,)), prior, settings=doubt).models[0]
    assert {t for _, t in found.terms} <= {WRONG}
