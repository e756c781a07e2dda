"""Curves as alternatives to laws of the normal form (see `pmnf.curve`): growth by factors, rates.

They are candidates of the same comparison. With k logarithms of constants t, a prior that is
uniform over a range L of each, their derivatives J of log f, and the noise levels s that all laws
share,

    log p(y | curve, s) = -P/2 log(2 pi s**2) - RSS / (2 s**2)
        - 1/2 log det(J'J / s**2 + 2 pi / L**2) + k (1/2 log(2 pi) - log L)

(Laplace, as `posterior` has it). The second term of the determinant bounds the volume of a constant
that the points do not tell by its prior. A curve is the law where it is more probable than all laws
of the normal form together. Few series are tried: those that end steeply, and rates that flatten.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..data.parameter_roles import is_concurrency
from ..pmnf.curve import Curve, CurveLaw, Parts, log_curve
from ..settings import ARITHMETIC, CURVES
from .batch import Batch
from .gathered import Gathered
from .model_selection import evidence_power

_GROWTH: tuple[Parts, ...] = (
    *(("2**x",), ("2**x", "1"), ("b**x",), ("b**x", "1")),
    *(("x!",), ("x!", "1"), ("x x!",), ("x x!", "1")),
)
_RATES: tuple[Parts, ...] = (("1/x", "1"), ("1/x", "1", "x"), ("1/x", "x"))


@dataclass(frozen=True)
class _Fits:
    """One curve fitted to K series: constants (K, k), precision (K, k, k) = J'J, rss (K,), and log
    evidence (K, S) at each noise level."""

    parts: Parts
    logs: Floats
    precision: Floats
    rss: Floats
    evidence: Floats


def curve_laws(
    batch: Batch,
    gathered: Gathered,
    name: str,
    x: Floats,
    kinds: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> dict[int, CurveLaw]:
    """Number of a series -> the curves that it follows, of its one parameter with values x (P,).
    kinds: those (K,) that are rates by their names, and those that are times."""
    rates, times = kinds
    if not (batch.y > 0).all() or x.min() < 0 or len(np.unique(x)) < len(x):
        return {}
    found = {}
    for rows, families, reciprocal in (
        (_steep(batch, x), _GROWTH, False),
        (_flattening(batch, x, gathered) & ~times, _RATES, True),
    ):
        numbers = np.flatnonzero(rows)
        if len(numbers):
            part = batch.part(numbers), gathered.part(numbers)
            share = np.full(len(numbers), CURVES.log_share)
            if reciprocal and is_concurrency(name):
                share[rates[numbers]] = CURVES.log_share_of_workers
            told = _told(*part, families, x, share, reciprocal=reciprocal)
            for k, (curves, others) in told.items():
                found[int(numbers[k])] = CurveLaw(
                    name, curves, others, len(x), bool(share[k] > CURVES.log_share)
                )
    return found


def _steep(batch: Batch, x: Floats) -> NDArray[np.bool_]:
    """(K,): series that end more steeply than most powers."""
    top, before = int(x.argmax()), np.argsort(x)[max(0, len(x) - CURVES.last)]
    if len(x) < CURVES.fewest_beyond + 2 or x[before] <= 0 or x[before] == x[top]:
        return np.zeros(len(batch.y), dtype=np.bool_)
    slope = np.log(batch.y[:, top] / batch.y[:, before]) / np.log(x[top] / x[before])
    first, last = _slopes(batch, x)
    return np.asarray((slope > CURVES.steep) & (last > CURVES.steepens * first))


def _slopes(batch: Batch, x: Floats) -> tuple[Floats, Floats]:
    """(K,): the slopes of both halves of series on logarithmic axes; of x = 0 nothing is seen."""
    order = np.argsort(x)
    order = order[x[order] > 0]
    logs, along = np.log(batch.y[:, order]), np.log(x[order])
    half = max(1, len(along) // 2)
    first = (logs[:, half] - logs[:, 0]) / (along[half] - along[0])
    last = (logs[:, -1] - logs[:, half]) / (along[-1] - along[half])
    return first, last


def _flattening(batch: Batch, x: Floats, gathered: Gathered) -> NDArray[np.bool_]:
    """(K,): series that rise, at most as a rate does, and less and less."""
    if len(x) < CURVES.fewest_beyond + 2 or x.min() <= 0:
        return np.zeros(len(batch.y), dtype=np.bool_)
    first, last = _slopes(batch, x)
    rises = batch.y.max(axis=1) > CURVES.rises * batch.y[:, int(x.argmin())]
    noisy = gathered.sigma[:, 0] > CURVES.least_noise
    flatter = last < CURVES.flattens * first
    return np.asarray(rises & noisy & flatter & (first < CURVES.steepest_rate))


def _told(
    batch: Batch,
    gathered: Gathered,
    families: tuple[Parts, ...],
    x: Floats,
    share: Floats,
    *,
    reciprocal: bool,
) -> dict[int, tuple[tuple[Curve, ...], float]]:
    """The most probable curves of the series in which they are more probable than all others, and
    how probable these are."""
    usable = [f for f in families if len(x) >= _size(f) + CURVES.fewest_beyond]
    if any("!" in part for f in usable for part in f) and (x != np.rint(x)).any():
        usable = [f for f in usable if not any("!" in part for part in f)]
    if not usable:
        return {}
    fits = [_fit(batch, parts, x, reciprocal=reciprocal) for parts in usable]
    each = np.stack([np.logaddexp.reduce(f.evidence, axis=1) for f in fits], axis=1)
    each += (share - np.log(len(families)))[:, None]
    usual = np.logaddexp.reduce(gathered.evidence, axis=1)
    power = evidence_power(batch, gathered)
    odds = power * (np.logaddexp.reduce(each, axis=1) - usual)
    others = 1 / (1 + np.exp(np.clip(odds, -ARITHMETIC.exponent, ARITHMETIC.exponent)))
    weight = np.exp(power[:, None] * (each - each.max(axis=1, keepdims=True)))
    weight *= ((1 - others) / weight.sum(axis=1))[:, None]
    found = {}
    for k in np.flatnonzero(others < 1 - CURVES.least).tolist():
        first = np.argsort(-weight[k], kind="stable")
        curves = [_curve(batch, fits[a], k, float(weight[k, a]), x, reciprocal) for a in first]
        if curves[0].sigma < CURVES.most_noise:
            kept = tuple(c for c in curves if c.weight > 1 - CURVES.held) or tuple(curves[:1])
            found[k] = kept, float(others[k])
    return found


def _curve(batch: Batch, fits: _Fits, k: int, weight: float, x: Floats, reciprocal: bool) -> Curve:
    sigmas = batch.levels.sigmas
    posterior = np.exp(fits.evidence[k] - fits.evidence[k].max())
    sigma = float(np.exp(posterior @ np.log(sigmas) / posterior.sum()))
    sigma = max(sigma, CURVES.least_noise)
    size = fits.logs.shape[1]
    precision = fits.precision[k] / sigma**2 + _ridge(batch) * np.eye(size)
    root = np.linalg.cholesky(np.linalg.inv(precision))
    return Curve(
        weight,
        fits.parts,
        reciprocal,
        float(x.max()),
        tuple(fits.logs[k].tolist()),
        tuple(tuple(row) for row in root.tolist()),
        sigma,
    )


def _ridge(batch: Batch) -> float:
    """The precision of a logarithm of which nothing but its prior is known."""
    return float(2 * np.pi / batch.settings.coefficients.log_range**2)


def _size(parts: Parts) -> int:
    """How many constants a curve has."""
    return len(parts) + ("b**x" in parts)


def _start(batch: Batch, parts: Parts, x: Floats, reciprocal: bool) -> Floats:
    """(K, k): constants to begin with: of growth those of the line through the last points, of
    rates those of the ends."""
    order = np.argsort(x)
    logs, along = np.log(batch.y[:, order]), x[order]
    if not reciprocal:
        half = len(x) // 2
        rate = (logs[:, -1] - logs[:, half]) / max(along[-1] - along[half], ARITHMETIC.tiny)
        columns = [logs[:, -1], logs.min(axis=1) - np.log(2)][: len(parts)]
        if "b**x" in parts:
            columns.append(np.log(np.maximum(rate, CURVES.least_noise)))
        return np.stack(columns, axis=1)
    ends = {
        "1/x": -logs[:, 0] + np.log(along[0] / along[-1]),
        "1": -logs.max(axis=1) - np.log(2),
        "x": -logs[:, -1] - np.log(2),
    }
    return np.stack([ends[p] for p in parts], axis=1)


def _fit(batch: Batch, parts: Parts, x: Floats, *, reciprocal: bool) -> _Fits:
    """Least squares of log y by damped Gauss-Newton steps, all series at once, and the evidence."""
    seen = np.isfinite(batch.spread)
    inverse = np.where(seen, 1 / np.sqrt(np.where(seen, batch.spread, 1.0)), 0.0)
    logs, size, top = _start(batch, parts, x, reciprocal), _size(parts), float(x.max())
    first, least, most = CURVES.damping
    damping, idle = np.full(len(logs), first), np.zeros(len(logs), dtype=np.int64)

    def at(logs: Floats) -> tuple[Floats, Floats, Floats]:
        value, slopes = log_curve(parts, logs, x, top, reciprocal=reciprocal)
        left = (np.log(batch.y) - value) * inverse
        rss = np.nan_to_num((left**2).sum(axis=1), nan=np.inf)
        return left, slopes * inverse[..., None], rss

    left, slopes, rss = at(logs)
    for _ in range(CURVES.rounds):
        gram = slopes.swapaxes(1, 2) @ slopes
        damped = gram + (damping[:, None, None] * _diagonal(gram)) + least * np.eye(size)
        step = np.linalg.solve(damped, (slopes.swapaxes(1, 2) @ left[..., None]))[..., 0]
        tried = logs + np.clip(step, -CURVES.longest, CURVES.longest)
        new = at(tried)
        better = new[2] < rss
        gain = np.where(better, rss - new[2], 0.0)
        logs = np.where(better[:, None], tried, logs)
        left = np.where(better[:, None], new[0], left)
        slopes = np.where(better[:, None, None], new[1], slopes)
        rss = np.where(better, new[2], rss)
        damping = np.clip(
            np.where(better, damping / CURVES.damps, damping * CURVES.damps), least, most
        )
        idle = np.where(gain > CURVES.close * rss, 0, idle + 1)
        if idle.min() >= CURVES.patience:
            break
    gram = slopes.swapaxes(1, 2) @ slopes
    return _Fits(parts, logs, gram, rss, _evidence(batch, gram, rss, size, inverse))


def _diagonal(gram: Floats) -> Floats:
    """The diagonals (K, k, k) of matrices."""
    result: Floats = gram * np.eye(gram.shape[1])
    return result


def _evidence(batch: Batch, gram: Floats, rss: Floats, size: int, inverse: Floats) -> Floats:
    """(K, S): see above."""
    sigmas, log_range = batch.levels.sigmas, batch.settings.coefficients.log_range
    squares = sigmas**2
    whole = gram[:, None] / squares[:, None, None] + _ridge(batch) * np.eye(size)
    volume = np.log(np.where(inverse > 0, inverse, 1.0)).sum(axis=1)
    found: Floats = -batch.points[:, None] / 2 * np.log(2 * np.pi * squares)
    found = found - rss[:, None] / (2 * squares) - 0.5 * np.linalg.slogdet(whole)[1]
    found = found + size * (0.5 * np.log(2 * np.pi) - np.log(log_range)) + volume[:, None]
    levels: Floats = np.logaddexp.reduce(batch.levels.prior, axis=1)
    return found + batch.repetitions + levels
