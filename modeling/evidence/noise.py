"""The noise of a series: a grid of levels, what repetitions say of it, and what series of one
metric share.

A level is (s, kappa): s the relative standard deviation of the mean of a point, kappa how fast a
law is trusted less away from the largest point, variance s**2 (1 + (kappa d)**2) at d steps below
it. kappa = 0 is one law throughout; real programs change their behaviour with size, and then the
largest points tell most about what lies beyond them.

The prior over levels is uniform for a single series. Series of one metric were measured on the same
machine: their common distribution over the levels is estimated from all of them by expectation
maximisation (empirical Bayes), and used where it says that they indeed share one noise and follow
their laws throughout.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from .noise_shape import usual_prior

SIGMAS: Floats = np.concatenate([[1e-9, 1e-7, 1e-5], np.geomspace(1e-4, 0.6, 19)])
"""Relative standard deviations; the first ones stand for counts, which have no noise but rounding.
"""
KAPPAS: Floats = np.array([0.0, 4.0, 30.0, 0.0])
"""Loss of trust a step below the largest point; the last profile has none, but takes the largest
point for an outlier."""
_PROFILE_PRIOR: Floats = np.array([0.3, 0.3, 0.35, 0.05])
OUTLIER = len(KAPPAS) - 1
_OUTLIER_SIZE = 10.0
_NOISY = SIGMAS >= 1e-4
_EXACT_SHARE = 0.02
_USUAL, _WIDTH = 0.1, 1.5
_ROUNDS = 60
_NEGLIGIBLE = 1e-3
_PSEUDO = 0.1
_ENOUGH = 8
_ALIKE, _MOST = 2.5, 0.85


def profiles(distance: Floats) -> Floats:
    """(kappas, P): variance of each point in units of s**2; distance (P,) in steps below the
    largest point."""
    variance = 1 + (KAPPAS[:, None] * distance) ** 2
    variance[OUTLIER] = np.where(distance == 0, _OUTLIER_SIZE**2, 1.0)
    return variance


@dataclass(frozen=True)
class Levels:
    """The noise levels that are possible: sigmas (S,), numbers of profiles (V,), log prior (S, V),
    whether they are those that other series have, and the log prior (cells,) of bounded noise (see
    `shape`)."""

    sigmas: Floats
    profiles: NDArray[np.int64]
    prior: Floats
    pooled: bool = False
    bounded: Floats = field(default_factory=usual_prior)

    @staticmethod
    def of(prior: Floats) -> Levels:
        """Those of all levels (SIGMAS x profiles) whose prior is not negligible."""
        rows = prior.max(axis=1) > _NEGLIGIBLE * prior.max()
        columns = np.flatnonzero(prior.max(axis=0) > _NEGLIGIBLE * prior.max())
        return Levels(
            SIGMAS[rows], columns, np.log(np.maximum(prior[rows][:, columns], 1e-300)), True
        )

    @staticmethod
    def every() -> Levels:
        """All levels, with the prior of a series of which nothing else is known."""
        return Levels(SIGMAS, np.arange(len(KAPPAS)), np.log(level_prior()))

    def variances(self, distance: Floats) -> Floats:
        """(V, P): variance of each point under each profile, in units of s**2."""
        return profiles(distance)[self.profiles]


def level_prior() -> Floats:
    """(S, profiles): prior of every level for a series of which nothing else is known."""
    usual = np.where(_NOISY, np.exp(-0.5 * (np.log(SIGMAS / _USUAL) / _WIDTH) ** 2), 0.0)
    sigma = np.where(
        _NOISY, (1 - _EXACT_SHARE) * usual / usual.sum(), _EXACT_SHARE / (~_NOISY).sum()
    )
    prior: Floats = sigma[:, None] * _PROFILE_PRIOR
    return prior


def repetition_evidence(
    squares: Floats, dof: Floats, repetitions: Floats, sigmas: Floats
) -> Floats:
    """(K, S): log likelihood of the scatter of repetitions at each sigma.

    squares (K,): sum of squared relative deviations from the points' means; dof (K,): their degrees
    of freedom; repetitions (K,): mean number a point. The means vary by s / sqrt(repetitions) if
    repetitions are independent (one half of the prior), by more if whole runs differ (the other
    half).
    """
    variance = SIGMAS**2 * repetitions[:, None]
    independent = np.where(
        dof[:, None] > 0,
        -dof[:, None] / 2 * np.log(variance) - squares[:, None] / 2 / variance,
        0.0,
    )
    less = np.logaddexp.accumulate(independent, axis=1) - np.log(np.arange(1, len(SIGMAS) + 1))
    joint: Floats = np.logaddexp(independent, less) - np.log(2)
    return joint[:, np.isin(SIGMAS, sigmas)]


def pooled_levels(evidence: Floats) -> Levels:
    """The levels that series with these log evidences (K, S, profiles) share; all levels if they
    share none."""
    start = level_prior()
    prior = start
    top = evidence.max(axis=(1, 2), keepdims=True)
    likelihood = np.exp(evidence - top)
    for _ in range(_ROUNDS):
        share = likelihood * prior
        share /= np.maximum(share.sum(axis=(1, 2), keepdims=True), 1e-300)
        prior = (share.sum(axis=0) + _PSEUDO * start) / (len(evidence) + _PSEUDO)
    return Levels.of(prior) if len(evidence) >= _ENOUGH and _alike(prior) else Levels.every()


def _alike(prior: Floats) -> bool:
    """Is it one noise that the series share? Where they differ, what the others have says little of
    one of them."""
    share = prior.sum(axis=1)
    around = [share[(s / _ALIKE < SIGMAS) & (s * _ALIKE > SIGMAS)].sum() for s in SIGMAS]
    return bool(max(around) >= _MOST and prior[:, 0].sum() >= _MOST)
