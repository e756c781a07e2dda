"""Candidates with one parameter: every hypothesis of up to two terms, and triples of plain terms,
ranked by their approximate evidence.

Noise is relative, so weights differ between series. Series of similar shape (slope and curvature in
log-log coordinates) use the same weights in this ranking, and with them the same quadratic forms of
all hypotheses, which is what makes it fast. The best get an exact fit later (`candidate_fits`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from ..data.measurements import Floats
from ..evidence.noise import Levels
from ..evidence.posterior import level_constants
from ..kernel.lines import LineForms
from ..kernel.ranking import Weighted, ranked
from ..kernel.worth import Ranked, worth_fitting
from ..pmnf.dictionary import FactorTable
from ..pmnf.hypotheses import Candidates, Codes
from ..settings import DEFAULT, RANKINGS_KEPT, CoefficientSettings, Settings, SingleSettings, at


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """All hypotheses with k coefficients: rows of factor numbers (H, k), log prior (H,). They are
    factored for each weighting of the points once."""

    rows: Codes
    prior: Floats
    _weighted: dict[bytes, Weighted] = field(default_factory=dict, repr=False)
    _forms: dict[bytes, LineForms] = field(default_factory=dict, repr=False)

    def line_forms(
        self, columns: Floats, weight: Floats, at: bytes, settings: CoefficientSettings
    ) -> LineForms:
        """The quadratic forms of their errors along lines with points of this weight (P,); `at`
        tells apart columns (T, P) of factors at several sets of points."""
        key = at + weight.tobytes()
        found = self._forms.get(key)
        if found is None:
            found = LineForms.of(self.rows, columns, weight, settings)
            if len(self._forms) >= RANKINGS_KEPT:
                self._forms.clear()
            self._forms[key] = found
        return found

    def weighted(self, columns: Floats, weight: Floats, settings: CoefficientSettings) -> Weighted:
        """Those hypotheses, made of these columns (T, P) of factors, factored for points of this
        weight (P,)."""
        key = weight.tobytes()
        found = self._weighted.get(key)
        if found is None:
            found = Weighted.of(self.rows, columns, weight, self.prior, settings)
            if len(self._weighted) >= RANKINGS_KEPT:
                self._weighted.clear()
            self._weighted[key] = found
        return found


def enumerate_hypotheses(
    table: FactorTable,
    points: int,
    known: frozenset[int] = frozenset(),
    settings: Settings = DEFAULT,
    *,
    plain_laws: bool = True,
) -> list[Hypotheses]:
    """Hypotheses grouped by size, fewest coefficients first; none has as many coefficients as there
    are points. `plain_laws`: laws whose factors are all plain are more probable than their factors
    one by one.

    Triples are made of plain factors only, to which `known` ones (numbers of factors) count.
    """
    none, one, two, three = settings.hypotheses.log_terms.tolist()
    without, with_one = settings.hypotheses.log_constant.tolist()
    number = np.arange(1, len(table.factors))
    cost, unusual = partial(_cost, *_families(table, plain_laws, settings)), table.unusual
    found: dict[int, list[tuple[Codes, Floats]]] = {
        1: [(np.zeros((1, 1), dtype=np.int64), np.array([none]))]
    }

    def add(rows: Codes, prior: Floats | float, price: Floats | float = 0.0) -> None:
        """Rows of factor numbers, without a constant and with it."""
        size = rows.shape[1]
        found.setdefault(size, []).append((rows, prior + without - price))
        constant_first = np.insert(rows, 0, 0, axis=1)
        found.setdefault(size + 1, []).append((constant_first, prior + with_one - price))

    if points >= 2 and len(number):
        add(number[:, None], one, cost(number[:, None]))
        first, second = np.triu_indices(len(number), 1)
        first, second = first + 1, second + 1
        few = unusual[first] + unusual[second] < settings.single.most_unusual
        first, second = first[few], second[few]
        # a set of two terms is two ordered pairs, one of three terms six ordered triples
        pairs = np.stack([first, second], axis=1)
        add(pairs, two + np.log(2) - cost(pairs) - table.cost_together(pairs))
        simple = _simple(settings)
        plain = [k for k in number.tolist() if table.factors[k] in simple or k in known]
        orders = math.factorial(len(settings.hypotheses.terms) - 1)
        triples = np.array(list(combinations(plain, 3)), dtype=np.int64).reshape(-1, 3)
        add(triples, three + np.log(orders) - cost(triples) - table.cost_together(triples))
    return [
        Hypotheses(np.concatenate([r for r, _ in parts]), np.concatenate([p for _, p in parts]))
        for k, parts in sorted(found.items())
        if k < max(points, 2) and (k < 2 or points > 2) and any(len(p) for _, p in parts)
    ]


def _simple(settings: Settings) -> set[tuple[Fraction, Fraction]]:
    """The factors of plain laws."""
    return {(Fraction(i), Fraction(j)) for i, j in settings.single.plain}


def _families(
    table: FactorTable, plain_laws: bool, settings: Settings
) -> tuple[tuple[float, Floats], ...]:
    """The log share of each family of laws, and the negative log prior (T,) of a factor in it:
    those of all factors, and those of plain ones alone."""
    simple = _simple(settings)
    plain = np.array([f in simple for f in table.factors])
    if not plain_laws or not plain.any():
        return ((0.0, table.costs),)
    logs = np.where(plain, -table.unusual, -np.inf)
    share = settings.hypotheses.plain_share
    own = np.logaddexp.reduce(logs) - logs
    return (float(np.log1p(-share)), table.costs), (float(np.log(share)), own)


def _cost(*args: Any) -> Floats:
    """Negative log prior of the factors in rows (H, k) of numbers."""
    *families, rows = args
    logs = [share - cost[rows].sum(axis=1) for share, cost in families]
    result: Floats = -np.logaddexp.reduce(logs)
    return result


def single_candidates(
    hypotheses: list[Hypotheses],
    columns: Floats,
    y: Floats,
    magnitude: Floats,
    spread: Floats,
    distance: Floats,
    levels: Levels,
    repetitions: Floats,
) -> list[Candidates]:
    """The hypotheses worth an exact fit, by size; those that are hopeless under every noise level
    have no probability.

    Args:
        hypotheses: all of them, by size.
        columns: (T, P) values of the factors.
        y, magnitude, spread: (K, P) as in `Batch`.
        distance: (P,) steps below the largest point.
        levels: noise levels.
        repetitions: (K, S) log likelihood of the repetitions under each.
    """
    settings = levels.settings.single
    variances = levels.variances(distance)
    if y.shape[1] > settings.most_points:  # ranking needs no more; the exact fits use all
        some = np.linspace(0, y.shape[1] - 1, settings.most_points).round().astype(np.int64)
        columns, y, magnitude, variances, spread = (
            a[:, some] for a in (columns, y, magnitude, variances, spread)
        )
    shapes = similar_shapes(magnitude, settings)
    weights = _weights(shapes, spread, variances)
    found = [
        _ranking(group, columns, y, spread, variances, shapes[0], weights, levels, repetitions)
        for group in hypotheses
    ]
    most = settings.most if levels.pooled else settings.most_alone
    groups = [Ranked(*r, g.rows, g.prior) for g, r in zip(hypotheses, found, strict=True)]
    worth = worth_fitting(groups, most, settings.always, settings.hopeless)
    return [Candidates(*c) for c in worth]


def _weights(shapes: tuple[Codes, Floats], spread: Floats, variances: Floats) -> Floats:
    """(labels, V, P): weights of the points for series of each shape under each noise profile."""
    labels, reference = shapes
    usual = np.stack([spread[labels == k].mean(axis=0) for k in range(len(reference))])
    result: Floats = 1 / (reference * np.sqrt(usual))[:, None] / np.sqrt(variances)
    return result


def _ranking(
    group: Hypotheses,
    columns: Floats,
    y: Floats,
    spread: Floats,
    variances: Floats,
    labels: Codes,
    weights: Floats,
    levels: Levels,
    repetitions: Floats,
) -> tuple[Codes, Floats]:
    """Numbers (K, n) of the best hypotheses of one size, and their approximate log evidence,
    infinite where all of them are kept; labels (K,) tell which of the weights (labels, V, P) are
    those of a series."""
    settings, size, points = levels.settings, group.rows.shape[1], y.shape[1]
    keep = min(at(settings.single.kept, size - 1), len(group.prior))
    if keep == len(group.prior):
        number = np.tile(np.arange(keep), (len(y), 1))
        return number, np.full(number.shape, np.inf)
    weighted = [group.weighted(columns, w, settings.coefficients) for of in weights for w in of]
    constants = (
        level_constants(float(points - size), levels.sigmas, levels.prior, repetitions)
        - 0.5 * np.log(variances).sum(axis=1)[:, None]
    )
    return ranked(
        y,
        labels,
        weighted,
        size,
        group.prior,
        keep,
        (1 / (spread[:, None] * variances)).mean(axis=2),
        constants,
        -0.5 / levels.sigmas**2,
        settings.coefficients,
    )


def similar_shapes(magnitude: Floats, settings: SingleSettings) -> tuple[Codes, Floats]:
    """(label of each series, relative shape of each label (labels, P)).

    A shape has a slope and a curvature, rounded, so that it does not depend on what other series
    there are.
    """
    logs = np.log(magnitude)
    steps = np.linspace(-1, 1, logs.shape[1])
    curves = np.stack([steps, steps**2 - (steps**2).mean()])
    size = (curves**2).sum(axis=1, keepdims=True)
    rounded = np.round(logs @ (curves / np.where(size > 0, size, 1.0)).T / settings.shape_step)
    # complex numbers are in lexical order, and sorted far faster than rows are
    kinds, labels = np.unique(rounded[:, 0] + 1j * rounded[:, 1], return_inverse=True)
    shapes = np.stack([kinds.real, kinds.imag], axis=1)
    return labels.reshape(-1), np.exp(settings.shape_step * shapes @ curves)
