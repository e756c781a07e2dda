"""The factors of each of several parameters, chosen along lines.

As Calotoiu et al. (CLUSTER 2016, IV.B) found, the factors of each parameter can be found one at a
time: along a line on which only one parameter varies, any structure is a function of that
parameter, whose coefficients may differ from line to line while its terms do not. The errors of
every one-parameter hypothesis are summed over all such lines. Designs without lines take plain
factors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel.lines import Alike, Sized, chosen_factors
from ..pmnf.dictionary import FactorTable
from ..pmnf.hypotheses import Codes
from ..settings import Settings, at
from .single_parameter import Hypotheses, enumerate_hypotheses, similar_shapes


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
    _, label, count = np.unique(others, axis=0, return_inverse=True, return_counts=True)
    order = numbers[np.lexsort((points[numbers, parameter], label.reshape(-1)))]
    ends = np.cumsum(count)
    alike: dict[bytes, list[Codes]] = {}
    for k in np.flatnonzero(count >= fewest).tolist():
        rows = order[ends[k] - count[k] : ends[k]]
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
        own = self.hypotheses.settings.coefficients
        forms = [
            [
                group.line_forms(line.columns, weight, line.at, own)
                if line.rows.shape[1] > size.size
                else None
                for line, kind in zip(self.lines, alike, strict=True)
                for weight in kind.weight
            ]
            for group, size in zip(self.groups, self.sizes, strict=True)
        ]
        return chosen_factors(y, alike, self.sizes, forms, self._count, self.width, self.most)

    @cached_property
    def _count(self) -> int:
        """How many factors there are."""
        return len(self.hypotheses.table.factors)


def _labelled(lines: Lines, deviation: Floats, settings: Settings) -> Alike:
    """Lines with the weights of their points, those of similar shapes together, where errors have
    these standard deviations (K, P)."""
    here = deviation[:, lines.rows].reshape(-1, lines.rows.shape[1])
    labels, shapes = similar_shapes(here, settings.single)
    return Alike(lines.rows, labels.reshape(len(deviation), -1), 1 / shapes)
