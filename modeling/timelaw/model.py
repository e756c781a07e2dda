"""A law of time as a model: leading terms, quality, and the choice between law and other models."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ..pmnf.goodness import adjusted_determination, determination, smape
from ..pmnf.known_laws import known_law
from ..pmnf.model import Model, Quality
from ..pmnf.terms import Term, grows_faster
from ..pmnf.time_law import TimeLaw
from .fit import Fit

Floats = NDArray[np.float64]
_FAR = 8.0
"""The largest regime is looked at for so many times the largest values."""


def with_law(model: Model, fit: Fit, points: Mapping[str, Floats]) -> Model:
    """A model with a law in place of its terms.

    Args:
        model: of the same times, whose leading term stands where the law has none.
        points: parameter -> values (P,) that the law was learned from.
    """
    law = fit.law
    seconds = fit.seconds
    fitted = seconds * np.exp(-fit.residuals)
    leverage = _leverage(law, points)
    without = seconds * np.exp(-fit.residuals / (1 - leverage))
    quality = Quality(
        float(smape(seconds[None], fitted[None])[0]),
        float(
            adjusted_determination(
                determination(seconds[None], fitted[None]), len(seconds), np.array([1])
            )[0]
        ),
        float(smape(seconds[None], without[None])[0]),
        len(seconds),
    )
    constant, terms = leading_terms(law, points, model)
    return replace(
        model,
        constant=constant,
        terms=terms,
        quality=quality,
        identifiable=True,
        reason=None,
        law=law,
        before=None,
        notes=(),
    )


def _leverage(law: TimeLaw, points: Mapping[str, Floats]) -> Floats:
    """How far each observation determines its own prediction, below 1."""
    from ..pmnf.time_law import jacobian_of

    jacobian = jacobian_of(np.array(law.theta), law.design(points), law.capacities, law.costs)
    learned = ((np.array(law.root).T @ jacobian) ** 2).sum(axis=0)
    found: Floats = np.clip(learned / max(law.sigma, 1e-6) ** 2, 0.0, 0.9)
    return found


def leading_terms(
    law: TimeLaw, points: Mapping[str, Floats], model: Model
) -> tuple[float, tuple[tuple[float, Term], ...]]:
    """(constant, terms) of the largest regime: what an iteration costs there times the leading
    terms of the counts."""
    far = {n: _FAR * float(v.max()) for n, v in points.items()}
    with np.errstate(all="ignore"):
        count = float(law.design({n: np.array([v]) for n, v in far.items()}).counts[0, 0])
        rate = float(law.seconds(far)) / count if count > 0 and np.isfinite(count) else 0.0
    known = known_law(law.counts[0].formula).terms
    positive = [(rate * c, t) for t, c in known.items() if c > 0 and t.factors]
    kept = tuple((c, t) for c, t in positive if not any(grows_faster(o, t) for _, o in positive))
    return (0.0, kept) if kept and rate > 0 else (model.constant, model.terms)
