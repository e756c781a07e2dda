"""Laws that no sum of powers and logarithms follows: growth by factors, and rates.

- Growth by factors: c b**x and c x!, alone or beside a constant.
- Rates are work over time, and it is times that add up: x / (a + b x + c x**2), all constants
  positive. Of threads this is the universal scalability law with contention sigma and coherency
  kappa (N. J. Gunther, Guerrilla Capacity Planning, 2007, Eq. 4.31), without c Amdahl's law; of
  sizes it is what a start-up time leaves of a rate (Hockney, "The communication challenge for MPP",
  Parallel Computing 20, 1994).

Each is f = S or f = 1 / S of a sum S = sum_i exp(t_i) g_i(x) of functions g_i of the one parameter,
so that log f and its derivatives by the logarithms t of the constants are known in closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp, lgamma, log, sqrt

import msgspec
import numpy as np

from looplaw_common.documents import builtins
from looplaw_common.structs import like_dataclass

from ..data.measurements import Floats
from ..settings import CURVES, INTERVAL

Parts = tuple[str, ...]
"""The functions g_i of a sum by name; that of "b**x" is followed by the logarithm of log b."""


def log_parts(parts: Parts, logs: Floats, x: Floats, top: float) -> tuple[Floats, Floats]:
    """(..., k, P): logarithms of the summands at points x (P,) and their derivatives by the
    logarithm of log b, from logs (..., k or k + 1), which are those at x = `top`."""
    found, along = [], []
    with np.errstate(divide="ignore"):
        for i, part in enumerate(parts):
            slope = np.zeros((*logs.shape[:-1], len(x)))
            if part == "b**x":
                slope = np.exp(logs[..., -1:]) * (x - top)
            elif part == "2**x":
                slope = slope + log(2) * (x - top)
            own = slope + _LOGS.get(part, _none)(x, top)
            found.append(logs[..., i : i + 1] + own)
            along.append(slope if part == "b**x" else np.zeros(own.shape))
    return np.stack(found, axis=-2), np.stack(along, axis=-2)


def _none(x: Floats, top: float) -> Floats:
    return np.zeros(len(x))


def _log_factorial(x: Floats, top: float) -> Floats:
    return np.array([lgamma(value + 1) for value in x.tolist()]) - lgamma(top + 1)


_LOGS: dict[str, Callable[[Floats, float], Floats]] = {
    "x": lambda x, top: np.log(x / top),
    "1/x": lambda x, top: -np.log(x / top),
    "x!": _log_factorial,
    "x x!": lambda x, top: _log_factorial(x, top) + np.log(x / top),
}


@like_dataclass
class Curve(msgspec.Struct, frozen=True):
    """One such law: `parts` of the sum S and the logarithms of their values at x = `top`, that of
    log b last; reciprocal: f = 1 / S. root: rows times their transpose are the covariance of these
    logarithms; sigma: noise of log f; weight: how probable it is."""

    weight: float
    parts: Parts
    reciprocal: bool
    top: float
    logs: tuple[float, ...]
    root: tuple[tuple[float, ...], ...]
    sigma: float

    @property
    def has_base(self) -> bool:
        """Is a base of its own among the constants?"""
        return "b**x" in self.parts

    def log_value(self, x: Floats) -> tuple[Floats, Floats]:
        """(P,) log f at x, and (P, k) its derivatives by the constants' logarithms."""
        return log_curve(self.parts, np.array(self.logs), x, self.top, reciprocal=self.reciprocal)

    def own(self, part: str) -> float:
        """The constant of a part, without the scale at `top`; zero of one that is not there."""
        if part not in self.parts:
            return 0.0
        factorial = lgamma(self.top + 1)
        at_top = {
            "x": log(self.top),
            "1/x": -log(self.top),
            "2**x": self.top * log(2),
            "b**x": self.top * log(self.base),
            "x!": factorial,
            "x x!": factorial + log(self.top),
        }.get(part, 0.0)
        return exp(self.logs[self.parts.index(part)] - at_top)

    @property
    def base(self) -> float:
        """The factor of one step of the parameter."""
        return exp(exp(self.logs[-1])) if self.has_base else 2.0


def log_curve(
    parts: Parts, logs: Floats, x: Floats, top: float, *, reciprocal: bool
) -> tuple[Floats, Floats]:
    """(..., P) log f of curves with constants logs (..., k) at x (P,), and (..., P, k) its
    derivatives by them."""
    each, along = log_parts(parts, logs, x, top)
    most = each.max(axis=-2, keepdims=True)
    share = np.exp(each - most)
    total = share.sum(axis=-2)
    share = share / total[..., None, :]
    value = most[..., 0, :] + np.log(total)
    slopes = share.swapaxes(-1, -2)
    if "b**x" in parts:
        slopes = np.concatenate([slopes, (share * along).sum(axis=-2)[..., None]], axis=-1)
    return (-value, -slopes) if reciprocal else (value, slopes)


@like_dataclass
class CurveLaw(msgspec.Struct, frozen=True):
    """The curves that a series follows, the most probable first, of one parameter, with `points`
    points; `others`: how probable laws of the normal form are beside them;
    of_workers: it is a rate over a number of workers."""

    parameter: str
    curves: tuple[Curve, ...]
    others: float
    points: int
    of_workers: bool

    @property
    def formula(self) -> str:
        """Text that sympy reads."""
        first, n = self.curves[0], self.parameter
        if first.reciprocal:
            a, b, c = (first.own(part) for part in ("1/x", "1", "x"))
            sum_ = f"{a:.10g}" + (f" + {b:.10g}*{n}" if b else "")
            return f"{n}/({sum_}" + (f" + {c:.10g}*{n}**2)" if c else ")")
        lead = first.parts[0]
        text = {
            "b**x": f"{first.base:.10g}**{n}",
            "2**x": f"2**{n}",
            "x!": f"factorial({n})",
            "x x!": f"{n}*factorial({n})",
        }[lead]
        constant = f"{first.own('1'):.10g} + " if "1" in first.parts else ""
        return f"{constant}{first.own(lead):.10g}*{text}"

    @property
    def told(self) -> str:
        """The law by its name, with what people ask of it."""
        first, n = self.curves[0], self.parameter
        if not first.reciprocal:
            if first.parts[0] in ("x!", "x x!"):
                return f"factorial growth: like {'' if first.parts[0] == 'x!' else f'{n}*'}{n}!"
            return f"exponential growth: x{first.base:.3g} for each step of {n}"
        a, b, c = (first.own(part) for part in ("1/x", "1", "x"))
        peak = self._peak()
        if self.of_workers:
            rate = 1 / (a + b + c)
            sigma, kappa = 1 - a * rate, c * rate
            if not c:
                return (
                    f"Amdahl's law: serial share {sigma:.2g}, so at most {1 / sigma:.3g} times as"
                    " fast as one"
                )
            law = f"universal scalability law: contention {sigma:.2g}, coherency {kappa:.2g}"
            return f"{law}; {peak}"
        if not c:
            return f"saturates at {1 / b:.3g}, half of it at {n} = {a / b:.3g}"
        return f"rises and falls; {peak}"

    @property
    def doubt(self) -> str | None:
        """Why the law is not told by the points; None where it is."""
        if self.others <= CURVES.doubt:
            return None
        return f"sums of powers and logarithms fit nearly as well (probability {self.others:.0%})"

    def _peak(self) -> str:
        """Where the rate is the greatest, with its 90 % interval."""
        first = self.curves[0]
        if "x" not in first.parts:
            return ""
        at, ends = sqrt(first.own("1/x") / first.own("x")), np.zeros(len(first.logs))
        ends[first.parts.index("1/x")], ends[first.parts.index("x")] = 0.5, -0.5
        width = exp(CURVES.quantile * float(np.linalg.norm(ends @ np.array(first.root))))
        return f"peak at {self.parameter} = {at:.3g} ({at / width:.3g} to {at * width:.3g})"

    def to_json(self) -> dict[str, object]:
        """The law as documents hold it: for readers its formula and name, and what they follow
        from."""
        return {"formula": self.formula, "name": self.told, "learned": builtins(self)}

    def evaluate(self, at: Mapping[str, Floats]) -> Floats:
        """Values at parameter values given by name."""
        x = np.asarray(at[self.parameter], dtype=float)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            result: Floats = np.exp(self.curves[0].log_value(x.ravel())[0]).reshape(x.shape)
        return result

    def at_points(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Its values at the points x (P,) with values y that it was fitted to, and what it would
        say of each without it."""
        first = self.curves[0]
        logs, slopes = first.log_value(x)
        leverage = ((slopes @ np.array(first.root)) ** 2).sum(axis=1) / first.sigma**2
        value = np.exp(logs)
        return value, y * np.exp(np.log(value / y) / (1 - np.minimum(leverage, CURVES.leverage)))

    def interval(
        self, at: Mapping[str, Floats], level: float, others: tuple[Floats, Floats] | None = None
    ) -> tuple[Floats, Floats]:
        """Both ends of the prediction interval of a new measurement: those of the curves that hold
        all but 5 % of the probability, and of laws of the normal form (their ends `others`) where
        these are among them."""
        from scipy.special import stdtrit

        x = np.asarray(at[self.parameter], dtype=float)
        lows, highs, held = [], [], 0.0
        for curve in self.curves:
            logs, slopes = curve.log_value(x.ravel())
            noise = INTERVAL.selected * curve.sigma
            away = CURVES.drift * np.log2(np.maximum(x.ravel() / curve.top, 1))
            told = ((slopes @ np.array(curve.root)) ** 2).sum(axis=1)
            spread = np.sqrt(noise**2 + away**2 + told)
            freedom = max(1, self.points - len(curve.logs))
            width = stdtrit(freedom, 0.5 + level / 2) * spread
            with np.errstate(over="ignore"):
                lows.append(np.exp(logs - width).reshape(x.shape))
                highs.append(np.exp(logs + width).reshape(x.shape))
            held += curve.weight
            if held >= CURVES.held * (1 - self.others):
                break
        if others is not None and self.others > 1 - CURVES.held:
            lows.append(others[0])
            highs.append(others[1])
        high = np.maximum.reduce(highs)
        return np.where(np.isfinite(self.evaluate(at)), np.minimum.reduce(lows), 0.0), high


class CurveDocument(msgspec.Struct, frozen=True):
    """The law in files of models."""

    formula: str
    name: str
    learned: CurveLaw
