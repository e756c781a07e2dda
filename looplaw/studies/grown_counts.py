"""Counts that no formula gives: a power law, and how far it may be off.

Data or steps decide such counts, as cells of a fixed size in a box that grows. What is known is
that they grow by some power, more often a whole one. The exponents are those that explain the
counts best among whole and half ones and the one of least squares, with a prior for whole ones;
what their probabilities leave open is the deviation for each doubling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_WHOLE = tuple(float(k) for k in range(7))
_HALF = tuple(k + 0.5 for k in range(6))
_RARER = float(np.log(10.0))
"""Exponents that are not whole are so much less probable, as those of least squares are less than
half ones (a tenth of the loops of PolyBench, LULESH and HPCG grow by a half or a logarithm)."""
_EXACT = 1e-3
"""Logarithms of counts scatter no less."""
_LEAST_OPEN = 0.1
"""Deviation of the logarithm for each doubling, at least: a law that was only seen to hold."""
_FEWEST = 4
"""Points that tell of a power, beside some at which there is nothing."""
_MOST_PARAMETERS = 2
"""With more parameters, the exponents are those of least squares."""


@dataclass(frozen=True)
class PowerLaw:
    """factor * prod_l x_l**exponents_l. scatter: deviation of the logarithm about it; open: what
    each doubling beyond the points adds."""

    names: tuple[str, ...]
    factor: float
    exponents: tuple[float, ...]
    scatter: float
    open: float

    @property
    def formula(self) -> str:
        """Text that the language of formulas reads."""
        factors = [
            name if e == 1 else f"{name}**({e:.6g})"
            for name, e in zip(self.names, self.exponents, strict=True)
            if e
        ]
        return "*".join([f"{self.factor:.10g}", *factors])

    def at(self, point: Mapping[str, float]) -> float:
        """The value at a point."""
        if not self.factor:
            return 0.0
        log = np.log(self.factor)
        for name, e in zip(self.names, self.exponents, strict=True):
            log += e * np.log(max(point[name], 1.0))
        return float(np.exp(np.clip(log, -50, 50)))

    def one_at(self, point: Mapping[str, float]) -> PowerLaw:
        """The same growth, from 1 at a point."""
        return replace(self, factor=self.factor / self.at(point))


def growth_of(points: Sequence[Mapping[str, float]], values: Floats) -> PowerLaw:
    """The power law of values that are positive, but for the smallest sizes; else the largest,
    which nothing makes grow, as one that is zero here and there tells of no power."""
    above = max((max(p.values()) for p, v in zip(points, values, strict=True) if v <= 0), default=0)
    kept = [k for k, p in enumerate(points) if values[k] > 0 and max(p.values()) > above]
    if len(kept) >= _FEWEST or len(kept) == len(values) > 1:
        return power_law([points[k] for k in kept], values[kept])
    names = tuple(points[0])
    return PowerLaw(names, float(values.max()), (0.0,) * len(names), 0.0, _LEAST_OPEN)


def power_law(points: Sequence[Mapping[str, float]], values: Floats) -> PowerLaw:
    """The power law of positive values (P,) at P points."""
    names = tuple(points[0])
    x = np.log(np.maximum([[float(p[n]) for n in names] for p in points], 1.0))
    y = np.log(np.maximum(values, 1e-9))
    moving = np.ptp(x, axis=0) > 0
    x, free = x[:, moving], np.linalg.matrix_rank(x[:, moving] - x[:, moving].mean(axis=0))
    tried = _exponents(x, y)
    spread = len(y) * np.array([float(np.var(y - x @ e)) for e, _ in tried])
    noise = spread + len(y) * _EXACT**2
    log = np.array([prior for _, prior in tried]) - 0.5 * max(1, len(y) - 1) * np.log(noise)
    weights = np.exp(log - log.max())
    weights /= weights.sum()
    every = np.array([e for e, _ in tried])
    best = int(log.argmax())
    chosen = every[best]
    off = np.sqrt(weights @ ((every - chosen) ** 2).sum(axis=1)) * np.log(2.0)
    scatter = float(np.sqrt(spread[best] / max(1, len(y) - 1)))
    exponents = np.zeros(len(names))
    exponents[moving] = chosen
    return PowerLaw(
        names,
        float(np.exp((y - x @ chosen).mean())),
        tuple(exponents.tolist()),
        scatter,
        float(np.hypot(off, _LEAST_OPEN)) if free else _LEAST_OPEN,
    )


def _exponents(x: Floats, y: Floats) -> list[tuple[Floats, float]]:
    """Exponents to try with the logarithm of their prior."""
    count = x.shape[1]
    if not count:
        return [(np.zeros(0), 0.0)]
    away = x - x.mean(axis=0)
    least = np.linalg.lstsq(away, y - y.mean(), rcond=None)[0]
    if count > _MOST_PARAMETERS:
        return [(least, 0.0)]
    one = [(e, 0.0) for e in _WHOLE] + [(e, -_RARER) for e in _HALF]
    found = [
        (np.array([e for e, _ in row]), sum(p for _, p in row))
        for row in product(one, repeat=count)
    ]
    return [*found, (least, -2 * _RARER * count)]
