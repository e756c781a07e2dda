"""The shape of noise, normal or bounded, from the repetitions alone.

Noise is normal, or uniform within a share h of the law: an observation is then v = f (1 + h u) with
u uniform on [-1, 1]. At each point log f may have any value, and the two shapes are compared by how
probable the repetitions are under them. The least and the greatest observation at each point are
sufficient for uniform noise, the mean and the squared deviations for normal noise.

Series of one metric were measured on the same machine, so how many of them have bounded noise and
how wide it is, is estimated from all of them (empirical Bayes), as noise levels are in `noise`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..settings import DEFAULT, UNIFORM, BoundedNoiseSettings


@dataclass(frozen=True)
class Repetitions:
    """Of K series at P points: numbers of observations, their means and sums of squared deviations,
    the least and the greatest (NaN where they are not known), all (K, P)."""

    counts: Floats
    means: Floats
    squares: Floats
    lows: Floats
    highs: Floats

    def part(self, rows: slice | NDArray[np.int64]) -> Repetitions:
        """Those of some of the series."""
        return Repetitions(*(getattr(self, f.name)[rows] for f in fields(self)))

    def points(self, some: NDArray[np.bool_]) -> Repetitions:
        """Those of some of the points."""
        return Repetitions(*(getattr(self, f.name)[:, some] for f in fields(self)))

    def informative(self, settings: BoundedNoiseSettings) -> NDArray[np.int64]:
        """Numbers of the series whose repetitions can distinguish the shapes: enough at each point,
        positive, and not always the same."""
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = (
                ((self.highs - self.lows) / self.means).max(axis=1)
                if self.means.size
                else np.zeros(len(self.means))
            )
        enough = (self.counts >= settings.fewest).all(axis=1)
        varying = spread > settings.least_width
        return np.flatnonzero(enough & (self.lows > 0).all(axis=1) & varying)


def plausible(
    found: Repetitions, prior: Floats, settings: BoundedNoiseSettings = DEFAULT.bounded
) -> tuple[NDArray[np.int64], Floats]:
    """Numbers of the series whose repetitions do not exclude bounded noise with this log prior
    (cells,), and the posterior mean of the half width of each."""
    rows = found.informative(settings)
    even, normal = shape_evidence(found.part(rows), settings)
    joint = even + prior
    total = np.logaddexp.reduce(joint, axis=1)
    against = np.logaddexp.reduce(normal + _density(settings), axis=1)
    possible = total - against > -settings.implausible
    return rows[possible], np.exp(joint[possible] - total[possible, None]) @ settings.middles


def shape_evidence(
    found: Repetitions, settings: BoundedNoiseSettings = DEFAULT.bounded
) -> tuple[Floats, Floats]:
    """Log likelihood (K, cells) of informative repetitions if noise is uniform with half width h,
    and the same if it is normal with the standard deviation of that, h / sqrt(3).

    Observations are relative to the means of their points, and log f is integrated out with a flat
    prior. For n uniform observations with extremes low and high this gives

        (1 - exp(-n gap)) / n * ((1 + h) / high)**n / (2 h)**n,
        gap = log((1 + h) low / ((1 - h) high)),

    since f must lie between high / (1 + h) and low / (1 - h); h is too small where gap < 0.
    """
    middles = settings.middles
    above, below, double = np.log1p(middles), np.log1p(-middles), np.log(2 * middles)
    even = np.zeros((len(found.counts), len(middles)))
    for n, low, high in zip(
        found.counts.T[..., None],
        np.log(found.lows / found.means).T[..., None],
        np.log(found.highs / found.means).T[..., None],
        strict=True,
    ):
        gap = low - below - (high - above)
        with np.errstate(divide="ignore"):
            even += (
                np.log(-np.expm1(-n * np.maximum(gap, 0))) - n * (high - above + double) - np.log(n)
            )
    freedom, deviations = (
        (found.counts - 1).sum(axis=1),
        (found.squares / found.means**2).sum(axis=1),
    )
    variance = middles**2 / UNIFORM
    normal = (
        -0.5 * freedom[:, None] * np.log(2 * np.pi * variance)
        - 0.5 * deviations[:, None] / variance
        - 0.5 * np.log(found.counts).sum(axis=1)[:, None]
    )
    return even, normal


def usual_prior(settings: BoundedNoiseSettings = DEFAULT.bounded) -> Floats:
    """(cells,): log probability that noise is bounded and h in each cell, for a series of which
    nothing else is known."""
    result: Floats = _density(settings) + np.log(settings.share)
    return result


def _density(settings: BoundedNoiseSettings) -> Floats:
    """(cells,): log probability of each cell, whatever the shape: normal in log h."""
    weight = -0.5 * (np.log(settings.middles / settings.usual) / settings.width) ** 2
    result: Floats = weight - np.logaddexp.reduce(weight)
    return result


def pooled_bounded_prior(
    parts: Sequence[Repetitions], settings: BoundedNoiseSettings = DEFAULT.bounded
) -> Floats:
    """(cells,): what the repetitions of series of one metric say of their common noise, as
    `usual_prior`, by expectation maximisation; the usual one where the series are too few.

    Where most of the series do not have bounded noise, the few that look like it do so by chance,
    and the prior excludes it.
    """
    informative = [part.part(part.informative(settings)) for part in parts]
    if sum(len(part.counts) for part in informative) < settings.enough:
        return usual_prior(settings)
    evidence = np.concatenate(
        [np.concatenate(shape_evidence(part, settings), axis=1) for part in informative]
    )
    likelihood = np.exp(evidence - evidence.max(axis=1, keepdims=True)).reshape(
        len(evidence), 2, -1
    )
    usual, most = np.exp(_density(settings)), np.array([settings.share, 1 - settings.share])
    shares, levels, pseudo = np.full(2, 0.5), np.stack([usual, usual]), settings.pseudo
    for _ in range(settings.rounds):
        joint = likelihood * shares[:, None] * levels
        found = (joint / joint.sum(axis=(1, 2), keepdims=True)).sum(axis=0)
        each = found.sum(axis=1)
        shares = (each + pseudo * most) / (len(evidence) + pseudo)
        levels = (found + pseudo * usual) / (each + pseudo)[:, None]
    if shares[0] <= settings.mostly:
        return np.full(len(usual), -np.inf)
    result: Floats = np.log(shares[0] * levels[0])
    return result
