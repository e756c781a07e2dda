"""Exhaustive search (Calotoiu et al., SC 2013; CLUSTER 2016, section II): every hypothesis of one
and two terms.

I = {0/4, ..., 12/4}, J = {0, 1, 2}, n = 2; the least leave-one-out error wins, hypotheses with more
terms being tried as long as that error falls and there are five points for each term (Reisert et
al., Euro-Par 2017, 3.2). Errors come from quadratic forms, so the forms of a set of points serve
every series measured there.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

import numpy as np

from ..data.measurements import Floats, Series
from ..least_squares.quadratic_forms import Forms, left_out_forms
from ..pmnf.model import Model
from ..pmnf.terms import Prior, Term
from .plain import design, free_parameters, least_squares, model_of, parameter_columns, usable

EXPONENTS = tuple((Fraction(i, 4), Fraction(j)) for i, j in product(range(13), range(3)) if i or j)
_MOST_TERMS = 1200
_POINTS_A_TERM = 5
_EXACT = 1e-26


def exhaustive(series: Series, prior: Prior) -> Model:
    """The hypothesis with the least leave-one-out error."""
    best: tuple[Term, ...] = ()
    least, points = _constant_error(series), len(series.means)
    for size in (1, 2):
        if points < _POINTS_A_TERM * size or least <= _EXACT:
            break
        groups, forms = _forms(
            free_parameters(series, prior), series.parameters, series.points.tobytes(), points, size
        )
        if not groups:
            break
        errors = forms.errors(series.means[None] / _magnitude(series))[0]
        if errors.min() >= least:
            break
        best, least = groups[int(errors.argmin())], float(errors.min())
    return model_of(least_squares(best, series), series)


def _magnitude(series: Series) -> float:
    return max(float(np.abs(series.means).max()), 1e-300)


def _constant_error(series: Series) -> float:
    """Leave-one-out error of the constant: each deviation from the mean times P / (P - 1)."""
    points = len(series.means)
    deviation = (series.means - series.means.mean()) / _magnitude(series)
    return float((deviation**2).sum()) * (points / max(points - 1, 1)) ** 2


def search_terms(names: tuple[str, ...]) -> list[Term]:
    """All terms of the search space; products over several parameters as far as their number stays
    bounded."""
    found = [Term.of({n: e}) for n in names for e in EXPONENTS]
    plain = [e for e in EXPONENTS if e[0].denominator == 1 and e[1] <= 1]
    for size in range(2, len(names) + 1):
        some = EXPONENTS if len(EXPONENTS) ** size + len(found) <= 2 * _MOST_TERMS else plain
        for chosen in combinations(names, size):
            if len(found) + len(some) ** size <= 2 * _MOST_TERMS:
                found += [
                    Term.of(dict(zip(chosen, es, strict=True))) for es in product(some, repeat=size)
                ]
    return found


@lru_cache(maxsize=16)
def _forms(
    names: tuple[str, ...], parameters: tuple[str, ...], raw: bytes, points: int, size: int
) -> tuple[list[tuple[Term, ...]], Forms]:
    """Hypotheses of `size` terms and their leave-one-out forms at points given as bytes."""
    table: Floats = np.frombuffer(raw).reshape(points, len(parameters))
    at = Series("", "", parameters, table, np.ones(points), np.zeros(points), np.zeros(points))
    terms = usable(search_terms(names), at)
    if size == 2 and len(names) > 1:
        terms = [
            t
            for t in terms
            if len(t.factors) == 1 or all(i.denominator == 1 and j <= 1 for _, i, j in t.factors)
        ]
        terms = terms[: _MOST_TERMS // 8]
    groups = list(combinations(terms, size))
    matrix = design(terms, parameter_columns(at), points)
    matrix = matrix / np.abs(matrix).max(axis=0)
    index = np.array(list(combinations(range(1, len(terms) + 1), size)), dtype=int).reshape(
        -1, size
    )
    columns = np.concatenate(
        [np.ones((1, points, len(index))), matrix[:, index].transpose(2, 0, 1)]
    )
    return groups, left_out_forms(columns)
