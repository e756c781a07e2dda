"""Noise: its levels, its shape, and disturbances."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .arithmetic import Floats


@dataclass(frozen=True)
class ResolutionSettings:
    """How coarsely values were written, which their noise is not below."""

    digits: int = 4
    """Digits from which rounding is less than the least noise of a measurement."""
    coarsest: float = 0.01
    """Largest step believed, as a share of the largest value: values of one digit or two may have
    lost their zeros."""
    step: float = 10.0
    """Ratio of the steps of numbers."""
    uniform: float = 12.0**-0.5
    """Standard deviation of rounding, in steps."""
    rounding: float = 1e-9
    """Relative deviation of a number from a multiple of a step that conversion of units makes."""
    ticks: tuple[float, ...] = tuple(2.0**-k for k in range(10, 3, -1))
    """Steps of clocks in seconds that are no decimal numbers, the coarsest last."""
    excluded: float = 200.0
    """What is taken off the log likelihood of noise below the rounding, in nats."""


RESOLUTION = ResolutionSettings()
"""Numbers are written alike whatever is fitted to them, so these are the same for all."""


@dataclass(frozen=True)
class NoiseSettings:
    """Noise levels (s, kappa) that are tried, and what series of one metric share of them."""

    exact_sigmas: tuple[float, ...] = (1e-9, 1e-7, 1e-5)
    """Relative standard deviations that stand for counts, which have no noise but rounding.
    Measured: no effect."""
    least_sigma: float = 1e-4
    """The least noise of a measurement. Measured: halved lead +0.5, within +0.2; doubled lead +0.2,
    within +0.2."""
    most_sigma: float = 0.6
    """The greatest noise of a measurement: above it the sign of a value would be open. Measured:
    halved lead +0.2, within +0.2, error +0.05; doubled lead +0.2, within +0.2, error -0.08."""
    sigma_count: int = 19
    """Levels from the least to the greatest, a factor of 1.6 apart; more cost time in proportion
    and resolve what no eight points tell. Measured: halved lead -0.2, within -1.9, error +0.10;
    doubled lead +0.5, within +0.5."""
    kappas: tuple[float, ...] = (0.0, 4.0, 30.0, 0.0)
    """Loss of trust a step below the largest point: one law throughout, two kinds of law that
    change with size, and (last) one law with the largest point an outlier. Measured: halved error
    -0.24; doubled error +0.61."""
    profile_prior: tuple[float, ...] = (0.3, 0.3, 0.35, 0.05)
    """Probability of each kappa. Measured: flattened error -0.19; sharpened error +0.24."""
    outlier_size: float = 10.0
    """Standard deviation of an outlier in units of that of other points. Measured: halved error
    +0.13; doubled error +0.10."""
    exact_share: float = 0.02
    """Probability that a series has no noise at all. Measured: no effect."""
    usual: float = 0.1
    """The most probable relative noise of a series of which nothing else is known. Measured: halved
    error -0.14; doubled error -0.31."""
    width: float = 1.5
    """Standard deviation of the logarithm of the noise around the usual one, in nats. Measured:
    halved error +0.36; doubled error -0.43."""
    rounds: int = 60
    """Rounds of expectation maximisation for the noise that series share. Measured: halved lead
    -0.2, within +0.2; doubled no effect."""
    negligible: float = 1e-3
    """Levels less probable than this much of the best one are dropped when series share their
    noise: each one kept costs time. Measured: no effect."""
    pseudo: float = 0.1
    """Weight of the prior in expectation maximisation, in series. Measured: no effect."""
    pseudo_kinds: float = 4.0
    """Weight of the prior probabilities of laws that change with size and of steps, in series."""
    pseudo_traits: float = 12.0
    """Weight of the prior probabilities of laws that fall and of products of powers and logarithms,
    in series. Measured: 4 does the same for the protocols, and laws at four points are off by 8.7
    instead of 8.1 % (five seeds)."""
    noiseless: float = 3.0
    """Log Bayes factor from which a metric has no noise where series differ: strong evidence (Kass
    and Raftery, JASA 90, 1995)."""
    enough: int = 8
    """Series of a metric below which they share nothing: fewer do not show a distribution.
    Measured: no effect."""
    alike: float = 2.5
    """Series share one noise where their levels lie within this factor ... Measured: halved lead
    -0.7, within -1.9; doubled no effect."""
    most_alike: float = 0.85
    """... for this share of them; a smaller one believes in a common noise that some do not have.
    Measured: halved error +7.49; doubled lead -2.1, within -4.0, CPU x1.51."""

    believed: float = 0.02
    """Common noise up to which it is believed without a look at the largest points."""
    refuted: float = 1.5
    """How much wider intervals must be for the largest points from which a common noise is none.
    Measured: 4.5 where all series of real sets miss the same law, 1.0 to 1.25 where noise of 5 to
    20 % is drawn at random."""

    @cached_property
    def sigmas(self) -> Floats:
        """(S,): relative standard deviations, those of counts first."""
        measured = np.geomspace(self.least_sigma, self.most_sigma, self.sigma_count)
        return np.concatenate([self.exact_sigmas, measured])

    @cached_property
    def noisy(self) -> NDArray[np.bool_]:
        """(S,): which of the levels are those of measurements."""
        return self.sigmas >= self.least_sigma

    @cached_property
    def slopes(self) -> Floats:
        """(V,): kappa of each profile."""
        return np.array(self.kappas)

    @property
    def outlier(self) -> int:
        """The number of the profile that takes the largest point for an outlier."""
        return len(self.kappas) - 1


@dataclass(frozen=True)
class BoundedNoiseSettings:
    """Uniform noise v = f (1 + h u): when it is considered, and how its evidence is integrated."""

    least_width: float = 2e-4
    """The least half width h; below it noise is rounding. Measured: no effect."""
    most_width: float = 1.0
    """The greatest half width h, at which observations reach zero. Measured: halved no effect;
    doubled lead -0.7, within -0.7."""
    cell_count: int = 128
    """Cells in log h, in each of which the prior is constant. Measured: no effect."""
    fewest: int = 3
    """Repetitions at each point without which shapes are not distinguished: two have no interior
    point. Measured: halved no effect; doubled lead -0.7, within -0.7."""
    share: float = 0.03
    """Prior probability that the noise of a series is bounded. Measured: no effect."""
    usual: float = 0.2
    """The most probable half width. Measured: no effect."""
    width: float = 1.5
    """Standard deviation of log h around the usual one, in nats. Measured: no effect."""
    implausible: float = 4.0
    """Log odds against bounded noise from which repetitions exclude it (3 to 5 is strong evidence:
    Kass and Raftery, JASA 90, 1995, 2 log B of 6 to 10). Measured: no effect."""
    mostly: float = 0.7
    """Share of a metric's series that must have bounded noise before any of them is taken for it:
    one that merely looks bounded does so by chance. Measured: halved no effect; doubled lead -0.7,
    within -0.7."""
    rounds: int = 60
    """Rounds of expectation maximisation for the share and the widths. Measured: no effect."""
    pseudo: float = 1.0
    """Weight of the prior in expectation maximisation, in series. Measured: no effect."""
    enough: int = 8
    """Series of a metric below which the usual prior is taken. Measured: no effect."""
    candidates: int = 20
    """Laws of each series that are fitted again under bounded noise, so that one that is right but
    not the most probable under normal noise can still win; time grows in proportion. Measured: no
    effect."""
    unlikely: float = 10.0
    """Laws that normal noise leaves this far behind the best (in nats) are not fitted again.
    Measured: no effect."""
    together: int = 1024
    """Series fitted at a time, whose trials are made beforehand."""
    settled: float = 0.01
    """A series is left as it is where normal noise already determines the extrapolated value to
    this relative standard deviation ... Measured: no effect."""
    settled_lead: float = 0.98
    """... and its leading term with this probability. Measured: no effect."""
    first_samples: int = 48
    """Samples of the first round, which only finds where the likelihood is. Measured: no effect."""
    samples: int = 32
    """Samples of the later rounds, times 2**k for k coefficients ... Measured: no effect."""
    most_samples: int = 256
    """... but no more than these. Measured: no effect."""
    most_rounds: int = 6
    """Rounds of adaptive importance sampling (Cappe et al., Journal of Computational and Graphical
    Statistics 13, 2004) after which the last result stands. Measured: no effect."""
    degrees: float = 6.0
    """Degrees of freedom of the Student distribution samples are drawn from: heavy tails bound the
    weights, light ones waste fewer samples. Measured: no effect."""
    tempered_share: float = 0.25
    """Effective share of the samples to which weights are flattened while the distribution is still
    far off. Measured: no effect."""
    good_share: float = 0.1
    """Effective share of the samples with which weights are used as they are. Measured: no
    effect."""
    inflation: float = 1.2
    """How much wider than the last estimate the distribution is drawn; too narrow misses the tails.
    Measured: halved lead +0.2; doubled within -0.2."""
    hopeless: float = 7.0
    """Laws this far behind the best of their series (in nats) are given up. Measured: no effect."""
    widest: float = 0.95
    """Half width above which a first guess is clipped. Measured: no effect."""
    tempering_rounds: int = 12
    """Flattening steps: 0.6**12 = 0.002 of the log weights remain. Measured: no effect."""
    tempering: float = 0.6
    """Factor of the log weights in each flattening step. Measured: no effect."""
    kept_covariance: float = 1e-4
    """Share of the last covariance added to an estimate, which keeps it definite."""
    recurrence_rounds: int = 60
    """Fixed-point steps for the ratio of the low-discrepancy sequence (Roberts, 2018); they
    converge to rounding."""

    @cached_property
    def edges(self) -> Floats:
        """(cells + 1,): half widths h between which the prior is constant in log h."""
        return np.geomspace(self.least_width, self.most_width, self.cell_count + 1)

    @cached_property
    def middles(self) -> Floats:
        """(cells,): the geometric middle of each cell."""
        return np.sqrt(self.edges[1:] * self.edges[:-1])


@dataclass(frozen=True)
class DisturbanceSettings:
    """Disturbed repetitions (see `disturbances`)."""

    disturbed: float = 0.1
    """Prior probability that some repetitions of a series are disturbed."""
    tailed: float = 0.02
    """Prior probability that repetitions have a floor and a long tail."""
    usual: float = 0.03
    """The usual share of disturbed observations where there are some."""
    believed: float = 10.0
    """Weight of the usual share, in observations."""
    upwards: float = 0.95
    """Share of disturbances that slow a program down."""
    distance: float = 1.0
    """Mean distance of a disturbed observation, in nats: a factor of 2.7."""
    fitted: float = 1.0
    """What the fitted share pays, in nats: the ratio of the width of its posterior to its prior."""
    least: float = 1e-4
    """The least noise of a measurement, as in `NoiseSettings`."""
    far: float = 5.0
    """Deviations, in units of the usual one of the other observations, from which a series is
    looked at."""
    skewed: float = 1.3
    """The same for the ratio of upward to downward extremes, which is 1 for symmetric noise."""
    lost: float = 0.05
    """Observations that must be left of a point to tell its level."""
    rounds: int = 25
    """Rounds of expectation maximisation."""
    fewest: int = 3
    """Repetitions at each point without which tails are not distinguished."""
    most_worth: float = 4.0
    """Most observations of normal noise that one of a tail is worth: tails are not quite
    exponential."""

    @cached_property
    def sigmas(self) -> Floats:
        """(S,): relative widths of noise that are tried."""
        return np.geomspace(self.least, 1.5, 24)
