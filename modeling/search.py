"""Fits hypotheses to all series that share their points, at once.

Noise is multiplicative, so residuals are weighted by 1/y: the objective is sum_p w_p (y_p - f(x_p))**2 with
w_p = n_p / y_p**2, n_p the number of repetitions. The normal equations of every hypothesis for every series are two
matrix products, (series x points) with (points x products of columns); small systems are then solved together, and the
leave-one-out residual of each point follows from its leverage, e / (1 - h), without another fit. The few best are
solved again by an orthogonal factorisation, which does not lose half of the digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .measurements import Floats, Series
from .terms import Term

EXACT = 1e-9
"""Relative residual below which a hypothesis reproduces the data: counts, not timings."""

_CHUNK = 4_000_000


@dataclass(frozen=True)
class Candidate:
    """A hypothesis fitted to one series: its terms, coefficients (constant first) and errors."""

    terms: tuple[Term, ...]
    coefficients: Floats
    residual: float
    score: float
    loo: float
    covariance: Floats
    leverage: Floats


class Design:
    """The columns of a dictionary at some points; terms that are not finite there are left out."""

    def __init__(self, terms: Sequence[Term], parameters: tuple[str, ...], points: Floats) -> None:
        columns = {name: points[:, k] for k, name in enumerate(parameters)}
        values = [t.evaluate(columns) for t in terms]
        kept = [k for k, v in enumerate(values) if np.isfinite(v).all() and np.ptp(v) > 1e-12 * np.abs(v).max()]
        self.terms = [terms[k] for k in kept]
        raw = np.array([values[k] for k in kept]).reshape(len(kept), len(points))
        self.scale = np.abs(raw).max(axis=1) if len(kept) else np.ones(0)
        self.columns = raw / self.scale[:, None] if len(kept) else raw
        self.index = {t: k for k, t in enumerate(self.terms)}


def weights(series: Sequence[Series]) -> tuple[Floats, Floats]:
    """(means (K, P), weights (K, P)); zeros are weighted like the series' smallest magnitude."""
    y = np.array([s.means for s in series])
    magnitude = np.abs(y)
    scale = magnitude.max(axis=1, keepdims=True)
    floor = np.where(scale > 0, scale, 1.0) * 1e-6
    positive = np.where(magnitude > floor, magnitude, np.inf).min(axis=1, keepdims=True)
    positive = np.where(np.isfinite(positive), positive, 1.0)
    return y, np.array([s.counts for s in series]) / np.maximum(magnitude, positive) ** 2


def noise_level(series: Series) -> tuple[float, float]:
    """(relative variance of one observation, its degrees of freedom), pooled over the points' repetitions."""
    dof = float((series.counts - 1).sum())
    if dof < 2 or not np.all(series.means):
        return 0.0, 0.0
    return float((series.squares / series.means**2).sum() / dof), dof


def residuals(design: Design, groups: Sequence[tuple[int, ...]], y: Floats, w: Floats) -> Floats:
    """Weighted residual sums of squares (K, H) of hypotheses of equal size over columns of the design."""
    size = len(groups[0]) + 1 if groups else 1
    out = np.empty((len(y), len(groups)))
    points = y.shape[1]
    step = max(1, _CHUNK // max(1, len(y) * size * size))
    total = (w * y * y).sum(axis=1)
    for start in range(0, len(groups), step):
        part = np.array(groups[start:start + step], dtype=int).reshape(-1, size - 1)
        rows = np.concatenate([np.ones((len(part), 1, points)), design.columns[part]], axis=1)
        products = (rows[:, :, None, :] * rows[:, None, :, :]).reshape(-1, points)
        gram = (w @ products.T).reshape(len(y), len(part), size, size)
        moment = ((w * y) @ rows.reshape(-1, points).T).reshape(len(y), len(part), size)
        gram = gram + np.eye(size) * 1e-13 * np.trace(gram, axis1=-2, axis2=-1)[..., None, None]
        try:
            solved = np.linalg.solve(gram, moment[..., None])[..., 0]
        except np.linalg.LinAlgError:
            solved = np.linalg.pinv(gram) @ moment[..., None]
            solved = solved[..., 0]
        value = total[:, None] - (solved * moment).sum(axis=-1)
        out[:, start:start + step] = np.where(np.isfinite(value), np.maximum(value, 0), np.inf)
    return out


def refine(design: Design, group: tuple[int, ...], y: Floats, w: Floats, points: int) -> tuple[Floats, Floats, Floats,
                                                                                          float, float] | None:
    """One hypothesis on one series by QR: (coefficients, covariance / sigma**2, leverages, RSS, LOO RSS)."""
    root = np.sqrt(w)
    rows = np.vstack([np.ones(points), design.columns[list(group)]]).T
    q, r = np.linalg.qr(rows * root[:, None])
    diagonal = np.abs(np.diag(r))
    if not np.isfinite(r).all() or diagonal.min() <= 1e-10 * diagonal.max():
        return None
    inverse = np.linalg.inv(r)
    coefficients = inverse @ (q.T @ (root * y))
    scale = np.concatenate([[1.0], design.scale[list(group)]])
    error = root * (y - rows @ coefficients)
    leverage = (q * q).sum(axis=1)
    left_out = error / np.maximum(1 - leverage, 1e-9)
    covariance = inverse @ inverse.T / np.outer(scale, scale)
    return coefficients / scale, covariance, leverage, float(error @ error), float(left_out @ left_out)


def criterion(rss: Floats | float, points: int, size: int, cost: Floats | float, noise: tuple[float, float]) -> Floats:
    """What is minimised: AICc with a simplicity prior; with repetitions, their known variance takes part.

    `rss` in units of relative variance; `size` counts coefficients.
    """
    variance, dof = noise
    pooled = (rss + variance * dof) / (points + dof)
    n = points + dof
    k = size + 1
    penalty = 2 * k + 2 * k * (k + 1) / max(n - k - 1, 0.4)
    score: Floats = n * np.log(np.maximum(pooled, EXACT**2)) + penalty + np.asarray(cost)
    return score
