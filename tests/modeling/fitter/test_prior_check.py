"""Priors that the points refute are dropped, and the model says so."""

from __future__ import annotations

import numpy as np
import pytest

from modeling import Measurements, Prior, Series, Term, fit

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
