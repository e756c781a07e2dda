"""Every tuning constant of the default fitter: what it trades, and where its value comes from.

A constant that a paper or a theorem gives cites it. Every other one was chosen on the protocols of
`benchmarks.bench_modeling`; `python -m benchmarks.bench_settings` halves and doubles each of them
alone and prints what that does.

The settings are values: `fit(..., settings=Settings(...))` hands them down, and nothing reads or
writes a global. `ARITHMETIC` is no tuning: it says what double precision can resolve.

This module imports nothing of the package, so that every room may import it.
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
    error: float = 1e-26
    """Least residual sum of squares in a ranking, relative to the mean square: fits below it are
    equal."""
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
    log_weight: float = 700.0
    """Log weights of samples are clipped here: exp(-700) = 1e-304 is the last normal number."""


ARITHMETIC = Arithmetic()
UNIFORM = 3
"""A uniform distribution on [-h, h] has the variance h**2 / 3."""
FORM_ROWS = 128
"""Series whose errors are computed at a time, so that (rows x hypotheses) stay in the cache: a
matter of speed, not of results."""
MOST_FORM_POINTS = 12
"""Points up to which errors come from packed quadratic forms, P (P + 1) / 2 numbers a hypothesis;
with more the projections on the basis are cheaper. A matter of speed, not of results."""
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
    low ones find them with fewer points."""
    other_denominator: float = 2.5
    """Cost of all other denominators, which only a known law brings in."""
    power: float = 0.35
    """Cost of each unit of |i| above 1: steep growth is rarer than slow growth."""
    logarithms: tuple[float, ...] = (0.0, 1.3, 2.3)
    """Cost of j = 0, 1, 2 beside a power."""
    other_logarithm: float = 2.5
    """Cost of other powers of a logarithm beside a power."""
    pure_logarithms: tuple[float, ...] = (0.0, 0.0, 1.0)
    """Cost of log2(x)**j alone, j = 0, 1, 2."""
    other_pure_logarithm: float = 1.9
    """Cost of log2(x)**(1/2) and log2(x)**(3/2) alone."""
    negative: float = 1.0
    """Cost of a falling power, beside that of its size."""
    largest_whole: int = 4
    """Largest whole power: x**4 is the fastest growth of the protocols (Calotoiu et al., SC 2013,
    go to 3)."""
    largest_power: int = 3
    """Largest power with a denominator or with a logarithm (Calotoiu et al., SC 2013)."""
    mixed_denominators: int = 4
    """Largest denominator beside a logarithm; more of them make the dictionary longer and a fit
    slower."""
    mixed_logarithms: tuple[int, ...] = (1, 2)
    """Powers of the logarithm beside a power (Calotoiu et al., SC 2013: J = {0, 1, 2})."""
    half_logarithms: tuple[int, ...] = (1, 2, 3, 4)
    """Powers of a logarithm alone, in halves."""
    falling: tuple[str, ...] = ("1/3", "1/2", "2/3", "1", "3/2", "2")
    """Falling powers 1 / x**i: strong scaling and surface-to-volume ratios."""


@dataclass(frozen=True)
class HypothesisSettings:
    """Prior over hypotheses: how many terms, a constant or none, interactions."""

    terms: tuple[float, ...] = (0.25, 0.4, 0.33, 0.02)
    """Probability of 0, 1, 2, 3 terms beside the constant, with one parameter. Real regions have
    one or two (Calotoiu et al., SC 2013, n = 2)."""
    with_constant: float = 0.6
    """Probability of a constant beside the terms."""
    several_terms: tuple[float, ...] = (0.2, 0.3, 0.25, 0.15, 0.07, 0.03)
    """Probability of 0, 1, ... terms with several parameters, the last one for each greater
    number."""
    interaction: float = 0.7
    """Cost in nats of each parameter beyond the first in a term: additive laws before products."""
    disguised: float = 10.0
    """Cost of more distinct factors of a parameter than it has values, less one: such a hypothesis
    is a simpler one in disguise."""
    absent: float = -1.0
    """Log prior of each term of a fixed law that is left out because it may be too small to
    show."""
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
    1992), so a larger one keeps models smaller."""
    negative: float = 0.02
    """Prior probability that a coefficient is negative: costs mostly add up."""
    closest: float = 1e-3
    """Values of a linear fit below this much of the observation count as that in the first
    Gauss-Newton step, which would otherwise leave the range of logarithms."""
    bounds: tuple[float, float] = (0.3, 3.0)
    """The same for the scale of the residuals, as factors of the observation: narrower converges
    more safely, wider faster."""
    step: float = 1.0
    """Longest Gauss-Newton step in a logarithm."""

    @cached_property
    def log_width(self) -> float:
        """log L, what each term pays."""
        return float(np.log(self.log_range))


@dataclass(frozen=True)
class NoiseSettings:
    """Noise levels (s, kappa) that are tried, and what series of one metric share of them."""

    exact_sigmas: tuple[float, ...] = (1e-9, 1e-7, 1e-5)
    """Relative standard deviations that stand for counts, which have no noise but rounding."""
    least_sigma: float = 1e-4
    """The least noise of a measurement."""
    most_sigma: float = 0.6
    """The greatest noise of a measurement: above it the sign of a value would be open."""
    sigma_count: int = 19
    """Levels from the least to the greatest, a factor of 1.6 apart; more cost time in proportion
    and resolve what no eight points tell."""
    kappas: tuple[float, ...] = (0.0, 4.0, 30.0, 0.0)
    """Loss of trust a step below the largest point: one law throughout, two kinds of law that
    change with size, and (last) one law with the largest point an outlier."""
    profile_prior: tuple[float, ...] = (0.3, 0.3, 0.35, 0.05)
    """Probability of each kappa."""
    outlier_size: float = 10.0
    """Standard deviation of an outlier in units of that of other points."""
    exact_share: float = 0.02
    """Probability that a series has no noise at all."""
    usual: float = 0.1
    """The most probable relative noise of a series of which nothing else is known."""
    width: float = 1.5
    """Standard deviation of the logarithm of the noise around the usual one, in nats."""
    rounds: int = 60
    """Rounds of expectation maximisation for the noise that series share."""
    negligible: float = 1e-3
    """Levels less probable than this much of the best one are dropped when series share their
    noise: each one kept costs time."""
    pseudo: float = 0.1
    """Weight of the prior in expectation maximisation, in series."""
    enough: int = 8
    """Series of a metric below which they share nothing: fewer do not show a distribution."""
    alike: float = 2.5
    """Series share one noise where their levels lie within this factor ..."""
    most_alike: float = 0.85
    """... for this share of them; a smaller one believes in a common noise that some do not
    have."""

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
    """The least half width h; below it noise is rounding."""
    most_width: float = 1.0
    """The greatest half width h, at which observations reach zero."""
    cell_count: int = 128
    """Cells in log h, in each of which the prior is constant."""
    fewest: int = 3
    """Repetitions at each point without which shapes are not distinguished: two have no interior
    point."""
    share: float = 0.03
    """Prior probability that the noise of a series is bounded."""
    usual: float = 0.2
    """The most probable half width."""
    width: float = 1.5
    """Standard deviation of log h around the usual one, in nats."""
    implausible: float = 4.0
    """Log odds against bounded noise from which repetitions exclude it (3 to 5 is strong
    evidence: Kass and Raftery, JASA 90, 1995, 2 log B of 6 to 10)."""
    mostly: float = 0.7
    """Share of a metric's series that must have bounded noise before any of them is taken for it:
    one that merely looks bounded does so by chance."""
    rounds: int = 60
    """Rounds of expectation maximisation for the share and the widths."""
    pseudo: float = 1.0
    """Weight of the prior in expectation maximisation, in series."""
    enough: int = 8
    """Series of a metric below which the usual prior is taken."""
    candidates: int = 20
    """Laws of each series that are fitted again under bounded noise, so that one that is right but
    not the most probable under normal noise can still win; time grows in proportion."""
    unlikely: float = 10.0
    """Laws that normal noise leaves this far behind the best (in nats) are not fitted again."""
    together: int = 48
    """Series fitted at a time, so that their samples stay in the cache."""
    settled: float = 0.01
    """A series is left as it is where normal noise already determines the extrapolated value to
    this relative standard deviation ..."""
    settled_lead: float = 0.98
    """... and its leading term with this probability."""
    first_samples: int = 48
    """Samples of the first round, which only finds where the likelihood is."""
    samples: int = 32
    """Samples of the later rounds, times 2**k for k coefficients ..."""
    most_samples: int = 256
    """... but no more than these."""
    most_rounds: int = 6
    """Rounds of adaptive importance sampling (Cappe et al., Journal of Computational and Graphical
    Statistics 13, 2004) after which the last result stands."""
    degrees: float = 6.0
    """Degrees of freedom of the Student distribution samples are drawn from: heavy tails bound the
    weights, light ones waste fewer samples."""
    tempered_share: float = 0.25
    """Effective share of the samples to which weights are flattened while the distribution is
    still far off."""
    good_share: float = 0.1
    """Effective share of the samples with which weights are used as they are."""
    inflation: float = 1.2
    """How much wider than the last estimate the distribution is drawn; too narrow misses the
    tails."""
    hopeless: float = 7.0
    """Laws this far behind the best of their series (in nats) are given up."""
    widest: float = 0.95
    """Half width above which a first guess is clipped."""
    tempering_rounds: int = 12
    """Flattening steps: 0.6**12 = 0.002 of the log weights remain."""
    tempering: float = 0.6
    """Factor of the log weights in each flattening step."""
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
class ExtrapolationSettings:
    """Local log-log extrapolation from the last points, averaged in when no law fits well."""

    choice_weight: float = 0.4
    """Weight of the line in the choice among laws that fit badly."""
    usual_weight: float = 0.3
    """Weight of the line that stacking (Wolpert, Neural Networks 5, 1992) shrinks towards."""
    silent: float = 0.01
    """Relative noise of the best law up to which the line has no weight ..."""
    loud: float = 0.08
    """... and from which it has all of it."""
    counts: tuple[int, ...] = (2, 3)
    """The line is the mean of those through so many last points: two follow a change of behaviour,
    three bear noise."""
    weight_count: int = 11
    """Weights from 0 to 1 that stacking tries."""
    fewest_points: int = 3
    """Points below the largest one that a series needs to judge the line."""
    fewest_series: int = 4
    """Series of a metric that stacking needs; with fewer the line has no weight in forecasts."""
    forecast_variance: float = 1.0
    """Variance of a forecast taken for an observation, in units of that of the largest point."""

    @cached_property
    def weights(self) -> Floats:
        """(W,): the weights that stacking tries."""
        return np.linspace(0, 1, self.weight_count)


@dataclass(frozen=True)
class BeamSettings:
    """The beam search over products of factors."""

    width: int = 16
    """States kept of each size: a wider beam finds sums whose parts fit badly alone; time grows in
    proportion."""
    levels: int = 6
    """Most coefficients of a hypothesis."""
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
    are interchangeable within noise."""
    kept: tuple[int, ...] = (8, 12, 10, 2)
    """Hypotheses of 1, 2, ... coefficients kept of the ranking under each noise profile."""
    shape_step: float = 1.0
    """Series whose log-log slope and curvature agree when rounded to this share their weights in
    the ranking: larger is faster, smaller ranks more exactly."""
    hopeless: float = 14.0
    """Hypotheses this far behind the best (in nats) get no exact fit."""
    most: int = 16
    """Exact fits a series where its noise is known from others ..."""
    most_alone: int = 48
    """... and where it is not: each noise level prefers others."""
    always: int = 3
    """Hypotheses of one coefficient that are always fitted, so that something is left where all
    others turn negative beyond the data."""
    together: int = 256
    """Series whose rough evidence is computed at a time; a matter of cache, not of results."""
    most_points: int = 256
    """Points used in the ranking; the exact fits use all."""
    plain: tuple[tuple[int, int], ...] = ((1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (1, 1), (2, 1))
    """Factors (i, j) that may stand in hypotheses of three terms."""


@dataclass(frozen=True)
class SeveralSettings:
    """Which hypotheses of several parameters get an exact fit."""

    factors: tuple[int, ...] = (8, 6, 4, 3, 2)
    """Factors of each parameter that are combined, with 2, 3, ... parameters: products grow with
    their power, so more parameters allow fewer."""
    line_points: int = 3
    """Points on a line on which only one parameter varies, without which it tells nothing of its
    factors (Calotoiu et al., CLUSTER 2016, IV.B)."""
    line_coefficients: int = 3
    """Most coefficients of a hypothesis along a line."""
    kept: int = 12
    """Hypotheses of each size kept of a line's ranking."""
    cached: int = 1 << 16
    """Values of terms computed at a time; a matter of cache, not of results."""
    least_together: int = 8
    """Series searched at a time at least."""
    hopeless: float = 16.0
    """States this far behind the best (in nats) get no exact fit."""
    most: int = 32
    """Exact fits a series where its noise is known from others."""
    always: int = 3
    """The first levels of the beam, and the best states of each, that always get an exact fit."""
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
    """Alternatives kept of each series for intervals and rivals."""
    horizon: int = 2
    """How many of the points beyond the data, the last ones, losses are taken at; the others only
    exclude negative values."""
    lead_weight: float = 0.3
    """Loss of a wrong leading term, in units of a relative error of 100 % beyond the data."""
    action_share: float = 0.02
    """Alternatives less probable than this much of the best one are never chosen."""
    hopeless: float = 12.0
    """Fits this far behind the best (in nats) keep their linear residuals."""
    straight: float = 0.02
    """Root mean square of relative residuals below which y / f - 1 stands for its logarithm."""
    steps: int = 2
    """Gauss-Newton steps to logarithmic residuals."""
    noise_limit: float = 0.05
    """Residual noise above which deviations that nothing else explains are taken for a law that is
    not in the dictionary ..."""
    independent: int = 6
    """... whose evidence then counts as that of so many independent points: such deviations come
    in runs."""
    largest_outlier: float = 3.0
    """Most ratio of an outlier to the law; beyond it the program changed its behaviour."""
    far_closer: float = 1e-3
    """A best fit this much closer than the least shared noise level belongs to other noise ..."""
    far_off: float = 0.3
    """... and so does one whose residual is above the greatest level over this."""
    agreement: float = 0.25
    """Relative difference at the last point beyond up to which two laws agree."""
    cached: int = 1 << 15
    """Values of hypotheses computed at a time; a matter of cache, not of results."""
    least_together: int = 64
    """Hypotheses fitted at a time at least."""


@dataclass(frozen=True)
class IdentifiabilitySettings:
    """When a model is reported as not identifiable, and which point is proposed."""

    agreement: float = 0.6
    """Probability that the value at four times the largest point is right within a quarter, below
    which a model is not identifiable."""
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
    """When the best law is no description of the points."""

    unusual_smape: float = 40.0
    """SMAPE in % beyond usual noise."""
    supported: float = 3.0
    """Multiple of the scatter of repetitions up to which such deviations are believed."""
    not_zero: float = 0.2
    """Share of the least nonzero value that a law may have where zero was measured."""


@dataclass(frozen=True)
class ReportSettings:
    """What a model shows of its alternatives."""

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
    most_deviation: float = 2.0
    """Largest standard deviation of log f: beyond it the value is unknown by more than a factor of
    e**2, and the normal approximation of the logarithm says nothing."""


INTERVAL = IntervalSettings()


@dataclass(frozen=True)
class BatchSettings:
    """How many series are sampled and modelled at a time, and where laws are compared."""

    most_parameters: int = 10
    """Most varying parameters of a series; their products would fill the memory."""
    far: tuple[float, ...] = (2.0, 4.0)
    """Multiples of the largest values at which models are compared (the protocols of the papers
    ask at these); the last one decides which term leads."""
    farther: tuple[float, ...] = (64.0,)
    """Multiples at which a law must not be negative either."""
    sample: tuple[int, ...] = (24, 128, 48, 24)
    """Series of a metric that tell its noise, with 0, 1, 2, ... varying parameters: their
    distribution is known to a tenth from about a hundred."""
    chunk: tuple[int, ...] = (256, 16384, 1024, 256)
    """Series modelled at a time, with 0, 1, 2, ... varying parameters and the usual points."""
    usual_points: int = 125
    """Points (5 x 5 x 5) up to which a chunk keeps its size."""
    block: int = 1 << 19
    """Values of candidates held at a time: 4 MB of doubles."""
    usual_share: float = 0.5
    """Share of the mean magnitude that noise is at least relative to where values are not all
    positive."""


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
    """Largest dictionary: an observation costs its square, about a millisecond here."""
    longest: int = 8
    """Steps along the path; terms that enter later explain noise, and all pairs of those that
    entered are compared."""
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
