"""What formulas that are known beforehand say of laws, and laws whose coefficients alone are
fitted."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy

from looplaw_common.formula.formula import parse_formula
from modeling import InputError, Measurements, Model, Prior, Series, Term, fit, known_law, prior_of


def shown(terms: object) -> set[str]:
    assert isinstance(terms, tuple | dict)
    return {str(t) for t in terms}


@pytest.mark.parametrize(
    "formula",
    [
        "n*(n - 1)*(2*n - 1)/6",
        "(n - 2)*(m - 2)",
        "rows*nnz_mean + 3*rows",
        "5",
        "sqrt(n*m)/3 + 7",
        "n^(3/2)*log2(n) - 5",
        "(n + 1)**3",
        "4*n*log(n) + m/p",
        "log(n**2*m, 2)*n",
        "2*n*m - n",
    ],
)
def test_the_terms_add_up_to_the_formula(formula: str) -> None:
    law = known_law(formula)
    assert (law.whole, law.rounded) == (True, False)
    at = {"n": 7.0, "m": 11.0, "p": 3.0, "rows": 100.0, "nnz_mean": 5.5}
    total = sum(
        c * float(t.evaluate({k: np.asarray(v) for k, v in at.items()}))
        for t, c in law.terms.items()
    )
    assert total == pytest.approx(float(sympy.sympify(parse_formula(formula).normal).subs(at)))


@pytest.mark.parametrize(
    ("formula", "terms", "whole", "rounded"),
    [
        ("ceiling(n/p)", {"n*p**(-1)"}, True, True),
        ("Max(0, n - 1)*m", {"m*n", "m"}, True, True),
        ("n*ceiling(log(Max(1, n), 2))", {"n*log(n, 2)"}, True, True),
        ("n + Sum(floor(n/i), (i, 1, n))", {"n"}, False, False),
        ("n*Sum(i, (i, 1, n))", set(), False, False),
        ("Piecewise((n, n >= 2), (0, True))", set(), False, False),
        ("Max(n, m)", set(), False, False),
        ("ceiling(n*Piecewise((1, Mod(n + p, 2) <= 1), (1/2, True))/p)", {"n*p**(-1)"}, True, True),
        ("n/(n + 1)", set(), False, False),
        ("2**n", set(), False, False),
        ("log(n + 1, 2)", set(), False, False),
        ("Mod(n, 4) + n", {"n"}, False, False),
        ("n**(1/2) - n**(1/2)", set(), True, False),
    ],
)
def test_what_is_no_sum_of_terms_is_told_apart(
    formula: str, terms: set[str], whole: bool, rounded: bool
) -> None:
    law = known_law(formula)
    assert (shown(dict(law.terms)), law.whole, law.rounded) == (terms, whole, rounded)


@pytest.mark.parametrize(
    "text",
    [
        "n +",
        "import os",
        "n.real",
        "[n]",
        "'n'",
        "n if n else 2",
        "lambda n: n",
        "n[0]",
        "n % 2",
        "",
        "(" * 500,
    ],
)
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a formula"):
        known_law(text)


@pytest.mark.parametrize(
    ("bound", "upper", "lower"),
    [
        ("n*m - 2*n", {"m*n"}, set()),
        ("n*n - n", {"n**2"}, {"n**2"}),
        ("n*n + m", {"n**2", "m"}, {"n**2", "m"}),
        ("n*k", set(), set()),
        ("n*n - m", {"n**2"}, set()),
        ("n - 2", {"n"}, {"n"}),
        ("n + Sum(i, (i, 1, n))", set(), set()),
    ],
)
def test_bounds_are_used_as_far_as_they_hold(bound: str, upper: set[str], lower: set[str]) -> None:
    prior = prior_of(lower=bound, upper=bound, measured={"n", "m"})
    assert (shown(prior.upper), shown(prior.lower)) == (upper, lower)


def test_symbols_that_were_not_measured_say_nothing() -> None:
    assert prior_of("rows*nnz + rows", parameters=["rows"], measured=["rows"], fixed=True) == Prior(
        frozenset({"rows"}), (Term.of({"rows": (1, 0)}),)
    )
    both = prior_of("rows*nnz + rows", parameters=["rows"], measured=["rows", "nnz"], fixed=True)
    assert both.fixed
    assert both.parameters == {"rows", "nnz"}, "a measured symbol is a covariate"
    assert not prior_of("ceiling(rows/8)", fixed=True).fixed, "rounding is no term"


def sparse(seed: int, noise: float) -> Series:
    """Products with matrices whose rows differ in length, as they happened to be."""
    generator = np.random.default_rng(seed)
    points = [(rows, 5 + 40 * generator.random()) for rows in (1000, 2000, 4000) for _ in range(2)]
    return Series.from_values(
        "spmv",
        "time",
        ("rows", "nnz_mean"),
        points,
        [2e-9 * r * z * (1 + noise * generator.standard_normal()) for r, z in points],
    )


def one(series: Series, prior: Prior) -> Model:
    return fit(Measurements((series,)), {(series.callpath, series.metric): prior}).models[0]


def test_only_coefficients_of_a_known_law_are_fitted() -> None:
    prior, error, free = prior_of("rows*nnz_mean", fixed=True), [], []
    for seed in range(10):
        series = sparse(seed, 0.15)
        for given, errors in ((prior, error), (Prior(), free)):
            model = one(series, given)
            errors.append(abs(float(model(rows=64000, nnz_mean=20)) / (2e-9 * 64000 * 20) - 1))
        assert {str(t) for _, t in one(series, prior).terms} == {"nnz_mean*rows"}
    assert max(error) < 0.2 < max(free)


def test_slower_terms_of_a_known_law_need_not_show() -> None:
    n = np.array([10.0, 20, 40, 80, 160])
    exact = Series.from_values("f", "iterations", ("n",), n[:, None], n * (n - 1) * (2 * n - 1) / 6)
    model = one(exact, prior_of("n*(n - 1)*(2*n - 1)/6", fixed=True))
    assert {str(t): Fraction(c).limit_denominator(100) for c, t in model.terms} == {
        "n**3": Fraction(1, 3),
        "n**2": Fraction(-1, 2),
        "n": Fraction(1, 6),
    }
    noisy = Series.from_values("f", "time", ("n",), n[:, None], n**3 * (1 + 0.3 * np.sin(n)))
    found = {str(t) for _, t in one(noisy, prior_of("n**3 + n", fixed=True)).terms}
    assert {"n**3"} <= found <= {"n**3", "n"}


def test_few_points_and_parameters_that_do_not_vary() -> None:
    two = Series.from_values("f", "iterations", ("n", "m"), [(10, 3), (20, 3)], [300, 1200])
    model = one(two, prior_of("n**2*m", fixed=True))
    assert [str(t) for _, t in model.terms] == ["n**2"]
    assert float(model(n=40.0, m=3.0)) == pytest.approx(4800)
    assert not model.identifiable, "two points show no law"
    zero = Series.from_values("f", "iterations", ("n",), [[0], [1], [2], [4]], [0, 0, 2, 12])
    assert np.isfinite(float(one(zero, prior_of("n*log(n, 2) + 1/n", fixed=True))(n=8.0))), (
        "terms without values at 0"
    )
