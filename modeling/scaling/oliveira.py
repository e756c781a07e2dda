"""The speed-up model of Oliveira et al. (ICPE 2018), fitted from several starts.

    S = 1 / ((1 - f) + f / N + Q)
    f = min(1, max(0, f1 + f2 / N + f3 f4**n)),   Q = f5 + f6 N / f7**n

n numbers the problem sizes. It is an exponent, and the authors number sizes so that each is about
twice the previous one; so n = 1 + log2(size / smallest size) here. Alasandagutti et al. (HiPC 2024,
section 5) compare their grey box with this model.

Seven parameters of few numbers of processes have many optima, and whole surfaces of them: which one
a random search ends in differs with the last digit of a time, and with the machine. So each fit
starts from the same places; a prior as wide as the bounds around a program without losses chooses
among parameters that the runs do not tell apart; and the speed-up is the mean (of logarithms) over
all optima, each as probable as its error leaves it, which changes with the times as little as they
do.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from looplaw_common.errors import DataError

from ..data.measurements import Floats
from ..data.timed_runs import Runs
from .amdahl import speedups

_LOW = np.array([-1.0, -2.0, -2.0, 0.0, 0.0, 0.0, 0.5])
_HIGH = np.array([1.5, 2.0, 1.0, 1.0, 0.5, 0.1, 10.0])
_WITHOUT_LOSSES = np.array([1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 1.0])
_STARTS = np.array(
    list(
        product(
            (1.0,), (0.0,), (-0.5, 0.0, 0.3), (0.3, 0.6, 0.9), (0.0,), (1e-3, 1e-2), (0.7, 1, 2, 5)
        )
    )
)
_NOISE = 0.01  # of speed-ups at least, relative to their mean: what repeated runs differ by
_STEPS = 60  # of the fit
_DAMPED = (1e-9, 1e9)  # least and most damping; it starts at 1e-2
_FLATTER, _STEEPER = 0.25, 4.0  # factors of the damping after a step that is better, or is not


@dataclass(frozen=True)
class Oliveira:
    """A fitted model: optima (S, 7) f1 .. f7 with their weights (S,), which sum to 1, and the
    smallest size, which has the number 1."""

    optima: Floats
    weights: Floats
    smallest: float

    def speedup(self, processes: Floats, size: Floats) -> Floats:
        """(R,) strong-scaling speed-up."""
        each = _Speedups.of(self.optima, processes, 1 + np.log2(size / self.smallest)).values
        return np.exp(self.weights @ np.log(each))


@dataclass(frozen=True)
class _Speedups:
    """Speed-ups (S, R) of S parameter vectors, and their derivatives (S, R, 7); none with respect
    to f1 .. f4 where the parallel share is cut off."""

    values: Floats
    derivatives: Floats

    @staticmethod
    def of(f: Floats, processes: Floats, n: Floats) -> _Speedups:
        """Those of parameters f (S, 7)."""
        f1, f2, f3, f4, f5, f6, f7 = (column[:, None] for column in f.T)
        share = f1 + f2 / processes + f3 * f4**n
        used = (share >= 0) & (share <= 1)
        share = np.clip(share, 0, 1)
        grown = processes / f7**n
        speedup = 1 / (1 - share + share / processes + f5 + f6 * grown)
        less = np.where(used, 1 / processes - 1, 0.0)
        parts = (
            less,
            less / processes,
            less * f4**n,
            less * f3 * n * f4 ** (n - 1),
            np.ones_like(speedup),
            grown,
            -f6 * n * grown / f7,
        )
        return _Speedups(speedup, np.stack([-(speedup**2) * p for p in parts], axis=-1))


def fit_oliveira(runs: Runs) -> Oliveira:
    """Minimise the squared error of the speed-ups over bounded parameters, from all starts at once
    (Levenberg and Marquardt's steps, cut off at the bounds).

    Raises:
        DataError: no speed-ups: no size was run with one process and with more.
    """
    s = speedups(runs)
    used = np.isfinite(s)
    if not (used & (runs.processes > 1)).any():
        raise DataError("Oliveira's model needs runs with one process and with more at some size")
    smallest = float(runs.size.min())
    n, processes, s = 1 + np.log2(runs.size[used] / smallest), runs.processes[used], s[used]
    noise = float(_NOISE * s.mean())
    f, error = _optima(processes, n, s, noise)
    variance = max(noise**2, float(error.min()) / len(s))
    weights = np.exp(-(error - error.min()) / (2 * variance))
    return Oliveira(f, weights / weights.sum(), smallest)


def _optima(processes: Floats, n: Floats, s: Floats, noise: float) -> tuple[Floats, Floats]:
    """Parameters (S, 7) at the end of each start, and the sum of squared errors of the speed-ups s
    (R,) there (S,), the distance from a program without losses included."""
    precision = (noise / (_HIGH - _LOW)) ** 2

    def judged(f: Floats) -> tuple[Floats, _Speedups]:
        said = _Speedups.of(f, processes, n)
        far = ((f - _WITHOUT_LOSSES) ** 2) @ precision
        return ((said.values - s) ** 2).sum(axis=1) + far, said

    f, damping = _STARTS.copy(), np.full(len(_STARTS), 1e-2)
    error, said = judged(f)
    for _ in range(_STEPS):
        slopes = said.derivatives
        uphill = np.einsum("srk,sr->sk", slopes, said.values - s)
        uphill += (f - _WITHOUT_LOSSES) * precision
        free = ~(((f <= _LOW) & (uphill > 0)) | ((f >= _HIGH) & (uphill < 0)))
        curved = np.einsum("srk,srl->skl", slopes * free[:, None], slopes * free[:, None])
        own = np.einsum("skk->sk", curved) + precision
        diagonal = precision + damping[:, None] * own + ~free
        curved += diagonal[..., None] * np.eye(f.shape[1])
        step = np.linalg.solve(curved, (uphill * free)[..., None])[..., 0]
        tried = np.clip(f - step, _LOW, _HIGH)
        found, there = judged(tried)
        better = found < error
        f, error = np.where(better[:, None], tried, f), np.where(better, found, error)
        said = _Speedups(
            np.where(better[:, None], there.values, said.values),
            np.where(better[:, None, None], there.derivatives, said.derivatives),
        )
        damping = np.clip(damping * np.where(better, _FLATTER, _STEEPER), *_DAMPED)
    return f, error
