"""What double precision can resolve, and constants of mathematics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


T = TypeVar("T")


def at(values: Sequence[T], place: int) -> T:
    """The value at a place; the last one stands for all that follow."""
    return values[min(place, len(values) - 1)]


DIGITS = 52
"""Bits of a double behind the leading one."""


@dataclass(frozen=True)
class Arithmetic:
    """What double precision (53 bits, about 1e-16) can resolve, with room for a few hundred
    operations. These guard divisions and logarithms; no model changes as long as they stay far
    below the noise."""

    tiny: float = 1e-300
    """Keeps divisors and arguments of logarithms above zero; the least normal number is 2e-308."""
    dependent: float = 1e-7
    """A column whose part outside of the columns before it is this much of it is dependent on them:
    rounding leaves half of the digits of its coefficient. Hypotheses with such a column have no
    probability, since simpler ones say the same."""
    difference: float = 1e-6
    """Residual sums of squares below this much of the sum of squares are computed from the
    residuals: as differences of sums they have less than nine digits."""
    equal: float = 2.0**-14
    """Errors that differ by less than this much of them are equal when hypotheses are ranked, and
    losses by less than this much when one is chosen, 6e-5: those of laws that are one function of
    the points differ by rounding, which must not decide."""
    rounding: float = 1e-9
    """Deviations from a law, and parts of its value, of this much of the value may be rounding."""
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
    exact: float = 1e-24
    """Least residual sum of squares of a beam's state, relative to the target's."""
    exact_stop: float = 1e-23
    """A beam ends when its best state is as close as this: ten times `exact`."""
    remaining: float = 1e-9
    """A term whose squared part outside of a beam's state is below this adds nothing to it."""
    evidence: float = 1e-3
    """Log evidences that differ by less than this are equal: laws that are one function of the
    points have evidences that differ by rounding, 1e-6 where there is no noise, and their order
    must not depend on it."""
    strength: float = 1e-4
    """A coefficient this much of its standard deviation is zero when its sign is judged: where a
    law leaves nothing but rounding, so is the coefficient of a further term."""
    slack: float = 1e-14
    """How much of values, or of a sum of their squares, rounding may be in the end."""
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

    @property
    def place(self) -> int:
        """The bits of a positive double below `equal`, which its place takes where places are
        sorted by numbers."""
        return int(self.equal * 2.0**DIGITS) - 1


ARITHMETIC = Arithmetic()
UNIFORM = 3
"""A uniform distribution on [-h, h] has the variance h**2 / 3."""
NORMAL_MEDIAN = 1.4826
"""The median distance of normal observations from their mean is 1 / 1.4826 of their standard
deviation."""
DERIVED = 4
"""Observations that follow from their number, mean, squares and extremes."""
