"""Exact fits, the alternatives to one smooth law, and the choice among them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arithmetic import Floats


@dataclass(frozen=True)
class ExtrapolationSettings:
    """Local log-log extrapolation from the last points, averaged in when no law fits well."""

    choice_weight: tuple[float, ...] = (0.3, 0.4)
    """Weight of the line in the choice among laws that fit badly, with 1, 2, ... varying
    parameters. Measured on ../shared/data: 0.25 to 0.35 with one parameter give a mean error that
    is 0.2 less than 0.4 does, 0.3 with two 0.1 more."""
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
class SelectionSettings:
    """Exact fits, their evidence, and the choice among them."""

    kept: int = 8
    """Alternatives kept of each series for intervals and rivals. Measured: halved lead -0.2, within
    +0.5, error -0.19; doubled error +0.29."""
    compared: int = 16
    """Fits, the most probable ones, among which one is chosen. Measured on ../shared/data: 64 give
    a mean error that is 0.3 greater."""
    grouped: int = 3
    """How many of these stand for all fits that are less probable than the others, each for a group
    of them."""
    rounding: float = 1e-4
    """Relative difference of values that are taken for equal when fits are put in groups."""
    gathered_alone: tuple[int, ...] = (64, 16)
    """Fits of a series that forecasts are made of where its noise is not known from others, with 1,
    2, ... varying parameters: where two terms cross at the largest points, the best 8 of one
    parameter have 57 to 85 % of the probability."""
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
    independent: tuple[int, ...] = (4, 6)
    """... whose evidence then counts as that of so many independent points, with 1, 2, ... varying
    parameters: such deviations come in runs along each of them. Measured on ../shared/data: 3 to 4
    with one parameter give a mean error that is 0.2 less than 5 to 6 do, 4 with two 0.1 more."""
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
    affine: float = 0.3
    """Probability that the law of a regime is a + b x, as that of messages and of passes over data
    is. Measured on `--suite hard`, two seeds: protocol switches that are called sure wrongly fall
    from 32 % (without it) to 13 %, 5 % and 0 % with 0.1, 0.3 and 0.6, their mean error from 23 % to
    19, 16 and 13 %, while that of cache steps grows from 1.4 % to 2.4, 2.8 and 3.9 %."""
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
    fewest_on_grid: int = 4
    """Points of several parameters on each side of a change, without which it is not tried."""
    most_on_grid: int = 64
    """Places of a change of several parameters that are tried, at even ranks: each takes a search
    of its own."""
    few_values: int = 2
    """Values of a parameter above a change that tell so little of the growth beyond them ..."""
    few_profile: int = 1
    """... that forecasts have this profile of noise (see `NoiseSettings.kappas`): trust in the law
    is lost with each step."""
    least_noise: float = 0.01
    """Noise of the best law of several parameters above which a change is looked for ..."""
    far_better: float = 1.5
    """... where products of powers, one on each side, leave less than so many times its squares
    ..."""
    far_apart: float = 0.4
    """... or where it is so far (difference of logarithms) from local extrapolation at twice the
    largest values: a step taken for a steep power is."""
    together: int = 64
    """Series fitted at a time; a matter of memory, not of results."""

    @cached_property
    def log_affine(self) -> float:
        """Log probability of a + b x."""
        return float(np.log(self.affine))

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
