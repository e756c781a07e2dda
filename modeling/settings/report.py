"""What is said of a model: certainty, goodness, rivals, intervals."""

from __future__ import annotations

from dataclasses import dataclass


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
    fewest_values: int = 4
    """Values of a parameter without which no model whose leading term has it is sure ..."""
    quiet: float = 0.04
    """... where the noise of the mean of a point is larger than this. Measured with three values of
    two and three parameters, 200 functions each: of the models that were called sure 0 to 8 % are
    off by more than a quarter at 2 and 3 % noise, 0 to 22 % at 5 %, 4 to 30 % at 10 %."""
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
class CurveSettings:
    """Laws that are no sums of powers and logarithms: which series are tried, and how probable they
    are beforehand."""

    log_share: float = -4.6
    """Log probability of each family of curves, a hundredth."""
    log_share_of_workers: float = -1.2
    """The same of what is a rate by its name over a number of workers, where contention is the
    usual law."""
    fewest_beyond: int = 2
    """Points beyond the constants of a curve, which confirm it."""
    steep: float = 2.5
    """Least slope of the last points on logarithmic axes for growth by factors to be tried."""
    steepens: float = 1.1
    """Times the slope of the first half of the points that that of the second is, then."""
    rises: float = 1.2
    """Times its first value that a rate reaches ..."""
    flattens: float = 0.75
    """... while its slope on logarithmic axes falls to this much of that of its beginning."""
    steepest_rate: float = 1.5
    """Greatest slope that a rate begins with."""
    least_noise: float = 1e-6
    """Noise of logarithms that is assumed at least: counts are exact, and no rates."""
    most_noise: float = 0.3
    """Noise of logarithms above which no curve is told."""
    least: float = 0.5
    """Probability from which on the curve is the law."""
    doubt: float = 0.1
    """Probability of the other laws from which on it is not told by the points."""
    drift: float = 0.1
    """Standard deviation of log f for each doubling beyond the largest point: curves end there,
    too, and no point tells of it."""
    held: float = 0.95
    """Share of the probability that intervals hold."""
    quantile: float = 1.645
    """That of 95 % of a normal distribution."""
    leverage: float = 0.99
    """Greatest leverage of a point that is left out."""
    last: int = 3
    """Points whose slope says how steeply a series ends."""
    damping: tuple[float, float, float] = (1e-2, 1e-9, 1e9)
    """Damping of the first step, the least, and the greatest ..."""
    damps: float = 5.0
    """... and what it changes by from step to step."""
    rounds: int = 40
    """Damped Gauss-Newton steps."""
    close: float = 1e-6
    """Relative gain below which a step gains nothing ..."""
    patience: int = 3
    """... and such steps after which a fit ends."""
    longest: float = 2.0
    """Longest step in a logarithm."""


CURVES = CurveSettings()


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
    left_out: float = 1.0
    """Standard deviation of what a law leaves out, in units of its noise at the largest point: no
    less, since the noise hides it. Measured: of 1/p with c log p as large as the noise at the
    largest of six points, 1 holds 93 to 98 % at four times it, 0 75 to 93; on 878 public series 0
    and 1 cover the same, 6 one more of a hundred, but then hardly a law of 1/p is sure."""
    most_fallen: float = 1e3
    """Greatest fall that counts: farther beyond the data nothing is known anyhow."""
    unseen_rate: float = 0.08
    """How often, for each doubling of a parameter beyond the largest point, the law of a time ends
    and no point tells of it: data leave a cache, a protocol changes. This and the two below were
    learnt from times of loops at 4 and 8 times the largest size (`make bench-time`) whose intervals
    were narrow, each program with the same weight: 0.04 on programs of our own and the samples,
    0.10 on PolyBench, 0.08 on all."""
    unseen_shift: float = 0.45
    """Mean logarithm of the factor by which times are then longer: 0.38, 0.52 and 0.46."""
    unseen_spread: float = 0.3
    """Its standard deviation: less than 0.01, 0.36 and 0.32."""
    open_values: tuple[float, ...] = (0.5, 0.1)
    """Standard deviation of the exponent of a parameter that 2 and 3 values of it leave open beyond
    them, whatever fits them: a law of every family goes through two values, and one value alone
    tells 1/p from (p - 1)/p where there are three."""
    open_terms: tuple[float, ...] = (1.0, 0.5)
    """The same of laws whose leading term 1 and 2 points show."""


INTERVAL = IntervalSettings()
