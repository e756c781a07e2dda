"""The universal scalability law: how throughput grows with the number of workers.

X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)), where sigma is the share that waits for
what is shared (contention) and kappa what keeping it coherent costs (N. J. Gunther, Guerrilla
Capacity Planning, 2007, Eq. 4.31). Without coherency it is Amdahl's law with the serial share
sigma. N / X is linear in lambda^-1, sigma / lambda and kappa / lambda, none of which is below zero.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from ..data.measurements import Floats, Series
from ..data.parameter_roles import is_concurrency
from ..data.units import measures_time

_LEAST_POINTS = 5
_WORST = 0.1
"""Mean relative error from which on the law is not told."""
_RISES = 1.2
"""Times the first rate that workers reach where they share the work."""
_OF_ONE = re.compile(r"latency|per[ _]|/")
"""Names of times of one operation, of which several run at once."""
_DRAWS = 200
_LEVEL = 0.9


@dataclass(frozen=True)
class Scalability:
    """The law of a series over the numbers of its `parameter`: contention sigma, coherency kappa,
    each with its 90 % interval, the number at which throughput peaks (infinite without coherency)
    with its interval, and the mean relative error."""

    parameter: str
    rate: float
    contention: tuple[float, float, float]
    coherency: tuple[float, float, float]
    peak: tuple[float, float, float]
    error: float

    def throughput(self, workers: Floats) -> Floats:
        """Work per unit of time (...) for numbers of workers (...)."""
        sigma, kappa = self.contention[0], self.coherency[0]
        return self.rate * workers / (1 + sigma * (workers - 1) + kappa * workers * (workers - 1))


def scalability(series: Series) -> Scalability | None:
    """The law of a series of times of one piece of work over a number of workers; None where none
    such is varied alone, or the law does not hold. That of rates is found by `pmnf.curve`."""
    varied = [k for k in range(len(series.parameters)) if np.ptp(series.points[:, k]) > 0]
    if len(varied) != 1 or not is_concurrency(series.parameters[varied[0]]):
        return None
    if _OF_ONE.search(series.metric) or not measures_time(series.metric, series.unit):
        return None
    workers, values = series.points[:, varied[0]], series.means
    if len(workers) < _LEAST_POINTS or values.min() <= 0 or workers.min() < 1:
        return None
    rates = 1 / values
    if rates.max() < _RISES * rates[0]:  # as where each worker has work of its own
        return None
    best = _fit(workers, rates)
    fitted = _rates(workers, best)
    left = np.log(rates / fitted)
    error = float(np.abs(left).mean())
    if error > _WORST:
        return None
    random = np.random.default_rng(0)
    scale = sqrt(len(left) / max(1, len(left) - 3))
    drawn = [
        _fit(workers, fitted * np.exp(scale * random.choice(left, len(left))))
        for _ in range(_DRAWS)
    ]
    return Scalability(
        series.parameters[varied[0]],
        best[0],
        _told(best[1], [d[1] for d in drawn]),
        _told(best[2], [d[2] for d in drawn]),
        _told(_peak(best), [_peak(d) for d in drawn]),
        error,
    )


def _fit(workers: Floats, rates: Floats) -> tuple[float, float, float]:
    """(lambda, sigma, kappa) by relative least squares."""
    from scipy.optimize import nnls  # takes longer to import than a fit

    cost = workers / rates
    design = np.stack([np.ones_like(workers), workers - 1, workers * (workers - 1)], axis=1)
    found, _ = nnls(design / cost[:, None], np.ones_like(cost))
    first = max(float(found[0]), 1e-300)
    return 1 / first, float(found[1]) / first, float(found[2]) / first


def _rates(workers: Floats, law: tuple[float, float, float]) -> Floats:
    rate, sigma, kappa = law
    return rate * workers / (1 + sigma * (workers - 1) + kappa * workers * (workers - 1))


def _peak(law: tuple[float, float, float]) -> float:
    _, sigma, kappa = law
    return inf if kappa <= 0 else sqrt(max(0.0, 1 - sigma) / kappa)


def _told(value: float, drawn: list[float]) -> tuple[float, float, float]:
    low, high = np.quantile(drawn, ((1 - _LEVEL) / 2, (1 + _LEVEL) / 2), method="inverted_cdf")
    return value, min(float(low), value), max(float(high), value)
