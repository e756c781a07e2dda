"""From candidates to alternatives: every candidate's probability, its predictions beyond the data, and the choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from .hypotheses import Candidates, Codes, values_at
from .measurements import Floats
from .noise import SIGMAS, marginal
from .posterior import Fits, fit_hypotheses

KEPT = 12
HORIZON = 2
"""How many of the points beyond the data, the last ones, losses are taken at; the others only exclude negative values."""
_LEAD_WEIGHT = 0.3
_ACTION_SHARE = 0.02


@dataclass(frozen=True)
class Batch:
    """K series that share their P points: y, magnitude, spread (K, P), distance (P,), tables[l] (T_l, P) and far[l]
    (T_l, F) the factors of parameter l at the points and beyond them; nonnegative (K,) metrics; repetition evidence
    (K, S). The last point beyond is where the leading term is judged."""

    y: Floats
    magnitude: Floats
    spread: Floats
    distance: Floats
    tables: Sequence[Floats]
    far: Sequence[Floats]
    nonnegative: NDArray[np.bool_]
    repetitions: Floats


@dataclass(frozen=True)
class Weighed:
    """Candidates fitted, grouped by size, with their evidence (K, N, S, kappas), predictions beyond the data
    (K, N, kappas, F) and leading terms (K, N, kappas, m)."""

    candidates: Sequence[Candidates]
    fits: Sequence[Fits]
    evidence: Floats
    beyond: Floats
    leads: Codes


def weigh(batch: Batch, candidates: Sequence[Candidates]) -> Weighed:
    """Fit all candidates; those that turn negative beyond the data get no probability where values cannot be."""
    fits, evidence, beyond, leads = [], [], [], []
    for group in candidates:
        found = fit_hypotheses(values_at(group.codes, batch.tables), batch.y, batch.magnitude, batch.distance,
                               batch.spread, group.prior)
        parts = found.coefficients[..., None] * values_at(group.codes, batch.far)[:, :, None]
        value = parts.sum(axis=3)
        negative = (value < 0).any(axis=-1) & batch.nonnegative[:, None, None]
        level = found.evidence() + np.where(negative, -np.inf, 0.0)[:, :, None]
        share = np.where((group.codes > 0).any(axis=-1)[:, :, None], np.abs(parts[..., -1]), -1.0)
        strongest = share.argmax(axis=-1)
        fits.append(found)
        evidence.append(level)
        beyond.append(value)
        leads.append(np.take_along_axis(group.codes, strongest[..., None], axis=2))
    total = np.concatenate(evidence, axis=1) + batch.repetitions[:, None, :, None]
    return Weighed(candidates, fits, total, np.concatenate(beyond, axis=1), np.concatenate(leads, axis=1))


def level_evidence(weighed: Weighed) -> Floats:
    """(K, S, kappas): evidence of each noise level, all hypotheses together."""
    result: Floats = logsumexp(weighed.evidence, axis=1)
    return result


@dataclass(frozen=True)
class Alternatives:
    """The KEPT most probable fits of K series, the chosen one first.

    codes (K, A, k, m), unused rows have a zero coefficient; coefficients (K, A, k); root (K, A, k, k); weight (K, A),
    summing to 1; sigma, kappa index (K, A); lead_share (K,): probability that the chosen fit's leading term leads;
    agreement (K,): probability of alternatives whose value at the last point beyond differs by less than a quarter.
    """

    codes: Codes
    coefficients: Floats
    root: Floats
    weight: Floats
    sigma: Floats
    drift: Codes
    lead_share: Floats
    agreement: Floats


def choose(weighed: Weighed, prior: Floats) -> Alternatives:
    """Choose the fit with the least expected loss: relative error beyond the data and a wrong leading term.

    prior (K, S, kappas): distribution of noise levels.
    """
    log_weight = marginal(weighed.evidence, prior[:, None])
    series, count, kappas = log_weight.shape
    flat = log_weight.reshape(series, -1)
    weight = np.exp(flat - flat.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    kept = min(2 * KEPT, flat.shape[1])
    top = np.argpartition(-weight, kept - 1, axis=1)[:, :kept]
    share = np.take_along_axis(weight, top, axis=1)
    order = np.argsort(-share, axis=1, kind="stable")
    top, share = np.take_along_axis(top, order, axis=1), np.take_along_axis(share, order, axis=1)
    share = share / share.sum(axis=1, keepdims=True)
    number, drift = top // kappas, top % kappas
    row = np.arange(series)[:, None]
    value = weighed.beyond[row, number, drift][..., -HORIZON:]
    lead = weighed.leads[row, number, drift]
    same = (lead[:, :, None] == lead[:, None, :]).all(axis=-1)
    total = np.abs(value)[:, :, None] + np.abs(value)[:, None]
    error = 2 * np.abs(value[:, :, None] - value[:, None]) / np.where(total > 0, total, 1.0)
    right = np.einsum("kab,kb->ka", same, share)
    loss = np.einsum("kabf,kb->ka", error, share) / value.shape[2] + _LEAD_WEIGHT * (1 - right)
    loss = np.where(share >= _ACTION_SHARE * share[:, :1], loss, np.inf)
    best = loss.argmin(axis=1)
    lead_share = right[row[:, 0], best]
    agreement = ((error[row[:, 0], best][..., -1] < 0.25) * share).sum(axis=1)
    first = np.arange(kept)[None] == best[:, None]
    order = np.argsort(~first, axis=1, kind="stable")[:, :KEPT]
    number, drift, share = (np.take_along_axis(a, order, axis=1) for a in (number, drift, share))
    codes, coefficients, root = _gather(weighed, number, drift)
    sigma = _sigma(weighed, number, drift, prior)
    return Alternatives(codes, coefficients, root, share / share.sum(axis=1, keepdims=True), sigma, drift, lead_share,
                        agreement)


def _sigma(weighed: Weighed, number: Codes, drift: Codes, prior: Floats) -> Floats:
    """Posterior mean (of the logarithm) of the noise level under each alternative (K, A)."""
    row = np.arange(len(number))[:, None]
    levels = weighed.evidence[row, number, :, drift] + np.log(np.maximum(prior, 1e-300))[row, :, drift]
    levels = np.exp(levels - levels.max(axis=-1, keepdims=True))
    result: Floats = np.exp((levels @ np.log(SIGMAS)) / levels.sum(axis=-1))
    return result


def _gather(weighed: Weighed, number: Codes, drift: Codes) -> tuple[Codes, Floats, Floats]:
    """Terms, coefficients and roots of the chosen fits, padded to the largest number of coefficients."""
    most = max(c.size for c in weighed.candidates)
    parameters = weighed.candidates[0].codes.shape[3]
    shape = number.shape
    codes = np.zeros((*shape, most, parameters), dtype=np.int64)
    coefficients, root = np.zeros((*shape, most)), np.zeros((*shape, most, most))
    start = 0
    for group, fits in zip(weighed.candidates, weighed.fits, strict=True):
        count = group.codes.shape[1]
        series, place = np.nonzero((number >= start) & (number < start + count))
        which, kappa = number[series, place] - start, drift[series, place]
        codes[series, place, :group.size] = group.codes[series, which]
        coefficients[series, place, :group.size] = fits.coefficients[series, which, kappa]
        root[series, place, :group.size, :group.size] = fits.root[series, which, kappa]
        start += count
    return codes, coefficients, root
