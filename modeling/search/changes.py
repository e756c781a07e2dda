"""Where a law may begin that holds from a value of a parameter on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Changes:
    """The places of a change among points (P, m), by number; number zero is none. parameter (C,):
    in which it is; start (C,): from where on the last law holds. Which points are below a place is
    told when it is asked for, as all places together are as many as the points."""

    points: Floats
    parameter: Codes
    start: Floats

    @staticmethod
    def of(points: Floats) -> Changes:
        """All places between neighbouring values of a parameter, for points (P, m): in the middle,
        on a scale of ratios where values are positive."""
        parameter, start = [0], [-np.inf]
        for k, x in enumerate(points.T):
            values = np.unique(x)
            before, after = values[:-1], values[1:]
            middle = np.where(
                before > 0, np.sqrt(np.maximum(before * after, 0)), (before + after) / 2
            )
            parameter += [k] * len(middle)
            start += middle.tolist()
        return Changes(points, np.array(parameter, dtype=np.int64), np.array(start))

    def below(self, places: Codes) -> NDArray[np.bool_]:
        """(N, P): the points of the law before each of the places (N,)."""
        if not self.points.shape[1]:
            return np.zeros((len(places), len(self.points)), dtype=np.bool_)
        own: Floats = self.points[:, self.parameter[places]].T
        return own < self.start[places, None]

    def number_below(self) -> Codes:
        """(C,): how many points are below each place."""
        result = np.zeros(len(self.start), dtype=np.int64)
        for k, x in enumerate(self.points.T):
            own = np.flatnonzero(self.parameter == k)
            result[own] = np.searchsorted(np.sort(x), self.start[own])
        return result
