"""The straight line in log-log through the last points, as a witness of what lies next.

Programs change their behaviour with size, and then no law holds throughout; what the last points
say is a rule that is hard to beat (it needs no law at all). Where laws fit badly it has a voice: in
the choice among them, as one more expert, and in the coefficients of the one that is chosen, which
shall meet what both foretell. How much the line is worth for a metric is what it would have been
worth for the largest points of its series, had they not been measured (stacking: Wolpert, 1992);
where a law reproduces the data within a percent it has no voice.
"""

from __future__ import annotations

import numpy as np

from ..data.measurements import Floats

CHOICE_WEIGHT = 0.4
"""Weight of the line in the choice among laws that fit badly."""
NO_EXTRAPOLATION = 0.0
"""Weight of the line in forecasts where no other series tell what it is worth."""
_USUAL_WEIGHT = 0.3
_SILENT, _LOUD = 0.01, 0.08
_COUNTS = 2, 3
_WEIGHTS = np.linspace(0, 1, 11)


def local_line(points: Floats, far: Floats) -> Floats:
    """(F, P): matrix that turns logarithms of values at points (P, m) into those at far points (F,
    m): the mean of the lines through the last two and the last three points."""
    result: Floats = np.mean([_line(points, far, count) for count in _COUNTS], axis=0)
    return result


def _line(points: Floats, far: Floats, count: int) -> Floats:
    """The same for the last `count` values of each parameter, all others at those of the largest
    point; none where there are no such points."""
    top = int(np.lexsort(points.T)[-1]) if points.shape[1] else 0
    result = np.zeros((len(far), len(points)))
    result[:, top] = 1
    for k in range(points.shape[1]):
        same = (np.delete(points, k, axis=1) == np.delete(points[top], k)).all(axis=1)
        rows = np.flatnonzero(same & (points[:, k] > 0) & (points[:, k] <= points[top, k]))
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


def extrapolation_weight(sigma: Floats) -> Floats:
    """How much the line is asked, 0 to 1, for the noise that the best law leaves."""
    share: Floats = np.clip(np.log(sigma / _SILENT) / np.log(_LOUD / _SILENT), 0, 1)
    return share


def stacked_weight(law: Floats, line: Floats, true: Floats) -> float:
    """The weight of the line with which forecasts law**(1 - w) line**w of N positive values are
    best, in symmetric relative errors; that for the usual weight counts as a few forecasts do."""
    logs = np.log(np.maximum(law, 1e-300)) + _WEIGHTS[:, None] * np.log(
        np.maximum(line, 1e-300) / np.maximum(law, 1e-300)
    )
    error = 2 * np.abs(np.tanh((logs - np.log(true)) / 2)).sum(axis=1)
    return float(_WEIGHTS[(error + (_WEIGHTS - _USUAL_WEIGHT) ** 2).argmin()])
