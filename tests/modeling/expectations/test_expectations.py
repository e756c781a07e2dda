"""Expected laws: reading them, exact formulas, growth under noise. sympy and known functions are
the oracles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import sympy

from looplaw_common.formula.formula import parse_formula
from modeling import InputError
from modeling.expectations.expectations import Evidence, judge, parse_law
from modeling.expectations.growth_test import (
    Sample,
    divergence_model,
    formula_grows_beyond,
    grows_beyond,
)
from modeling.pmnf.assumed_formula import AssumedFormula

SIZES = 2.0 ** np.arange(7, 14)


def sample(
    law: Callable[[float], float],
    points: np.ndarray = SIZES,
    *,
    noise: float = 0.0,
    repetitions: int = 3,
    seed: int = 0,
) -> Sample:
    rng = np.random.default_rng(seed)
    values = tuple(law(x) * np.exp(rng.normal(0, noise, repetitions)) for x in points)
    return Sample(("n",), points[:, None], values)


@pytest.mark.parametrize(
    "text",
    [
        "5*n**2/p",
        "n*(n - 1)/2",
        "ceiling(log(n, 2))*p",
        "Max(0, n - 7)",
        "Min(n, p)**3",
        "sqrt(n)*2.5",
        "floor(n/p) + Mod(n, p)",
        "-n + 3*p",
        "2**p",
        "n**(1/2)",
        "1e-9*n*log(n)",
    ],
)
@pytest.mark.parametrize("at", [{"n": 64, "p": 4}, {"n": 1, "p": 9}, {"n": 1000, "p": 7}])
def test_formulas_mean_what_sympy_says(text: str, at: dict[str, int]) -> None:
    formula = parse_formula(text)
    expected = sympy.sympify(formula.normal).subs(at)
    value = formula.evaluate(at)
    assert float(value) == pytest.approx(float(expected), rel=1e-14)
    if expected.is_Integer:
        assert value == int(expected)


def test_whole_numbers_stay_exact() -> None:
    n = 2**61 + 1
    assert parse_formula("n*(n-1)/2").evaluate({"n": n}) == n * (n - 1) // 2
    assert parse_formula("ceiling(log(n, 2))").evaluate({"n": 2**40}) == 40


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n +",
        "__import__('os')",
        "n.real",
        "n[0]",
        "f(n)",
        "lambda: 1",
        "'a'",
        "log()",
        "n if 1 else 2",
        "1e999",
        "n" * 5000,
    ],
)
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_formula(text)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1/n", {"n": 0}),
        ("log(n)", {"n": 0}),
        ("n", {}),
        ("2**n", {"n": 10**9}),
        ("9**9**9**9", {}),
        ("sqrt(n)", {"n": -1}),
    ],
)
def test_no_value_is_an_error_not_a_hang(text: str, at: dict[str, int]) -> None:
    with pytest.raises(InputError):
        parse_formula(text).evaluate(at)


@pytest.mark.parametrize(
    ("formula", "expected", "grows"),
    [
        ("n", "n", None),
        ("3*n + 100", "n", None),
        ("n*log(n, 2)", "n", "n"),
        ("n + n*log(n)/1000", "n", "n"),
        ("n**2", "n**3", None),
        ("ceiling(log(n, 2))", "log(n)", None),
        ("n*(n-1)/2", "n^2", None),
        ("n**2/p", "n**2/p", None),
        ("n**2", "n**2/p", "p"),
        ("ceiling(n/p)", "n/p", None),
        ("sqrt(p)", "log(p)", "p"),
        ("m*2**m", "2**m", "m"),
        ("m*2**(m-1)", "m*2**m", None),
        ("n*m", "n + m", "m and n"),
        ("Max(0, n)", "1", "n"),
        ("5", "1", None),
    ],
)
def test_growth_of_formulas(formula: str, expected: str, grows: str | None) -> None:
    assert formula_grows_beyond(parse_formula(formula), parse_formula(expected)) == grows


@pytest.mark.parametrize(
    ("law", "expect"),
    [
        (lambda n: n, "n"),
        (lambda n: n * (n - 1) // 2, "n^2"),
        (lambda n: np.ceil(np.log2(n)), "log(n)"),
        (lambda n: 17.0, "1"),
        (lambda n: np.ceil(n / 7), "n"),
        (lambda n: n + np.floor(np.sqrt(n)), "n"),
        (lambda n: 0.0, "n"),
        (lambda n: n, "n*log(n)"),
    ],
)
def test_counts_never_alarm_where_the_law_holds(law: Callable[[float], float], expect: str) -> None:
    for seed in range(40):
        points = np.sort(
            np.random.default_rng(seed).choice(np.arange(8, 5000), 6, replace=False)
        ).astype(float)
        assert (
            judge(
                parse_law("k", "iterations", f"O({expect})"), "k", Evidence(sample(law, points))
            ).status
            == "holds"
        )


@pytest.mark.parametrize(
    ("law", "expect"),
    [
        (lambda n: n * np.log2(n), "n"),
        (lambda n: 100 + n**2, "n*log(n)"),
        (lambda n: n, "1"),
        (lambda n: np.floor(np.sqrt(n)), "log(n)"),
    ],
)
def test_counts_alarm_where_it_does_not(law: Callable[[float], float], expect: str) -> None:
    assert (
        judge(parse_law("k", "iterations", f"O({expect})"), "k", Evidence(sample(law))).status
        == "broken"
    )


def test_times_catch_planted_changes_and_no_others() -> None:
    ranks = 2.0 ** np.arange(1, 7)

    def alarms(law: Callable[[float], float], expect: str, points: np.ndarray) -> int:
        expected = parse_formula(expect)
        return sum(
            grows_beyond(sample(law, points, noise=0.05, repetitions=5, seed=s), expected).alarm
            for s in range(100)
        )

    assert alarms(lambda n: 1e-6 + 1e-8 * n * np.log2(n), "n", SIZES) >= 95
    assert alarms(lambda p: 1e-5 + 1e-5 * np.sqrt(p), "log(n)", ranks) >= 95
    assert alarms(lambda n: 1e-6 + 1e-8 * n, "n", SIZES) <= 1
    assert alarms(lambda p: 1e-5 + 1e-5 * np.log2(p), "log(n)", ranks) <= 1
    assert alarms(lambda n: 1e-8 * n, "n*log(n)", SIZES) == 0


def test_a_disturbed_run_is_no_growth() -> None:
    values = tuple(
        np.array([n, n, n, 4 * n, n * 1.01]) * 1e-8 if n == SIZES[-1] else np.full(5, n * 1e-8)
        for n in SIZES
    )
    assert not grows_beyond(Sample(("n",), SIZES[:, None], values), parse_formula("n")).alarm


def test_several_parameters() -> None:
    points = np.array([(n, p) for n in (100.0, 200.0, 400.0, 800.0) for p in (1.0, 2.0, 4.0, 8.0)])

    def measured(law: Callable[[float, float], float]) -> Sample:
        return Sample(("n", "p"), points, tuple(np.array([law(*x)]) for x in points))

    expected = parse_formula("n^2/p")
    assert not grows_beyond(measured(lambda n, p: 3 * n * n / p), expected).alarm
    assert grows_beyond(measured(lambda n, p: n * n / p + 2000 * p), expected).alarm
    assert not grows_beyond(
        measured(lambda n, p: n * n / p + 2000 * p), parse_formula("n^2/p + p")
    ).alarm


def test_sizes_over_hundreds_of_decades() -> None:
    """The squares of such ratios are beyond floating point."""
    points = np.array([[1.0], [1e3], [1e80], [1e200], [1e250]])
    found = {}
    for power in (0.5, 0.25):
        values = tuple(7 * x**power for x in points)
        found[power] = grows_beyond(Sample(("n",), points, values), parse_formula("n^(1/4)")).alarm
    assert found == {0.5: True, 0.25: False}


@pytest.mark.parametrize(
    ("expect", "status"),
    [
        ("<= 2*n", "holds"),
        ("<= n", "broken"),
        (">= n", "holds"),
        (">= 2*n", "broken"),
        ("== n + 5", "holds"),
        ("== n", "broken"),
    ],
)
def test_bounds_of_values(expect: str, status: str) -> None:
    law = parse_law("k", "iterations", expect)
    assert judge(law, "k", Evidence(sample(lambda n: n + 5))).status == status
    assert judge(law, "k", Evidence(formula=AssumedFormula.read("n + 5"))).status == (
        {"<= 2*n": "broken"}.get(expect, status) if expect != ">= 2*n" else "broken"
    )  # n + 5 > 2n for n < 5


def test_divergence_model_shows_the_growth() -> None:
    model = divergence_model("k", "time", sample(lambda n: 2e-6 * n**1.5), parse_formula("n"))
    assert model is not None
    assert str(model.lead) == "n**(1/2)"


def test_models_are_broken_only_where_all_that_fit_are() -> None:
    law = parse_law("k", "time", "O(n)")
    good, bad = parse_formula("1 + 2*n"), parse_formula("3*n*log(n, 2)")
    assert [judge(law, "k", Evidence(models=m)).status for m in ((good,), (bad,), (bad, good))] == [
        "holds",
        "broken",
        "holds",
    ]
    assert judge(law, "k", Evidence()).status == "unchecked"


@pytest.mark.parametrize("expect", ["n", "O(n", "O()", "< n", "O(q+)"])
def test_wrong_expectations_are_refused(expect: str) -> None:
    with pytest.raises(InputError):
        parse_law("k", "time", expect)


def test_unknown_parameters_are_named() -> None:
    with pytest.raises(InputError, match="q is no parameter; there are n"):
        judge(parse_law("k", "time", "O(q)"), "k", Evidence(sample(lambda n: n)))
