"""Slope-ranked golden-section search (Calotoiu et al., CLUSTER 2016, IV.A).

One-term hypotheses sorted by their slope at the largest measured value have a residual sum of
squares with one minimum, which golden-section search finds in O(log H) fits. The constant model
stays where the winner does not improve the adjusted coefficient of determination.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..data.measurements import Series
from ..pmnf.terms import Term
from .exhaustive import EXPONENTS
from .plain import least_squares, usable

_RATIO = (math.sqrt(5) - 1) / 2


def golden_section(series: Series) -> tuple[Term, ...]:
    """The term of the best one-term model of a series with one parameter; none for a constant."""
    (name,), points = series.parameters, len(series.means)
    terms = usable([Term.of({name: e}) for e in EXPONENTS], series)
    if points < 3 or not terms:
        return ()
    top = np.array(series.points.max())
    ranked = sorted(terms, key=lambda t: _slope(t, name, top))
    best = _minimum(lambda k: least_squares((ranked[k],), series).rss, len(ranked))
    constant, found = least_squares((), series), least_squares((ranked[best],), series)
    if constant.rss <= 0 or found.rss / (points - 2) >= constant.rss / (points - 1):
        return ()
    return (ranked[best],)


def _slope(term: Term, name: str, top: np.ndarray) -> float:
    """Relative slope at the largest value: fitted coefficients make up for magnitudes."""
    step = 1e-4
    low, high = (float(term.evaluate({name: top * f})) for f in (1 - step, 1 + step))
    return (high - low) / (high + low)


def _minimum(error: Callable[[int], float], count: int) -> int:
    """Index of the minimum of a unimodal sequence."""
    low, high = 0, count - 1
    while high - low > 3:
        left, right = high - round(_RATIO * (high - low)), low + round(_RATIO * (high - low))
        if left == right:
            right += 1
        if error(left) <= error(right):
            high = right
        else:
            low = left
    return min(range(low, high + 1), key=error)
