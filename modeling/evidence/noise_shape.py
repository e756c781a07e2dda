"""Is noise bounded? What repetitions alone say of it, without any law.

Noise is normal, or uniform within a share h of the law: an observation then is v = f (1 + h u), u
evenly between -1 and 1. At each point log f may be anything, and the two shapes are weighed by how
probable the repetitions are under them. Of uniform noise the least and the greatest at each point
tell everything, of normal noise mean and squared deviations do.

Series of one metric were measured on the same machine: how many of them have bounded noise, and how
wide it is, is estimated from all of them (empirical Bayes), as levels of noise are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats

EDGES: Floats = np.geomspace(2e-4, 1.0, 129)
"""Half widths h between which the prior is constant in log h."""
_MIDDLES = np.sqrt(EDGES[1:] * EDGES[:-1])
_FEWEST = 3
"""Repetitions at each point without which shapes are not told apart."""
_SHARE = 0.03
_USUAL, _WIDTH = 0.2, 1.5
_HOPELESS = 4.0
_MOSTLY = 0.7
_ROUNDS, _PSEUDO, _ENOUGH = 60, 1.0, 8


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

    def informative(self) -> NDArray[np.int64]:
        """Numbers of the series whose repetitions tell shapes apart: enough at each point,
        positive, and not always the same."""
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = (
                ((self.highs - self.lows) / self.means).max(axis=1)
                if self.means.size
                else np.zeros(len(self.means))
            )
        able = (
            (self.counts >= _FEWEST).all(axis=1) & (self.lows > 0).all(axis=1) & (spread > EDGES[0])
        )
        return np.flatnonzero(able)


def plausible(found: Repetitions, prior: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Numbers of the series whose repetitions do not exclude bounded noise with this log prior
    (cells,), and the half width of each."""
    rows = found.informative()
    even, normal = shape_evidence(found.part(rows))
    joint = even + prior
    total = np.logaddexp.reduce(joint, axis=1)
    possible = total - np.logaddexp.reduce(normal + _density(), axis=1) > -_HOPELESS
    return rows[possible], np.exp(joint[possible] - total[possible, None]) @ _MIDDLES


def shape_evidence(found: Repetitions) -> tuple[Floats, Floats]:
    """(K, cells) twice: log likelihood of informative repetitions if noise is uniform with half width
    h, and if it is normal with the same standard deviation; observations relative to the means of
    their points, where the law may have any value."""
    above, below, double = np.log1p(_MIDDLES), np.log1p(-_MIDDLES), np.log(2 * _MIDDLES)
    even = np.zeros((len(found.counts), len(_MIDDLES)))
    for n, low, high in zip(
        found.counts.T[..., None],
        np.log(found.lows / found.means).T[..., None],
        np.log(found.highs / found.means).T[..., None],
        strict=True,
    ):
        gap = (
            low - below - (high - above)
        )  # of the logarithms between which the law is; h is too small where it is negative
        with np.errstate(divide="ignore"):
            even += (
                np.log(-np.expm1(-n * np.maximum(gap, 0))) - n * (high - above + double) - np.log(n)
            )
    freedom, deviations = (
        (found.counts - 1).sum(axis=1),
        (found.squares / found.means**2).sum(axis=1),
    )
    variance = _MIDDLES**2 / 3
    normal = (
        -0.5 * freedom[:, None] * np.log(2 * np.pi * variance)
        - 0.5 * deviations[:, None] / variance
        - 0.5 * np.log(found.counts).sum(axis=1)[:, None]
    )
    return even, normal


def usual_prior() -> Floats:
    """(cells,): log probability that noise is bounded and h in each cell, for a series of which
    nothing else is known."""
    result: Floats = _density() + np.log(_SHARE)
    return result


def _density() -> Floats:
    """(cells,): log probability of each cell, whatever the shape."""
    weight = -0.5 * (np.log(_MIDDLES / _USUAL) / _WIDTH) ** 2
    result: Floats = weight - np.logaddexp.reduce(weight)
    return result


def pooled_bounded_prior(parts: Sequence[Repetitions]) -> Floats:
    """(cells,): what the repetitions of series of one metric tell of each other, as `usual_prior`,
    by expectation maximisation; the usual one where they are too few. Where not most of them have
    bounded noise, those that look like it do so by chance."""
    informative = [part.part(part.informative()) for part in parts]
    evidence = np.concatenate(
        [np.concatenate(shape_evidence(part), axis=1) for part in informative]
    )
    if len(evidence) < _ENOUGH:
        return usual_prior()
    likelihood = np.exp(evidence - evidence.max(axis=1, keepdims=True)).reshape(
        len(evidence), 2, -1
    )
    usual, most = np.exp(_density()), np.array([_SHARE, 1 - _SHARE])
    shares, levels = np.full(2, 0.5), np.stack([usual, usual])
    for _ in range(_ROUNDS):
        joint = likelihood * shares[:, None] * levels
        found = (joint / joint.sum(axis=(1, 2), keepdims=True)).sum(axis=0)
        each = found.sum(axis=1)
        shares = (each + _PSEUDO * most) / (len(evidence) + _PSEUDO)
        levels = (found + _PSEUDO * usual) / (each + _PSEUDO)[:, None]
    result: Floats = (
        np.log(shares[0] * levels[0]) if shares[0] > _MOSTLY else np.full(len(usual), -np.inf)
    )
    return result
