"""The straight line in log-log through the last two points, as a witness of what lies next.

Programs change their behaviour with size, and then no law holds throughout; what the last two points say is a rule that is
hard to beat (it needs no law at all). Where laws fit badly it has a voice in the choice among them, as one more expert; where
a law reproduces the data within a percent it has none.
"""

from __future__ import annotations

import numpy as np

from .measurements import Floats

_MOST_WEIGHT = 0.4
_SILENT, _LOUD = 0.01, 0.08


def local_line(points: Floats, far: Floats) -> Floats:
    """(F, P): matrix that turns logarithms of values at points (P, m) into those at far points (F, m).

    Each parameter's slope is that of the last two points with all other parameters at their values of the largest point; it
    is none where there are no such points.
    """
    top = int(np.lexsort(points.T)[-1]) if points.shape[1] else 0
    result = np.zeros((len(far), len(points)))
    result[:, top] = 1
    for k in range(points.shape[1]):
        same = (np.delete(points, k, axis=1) == np.delete(points[top], k)).all(axis=1)
        lower = np.flatnonzero(same & (points[:, k] > 0) & (points[:, k] < points[top, k]))
        if not len(lower):
            continue
        before = lower[points[lower, k].argmax()]
        steps = np.log(far[:, k] / points[top, k]) / np.log(points[top, k] / points[before, k])
        result[:, top] += steps
        result[:, before] -= steps
    return result


def voice(sigma: Floats) -> Floats:
    """Weight of the line against the laws, for the noise that the best law leaves."""
    share: Floats = np.clip(np.log(sigma / _SILENT) / np.log(_LOUD / _SILENT), 0, 1)
    return _MOST_WEIGHT * share
