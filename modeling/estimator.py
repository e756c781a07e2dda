"""The modeler in the manner of scikit-learn: fit(X, y), predict(X), score(X, y), get_params, set_params."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .errors import DataError
from .fitting import fit
from .measurements import Floats, Measurements, Series
from .model import Model

_PARAMETERS = ("method", "feature_names")


class PerformanceModel:
    """A law y = f(X): X (n, m) are parameter values, y (n,) what was measured there; equal rows are repetitions.

    Args:
        method: as in `modeling.fit`.
        feature_names: names of the columns; x0, x1, ... or those of a DataFrame without them.

    After `fit`: model_, n_features_in_, feature_names_in_.
    """

    _estimator_type = "regressor"

    def __init__(self, method: str = "default", feature_names: tuple[str, ...] | None = None) -> None:
        self.method = method
        self.feature_names = feature_names

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks an estimator for; only scikit-learn calls it, which is not needed otherwise."""
        from sklearn.utils import RegressorTags, Tags, TargetTags

        return Tags(estimator_type="regressor", target_tags=TargetTags(required=True), transformer_tags=None,
                    regressor_tags=RegressorTags(), classifier_tags=None)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """What the constructor was given."""
        return {name: getattr(self, name) for name in _PARAMETERS}

    def set_params(self, **params: Any) -> PerformanceModel:
        """Change what the constructor was given.

        Raises:
            ValueError: no such parameter.
        """
        for name, value in params.items():
            if name not in _PARAMETERS:
                raise ValueError(f"Invalid parameter {name!r}: valid are {', '.join(_PARAMETERS)}")
            setattr(self, name, value)
        return self

    def fit(self, X: ArrayLike, y: ArrayLike) -> PerformanceModel:
        """Find the law.

        Raises:
            ValueError: X and y differ in length, or are not finite numbers.
        """
        names = getattr(X, "columns", None)
        points, values = _matrix(X), np.asarray(y, dtype=float).reshape(-1)
        if not points.size:
            raise ValueError(f"Found array with {len(points)} sample(s) and {points.shape[1]} feature(s) (shape={points.shape}) "
                             "while a minimum of 1 is required.")
        if len(points) != len(values):
            raise ValueError(f"X has {len(points)} rows, y {len(values)}")
        self.n_features_in_ = points.shape[1]
        given = self.feature_names or (tuple(map(str, names)) if names is not None else
                                       tuple(f"x{k}" for k in range(self.n_features_in_)))
        if len(given) != self.n_features_in_:
            raise ValueError(f"X has {self.n_features_in_} columns, feature_names {len(given)}")
        self.feature_names_in_ = np.array(given, dtype=object)
        try:
            series = Series.from_values("f", "y", given, points, values)
        except DataError as error:
            raise ValueError(str(error)) from None
        self.model_: Model = fit(Measurements((series,)), method=self.method).models[0]
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Values (n,) of the law.

        Raises:
            ValueError: `fit` was not called, or X has other columns.
        """
        return np.broadcast_to(self._model().evaluate(self._columns(X)), len(_matrix(X))).copy()

    def predict_interval(self, X: ArrayLike, level: float = 0.9) -> Floats:
        """Lower and upper ends (n, 2) of prediction intervals."""
        rows = len(_matrix(X))
        return np.stack([np.broadcast_to(end, rows) for end in self._model().interval(self._columns(X), level)], axis=1)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """Coefficient of determination."""
        values = np.asarray(y, dtype=float).reshape(-1)
        total = float(((values - values.mean()) ** 2).sum())
        residual = float(((values - self.predict(X)) ** 2).sum())
        return 1 - residual / total if total else float(residual == 0)

    def _model(self) -> Model:
        if not hasattr(self, "model_"):
            raise ValueError("This PerformanceModel is not fitted yet: call fit first")
        return self.model_

    def _columns(self, X: ArrayLike) -> dict[str, Floats]:
        points = _matrix(X)
        if points.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {points.shape[1]} features, "
                             f"but PerformanceModel is expecting {self.n_features_in_} features as input")
        return {str(n): points[:, k] for k, n in enumerate(self.feature_names_in_)}


def _matrix(X: ArrayLike) -> Floats:
    if hasattr(X, "tocsr"):
        raise ValueError("Sparse data not supported: use X.toarray()")
    raw = np.asarray(X)
    if np.iscomplexobj(raw):
        raise ValueError("Complex data not supported: parameters are real numbers")
    points: Floats = raw.astype(float)
    if points.ndim != 2:
        raise ValueError(f"Expected 2D array, got {points.ndim}D array instead. Reshape your data: X.reshape(-1, 1) for one "
                         "feature")
    if not np.isfinite(points).all():
        raise ValueError("X contains NaN or infinity")
    return points
