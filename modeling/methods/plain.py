"""What the papers' methods share: least squares fits of given terms, their errors, and the model
made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data.measurements import Floats, Series
from ..pmnf.goodness import adjusted_determination, determination, smape
from ..pmnf.interval import Alternative, PredictiveMixture
from ..pmnf.model import Model, Quality
from ..pmnf.terms import Prior, Term


@dataclass(frozen=True)
class PlainFit:
    """Terms with their coefficients (constant first), residual sum of squares, SMAPE in %."""

    terms: tuple[Term, ...]
    coefficients: Floats
    rss: float
    smape: float


def parameter_columns(series: Series) -> dict[str, Floats]:
    """Values of each parameter at the points."""
    return {name: series.points[:, k] for k, name in enumerate(series.parameters)}


def design(terms: Sequence[Term], columns: dict[str, Floats], points: int) -> Floats:
    """(P, 1 + terms) with the constant first."""
    return np.stack([np.ones(points), *(t.evaluate(columns) for t in terms)], axis=1)


def usable(terms: Sequence[Term], series: Series) -> list[Term]:
    """Those that are finite and not constant at the points."""
    columns = parameter_columns(series)
    values = [(t, t.evaluate(columns)) for t in terms]
    return [t for t, v in values if np.isfinite(v).all() and np.ptp(v) > 1e-12 * np.abs(v).max()]


def free_parameters(series: Series, prior: Prior) -> tuple[str, ...]:
    """The parameters that vary in the series and that the prior allows in its law."""
    return tuple(
        n
        for k, n in enumerate(series.parameters)
        if np.ptp(series.points[:, k]) > 0 and (prior.parameters is None or n in prior.parameters)
    )


def least_squares(terms: Sequence[Term], series: Series) -> PlainFit:
    """Unweighted least squares, as in the papers."""
    matrix = design(terms, parameter_columns(series), len(series.means))
    scale = np.abs(matrix).max(axis=0)
    scaled = np.linalg.lstsq(matrix / scale, series.means, rcond=None)[0]
    coefficients = scaled / scale
    value = matrix @ coefficients
    return PlainFit(
        tuple(terms),
        coefficients,
        float(((series.means - value) ** 2).sum()),
        float(smape(series.means, value)),
    )


def model_of(found: PlainFit, series: Series) -> Model:
    """The model with its errors; the interval is that of its coefficients and residuals alone."""
    y, points = series.means, len(series.means)
    matrix = design(found.terms, parameter_columns(series), points)
    scale = np.abs(matrix).max(axis=0)
    q, r = np.linalg.qr(matrix / scale)
    value = matrix @ found.coefficients
    leverage = np.minimum((q**2).sum(axis=1), 1 - 1e-9)
    freedom = points - matrix.shape[1]
    r2 = adjusted_determination(determination(y, value), points, len(found.terms))
    mixture = None
    if freedom > 0:
        sigma = float(np.sqrt(found.rss / freedom))
        root = np.linalg.pinv(r) / scale[:, None]
        relative = sigma / max(float(np.abs(y).mean()), 1e-300)
        inside = root * (sigma / relative if relative > 0 else 1.0)
        law = Alternative(
            1.0,
            relative,
            0.0,
            float(found.coefficients[0]),
            _terms(found),
            tuple(tuple(float(v) for v in row) for row in inside),
        )
        mixture = PredictiveMixture((law,), (), False)
    left_out = y - (y - value) / (1 - leverage)
    return Model(
        series.callpath,
        series.metric,
        series.parameters,
        float(found.coefficients[0]),
        _terms(found),
        Quality(found.smape, float(r2), float(smape(y, left_out)), points),
        points > matrix.shape[1],
        None if freedom > 0 else "as many coefficients as points",
        (),
        mixture,
    )


def _terms(found: PlainFit) -> tuple[tuple[float, Term], ...]:
    return tuple((float(c), t) for c, t in zip(found.coefficients[1:], found.terms, strict=True))
