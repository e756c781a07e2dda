"""Can the points tell which law holds? And if not, which point would?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data.measurements import Floats
from ..pmnf.hypotheses import Codes

AGREEMENT = 0.6
"""Probability that the value at four times the largest point is right within a quarter, below which
laws are not told apart."""
_MULTIPLES = (2.0, 4.0, 8.0, 16.0)
_TOLD_APART = 3.0
_LEAST_NOISE = 0.01


def design_fault(parameters: Sequence[str], points: Floats) -> str | None:
    """Why points (P, m) can tell no law, whatever is measured there; None where they may."""
    distinct = [len(np.unique(x)) for x in points.T]
    varying = [k for k, d in enumerate(distinct) if d > 1]
    if not varying:
        return "only one point was measured: vary a parameter"
    if len(points) < 3 or all(distinct[k] < 3 for k in varying):
        return (
            f"{', '.join(f'{parameters[k]} has {distinct[k]} values' for k in varying)}: measure at"
            " least 4"
        )
    if len(varying) > 1:
        logs = np.log(np.maximum(points[:, varying], 1e-12))
        logs = logs - logs.mean(axis=0)
        if np.linalg.matrix_rank(logs, tol=1e-6 * max(1.0, np.abs(logs).max())) < len(varying):
            return (
                f"{' and '.join(parameters[k] for k in varying)} always change together: vary one"
                " of them alone"
            )
    return None


def open_question(parameters: Sequence[str], point: Floats, lead_share: float) -> str:
    """That other laws fit as well, and the point (m,) to measure; lead_share: probability that the
    leading term is right."""
    at = ", ".join(f"{n}={x:g}" for n, x in zip(parameters, point, strict=True))
    return (
        f"other laws fit as well (the leading term has probability {lead_share:.0%}) and differ"
        f" beyond the points: measure at {at}"
    )


def further_points(top: Floats, free: Sequence[int]) -> Floats:
    """(F, D, m): F multiples of the largest values (m,), nearest first, in D directions: each of
    the free parameters alone, and all of them."""
    directions = [[k] for k in free] + ([list(free)] if len(free) > 1 else [])
    result = np.tile(top, (len(_MULTIPLES), len(directions), 1))
    for d, direction in enumerate(directions):
        result[:, d, direction] *= np.array(_MULTIPLES)[:, None]
    return result


def discriminating_points(values: Floats, weight: Floats, sigma: Floats) -> tuple[Codes, Codes]:
    """(multiple, direction), each (K,), of the nearest further points at which alternatives with
    values (K, A, F, D), weight and noise sigma (K, A) differ by more than the noise; of where they
    differ most if there is none."""
    weight = weight / weight.sum(axis=1, keepdims=True)
    noise = np.maximum((weight * sigma).sum(axis=1), _LEAST_NOISE)
    centre = np.einsum("ka,kafd->kfd", weight, values)
    apart = np.sqrt(
        np.einsum("ka,kafd->kfd", weight, (values - centre[:, None]) ** 2)
    ) / np.maximum(np.abs(centre), 1e-300)
    apart = np.nan_to_num(apart, nan=0.0)
    widest = np.maximum.accumulate(apart.max(axis=2), axis=1)
    enough = widest > _TOLD_APART * noise[:, None]
    last = np.where(enough.any(axis=1), enough.argmax(axis=1), len(_MULTIPLES) - 1)
    near = np.arange(len(_MULTIPLES)) <= last[:, None]
    place = np.where(near[..., None], apart, -1.0).reshape(len(apart), -1).argmax(axis=1)
    return place // apart.shape[2], place % apart.shape[2]
