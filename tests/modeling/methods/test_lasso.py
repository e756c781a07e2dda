"""The online LASSO: the same model in any order, from sums alone, within what the prior allows."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modeling import Measurements, Model, OnlineFitter, Prior, Series, Term, fit
from modeling.data.measurements import Statistics
from modeling.least_squares.running_gram import RunningGram
from modeling.methods.lasso import Dictionary, GramLasso

X = 2.0 ** np.arange(2, 9)
LINEAR, SQUARE, LOG = (Term.of({"n": e}) for e in ((1, 0), (2, 0), (0, 1)))


def one(series: Series, prior: Prior | None = None) -> Model:
    priors = {(series.callpath, series.metric): prior} if prior else None
    return fit(Measurements((series,)), priors, method="lasso").models[0]


def of(
    law: Any, noise: float = 0.0, repetitions: int = 1, names: tuple[str, ...] = ("n",)
) -> Series:
    """A series of a law at the powers of two, in one or two parameters."""
    points = np.array(list(product(X[:5], repeat=len(names))) if len(names) > 1 else X[:, None])
    factor = 1 + np.random.default_rng(7).uniform(-noise, noise, (len(points), repetitions))
    return Series.from_values("f", "time", names, points, law(*points.T)[:, None] * factor)


@pytest.mark.parametrize("term", [LINEAR, SQUARE, LOG, Term.of({"n": (1, 1)})], ids=str)
@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_one_term_is_found(term: Term, noise: float) -> None:
    model = one(of(lambda n: 5 + 3 * term.evaluate({"n": n}), noise, 5))
    assert model.lead == term
    assert model.constant == pytest.approx(5, rel=0.3)
    assert model.quality.smape < 100 * noise + 1e-3


def test_two_parameters_and_their_product() -> None:
    model = one(of(lambda n, p: 10 + 2 * n * p, 0.02, 3, ("n", "p")))
    assert model.lead == Term.of({"n": (1, 0), "p": (1, 0)})
    assert float(model.evaluate({"n": 1024.0, "p": 256.0})) == pytest.approx(
        2 * 1024 * 256, rel=0.1
    )


@settings(deadline=None, max_examples=20)
@given(st.permutations(range(28)))
def test_online_is_offline_in_any_order(order: list[int]) -> None:
    generator = np.random.default_rng(1)
    seen = [(n, (30 + 2 * n) * generator.uniform(0.9, 1.1)) for n in X for _ in range(4)]
    online = OnlineFitter(("n",), method="lasso")
    for k in order:
        online.observe("f", "time", {"n": seen[k][0]}, seen[k][1])
    a = online.models().models[0]
    b = one(Series.from_values("f", "time", ("n",), [[n] for n, _ in seen], [v for _, v in seen]))
    assert [str(t) for _, t in a.terms] == [str(t) for _, t in b.terms]
    assert float(a.evaluate({"n": 999.0})) == pytest.approx(
        float(b.evaluate({"n": 999.0})), rel=1e-9
    )
    assert a.interval({"n": 999.0}) == pytest.approx(b.interval({"n": 999.0}), rel=1e-6)


def test_statistics_that_are_merged_count_as_their_observations() -> None:
    single, merged = (OnlineFitter(("n",), method="lasso") for _ in range(2))
    generator = np.random.default_rng(2)
    for n in X:
        values = n**1.5 * generator.uniform(0.9, 1.1, 6)
        for value in values:
            single.observe("f", "time", {"n": n}, value)
        squares = float(((values - values.mean()) ** 2).sum())
        merged.merge("f", "time", {"n": n}, 6, float(values.mean()), squares)
    a, b = (fitter.models().models[0] for fitter in (single, merged))
    assert [str(t) for _, t in a.terms] == [str(t) for _, t in b.terms]
    assert [c for c, _ in a.terms] == pytest.approx([c for c, _ in b.terms], rel=1e-9)


def test_an_observation_changes_the_sums_and_nothing_is_fitted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise AssertionError("no fit over all points")

    monkeypatch.setattr("modeling.stream.online.fit", refused)
    added = []
    plain = RunningGram.add
    monkeypatch.setattr(
        RunningGram, "add", lambda self, *args: (added.append(1), plain(self, *args))[1]
    )
    fitter = OnlineFitter(("n",), method="lasso")
    for k in range(200):
        before = len(added)
        fitter.observe("f", "time", {"n": X[k % 7]}, 4.0 * X[k % 7])
        assert len(added) - before <= 4
    seen = len(added)
    assert fitter.models().models[0].lead == LINEAR
    assert len(added) == seen


def test_the_path_is_that_of_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    import sklearn.linear_model

    path, asked = sklearn.linear_model.lars_path_gram, []

    def noted(moment: Any, gram: Any, **options: Any) -> Any:
        asked.append((np.diag(gram), options["method"]))
        return path(moment, gram, **options)

    monkeypatch.setattr(sklearn.linear_model, "lars_path_gram", noted)
    one(of(lambda n: 3 * n))
    ((diagonal, method),) = asked
    assert method == "lasso"
    assert diagonal == pytest.approx(1.0)


def test_the_prior_restricts_the_dictionary() -> None:
    both = of(lambda n, p: 10 + 2 * n + 0.5 * p, 0.05, 3, ("n", "p"))
    assert one(both, Prior(frozenset("n"))).needed <= {"n"}
    bounded = one(of(lambda n: 100 + 0.01 * n**2, 0.2), Prior(upper=(LINEAR,)))
    assert all((i, j) <= (1, 0) for _, t in bounded.terms for _, i, j in t.factors)
    shallow = of(lambda n: 100 + 0.01 * n, 0.1)
    assert one(shallow, Prior(lower=(LINEAR,))).lead.factors >= LINEAR.factors
    odd = Term.of({"n": ("7/3", 0)})
    assert odd not in Dictionary.of(("n",), Prior()).terms
    assert one(of(lambda n: 5 + n ** (7 / 3), 0.02), Prior(terms=(odd,))).lead == odd
    fixed = one(of(lambda n: 5 + n**2, 0.02), Prior(terms=(LINEAR, SQUARE), fixed=True))
    assert {t for _, t in fixed.terms} <= {LINEAR, SQUARE}
    assert fixed.lead == SQUARE


@pytest.mark.parametrize("values", [[0] * 7, [0, 0, 1, 2, 4, 8, 16], [-3, -2, -1, 0, 1, 2, 3]])
def test_values_that_are_not_positive_have_equal_weights(values: list[float]) -> None:
    online = OnlineFitter(("n",), method="lasso")
    for n, value in zip(X, values, strict=True):
        online.observe("f", "count", {"n": n}, value)
    a = online.models().models[0]
    b = one(Series.from_values("f", "count", ("n",), X[:, None], values))
    assert a.formula == b.formula
    assert np.isfinite(a.interval({"n": 999.0})).all()


def test_a_term_that_is_undefined_once_is_out_for_good() -> None:
    fitter = GramLasso(Dictionary.of(("n",), Prior()))
    statistics = [Statistics.of(float(v)) for v in (1, 2, 3, 5, 9)]
    points = [0.0, 1.0, 2.0, 4.0, 8.0]
    for n, s in zip(points, statistics, strict=True):
        fitter.update((n,), Statistics(), s)
    series = Series.from_values(
        "f", "time", ("n",), [[n] for n in points], [s.mean for s in statistics]
    )
    model = fitter.model(series)
    assert model.lead == LINEAR
    assert model.constant == pytest.approx(1)
