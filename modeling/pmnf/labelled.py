"""Predictions in the form of the question: arrays for arrays, a pandas Series for a DataFrame, an
xarray DataArray for a Dataset; and models as a table.

pandas and xarray are recognised by their attributes and imported only when one of their objects
comes in, so that neither is needed for anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from looplaw_common.errors import DataError

from ..data.measurements import Floats

if TYPE_CHECKING:
    import pandas
    import xarray


class Law(Protocol):
    """What a prediction needs of a model."""

    @property
    def callpath(self) -> str: ...
    @property
    def metric(self) -> str: ...
    @property
    def parameters(self) -> tuple[str, ...]: ...
    def evaluate(self, at: Mapping[str, Floats | float]) -> Floats: ...


class Fit(Protocol):
    """What a row of the table of models shows."""

    @property
    def callpath(self) -> str: ...
    @property
    def metric(self) -> str: ...
    @property
    def formula(self) -> str: ...
    @property
    def lead(self) -> object: ...
    @property
    def quality(self) -> Errors: ...
    @property
    def identifiable(self) -> bool: ...


class Errors(Protocol):
    """Errors on the fitted points, as `Quality`."""

    @property
    def smape(self) -> float: ...
    @property
    def loo_smape(self) -> float: ...
    @property
    def adjusted_r2(self) -> float: ...
    @property
    def points(self) -> int: ...


def models_to_pandas(models: Iterable[Fit]) -> pandas.DataFrame:
    """One row a model: callpath, metric, formula, lead, and how well it fits."""
    import pandas

    return pandas.DataFrame(
        [
            {
                "callpath": m.callpath,
                "metric": m.metric,
                "formula": m.formula,
                "lead": str(m.lead),
                "smape": m.quality.smape,
                "loo_smape": m.quality.loo_smape,
                "adjusted_r2": m.quality.adjusted_r2,
                "points": m.quality.points,
                "identifiable": m.identifiable,
            }
            for m in models
        ],
        columns=[
            "callpath",
            "metric",
            "formula",
            "lead",
            "smape",
            "loo_smape",
            "adjusted_r2",
            "points",
            "identifiable",
        ],
    )


def is_labelled(value: Any) -> bool:
    """Is it an array of xarray or a column of pandas?"""
    return hasattr(value, "dims") or (hasattr(value, "index") and hasattr(value, "to_numpy"))


def predict(model: Law, at: Any) -> Any:
    """Values of a model, as what it is asked with.

    Args:
        at: an array (..., m) of the m parameters in the model's order (with one parameter any
            shape) gives an array; a DataFrame with columns named by the parameters gives a Series;
            a Dataset, or a DataArray by its coordinates, gives a DataArray; a mapping of numbers
            and arrays, Series or DataArrays, broadcasts them.

    Raises:
        DataError: a parameter of the formula has no value.
    """
    if hasattr(at, "columns") and hasattr(at, "index"):
        return _of_rows(model, at)
    if hasattr(at, "dims") and hasattr(at, "coords"):
        return _of_arrays(
            model,
            {
                n: at[n]
                for n in model.parameters
                if n in at.coords or n in getattr(at, "data_vars", ())
            },
        )
    if isinstance(at, Mapping):
        if any(hasattr(v, "dims") for v in at.values()):
            return _of_arrays(model, at)
        if any(hasattr(v, "index") and hasattr(v, "to_numpy") for v in at.values()):
            import pandas

            return _of_rows(model, pandas.DataFrame(dict(at)))
        return model.evaluate(at)
    return _of_matrix(model, np.asarray(at, dtype=float))


def _of_rows(model: Law, frame: pandas.DataFrame) -> pandas.Series:
    import pandas

    columns = {n: frame[n].to_numpy(dtype=float) for n in model.parameters if n in frame}
    return pandas.Series(
        np.broadcast_to(model.evaluate(columns), len(frame)), index=frame.index, name=model.metric
    )


def _of_arrays(model: Law, at: Mapping[str, Any]) -> xarray.DataArray:
    import xarray

    arrays = xarray.broadcast(*(xarray.DataArray(v) for v in at.values())) if at else ()
    values = model.evaluate({n: a.to_numpy() for n, a in zip(at, arrays, strict=True)})
    template = arrays[0] if arrays else xarray.DataArray(0.0)
    return template.copy(data=np.broadcast_to(values, template.shape)).rename(model.metric)


def _of_matrix(model: Law, at: Floats) -> Floats:
    names = model.parameters
    if len(names) == 1 and (at.ndim < 2 or at.shape[-1] != 1):
        at = at[..., None]
    if not at.ndim or at.shape[-1] != len(names):
        raise DataError(
            f"{model.callpath}, {model.metric}: an array of the values of"
            f" {', '.join(names) or 'no parameter'} has the last dimension {len(names)}; here it is"
            f" {at.shape[-1] if at.ndim else 'missing'}"
        )
    values = model.evaluate({n: at[..., k] for k, n in enumerate(names)})
    return np.broadcast_to(values, at.shape[:-1]).copy()
