"""The estimator keeps scikit-learn's contract, which scikit-learn itself checks."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import unittest
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import modeling
from modeling import Prior, Term
from tests.places import ROOT

X = np.array([4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0])


LONG = frozenset({"check_regressors_train", "check_regressor_data_not_an_array"})
"""Checks that fit 200 rows of ten columns, several times."""


def _checked(names: Callable[[str], bool]) -> int:
    """How many of scikit-learn's checks with such names passed; none may fail."""
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    passed = 0
    for estimator, check in checks.estimator_checks_generator(modeling.PerformanceModel()):
        if names(check.func.__name__):
            with contextlib.suppress(unittest.SkipTest):
                check(estimator)
                passed += 1
    return passed


def test_the_contract_of_scikit_learn() -> None:
    assert _checked(lambda name: name not in LONG) >= 40


@pytest.mark.slow
def test_the_contract_of_scikit_learn_for_many_columns() -> None:
    assert _checked(lambda name: name in LONG) >= 4


def test_names_of_columns_are_those_of_fit() -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    pytest.importorskip("pandas")
    checks.check_dataframe_column_names_consistency("PerformanceModel", modeling.PerformanceModel())


def test_it_works_where_estimators_do() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    base = pytest.importorskip("sklearn.base")
    pipeline = pytest.importorskip("sklearn.pipeline").make_pipeline(
        "passthrough", modeling.PerformanceModel()
    )
    points, values = np.repeat(X, 2)[:, None], np.repeat(5 * X**2 + 3, 2)
    assert pipeline.fit(points, values).predict([[1000.0]]) == pytest.approx([5e6 + 3])
    grid = selection.GridSearchCV(
        modeling.PerformanceModel(), {"method": ["default", "exhaustive"]}, cv=2
    ).fit(points, values)
    assert grid.best_score_ > 0.99
    given = modeling.PerformanceModel(
        method="golden", feature_names=("n",), prior=Prior(terms=(Term.of({"n": (2, 0)}),))
    )
    assert base.clone(given).get_params() == given.get_params()
    assert repr(given).startswith("PerformanceModel(feature_names=('n',), method='golden'")


def test_fit_and_predict() -> None:
    model = modeling.PerformanceModel(feature_names=("n",)).fit(X[:, None], 5 * X**2 + 3)
    assert model.predict([[1000.0], [2.0]]) == pytest.approx([5e6 + 3, 23])
    assert model.score(X[:, None], 5 * X**2 + 3) == pytest.approx(1)
    low, high = model.predict_interval([[1000.0]])[0]
    assert low <= 5e6 + 3.0001
    assert high >= 5e6 + 2.9999
    assert model.parameters_ == ("n",)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda m: m.predict([[1.0, 2.0]]), "2 features"),
        (lambda m: m.fit([[np.nan]], [1]), "X contains NaN"),
        (lambda m: m.fit([[1.0]], [np.inf]), "y contains"),
        (lambda m: m.fit(X, X), "Expected 2D"),
        (lambda m: modeling.PerformanceModel().predict([[1.0]]), "not fitted"),
        (lambda m: m.set_params(depth=3), "Valid parameters are.*method"),
        (lambda m: modeling.PerformanceModel("best").fit(X[:, None], X), "there are default"),
        (lambda m: m.fit(X[:, None], np.c_[X, X]), "1d array"),
        (lambda m: m.fit(X[:, None], X[1:]), r"inconsistent numbers of samples: \[8, 7\]"),
    ],
)
def test_what_is_wrong_is_said(wrong: Callable[[Any], Any], message: str) -> None:
    model = modeling.PerformanceModel(feature_names=("n",)).fit(X[:, None], X)
    with pytest.raises(ValueError, match=message):
        wrong(model)


def test_scikit_learn_is_imported_with_the_estimator_only() -> None:
    program = (
        "import sys\n"
        "import modeling\n"
        "from modeling import Measurements, OnlineFitter, Series, fit\n"
        "s = Series.from_values('f', 't', ('n',), [[1.], [2.], [4.], [8.]], [3., 6., 12., 24.])\n"
        "assert abs(float(fit(Measurements((s,))).models[0](n=16.)) - 48) < 1e-6\n"
        "assert not [m for m in sys.modules if m.split('.')[0] == 'sklearn']\n"
        "from modeling import PerformanceModel\n"
        "assert 'sklearn.base' in sys.modules\n"
        "from sklearn.base import BaseEstimator, RegressorMixin\n"
        "assert issubclass(PerformanceModel, (BaseEstimator, RegressorMixin))\n"
        "try:\n    PerformanceModel().predict([[1.]])\nexcept ValueError as e:\n    print(e)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert "not fitted yet" in done.stdout
