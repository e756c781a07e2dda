"""What the kernel computes, by numpy: one plain function for each of its larger parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from modeling.evidence.bounded_noise import Trials, _above
from modeling.evidence.posterior import Fits, Observed, log_sum
from modeling.kernel.mixtures import Round
from modeling.least_squares.batched_gram_schmidt import factor
from modeling.pmnf.hypotheses import Codes, least, values_at
from modeling.search.beam_search import Level
from modeling.search.line_factors import LineFactors
from modeling.search.single_parameter import similar_shapes
from modeling.settings import (
    ARITHMETIC,
    BeamSettings,
    BoundedNoiseSettings,
    CoefficientSettings,
    NoiseSettings,
    Settings,
)

Floats = NDArray[np.float64]


def beam_search(
    codes: Codes,
    tables: Sequence[Floats],
    weight: Floats,
    target: Floats,
    cost: Floats,
    settings: BeamSettings,
) -> list[Level]:
    """As `search.beam_search`."""
    columns = values_at(codes, tables) * weight[:, None]
    count = (weight != 0).sum(axis=1)
    series, terms, points = columns.shape
    norms = np.einsum("ktp,ktp->kt", columns, columns)
    columns = columns / np.sqrt(np.maximum(norms, ARITHMETIC.tiny))[..., None]
    swapped = np.ascontiguousarray(columns.transpose(0, 2, 1))
    total = np.einsum("kp,kp->k", target, target)
    basis = np.zeros((series, 1, 0, points))
    residual, left = target[:, None, :], total[:, None]
    remaining = np.ones((series, 1, terms))
    chosen = np.zeros((series, 1, 0), dtype=np.int64)
    spent = np.zeros((series, 1))
    parts = np.zeros((series, 1, 0))
    row, ended = np.arange(series)[:, None], np.zeros(series, dtype=bool)
    states: list[Level] = []
    for size in range(1, min(settings.levels, int(count.max()) - 1, terms) + 1):
        ended |= size >= count
        half = np.maximum(count - size, 1)[:, None] / 2
        after = residual @ swapped
        after *= after
        outside = np.maximum(remaining, ARITHMETIC.remaining)
        after /= outside
        np.subtract(left[..., None], after, out=after)
        # the rounding of this difference is the greater the less of a term is outside of the state
        least = ARITHMETIC.slack * np.sqrt(left * total[:, None])
        np.maximum(after, least[..., None] / outside, out=after)
        np.maximum(after, ARITHMETIC.exact * total[:, None, None], out=after)
        # the score is -half log after: with priors as factors, logarithms of the best few suffice
        after *= np.exp(spent / half)[..., None]
        after *= np.exp(cost / half)[:, None]
        after[remaining <= ARITHMETIC.remaining] = np.inf
        state, term, possible = _best(after, chosen, settings)
        chosen = np.concatenate([chosen[row, state], term[..., None]], axis=2)
        basis, residual = _extend(basis[row, state], residual[row, state], columns[row, term])
        remaining = remaining[row, state] - (basis[:, :, -1] @ swapped) ** 2
        spent = spent[row, state] + cost[row, term]
        parts = np.concatenate([parts[row, state], (basis[:, :, -1] @ target[:, :, None])], axis=2)
        left = np.einsum("kbp,kbp->kb", residual, residual)
        score = -half * np.log(np.maximum(left, ARITHMETIC.exact * total[:, None])) - spent
        score[~possible | ended[:, None]] = -np.inf
        states.append(Level(np.sort(chosen, axis=2), score, left, parts))
        ended |= left.min(axis=1) <= ARITHMETIC.exact_stop * total
        if size > settings.patience:
            with np.errstate(invalid="ignore"):
                ended |= score.max(axis=1) < states[-2].score.max(axis=1) - settings.worse
        if ended.all():
            break
    return states


def _best(
    after: Floats, chosen: Codes, settings: BeamSettings
) -> tuple[Codes, Codes, NDArray[np.bool_]]:
    """(state, term), and whether it adds something, each (K, width), the least first, without sets
    that occur twice: where fewer are left, some stand again that add nothing."""
    series, _, terms = after.shape
    flat = after.reshape(series, -1)
    keep = min(settings.width, flat.shape[1])
    wide = min(flat.shape[1], settings.spare * keep)
    index = least(flat, wide)
    state, term = index // terms, index % terms
    row = np.arange(series)[:, None]
    sets = np.sort(np.concatenate([chosen[row, state], term[..., None]], axis=2), axis=2)
    key = np.zeros(state.shape, dtype=np.int64)
    for k in range(sets.shape[2]):
        key = key * (terms + 1) + sets[..., k]
    possible = np.isfinite(np.take_along_axis(flat, index, axis=1))
    # two ways to one set are equal but for rounding: the first place stands for both, where the
    # first of them is
    order = np.argsort(key, axis=1, kind="stable")
    ordered = np.take_along_axis(key, order, axis=1)
    new = np.ones(key.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    places = np.where(possible, index, flat.shape[1])
    first = np.minimum.reduceat(
        np.take_along_axis(places, order, axis=1).ravel(), np.flatnonzero(new)
    )
    again = np.zeros(key.shape, dtype=bool)
    np.put_along_axis(again, order, ~new, axis=1)
    of_set = np.empty(key.shape, dtype=np.int64)
    np.put_along_axis(of_set, order, first[np.cumsum(new) - 1].reshape(key.shape), axis=1)
    index = np.where(of_set < flat.shape[1], of_set, index)
    order = np.argsort(again, axis=1, kind="stable")[:, :keep]
    possible &= ~again
    index, possible = (np.take_along_axis(a, order, axis=1) for a in (index, possible))
    return index // terms, index % terms, possible


def _extend(basis: Floats, residual: Floats, column: Floats) -> tuple[Floats, Floats]:
    """Add a column (K, B, P) to each basis (K, B, k, P) and take its part out of the residual."""
    v = column
    for _ in range(2):  # a second pass restores what rounding took (Parlett, 1980, section 6.9)
        v = v - np.einsum("kbi,kbip->kbp", np.einsum("kbip,kbp->kbi", basis, v), basis)
    v = v / np.maximum(np.sqrt(np.einsum("kbp,kbp->kb", v, v)), ARITHMETIC.tiny)[..., None]
    residual = residual - np.einsum("kbp,kbp->kb", residual, v)[..., None] * v
    return np.concatenate([basis, v[:, :, None]], axis=2), residual


def two_laws(y: Floats, logs: Floats, prior: Floats, scale: Floats, width: float) -> Floats:
    """As `kernel.ranking.two_laws`: of the best two laws for every place of the change."""
    points = y.shape[1]
    best = np.full((len(scale), len(y)), -np.inf)
    apart = y[:, None] - logs  # (K, H, P)
    for place in range(2, points):
        parts = apart[..., :place], apart[..., place:]
        left, right = (((p - p.mean(axis=2, keepdims=True)) ** 2).sum(axis=2) for p in parts)
        occam = -2 * width - 0.5 * np.log(place * (points - place))
        for level, each in enumerate(scale):
            both = (left * each + prior).max(axis=1) + (right * each + prior).max(axis=1)
            best[level] = np.maximum(best[level], both + occam)
    return best


def pooled(
    likelihood: Floats, prior: Floats, usual: Floats, settings: NoiseSettings
) -> tuple[Floats, Floats]:
    """As `kernel.pooling.pooled_levels`, of likelihoods (T, K, L)."""
    kinds, count, _ = likelihood.shape
    every, first, share = likelihood.reshape(kinds * count, -1), prior * settings.pseudo, usual
    for _ in range(settings.rounds):
        of_kind = (every @ prior).reshape(kinds, count)
        each = share[:, None] / np.maximum((share[:, None] * of_kind).sum(axis=0), ARITHMETIC.tiny)
        prior = (each.ravel() @ every * prior + first) / (count + settings.pseudo)
        found = (each * of_kind).sum(axis=1)
        share = found + usual if kinds > 1 else share
    return prior, found


def pooled_kinds(
    likelihood: Floats, counts: Floats, usual: Floats, pseudo: float, rounds: int
) -> Floats:
    """As `kernel.pooling.pooled_kinds`."""
    found = usual
    for _ in range(rounds):
        each = found[:, None] * likelihood
        each = counts * each / np.maximum(each.sum(axis=0), ARITHMETIC.tiny)
        found = (each.sum(axis=1) + usual * pseudo) / (counts.sum() + pseudo)
    return found


@dataclass(frozen=True)
class NumpySampler:
    """As `kernel.mixtures.Sampler`, of what `bounded_noise._sampler` is given."""

    trials: Trials
    noise: Floats
    density: Floats
    settings: Settings

    def round(
        self, left: Codes, centre: Floats, root: Floats, z: Floats, log_density: Floats
    ) -> Round:
        return _drawn(
            *(self.trials, self.noise, self.density, self.settings),
            *(left, centre, root, z, log_density),
        )


def _drawn(
    trials: Trials,
    noise: Floats,
    density: Floats,
    settings: Settings,
    left: Codes,
    centre: Floats,
    root: Floats,
    z: Floats,
    log_density: Floats,
) -> Round:
    bounded, some = settings.bounded, trials.part(left)
    at = centre[:, None, left] + np.einsum("ijn,jm->imn", root[..., left], z)
    log_target, h = _target(at, some, noise[:, left], density, settings)
    volume = np.log(np.einsum("iin->in", root[..., left])).sum(axis=0)
    log_weight = log_target - log_density[:, None] + volume
    share, power = _tempered(log_weight, bounded)
    nowhere = share.sum(axis=0) == 0
    mean = np.where(nowhere, centre[:, left], np.einsum("mn,kmn->kn", share, at))
    apart = at - mean[:, None]
    covariance = np.einsum("mn,imn,jmn->nij", share, apart, apart)
    moved = _cholesky(covariance, root[..., left], bounded.kept_covariance)
    negative = (np.einsum("kn,kfn->fn", mean, some.far) < 0).any(axis=0) & some.nonnegative
    evidence = log_sum(log_weight) - np.log(len(log_weight)) + some.prior
    width = np.einsum("mn,mn->n", share, h)
    return Round(mean, moved, evidence, width, power, nowhere, negative)


def _target(
    at: Floats, trials: Trials, noise: Floats, density: Floats, settings: Settings
) -> tuple[Floats, Floats]:
    """(M, N) log of prior and likelihood of coefficients (k, M, N), and the least half width of
    noise."""
    most, least = np.zeros(at.shape[1:]), np.full(at.shape[1:], np.inf)
    product, possible = np.ones(at.shape[1:]), np.ones(at.shape[1:], dtype=np.bool_)
    equal = bool((trials.counts == trials.counts[0]).all())  # one logarithm serves all points
    logs = np.zeros(at.shape[1:])
    for terms, n, low, high in zip(
        trials.columns.swapaxes(0, 1), trials.counts, trials.lows, trials.highs, strict=True
    ):
        value = np.einsum("kmn,kn->mn", at, terms)
        possible &= value > 0
        np.maximum(value, ARITHMETIC.value, out=value)
        if equal:
            product *= value
        else:
            logs += n * np.log(value)
        np.reciprocal(value, out=value)
        np.minimum(least, low * value, out=least)
        np.maximum(most, high * value, out=most)
    h = np.maximum(most - 1, 1 - least)
    if equal:
        logs = trials.counts[0] * np.log(np.maximum(product, ARITHMETIC.tiny))
    total: Floats = trials.counts.sum(axis=0)
    negative, width = settings.coefficients.negative, settings.coefficients.log_width
    positive = (at > 0).sum(axis=0)
    sign = positive * np.log(1 - negative) + (len(at) - positive) * np.log(negative)
    sizes = np.prod(at**2 + noise[:, None] ** 2, axis=0)
    size = 0.5 * np.log(np.maximum(sizes, ARITHMETIC.tiny)) + len(at) * width
    likelihood = _integral(h, total, density, settings.bounded.edges) - logs - total * np.log(2)
    return np.where(possible, likelihood + sign - size, -np.inf), h


def _integral(h: Floats, total: Floats, density: Floats, widths: Floats) -> Floats:
    """(M, N): logarithm of the integral of h**-total, weighted with the log density (cells,) of log
    h, above h (M, N)."""
    edges = np.log(widths)
    kinds, which = np.unique(total, return_inverse=True)
    above = _above(kinds, density, edges)
    x = np.clip(np.log(np.maximum(h, widths[0])), edges[0], edges[-1])
    step = (edges[-1] - edges[0]) / len(density)
    place = np.minimum(((x - edges[0]) / step).astype(np.int64), len(density) - 1)
    place -= (place > 0) & (x < edges[place])
    with np.errstate(divide="ignore"):
        here = (
            density[place]
            - total * x
            - np.log(total)
            + np.log(-np.expm1(-total * (edges[place + 1] - x)))
        )
    return np.where(h < widths[-1], np.logaddexp(here, above[which[None], place]), -np.inf)


def _tempered(log_weight: Floats, settings: BoundedNoiseSettings) -> tuple[Floats, Floats]:
    """Shares (M, N) of samples, and the power (N,) of their weights: 1 where the effective number
    of samples, (sum w)**2 / sum w**2, is a good share of all, else so much less that it is the
    tempered share."""
    top = log_weight.max(axis=0)
    logs = log_weight - np.where(np.isfinite(top), top, 0.0)
    power = np.ones(logs.shape[1])
    for _ in range(settings.tempering_rounds):
        share = np.exp(np.maximum(logs * power, -ARITHMETIC.log_weight)) * np.isfinite(logs)
        total = share.sum(axis=0)
        effective = total**2 / np.maximum((share**2).sum(axis=0), ARITHMETIC.tiny)
        wanted = np.where(power < 1, settings.tempered_share, settings.good_share)
        poor = effective < wanted * len(logs)
        if not poor.any():
            break
        power[poor] *= settings.tempering
    return share / np.maximum(total, ARITHMETIC.tiny), power


def _cholesky(covariance: Floats, before: Floats, kept: float) -> Floats:
    """Roots (k, k, N) of covariances (N, k, k); a share `kept` of those before (k, k, N)
    makes them definite."""
    whole = covariance + kept * np.einsum("ijn,ljn->nil", before, before)
    deviation = np.sqrt(np.einsum("nii->ni", whole))
    correlation = whole / (deviation[:, :, None] * deviation[:, None])
    correlation += ARITHMETIC.correlation * np.eye(len(before))
    return np.moveaxis(np.linalg.cholesky(correlation) * deviation[..., None], 0, -1)


def line_factors(factors: LineFactors, y: Floats, magnitude: Floats) -> Codes:
    """As `LineFactors.chosen`, of one series (P,) with this magnitude: by least squares of each
    hypothesis along each line."""
    single, found = factors.hypotheses.settings.single, []
    for group, size in zip(factors.groups, factors.sizes, strict=True):
        total = np.zeros(len(group.prior))
        for line in factors.lines:
            label, shapes = similar_shapes(magnitude[line.rows], single)
            for rows, shape in zip(line.rows, shapes[label], strict=True):
                values = y[rows] / shape
                usual = np.sqrt((values**2).mean())
                values = values / (usual if usual > 0 else 1.0)
                for h, row in enumerate(group.rows if len(rows) > size.size else ()):
                    design = (line.columns[row] / shape).T
                    left = values - design @ np.linalg.lstsq(design, values, rcond=1e-9)[0]
                    total[h] += left @ left
        total = np.maximum(total, ARITHMETIC.error * size.squares)
        for h in least((total * size.scale)[None], size.keep)[0].tolist():
            weight = group.prior[h] - size.freedom / 2 * np.log(np.pi * total[h]) + size.constant
            found.append((weight, group.rows[h]))
    chosen: list[int] = []
    for _, row in sorted(found, key=lambda each: -each[0]):
        chosen += [f for f in row.tolist() if f and f not in chosen]
    chosen = chosen[: factors.most]
    return np.array(chosen + [0] * (factors.width - len(chosen)))


def fit_rows(
    columns: Floats, observed: Observed, settings: CoefficientSettings, *, steps: int
) -> Fits:
    """As `posterior.fit_rows`."""
    k, points = len(columns), np.isfinite(observed.deviation).sum(axis=0)
    y, deviation = observed.y, observed.deviation
    scale, working = observed.magnitude, y
    for step in range(steps + 1):
        weight = 1 / (scale * deviation)
        factored = factor(columns * weight)
        projected = np.einsum("kpn,pn->kn", factored.basis, working * weight)
        coefficients = np.einsum("ijn,jn->in", factored.root, projected)
        value = np.einsum("kn,kpn->pn", coefficients, columns)
        if not observed.ratio or step == steps:
            break
        # Gauss-Newton on log(y / f) is linear least squares on f + f log(y / f) with weights 1 / f;
        # values that are far off are approached in bounded steps
        logs = np.log(y / np.maximum(value, settings.closest * y))
        scale = np.clip(value, settings.bounds[0] * y, settings.bounds[1] * y)
        working = value + scale * np.clip(logs, -settings.step, settings.step)
    residual = (
        np.log(np.maximum(value / y, ARITHMETIC.ratio))
        if observed.ratio
        else (y - value) / observed.magnitude
    )
    weighted = residual / deviation
    rss = np.maximum((weighted**2).sum(axis=0), points * ARITHMETIC.residual)
    told = (factored.root**2).sum(axis=1)
    noise = np.sqrt(rss / np.maximum(points - k, 1) * told)
    base = (
        coefficient_evidence(coefficients, noise, settings) - factored.log_volume - observed.volume
    )
    return Fits(base, rss, coefficients, factored.root, residual)


def coefficient_evidence(
    coefficients: Floats, noise: Floats, settings: CoefficientSettings
) -> Floats:
    """(...): log prior density of coefficients (k, ...) known up to this noise: log-uniform in the
    magnitude, which the noise keeps away from zero, times the probability of the sign."""
    noise = noise + ARITHMETIC.tiny
    magnitudes = 0.5 * sum(np.log(coefficients**2 + noise**2), np.zeros(()))
    signs = sum(_sign_prior(coefficients / noise, settings.negative), np.zeros(()))
    result: Floats = signs - len(coefficients) * settings.log_width - magnitudes
    return result


def _sign_prior(strength: Floats, negative: float) -> Floats:
    """Log probability of the signs that coefficients of this many standard deviations may have."""
    positive = ndtr(np.where(np.abs(strength) < ARITHMETIC.strength, 0.0, strength))
    result: Floats = np.log((1 - negative) * positive + negative * (1 - positive))
    return result
