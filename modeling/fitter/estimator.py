"""The modeler as a scikit-learn estimator: fit(X, y), predict(X), score(X, y).

Parameters, checks of X and y, names of columns and the coefficient of determination are those of
scikit-learn, which is imported with this module only: `import modeling` does not need it.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from looplaw_common.errors import DataError, InputError

from ..data.measurements import Floats, Measurements, Series
from ..pmnf.model import Model
from ..pmnf.terms import Prior
from .fit import fit


class PerformanceModel(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # they have no types
    """A law y = f(X): X (n, m) are parameter values, y (n,) what was measured there; equal rows are
    repetitions.

    Args:
        method: as in `modeling.fit`.
        feature_names: names of the columns; those of a DataFrame, or x0, x1, ... without them.
        prior: what is known of the law beforehand, in terms of the names of the columns.

    After `fit`: model_, n_features_in_, parameters_ (names of the columns), and feature_names_in_
    where X is a DataFrame.
    """

    def __init__(
        self,
        method: str = "default",
        feature_names: tuple[str, ...] | None = None,
        prior: Prior | None = None,
    ) -> None:
        self.method = method
        self.feature_names = feature_names
        self.prior = prior

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the law.

        Raises:
            ValueError: X and y differ in length, or are not finite numbers; no such method.
        """
        points, values = validate_data(self, X, y, dtype=float, y_numeric=True)
        columns = getattr(self, "feature_names_in_", ())
        usual = tuple(columns) or tuple(f"x{k}" for k in range(points.shape[1]))
        names = self.feature_names or usual
        if len(names) != points.shape[1]:
            raise ValueError(f"X has {points.shape[1]} columns, feature_names {len(names)}")
        try:
            series = Series.from_values("f", "y", names, points, values)
            priors = {("f", "y"): self.prior} if self.prior is not None else None
            self.model_: Model = fit(Measurements((series,)), priors, method=self.method).models[0]
        except (DataError, InputError) as error:
            raise ValueError(str(error)) from None
        self.parameters_ = tuple(names)
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Values (n,) of the law.

        Raises:
            NotFittedError: `fit` was not called.
            ValueError: X has other columns.
        """
        columns, rows = self._columns(X)
        return np.broadcast_to(self.model_.evaluate(columns), rows).copy()

    def predict_interval(self, X: ArrayLike, level: float = 0.9) -> Floats:
        """Lower and upper ends (n, 2) of prediction intervals.

        Raises:
            NotFittedError: `fit` was not called.
            ValueError: X has other columns.
        """
        columns, rows = self._columns(X)
        return np.stack(
            [np.broadcast_to(end, rows) for end in self.model_.interval(columns, level)], axis=1
        )

    def _columns(self, X: Any) -> tuple[dict[str, Floats], int]:
        """The values of each parameter and the number of rows."""
        check_is_fitted(self)
        points = validate_data(self, X, dtype=float, reset=False)
        return {n: points[:, k] for k, n in enumerate(self.parameters_)}, len(points)
