"""Candidates with several parameters.

As Calotoiu et al. (CLUSTER 2016, IV.B) found, the factors of each parameter can be found one at a
time: along a line on which only one parameter varies, any structure is a function of that
parameter, whose coefficients may differ from line to line while its terms do not. The errors of
every one-parameter hypothesis are summed over all such lines. Products of the factors chosen are
then combined by a beam search, so sums of products come out as well as products of sums. Designs
without lines take plain factors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from ctypes import CDLL
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.noise import Levels
from ..evidence.posterior import level_likelihood, log_sum
from ..kernel.beam import States, Weigher
from ..kernel.library import kernel
from ..kernel.ranking import Summed, ranked_lines
from ..least_squares.quadratic_forms import Forms, left_by, summed_errors, summed_products
from ..pmnf.dictionary import FactorTable
from ..pmnf.hypotheses import Candidates, Codes, least, limit_of
from ..settings import (
    ARITHMETIC,
    DESIGNS_KEPT,
    MOST_FORM_POINTS,
    CoefficientSettings,
    HypothesisSettings,
    Settings,
    SeveralSettings,
    at,
)
from .beam_search import Level, beam_search
from .single_parameter import Hypotheses, Weighted, enumerate_hypotheses, similar_shapes


@dataclass(frozen=True)
class Line:
    """Points that differ in one parameter only: their row numbers, in ascending order of that
    parameter."""

    rows: Codes


def lines(points: Floats, parameter: int, fewest: int) -> list[Line]:
    """All lines along a parameter with at least so many points."""
    others = np.delete(points, parameter, axis=1)
    _, label = np.unique(others, axis=0, return_inverse=True)
    found = []
    for k in range(label.max() + 1):
        rows = np.flatnonzero(label.reshape(-1) == k)
        if len(rows) >= fewest:
            found.append(Line(rows[np.argsort(points[rows, parameter], kind="stable")]))
    return found


def several_candidates(
    points: Floats,
    tables: Sequence[FactorTable],
    columns: Sequence[Floats],
    y: Floats,
    magnitude: Floats,
    spread: Floats,
    known: Sequence[Codes],
    noise: Levels,
    repetitions: Floats,
) -> list[Candidates]:
    """The hypotheses worth an exact fit, by size.

    Args:
        points: (P, m).
        tables: factors of each parameter.
        columns: (T_l, P) values of the factors of parameter l.
        y, magnitude, spread: (K, P) as in `Batch`.
        known: terms (each m factor numbers) that are always among those combined.
        noise: levels of the noise.
        repetitions: (K, S) log likelihood of the repetitions under each level.
    """
    parameters = points.shape[1]
    settings = noise.settings
    width = at(settings.several.factors, parameters - 2)
    selected = [
        _selected(points, k, tables[k], columns[k], y, magnitude, spread, settings)
        for k in range(parameters)
    ]
    weight = 1 / (magnitude * np.sqrt(spread))
    distinguishable = [len(np.unique(x)) - 1 for x in points.T]
    found: dict[int, Candidates] = {}
    cached, least_together = settings.several.cached, settings.several.least_together
    together = max(least_together, cached // (len(points) * (1 + width) ** parameters))
    for start in range(0, len(y), together):
        rows = slice(start, start + together)
        terms, copies = _products([s[rows] for s in selected], known)
        cost = np.where(copies > 0, np.inf, _term_cost(terms, tables, settings))
        target = y[rows] * weight[rows]
        levels = beam_search(terms, columns, weight[rows], target, cost, settings.beam)
        states = _weighed(
            levels, terms, len(points), tables, distinguishable, noise, repetitions[rows]
        )
        for some in _worthy(levels, states, noise):
            _, n, size, _ = some.codes.shape
            if size not in found:
                codes = np.zeros((len(y), n, size, parameters), dtype=np.int64)
                found[size] = Candidates(codes, np.full((len(y), n), -np.inf))
            found[size].codes[rows], found[size].prior[rows] = some.codes, some.prior
    result = [found[size] for size in sorted(found)]
    if len(points) > settings.several.expanded_terms:
        expanded, absent = _expanded_products(selected, settings.several)
        prior = hypothesis_prior(expanded, tables, distinguishable, settings.hypotheses)
        result.append(Candidates(expanded, np.where(absent, -np.inf, prior)))
    return result


def _worthy(levels: Sequence[Level], states: Sequence[States], noise: Levels) -> list[Candidates]:
    """The states of each level of the beam as candidates; those that are not worth an exact fit
    have no probability."""
    worth = _worth(levels, [s.evidence for s in states], noise)
    return [
        Candidates(s.codes, np.where(some, s.prior, -np.inf))
        for s, some in zip(states, worth, strict=True)
    ]


def _weighed(
    levels: Sequence[Level],
    terms: Codes,
    points: int,
    tables: Sequence[FactorTable],
    distinguishable: Sequence[int],
    noise: Levels,
    repetitions: Floats,
) -> list[States]:
    """Prior and evidence of the states of each level, by the kernel or numpy."""
    library, settings = kernel(), noise.settings
    if library is not None:
        costs, constants = [t.costs for t in tables], repetitions + noise.prior[:, 0]
        weigher = Weigher(
            *(library, terms, costs, distinguishable), constants, noise.sigmas, points, settings
        )
        return [weigher.states(v.chosen, v.score, v.left, v.parts) for v in levels]
    found = []
    for level in levels:
        codes = terms[np.arange(len(terms))[:, None, None], level.chosen]
        prior = hypothesis_prior(codes, tables, distinguishable, settings.hypotheses)
        prior = np.where(np.isfinite(level.score), prior, -np.inf)
        found.append(States(codes, prior, _evidence(level, prior, points, noise, repetitions)))
    return found


def _evidence(
    level: Level, prior: Floats, points: int, noise: Levels, repetitions: Floats
) -> Floats:
    """(K, B): roughly the log evidence of the states of a level.

    The Occam factor (see `posterior`) depends on the product of coefficients and diagonal of R; the
    components of the target along the orthonormal basis have about the same product.
    """
    k = level.chosen.shape[2]
    left = np.maximum(level.left, points * ARITHMETIC.residual)
    sizes = 0.5 * np.log(level.parts**2 + (left / max(points - k, 1))[..., None]).sum(axis=2)
    each = level_likelihood(-sizes, left, float(points - k), noise.sigmas)
    each += (repetitions + noise.prior[:, 0]).T[:, :, None]
    result: Floats = log_sum(each) + prior - k * noise.settings.coefficients.log_width
    return result


def _worth(
    levels: Sequence[Level], evidence: Sequence[Floats], noise: Levels
) -> list[NDArray[np.bool_]]:
    """(K, B) of each level: is the state worth an exact fit? It must not be hopeless, and where the
    noise is known it must be among the most probable of its series. The best states of the first
    levels always are, so that something is left where better fits turn negative beyond the
    data."""
    settings = noise.settings.several
    score = np.concatenate([level.score for level in levels], axis=1)
    worth = score > score.max(axis=1, keepdims=True) - settings.hopeless
    every = np.concatenate(evidence, axis=1)
    if noise.pooled:
        worth &= every >= limit_of(every, settings.most) - ARITHMETIC.evidence
    found = np.split(worth, np.cumsum([e.shape[1] for e in evidence])[:-1], axis=1)
    for some, e in zip(found[: settings.always], evidence, strict=False):
        some |= e >= limit_of(e, settings.always) - ARITHMETIC.evidence
    return found


def _expanded_products(
    selected: Sequence[Codes], settings: SeveralSettings
) -> tuple[Codes, NDArray[np.bool_]]:
    """(K, n, 4, m) sets of terms of c(z) (f(x) + a) (g(y) + b), as nested loops with offsets have
    them, from the first factors of each pair of parameters and the first of the others, and (K, n)
    those whose factors do not exist.

    Where y has two values only, every g fits alike: the beam, which adds term by term, fills up
    with mixtures of them.
    """
    parameters = len(selected)
    sets, missing = [], []
    for x, y in combinations(range(parameters), 2):
        others = [k for k in range(parameters) if k not in (x, y)]
        common = [0, 1] if parameters <= settings.most_common else [0]
        first = range(at(settings.first_factors, parameters - 2))
        for f, g, *rest in product(first, first, *(common for _ in others)):
            term = np.zeros((len(selected[0]), settings.expanded_terms, parameters), dtype=np.int64)
            term[:, 1::2, x] = selected[x][:, f, None]
            term[:, 2:, y] = selected[y][:, g, None]
            absent = (selected[x][:, f] == 0) | (selected[y][:, g] == 0)
            for k, with_common in zip(others, rest, strict=True):
                term[:, :, k] = selected[k][:, 0, None] * with_common
                absent |= (selected[k][:, 0] == 0) & (with_common > 0)
            sets.append(term)
            missing.append(absent)
    return np.stack(sets, axis=1), np.stack(missing, axis=1)


def hypothesis_prior(
    codes: Codes,
    tables: Sequence[FactorTable],
    distinguishable: Sequence[int],
    settings: HypothesisSettings,
) -> Floats:
    """Log prior (K, n) of hypotheses with codes (K, n, k, m).

    A factor that several terms have in common is paid for once: f(x) + f(x) g(y) is more probable
    than f(x) + h(x) g(y). A parameter with d values has d linearly independent functions, the
    constant and d - 1 (distinguishable) others; a hypothesis with more factors of it is a simpler
    one in disguise.
    """
    cost = np.zeros(codes.shape[:2])
    for k, table in enumerate(tables):
        used = np.sort(codes[..., k], axis=2)
        first = np.ones(used.shape, dtype=bool)
        first[..., 1:] = used[..., 1:] != used[..., :-1]
        cost += (table.costs[used] * first).sum(axis=2)
        cost += settings.disguised * (((used > 0) & first).sum(axis=2) > distinguishable[k])
    involved = (codes > 0).sum(axis=-1)
    cost += settings.interaction * np.maximum(involved - 1, 0).sum(axis=2)
    number = (involved > 0).sum(axis=2)
    cost += number * np.log(2.0 ** codes.shape[-1] - 1)
    terms = settings.log_several_terms
    result: Floats = terms[np.minimum(number, len(terms) - 1)] - cost
    return result


def _term_cost(terms: Codes, tables: Sequence[FactorTable], settings: Settings) -> Floats:
    """Rough negative log prior (K, T) of a term inside a hypothesis."""
    unusual = sum(
        (table.unusual[terms[..., k]] for k, table in enumerate(tables)), np.zeros(terms.shape[:2])
    )
    involved = (terms > 0).sum(axis=2)
    several = settings.several
    rough: Floats = (
        np.where(involved > 0, several.entry_cost, several.constant_cost)
        + several.oddness * unusual
        + settings.hypotheses.interaction * np.maximum(involved - 1, 0)
    )
    return rough


def _selected(
    points: Floats,
    parameter: int,
    table: FactorTable,
    columns: Floats,
    y: Floats,
    magnitude: Floats,
    spread: Floats,
    settings: Settings,
) -> Codes:
    """(K, width): the factors of one parameter that explain its lines best, padded with 0.

    They are no more than the points at which the parameter has another value than the usual one:
    those alone tell of its factors, and of more that fit them alike the oddest would be combined.
    """
    several = settings.several
    width = at(several.factors, points.shape[1] - 2)
    found = lines(points, parameter, several.line_points)
    if not found:
        plain = np.argsort(table.unusual[1:], kind="stable")[:width] + 1
        plain = np.pad(plain, (0, width - len(plain)))
        return np.broadcast_to(plain, (len(y), width))
    scores, rows = [], []
    every = _lines_alike(found, points[:, parameter], y, magnitude, spread, settings)
    for group in _line_hypotheses(table, max(len(line.rows) for line in found), settings):
        size = group.rows.shape[1]
        if size > several.line_coefficients:
            continue
        best, score = _best_of_lines(group, found, every, columns, len(y), settings)
        scores.append(score)
        rows.append(
            np.pad(group.rows[best], ((0, 0), (0, 0), (0, several.line_coefficients - size)))
        )
    score, row = np.concatenate(scores, axis=1), np.concatenate(rows, axis=1)
    order = np.argsort(-score, axis=1, kind="stable")
    ranked = np.take_along_axis(row, order[..., None], axis=1).reshape(len(y), -1)
    _, number = np.unique(points[:, parameter], return_counts=True)
    telling = len(points) - int(number.max())
    chosen = _first_distinct(ranked, len(table.factors), min(width, telling))
    return np.pad(chosen, ((0, 0), (0, width - chosen.shape[1])))


@lru_cache(maxsize=DESIGNS_KEPT)
def _line_hypotheses(table: FactorTable, points: int, settings: Settings) -> list[Hypotheses]:
    """The hypotheses of one parameter, which further series with the same factors share: they
    choose factors, one by one, whose sums are weighed later."""
    return enumerate_hypotheses(table, points, settings=settings, plain_laws=False)


def _first_distinct(ranked: Codes, count: int, width: int) -> Codes:
    """(K, width): the numbers 1 to count - 1 that come first in each row of `ranked`, padded with
    0."""
    series, length = ranked.shape
    first = np.full((series, max(count, width + 1)), length)
    for place in reversed(range(length)):  # so that the first place of a number is what remains
        first[np.arange(series), ranked[:, place]] = place
    first = first[:, 1:]
    number = np.argsort(first, axis=1, kind="stable")[:, :width]
    return np.where(np.take_along_axis(first, number, axis=1) < length, number + 1, 0)


def _best_of_lines(
    group: Hypotheses,
    found: Sequence[Line],
    every: Sequence[AlikeLines],
    columns: Floats,
    series: int,
    settings: Settings,
) -> tuple[Codes, Floats]:
    """One-parameter hypotheses (K, n) with the greatest evidence, and that evidence; errors are
    summed over the lines with more points than coefficients.

    One level of noise s has made all errors and is unknown, p(s) = 1 / s: with r errors more than
    coefficients, p(errors) = gamma(r / 2) (pi squares)**(-r / 2) / 2 (Zellner, "An Introduction to
    Bayesian Inference in Econometrics", 1971, section 3.2). Each coefficient of each line pays,
    too, so that hypotheses of different sizes are compared rightly.
    """
    size = group.rows.shape[1]
    parts = [p for p in every if p.values.shape[1] > size]
    lengths = [len(line.rows) for line in found if len(line.rows) > size]
    freedom = sum(lengths) - len(lengths) * size
    scale = np.exp(-2 / max(freedom, 1) * group.prior)
    keep = min(settings.several.kept, len(group.prior))
    total_size = float(max(sum(lengths), 1))  # sums of so many squares, which are one in the mean
    library = kernel()
    if library is not None and lengths and max(lengths) <= min(MOST_FORM_POINTS, series - 1):
        own = settings.coefficients
        some = [
            Summed(*p.products, p.values, *p.forms(library, group, columns, own)) for p in parts
        ]
        best, errors = ranked_lines(library, some, series, scale, keep, total_size)
    else:
        total = np.zeros((series, len(group.prior)))
        for p in parts:
            w = p.weighted(group, columns)
            basis, forms = w.factored.basis, partial(_forms, w)
            owners, errors = summed_errors(basis, forms, p.values, p.owner)
            total[owners] += np.maximum(errors, 0)
        np.maximum(total, ARITHMETIC.error * total_size, out=total)
        _again(total, scale, keep, total_size, [(p, p.weighted(group, columns)) for p in parts])
        best = least(total * scale, keep)
        errors = np.take_along_axis(total, best, axis=1)
    evidence = group.prior[best] - freedom / 2 * np.log(np.pi * errors + ARITHMETIC.tiny)
    coefficients = sum(min(len(line.rows), size) for line in found)
    paid = coefficients * settings.several.line_coefficient
    return best, evidence + math.lgamma(max(freedom, 1) / 2) - paid


def _again(
    total: Floats,
    scale: Floats,
    keep: int,
    size: float,
    parts: Sequence[tuple[AlikeLines, Weighted]],
) -> None:
    """Compute those of the errors (K, H) again that are small and may be among the least: as the
    differences of sums that they are, they have few digits. scale (H,) of the errors; size of the
    squares of all values."""
    small = total < ARITHMETIC.difference * size
    if not small.any():
        return
    scaled = total * scale
    limit = ARITHMETIC.slack * size * scale.max() - limit_of(-scaled, keep)
    small &= scaled <= limit * (1 + 2 * ARITHMETIC.equal)
    series, number = np.nonzero(small)
    found = np.zeros(len(series))
    for lines_alike, weighted in parts:
        start, end = (np.searchsorted(lines_alike.owner, series, s) for s in ("left", "right"))
        many = end - start
        pair = np.repeat(np.arange(len(series)), many)
        row = np.arange(len(pair)) + np.repeat(start - np.cumsum(many) + many, many)
        left = left_by(weighted.factored.basis, lines_alike.values[row], number[pair])
        found += np.bincount(pair, left, len(series))
    total[series, number] = np.maximum(found, ARITHMETIC.error * size)


@dataclass(frozen=True)
class AlikeLines:
    """Lines that share their points, with row numbers (P,) and bytes `at` of their values, and
    their weights `weight` (P,): values (N, P), divided by their usual size, and the numbers of
    their series (N,), ascending."""

    rows: Codes
    at: bytes
    weight: Floats
    values: Floats
    owner: Codes

    def weighted(self, group: Hypotheses, columns: Floats) -> Weighted:
        """Hypotheses factored for these lines; columns (T, P) are factors at all points."""
        return group.weighted(columns[:, self.rows], self.weight, self.at)

    def forms(
        self, library: CDLL, group: Hypotheses, columns: Floats, settings: CoefficientSettings
    ) -> tuple[Floats, Floats]:
        """The quadratic forms of their errors by the kernel, and bases."""
        here = columns[:, self.rows]
        return group.line_forms(library, here, self.weight, self.at, settings)

    @cached_property
    def products(self) -> tuple[Codes, Floats, Codes]:
        """What quadratic forms of the errors are asked for, summed for each series, and where the
        lines of each begin and end."""
        first = np.append(np.flatnonzero(np.diff(self.owner, prepend=-1)), len(self.owner))
        return *summed_products(self.values, self.owner), first


def _lines_alike(
    found: Sequence[Line],
    points: Floats,
    y: Floats,
    magnitude: Floats,
    spread: Floats,
    settings: Settings,
) -> list[AlikeLines]:
    """All lines, those of the same points and weights together."""
    alike: dict[bytes, list[Line]] = {}
    for line in found:
        alike.setdefault(points[line.rows].tobytes(), []).append(line)
    result = []
    for at_points, same in alike.items():
        rows = np.stack([line.rows for line in same])
        target, size_of, extra = (
            a[:, rows].reshape(-1, rows.shape[1]) for a in (y, magnitude, spread)
        )
        labels, shapes = similar_shapes(size_of * np.sqrt(extra), settings.single)
        owner = np.repeat(np.arange(len(y)), len(same))
        for label, shape in enumerate(shapes):
            which = np.flatnonzero(labels == label)
            values = target[which] / shape
            size_of_line = np.sqrt((values**2).mean(axis=1, keepdims=True))
            # a line of zeros tells no shape from another
            values = values / np.where(size_of_line > 0, size_of_line, 1.0)
            result.append(AlikeLines(rows[0], at_points, 1 / shape, values, owner[which]))
    return result


def _forms(weighted: Weighted) -> Forms:
    return weighted.plain_forms


def _products(selected: Sequence[Codes], known: Sequence[Codes]) -> tuple[Codes, Codes]:
    """All products of the selected factors, the constant first, then the known terms: (codes (K, T,
    m), copies (K, T)), copies being nonzero where a term stands twice because a parameter has fewer
    factors."""
    series = len(selected[0])
    choices = [np.concatenate([np.zeros((series, 1), dtype=np.int64), s], axis=1) for s in selected]
    index = np.array(list(product(*(range(c.shape[1]) for c in choices))), dtype=np.int64)
    terms = np.stack([choices[k][:, index[:, k]] for k in range(len(choices))], axis=2)
    copies = ((terms == 0) & (index > 0)).any(axis=2)
    if len(known):
        extra = np.broadcast_to(np.stack(list(known)), (series, len(known), len(selected)))
        terms = np.concatenate([terms, extra], axis=1)
        copies = np.concatenate([copies, np.zeros(extra.shape[:2], dtype=bool)], axis=1)
    return terms, copies.astype(np.int64)
