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

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel.pooling import pooled_kinds
from ..kernel.pooling import pooled_levels as compiled_levels
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
    `noise_shape`), the log odds that a law changes with size and that it rises in steps, the log
    shares (kinds,) of laws by their traits (see `search.traits`; None where they are not learned),
    and the settings that say what the numbers mean."""

    sigmas: Floats
    profiles: NDArray[np.int64]
    prior: Floats
    pooled: bool
    bounded: Floats
    changes: float
    steps: float
    traits: Floats | None
    settings: Settings

    @staticmethod
    def of(prior: Floats, settings: Settings = DEFAULT) -> Levels:
        """Those of all levels (sigmas x profiles) whose prior (S, V) is not negligible."""
        least = settings.noise.negligible * prior.max()
        rows = prior.max(axis=1) > least
        columns = np.flatnonzero(prior.max(axis=0) > least)
        logs = _rounded(np.log(np.maximum(prior[rows][:, columns], ARITHMETIC.tiny)))
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
            None,
            settings,
        )

    def of_all(self) -> Levels:
        """All levels, for a series that has none of these; what else is known remains."""
        return replace(
            Levels.every(self.settings),
            bounded=self.bounded,
            changes=self.changes,
            steps=self.steps,
            traits=self.traits,
        )

    @property
    def usual_sigma(self) -> float:
        """The geometric mean of the noise levels, weighted with their probability."""
        share = np.exp(self.prior).sum(axis=1)
        return float(np.exp(share @ np.log(self.sigmas) / share.sum()))

    def variances(self, distance: Floats) -> Floats:
        """(V, P): variance of each point under each profile, in units of s**2."""
        return profiles(distance, self.settings.noise)[self.profiles]


def _rounded(logs: Floats) -> Floats:
    """Logarithms of what was learned, without the rounding of evidence."""
    result: Floats = np.rint(logs / ARITHMETIC.evidence) * ARITHMETIC.evidence
    return result


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
    sigmas, repeated = levels.settings.noise.sigmas, np.flatnonzero(dof > 0)
    found = np.zeros((len(dof), len(levels.sigmas)))  # one observation of each point tells nothing
    if not len(repeated):
        return found
    squares, dof = squares[repeated, None], dof[repeated, None]
    variance = sigmas**2 * repetitions[repeated, None]
    independent = -dof / 2 * np.log(variance) - squares / 2 / variance
    less = np.logaddexp.accumulate(independent, axis=1) - np.log(np.arange(1, len(sigmas) + 1))
    joint = np.logaddexp(independent, less) - np.log(2)
    found[repeated] = joint[:, np.isin(sigmas, levels.sigmas)]
    return found


@dataclass(frozen=True)
class Evidence:
    """What K series say of noise levels: throughout (T, K, S, V), the log evidence of each level
    under laws of T kinds that hold throughout (see `search.traits`), with the usual share (T,) of
    each kind among them, None where all of them are one; others (2, K, S) that of laws that change
    with size, and of steps, if they are looked at."""

    throughout: Floats
    usual: Floats | None = None
    others: Floats | None = None

    @staticmethod
    def joined(parts: Sequence[Evidence]) -> Evidence:
        """That of all series of parts."""
        usual = [p.usual for p in parts if p.usual is not None]
        others = [p.others for p in parts if p.others is not None]
        kinds = max(len(p.throughout) for p in parts)
        throughout = [
            np.broadcast_to(p.throughout, (kinds, *p.throughout.shape[1:])) for p in parts
        ]
        return Evidence(
            np.concatenate(throughout, axis=1),
            np.mean(usual, axis=0) if usual else None,
            np.concatenate(others, axis=1) if len(others) == len(parts) else None,
        )


def pooled_levels(
    evidence: Evidence, settings: Settings = DEFAULT, *, counted: bool = True
) -> Levels:
    """The levels that series have in common, by expectation maximisation, and how many of them
    change their law with size, rise in steps, or have laws of each kind; all levels where the
    series are too few or differ. Values that are not `counted`, as times are not, always have
    noise: those without it were rounded."""
    noise, throughout, others = settings.noise, evidence.throughout, evidence.others
    kinds, count, *shape = throughout.shape
    if count < noise.enough:
        return Levels.every(settings)
    usual = np.ones(1) if evidence.usual is None else evidence.usual
    with np.errstate(divide="ignore"):
        of_all = np.logaddexp.reduce(throughout + np.log(usual)[:, None, None, None], axis=0)
    every = of_all[None]
    if others is not None and np.isfinite(others).any():
        more = np.full((len(others), count, *shape), -np.inf)
        more[..., 0] = others  # what a change or a step explains is no noise
        every = np.concatenate([every, more])
    every = every.reshape(len(every), count, -1)
    prior, share = _shares(every, settings)
    alike = _alike(grid := prior.reshape(shape), noise)
    levels = Levels.of(grid, settings) if alike else Levels.every(settings)
    if counted and not alike and _without_noise(grid, count, noise):
        levels = replace(levels, prior=levels.prior + _missing_laws(noise))
    if levels.pooled and kinds > 1:
        traits = _traits(throughout.reshape(kinds, count, -1), every, usual, prior, share, noise)
        with np.errstate(divide="ignore"):  # of kinds that have no laws
            levels = replace(levels, traits=_rounded(np.log(traits)))
    if others is None:
        return levels
    changes, steps = np.log(share[1:] / share[0])
    if not levels.pooled:  # without a common noise a change may be a law that is missing
        changes = levels.changes
    return replace(levels, changes=float(changes), steps=float(steps))


def _traits(
    evidence: Floats,
    every: Floats,
    usual: Floats,
    prior: Floats,
    share: Floats,
    settings: NoiseSettings,
) -> Floats:
    """The distribution over T kinds of laws that hold throughout, of series with this log evidence
    (T, K, S V), by expectation maximisation, when that of the levels is known: each series counts
    as far as no change and no steps explain it, by the evidence of these (T', K, S V)."""
    top = every.max(axis=(0, 2))[:, None]
    of_law = (np.exp(every - top) @ prior) * share[: len(every), None]
    counts = of_law[0] / np.maximum(of_law.sum(axis=0), ARITHMETIC.tiny)
    of_kind = np.exp(evidence - top) @ prior  # (T, K)
    return pooled_kinds(of_kind, counts, usual, settings.pseudo_traits, settings.rounds)


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
    usual, found = usual[: len(evidence)], usual
    given = likelihood, count, prior, prior * noise.pseudo, usual, noise.pseudo, noise.rounds
    prior, own = compiled_levels(*given)
    own[0] = count - own[1:].sum()
    found[: len(own)] += own
    return prior, found


def _without_noise(prior: Floats, count: int, settings: NoiseSettings) -> bool:
    """Does a metric have no noise, as counts have none, for this distribution (S, V) over the
    levels of some of its series? With noise a series has none by chance, each with the same
    probability; without it all those have none whose law is known, and any share of them may be
    (Bayes factor of a uniform share: Kass and Raftery, JASA 90, 1995)."""
    exact = float(prior[~settings.noisy].sum() / prior.sum()) * count
    by_chance = exact * math.log(settings.exact_share)
    by_chance += (count - exact) * math.log1p(-settings.exact_share)
    any_share = math.lgamma(exact + 1) + math.lgamma(count - exact + 1) - math.lgamma(count + 2)
    return any_share - by_chance > settings.noiseless


def _missing_laws(settings: NoiseSettings) -> Floats:
    """(S, V): what is added to the log prior of levels where there is no noise: what a law leaves
    is a law that is missing then, and no scatter around one that holds throughout."""
    scatter = settings.noisy[:, None] & (settings.slopes == 0)
    return np.where(scatter, np.log(settings.negligible), 0.0)


def _alike(prior: Floats, settings: NoiseSettings) -> bool:
    """Do the series have one noise in common? Where they differ, what the others have says little
    about one of them."""
    share, sigmas, factor = prior.sum(axis=1), settings.sigmas, settings.alike
    around = [share[(s / factor < sigmas) & (s * factor > sigmas)].sum() for s in sigmas]
    least = settings.most_alike
    return bool(max(around) >= least and prior[:, 0].sum() >= least)
