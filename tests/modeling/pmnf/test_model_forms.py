"""Forms, derivatives and comparisons of models, segments, and derived metrics."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy

from modeling import (
    DataError,
    InputError,
    Measurements,
    Model,
    Quality,
    Series,
    Term,
    changes,
    compare_growth,
    cost,
    derivative,
    efficiency,
    faster,
    fit,
    reduced,
    segments,
    speedup,
    to_latex,
    to_sympy,
)

X = np.array([4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0])


def series(values: np.ndarray, name: str = "f") -> Series:
    return Series.from_values(name, "time", ("n",), X[: len(values), None], values)


def test_symbolic_form_and_derivative_agree() -> None:
    model = fit(Measurements((series(3 * X**1.5 * np.log2(X) + 7),))).models[0]
    expression, n = to_sympy(model), sympy.Symbol("n", positive=True)
    for at in (10.0, 1000.0):
        assert float(expression.subs(n, at)) == pytest.approx(
            float(model.evaluate({"n": at})), rel=1e-9
        )
        assert float(expression.diff(n).subs(n, at)) == pytest.approx(
            float(derivative(model, "n", {"n": at})), rel=1e-9
        )
        printed = sympy.sympify(model.formula, {"n": n}).subs(n, at)
        assert float(printed) == pytest.approx(float(model.evaluate({"n": at})), rel=1e-6)
    assert to_latex(model) == r"7 + 3\,n^{3/2}\,\log_{2}(n)"


def test_which_grows_faster_and_what_changed() -> None:
    before = fit(Measurements((series(3 * X, "a"), series(5 + X, "b"), series(X**2, "c"))))
    after = fit(
        Measurements((series(X * np.log2(X), "a"), series(50 + 2 * X, "b"), series(X, "d")))
    )
    assert faster(before.models[2], before.models[0]) is before.models[2]
    assert faster(before.models[0], before.models[1]) is None
    found = changes(before, after, {"n": 1024.0})
    assert [(c.later.callpath, c.grows_faster) for c in found] == [("a", True), ("b", None)]
    assert found[0].ratio == pytest.approx(10 / 3)


def law(constant: float, *terms: tuple[float, dict[str, tuple[int | str, int | str]]]) -> Model:
    return Model(
        "f",
        "time",
        ("n", "p"),
        constant,
        tuple((c, Term.of(t)) for c, t in terms),
        Quality(0, 1, 0, 9),
    )


def test_which_grows_faster_along_a_direction() -> None:
    a, b = law(1, (2, {"n": (2, 0), "p": (-1, 0)})), law(0, (3, {"n": (1, 1)}))
    assert faster(a, b, {"n": 1}, {"p": 8.0}) is a
    assert faster(a, b, {"n": 1, "p": 1}) is b, "n against n log n"
    assert faster(a, b, {"p": 1}, {"n": 64.0}) is None, (
        "both stay what they are: 1 + 0 against 3*64*6"
    )
    assert compare_growth(a, b, {"p": 1}, {"n": 64.0}).ratio == pytest.approx(1 / (3 * 64 * 6))
    alike = compare_growth(
        law(0, (2, {"n": ("1/2", 1)})), law(5, (3, {"p": (1, 1)})), {"n": 2, "p": 1}
    )
    assert alike.faster is None
    assert alike.ratio == pytest.approx(2 * 2 / 3), "log(t**2) is 2 log(t)"
    cancels = law(7, (1, {"n": (1, 0)}), (-1, {"p": (1, 0)}))
    assert compare_growth(cancels, law(7)).ratio == 1
    assert compare_growth(law(0, (-1, {"n": (1, 0)})), law(7)).ratio == -np.inf
    wrong: list[tuple[dict[str, int | str | Fraction], str]] = [
        ({"q": 1}, "no parameter q"),
        ({"n": -1}, "0 or above"),
        ({"n": 1}, "p is held"),
    ]
    for along, message in wrong:
        with pytest.raises(DataError, match=message):
            faster(a, b, along)


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_a_change_of_behaviour_is_found(noise: float) -> None:
    generator = np.random.default_rng(1)
    factor = 1 + noise * generator.standard_normal(len(X))
    found = segments(series(np.where(X < 60, 3 * X, 500 + 9 * X) * factor))
    assert [(s.low, s.high) for s in found] == [(4, 32), (64, 512)]
    assert len(segments(series((5 + 2 * X) * factor))) == 1
    six = np.where(X[:6] < 30, 2 * X[:6], X[:6] ** 2)
    assert [s.low for s in segments(series(six))] == [4, 32]


def test_derived_metrics() -> None:
    time = Series.from_values(
        "f",
        "time",
        ("p", "n"),
        [(p, n) for n in (10, 20) for p in (2, 4, 8)],
        [n / p + 1 for n in (10, 20) for p in (2, 4, 8)],
    )
    at = {(int(p), int(n)): k for k, (p, n) in enumerate(time.points)}
    assert speedup(time, "p").means[at[8, 10]] == pytest.approx(6 / 2.25)
    assert efficiency(time, "p").means[at[8, 20]] == pytest.approx(11 / 3.5 / 4)
    assert cost(time, "p").means[at[4, 20]] == pytest.approx(24)
    assert efficiency(time, "p").means[at[2, 10]] == 1
    with pytest.raises(InputError, match="no parameter q"):
        speedup(time, "q")
    assert reduced("f", "t", ("n",), [[1]], [[1, 2, 10]], "median").means.tolist() == [2]
    assert reduced("f", "t", ("n",), [[1]], [[0, 10]], "q90").means.tolist() == [9]
    with pytest.raises(InputError, match="quantiles"):
        reduced("f", "t", ("n",), [[1]], [[1]], "mode")
