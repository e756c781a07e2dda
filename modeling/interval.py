"""Prediction intervals: quantiles of the mixture of all alternatives, each weighted with its probability.

A rival law that fits nearly as well widens the interval far from the data, where it differs, and not near them. Each
alternative predicts log f with variance s**2 (1 + (kappa d)**2) for the next observation and the trust in its law d steps
beyond the largest point, plus the variance of its coefficients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from .measurements import Floats
from .terms import Term

_ROUNDS = 60


@dataclass(frozen=True)
class Alternative:
    """One law that the data allow: weight (probability), sigma (relative noise), kappa (loss of trust a step beyond the
    largest point), constant, terms, and root (k x k, constant first) with root @ root.T the covariance of the
    coefficients over sigma**2."""

    weight: float
    sigma: float
    kappa: float
    constant: float
    terms: tuple[tuple[float, Term], ...]
    root: tuple[tuple[float, ...], ...]

    def evaluate(self, columns: Mapping[str, Floats], shape: tuple[int, ...]) -> tuple[Floats, Floats]:
        """(values, standard deviations of the values without noise), both of the given shape."""
        rows = np.stack([np.ones(shape), *(np.broadcast_to(t.evaluate(columns), shape) for _, t in self.terms)], axis=-1)
        value = rows @ np.array([self.constant, *(c for c, _ in self.terms)])
        with np.errstate(all="ignore"):
            deviation = self.sigma * np.sqrt(((rows @ np.array(self.root)) ** 2).sum(axis=-1))
        return value, deviation

    def to_json(self) -> dict[str, object]:
        return {"weight": self.weight, "sigma": self.sigma, "kappa": self.kappa, "constant": self.constant,
                "terms": [{"coefficient": c, "exponents": t.to_json()} for c, t in self.terms],
                "root": [list(row) for row in self.root]}


@dataclass(frozen=True)
class Outlook:
    """What an interval needs: the alternatives, and for each parameter its largest value and its usual step (difference
    of logarithms), from which distances beyond the data are told."""

    alternatives: tuple[Alternative, ...]
    reach: tuple[tuple[str, float, float], ...]
    positive: bool

    def interval(self, at: Mapping[str, Floats], level: float) -> tuple[Floats, Floats]:
        """Lower and upper end for one new observation at points given by one array a parameter."""
        shape = np.broadcast_shapes(*(np.shape(c) for c in at.values())) if at else ()
        distance = np.zeros(shape)
        for name, top, step in self.reach:
            if name in at and top > 0 and step > 0:
                with np.errstate(all="ignore"):
                    distance = distance + np.maximum(np.log(at[name] / top) / step, 0.0) ** 2
        centres, widths = [], []
        for a in self.alternatives:
            value, deviation = a.evaluate(at, shape)
            noise = a.sigma * np.sqrt(1 + a.kappa**2 * distance)
            if self.positive:
                usable = np.maximum(value, 1e-300)
                centres.append(np.log(usable))
                widths.append(np.sqrt(noise**2 + np.minimum(deviation / usable, 2.0) ** 2))
            else:
                centres.append(value)
                widths.append(np.sqrt((noise * np.abs(value)) ** 2 + deviation**2))
        weight = np.array([a.weight for a in self.alternatives])
        ends = (_quantile(np.array(centres), np.array(widths), weight / weight.sum(), q)
                for q in (0.5 - level / 2, 0.5 + level / 2))
        low, high = (np.exp(e) if self.positive else e for e in ends)
        return low, high

    def to_json(self) -> dict[str, object]:
        return {"positive": self.positive, "reach": {n: [t, s] for n, t, s in self.reach},
                "alternatives": [a.to_json() for a in self.alternatives]}

    @staticmethod
    def from_json(data: Mapping[str, Any], terms: Callable[[Any], tuple[tuple[float, Term], ...]]) -> Outlook:
        """Read back what `to_json` wrote; ValueError, KeyError or TypeError where it is something else."""
        found = tuple(Alternative(float(a["weight"]), float(a["sigma"]), float(a["kappa"]), float(a["constant"]),
                                  terms(a["terms"]), tuple(tuple(float(v) for v in row) for row in a["root"]))
                      for a in data["alternatives"])
        if not found or any(len(a.root) != len(a.terms) + 1 or any(len(r) != len(a.root) for r in a.root) for a in found):
            raise ValueError("an alternative's root and terms differ in size")
        return Outlook(found, tuple((str(n), float(v[0]), float(v[1])) for n, v in data["reach"].items()),
                       bool(data["positive"]))


def _quantile(centres: Floats, widths: Floats, weight: Floats, q: float) -> Floats:
    """Quantiles of mixtures of normal distributions along the first axis, by bisection."""
    widths = np.maximum(widths, 1e-300)
    low, high = (centres - 12 * widths).min(axis=0), (centres + 12 * widths).max(axis=0)
    weight = weight.reshape(-1, *(1,) * (centres.ndim - 1))
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        below = (weight * ndtr((middle - centres) / widths)).sum(axis=0) < q
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    result: Floats = (low + high) / 2
    return result

