"""Exponential growth, which no sum of powers and logarithms follows: c * base**x of one parameter.

log f is a straight line in x then. Its residuals say how far the line is known beyond the points
(Student's distribution; as in any text on linear regression).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from looplaw_common.documents import builtins
from looplaw_common.structs import like_dataclass

from ..data.measurements import Floats
from ..settings import EXPONENTIAL


@like_dataclass
class Exponential(msgspec.Struct, frozen=True):
    """exp(level + rate * (x - centre)) of one parameter x.

    sigma: standard deviation of log f around it at `points` points; squares: sum of the squared
    distances of their x from `centre`, the mean of them.
    """

    parameter: str
    level: float
    rate: float
    centre: float
    sigma: float
    points: int
    squares: float

    @property
    def base(self) -> float:
        """The factor of one step of the parameter."""
        return float(np.exp(self.rate))

    @property
    def formula(self) -> str:
        """Text that sympy reads."""
        coefficient = np.exp(self.level - self.rate * self.centre)
        return f"{coefficient:.10g}*{self.base:.10g}**{self.parameter}"

    @property
    def told(self) -> str:
        """What people are told of it, beside a model that it refutes."""
        return (
            f"grows exponentially: about x{self.base:.3g} for each step of {self.parameter}, which"
            " no sum of powers follows"
        )

    def to_json(self) -> dict[str, object]:
        """The law as documents hold it: for readers its formula and base, and what they follow
        from."""
        return {"formula": self.formula, "base": self.base, "learned": builtins(self)}

    def evaluate(self, at: Mapping[str, Floats]) -> Floats:
        """Values at parameter values given by name."""
        with np.errstate(over="ignore"):
            result: Floats = np.exp(self.level + self.rate * (at[self.parameter] - self.centre))
        return result

    def at_points(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Its values at the points x (P,) with values y that it was fitted to, and what it would
        say of each without it."""
        value = self.evaluate({self.parameter: x})
        leverage = 1 / self.points + (x - self.centre) ** 2 / self.squares
        return value, y * np.exp((np.log(value / y)) / (1 - leverage))

    def interval(self, at: Mapping[str, Floats], level: float) -> tuple[Floats, Floats]:
        """Both ends of the prediction interval of a new measurement."""
        from scipy.special import stdtrit

        away = at[self.parameter] - self.centre
        spread = self.sigma * np.sqrt(1 + 1 / self.points + away**2 / self.squares)
        width = stdtrit(self.points - 2, 0.5 + level / 2) * spread
        middle = self.level + self.rate * away
        with np.errstate(over="ignore"):
            return np.exp(middle - width), np.exp(middle + width)


class ExponentialDocument(msgspec.Struct, frozen=True):
    """The law in files of models."""

    formula: str
    base: float
    learned: Exponential


def exponentials(parameter: str, x: Floats, y: Floats, fitted: Floats) -> dict[int, Exponential]:
    """Of series with values y (K, P) at points x (P,), those that grow exponentially: the straight
    line of log y in x has by far more evidence than the chosen laws, with values fitted (K, P), and
    than any power of x; and the growth is not that of the last step alone."""
    settings = EXPONENTIAL
    rows = np.flatnonzero((y > 0).all(axis=1))
    if len(x) < settings.fewest_points or not len(rows):
        return {}
    logs, points = np.log(y[rows]), len(x)
    steps = np.diff(logs, axis=1)
    least = steps.min(axis=1)
    even = (least > 0) & (least > settings.least_step * steps.max(axis=1))
    if not even.any():
        return {}
    centre, away = float(x.mean()), x - x.mean()
    squares = float(away @ away)
    level, rate = logs.mean(axis=1), logs @ away / squares
    left = logs - level[:, None] - rate[:, None] * away
    with np.errstate(all="ignore"):
        sigma = np.sqrt((left**2).sum(axis=1) / (points - 2))
        sigma = np.maximum(sigma, settings.least_noise)
        off = np.abs(np.log(fitted[rows] / y[rows]))
        off = np.sqrt((np.where(np.isfinite(off), off, settings.off) ** 2).mean(axis=1))
        power = _off_a_line(np.log(x), logs) if x.min() > 0 else np.full(len(rows), np.inf)
        worth = points * np.log(np.minimum(off, power) / sigma)
    grows = (rate * np.ptp(x) > settings.least_growth) & even
    found = grows & (sigma < settings.most_noise) & (worth > settings.evidence)
    return {
        int(rows[k]): Exponential(
            *(parameter, float(level[k]), float(rate[k]), centre),
            *(float(sigma[k]), points, squares),
        )
        for k in np.flatnonzero(found).tolist()
    }


def _off_a_line(x: Floats, logs: Floats) -> Floats:
    """(K,): standard deviation of values (K, P) around their straight lines in x (P,)."""
    away = x - x.mean()
    left = logs - logs.mean(axis=1, keepdims=True)
    left = left - (logs @ away / (away @ away))[:, None] * away
    result: Floats = np.sqrt((left**2).sum(axis=1) / (len(x) - 2))
    return result
