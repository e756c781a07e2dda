"""The noise of a series: a grid of levels, what repetitions say of them, and what series of one
metric share.

A level is (s, kappa): s is the relative standard deviation of the mean of a point, kappa how fast
trust in a law falls away from the largest point, with variance s**2 (1 + (kappa d)**2) at d steps
below it. kappa = 0 is one law throughout; real programs change their behaviour with size, and then
the largest points say most about what lies beyond them.

The prior over levels is broad for a single series. Series of one metric were measured on the same
machine: their common distribution over the levels is estimated from all of them by expectation
maximisation (empirical Bayes), and used where it shows that they share one noise and follow their
laws throughout.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..settings import ARITHMETIC, DEFAULT, NoiseSettings, Settings
from .noise_shape import usual_prior


def profiles(distance: Floats, settings: NoiseSettings) -> Floats:
    """(V, P): variance of each point in units of s**2 under each profile; distance (P,) in steps
    below the largest point."""
    variance = 1 + (settings.slopes[:, None] * distance) ** 2
    variance[settings.outlier] = np.where(distance == 0, settings.outlier_size**2, 1.0)
    return variance


@dataclass(frozen=True)
class Levels:
    """The noise levels that are possible: sigmas (S,), numbers of profiles (V,), log prior (S, V),
    whether they were pooled from other series, the log prior (cells,) of bounded noise (see
    `noise_shape`), the log odds that a law changes with size and that it rises in steps, and the
    settings that say what the numbers mean."""

    sigmas: Floats
    profiles: NDArray[np.int64]
    prior: Floats
    pooled: bool
    bounded: Floats
    changes: float
    steps: float
    settings: Settings

    @staticmethod
    def of(prior: Floats, settings: Settings = DEFAULT) -> Levels:
        """Those of all levels (sigmas x profiles) whose prior (S, V) is not negligible."""
        least = settings.noise.negligible * prior.max()
        rows = prior.max(axis=1) > least
        columns = np.flatnonzero(prior.max(axis=0) > least)
        logs = np.log(np.maximum(prior[rows][:, columns], ARITHMETIC.tiny))
        every = Levels.every(settings)
        return replace(every, sigmas=every.sigmas[rows], profiles=columns, prior=logs, pooled=True)

    @staticmethod
    def every(settings: Settings = DEFAULT) -> Levels:
        """All levels, with the prior of a series of which nothing else is known."""
        noise = settings.noise
        return Levels(
            noise.sigmas,
            np.arange(len(noise.kappas)),
            np.log(level_prior(noise)),
            False,
            usual_prior(settings.bounded),
            settings.regimes.log_share,
            settings.tiles.log_share,
            settings,
        )

    def of_all(self) -> Levels:
        """All levels, for a series that has none of these; what else is known remains."""
        return replace(
            Levels.every(self.settings),
            bounded=self.bounded,
            changes=self.changes,
            steps=self.steps,
        )

    @property
    def usual_sigma(self) -> float:
        """The geometric mean of the noise levels, weighted with their probability."""
        share = np.exp(self.prior).sum(axis=1)
        return float(np.exp(share @ np.log(self.sigmas) / share.sum()))

    def variances(self, distance: Floats) -> Floats:
        """(V, P): variance of each point under each profile, in units of s**2."""
        return profiles(distance, self.settings.noise)[self.profiles]


def level_prior(settings: NoiseSettings = DEFAULT.noise) -> Floats:
    """(S, V): prior of every level for a series of which nothing else is known."""
    sigmas, noisy, share = settings.sigmas, settings.noisy, settings.exact_share
    logs = np.log(sigmas / settings.usual) / settings.width
    usual = np.where(noisy, np.exp(-0.5 * logs**2), 0.0)
    sigma = np.where(noisy, (1 - share) * usual / usual.sum(), share / (~noisy).sum())
    prior: Floats = sigma[:, None] * np.array(settings.profile_prior)
    return prior


def repetition_evidence(
    squares: Floats, dof: Floats, repetitions: Floats, levels: Levels
) -> Floats:
    """(K, S): log likelihood of the scatter of repetitions at each sigma of the levels.

    The means vary by s / sqrt(repetitions) if repetitions are independent (one half of the prior),
    by more if whole runs differ from each other (the other half).

    Args:
        squares: (K,) sum of squared relative deviations from the points' means.
        dof: (K,) their degrees of freedom.
        repetitions: (K,) mean number of repetitions of a point.
    """
    sigmas = levels.settings.noise.sigmas
    variance = sigmas**2 * repetitions[:, None]
    independent = np.where(
        dof[:, None] > 0,
        -dof[:, None] / 2 * np.log(variance) - squares[:, None] / 2 / variance,
        0.0,
    )
    less = np.logaddexp.accumulate(independent, axis=1) - np.log(np.arange(1, len(sigmas) + 1))
    joint: Floats = np.logaddexp(independent, less) - np.log(2)
    return joint[:, np.isin(sigmas, levels.sigmas)]


def pooled_levels(
    evidence: Floats, settings: Settings = DEFAULT, others: Floats | None = None
) -> Levels:
    """The levels that series have in common, by expectation maximisation, and how many of them
    change their law with size or rise in steps; all levels where the series are too few or differ.

    Args:
        evidence: (K, S, V) log evidence of each level, all laws that hold throughout together.
        settings: the constants of the fitter.
        others: (2, K, S) that of laws that change with size, and of steps, if they are looked at.
    """
    noise = settings.noise
    if len(evidence) < noise.enough:
        return Levels.every(settings)
    kinds = evidence[None]
    if others is not None and np.isfinite(others).any():
        more = np.full((len(others), *evidence.shape), -np.inf)
        more[..., 0] = others  # what a change or a step explains is no noise
        kinds = np.concatenate([kinds, more])
    prior, share = _shares(kinds.reshape(*kinds.shape[:2], -1), settings)
    prior = prior.reshape(evidence.shape[1:])
    levels = Levels.of(prior, settings) if _alike(prior, noise) else Levels.every(settings)
    if others is None:
        return levels
    changes, steps = np.log(share[1:] / share[0])
    if not levels.pooled:  # without a common noise a change may be a law that is missing
        changes = levels.changes
    return replace(levels, changes=float(changes), steps=float(steps))


def _shares(evidence: Floats, settings: Settings) -> tuple[Floats, Floats]:
    """The distribution over levels (S V,), and over all kinds of laws, of series with this log
    evidence (kinds, K, S V), by expectation maximisation; kinds without evidence are left out."""
    noise = settings.noise
    count = evidence.shape[1]
    likelihood = np.exp(evidence - evidence.max(axis=(0, 2))[:, None])
    likelihood = likelihood.reshape(-1, evidence.shape[2])
    usual = np.exp([0.0, settings.regimes.log_share, settings.tiles.log_share])
    usual = usual / usual.sum() * noise.pseudo_kinds
    prior = level_prior(noise).ravel()
    first, share = prior * noise.pseudo, usual[: len(evidence), None]
    found = np.zeros(len(usual))
    for _ in range(noise.rounds):
        of_kind = (likelihood @ prior).reshape(-1, count)
        each = share / np.maximum((share * of_kind).sum(axis=0), ARITHMETIC.tiny)
        prior = (each.ravel() @ likelihood * prior + first) / (count + noise.pseudo)
        if len(evidence) > 1:
            found = (each * of_kind).sum(axis=1)
            share = (found + usual)[:, None]
    found[0] = count - found[1:].sum()
    return prior, found + usual


def _alike(prior: Floats, settings: NoiseSettings) -> bool:
    """Do the series have one noise in common? Where they differ, what the others have says little
    about one of them."""
    share, sigmas, factor = prior.sum(axis=1), settings.sigmas, settings.alike
    around = [share[(s / factor < sigmas) & (s * factor > sigmas)].sum() for s in sigmas]
    least = settings.most_alike
    return bool(max(around) >= least and prior[:, 0].sum() >= least)
