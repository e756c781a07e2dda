"""The online LASSO."""

from __future__ import annotations

from dataclasses import dataclass


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
