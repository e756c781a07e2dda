"""Local log-log extrapolation from the last points.

Programs change their behaviour with size, and then no law holds throughout; the straight line in
log-log coordinates through the last points is a rule that is hard to beat, and needs no law at all.
Where laws fit badly it is averaged in: in the choice among them, as one more expert, and in the
coefficients of the chosen one, which is made to meet what both forecast. Its weight for a metric is
what would have been best for the largest points of the metric's series, had they not been measured
(stacking: Wolpert, Neural Networks 5, 1992); where a law reproduces the data within a percent the
weight is zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..settings import ARITHMETIC, DEFAULT, ExtrapolationSettings

NO_EXTRAPOLATION = 0.0
"""Weight of the line in forecasts where no other series tell what it is worth."""


def local_line(
    points: Floats, far: Floats, settings: ExtrapolationSettings = DEFAULT.extrapolation
) -> Floats:
    """(F, P): matrix that turns logarithms of values at points (P, m) into those at far points (F,
    m): the mean of the lines through the last two and the last three points."""
    result: Floats = np.mean([_line(points, far, count) for count in settings.counts], axis=0)
    return result


def extrapolates(points: Floats) -> bool:
    """Is there a line along each parameter (columns of points (P, m)) through the largest point?
    Where a parameter was not varied there, nothing local tells how it goes on."""
    top = int(np.lexsort(points.T)[-1]) if points.shape[1] else 0
    return all(
        len(np.unique(points[_along(points, top, k), k])) > 1 for k in range(points.shape[1])
    )


def _along(points: Floats, top: int, k: int) -> NDArray[np.int64]:
    """Numbers of the points up to the largest one that differ from it in one parameter only."""
    same = (np.delete(points, k, axis=1) == np.delete(points[top], k)).all(axis=1)
    return np.flatnonzero(same & (points[:, k] > 0) & (points[:, k] <= points[top, k]))


def _line(points: Floats, far: Floats, count: int) -> Floats:
    """The same for the last `count` values of each parameter, all others at those of the largest
    point; none where there are no such points."""
    top = int(np.lexsort(points.T)[-1]) if points.shape[1] else 0
    result = np.zeros((len(far), len(points)))
    result[:, top] = 1
    for k in range(points.shape[1]):
        rows = _along(points, top, k)
        last = np.unique(points[rows, k])[-count:]
        if len(last) < 2:
            continue
        rows = rows[points[rows, k] >= last[0]]
        x = np.log(points[rows, k])
        apart = x - x.mean()
        result[:, rows] += 1 / len(rows) + (np.log(far[:, k]) - x.mean())[:, None] * apart / (
            apart @ apart
        )
        result[:, top] -= 1
    return result


def extrapolation_weight(sigma: Floats, settings: ExtrapolationSettings) -> Floats:
    """Weight of the line, 0 to 1, for the noise that the best law leaves: linear in its logarithm
    between the two limits."""
    silent, loud = settings.silent, settings.loud
    share: Floats = np.clip(np.log(sigma / silent) / np.log(loud / silent), 0, 1)
    return share


def earned_weight(
    law: Floats, line: Floats, true: Floats, settings: ExtrapolationSettings = DEFAULT.extrapolation
) -> Floats:
    """The weight (N,) that the line has earned in each of N series by the forecasts of law and line
    for its largest point: none where the law is not clearly worse, else what the errors leave."""
    worse, better = (
        2 * np.abs(np.tanh((np.log(np.maximum(f, ARITHMETIC.tiny)) - np.log(true)) / 2))
        + settings.slack
        for f in (law, line)
    )
    earned = (worse > settings.earns * better) & (better < settings.farthest + settings.slack)
    return np.where(earned, 1 - better / worse, 0.0)


def along_line(y: Floats, matrix: Floats) -> Floats:
    """Values (K, F) on the lines through positive means y (K, P) (see `local_line`)."""
    result: Floats = np.exp(np.clip(np.log(y) @ matrix, -ARITHMETIC.exponent, ARITHMETIC.exponent))
    return result


def needed_error(
    line: Floats, true: Floats, settings: ExtrapolationSettings = DEFAULT.extrapolation
) -> Floats:
    """(N,): the error of a law at the largest point above which the line would have earned a weight
    by its forecasts there (see `earned_weight`)."""
    better = 2 * np.abs(np.tanh((np.log(line) - np.log(true)) / 2)) + settings.slack
    result: Floats = settings.earns * better - settings.slack
    return result


def stacked_weight(
    law: Floats, line: Floats, true: Floats, settings: ExtrapolationSettings = DEFAULT.extrapolation
) -> float:
    """The weight w of the line with which the forecasts law**(1 - w) line**w of N positive values
    have the least symmetric relative error; the usual weight is preferred where they are few."""
    weights = settings.weights
    law, line = np.maximum(law, ARITHMETIC.tiny), np.maximum(line, ARITHMETIC.tiny)
    logs = np.log(law) + weights[:, None] * (np.log(line) - np.log(law))
    # |a - b| / (mean of a and b) = 2 tanh(|log a - log b| / 2)
    error = 2 * np.abs(np.tanh((logs - np.log(true)) / 2)).sum(axis=1)
    return float(weights[(error + (weights - settings.usual_weight) ** 2).argmin()])
