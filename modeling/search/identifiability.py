"""Whether the points determine the law, and if not, which point to measure next."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data.measurements import Floats
from ..pmnf.goodness import PERCENT
from ..pmnf.hypotheses import Codes
from ..pmnf.terms import Term
from ..settings import ARITHMETIC, DEFAULT, IdentifiabilitySettings


def design_fault(
    parameters: Sequence[str],
    points: Floats,
    settings: IdentifiabilitySettings = DEFAULT.identifiability,
) -> str | None:
    """Why points (P, m) determine no law, whatever is measured there; None where they may."""
    distinct = [len(np.unique(x)) for x in points.T]
    varying = [k for k, d in enumerate(distinct) if d > 1]
    if not varying:
        return "only one point was measured: vary a parameter"
    few = settings.fewest_points
    if len(points) < few or all(distinct[k] < few for k in varying):
        return (
            f"{', '.join(f'{parameters[k]} has {distinct[k]} values' for k in varying)}: measure at"
            f" least {few + 1}"
        )
    least = max(settings.fewest_sure, len(varying) + 2)
    if len(points) < least:
        return (
            f"{len(points)} points fit many laws of {', '.join(parameters[k] for k in varying)}:"
            f" measure at least {least}"
        )
    if len(varying) > 1:
        logs = np.log(np.maximum(points[:, varying], ARITHMETIC.column))
        logs = logs - logs.mean(axis=0)
        if np.linalg.matrix_rank(
            logs, tol=ARITHMETIC.singular * max(1.0, np.abs(logs).max())
        ) < len(varying):
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


NOISE = "the noise of repetitions is larger than a quarter: repeat each measurement more often"
"""Where no parameter varies, noise is all that is open."""


def few_points_question(shown: int, terms: Sequence[tuple[float, Term]]) -> str:
    """That a law rests on a few points at the top; `shown` of them show its leading term."""
    what = " + ".join(str(t) for _, t in terms[-1:]) or "this level"
    count = "no point" if not shown else "one point" if shown == 1 else f"only {shown} points"
    verb = "shows" if shown < 2 else "show"
    return f"{count} {verb} {what} beyond the noise: measure further points at the top"


def few_values_question(
    names: Sequence[str], settings: IdentifiabilitySettings = DEFAULT.identifiability
) -> str:
    """That these parameters had two values, through which laws of every exponent go."""
    told = " and ".join(names)
    verb = "have" if len(names) > 1 else "has"
    return (
        f"{told} {verb} 2 values, which tell no exponent: measure at least {settings.fewest_values}"
    )


def outlier_question(fitted: Floats, y: Floats) -> str:
    """That the largest point is taken for an outlier of a law with these values (P,)."""
    top = int(np.abs(y - fitted).argmax())
    above = PERCENT * (y[top] / fitted[top] - 1) if fitted[top] else np.inf
    return (
        f"the largest point lies {above:.0f} % above the law of the others and may be an outlier or"
        " another law: measure it again, and beyond it"
    )


def further_points(
    top: Floats, free: Sequence[int], settings: IdentifiabilitySettings = DEFAULT.identifiability
) -> Floats:
    """(F, D, m): F multiples of the largest values (m,), nearest first, in D directions: each of
    the free parameters alone, and all of them."""
    directions = [[k] for k in free] + ([list(free)] if len(free) > 1 else [])
    result = np.tile(top, (len(settings.multiples), len(directions), 1))
    for d, direction in enumerate(directions):
        result[:, d, direction] *= np.array(settings.multiples)[:, None]
    return result


def discriminating_points(
    values: Floats,
    weight: Floats,
    sigma: Floats,
    settings: IdentifiabilitySettings = DEFAULT.identifiability,
) -> tuple[Codes, Codes]:
    """(multiple, direction), each (K,), of the nearest further point at which the alternatives
    differ by more than the noise; of where they differ most if there is none.

    Args:
        values: (K, A, F, D) of A alternatives at F multiples in D directions.
        weight: (K, A) their probabilities.
        sigma: (K, A) their noise.
        settings: how many standard deviations of noise discriminate.
    """
    weight = weight / weight.sum(axis=1, keepdims=True)
    noise = np.maximum((weight * sigma).sum(axis=1), settings.least_noise)
    centre = np.einsum("ka,kafd->kfd", weight, values)
    apart = np.sqrt(
        np.einsum("ka,kafd->kfd", weight, (values - centre[:, None]) ** 2)
    ) / np.maximum(np.abs(centre), ARITHMETIC.tiny)
    apart = np.nan_to_num(apart, nan=0.0)
    widest = np.maximum.accumulate(apart.max(axis=2), axis=1)
    enough = widest > settings.discriminating * noise[:, None]
    last = np.where(enough.any(axis=1), enough.argmax(axis=1), values.shape[2] - 1)
    near = np.arange(values.shape[2]) <= last[:, None]
    flat = np.where(near[..., None], apart, -1.0).reshape(len(apart), -1)
    most = flat.max(axis=1, keepdims=True)  # the first one of those that are equal but for rounding
    place = (flat >= most - ARITHMETIC.rounding * np.abs(most)).argmax(axis=1)
    return place // apart.shape[2], place % apart.shape[2]
