"""Prediction intervals: quantiles of the mixture of all alternatives, each weighted with its
probability.

A rival law that fits nearly as well widens the interval far from the data, where it differs, and
not near them. Each alternative predicts log f with the variance of its coefficients plus
s**2 (1 + (kappa d)**2): the noise of the next mean of as many repetitions as were measured, and the
uncertainty of its law d steps beyond the largest point. One observation varies by the scatter of
repetitions beyond that.

What a law leaves out is within its noise where it was measured, and does not fall with the law:
where values fall beyond the largest point, as times do that more processes share, it is a greater
part of them.

Beyond the largest point a law of time may end without any point that tells of it: data leave a
cache, a protocol changes. Intervals of times hold such ends, the more probable the farther away;
counts know nothing of them.

A law of values that cannot be negative is refuted where it is: the interval is that of the others
there, and everything where none is left. The first law lies in the interval wherever it is not
refuted. One value of a parameter tells nothing of others, two or three decide no exponent however
exactly they are met: beyond them intervals hold other exponents, too (see `opened`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel.intervals import levels_of, quantiles
from ..settings import ARITHMETIC, INTERVAL
from .prediction import Of
from .regime import Regime
from .terms import Term

Reach = tuple[tuple[str, float, float, int], ...]
"""For each parameter its largest value, its usual step (difference of logarithms), and how many
values were measured (0: not known); those with one value may occur as well."""

_Matrices = tuple[tuple[Term, ...], Floats, Floats]


@dataclass(frozen=True)
class Alternative:
    """One law that the data allow: weight (probability), sigma (relative noise), kappa (growth of
    the uncertainty for each step beyond the largest point), constant, terms, and root (k x k,
    constant first) with root @ root.T the covariance of the coefficients over sigma**2; `before`
    the law of the regime below it, if it holds from a size on only."""

    weight: float
    sigma: float
    kappa: float
    constant: float
    terms: tuple[tuple[float, Term], ...]
    root: tuple[tuple[float, ...], ...]
    before: Regime | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "weight": self.weight,
            "sigma": self.sigma,
            "kappa": self.kappa,
            "constant": self.constant,
            "terms": [{"coefficient": c, "exponents": t.to_json()} for c, t in self.terms],
            "root": [list(row) for row in self.root],
            "before": None if self.before is None else self.before.to_json(),
        }


@dataclass(frozen=True)
class Laws:
    """Values (A, ...) and standard deviations (A, ...) of A alternatives at some points, without
    noise; the sums (A, ...) of the sizes of their parts; their values (A, ...) where the data end
    on the way there; and what broadcasts against them: sigma, kappa and weight, summing to 1 over
    the first axis."""

    value: Floats
    parts: Floats
    inside: Floats
    deviation: Floats
    sigma: Floats
    kappa: Floats
    weight: Floats

    def interval(
        self,
        distance: Floats,
        positive: bool | NDArray[np.bool_],
        level: float,
        scatter: float | Floats = 0.0,
        widened: float = 1.0,
        changed: float | Floats = 0.0,
    ) -> tuple[Floats, Floats]:
        """Lower and upper end for a new measurement at squared distances (...) beyond the data;
        `positive` values are predicted by their logarithms; scatter: relative variance that one
        observation has beyond that of the mean of a point; widened: how much farther from the first
        law the ends are (see `PredictiveMixture`); changed: probability that the laws have ended
        before (see `unseen_changes`)."""
        # the lower end of 1 + s z is farther off on the scale of logarithms than s says
        wider = INTERVAL.selected * np.where(positive, 1 + self.sigma, 1.0)
        usable = np.maximum(self.value, ARITHMETIC.tiny)
        with np.errstate(over="ignore"):
            fallen = np.clip(self.inside / usable - 1, 0.0, INTERVAL.most_fallen)
        left_out = np.where(positive, INTERVAL.left_out * fallen, 0.0)
        relative = 1 + self.kappa**2 * distance + left_out**2
        noise = np.sqrt((wider * self.sigma) ** 2 * relative + scatter)
        deviation = wider * self.deviation
        with np.errstate(all="ignore"):
            centres = np.where(positive, np.log(usable), self.value)
            widths = np.where(
                positive,
                np.sqrt(noise**2 + np.minimum(deviation / usable, INTERVAL.most_deviation) ** 2),
                np.sqrt((noise * np.abs(self.value)) ** 2 + deviation**2),
            )
            kept = ~(positive & is_negative(self.value, self.parts))
            weight = np.where(kept, self.weight, 0.0)
            left = weight.sum(axis=0)
            weight = weight / np.where(left > 0, left, 1.0)
            changed = np.where(positive, changed, 0.0)
            if changed.any():
                weight = np.concatenate([weight * (1 - changed), weight * changed])
                centres = np.concatenate([centres, centres + INTERVAL.unseen_shift])
                widths = np.concatenate([widths, np.hypot(widths, INTERVAL.unseen_spread)])
            ends = _quantiles(centres, widths, weight, levels_of(level))
            if widened != 1:
                apart = ends - centres[0]
                upper = np.array([False, True]).reshape(-1, *(1,) * apart[0].ndim)
                outwards = ((apart > 0) == upper) & kept[0]
                ends = centres[0] + np.where(outwards, widened, 1.0) * apart
            low, high = np.where(positive, np.exp(ends), ends)
            first = np.where(kept[0], self.value[0], np.nan)  # the interval holds the first law
            low, high = np.fmin(low, first), np.fmax(high, first)
            low, high = np.where(left > 0, low, 0.0), np.where(left > 0, high, np.inf)
        return low[()], high[()]


def is_negative(value: Floats, parts: Floats) -> NDArray[np.bool_]:
    """Are values below zero by more than the rounding of their parts, whose sizes add up to
    `parts`?"""
    result: NDArray[np.bool_] = value < -ARITHMETIC.rounding * parts
    return result


def opened(
    ends: tuple[Floats, Floats],
    reach: Reach,
    at: Mapping[str, Floats],
    positive: bool | NDArray[np.bool_],
    level: float,
    shown: int | NDArray[np.int64] = 0,
) -> tuple[Floats, Floats]:
    """Ends of intervals that hold what few values leave open beyond them: all where one value of a
    parameter was measured and another is asked for, else the exponents that would have met the same
    values.

    Args:
        shown: how many points show the leading term (see `PredictiveMixture`); broadcasts against
            the ends, as `positive` does.
    """
    spread, nothing, away = _left_open(reach, at)
    some = len(INTERVAL.open_terms)
    if np.any(of_term := (np.asarray(shown) > 0) & (np.asarray(shown) <= some)):
        exponents = np.array((0.0, *INTERVAL.open_terms))
        spread = np.hypot(spread, exponents[np.where(of_term, shown, 0)] * away)
    if not spread.any() and not nothing.any():
        return ends
    (low, high), wide = ends, levels_of(level)[1][1] * spread
    with np.errstate(all="ignore"):
        middle = np.where(positive, np.sqrt(low) * np.sqrt(high), (low + high) / 2)
        more = np.exp(wide)
        size = (more - 1) * np.maximum(np.abs(low), np.abs(high))
        low = np.fmin(low, np.where(positive, middle / more, middle - size))
        high = np.fmax(high, np.where(positive, middle * more, middle + size))
    low = np.where(nothing, np.where(positive, 0.0, -np.inf), low)
    return low[()], np.where(nothing, np.inf, high)[()]


def _left_open(reach: Reach, at: Mapping[str, Floats]) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """At points (...): the deviation of log f that few values of parameters leave open, where
    nothing is known, and the distance beyond the data, in logarithms."""
    spread, away, nothing = np.zeros(()), np.zeros(()), np.zeros((), dtype=np.bool_)
    for name, top, _, values in reach:
        if name not in at:
            continue
        if values == 1:
            nothing = nothing | (np.asarray(at[name]) != top)
        elif top > 0:
            with np.errstate(all="ignore"):
                own = np.maximum(np.log(np.maximum(at[name], ARITHMETIC.tiny) / top), 0.0)
            away = np.hypot(away, own)
            if 2 <= values < 2 + len(INTERVAL.open_values):
                spread = np.hypot(spread, INTERVAL.open_values[values - 2] * own)
    return spread, nothing, away


def beyond_few(reach: Reach, at: Mapping[str, Floats], fewest: int) -> NDArray[np.bool_]:
    """(...): points beyond the values of a parameter of which fewer than `fewest` were measured."""
    outside = np.zeros((), dtype=np.bool_)
    for name, top, _, values in reach:
        if name in at and 0 < values < fewest:
            away = np.asarray(at[name]) != top if values == 1 else np.asarray(at[name]) > top
            outside = outside | away
    return outside


def beyond(reach: Reach, at: Mapping[str, Floats], shape: tuple[int, ...]) -> Floats:
    """Squared distances of points beyond the data, in steps."""
    distance = np.zeros(shape)
    for name, top, step, _ in reach:
        if name in at and top > 0 and step > 0:
            with np.errstate(all="ignore"):
                distance = distance + np.maximum(np.log(at[name] / top) / step, 0.0) ** 2
    return distance


def within(reach: Reach, at: Mapping[str, Floats]) -> dict[str, Floats]:
    """Where the data end on the way to points: their values, at most the largest that were
    measured."""
    tops = {name: top for name, top, *_ in reach}
    return {name: np.minimum(x, tops.get(name, np.inf)) for name, x in at.items()}


def unseen_changes(reach: Reach, at: Mapping[str, Floats], shape: tuple[int, ...]) -> Floats:
    """Probability that a law of time has ended between the largest point and others, at a constant
    rate for each doubling."""
    octaves = tuple((name, top, np.log(2.0), values) for name, top, _, values in reach)
    result: Floats = -np.expm1(-INTERVAL.unseen_rate * np.sqrt(beyond(octaves, at, shape)))
    return result


class PredictiveMixture(Struct, frozen=True, eq=False, gc=False):
    """The predictive distribution: a mixture of the alternatives. `reach` says how far the data go
    in each parameter, from which distances beyond them are measured; `positive` that values cannot
    be negative; `scatter` is the relative variance of one observation beyond that of the mean of a
    point; `widened` how much farther from the first law the ends are than the mixture says, since
    it was too sure of the largest points of series of the same metric (conformal prediction; Vovk,
    Gammerman and Shafer, 2005); `unseen` that the law may end beyond the data, as laws of time
    do; `shown` how many points show the leading term beyond the noise (0: not known)."""

    alternatives: Sequence[Alternative]
    reach: Reach
    positive: bool
    scatter: float = 0.0
    widened: float = 1.0
    unseen: bool = False
    shown: int = 0
    _made: _Matrices | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PredictiveMixture):
            return NotImplemented
        return self._given == other._given

    def __hash__(self) -> int:
        return hash(self._given)

    @property
    def _given(self) -> tuple[object, ...]:
        return (
            *(self.alternatives, self.reach, self.positive, self.scatter),
            *(self.widened, self.unseen, self.shown),
        )

    @property
    def _matrices(self) -> _Matrices:
        """All terms, coefficients (A, 1 + T) and roots (A, 1 + T, k), the constant first."""
        if self._made is None:  # kept, since a model is asked for more than one interval
            force_setattr(self, "_made", self._of_alternatives())
        assert self._made is not None
        return self._made

    def _of_alternatives(self) -> _Matrices:
        terms = tuple(dict.fromkeys(t for a in self.alternatives for _, t in a.terms))
        place = {t: k for k, t in enumerate(terms, 1)}
        coefficients = np.zeros((len(self.alternatives), 1 + len(terms)))
        roots = np.zeros((*coefficients.shape, max(len(a.root) for a in self.alternatives)))
        for a, row, root in zip(self.alternatives, coefficients, roots, strict=True):
            row[0], root[0, : len(a.root)] = a.constant, a.root[0]
            for (c, term), part in zip(a.terms, a.root[1:], strict=True):
                row[place[term]] += c
                root[place[term], : len(part)] += part
        return terms, coefficients, roots

    def interval(
        self, at: Mapping[str, Floats], level: float, of: Of = "mean"
    ) -> tuple[Floats, Floats]:
        """Lower and upper end for a new mean or observation at points given by one array a
        parameter."""
        shape = np.broadcast_shapes(*(np.shape(c) for c in at.values())) if at else ()
        terms, coefficients, roots = self._matrices
        rows = _rows(terms, at)
        several = (slice(None), *(None,) * len(shape))
        sigma, kappa, weight = (
            np.array([getattr(a, n) for a in self.alternatives])[several]
            for n in ("sigma", "kappa", "weight")
        )
        with np.errstate(all="ignore"):
            deviation = sigma * np.sqrt(
                (np.einsum("atk,t...->ak...", roots, rows) ** 2).sum(axis=1)
            )
            value = self._values(coefficients, rows, at)
            parts = np.einsum("at,t...->a...", np.abs(coefficients), np.abs(rows))
            for k, a in enumerate(self.alternatives):
                if a.before is not None:
                    below = np.asarray(at[a.before.parameter]) < a.before.until
                    deviation[k] = np.where(below, a.sigma * np.abs(value[k]), deviation[k])
                    parts[k] = np.where(below, np.abs(value[k]), parts[k])
            last = within(self.reach, at)
            inside = self._values(coefficients, _rows(terms, last), last)
            laws = Laws(value, parts, inside, deviation, sigma, kappa, weight / weight.sum())
        scatter = self.scatter if of == "observation" else 0.0
        reach = beyond(self.reach, at, shape)
        changed = unseen_changes(self.reach, at, shape) if self.unseen else 0.0
        ends = laws.interval(reach, self.positive, level, scatter, self.widened, changed)
        return opened(ends, self.reach, at, self.positive, level, self.shown)

    def _values(self, coefficients: Floats, rows: Floats, at: Mapping[str, Floats]) -> Floats:
        """Values (A, ...) of the alternatives from those of their terms, those of the regime below
        where that holds."""
        value: Floats = np.einsum("at,t...->a...", coefficients, rows)
        for k, a in enumerate(self.alternatives):
            if a.before is not None:
                value[k] = a.before.replaced(value[k], at)
        return value

    def to_json(self) -> dict[str, object]:
        return {
            "positive": self.positive,
            "scatter": self.scatter,
            "widened": self.widened,
            "unseen": self.unseen,
            "shown": self.shown,
            "reach": {n: [t, s, values] for n, t, s, values in self.reach},
            "alternatives": [a.to_json() for a in self.alternatives],
        }


def _rows(terms: Sequence[Term], at: Mapping[str, Floats]) -> Floats:
    """1 and the values of the terms (1 + T, ...) at points."""
    shape = np.broadcast_shapes(*(np.shape(c) for c in at.values())) if at else ()
    return np.stack([np.ones(shape), *(np.broadcast_to(t.evaluate(at), shape) for t in terms)])


def _quantiles(
    centres: Floats, widths: Floats, weight: Floats, levels: tuple[Floats, Floats]
) -> Floats:
    """Quantiles (Q, ...) of mixtures of normal distributions along the first axis, by Newton's
    method inside a bracket: they lie between those of the members."""
    widths = np.maximum(widths, ARITHMETIC.tiny)
    return quantiles(centres, widths, weight, *levels, INTERVAL.precision, INTERVAL.rounds)
