"""Hierarchical search with several parameters (Calotoiu et al., CLUSTER 2016, IV.B).

The best model of each parameter alone is found first, the other parameters at their smallest
values; then all additive and multiplicative combinations of these terms are compared, and the one
with the best adjusted coefficient of determination is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ..data.measurements import Series
from ..pmnf.model import Model
from ..pmnf.terms import Prior, Term
from .plain import PlainFit, free_parameters, least_squares, model_of, usable

_MOST_PRODUCTS = 15
_MOST_TERMS = 3


def hierarchical(
    series: Series, prior: Prior, single: Callable[[Series], tuple[Term, ...]]
) -> Model:
    """Combine the terms that `single` finds for each parameter."""
    names = free_parameters(series, prior)
    terms = [t for n in names for t in single(_alone(series, n))]
    best = least_squares((), series)
    for group in _combinations(usable(_products(terms), series), len(series.means)):
        found = least_squares(group, series)
        if _penalised(found, series) < _penalised(best, series):
            best = found
    return model_of(best, series)


def _alone(series: Series, name: str) -> Series:
    """The line along one parameter that has the most points, the others as small as possible."""
    k = series.parameters.index(name)
    others = np.delete(series.points, k, axis=1)
    _, label = np.unique(others, axis=0, return_inverse=True)
    label = label.reshape(-1)
    rows = np.flatnonzero(label == np.bincount(label).argmax())
    rows = rows[np.argsort(series.points[rows, k], kind="stable")]
    line = series.part(rows)
    return replace(line, parameters=(name,), points=line.points[:, [k]])


def _products(terms: Sequence[Term]) -> list[Term]:
    found = []
    for size in range(1, len(terms) + 1):
        for group in combinations(terms, size):
            product = group[0]
            for t in group[1:]:
                product = product.times(t)
            found.append(product)
    return found[:_MOST_PRODUCTS]


def _combinations(products: Sequence[Term], points: int) -> list[tuple[Term, ...]]:
    most = min(_MOST_TERMS, points - 2)
    return [group for size in range(1, most + 1) for group in combinations(products, size)]


def _penalised(found: PlainFit, series: Series) -> float:
    """1 - adjusted R**2, but for a factor that all share; tiny residuals are equal."""
    floor = 1e-20 * float((series.means**2).sum())
    return max(found.rss, floor) / (len(series.means) - len(found.terms) - 1)
