"""Growth beside terms that fall: what processes share falls, what they coordinate grows slowly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from modeling import Measurements, Prior, Series, Term, fit
from modeling.pmnf.dictionary import FactorTable
from modeling.settings import DEFAULT

PROCESSES = 2.0 ** np.arange(7)
BESIDE = DEFAULT.dictionary.beside_falling


def number_of(table: FactorTable, power: str) -> int:
    return table.factors.index((Fraction(power), Fraction(0)))


def test_only_steep_growth_beside_a_fall_costs_more() -> None:
    table = FactorTable.of(PROCESSES)
    falls, slow, square, cube = (number_of(table, p) for p in ("-1", "1", "2", "3"))
    rows = np.array([[falls, slow, 0], [falls, square, 0], [cube, 0, falls], [square, cube, 0]])
    assert table.cost_together(rows) == pytest.approx([0.0, BESIDE, 2 * BESIDE, 0.0])


def test_known_growth_costs_nothing() -> None:
    cube = (Fraction(3), Fraction(0))
    table = FactorTable.of(PROCESSES, known=(cube,))
    rows = np.array([[number_of(table, "-1"), table.factors.index(cube)]])
    assert table.cost_together(rows) == pytest.approx([0.0])


@pytest.mark.parametrize("rise", [0.3, 0.5])
def test_one_largest_point_above_a_falling_law_is_no_steep_power(rise: float) -> None:
    """A run at the most processes that is slow may be the first of many, or the only one: what it
    is taken for must not be five times that at twice as many."""
    y = 1 / PROCESSES + 0.004
    y[-1] *= 1 + rise
    series = Series.from_values("solve", "time", ("p",), PROCESSES[:, None], y[:, None])
    model = fit(Measurements((series,))).models[0]
    assert model.certainty != "sure"
    assert float(model.evaluate({"p": 128.0})) < 3 * y[-1]


def test_overhead_of_processes_is_forecast_within_a_factor_of_two() -> None:
    generator = np.random.default_rng(12)
    made = []
    for k in range(30):
        share = generator.uniform(0.002, 0.02)
        law = 1 / PROCESSES + share * np.log2(PROCESSES)
        y = law * (1 + 0.02 * generator.standard_normal(len(law)))
        made.append(
            (Series.from_values(f"f{k}", "time", ("p",), PROCESSES[:, None], y[:, None]), share)
        )
    models = fit(Measurements(tuple(s for s, _ in made))).models
    at = 4 * PROCESSES[-1]
    off = [
        abs(np.log(float(m.evaluate({"p": at})) / (1 / at + share * np.log2(at))))
        for m, (_, share) in zip(models, made, strict=True)
    ]
    assert np.mean(np.array(off) < np.log(2)) >= 0.9


def test_a_prior_may_still_name_a_steep_power() -> None:
    law = 1 / PROCESSES + 1e-5 * PROCESSES**3
    series = Series.from_values("solve", "time", ("p",), PROCESSES[:, None], law[:, None])
    prior = Prior(terms=(Term.of({"p": (-1, 0)}), Term.of({"p": (3, 0)})))
    for model in (
        fit(Measurements((series,))).models[0],
        fit(Measurements((series,)), priors={("solve", "time"): prior}).models[0],
    ):
        assert float(model.evaluate({"p": 256.0})) == pytest.approx(
            1 / 256 + 1e-5 * 256**3, rel=0.05
        )
