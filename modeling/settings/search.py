"""Which hypotheses are looked at."""

from __future__ import annotations

from dataclasses import dataclass


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

    factors: tuple[int, ...] = (8, 5, 4, 3, 2)
    """Factors of each parameter that are combined, with 2, 3, ... parameters: products grow with
    their power, so more parameters allow fewer. Measured since lines are ranked
    by evidence: 4 to 16 do the same at 5 to 20 % noise; with 2 parameters on crosses of points 5
    have an error of 5.2 %, 8 of 7.8 and 10 of 10.7, at random points 4.2, 3.1 and 2.8 %."""
    line_points: int = 3
    """Points on a line on which only one parameter varies, without which it tells nothing of its
    factors (Calotoiu et al., CLUSTER 2016, IV.B). Measured: halved no effect; doubled lead -19.5,
    within -19.0, error +0.32."""
    line_coefficients: int = 3
    """Most coefficients of a hypothesis along a line. Measured: halved error +0.10; doubled no
    effect."""
    line_coefficient: float = 0.5
    """Cost of each coefficient on each line, in nats. It is below that of a coefficient of a law,
    since most components of a line are small beside it. Measured (errors of crosses, of random
    points, of steps on grids; of three parameters with 20 % noise): 0 7.3, 3.0, 8.1; 10.5 %, 0.5
    7.8, 3.1, 7.3; 9.2 %, 1 8.2, 3.4, 6.9; 9.1 %, 2.5 9.2, 5.0, 7.5; 9.2 %."""
    kept: int = 12
    """Hypotheses of each size kept of a line's ranking. Measured: halved lead +0.2, error +0.08;
    doubled no effect."""
    cached: int = 1 << 20
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
