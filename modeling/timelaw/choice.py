"""Is a law of time better than the model that was searched for without one? By evidence.

Both are judged by the same noise: log-normal with heavy tails about the model, and an absolute
error of the clock (see `fit`). The evidence of a sum of terms is a Laplace approximation as that of
the law is (MacKay, Neural Computation 4, 1992): the likelihood at its fit, times how much of the
prior of each coefficient is left, times the share of its terms among all that were searched. The
law has a strong prior, since it is physics; it loses where its counts and its traffic do not
explain what a few terms do, as in kernels whose time goes to library functions or to what data
choose.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..pmnf.dictionary import factors
from ..pmnf.model import Model
from .fit import DEFAULT_TIME, Fit, TimeSettings, noise_evidence

Floats = NDArray[np.float64]


def prefers_law(
    fit: Fit,
    model: Model,
    seconds: Floats,
    points: Mapping[str, Floats],
    settings: TimeSettings = DEFAULT_TIME,
) -> bool:
    """Is the law more probable than a model of the same times?

    A model that the points do not determine, as where a busy machine disturbed some of few, is no
    reason to give up the law.

    Args:
        seconds: (P,) times that the law was learned from.
        points: parameter -> values (P,).
    """
    if not model.identifiable:
        return True
    other = evidence_of(model, seconds, points, settings)
    return fit.evidence + float(np.log(settings.odds)) >= other


def evidence_of(
    model: Model,
    seconds: Floats,
    points: Mapping[str, Floats],
    settings: TimeSettings = DEFAULT_TIME,
) -> float:
    """Logarithm of the evidence of a sum of terms, comparable to that of a law; minus infinity
    where it is not positive."""
    fitted = np.broadcast_to(np.asarray(model.evaluate(dict(points)), dtype=float), seconds.shape)
    if not (np.isfinite(fitted).all() and (fitted > 0).all()):
        return -np.inf
    size = len(seconds)
    rows = [np.full(size, model.constant)] if model.constant else []
    rows += [c * np.broadcast_to(t.evaluate(dict(points)), (size,)) for c, t in model.terms]
    moved = np.array(rows).reshape(-1, size) / fitted
    deviation = settings.core[1]
    searched = len(model.terms) * float(np.log(len(factors()) * len(points)))
    residuals = np.log(seconds / fitted)
    floor = settings.floor_s / seconds

    def left(sigma: float) -> float:
        """The part of the prior that is left: of the coefficients, whose logarithms are normal."""
        weight = 1 / (sigma**2 + floor**2)
        precision = (moved * weight) @ moved.T + np.eye(len(moved)) / deviation**2
        occam = len(moved) * np.log(deviation) + 0.5 * np.linalg.slogdet(precision)[1]
        return -float(occam)

    logs = [noise_evidence(residuals, floor, s, settings) + left(s) for s in settings.sigmas]
    return float(np.logaddexp.reduce(logs)) - searched
