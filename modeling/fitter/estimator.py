"""The modeler in the manner of scikit-learn: fit(X, y), predict(X), score(X, y), get_params,
set_params.

scikit-learn is not imported, except for its own exceptions, warnings and tags where something that
knows them asks.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from looplaw_common.errors import DataError, InputError

from ..data.measurements import Floats, Measurements, Series
from ..pmnf.model import Model
from ..pmnf.terms import Prior
from .fit import fit

_PARAMETERS = ("method", "feature_names", "prior")


class PerformanceModel:
    """A law y = f(X): X (n, m) are parameter values, y (n,) what was measured there; equal rows are
    repetitions.

    Args:
        method: as in `modeling.fit`.
        feature_names: names of the columns; x0, x1, ... or those of a DataFrame without them.
        prior: what is known of the law beforehand, in terms of the names of the columns.

    After `fit`: model_, n_features_in_, parameters_ (names of the columns), and feature_names_in_
    where X is a DataFrame.
    """

    _estimator_type = "regressor"

    def __init__(
        self,
        method: str = "default",
        feature_names: tuple[str, ...] | None = None,
        prior: Prior | None = None,
    ) -> None:
        self.method = method
        self.feature_names = feature_names
        self.prior = prior

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks an estimator for; only scikit-learn calls it, which is not needed
        otherwise."""
        from sklearn.utils import RegressorTags, Tags, TargetTags

        return Tags(
            estimator_type="regressor",
            target_tags=TargetTags(required=True),
            transformer_tags=None,
            regressor_tags=RegressorTags(),
            classifier_tags=None,
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __repr__(self) -> str:
        given = ", ".join(f"{n}={v!r}" for n, v in self.get_params().items() if v != _DEFAULTS[n])
        return f"PerformanceModel({given})"

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
            ValueError: X and y differ in length, or are not finite numbers; no such method.
        """
        points, values = _matrix(X), _target(y)
        if not points.size:
            raise ValueError(
                f"Found array with {len(points)} sample(s) and {points.shape[1]} feature(s)"
                f" (shape={points.shape}) while a minimum of 1 is required."
            )
        if len(points) != len(values):
            raise ValueError(f"X has {len(points)} rows, y {len(values)}")
        columns = _column_names(X)
        names = self.feature_names or columns or tuple(f"x{k}" for k in range(points.shape[1]))
        if len(names) != points.shape[1]:
            raise ValueError(f"X has {points.shape[1]} columns, feature_names {len(names)}")
        try:
            series = Series.from_values("f", "y", names, points, values)
            priors = {("f", "y"): self.prior} if self.prior is not None else None
            self.model_: Model = fit(Measurements((series,)), priors, method=self.method).models[0]
        except (DataError, InputError) as error:
            raise ValueError(str(error)) from None
        self.n_features_in_ = points.shape[1]
        self.parameters_ = tuple(names)
        self.__dict__.pop("feature_names_in_", None)
        if columns is not None:
            self.feature_names_in_ = np.array(columns, dtype=object)
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Values (n,) of the law.

        Raises:
            ValueError: `fit` was not called, or X has other columns.
        """
        columns, rows = self._columns(X)
        return np.broadcast_to(self.model_.evaluate(columns), rows).copy()

    def predict_interval(self, X: ArrayLike, level: float = 0.9) -> Floats:
        """Lower and upper ends (n, 2) of prediction intervals.

        Raises:
            ValueError: `fit` was not called, or X has other columns.
        """
        columns, rows = self._columns(X)
        return np.stack(
            [np.broadcast_to(end, rows) for end in self.model_.interval(columns, level)], axis=1
        )

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """Coefficient of determination."""
        values = _target(y)
        total = float(((values - values.mean()) ** 2).sum())
        residual = float(((values - self.predict(X)) ** 2).sum())
        return 1 - residual / total if total else float(residual == 0)

    def _columns(self, X: ArrayLike) -> tuple[dict[str, Floats], int]:
        """The values of each parameter and the number of rows."""
        if not hasattr(self, "model_"):
            raise _not_fitted()
        self._check_names(_column_names(X))
        points = _matrix(X)
        if points.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {points.shape[1]} features, "
                f"but PerformanceModel is expecting {self.n_features_in_} features as input"
            )
        return {n: points[:, k] for k, n in enumerate(self.parameters_)}, len(points)

    def _check_names(self, columns: tuple[str, ...] | None) -> None:
        """Columns must be those of `fit`, in their order; an array has none to compare."""
        fitted = getattr(self, "feature_names_in_", None)
        if fitted is None or columns is None:
            if fitted is not None:
                warnings.warn(
                    "X does not have valid feature names, but PerformanceModel was fitted with"
                    " feature names",
                    UserWarning,
                    stacklevel=4,
                )
            elif columns is not None:
                warnings.warn(
                    "X has feature names, but PerformanceModel was fitted without feature names",
                    UserWarning,
                    stacklevel=4,
                )
            return
        if columns == tuple(fitted):
            return
        text = ["The feature names should match those that were passed during fit.\n"]
        for told, names in (
            ("Feature names unseen at fit time:", sorted(set(columns) - set(fitted))),
            (
                "Feature names seen at fit time, yet now missing:",
                sorted(set(fitted) - set(columns)),
            ),
        ):
            if names:
                text += [
                    f"{told}\n",
                    *(f"- {n}\n" for n in names[:5]),
                    *(["- ...\n"] if len(names) > 5 else []),
                ]
        if len(text) == 1:
            text.append("Feature names must be in the same order as they were in fit.\n")
        raise ValueError("".join(text))


_DEFAULTS = dict(zip(_PARAMETERS, PerformanceModel.__init__.__defaults__ or (), strict=True))


def _column_names(X: Any) -> tuple[str, ...] | None:
    """Names of the columns, where all of them are text."""
    names = getattr(X, "columns", None)
    return (
        tuple(names)
        if names is not None and len(names) and all(isinstance(n, str) for n in names)
        else None
    )


def _matrix(X: Any) -> Floats:
    if hasattr(X, "tocsr"):
        raise ValueError("Sparse data not supported: use X.toarray()")
    raw = np.asarray(X)
    if np.iscomplexobj(raw):
        raise ValueError("Complex data not supported: parameters are real numbers")
    points: Floats = raw.astype(float)
    if points.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {points.ndim}D array instead. Reshape your data: X.reshape(-1,"
            " 1) for one feature"
        )
    if not np.isfinite(points).all():
        raise ValueError("X contains NaN or infinity")
    return points


def _target(y: Any) -> Floats:
    if y is None:
        raise ValueError(
            "This PerformanceModel estimator requires y to be passed, but the target y is None."
        )
    raw = np.asarray(y)
    if np.iscomplexobj(raw):
        raise ValueError("Complex data not supported: what is measured is a real number")
    if raw.ndim == 2 and raw.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of"
            " y to (n_samples,), for example using ravel().",
            _conversion_warning(),
            stacklevel=3,
        )
        raw = raw[:, 0]
    if raw.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {raw.shape} instead")
    values: Floats = raw.astype(float)
    if not np.isfinite(values).all():
        raise ValueError("y contains NaN or infinity")
    return values


def _not_fitted() -> Exception:
    message = "This PerformanceModel is not fitted yet: call fit first"
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        return ValueError(message)
    return NotFittedError(message)  # type: ignore[no-any-return]  # it is a ValueError


def _conversion_warning() -> type[Warning]:
    try:
        from sklearn.exceptions import DataConversionWarning
    except ImportError:
        return UserWarning
    return DataConversionWarning  # type: ignore[no-any-return]
