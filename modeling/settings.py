"""Every tuning constant of the default fitter: what it trades, and where its value comes from.

A constant that a paper or a theorem gives cites it. What the numbers of the search do was measured:

    python -m benchmarks.bench_settings --real FILE.jsonl
    python -m benchmarks.bench_settings --real FILE.jsonl --functions 6 --every 40

halve and double each of them alone (probabilities that sum to one are flattened and sharpened) and
print how many leading terms (lead, in %) and predictions within 2 % (within) are right on the
protocols of the papers, and the mean error in % on the held-out points of real series (error). The
docstrings quote differences to the values as they are: lead 79.0, within 63.1, error 14.5 on 420
functions and 445 series; in the short run lead 69.6, within 58.9, error 16.2 on 168 functions and
112 series, where a difference of 2.4 in one of the four protocols is one function. CPU time is
quoted where it changes by more than a third. "No effect" is what a constant should have around a
good value.

The settings are values: `fit(..., settings=Settings(...))` hands them down, and nothing reads or
writes a global. `ARITHMETIC` is no tuning: it says what double precision can resolve.

This module imports nothing of the package, so that every room may import it; `search.settings`
hands it on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
T = TypeVar("T")


def at(values: Sequence[T], place: int) -> T:
    """The value at a place; the last one stands for all that follow."""
    return values[min(place, len(values) - 1)]


@dataclass(frozen=True)
class Arithmetic:
    """What double precision (53 bits, about 1e-16) can resolve, with room for a few hundred
    operations. These guard divisions and logarithms; no model changes as long as they stay far
    below the noise."""

    tiny: float = 1e-300
    """Keeps divisors and arguments of logarithms above zero; the least normal number is 2e-308."""
    dependent: float = 1e-13
    """A column whose part outside of the columns before it is this much of it is dependent on
    them."""
    column: float = 1e-12
    """A factor that varies by this much of its largest value is constant at the points; also the
    least parameter value whose logarithm is taken."""
    singular: float = 1e-6
    """Relative tolerance of the rank of the logarithms of points: parameters that change together
    are tabulated with few digits."""
    leverage: float = 1e-9
    """Leverages stay this much below 1, where a left-out error would be 0 / 0."""
    residual: float = 1e-20
    """Least squared relative residual of a point: (1e-10)**2, the rounding of values printed with
    ten digits."""
    error: float = 1e-14
    """Least residual sum of squares in a ranking, relative to the mean square: the difference of
    sums that it is has no more digits, and fits below it are equal."""
    summed_error: float = 1e-26
    """The same for errors that are summed over lines, to which it is added."""
    exact: float = 1e-24
    """Least residual sum of squares of a beam's state, relative to the target's."""
    exact_stop: float = 1e-23
    """A beam ends when its best state is as close as this: ten times `exact`."""
    remaining: float = 1e-9
    """A term whose squared part outside of a beam's state is below this adds nothing to it."""
    zero: float = 1e-9
    """Deviations of this much of the largest value are rounding beside a measured zero."""
    ratio: float = 1e-9
    """The ratio f / y that stands for one that is not positive: wrong by a factor of 1e9."""
    idle: float = 1e-11
    """A coefficient that contributes less than this much of the largest observation is left out of
    the formula."""
    correlation: float = 1e-10
    """Added to the diagonal of a correlation matrix before its Cholesky decomposition."""
    value: float = 1e-150
    """Least value of a law under bounded noise, whose reciprocal is squared."""
    exponent: float = 300.0
    """Logarithms of forecasts are clipped here: exp(300) = 2e130 can still be squared."""
    whole: float = 2.0**53
    """Beyond this, floating point has no odd numbers."""
    log_weight: float = 700.0
    """Log weights of samples are clipped here: exp(-700) = 1e-304 is the last normal number."""


ARITHMETIC = Arithmetic()
COUNTED_POINTS = 3
"""Fewest points of counts that a formula is searched for: a constant, and two that confirm it."""
COUNTED_SERIES = 2000
"""Series of counts that are searched, some minutes; those beyond stay fitted."""
UNIFORM = 3
"""A uniform distribution on [-h, h] has the variance h**2 / 3."""
NORMAL_MEDIAN = 1.4826
"""The median distance of normal observations from their mean is 1 / 1.4826 of their standard
deviation."""
DERIVED = 4
"""Observations that follow from their number, mean, squares and extremes."""
FORM_ROWS = 128
"""Series whose errors are computed at a time, so that (rows x hypotheses) stay in the cache: a
matter of speed, not of results."""
MOST_FORM_POINTS = 12
"""Points up to which errors come from packed quadratic forms, P (P + 1) / 2 numbers a hypothesis;
with more the projections on the basis are cheaper. A matter of speed, not of results."""
FEWEST_FOR_THREADS = 4
"""Series from which a product with all hypotheses is large enough for libraries to share it among
threads: a matter of speed, not of results."""
DESIGNS_KEPT = 8
"""Sets of points whose tables and hypotheses are kept for further series: a matter of speed, not of
results."""
RANKINGS_KEPT = 96
"""Weights for which the factored hypotheses of one size are kept, a quarter of a megabyte each with
five points: those of a sample of series under every noise profile. A matter of speed, not of
results."""
FEWEST_TO_COMPILE = 500
"""Series of a fit from which the kernel is compiled where it is not there yet, which takes a
second: a matter of speed, not of results."""
ACTIVE_SET_ROUNDS = 50
"""Rounds for each coefficient of non-negative least squares before a trust region takes over;
scipy's own limit is 3, which near-parallel rows exceed."""


@dataclass(frozen=True)
class DictionarySettings:
    """Factors x**i log2(x)**j that are tried, and how improbable each is beforehand (in nats).

    The order of simple before odd exponents is that of Reisert et al. (Euro-Par 2017, section 4.1:
    common, rare and exotic classes); the sizes of the steps are tuned.
    """

    denominators: tuple[float, ...] = (0.0, 1.0, 1.2, 1.8, 2.1)
    """Cost of powers i with denominator 1, 2, ...: high costs keep noise from choosing odd roots,
    low ones find them with fewer points. Measured: halved within -0.2, error +0.37; doubled lead
    -1.4, within -0.7, error -0.40."""
    other_denominator: float = 2.5
    """Cost of all other denominators, which only a known law brings in. Measured: no effect."""
    power: float = 0.35
    """Cost of each unit of |i| above 1: steep growth is rarer than slow growth. Measured: halved no
    effect; doubled lead -0.2, within -0.2."""
    logarithms: tuple[float, ...] = (0.0, 1.3, 2.3)
    """Cost of j = 0, 1, 2 beside a power. Measured: halved lead -1.2, within -1.0, error -0.11;
    doubled lead +0.5, within -0.2, error +2.17."""
    other_logarithm: float = 2.5
    """Cost of other powers of a logarithm beside a power. Measured: no effect."""
    pure_logarithms: tuple[float, ...] = (0.0, 0.0, 1.0)
    """Cost of log2(x)**j alone, j = 0, 1, 2. Measured: no effect."""
    other_pure_logarithm: float = 1.9
    """Cost of log2(x)**(1/2) and log2(x)**(3/2) alone. Measured: halved lead +0.7, within +0.7;
    doubled lead -0.2, within +0.2, error +0.07."""
    negative: float = 1.0
    """Cost of a falling power, beside that of its size. Measured: halved within +0.2, error -0.19;
    doubled within +0.2, error +0.72."""
    largest_whole: int = 4
    """Largest whole power: x**4 is the fastest growth of the protocols (Calotoiu et al., SC 2013,
    go to 3). Measured: halved lead +0.2; doubled lead -0.5, error +0.29."""
    largest_power: int = 3
    """Largest power with a denominator or with a logarithm (Calotoiu et al., SC 2013). Measured:
    halved lead -18.3, within -15.7, error -0.21; doubled error +0.18."""
    mixed_denominators: int = 4
    """Largest denominator beside a logarithm; more of them make the dictionary longer and a fit
    slower. Measured: halved lead -7.1, within -6.4, error +2.39; doubled error -1.52."""
    mixed_logarithms: tuple[int, ...] = (1, 2)
    """Powers of the logarithm beside a power (Calotoiu et al., SC 2013: J = {0, 1, 2}). Measured:
    halved lead -9.3, within -9.5; doubled lead -6.4, within -5.2, error +2.28."""
    half_logarithms: tuple[int, ...] = (1, 2, 3, 4)
    """Powers of a logarithm alone, in halves. Measured: halved lead -1.0, within -0.7, error +0.16;
    doubled lead -0.7, within -0.5."""
    falling: tuple[str, ...] = ("1/3", "1/2", "2/3", "1", "3/2", "2")
    """Falling powers 1 / x**i: strong scaling and surface-to-volume ratios."""


@dataclass(frozen=True)
class HypothesisSettings:
    """Prior over hypotheses: how many terms, a constant or none, interactions."""

    terms: tuple[float, ...] = (0.25, 0.4, 0.33, 0.02)
    """Probability of 0, 1, 2, 3 terms beside the constant, with one parameter. Real regions have
    one or two (Calotoiu et al., SC 2013, n = 2). Measured: flattened no effect; sharpened lead
    +0.2, within +0.2, error -0.10."""
    with_constant: float = 0.6
    """Probability of a constant beside the terms. Measured: halved lead -1.0, within -0.2, error
    -0.12."""
    several_terms: tuple[float, ...] = (0.2, 0.3, 0.25, 0.15, 0.07, 0.03)
    """Probability of 0, 1, ... terms with several parameters, the last one for each greater number.
    Measured: flattened lead +0.2; sharpened no effect."""
    interaction: float = 0.7
    """Cost in nats of each parameter beyond the first in a term: additive laws before products.
    Measured: halved no effect; doubled within -0.2."""
    disguised: float = 10.0
    """Cost of more distinct factors of a parameter than it has values, less one: such a hypothesis
    is a simpler one in disguise. Measured: no effect."""
    absent: float = -1.0
    """Log prior of each term of a fixed law that is left out because it may be too small to
    show."""
    refuted: float = 3.0
    """Log Bayes factor against a prior from which it is dropped: what was believed with a
    probability of 95 % is then as probable as not."""
    most_tested: int = 3
    """Varying parameters up to which a prior is tested: with more the laws without it are too many
    to compare."""
    too_slow: float = 20.0
    """Cost of growing more slowly than a static lower bound. A penalty and no exclusion: a bound
    holds for all sizes, measured ones may be too small to show it."""

    @cached_property
    def log_terms(self) -> Floats:
        """Log prior of the number of terms beside the constant."""
        return np.log(self.terms)

    @cached_property
    def log_several_terms(self) -> Floats:
        """The same with several parameters."""
        return np.log(self.several_terms)

    @cached_property
    def log_constant(self) -> Floats:
        """Log prior of a hypothesis without and with a constant."""
        return np.log([1 - self.with_constant, self.with_constant])


@dataclass(frozen=True)
class CoefficientSettings:
    """Prior over coefficients, and the fit of their logarithmic residuals."""

    log_range: float = 12.0
    """Width L in nats of the log-uniform prior over the magnitude of a coefficient: a ratio of
    e**12 = 160 000. Each term pays log L as part of its Occam factor (MacKay, Neural Computation 4,
    1992), so a larger one keeps models smaller. Measured: halved lead +0.5, within -0.7, error
    +0.13; doubled lead -0.2, within +0.7."""
    negative: float = 0.02
    """Prior probability that a coefficient is negative: costs mostly add up. Measured: no
    effect."""
    closest: float = 1e-3
    """Values of a linear fit below this much of the observation count as that in the first
    Gauss-Newton step, which would otherwise leave the range of logarithms. Measured: no effect."""
    bounds: tuple[float, float] = (0.3, 3.0)
    """The same for the scale of the residuals, as factors of the observation: narrower converges
    more safely, wider faster. Measured: halved no effect; doubled error +0.09."""
    step: float = 1.0
    """Longest Gauss-Newton step in a logarithm. Measured: halved no effect; doubled error -0.05."""

    @cached_property
    def log_width(self) -> float:
        """log L, what each term pays."""
        return float(np.log(self.log_range))


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
    enough: int = 8
    """Series of a metric below which they share nothing: fewer do not show a distribution.
    Measured: no effect."""
    alike: float = 2.5
    """Series share one noise where their levels lie within this factor ... Measured: halved lead
    -0.7, within -1.9; doubled no effect."""
    most_alike: float = 0.85
    """... for this share of them; a smaller one believes in a common noise that some do not have.
    Measured: halved error +7.49; doubled lead -2.1, within -4.0, CPU x1.51."""

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
    together: int = 48
    """Series fitted at a time, so that their samples stay in the cache. Measured: no effect."""
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


@dataclass(frozen=True)
class ExtrapolationSettings:
    """Local log-log extrapolation from the last points, averaged in when no law fits well."""

    choice_weight: float = 0.4
    """Weight of the line in the choice among laws that fit badly. Measured: halved error -0.33;
    doubled error +0.14 (short run)."""
    usual_weight: float = 0.3
    """Weight of the line that stacking (Wolpert, Neural Networks 5, 1992) shrinks towards.
    Measured: no effect (short run)."""
    silent: float = 0.01
    """Relative noise of the best law up to which the line has no weight ... Measured: halved error
    -0.26; doubled error -0.12 (short run)."""
    loud: float = 0.08
    """... and from which it has all of it. Measured: halved error -0.18; doubled error +0.17 (short
    run)."""
    counts: tuple[int, ...] = (2, 3)
    """The line is the mean of those through so many last points: two follow a change of behaviour,
    three bear noise. Measured: halved error +0.42; doubled error +5.04 (short run)."""
    weight_count: int = 11
    """Weights from 0 to 1 that stacking tries. Measured: no effect (short run)."""
    fewest_points: int = 3
    """Points below the largest one that a series needs to judge the line. Measured: halved no
    effect; doubled error +0.34 (short run)."""
    fewest_series: int = 4
    """Series of a metric that stacking needs; with fewer the line has no weight in forecasts.
    Measured: no effect (short run)."""
    forecast_variance: float = 1.0
    """Variance of a forecast taken for an observation, in units of that of the largest point.
    Measured: halved error -0.19; doubled error +0.15 (short run)."""

    earns: float = 2.0
    """The line has a weight of its own in a series whose largest point it foretold so much better
    than the law did. Chosen on five applications of ../shared/data and confirmed on the others:
    1.5 to 3 do the same, without it the mean error is 1.0 greater on both."""
    slack: float = 0.05
    """Added to both errors, which one point tells no better."""
    farthest: float = 0.3
    """Relative error of the line at the largest point above which it earns nothing."""
    fewest_scores: int = 8
    """Series of a metric whose largest points tell how wide intervals must be."""
    most_needed: float = 20.0
    """Largest widening that these are believed to need."""
    believed: float = 0.5
    """Power of the widening that is believed, since laws know less without the largest points than
    with them: on ../shared/data 0.5 to 0.7 cover 92 to 94 % in the mean over sets and 75 % at
    least, 1 covers 97 %, and without it 85 % and 67 % are covered."""
    earned: float = 0.1
    """Variance of a forecast that the line has earned, in units of `forecast_variance`."""

    @cached_property
    def weights(self) -> Floats:
        """(W,): the weights that stacking tries."""
        return np.linspace(0, 1, self.weight_count)


@dataclass(frozen=True)
class BeamSettings:
    """The beam search over products of factors."""

    width: int = 16
    """States kept of each size: a wider beam finds sums whose parts fit badly alone; time grows in
    proportion. Measured: halved lead +0.5, within +0.2; doubled lead +0.2, error +0.09."""
    levels: int = 6
    """Most coefficients of a hypothesis. Measured: no effect."""
    worse: float = 2.0
    """The beam ends when a level is this far (in nats) worse than the one before ..."""
    patience: int = 3
    """... but not before it has had this many terms."""
    spare: int = 3
    """States looked at for each one kept, since some are the same set reached in another order."""


@dataclass(frozen=True)
class SingleSettings:
    """Which hypotheses of one parameter get an exact fit."""

    most_unusual: float = 3.7
    """Sum of the costs of two factors above which their pair is not tried: pairs of odd exponents
    are interchangeable within noise. Measured: halved within +0.2, error +0.24; doubled lead +0.2,
    within +0.5, error -0.06, CPU x1.50."""
    kept: tuple[int, ...] = (8, 12, 10, 2)
    """Hypotheses of 1, 2, ... coefficients kept of the ranking under each noise profile. Measured:
    halved lead -0.7, within +0.2, error -0.16; doubled lead +0.5, within -0.2."""
    shape_step: float = 1.0
    """Series whose log-log slope and curvature agree when rounded to this share their weights in
    the ranking: larger is faster, smaller ranks more exactly. Measured: halved lead +0.2, error
    +0.05; doubled lead +0.5, within +0.5, error +0.11."""
    hopeless: float = 14.0
    """Hypotheses this far behind the best (in nats) get no exact fit. Measured: halved error -0.09;
    doubled no effect."""
    most: int = 16
    """Exact fits a series where its noise is known from others ... Measured: halved lead +0.6;
    doubled no effect (short run)."""
    most_alone: int = 48
    """... and where it is not: each noise level prefers others. Measured: halved lead +1.8, within
    +0.6, error -0.88; doubled within +0.6, error -0.05 (short run)."""
    always: int = 3
    """Hypotheses of one coefficient that are always fitted, so that something is left where all
    others turn negative beyond the data. Measured: no effect (short run)."""
    together: int = 256
    """Series whose rough evidence is computed at a time; a matter of cache, not of results.
    Measured: no effect (short run)."""
    most_points: int = 256
    """Points used in the ranking; the exact fits use all. Measured: no effect (short run)."""
    plain: tuple[tuple[int, int], ...] = ((1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (1, 1), (2, 1))
    """Factors (i, j) that may stand in hypotheses of three terms."""


@dataclass(frozen=True)
class SeveralSettings:
    """Which hypotheses of several parameters get an exact fit."""

    factors: tuple[int, ...] = (8, 6, 4, 3, 2)
    """Factors of each parameter that are combined, with 2, 3, ... parameters: products grow with
    their power, so more parameters allow fewer. Measured: halved lead -0.7, within -1.0; doubled
    lead +1.2, within +1.0."""
    line_points: int = 3
    """Points on a line on which only one parameter varies, without which it tells nothing of its
    factors (Calotoiu et al., CLUSTER 2016, IV.B). Measured: halved no effect; doubled lead -19.5,
    within -19.0, error +0.32."""
    line_coefficients: int = 3
    """Most coefficients of a hypothesis along a line. Measured: halved error +0.10; doubled no
    effect."""
    kept: int = 12
    """Hypotheses of each size kept of a line's ranking. Measured: halved lead +0.2, error +0.08;
    doubled no effect."""
    cached: int = 1 << 16
    """Values of terms computed at a time; a matter of cache, not of results. Measured: no effect
    (short run)."""
    least_together: int = 8
    """Series searched at a time at least. Measured: no effect (short run)."""
    hopeless: float = 16.0
    """States this far behind the best (in nats) get no exact fit. Measured: no effect (short
    run)."""
    most: int = 32
    """Exact fits a series where its noise is known from others. Measured: no effect (short run)."""
    always: int = 3
    """The first levels of the beam, and the best states of each, that always get an exact fit.
    Measured: no effect (short run)."""
    entry_cost: float = 1.5
    """Rough cost of a further term in the beam, in nats; the exact prior follows later."""
    constant_cost: float = 0.5
    """Rough cost of a constant in the beam."""
    oddness: float = 0.5
    """How much of a factor's cost counts in the beam: the parts of a product share it later."""
    first_factors: tuple[int, ...] = (3, 2, 1)
    """Best factors of each parameter, with 2, 3, ... parameters, from which products of sums are
    expanded."""
    most_common: int = 5
    """Most parameters with which a product of sums may have a common factor."""
    expanded_terms: int = 4
    """Points that a product of sums needs more than: it has as many coefficients."""


@dataclass(frozen=True)
class SelectionSettings:
    """Exact fits, their evidence, and the choice among them."""

    kept: int = 8
    """Alternatives kept of each series for intervals and rivals. Measured: halved lead -0.2, within
    +0.5, error -0.19; doubled error +0.29."""
    horizon: int = 2
    """How many of the points beyond the data, the last ones, losses are taken at; the others only
    exclude negative values. Measured: halved error +0.71; doubled impossible."""
    lead_weight: float = 0.3
    """Loss of a wrong leading term, in units of a relative error of 100 % beyond the data.
    Measured: halved no effect; doubled error -0.13."""
    action_share: float = 0.02
    """Alternatives less probable than this much of the best one are never chosen. Measured: no
    effect."""
    hopeless: float = 12.0
    """Fits this far behind the best (in nats) keep their linear residuals. Measured: no effect."""
    straight: float = 0.02
    """Root mean square of relative residuals below which y / f - 1 stands for its logarithm.
    Measured: halved lead +0.6, within -3.0; doubled no effect (short run)."""
    steps: int = 2
    """Gauss-Newton steps to logarithmic residuals. Measured: halved lead +0.6, within -3.0, error
    -0.73; doubled no effect (short run)."""
    noise_limit: float = 0.05
    """Residual noise above which deviations that nothing else explains are taken for a law that is
    not in the dictionary ... Measured: halved no effect; doubled error +0.14 (short run)."""
    independent: int = 6
    """... whose evidence then counts as that of so many independent points: such deviations come in
    runs. Measured: halved error +0.07; doubled no effect (short run)."""
    largest_outlier: float = 3.0
    """Most ratio of an outlier to the law; beyond it the program changed its behaviour. Measured:
    no effect (short run)."""
    repeated: int = 3
    """Repetitions from which a disturbance does not hit all of them: where the least of so many is
    still half as far off as their mean (in logarithms), the largest point is no outlier."""
    far_closer: float = 1e-3
    """A best fit this much closer than the least shared noise level belongs to other noise ...
    Measured: no effect (short run)."""
    far_off: float = 0.3
    """... and so does one whose residual is above the greatest level over this. Measured: no effect
    (short run)."""
    agreement: float = 0.25
    """Relative difference at the last point beyond up to which two laws agree. Measured: no effect
    (short run)."""
    cached: int = 1 << 15
    """Values of hypotheses computed at a time; a matter of cache, not of results. Measured: no
    effect (short run)."""
    least_together: int = 64
    """Hypotheses fitted at a time at least. Measured: no effect (short run)."""


@dataclass(frozen=True)
class RegimeSettings:
    """Two regimes as alternatives to one law throughout (see `regime_selection`)."""

    share: float = 0.1
    """Probability that a series changes its regime between the points."""
    same: float = 0.5
    """Probability that the law above a change grows as the one below, at another cost."""
    same_at_one: float = 0.95
    """The same where the last point alone is above the change: a level there would end all growth
    on the word of one point."""
    continuous: float = 0.5
    """Probability that the laws on both sides of a change meet there."""
    nearly: float = 0.02
    """Difference of logarithms up to which laws meet at a point, for their noise."""
    narrowest: float = 0.1
    """Least width in nats of the range of a coefficient that meeting leaves."""
    fewest: int = 4
    """Points without which a change and two laws cannot be told from one law."""
    most_unusual: tuple[float, ...] = (3.0, 1.6)
    """Cost of the factors of laws of one regime (see `DictionarySettings`), with one coefficient
    and with two: the points of a regime are few."""
    slack: float = 4.0
    """A series is looked at where the first look leaves two regimes at most this far (in nats)
    behind one law."""
    most_places: int = 12
    """Places of a change that are tried, the last ones."""
    kept: int = 8
    """Laws kept of each place."""
    together: int = 64
    """Series fitted at a time; a matter of memory, not of results."""

    @cached_property
    def log_share(self) -> float:
        """Log odds of a change."""
        return float(np.log(self.share) - np.log1p(-self.share))


@dataclass(frozen=True)
class TileSettings:
    """Work in whole tiles (see `whole_tiles`)."""

    share: float = 0.05
    """Probability that values rise in steps. Measured on `--suite hard`: 0.03 and 0.1 do the
    same."""
    least_noise: float = 0.03
    """Noise of the best smooth law above which a series is looked at. Measured: 0.06 does the
    same."""
    fewest: int = 5
    """Points without which steps cannot be told from noise."""
    steps: tuple[float, float] = (1.5, 24.0)
    """Least and most tiles up to the largest point: more steps are as good as smooth."""
    tried: int = 96
    """Sizes of a tile that are tried."""
    slack: float = 1e-9
    """Relative rounding of sizes that are whole multiples of a tile."""

    @cached_property
    def log_share(self) -> float:
        """Log odds of steps."""
        return float(np.log(self.share) - np.log1p(-self.share))


@dataclass(frozen=True)
class IdentifiabilitySettings:
    """When a model is reported as not identifiable, and which point is proposed. These
    change what is reported of a model, not the model, so the benchmark does not see them."""

    most_top: int = 2
    """Points that alone show the leading term, up to which a model is not sure ..."""
    showing: float = 2.0
    """... a term being shown by a point where it is this many standard deviations of noise."""
    fewest_sure: int = 4
    """Points without which no model is sure: three points bear a law of two coefficients without
    a doubt, and many such laws."""
    multiples: tuple[float, ...] = (2.0, 4.0, 8.0, 16.0)
    """Multiples of the largest values that may be proposed for the next measurement."""
    discriminating: float = 3.0
    """Standard deviations of noise by which laws must differ at the proposed point."""
    least_noise: float = 0.01
    """Noise assumed at least at the proposed point."""
    fewest_points: int = 3
    """Points and values of a parameter without which nothing is identifiable."""


@dataclass(frozen=True)
class GoodnessSettings:
    """When the best law is no description of the points: changes the report, not the model."""

    unusual_smape: float = 40.0
    """SMAPE in % beyond usual noise."""
    supported: float = 3.0
    """Multiple of the scatter of repetitions up to which such deviations are believed."""
    not_zero: float = 0.2
    """Share of the least nonzero value that a law may have where zero was measured."""


@dataclass(frozen=True)
class ReportSettings:
    """What a model shows of its alternatives: changes the report, not the model."""

    rival_share: float = 0.1
    """Alternatives this probable beside the chosen one are rivals."""
    rivals: int = 5
    """Most rivals shown."""
    least_weight: float = 1e-6
    """Alternatives less probable than this are left out of intervals."""


@dataclass(frozen=True)
class IntervalSettings:
    """Quantiles of the mixture behind a prediction interval. Models are read back from files
    without settings, so these are the same for all."""

    rounds: int = 100
    """Most Newton steps, each inside a bracket that halves where Newton fails: 2**-100 is below
    rounding."""
    precision: float = 1e-13
    """Relative precision of a quantile."""
    selected: float = 1.2
    """How much wider noise is than the residuals of the best of many laws, which fit some of it.
    Measured with `make bench-modeling ARGS="--suite calibration"`: the same factor serves noise of
    2 to 40 %, one repetition and five, one parameter and two."""
    most_deviation: float = 2.0
    """Largest standard deviation of log f: beyond it the value is unknown by more than a factor of
    e**2, and the normal approximation of the logarithm says nothing."""


INTERVAL = IntervalSettings()


@dataclass(frozen=True)
class BatchSettings:
    """How many series are sampled and modelled at a time, and where laws are compared."""

    most_parameters: int = 10
    """Most varying parameters of a series; their products would fill the memory. Measured: no
    effect (short run)."""
    far: tuple[float, ...] = (2.0, 4.0)
    """Multiples of the largest values at which models are compared (the protocols of the papers ask
    at these); the last one decides which term leads. Measured: halved within -0.6, error -0.65;
    doubled error -0.21 (short run)."""
    farther: tuple[float, ...] = (64.0,)
    """Multiples at which a law must not be negative either. Measured: no effect (short run)."""
    sample: tuple[int, ...] = (24, 48, 48, 24)
    """Series of a metric that tell its noise, with 0, 1, 2, ... varying parameters: their
    distribution is known to a seventh from about fifty, and each costs as much as six other
    series. Measured: 128 with one parameter no effect on real sets."""
    chunk: tuple[int, ...] = (256, 16384, 1024, 256)
    """Series modelled at a time, with 0, 1, 2, ... varying parameters and the usual points.
    Measured: no effect (short run)."""
    usual_points: int = 125
    """Points (5 x 5 x 5) up to which a chunk keeps its size. Measured: no effect (short run)."""
    block: int = 1 << 19
    """Values of candidates held at a time: 4 MB of doubles. Measured: no effect (short run)."""
    usual_share: float = 1.0
    """Share of the mean magnitude that noise is at least relative to where values are not all
    positive: small counts beside zeros scatter by their mean, and 1/2 lets the zeros decide
    (measured on real counts: error 12.3 instead of 10.6 %)."""


@dataclass(frozen=True)
class Settings:
    """All constants of the default fitter."""

    dictionary: DictionarySettings = field(default_factory=DictionarySettings)
    """Prior over factors."""
    hypotheses: HypothesisSettings = field(default_factory=HypothesisSettings)
    """Prior over hypotheses."""
    coefficients: CoefficientSettings = field(default_factory=CoefficientSettings)
    """Prior over coefficients."""
    noise: NoiseSettings = field(default_factory=NoiseSettings)
    """Noise levels and their prior."""
    bounded: BoundedNoiseSettings = field(default_factory=BoundedNoiseSettings)
    """Bounded noise."""
    disturbances: DisturbanceSettings = field(default_factory=DisturbanceSettings)
    """Disturbed repetitions."""
    extrapolation: ExtrapolationSettings = field(default_factory=ExtrapolationSettings)
    """Local log-log extrapolation."""
    beam: BeamSettings = field(default_factory=BeamSettings)
    """Beam search."""
    single: SingleSettings = field(default_factory=SingleSettings)
    """Search with one parameter."""
    several: SeveralSettings = field(default_factory=SeveralSettings)
    """Search with several parameters."""
    selection: SelectionSettings = field(default_factory=SelectionSettings)
    """Fits and choice."""
    regimes: RegimeSettings = field(default_factory=RegimeSettings)
    """Changes of regime."""
    tiles: TileSettings = field(default_factory=TileSettings)
    """Work in whole tiles."""
    identifiability: IdentifiabilitySettings = field(default_factory=IdentifiabilitySettings)
    """Identifiability."""
    goodness: GoodnessSettings = field(default_factory=GoodnessSettings)
    """Goodness of fit."""
    report: ReportSettings = field(default_factory=ReportSettings)
    """Rivals and weights shown."""
    batch: BatchSettings = field(default_factory=BatchSettings)
    """Sizes of batches and samples."""


DEFAULT = Settings()


@dataclass(frozen=True)
class LassoSettings:
    """The online LASSO, beside the prior over exponents and signs that it shares with the default
    fitter. Compared in `python -m benchmarks.bench_modeling --method default,lasso`."""

    most_terms: int = 300
    """Largest dictionary: an observation costs its square."""
    longest: int = 8
    """Steps along the path; terms that enter later explain noise, and all pairs of those that
    entered are compared."""
    points_per_term: int = 5
    """Points for each term of a model (Reisert et al., Euro-Par 2017, section 3.2). Without this
    rule the median error of real series is 29.5 instead of 17.1 %."""
    most_coefficients: int = 3
    """Terms of a model beside the constant (Calotoiu et al., SC 2013, use 2)."""
    exact: float = 1e-13
    """Least residual sum of squares, relative to that of the values: what rounding leaves of the
    difference of two sums."""
    constant: float = 1e-12
    """A term whose variance is below this much of its mean square is constant at the points."""
    dependent: float = 1e-10
    """Sets of terms whose correlation matrix has a determinant below this cannot be told apart by
    sums in double precision."""
    largest: float = 1e100
    """Values of terms above this are left out: their squares must stay finite."""
    least_freedom: float = 0.4
    """Degrees of freedom that the small-sample correction divides by at least: finite, and worse
    than any model with one more."""


LASSO = LassoSettings()
