"""The online LASSO of PEMOGEN (Bhattacharyya and Hoefler, PACT 2014; Hoefler's slides of 2015,
"Ad-hoc (partial) solution: online machine learning").

Of all terms of a dictionary few have a coefficient in

    min_b  1/2 sum_p w_p (y_p - b0 - sum_k b_k t_k(x_p))**2 + lambda sum_k |b_k|

(Tibshirani, 1996). The Gram matrix and the moments of the terms are all this needs of the
observations, so these are kept while observations stream in: one costs O(terms**2) once, there is
no trace and no refit over all points. Asked for a model, the fitter computes the whole path in
lambda from them (least angle regression: Efron et al., 2004; scikit-learn's `lars_path_gram`), fits
the sets of terms on the path again without the penalty, which would shrink their coefficients
(the relaxed LASSO: Meinshausen, 2007), and takes the set with the least Bayesian information
criterion, small samples corrected as in Hurvich and Tsai (1989). It approximates -2 log evidence
(Kass and Raftery, 1995), so -2 log prior is added: that of the exponents and signs, as in the
default fitter. The slides replace cross-validation by the penalty because it is cheaper; so does
this: nothing is fitted once for each point left out.

Noise is relative, so each observation of a point with mean m has the weight 1 / m**2; where a mean
is not positive, all weights are equal.

The static prior restricts the dictionary: to the parameters that can influence the kernel, to terms
no faster than its upper bound, to models no slower than its lower bound; terms of a known formula
join the dictionary at no cost, and a fixed formula leaves nothing but its own terms.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats, Series, Statistics
from ..least_squares.running_gram import RunningGram
from ..pmnf.dictionary import cost
from ..pmnf.goodness import adjusted_determination, determination, smape
from ..pmnf.interval import Alternative, PredictiveMixture
from ..pmnf.model import Model, Quality
from ..pmnf.terms import Prior, Term, growth_in
from ..settings import ARITHMETIC, DEFAULT, LASSO, LassoSettings
from .exhaustive import EXPONENTS

Point = tuple[float, ...]


@dataclass(frozen=True)
class Dictionary:
    """The terms a series may have: T terms, of which `known` ones come from its formula; `fixed`
    says that its law has no others."""

    parameters: tuple[str, ...]
    terms: tuple[Term, ...]
    known: frozenset[int] = frozenset()
    fixed: bool = False
    slowest: tuple[tuple[str, tuple[Fraction, Fraction]], ...] = ()

    @staticmethod
    def of(parameters: Sequence[str], prior: Prior, settings: LassoSettings = LASSO) -> Dictionary:
        """What the prior allows in a law of these parameters."""
        names = [n for n in parameters if prior.parameters is None or n in prior.parameters]
        known = [t for t in prior.terms if t.factors and t.parameters <= set(parameters)]
        fixed = prior.fixed and bool(known)
        tried = [] if fixed else [t for t in _tried(names, settings) if _allowed(t, prior)]
        terms = tuple(dict.fromkeys((*known, *tried)))
        slowest = tuple((n, growth_in(prior.lower, n)) for n in names) if prior.lower else ()
        return Dictionary(
            tuple(parameters), terms, frozenset(range(len(dict.fromkeys(known)))), fixed, slowest
        )

    @cached_property
    def _exponents(self) -> tuple[Floats, Floats]:
        """(T, m) twice: powers of the parameters, and of their logarithms."""
        found = np.zeros((2, len(self.terms), len(self.parameters)))
        for k, term in enumerate(self.terms):
            for name, i, j in term.factors:
                found[:, k, self.parameters.index(name)] = float(i), float(j)
        return found[0], found[1]

    @cached_property
    def costs(self) -> Floats:
        """(T,): -log prior of the exponents of each term; none of a known one."""
        every = [sum(cost((i, j)) for _, i, j in term.factors) for term in self.terms]
        return np.array([0.0 if k in self.known else c for k, c in enumerate(every)])

    def values(self, point: Sequence[float]) -> Floats:
        """(T,): values of the terms at a point; not finite where one is undefined."""
        powers, logs = self._exponents
        x = np.array(point, dtype=float)
        with np.errstate(all="ignore"):
            result: Floats = (x**powers * np.log2(x) ** logs).prod(axis=1)
        return result

    def grows_enough(self, chosen: Iterable[int]) -> bool:
        """Is a law of these terms as fast as the static lower bound in every parameter?"""
        terms = [self.terms[k] for k in chosen]
        return all(growth_in(terms, name) >= least for name, least in self.slowest)


def _tried(names: Sequence[str], settings: LassoSettings) -> list[Term]:
    """Powers and logarithms of each parameter, and products of plain ones as far as they fit."""
    found = [Term.of({n: e}) for n in names for e in EXPONENTS]
    plain = [e for e in EXPONENTS if e[0].denominator == 1 and e[1] <= 1]
    for size in range(2, len(names) + 1):
        for chosen in combinations(names, size):
            products = [Term.of(dict(zip(chosen, es))) for es in product(plain, repeat=size)]
            if len(found) + len(products) <= settings.most_terms:
                found += products
    return found[: settings.most_terms]


def _allowed(term: Term, prior: Prior) -> bool:
    """Does the term grow no faster than the static upper bound in any parameter?"""
    return not prior.upper or all(
        (i, j) <= growth_in(prior.upper, name) for name, i, j in term.factors
    )


@dataclass
class GramLasso:
    """The LASSO of one series: Gram matrix and moments of the dictionary's terms, constant first.

    Weights change with the means of the points, which move less and less; `update` takes a point's
    former part out and puts the present one in.
    """

    dictionary: Dictionary
    settings: LassoSettings = LASSO
    _rows: dict[Point, Floats] = field(default_factory=dict, repr=False)
    _usable: NDArray[np.bool_] = field(init=False, repr=False)
    _relative: RunningGram = field(init=False, repr=False)
    _absolute: RunningGram = field(init=False, repr=False)
    _observations: float = 0.0
    _not_positive: int = 0

    def __post_init__(self) -> None:
        size = 1 + len(self.dictionary.terms)
        self._usable = np.ones(size, dtype=np.bool_)
        self._relative, self._absolute = RunningGram(size), RunningGram(size)

    def update(self, point: Point, before: Statistics, after: Statistics) -> None:
        """The statistics of a point have changed; O(terms**2)."""
        row = self._rows.get(point)
        if row is None:
            row = self._rows[point] = self._row(point)
        for s, sign in ((before, -1), (after, 1)):
            if s.count:
                self._absolute.add(row, s.mean, sign * s.count, sign * s.squares)
                self._observations += sign * s.count
                if s.mean > 0:
                    weight = sign / s.mean**2
                    self._relative.add(row, s.mean, weight * s.count, weight * s.squares)
                else:
                    self._not_positive += sign

    def _row(self, point: Point) -> Floats:
        """(1 + T,): the constant and the terms; one that is undefined anywhere is out for good."""
        row = np.append(1.0, self.dictionary.values(point))
        finite = np.isfinite(row) & (np.abs(row) < self.settings.largest)
        self._usable = self._usable & finite
        return np.where(finite, row, 0.0)

    def model(self, series: Series) -> Model:
        """The model of everything observed so far; `series` holds the points' means, at which its
        errors are stated."""
        sums = self._absolute if self._not_positive else self._relative
        fit = _chosen(sums, self._usable, self._observations, len(self._rows), self)
        return _model(fit, self, series)


@dataclass(frozen=True)
class _Fit:
    """Numbers of the chosen columns, constant first, their coefficients (k,), the inverse (k, k) of
    their Gram matrix, and the weighted residual sum of squares."""

    columns: tuple[int, ...]
    coefficients: Floats
    inverse: Floats
    rss: float


def lasso(series: Series, prior: Prior) -> Model:
    """The model of a series that was measured before; the same as that of its observations one
    after the other."""
    found = GramLasso(Dictionary.of(series.parameters, prior))
    for point, n, mean, squares in zip(
        series.points.tolist(), series.counts, series.means, series.squares, strict=True
    ):
        found.update(tuple(point), Statistics(), Statistics(float(n), float(mean), float(squares)))
    return found.model(series)


def _chosen(
    sums: RunningGram, usable: NDArray[np.bool_], observations: float, points: int, of: GramLasso
) -> _Fit:
    """The best set of terms on the path.

    Columns are centred and scaled to unit variance first, so that the constant is not penalised and
    units of terms do not matter.
    """
    settings, dictionary = of.settings, of.dictionary
    gram, moments = sums.gram, sums.moments
    total = gram[0, 0]
    centred = gram - np.outer(gram[0], gram[0]) / total
    target = moments - gram[0] * moments[0] / total
    variance = np.diag(centred)
    live = np.flatnonzero(usable & (variance > settings.constant * np.diag(gram)))
    scale = np.sqrt(variance[live])
    correlation = centred[np.ix_(live, live)] / np.outer(scale, scale)
    moment = target[live] / scale
    whole = max(sums.squares - moments[0] ** 2 / total, 0.0)
    if whole <= settings.exact * sums.squares or not len(live):
        return _refit(sums, ())
    known = [k for k, c in enumerate(live.tolist()) if c - 1 in dictionary.known]
    sets = _sets(correlation, moment / np.sqrt(whole), observations, known, of)
    names = [tuple(int(live[k]) for k in s) for s in sets]
    floor = settings.exact * sums.squares
    log_negative = math.log(DEFAULT.coefficients.negative)
    most = max(points - 2, 0)
    if not dictionary.fixed:  # whose terms are right, whatever the number of points
        most = min(most, max(1, points // settings.points_per_term))
    best: tuple[bool, float, int] | None = None
    for number, (some, columns) in enumerate(zip(sets, names, strict=True)):
        if len(some) > most:
            continue
        part = list(some)
        matrix = correlation[np.ix_(part, part)]
        if part and np.linalg.det(matrix) < settings.dependent:
            continue
        solved = np.linalg.solve(matrix, moment[part]) if part else np.zeros(0)
        rss = max(whole - float(solved @ moment[part]), floor)
        score = _criterion(rss, observations, len(part) + 2, settings.least_freedom)
        score += 2 * float(dictionary.costs[[c - 1 for c in columns]].sum())
        score -= 2 * log_negative * int((solved < 0).sum())
        enough = dictionary.grows_enough(c - 1 for c in columns)
        if best is None or (not enough, score) < best[:2]:
            best = not enough, score, number
    assert best is not None  # the constant is always among the sets
    return _refit(sums, names[best[2]])


def _sets(
    correlation: Floats, moment: Floats, observations: float, known: Sequence[int], of: GramLasso
) -> list[tuple[int, ...]]:
    """Sets of columns worth a fit: those on the path, and all small ones of the columns that enter
    it and of the known ones: terms of the normal form are so alike that the path often enters one
    that stands for two."""
    settings = of.settings
    if of.dictionary.fixed:
        return [(), *_subsets(known, len(known))]
    path = _path(correlation, moment, observations, settings.longest)
    entered = list(dict.fromkeys(k for some in path for k in some))
    small = _subsets(dict.fromkeys((*known, *entered)), 2)
    on_path = [s for s in path if len(s) <= settings.most_coefficients]
    return [(), *dict.fromkeys((*small, *(tuple(sorted(s)) for s in on_path)))]


def _subsets(items: Iterable[int], most: int) -> list[tuple[int, ...]]:
    every = sorted(items)
    return [s for size in range(1, most + 1) for s in combinations(every, size)]


def _path(
    correlation: Floats, moment: Floats, observations: float, longest: int
) -> list[tuple[int, ...]]:
    """The active sets along the LASSO path, from the largest penalty down."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import lars_path_gram

    with warnings.catch_warnings():  # columns that are alike drop out of the path, as they should
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        _, _, coefficients = lars_path_gram(
            moment,
            correlation,
            n_samples=max(round(observations), 1),
            max_iter=longest,
            method="lasso",
        )
    steps = [tuple(np.flatnonzero(step).tolist()) for step in coefficients.T]
    return [s for s in dict.fromkeys(steps) if s]


def _criterion(rss: float, observations: float, coefficients: int, least: float) -> float:
    """The Bayesian information criterion (Schwarz, 1978) with the small-sample correction of
    Hurvich and Tsai (1989); the noise counts as a coefficient."""
    left = max(observations - coefficients - 1, least)
    penalty = np.log(observations) * coefficients + 2 * coefficients * (coefficients + 1) / left
    return float(observations * np.log(rss / observations) + penalty)


def _refit(sums: RunningGram, columns: tuple[int, ...]) -> _Fit:
    """Least squares without the penalty, from the sums alone."""
    own = [0, *columns]
    gram, moments = sums.gram[np.ix_(own, own)], sums.moments[own]
    scale = np.sqrt(np.diag(gram))
    inverse = np.linalg.pinv(gram / np.outer(scale, scale), hermitian=True) / np.outer(scale, scale)
    coefficients = inverse @ moments
    rss = max(sums.squares - float(coefficients @ moments), 0.0)
    return _Fit(tuple(own), coefficients, inverse, rss)


def _model(fit: _Fit, of: GramLasso, series: Series) -> Model:
    """The fit with its errors at the points and its prediction interval."""
    y, points = series.means, len(series.means)
    relative = bool((y > 0).all())
    rows = np.array([of._rows[tuple(p)][list(fit.columns)] for p in series.points.tolist()])
    value = rows @ fit.coefficients
    weights = series.counts / (y**2 if relative else 1.0)
    leverage = weights * np.einsum("pi,ij,pj->p", rows, fit.inverse, rows)
    left_out = y - (y - value) / (1 - np.minimum(leverage, 1 - ARITHMETIC.leverage))
    terms = tuple(
        (float(c), of.dictionary.terms[k - 1])
        for c, k in zip(fit.coefficients[1:], fit.columns[1:], strict=True)
    )
    r2 = adjusted_determination(determination(y, value), points, len(terms))
    return Model(
        series.callpath,
        series.metric,
        series.parameters,
        float(fit.coefficients[0]),
        terms,
        Quality(float(smape(y, value)), float(r2), float(smape(y, left_out)), points),
        points > len(fit.columns),
        None if points > len(fit.columns) else "as many coefficients as points",
        (),
        _mixture(fit, series, terms, relative),
    )


def _mixture(
    fit: _Fit, series: Series, terms: tuple[tuple[float, Term], ...], relative: bool
) -> PredictiveMixture | None:
    """The one law that was chosen; None without degrees of freedom."""
    freedom = float(series.counts.sum()) - len(fit.columns)
    if freedom <= 0:
        return None
    sigma = float(np.sqrt(fit.rss / freedom))
    unit = 1.0 if relative else float(np.abs(series.means).mean()) or 1.0
    values, vectors = np.linalg.eigh(fit.inverse)
    root = vectors * np.sqrt(np.maximum(values, 0.0)) * unit
    law = Alternative(
        1.0,
        sigma / unit,
        0.0,
        float(fit.coefficients[0]),
        terms,
        tuple(tuple(row) for row in root.tolist()),
    )
    return PredictiveMixture((law,), (), relative)
