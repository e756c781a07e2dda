"""Whether laws fall or multiply powers by logarithms is learned from all of a file."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from modeling import Measurements, Prior, Series, Term, fit
from modeling.pmnf.dictionary import FactorTable
from modeling.pmnf.hypotheses import Candidates
from modeling.search.single_parameter import enumerate_hypotheses
from modeling.search.traits import FALLS, KINDS, PRODUCT, Traits, trait_of

X = 2.0 ** np.arange(3, 8)


def measured(name: str, law: np.ndarray, seed: int) -> Series:
    generator = np.random.default_rng(seed)
    factor = 1 + 0.05 * generator.standard_normal((len(X), 1))
    return Series.from_values(name, "time", ("x",), X[:, None], law[:, None] * factor)


def products(law: np.ndarray, others: np.ndarray) -> int:
    """How many of 12 series of a law have models with a power times a logarithm, beside 60 series
    of another law."""
    doubtful = [measured(f"a {k}", law, k) for k in range(12)]
    beside = [measured(f"b {k}", others * (1 + k), 1000 + k) for k in range(60)]
    models = fit(Measurements(tuple(doubtful + beside))).models[: len(doubtful)]
    return sum(any(i and j for _, t in m.terms for _, i, j in t.factors) for m in models)


def test_what_is_doubtful_is_believed_to_be_what_the_others_are() -> None:
    doubtful = X ** (4 / 3)
    assert products(doubtful, X**2 * np.log2(X)) >= products(doubtful, X**1.5) + 4


def test_factors_have_traits() -> None:
    half = Fraction(1, 2)
    assert trait_of((half, Fraction(0))) == trait_of((Fraction(0), Fraction(2))) == 0
    assert trait_of((-half, Fraction(0))) == FALLS
    assert trait_of((half, Fraction(1))) == PRODUCT
    assert trait_of((-half, Fraction(1))) == FALLS | PRODUCT


def test_all_laws_together_stay_as_probable() -> None:
    """Shares that are learned move probability from one kind to another."""
    table = FactorTable.of(X)
    hypotheses = enumerate_hypotheses(table, len(X))
    traits = Traits.of(table, hypotheses)
    assert np.exp(traits.log_prior).sum() == pytest.approx(1)
    every = [Candidates(h.rows[None, ..., None], h.prior[None]) for h in hypotheses]
    believed = traits.believed(every, np.log([0.1, 0.2, 0.3, 0.4]))
    total, before = (sum(np.exp(c.prior).sum() for c in cs) for cs in (believed, every))
    assert total == pytest.approx(before)
    same = traits.believed(every, traits.log_prior)
    assert same[1].prior == pytest.approx(every[1].prior)


def test_kinds_without_laws_leave_the_others_as_they_are() -> None:
    """No law of values below 1 has a logarithm."""
    table = FactorTable.of(X / 100)
    traits = Traits.of(table, enumerate_hypotheses(table, len(X)))
    assert traits.possible.tolist() == [0, FALLS]
    one = Candidates(np.array([[[[0]]]]), np.zeros((1, 1)))
    learned = np.log([0.1, 0.1, 0.4, 0.4])
    assert len(learned) == KINDS
    more = traits.believed([one], learned)[0].prior[0, 0]
    assert more == pytest.approx(np.log(0.5) - traits.log_prior[0])


def test_laws_that_are_given_keep_their_odds() -> None:
    """A fixed law is no more or less probable for what other series have."""
    law = Term.of({"x": (1, 1)})
    series = [measured(f"b {k}", X**1.5 * (1 + k), k) for k in range(40)]
    series.append(measured("a", X * np.log2(X), 5))
    prior = Prior(frozenset("x"), (law,), fixed=True)
    model = fit(Measurements(tuple(series)), {("a", "time"): prior}).models[-1]
    assert [t for _, t in model.terms] == [law]
