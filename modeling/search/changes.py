"""Where a law may begin that holds from a value of a parameter on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Changes:
    """The places of a change among P points, by number; number zero is none. parameter (C,): in
    which it is; start (C,): from where on the last law holds; below (C, P): the points of the law
    before."""

    parameter: Codes
    start: Floats
    below: NDArray[np.bool_]

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
        own = points[:, parameter].T if points.shape[1] else np.zeros((1, len(points)))
        starts = np.array(start)
        return Changes(np.array(parameter, dtype=np.int64), starts, own < starts[:, None])
