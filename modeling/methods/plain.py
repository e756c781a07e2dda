"""What the papers' methods share: least squares fits of given terms, their errors, and the model
made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data.measurements import Floats, Series
from ..pmnf.interval import Alternative, Outlook
from ..pmnf.model import Model, Quality
from ..pmnf.terms import Term


@dataclass(frozen=True)
class PlainFit:
    """Terms with their coefficients (constant first), residual sum of squares, SMAPE in %."""

    terms: tuple[Term, ...]
    coefficients: Floats
    rss: float
    smape: float


def columns_of(series: Series) -> dict[str, Floats]:
    """Values of each parameter at the points."""
    return {name: series.points[:, k] for k, name in enumerate(series.parameters)}


def design(terms: Sequence[Term], columns: dict[str, Floats], points: int) -> Floats:
    """(P, 1 + terms) with the constant first."""
    return np.stack([np.ones(points), *(t.evaluate(columns) for t in terms)], axis=1)


def usable(terms: Sequence[Term], series: Series) -> list[Term]:
    """Those that are finite and not constant at the points."""
    columns = columns_of(series)
    values = [(t, t.evaluate(columns)) for t in terms]
    return [t for t, v in values if np.isfinite(v).all() and np.ptp(v) > 1e-12 * np.abs(v).max()]


def smape(y: Floats, f: Floats) -> float:
    """Symmetric mean absolute percentage error in %, 0 to 200 (Reisert et al., Euro-Par 2017)."""
    total = np.abs(y) + np.abs(f)
    return float(
        200 * np.mean(np.where(total > 0, np.abs(y - f) / np.where(total > 0, total, 1.0), 0.0))
    )


def least_squares(terms: Sequence[Term], series: Series) -> PlainFit:
    """Unweighted least squares, as in the papers."""
    matrix = design(terms, columns_of(series), len(series.means))
    scale = np.abs(matrix).max(axis=0)
    scaled = np.linalg.lstsq(matrix / scale, series.means, rcond=None)[0]
    coefficients = scaled / scale
    value = matrix @ coefficients
    return PlainFit(
        tuple(terms),
        coefficients,
        float(((series.means - value) ** 2).sum()),
        smape(series.means, value),
    )


def model_of(found: PlainFit, series: Series) -> Model:
    """The model with its errors; the interval is that of its coefficients and residuals alone."""
    y, points = series.means, len(series.means)
    matrix = design(found.terms, columns_of(series), points)
    scale = np.abs(matrix).max(axis=0)
    q, r = np.linalg.qr(matrix / scale)
    value = matrix @ found.coefficients
    leverage = np.minimum((q**2).sum(axis=1), 1 - 1e-9)
    freedom = points - matrix.shape[1]
    total = float(((y - y.mean()) ** 2).sum())
    r2 = 1 - found.rss / total if total > 0 else 1.0
    adjusted = 1 - (1 - r2) * (points - 1) / freedom if freedom > 0 else r2
    outlook = None
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
        outlook = Outlook((law,), (), False)
    left_out = y - (y - value) / (1 - leverage)
    return Model(
        series.callpath,
        series.metric,
        series.parameters,
        float(found.coefficients[0]),
        _terms(found),
        Quality(found.smape, adjusted, smape(y, left_out), points),
        points > matrix.shape[1],
        None if freedom > 0 else "as many coefficients as points",
        (),
        outlook,
    )


def _terms(found: PlainFit) -> tuple[tuple[float, Term], ...]:
    return tuple((float(c), t) for c, t in zip(found.coefficients[1:], found.terms, strict=True))
