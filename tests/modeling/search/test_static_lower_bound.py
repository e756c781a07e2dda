"""Static bounds limit the growth of laws."""

from __future__ import annotations

import numpy as np
import pytest

from modeling import Measurements, Model, Prior, Series, Term, fit
from modeling.pmnf.terms import growth_in


def noisy(exponent: float, seed: int, noise: float = 0.2) -> Series:
    generator = np.random.default_rng(seed)
    return Series.from_values(
        "f",
        "iterations",
        ("n",),
        [[x] for x in (8, 16, 32, 64, 128)],
        [3 * x**exponent * (1 + noise * generator.standard_normal()) for x in (8, 16, 32, 64, 128)],
    )


def law(series: Series, prior: Prior) -> Model:
    return fit(Measurements((series,)), {("f", "iterations"): prior}).models[0]


@pytest.mark.parametrize("seed", range(6))
def test_no_law_outgrows_the_upper_bound(seed: int) -> None:
    n = Term.of({"n": (1, 0)})
    model = law(noisy(1.6, seed), Prior(upper=(n,)))
    assert growth_in([t for _, t in model.terms], "n") <= growth_in([n], "n")


def test_without_the_bound_most_laws_outgrow_it() -> None:
    free = [law(noisy(1.6, seed), Prior()) for seed in range(6)]
    grown = [growth_in([t for _, t in m.terms], "n") > (1, 0) for m in free]
    assert sum(grown) >= 5


@pytest.mark.parametrize("seed", range(6))
def test_laws_grow_as_fast_as_the_lower_bound(seed: int) -> None:
    square = Term.of({"n": (2, 0)})
    model = law(noisy(1.9, seed), Prior(lower=(square,)))
    assert growth_in([t for _, t in model.terms], "n") >= growth_in([square], "n")


def test_bounds_tell_the_leading_term_in_noise() -> None:
    n = Term.of({"n": (1, 0)})
    bounded = [str(law(noisy(1, k), Prior(upper=(n,), lower=(n,))).lead) == "n" for k in range(30)]
    free = [str(law(noisy(1, k), Prior()).lead) == "n" for k in range(30)]
    assert np.mean(bounded) > 0.9
    assert np.mean(bounded) > np.mean(free)


def test_bounds_in_several_parameters() -> None:
    points = [(a, b) for a in (4, 8, 16, 32) for b in (4, 8, 16, 32)]
    generator = np.random.default_rng(1)
    series = Series.from_values(
        "f",
        "iterations",
        ("n", "m"),
        points,
        [a * b * (1 + 0.2 * generator.standard_normal()) for a, b in points],
    )
    model = law(
        series, Prior(upper=(Term.of({"n": (1, 0), "m": (1, 0)}),), lower=(Term.of({"n": (1, 0)}),))
    )
    terms = [t for _, t in model.terms]
    assert growth_in(terms, "n") == (1, 0)
    assert growth_in(terms, "m") <= (1, 0)
