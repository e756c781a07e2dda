"""LASSO on a Gram matrix: minimise 1/2 b'Gb - m'b + lambda sum |b| by coordinate descent.

G = X'WX and m = X'Wy are all it needs, so its cost does not depend on how many observations went
into them; this is what makes the online fitter possible (Bhattacharyya and Hoefler, PEMOGEN, PACT
2014; Friedman et al., 2010).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..data.measurements import Floats, Series
from ..pmnf.model import Model
from ..pmnf.terms import Prior, Term
from .exhaustive import search_terms
from .plain import (
    PlainFit,
    design,
    free_parameters,
    least_squares,
    model_of,
    parameter_columns,
    usable,
)

_MOST_TERMS = 300
_LONGEST = 8


def coordinate_descent(
    gram: Floats,
    moment: Floats,
    penalty: float,
    start: Floats,
    *,
    tolerance: float = 1e-7,
    sweeps: int = 60,
) -> Floats:
    """Minimiser for one penalty, from a warm start; columns with no variance stay at zero."""
    beta = start.copy()
    gradient = moment - gram @ beta
    diagonal = np.diag(gram)
    for _ in range(sweeps):
        largest = 0.0
        for k in np.flatnonzero(diagonal > 0):
            old = beta[k]
            z = gradient[k] + diagonal[k] * old
            new = np.sign(z) * max(abs(z) - penalty, 0.0) / diagonal[k]
            if new != old:
                gradient -= gram[:, k] * (new - old)
                beta[k] = new
                largest = max(largest, abs(new - old))
        if largest <= tolerance * max(1e-300, np.abs(beta).max(initial=0.0)):
            break
    return beta


def active_sets(
    gram: Floats, moment: Floats, *, limit: int = 3, steps: int = 30
) -> list[tuple[int, ...]]:
    """The sets of columns that enter along the path from the largest penalty down, up to `limit`
    columns."""
    top = float(np.abs(moment).max(initial=0.0))
    if top <= 0:
        return []
    beta = np.zeros(len(moment))
    found: list[tuple[int, ...]] = []
    for penalty in top * np.geomspace(0.95, 1e-5, steps):
        beta = coordinate_descent(gram, moment, float(penalty), beta)
        active = tuple(int(k) for k in np.flatnonzero(beta))
        if active and active not in found:
            if len(active) > limit:
                strongest = np.argsort(-np.abs(beta))[:limit]
                found.append(tuple(sorted(int(k) for k in strongest)))
                break
            found.append(active)
    return list(dict.fromkeys(found))


def lasso(series: Series, prior: Prior) -> Model:
    """Of the terms that enter along the LASSO path those that have the best corrected Akaike
    criterion when fitted again.

    All it uses of the observations are the Gram matrix and the moments of the points' means.
    """
    names = free_parameters(series, prior)
    known = [t for t in prior.terms if t.parameters <= set(names)]
    terms = usable(list(dict.fromkeys((*known, *_dictionary(names)))), series)
    matrix = design(terms, parameter_columns(series), len(series.means))[:, 1:].T
    weight = (
        series.counts
        / np.maximum(np.abs(series.means), 1e-3 * np.abs(series.means).max() + 1e-300) ** 2
    )
    total = weight.sum()
    matrix = matrix - (matrix @ weight / total)[:, None]
    centred = series.means - series.means @ weight / total
    size = np.sqrt((matrix**2) @ weight)
    matrix = matrix / np.where(size > 0, size, 1.0)[:, None]
    path = (
        active_sets((matrix * weight) @ matrix.T, (matrix * weight) @ centred, limit=_LONGEST)
        if terms
        else []
    )
    entered = sorted({k for s in path for k in s})
    sets = [*((k,) for k in entered), *combinations(entered, 2), *(s for s in path if len(s) > 2)]
    fits = [
        least_squares(tuple(terms[k] for k in s), series)
        for s in [(), *sets]
        if len(s) + 2 < len(series.means) or not s
    ]
    return model_of(min(fits, key=lambda f: _criterion(f, series)), series)


def _dictionary(names: tuple[str, ...]) -> list[Term]:
    """All terms with one parameter; with several, whole exponents only, in at most 300 terms."""
    found = search_terms(names)
    if len(names) == 1:
        return found
    return [t for t in found if all(i.denominator == 1 and 0 <= j <= 1 for _, i, j in t.factors)][
        :_MOST_TERMS
    ]


def _criterion(found: PlainFit, series: Series) -> float:
    points, k = len(series.means), len(found.terms) + 2
    floor = 1e-18 * float((series.means**2).sum()) + 1e-300
    return float(
        points * np.log(max(found.rss, floor) / points)
        + 2 * k
        + 2 * k * (k + 1) / max(points - k - 1, 0.4)
    )
