"""Candidates with one parameter: every hypothesis of up to two terms is ranked, and triples of
plain terms.

Weights are relative, so they differ between series; series of similar shape (slope and curvature in
log-log) share their weights for this ranking, and with them the quadratic forms of all hypotheses.
The best are weighed exactly later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.noise import Levels
from ..evidence.posterior import coefficient_evidence, level_likelihood, log_sum
from ..least_squares.batched_gram_schmidt import Factored, factor
from ..least_squares.quadratic_forms import residual_errors
from ..pmnf.dictionary import FactorTable
from ..pmnf.hypotheses import (
    CONSTANT,
    ONE_TERM,
    THREE_TERMS,
    TWO_TERMS,
    WITH_CONSTANT,
    WITHOUT_CONSTANT,
    Candidates,
    Codes,
    columns_of,
    least,
    limit_of,
)

_MOST_UNUSUAL = 3.7
_KEEP = {1: 8, 2: 12, 3: 10, 4: 2}
_SHAPE_STEP = 1.0
_FLOOR = 1e-26
_HOPELESS = 14.0
_MOST, _MOST_ALONE = 16, 48
_ALWAYS = 3
_TOGETHER = 256
_MOST_POINTS = 256
_PLAIN = {
    (Fraction(i), Fraction(j)) for i, j in ((1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (1, 1), (2, 1))
}


@dataclass(frozen=True)
class Hypotheses:
    """All hypotheses with k coefficients: rows of factor numbers (H, k), log prior (H,)."""

    rows: Codes
    prior: Floats


def enumerate_hypotheses(
    table: FactorTable, points: int, known: frozenset[int] = frozenset()
) -> list[Hypotheses]:
    """Hypotheses grouped by size, fewest coefficients first; none has as many coefficients as there
    are points.

    `known` terms stand in triples as plain ones do.
    """
    number = np.arange(1, len(table.factors))
    cost, unusual = table.costs, table.unusual
    found: dict[int, list[tuple[Codes, Floats]]] = {
        1: [(np.zeros((1, 1), dtype=np.int64), np.array([CONSTANT]))]
    }

    def add(rows: Codes, prior: Floats) -> None:
        found.setdefault(rows.shape[1], []).append((rows, prior))

    if points >= 2 and len(number):
        add(number[:, None], ONE_TERM + WITHOUT_CONSTANT - cost[number])
        add(np.stack([0 * number, number], axis=1), ONE_TERM + WITH_CONSTANT - cost[number])
        first, second = np.triu_indices(len(number), 1)
        first, second = first + 1, second + 1
        few = unusual[first] + unusual[second] < _MOST_UNUSUAL
        first, second = first[few], second[few]
        prior = TWO_TERMS + np.log(2) - cost[first] - cost[second]
        add(np.stack([first, second], axis=1), prior + WITHOUT_CONSTANT)
        add(np.stack([0 * first, first, second], axis=1), prior + WITH_CONSTANT)
        plain = [k for k in number.tolist() if table.factors[k] in _PLAIN or k in known]
        triples = np.array(list(combinations(plain, 3)), dtype=np.int64).reshape(-1, 3)
        prior = THREE_TERMS + np.log(6) - cost[triples].sum(axis=1)
        add(triples, prior + WITHOUT_CONSTANT)
        add(np.insert(triples, 0, 0, axis=1), prior + WITH_CONSTANT)
    return [
        Hypotheses(np.concatenate([r for r, _ in parts]), np.concatenate([p for _, p in parts]))
        for k, parts in sorted(found.items())
        if k < max(points, 2) and (k < 2 or points > 2) and any(len(p) for _, p in parts)
    ]


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

    columns (T, P) of the factors; y, magnitude, spread (K, P); distance (P,); repetitions (K, S) is
    what they say of each noise level.
    """
    variances = levels.variances(distance)
    if y.shape[1] > _MOST_POINTS:  # ranking needs no more; the exact fits use all
        some = np.linspace(0, y.shape[1] - 1, _MOST_POINTS).round().astype(np.int64)
        columns, y, magnitude, variances, spread = (
            a[:, some] for a in (columns, y, magnitude, variances, spread)
        )
    labels, reference = similar_shapes(magnitude)
    index = [
        np.empty(
            (len(y), _kept(h) * (1 if _kept(h) == len(h.prior) else len(variances))), dtype=np.int64
        )
        for h in hypotheses
    ]
    errors, base = ([np.zeros(k.shape) for k in index] for _ in range(2))
    for label, shape in enumerate(reference):
        rows = np.flatnonzero(labels == label)
        weight = 1 / (shape * np.sqrt(spread[rows].mean(axis=0)))
        for k, group in enumerate(hypotheses):
            keep = _kept(group)
            if keep == len(group.prior):
                index[k][rows] = np.arange(keep)
                continue
            best = [
                _best(group, columns, y[rows], weight / np.sqrt(profile), keep)
                for profile in variances
            ]
            index[k][rows] = np.concatenate([b.number for b in best], axis=1)
            errors[k][rows] = np.concatenate([b.errors for b in best], axis=1)
            base[k][rows] = np.concatenate([b.base for b in best], axis=1)
    evidence = [
        _evidence(group, i, e, b, spread, variances, levels, repetitions)
        for group, i, e, b in zip(hypotheses, index, errors, base, strict=True)
    ]
    worth = _worth(evidence, _MOST if levels.pooled else _MOST_ALONE)
    return [_candidates(group, i, w) for group, i, w in zip(hypotheses, index, worth, strict=True)]


def _kept(group: Hypotheses) -> int:
    return min(_KEEP.get(group.rows.shape[1], 8), len(group.prior))


def _candidates(group: Hypotheses, index: Codes, tolerable: NDArray[np.bool_]) -> Candidates:
    """Hypotheses of a group by number (K, n); those that stand twice count once."""
    order = np.lexsort((~tolerable, index), axis=1)
    index, tolerable = (
        np.take_along_axis(index, order, axis=1),
        np.take_along_axis(tolerable, order, axis=1),
    )
    repeated = np.zeros(index.shape, dtype=bool)
    repeated[:, 1:] = index[:, 1:] == index[:, :-1]
    return Candidates(
        group.rows[index][..., None], np.where(repeated | ~tolerable, -np.inf, group.prior[index])
    )


@dataclass(frozen=True)
class _Best:
    """Hypotheses by number, their relative errors, and what else their evidence depends on but for
    prior and noise level (see `posterior`), all (K, n)."""

    number: Codes
    errors: Floats
    base: Floats


def _best(group: Hypotheses, columns: Floats, y: Floats, weight: Floats, keep: int) -> _Best:
    """The hypotheses of the group with the greatest profiled evidence.

    The profiled evidence is log prior - P/2 log error; error * prior**(-2/P) has the same order.
    """
    values = y * weight
    values = values / np.sqrt(np.maximum((values**2).mean(axis=1, keepdims=True), 1e-300))
    scale = np.exp(-2 / y.shape[1] * group.prior)
    factored = factor(columns_of(group.rows[..., None], [columns * weight]))
    number, errors = np.empty((len(y), keep), dtype=np.int64), np.empty((len(y), keep))
    for rows, scaled in residual_errors(factored.basis, values, scale):
        np.maximum(scaled, _FLOOR * scale, out=scaled)
        number[rows] = least(scaled, keep)
        errors[rows] = np.take_along_axis(scaled, number[rows], axis=1)
    errors /= scale[number]
    return _Best(number, errors, _rough_base(factored, values, number, errors))


def _rough_base(factored: Factored, values: Floats, number: Codes, errors: Floats) -> Floats:
    """(K, n): log evidence of these hypotheses but for prior, noise level and errors."""
    found = np.empty(number.shape)
    k, points, _ = factored.basis.shape
    basis = np.ascontiguousarray(factored.basis.transpose(2, 0, 1)).reshape(-1, k * points)
    widths = np.sqrt(np.einsum("ijh,ijh->ih", factored.root, factored.root) / max(points - k, 1))
    for start in range(0, len(values), _TOGETHER):
        rows = slice(start, start + _TOGETHER)
        chosen = number[rows]
        projected = np.matmul(
            basis[chosen].reshape(len(chosen), -1, points), values[rows, :, None]
        ).reshape(*chosen.shape, k)
        coefficients = np.einsum("ijrn,rnj->irn", factored.root[:, :, chosen], projected)
        found[rows] = coefficient_evidence(coefficients, widths[:, chosen] * np.sqrt(errors[rows]))
    return found - factored.log_volume[number]


def _evidence(
    group: Hypotheses,
    index: Codes,
    errors: Floats,
    base: Floats,
    spread: Floats,
    variances: Floats,
    levels: Levels,
    repetitions: Floats,
) -> Floats:
    """(K, n): roughly the log evidence of hypotheses that have these relative errors; infinite
    where none was taken."""
    size, profiles = group.rows.shape[1], len(variances)
    if _kept(group) == len(group.prior):
        return np.full(index.shape, np.inf)
    precision = (1 / (spread[:, None] * variances)).mean(axis=2)
    squares = errors.reshape(len(errors), profiles, -1) * precision[..., None]
    volume = 0.5 * np.log(variances).sum(axis=1)
    each = level_likelihood(
        -volume[:, None], squares, float(variances.shape[1] - size), levels.sigmas
    )
    each += (repetitions.T[:, :, None] + levels.prior[:, None])[..., None]
    total = log_sum(each)
    result: Floats = total.reshape(errors.shape) + group.prior[index] + base
    return result


def _worth(evidence: Sequence[Floats], most: int) -> list[NDArray[np.bool_]]:
    """(K, n) of each size: is it among the `most` probable of its series, and not hopeless?

    The best of one term always are, so that something is left when what fits better turns negative
    beyond the data.
    """
    every = np.concatenate(evidence, axis=1)
    every[np.isposinf(every)] = -np.inf  # kept anyway, and no measure for others
    limit = np.maximum(every.max(axis=1, keepdims=True) - _HOPELESS, limit_of(every, most))
    return [
        evidence[0] >= np.minimum(limit, limit_of(evidence[0], _ALWAYS)),
        *(e >= limit for e in evidence[1:]),
    ]


def similar_shapes(magnitude: Floats) -> tuple[Codes, Floats]:
    """(label of each series, relative shape of each label (labels, P)).

    A shape has a slope and a curvature, rounded, so that it does not depend on what other series
    there are.
    """
    logs = np.log(magnitude)
    steps = np.linspace(-1, 1, logs.shape[1])
    curves = np.stack([steps, steps**2 - (steps**2).mean()])
    size = (curves**2).sum(axis=1, keepdims=True)
    rounded = np.round(logs @ (curves / np.where(size > 0, size, 1.0)).T / _SHAPE_STEP)
    shapes, labels = np.unique(rounded, axis=0, return_inverse=True)
    return labels.reshape(-1), np.exp(_SHAPE_STEP * shapes @ curves)
