"""Can the points tell which law holds? And if not, which point would?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .interval import Alternative
from .measurements import Series

_AGREEMENT = 0.6
_MULTIPLES = (2.0, 4.0, 8.0, 16.0)
_TOLD_APART = 3.0
_LEAST_NOISE = 0.01


def unidentifiable(series: Series, free: tuple[int, ...], laws: Sequence[Alternative], lead_share: float,
                   agreement: float) -> str | None:
    """Why the points cannot tell which law holds, with what to measure; None where they can.

    lead_share: probability that the leading term is the right one; agreement: probability that the value at four times
    the largest point is right within a quarter.
    """
    distinct = {series.parameters[k]: len(np.unique(series.points[:, k])) for k in range(len(series.parameters))}
    varying = [n for n, d in distinct.items() if d > 1]
    if not varying:
        return "only one point was measured: vary a parameter"
    if len(series.points) < 3 or all(distinct[n] < 3 for n in varying):
        return f"{', '.join(f'{n} has {distinct[n]} values' for n in varying)}: measure at least 4"
    if len(varying) > 1:
        chosen = series.points[:, [k for k, n in enumerate(series.parameters) if distinct[n] > 1]]
        logs = np.log(np.maximum(chosen, 1e-12))
        logs = logs - logs.mean(axis=0)
        if np.linalg.matrix_rank(logs, tol=1e-6 * max(1.0, np.abs(logs).max())) < len(varying):
            return f"{' and '.join(varying)} always change together: vary one of them alone"
    if not free or agreement >= _AGREEMENT:
        return None
    return (f"other laws fit as well (the leading term has probability {lead_share:.0%}) and differ beyond the points: "
            f"measure at {_telling_point(series, free, laws)}")


def _telling_point(series: Series, free: tuple[int, ...], laws: Sequence[Alternative]) -> str:
    """The nearest point beyond the data at which the alternatives differ by more than the noise."""
    top = series.points.max(axis=0)
    weight = np.array([law.weight for law in laws])
    weight = weight / weight.sum()
    noise = max(float(weight @ np.array([law.sigma for law in laws])), _LEAST_NOISE)
    directions = [*((k,) for k in free), *([free] if len(free) > 1 else [])]
    found = top
    widest = 0.0
    for factor in _MULTIPLES:
        for direction in directions:
            point = top.copy()
            point[list(direction)] *= factor
            at = {n: np.array(point[k]) for k, n in enumerate(series.parameters)}
            values = np.array([law.evaluate(at, ())[0] for law in laws])
            centre = float(weight @ values)
            apart = float(np.sqrt(weight @ (values - centre) ** 2)) / max(abs(centre), 1e-300)
            if apart > widest:
                found, widest = point, apart
        if widest > _TOLD_APART * noise:
            break
    return ", ".join(f"{n}={found[k]:g}" for k, n in enumerate(series.parameters))
