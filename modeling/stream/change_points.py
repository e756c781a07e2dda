"""Change points of a series: where its distribution changes, as from one commit to the next.

E-divisive (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
Multivariate Data", JASA 2014): the energy distance of the values before and after a place is
largest at a change. The best place (equation 7) is a change where fewer than `risk` of random
permutations have one as good; then each part is searched in the same way. Performance data as in
Fleming et al., "Hunter: Using Change Point Detection to Hunt for Performance Regressions" (ICPE
2023), the method of Apache Otava: there, too, changes smaller than a few percent are left out. What
differs: distances are those of logarithms, since noise of times is relative; series without noise
(counts) change wherever they change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RISK = 0.01
"""Probability of a false alarm a test; the paper uses 0.05 for a single series, and here every
kernel of a program has one. Otava's default is 0.001."""
LEAST_CHANGE = 0.05
"""Changes of the median smaller than this share are left out, as Otava's min_magnitude does."""
_PERMUTATIONS = 499
"""Random orders that a place is compared with: so many resolve a probability of 0.002."""
_LEAST = 2
"""Values on each side of a place: the distance within a sample needs two (equation 5)."""
LEAST_VALUES = 8
"""Fewer values have too few orders to tell: 6 have 20 splits into 3 and 3, 8 have 70 of 4 and 4."""


@dataclass(frozen=True)
class ChangePoint:
    """index: of the first value after the change; before, after: medians of the two parts beside
    it; risk: probability of a change as good where there is none; 0: there is no noise."""

    index: int
    before: float
    after: float
    risk: float

    @property
    def ratio(self) -> float:
        """after / before."""
        return self.after / self.before if self.before else np.inf


def change_points(
    values: Sequence[float],
    *,
    risk: float = RISK,
    least: float = LEAST_CHANGE,
    noise: bool = True,
    seed: int = 0,
) -> tuple[ChangePoint, ...]:
    """The changes in a series of positive values, in their order.

    Args:
        values: (N,) one after another.
        risk: admissible probability of a false alarm of each test.
        least: changes of the median by less than this share are left out.
        noise: False for counts, which change wherever two values differ.
        seed: of the permutations.
    """
    data = np.asarray(values, dtype=float)
    if not noise:
        places = [(k, 0.0) for k in range(1, len(data)) if data[k] != data[k - 1]]
    else:
        logs = np.log(np.maximum(data, np.finfo(float).tiny))
        places = sorted(_divided(logs, 0, risk, np.random.default_rng(seed)))
    return tuple(_kept(data, places, least))


def _kept(data: Floats, places: Sequence[tuple[int, float]], least: float) -> Iterator[ChangePoint]:
    """The changes that are large enough; those that are not join the parts beside them."""
    found = list(places)
    while True:
        edges = [0, *(k for k, _ in found), len(data)]
        parts = [float(np.median(data[a:b])) for a, b in pairwise(edges)]
        sizes = [abs(np.log(max(b, 1e-300) / max(a, 1e-300))) for a, b in pairwise(parts)]
        small = [k for k, size in enumerate(sizes) if size < np.log1p(least)]
        if not small:
            break
        del found[min(small, key=lambda k: sizes[k])]
    for (k, p), before, after in zip(found, parts, parts[1:], strict=False):
        yield ChangePoint(k, before, after, p)


def _divided(
    values: Floats, start: int, risk: float, chance: np.random.Generator
) -> Iterator[tuple[int, float]]:
    """(place, risk) of the changes in a part of a series that begins at `start`."""
    if len(values) < LEAST_VALUES:
        return
    place, best = _best(np.abs(values[:, None] - values[None, :]))
    as_good = sum(
        _best(np.abs(order[:, None] - order[None, :]))[1] >= best
        for order in (chance.permutation(values) for _ in range(_PERMUTATIONS))
    )
    found = (as_good + 1) / (_PERMUTATIONS + 1)
    if found > risk:
        return
    yield start + place, found
    yield from _divided(values[:place], start, risk, chance)
    yield from _divided(values[place:], start + place, risk, chance)


def _best(distances: Floats) -> tuple[int, float]:
    """(place, scaled energy distance) of the best change (equations 5 to 7).

    The values after the place may end before the end of the series, where another change follows:
    all pairs of a place and an end are tried at once, from two-dimensional prefix sums.
    """
    count = len(distances)
    sums = np.zeros((count + 1, count + 1))
    sums[1:, 1:] = distances.cumsum(0).cumsum(1)
    place = np.arange(_LEAST, count - _LEAST + 1)[:, None]
    end = np.arange(2 * _LEAST, count + 1)[None, :]
    left, right = place.astype(float), (end - place).astype(float)
    inside = right >= _LEAST
    right = np.where(inside, right, _LEAST)
    square = sums[place, place]
    between = sums[place, end] - square
    after = sums[end, end] - 2 * sums[place, end] + square
    energy = (
        2 * between / (left * right) - square / (left * (left - 1)) - after / (right * (right - 1))
    )
    scaled = np.where(inside, left * right / (left + right) * energy, -np.inf)
    at = np.unravel_index(int(np.argmax(scaled)), scaled.shape)
    return int(place[at[0], 0]), float(scaled[at])
