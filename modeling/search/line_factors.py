"""The factors of each of several parameters, chosen along lines.

As Calotoiu et al. (CLUSTER 2016, IV.B) found, the factors of each parameter can be found one at a
time: along a line on which only one parameter varies, any structure is a function of that
parameter, whose coefficients may differ from line to line while its terms do not. The errors of
every one-parameter hypothesis are summed over all such lines. Designs without lines take plain
factors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from ctypes import CDLL
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel.library import kernel
from ..kernel.lines import Alike, Sized, chosen_factors
from ..least_squares.quadratic_forms import Forms, left_by, summed_errors
from ..pmnf.dictionary import FactorTable
from ..pmnf.hypotheses import Codes, least, limit_of
from ..settings import ARITHMETIC, MOST_FORM_POINTS, Settings, at
from .single_parameter import Hypotheses, Weighted, enumerate_hypotheses, similar_shapes


@dataclass(frozen=True, eq=False)
class LineHypotheses:
    """The hypotheses of one parameter along lines with so many points at most, by size: they choose
    factors, one by one, whose sums are weighed later."""

    table: FactorTable
    settings: Settings
    _found: dict[int, list[Hypotheses]] = field(default_factory=dict, repr=False)

    def of(self, points: int) -> list[Hypotheses]:
        """For lines with so many points."""
        found = self._found.get(points)
        if found is None:
            every = enumerate_hypotheses(
                self.table, points, settings=self.settings, plain_laws=False
            )
            most = self.settings.several.line_coefficients
            found = self._found[points] = [h for h in every if h.rows.shape[1] <= most]
        return found


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines that share their values of a parameter: numbers rows (N, P) of their points, in
    ascending order of it, these values as bytes `at`, and factors there (T, P)."""

    rows: Codes
    at: bytes
    columns: Floats


def lines_along(
    points: Floats, numbers: Codes, parameter: int, columns: Floats, fewest: int
) -> list[Lines]:
    """All lines along a parameter with at least so many of those points (P, m) that have these
    numbers; columns (T, P) are its factors at all points."""
    others = np.delete(points[numbers], parameter, axis=1)
    _, label = np.unique(others, axis=0, return_inverse=True)
    alike: dict[bytes, list[Codes]] = {}
    for k in range(label.max() + 1):
        rows = numbers[label.reshape(-1) == k]
        if len(rows) >= fewest:
            rows = rows[np.argsort(points[rows, parameter], kind="stable")]
            alike.setdefault(points[rows, parameter].tobytes(), []).append(rows)
    return [
        Lines(np.stack(rows), values, np.ascontiguousarray(columns[:, rows[0]]))
        for values, rows in alike.items()
    ]


@dataclass(frozen=True, eq=False)
class LineFactors:
    """How factors of one parameter are chosen for series at the same points.

    They are no more than the points at which the parameter has another value than the usual one:
    those alone tell of its factors, and of more that fit them alike the oddest would be combined.
    """

    hypotheses: LineHypotheses
    lines: list[Lines]
    width: int
    most: int

    @staticmethod
    def of(
        points: Floats,
        rows: NDArray[np.bool_],
        parameter: int,
        columns: Floats,
        hypotheses: LineHypotheses,
    ) -> LineFactors:
        """For points (P, m), of which those of some rows (P,) count; columns (T, P) are the factors
        of the parameter there."""
        several, numbers = hypotheses.settings.several, np.flatnonzero(rows)
        _, number = np.unique(points[rows, parameter], return_counts=True)
        width = at(several.factors, points.shape[1] - 2)
        return LineFactors(
            hypotheses,
            lines_along(points, numbers, parameter, columns, several.line_points),
            width,
            min(width, len(numbers) - int(number.max())),
        )

    @cached_property
    def longest(self) -> int:
        """How many points the longest lines have."""
        return max(int(line.rows.shape[1]) for line in self.lines)

    @cached_property
    def groups(self) -> list[Hypotheses]:
        """The hypotheses by size."""
        return self.hypotheses.of(self.longest)

    @cached_property
    def sizes(self) -> list[Sized]:
        """How errors of each size, summed over the lines with more points than coefficients, are
        weighed.

        One level of noise s has made all errors and is unknown, p(s) = 1 / s: with r errors more
        than coefficients, p(errors) = gamma(r / 2) (pi squares)**(-r / 2) / 2 (Zellner, "An
        Introduction to Bayesian Inference in Econometrics", 1971, section 3.2). Each coefficient
        of each line pays, too, so that hypotheses of different sizes are compared rightly.
        """
        several, found = self.hypotheses.settings.several, []
        for group in self.groups:
            size = group.rows.shape[1]
            shapes = [line.rows.shape for line in self.lines]
            squares = sum(n * p for n, p in shapes if p > size)
            freedom = sum(n * (p - size) for n, p in shapes if p > size)
            paid = sum(n * min(p, size) for n, p in shapes) * several.line_coefficient
            found.append(
                Sized(
                    group.rows,
                    group.prior,
                    np.exp(-2 / max(freedom, 1) * group.prior),
                    min(several.kept, len(group.prior)),
                    float(max(squares, 1)),
                    float(freedom),
                    math.lgamma(max(freedom, 1) / 2) - paid,
                )
            )
        return found

    @cached_property
    def plain(self) -> Codes:
        """(width,): the least unusual factors."""
        found = np.argsort(self.hypotheses.table.unusual[1:], kind="stable")[: self.width] + 1
        return np.concatenate([found, np.zeros(self.width - len(found), dtype=np.int64)])

    def chosen(self, y: Floats, magnitude: Floats, spread: Floats) -> Codes:
        """(K, width): the factors that explain the lines of series best, padded with 0.

        Args:
            y, magnitude, spread: (K, P) as in `Batch`.
        """
        if not self.lines:
            return np.broadcast_to(self.plain, (len(y), self.width))
        deviation = magnitude * np.sqrt(spread)
        alike = [_labelled(line, deviation, self.hypotheses.settings) for line in self.lines]
        library = kernel()
        if library is not None and self.longest <= MOST_FORM_POINTS:
            return self._by_kernel(library, y, alike)
        return self._by_numpy(y, alike)

    def _by_kernel(self, library: CDLL, y: Floats, alike: Sequence[Alike]) -> Codes:
        own = self.hypotheses.settings.coefficients
        forms = [
            [
                group.line_forms(library, line.columns, weight, line.at, own)
                if line.rows.shape[1] > size.size
                else None
                for line, kind in zip(self.lines, alike, strict=True)
                for weight in kind.weight
            ]
            for group, size in zip(self.groups, self.sizes, strict=True)
        ]
        return chosen_factors(
            library, y, alike, self.sizes, forms, self._count, self.width, self.most
        )

    @cached_property
    def _count(self) -> int:
        """How many factors there are."""
        return len(self.hypotheses.table.factors)

    def _by_numpy(self, y: Floats, alike: Sequence[Alike]) -> Codes:
        """The same by numpy."""
        weighed = [
            w for pair in zip(self.lines, alike, strict=True) for w in _weighed_lines(y, *pair)
        ]
        most = self.hypotheses.settings.several.line_coefficients
        scores, rows = [], []
        for group, size in zip(self.groups, self.sizes, strict=True):
            best, score = _best_of_lines(group, size, weighed, len(y))
            scores.append(score)
            missing = most - group.rows.shape[1]
            rows.append(np.pad(group.rows[best], ((0, 0), (0, 0), (0, missing))))
        score, row = np.concatenate(scores, axis=1), np.concatenate(rows, axis=1)
        order = np.argsort(-score, axis=1, kind="stable")
        ranked = np.take_along_axis(row, order[..., None], axis=1).reshape(len(y), -1)
        chosen = _first_distinct(ranked, self._count, self.most)
        return np.pad(chosen, ((0, 0), (0, self.width - chosen.shape[1])))


def _labelled(lines: Lines, deviation: Floats, settings: Settings) -> Alike:
    """Lines with the weights of their points, those of similar shapes together, where errors have
    these standard deviations (K, P)."""
    here = deviation[:, lines.rows].reshape(-1, lines.rows.shape[1])
    labels, shapes = similar_shapes(here, settings.single)
    return Alike(lines.rows, labels.reshape(len(deviation), -1), 1 / shapes)


@dataclass(frozen=True, eq=False)
class _WeighedLines:
    """Lines that share points and weight (P,): values (N, P), weighted and divided by their usual
    size, and the numbers of their series (N,), ascending."""

    lines: Lines
    weight: Floats
    values: Floats
    owner: Codes

    def hypotheses(self, group: Hypotheses) -> Weighted:
        """Those of one size, factored for these lines."""
        return group.weighted(self.lines.columns, self.weight, self.lines.at)


def _weighed_lines(y: Floats, lines: Lines, alike: Alike) -> Iterator[_WeighedLines]:
    """Lines of series y (K, P) by their weights."""
    every = y[:, lines.rows]
    for label, weight in enumerate(alike.weight):
        owner, number = np.nonzero(alike.label == label)
        values = every[owner, number] * weight
        size = np.sqrt((values**2).mean(axis=1, keepdims=True))
        # a line of zeros tells no shape from another
        yield _WeighedLines(lines, weight, values / np.where(size > 0, size, 1.0), owner)


def _best_of_lines(
    group: Hypotheses, size: Sized, every: Sequence[_WeighedLines], series: int
) -> tuple[Codes, Floats]:
    """Hypotheses (K, n) of one size with the greatest evidence, and that evidence; errors are
    summed over the lines with more points than coefficients."""
    parts = [p for p in every if p.values.shape[1] > size.size]
    total = np.zeros((series, len(group.prior)))
    for p in parts:
        w = p.hypotheses(group)
        owners, errors = summed_errors(w.factored.basis, partial(_forms, w), p.values, p.owner)
        total[owners] += np.maximum(errors, 0)
    np.maximum(total, ARITHMETIC.error * size.squares, out=total)
    _again(total, size, [(p, p.hypotheses(group)) for p in parts])
    best = least(total * size.scale, size.keep)
    errors = np.take_along_axis(total, best, axis=1)
    logs = np.log(np.pi * errors + ARITHMETIC.tiny)
    return best, group.prior[best] - size.freedom / 2 * logs + size.constant


def _again(total: Floats, size: Sized, parts: Sequence[tuple[_WeighedLines, Weighted]]) -> None:
    """Compute those of the errors (K, H) again that are small and may be among the least: as the
    differences of sums that they are, they have few digits."""
    small = total < ARITHMETIC.difference * size.squares
    if not small.any():
        return
    scaled = total * size.scale
    slack = ARITHMETIC.slack * size.squares * size.scale.max()
    limit = slack - limit_of(-scaled, size.keep)
    small &= scaled <= limit * (1 + 2 * ARITHMETIC.equal)
    series, number = np.nonzero(small)
    found = np.zeros(len(series))
    for lines, weighted in parts:
        start, end = (np.searchsorted(lines.owner, series, s) for s in ("left", "right"))
        many = end - start
        pair = np.repeat(np.arange(len(series)), many)
        row = np.arange(len(pair)) + np.repeat(start - np.cumsum(many) + many, many)
        left = left_by(weighted.factored.basis, lines.values[row], number[pair])
        found += np.bincount(pair, left, len(series))
    total[series, number] = np.maximum(found, ARITHMETIC.error * size.squares)


def _forms(weighted: Weighted) -> Forms:
    return weighted.plain_forms


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
