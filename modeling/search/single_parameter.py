"""Candidates with one parameter: every hypothesis of up to two terms, and triples of plain terms,
ranked by their approximate evidence.

Noise is relative, so weights differ between series. Series of similar shape (slope and curvature in
log-log coordinates) use the same weights in this ranking, and with them the same quadratic forms of
all hypotheses, which is what makes it fast. The best get an exact fit later (`candidate_fits`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from ctypes import CDLL
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.noise import Levels
from ..evidence.posterior import coefficient_evidence, level_constants, level_likelihood, log_sum
from ..kernel import ranking as compiled
from ..kernel.library import kernel
from ..kernel.lines import LineForms
from ..kernel.worth import Ranked, worth_fitting
from ..least_squares.batched_gram_schmidt import Factored, factor
from ..least_squares.quadratic_forms import (
    Forms,
    form_errors,
    left_by,
    residual_errors,
    residual_forms,
)
from ..pmnf.dictionary import FactorTable
from ..pmnf.hypotheses import Candidates, Codes, columns_of, least, limit_of
from ..settings import (
    ARITHMETIC,
    DEFAULT,
    MOST_FORM_POINTS,
    RANKINGS_KEPT,
    CoefficientSettings,
    Settings,
    SingleSettings,
    at,
)


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """All hypotheses with k coefficients: rows of factor numbers (H, k), log prior (H,). They are
    factored for each weighting of the points once."""

    rows: Codes
    prior: Floats
    _factored: dict[bytes, Weighted] = field(default_factory=dict, repr=False)
    _compiled: dict[bytes, compiled.Weighted] = field(default_factory=dict, repr=False)
    _forms: dict[bytes, LineForms] = field(default_factory=dict, repr=False)

    def weighted(self, columns: Floats, weight: Floats, at: bytes = b"") -> Weighted:
        """Those hypotheses, made of these columns (T, P) of factors, factored for points of this
        weight (P,); `at` tells apart columns at several sets of points."""
        key = at + weight.tobytes()
        found = self._factored.get(key)
        if found is None:
            factored = factor(columns_of(self.rows[..., None], [columns * weight]))
            scale = np.exp(-2 / len(weight) * self.prior)
            found = Weighted(factored, np.where(np.isinf(factored.log_volume), np.inf, scale))
            if len(self._factored) >= RANKINGS_KEPT:
                self._factored.clear()
            self._factored[key] = found
        return found

    def line_forms(
        self,
        library: CDLL,
        columns: Floats,
        weight: Floats,
        at: bytes,
        settings: CoefficientSettings,
    ) -> LineForms:
        """The quadratic forms of their errors along lines; arguments as those of `weighted`.

        Raises:
            MemoryError: there is no room for them.
        """
        key = at + weight.tobytes()
        found = self._forms.get(key)
        if found is None:
            found = LineForms.of(library, self.rows, columns, weight, settings)
            if found is None:
                raise MemoryError
            if len(self._forms) >= RANKINGS_KEPT:
                self._forms.clear()
            self._forms[key] = found
        return found

    def compiled(
        self, library: CDLL, columns: Floats, weight: Floats, settings: CoefficientSettings
    ) -> compiled.Weighted:
        """The same for the kernel.

        Raises:
            MemoryError: there is no room for them.
        """
        key = weight.tobytes()
        found = self._compiled.get(key)
        if found is None:
            found = compiled.Weighted.of(library, self.rows, columns, weight, self.prior, settings)
            if found is None:
                raise MemoryError
            if len(self._compiled) >= RANKINGS_KEPT:
                self._compiled.clear()
            self._compiled[key] = found
        return found


@dataclass(frozen=True)
class Weighted:
    """H hypotheses of k coefficients, factored at P points, and the scale (H,) of their errors that
    stands for their prior, infinite for those with dependent columns."""

    factored: Factored
    scale: Floats

    @cached_property
    def forms(self) -> Floats:
        """(P (P + 1) / 2, H): the quadratic forms of their scaled errors."""
        return self.plain_forms.packed * self._finite

    @cached_property
    def plain_forms(self) -> Forms:
        """The same of their errors as they are."""
        return residual_forms(self.factored.basis)

    @cached_property
    def rows(self) -> Floats:
        """(H, k P): their bases, one after the other."""
        k, points, _ = self.factored.basis.shape
        return np.ascontiguousarray(self.factored.basis.transpose(2, 0, 1)).reshape(-1, k * points)

    @cached_property
    def widths(self) -> Floats:
        """(k, H): standard deviations of their coefficients for residuals of one."""
        k, points, _ = self.factored.basis.shape
        root = self.factored.root
        found: Floats = np.sqrt(np.einsum("ijh,ijh->ih", root, root) / max(points - k, 1))
        return found

    def errors(self, values: Floats) -> Iterator[tuple[slice, Floats]]:
        """Scaled errors of weighted values (K, P), some rows (rows, H) at a time."""
        points = values.shape[1]
        if points <= MOST_FORM_POINTS and ("forms" in self.__dict__ or len(values) > points):
            return form_errors(self.forms, values)
        return residual_errors(self.factored.basis, values, self._finite)

    @cached_property
    def _finite(self) -> Floats:
        """(H,): the scale, 1 where it is infinite."""
        return np.where(np.isfinite(self.scale), self.scale, 1.0)

    def least(self, values: Floats, scaled: Floats, keep: int) -> tuple[Codes, Floats]:
        """(K, keep) numbers of the hypotheses with the least scaled errors (K, H) of weighted
        values (K, P), which are changed, and these errors. Those that are small are computed again
        from residuals."""
        np.maximum(scaled, ARITHMETIC.error * self._finite, out=scaled)
        scaled[:, np.isinf(self.scale)] = np.inf
        small = scaled < ARITHMETIC.difference * self.scale
        if small.any():
            slack = ARITHMETIC.slack * self._finite.max()
            small &= scaled <= (slack - limit_of(-scaled, keep)) * (1 + 2 * ARITHMETIC.equal)
        series, number = np.nonzero(small)
        left = left_by(self.factored.basis, values[series], number)
        scaled[series, number] = np.maximum(left, ARITHMETIC.error) * self.scale[number]
        found = least(scaled, keep)
        return found, np.take_along_axis(scaled, found, axis=1)


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
    ranked = [
        _ranking(group, columns, y, spread, variances, shapes[0], weights, levels, repetitions)
        for group in hypotheses
    ]
    most = settings.most if levels.pooled else settings.most_alone
    if (library := kernel()) is not None:
        groups = [Ranked(*r, g.rows, g.prior) for g, r in zip(hypotheses, ranked, strict=True)]
        limits = most, settings.always, settings.hopeless
        return [Candidates(*c) for c in worth_fitting(library, groups, *limits)]
    worth = _worth([evidence for _, evidence in ranked], most, settings)
    return [
        _candidates(group, number, w)
        for group, (number, _), w in zip(hypotheses, ranked, worth, strict=True)
    ]


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
    """Numbers (K, n) of the best hypotheses of one size, and their approximate log evidence, by the
    kernel or numpy; labels (K,) tell which of the weights (labels, V, P) are those of a series."""
    library, settings = kernel(), levels.settings
    keep = _kept(group, settings.single)
    if library is None or keep == len(group.prior):
        best = _ranked(group, columns, y, labels, weights, settings)
        return best.number, _evidence(group, best, spread, variances, levels, repetitions)
    size, points = group.rows.shape[1], y.shape[1]
    weighted = [
        group.compiled(library, columns, w, settings.coefficients) for of in weights for w in of
    ]
    constants = (
        level_constants(float(points - size), levels.sigmas, levels.prior, repetitions)
        - 0.5 * np.log(variances).sum(axis=1)[:, None]
    )
    return compiled.ranked(
        library,
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


def _ranked(
    group: Hypotheses,
    columns: Floats,
    y: Floats,
    labels: Codes,
    weights: Floats,
    settings: Settings,
) -> _Best:
    """The best hypotheses of one size under each noise profile; all of them where they are few."""
    keep = _kept(group, settings.single)
    if keep == len(group.prior):
        number = np.tile(np.arange(keep), (len(y), 1))
        return _Best(number, np.zeros(number.shape), np.zeros(number.shape))
    size = (len(y), keep * weights.shape[1])
    found = _Best(np.empty(size, dtype=np.int64), np.empty(size), np.empty(size))
    for label, of in enumerate(weights):
        rows = np.flatnonzero(labels == label)
        best = [_best(group, columns, y[rows], weight, keep, settings) for weight in of]
        found.number[rows] = np.concatenate([b.number for b in best], axis=1)
        found.errors[rows] = np.concatenate([b.errors for b in best], axis=1)
        found.base[rows] = np.concatenate([b.base for b in best], axis=1)
    return found


def _kept(group: Hypotheses, settings: SingleSettings) -> int:
    return min(at(settings.kept, group.rows.shape[1] - 1), len(group.prior))


def _candidates(group: Hypotheses, index: Codes, tolerable: NDArray[np.bool_]) -> Candidates:
    """Hypotheses of a group by number (K, n); those that stand twice count once."""
    both = np.sort(2 * index + ~tolerable, axis=1)  # a tolerable one comes first
    index, tolerable = both >> 1, (both & 1) == 0
    repeated = np.zeros(index.shape, dtype=bool)
    repeated[:, 1:] = index[:, 1:] == index[:, :-1]
    return Candidates(
        group.rows[index][..., None], np.where(repeated | ~tolerable, -np.inf, group.prior[index])
    )


@dataclass(frozen=True)
class _Best:
    """Numbers of hypotheses, their relative errors, and the part of their log evidence that depends
    on neither prior nor noise level (see `posterior`), all (K, n)."""

    number: Codes
    errors: Floats
    base: Floats


def _best(
    group: Hypotheses, columns: Floats, y: Floats, weight: Floats, keep: int, settings: Settings
) -> _Best:
    """The hypotheses of the group with the greatest profiled evidence.

    The profiled evidence is log prior - P/2 log error; error * prior**(-2/P) has the same order.
    """
    values = y * weight
    values = values / np.sqrt(np.maximum((values**2).mean(axis=1, keepdims=True), ARITHMETIC.tiny))
    weighted = group.weighted(columns, weight)
    scale = weighted.scale
    number, errors = np.empty((len(y), keep), dtype=np.int64), np.empty((len(y), keep))
    for rows, scaled in weighted.errors(values):
        number[rows], errors[rows] = weighted.least(values[rows], scaled, keep)
    with np.errstate(invalid="ignore"):
        errors = np.where(np.isfinite(errors), errors / scale[number], 1.0)
    return _Best(number, errors, _rough_base(weighted, values, number, errors, settings))


def _rough_base(
    weighted: Weighted, values: Floats, number: Codes, errors: Floats, settings: Settings
) -> Floats:
    """(K, n): the part of the log evidence without prior, noise level and errors."""
    found = np.empty(number.shape)
    factored, basis, widths = weighted.factored, weighted.rows, weighted.widths
    k, points, _ = factored.basis.shape
    together = settings.single.together
    for start in range(0, len(values), together):
        rows = slice(start, start + together)
        chosen = number[rows]
        projected = np.matmul(
            basis[chosen].reshape(len(chosen), -1, points), values[rows, :, None]
        ).reshape(*chosen.shape, k)
        coefficients = np.einsum("ijrn,rnj->irn", factored.root[:, :, chosen], projected)
        found[rows] = coefficient_evidence(
            coefficients, widths[:, chosen] * np.sqrt(errors[rows]), settings.coefficients
        )
    return found - factored.log_volume[number]


def _evidence(
    group: Hypotheses,
    best: _Best,
    spread: Floats,
    variances: Floats,
    levels: Levels,
    repetitions: Floats,
) -> Floats:
    """(K, n): approximate log evidence of hypotheses that have these relative errors; infinite
    where all of a size are kept and no errors were computed."""
    size, profiles = group.rows.shape[1], len(variances)
    if _kept(group, levels.settings.single) == len(group.prior):
        return np.full(best.number.shape, np.inf)
    precision = (1 / (spread[:, None] * variances)).mean(axis=2)
    squares = best.errors.reshape(len(best.errors), profiles, -1) * precision[..., None]
    volume = 0.5 * np.log(variances).sum(axis=1)
    each = level_likelihood(
        -volume[:, None], squares, float(variances.shape[1] - size), levels.sigmas
    )
    each += (repetitions.T[:, :, None] + levels.prior[:, None])[..., None]
    total = log_sum(each)
    result: Floats = total.reshape(best.errors.shape) + group.prior[best.number] + best.base
    return result


def _worth(
    evidence: Sequence[Floats], most: int, settings: SingleSettings
) -> list[NDArray[np.bool_]]:
    """(K, n) of each size: is it among the `most` most probable of its series, and not hopeless?

    The best of one term always are, so that something is left when what fits better turns negative
    beyond the data.
    """
    every = np.concatenate(evidence, axis=1)
    every[np.isposinf(every)] = -np.inf  # kept anyway, and no measure for others
    limit = np.maximum(every.max(axis=1, keepdims=True) - settings.hopeless, limit_of(every, most))
    limit -= ARITHMETIC.evidence  # those that are equal but for rounding are all kept
    always = limit_of(evidence[0], settings.always) - ARITHMETIC.evidence
    return [evidence[0] >= np.minimum(limit, always), *(e >= limit for e in evidence[1:])]


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
