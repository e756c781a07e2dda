"""Model selection: exact fits of the candidates, their evidence, and the choice among them.

The evidence of a candidate is that of `posterior`, summed over noise levels. The choice minimises
the expected loss under all alternatives (Bayesian decision), so that a compromise between rivals
may win over the most probable one.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import CDLL
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.local_extrapolation import extrapolation_weight
from ..evidence.noise import Levels, profiles
from ..evidence.noise_shape import Repetitions
from ..evidence.posterior import (
    Fits,
    Observed,
    fit_rows,
    level_constants,
    level_likelihood,
    log_sum,
)
from ..kernel import choice
from ..kernel import fits as compiled
from ..kernel.library import kernel
from ..pmnf.hypotheses import Candidates, Codes, columns_of, values_at
from ..settings import ARITHMETIC, Settings, at
from .grouped_fits import with_groups

Place = tuple[Codes, Codes, Codes]
BELOW = 2
"""Most coefficients of a law below a change of regime: a constant and a term."""


@dataclass(frozen=True)
class Batch:
    """K series that share their P points, with all that their fits need.

    y, magnitude, spread (K, P): observed means, what their noise is relative to, and variances of
    the means in units of the mean one. distance (P,): steps below the largest point. tables[l]
    (T_l, P) and far[l] (T_l, F): factors of parameter l at the points and beyond them; the leading
    term is judged at the last point beyond. nonnegative (K,): whether values can be negative.
    levels, repetitions (K, S): noise levels, and the log likelihood of the repetitions under each.
    local (horizon, P): matrix of local extrapolation to the last points beyond, on logarithms,
    whether the design has one (extrapolates), and extrapolation_weight, 0 to 1, its weight against
    the law (see `local_extrapolation`). following[l] (T_l, 1), following_line (P,): factors and
    extrapolation at the next point of the design. observed: the repetitions, from which the shape
    of noise is inferred.
    """

    y: Floats
    magnitude: Floats
    spread: Floats
    distance: Floats
    tables: Sequence[Floats]
    far: Sequence[Floats]
    nonnegative: NDArray[np.bool_]
    levels: Levels
    repetitions: Floats
    local: Floats
    extrapolates: bool
    extrapolation_weight: float
    following: Sequence[Floats]
    following_line: Floats
    observed: Repetitions

    @property
    def settings(self) -> Settings:
        """The constants of the fitter."""
        return self.levels.settings

    def part(self, rows: slice | Codes) -> Batch:
        """Some of the series."""
        return replace(
            self,
            y=self.y[rows],
            magnitude=self.magnitude[rows],
            spread=self.spread[rows],
            nonnegative=self.nonnegative[rows],
            repetitions=self.repetitions[rows],
            observed=self.observed.part(rows),
        )


@dataclass(frozen=True)
class CandidateFits:
    """Candidates of one size with log prior (K, n), fitted under each of V noise profiles: base and
    rss (K, n, V) as in `Fits`, values beyond the data (K, n, V, F), coefficients (K, n, V, k), root
    (K, n, V, k, k), and log_weight (K, n, V), the log evidence with noise levels integrated out."""

    codes: Codes
    prior: Floats
    base: Floats
    rss: Floats
    coefficients: Floats
    root: Floats
    beyond: Floats
    log_weight: Floats

    def part(self, rows: Codes) -> CandidateFits:
        """Those of some of the series."""
        return CandidateFits(*(getattr(self, f.name)[rows] for f in fields(self)))


def fit_candidates(batch: Batch, candidates: Sequence[Candidates]) -> list[CandidateFits]:
    """Fit all candidates; one that turns negative beyond the data gets no probability where values
    cannot be negative.

    A linear fit comes first; only the promising ones get the steps to logarithmic residuals.
    """
    fitter = _fitter(batch)
    first = [_fit(batch, fitter, group) for group in candidates]
    best = np.max([w.log_weight.max(axis=(1, 2)) for w in first], axis=0)
    return [
        _refined(batch, fitter, group, w, best) for group, w in zip(candidates, first, strict=True)
    ]


class Fitter(Protocol):
    """Fits hypotheses at places (series, number, profile), and writes what it finds there."""

    def __call__(
        self, found: CandidateFits, group: Candidates, place: Place, *, steps: int
    ) -> None: ...


def _fitter(batch: Batch) -> Fitter:
    """The kernel, or numpy."""
    library = kernel()
    if library is None:
        return partial(_fit_all, batch, _observed(batch))
    top = int(batch.distance.argmin())
    outlier = np.flatnonzero(batch.levels.profiles == batch.settings.noise.outlier)
    shared = compiled.Shared(
        batch.tables,
        batch.far,
        batch.y,
        batch.magnitude,
        batch.spread,
        batch.levels.variances(batch.distance),
        top,
        int(outlier[0]) if len(outlier) else -1,
        _least_residual(batch, top),
        float(np.log(batch.settings.selection.largest_outlier)),
        -0.5 / batch.levels.sigmas**2,
        batch.nonnegative,
    )
    return partial(_fit_compiled, library, batch, shared)


def _fit_compiled(
    library: CDLL,
    batch: Batch,
    shared: compiled.Shared,
    found: CandidateFits,
    group: Candidates,
    place: Place,
    *,
    steps: int,
) -> None:
    """As `_fit_all`, by the kernel."""
    freedom = float(batch.y.shape[1] - group.size)
    constants = level_constants(freedom, batch.levels.sigmas, batch.levels.prior, batch.repetitions)
    if not compiled.fit_candidates(
        library,
        shared,
        constants,
        group.codes,
        group.prior,
        np.ravel_multi_index(place, found.base.shape),
        compiled.rules(batch.settings.coefficients, steps, bool((batch.y > 0).all())),
        (found.base, found.rss, found.log_weight, found.coefficients, found.root, found.beyond),
    ):
        raise MemoryError


def _fit(batch: Batch, fitter: Fitter, group: Candidates) -> CandidateFits:
    total, n, k, _ = group.codes.shape
    count = len(batch.levels.profiles)
    found = CandidateFits(
        group.codes,
        group.prior,
        np.full((total, n, count), -np.inf),
        np.ones((total, n, count)),
        np.zeros((total, n, count, k)),
        np.zeros((total, n, count, k, k)),
        np.zeros((total, n, count, batch.far[0].shape[1])),
        np.full((total, n, count), -np.inf),
    )
    series, number = np.nonzero(np.isfinite(group.prior))
    profile = np.repeat(np.arange(count), len(series))
    place = np.tile(series, count), np.tile(number, count), profile
    fitter(found, group, place, steps=0)
    return found


def _observed(batch: Batch) -> Observed:
    """What all series are fitted to under one profile after the other."""
    variances = batch.levels.variances(batch.distance)
    count, points = len(variances), batch.y.shape[1]
    return Observed.of(
        np.tile(batch.y, (count, 1)),
        np.tile(batch.magnitude, (count, 1)),
        (batch.spread * variances[:, None]).reshape(-1, points),
    )


def _fit_all(
    batch: Batch,
    observed: Observed,
    found: CandidateFits,
    group: Candidates,
    place: Place,
    *,
    steps: int,
) -> None:
    """Fit the hypotheses at these places (series, number, profile) to what is observed (see
    `_observed`), so many at a time as the cache holds."""
    settings = batch.settings.selection
    together = max(settings.least_together, settings.cached // batch.y.shape[1])
    for start in range(0, len(place[0]), together):
        series, number, profile = (p[start : start + together] for p in place)
        codes = group.codes[series, number]
        fits = fit_rows(
            columns_of(codes, batch.tables),
            observed.take(profile * len(batch.y) + series),
            batch.settings.coefficients,
            steps=steps,
        )
        _store(batch, found, group, fits, columns_of(codes, batch.far), (series, number, profile))


def _store(
    batch: Batch, found: CandidateFits, group: Candidates, fits: Fits, far: Floats, place: Place
) -> None:
    """Write N fits to their places (series, number, profile); far (k, F, N) are their terms beyond
    the data."""
    series, number, profile = place
    beyond = np.einsum("kn,kfn->nf", fits.coefficients, far)
    negative = (beyond < 0).any(axis=-1) & batch.nonnegative[series]
    impossible = negative | _no_outlier(batch, fits, series, profile)
    base = fits.base + group.prior[series, number] + np.where(impossible, -np.inf, 0.0)
    found.base[place], found.rss[place], found.beyond[place] = base, fits.rss, beyond
    found.coefficients[place], found.root[place] = (
        fits.coefficients.T,
        np.moveaxis(fits.root, -1, 0),
    )
    found.log_weight[place] = _marginal(batch, series, base, fits.rss, group.size, profile)


def _no_outlier(batch: Batch, fits: Fits, series: Codes, profile: Codes) -> NDArray[np.bool_]:
    """Fits that take the largest point for an outlier although it lies below the law (disturbances
    only slow a program down), too far above it (a change of behaviour), or all of its repetitions
    lie there, too."""
    place = int(batch.distance.argmin())
    top = fits.residual[place]  # log(f / y)
    least = _least_residual(batch, place)[series]
    as_outlier = batch.levels.profiles[profile] == batch.settings.noise.outlier
    largest = np.log(batch.settings.selection.largest_outlier)
    result: NDArray[np.bool_] = as_outlier & ((top > 0) | (top < -largest) | (least > top / 2))
    return result


def _least_residual(batch: Batch, place: int) -> Floats:
    """(K,): the logarithm of the least repetition at a point over their mean, where there are
    enough of them."""
    settings = batch.settings.selection
    lows, y = batch.observed.lows[:, place], batch.y[:, place]
    repeated = (batch.observed.counts[:, place] >= settings.repeated) & (lows > 0) & (y > 0)
    ratio = np.divide(lows, y, out=np.ones(len(y)), where=repeated)
    return np.where(repeated, np.log(ratio), -np.inf)


def _refined(
    batch: Batch, fitter: Fitter, group: Candidates, first: CandidateFits, best: Floats
) -> CandidateFits:
    """The promising ones fitted again with residuals log(y / f)."""
    if not (batch.y > 0).all():
        return first
    settings = batch.settings.selection
    promising = first.log_weight > best[:, None, None] - settings.hopeless
    curved = first.rss > batch.y.shape[1] * settings.straight**2
    series, number, profile = np.nonzero(promising & curved)
    if len(series):
        fitter(first, group, (series, number, profile), steps=settings.steps)
    return first


def _marginal(
    batch: Batch, series: Codes, base: Floats, rss: Floats, k: int, profile: Codes
) -> Floats:
    """Log evidence (N,) with noise levels integrated out."""
    return log_sum(_levels(batch, series, base, rss, k) + batch.levels.prior[:, profile])


def _levels(batch: Batch, series: Codes, base: Floats, rss: Floats, k: int) -> Floats:
    """(S, ...): log evidence of fits at each noise level, repetitions included."""
    freedom = float(batch.y.shape[1] - k)
    return (
        level_likelihood(base, rss, freedom, batch.levels.sigmas) + batch.repetitions.T[:, series]
    )


def level_evidence(batch: Batch, candidate_fits: Sequence[CandidateFits]) -> Floats:
    """(K, S, V): log evidence of each noise level, summed over hypotheses."""
    library = kernel()
    if library is not None:
        sigmas, (count, _, profiles) = batch.levels.sigmas, candidate_fits[0].base.shape
        found = np.full((count, len(sigmas), profiles), -np.inf)
        for w in candidate_fits:
            freedom = float(batch.y.shape[1] - w.codes.shape[2])
            constants = -freedom / 2 * np.log(2 * np.pi * sigmas**2)
            compiled.sum_levels(library, w.base, w.rss, constants, -0.5 / sigmas**2, found)
        return found + batch.repetitions[..., None]
    series = np.arange(len(batch.y))[:, None, None]
    every = [_levels(batch, series, w.base, w.rss, w.codes.shape[2]) for w in candidate_fits]
    top = np.max([e.max(axis=(0, 2, -1)) for e in every], axis=0)
    total = sum((np.exp(e - top[:, None, None]).sum(axis=2) for e in every), np.zeros(1))
    result: Floats = (
        np.log(np.maximum(total, ARITHMETIC.tiny)).transpose(1, 0, 2) + top[:, None, None]
    )
    return result


def outside(batch: Batch, candidate_fits: Sequence[CandidateFits]) -> NDArray[np.bool_]:
    """(K,): series whose noise is outside of the levels: the best fit is far closer than the least
    one, or farther off than the greatest one allows."""
    possible = [
        np.where(
            np.isfinite(w.log_weight), w.rss / max(batch.y.shape[1] - w.codes.shape[2], 1), np.inf
        )
        for w in candidate_fits
    ]
    least = np.sqrt(np.min([p.min(axis=(1, 2)) for p in possible], axis=0))
    sigmas, every, settings = (
        batch.levels.sigmas,
        batch.settings.noise.sigmas,
        batch.settings.selection,
    )
    too_close: NDArray[np.bool_] = (sigmas[0] > every[0]) & (
        least < settings.far_closer * sigmas[0]
    )
    too_far: NDArray[np.bool_] = (sigmas[-1] < every[-1]) & (least > sigmas[-1] / settings.far_off)
    return np.logical_or(too_close, too_far)


@dataclass(frozen=True)
class Alternatives:
    """The most probable fits of K series, the chosen one first.

    codes (K, A, k, m), unused rows have a zero coefficient; coefficients (K, A, k); root (K, A, k,
    k); weight (K, A), summing to 1; sigma, profile (K, A); change, below_codes, below_coefficients
    as in `Gathered`; lead_share (K,): probability that the chosen fit's leading term leads;
    agreement (K,): probability of alternatives whose value at the last point beyond differs by less
    than a quarter.
    """

    codes: Codes
    coefficients: Floats
    root: Floats
    weight: Floats
    sigma: Floats
    profile: Codes
    change: Codes
    below_codes: Codes
    below_coefficients: Floats
    lead_share: Floats
    agreement: Floats


def choose(batch: Batch, gathered: Gathered, line: Floats | None = None) -> Alternatives:
    """Choose the fit with the least expected loss: relative error beyond the data and a wrong
    leading term.

    Args:
        batch: K series.
        gathered: their most probable fits.
        line: (K,) the weight, 0 to 1, that local extrapolation has earned in each series (see
            `stacked_by_series`), if it is known.
    """
    earned = np.zeros(len(batch.y)) if line is None else line
    kept_fits = _kept(gathered, *_chosen(batch, gathered, earned))
    weight = np.maximum(batch.extrapolation_weight * _line_weight(batch, gathered), earned)
    _meet_forecasts(batch, kept_fits, weight, earned)
    return kept_fits


def _chosen(
    batch: Batch, gathered: Gathered, earned: Floats
) -> tuple[Codes, Floats, Floats, Floats]:
    """Numbers (K, kept) of the fits that are kept, the chosen one first, their probabilities, and
    lead_share and agreement (K,) of the chosen one (see `Alternatives`)."""
    library, settings = kernel(), batch.settings.selection
    trust = at(batch.settings.extrapolation.choice_weight, len(batch.tables) - 1)
    usual = trust * _line_weight(batch, gathered)
    line_weight, power = np.maximum(usual, earned), _evidence_power(batch, gathered)
    line = np.zeros((len(power), settings.horizon))
    if line_weight.any():
        line = _line(batch, batch.local)
    if library is not None:
        found = choice.chosen(
            library,
            gathered.evidence,
            power,
            gathered.beyond,
            gathered.lead,
            line,
            line_weight,
            settings,
        )
        return found.order, found.share, found.lead_share, found.agreement
    share = np.exp((gathered.evidence - gathered.evidence[:, :1]) * power[:, None])
    compared = slice(0, settings.compared)
    share /= share[:, compared].sum(axis=1, keepdims=True)
    every, share = share, share[:, compared]
    value, leads = gathered.beyond[:, compared, -settings.horizon :], gathered.lead[:, compared]
    series_of, action = np.nonzero(share >= settings.action_share * share[:, :1])
    error = _differences(value[series_of, action][:, None], value[series_of])
    same = (leads[series_of, action][:, None] == leads[series_of]).all(axis=-1)
    weight = share[series_of]
    expected = (error.mean(axis=2) * weight).sum(axis=1)
    right = (same * weight).sum(axis=1)
    loss = np.full(share.shape, np.inf)
    loss[series_of, action] = expected + settings.lead_weight * (1 - right)
    loss = _with_local(loss, value, line, line_weight)
    best = loss.argmin(axis=1)
    chosen = action == best[series_of]
    lead_share, agreement = (
        right[chosen],
        ((error[..., -1] < settings.agreement) * weight).sum(axis=1)[chosen],
    )
    kept = np.arange(every.shape[1])[None] != best[:, None]
    order = np.argsort(kept, axis=1, kind="stable")
    order, share = with_groups(order, every, gathered.beyond[..., -1], settings)
    return order, share / share.sum(axis=1, keepdims=True), lead_share, agreement


def _kept(
    gathered: Gathered, order: Codes, share: Floats, lead_share: Floats, agreement: Floats
) -> Alternatives:
    """The fits with these numbers (K, kept)."""
    library, row = kernel(), np.arange(len(order))[:, None]

    def of(array: NDArray[Any]) -> NDArray[Any]:
        return array[row, order] if library is None else choice.in_order(library, order, array)

    return Alternatives(
        of(gathered.codes),
        of(gathered.coefficients),
        of(gathered.root),
        share,
        of(gathered.sigma),
        of(gathered.profile),
        of(gathered.change),
        of(gathered.below_codes),
        of(gathered.below_coefficients),
        lead_share,
        agreement,
    )


def _differences(a: Floats, b: Floats) -> Floats:
    """|a - b| in units of the mean magnitude of both."""
    total = np.abs(a) + np.abs(b)
    result: Floats = 2 * np.abs(a - b) / np.where(total > 0, total, 1.0)
    return result


def _evidence_power(batch: Batch, gathered: Gathered) -> Floats:
    """Power of the evidence (K,). Large deviations that neither other series nor repetitions show
    are not noise but a law that is missing from the dictionary; neighbouring points then deviate
    alike, so that many of them count as a few independent ones."""
    settings = batch.settings.selection
    doubtful = (
        (gathered.sigma[:, 0] > settings.noise_limit)
        & ~gathered.bounded[:, 0]
        & (not batch.levels.pooled)
    )
    independent = at(settings.independent, len(batch.tables) - 1)
    return np.where(doubtful, min(1.0, independent / batch.y.shape[1]), 1.0)


def _line_weight(batch: Batch, gathered: Gathered) -> Floats:
    """Weight (K,) of local extrapolation for the noise that the best fit leaves; zero where the
    noise is known from other series or repetitions."""
    if batch.levels.pooled or not batch.extrapolates or not (batch.y > 0).all():
        return np.zeros(len(batch.y))
    weight = extrapolation_weight(gathered.sigma[:, 0], batch.settings.extrapolation)
    return np.where(gathered.bounded[:, 0], 0.0, weight)


def misses_top(batch: Batch, gathered: Gathered, least: Floats) -> NDArray[np.bool_]:
    """(K,): series whose most probable law, fitted without the largest point, is at least so far
    off there (relative errors (K,), from the leverage of the point)."""
    if not (batch.y > 0).all():
        return np.zeros(len(batch.y), dtype=np.bool_)
    top = int(batch.distance.argmin())
    codes = gathered.codes[:, 0]
    terms = values_at(codes, [t[:, top : top + 1] for t in batch.tables])[..., 0]
    used = terms * (gathered.coefficients[:, 0] != 0)
    variance = profiles(batch.distance, batch.settings.noise)[gathered.profile[:, 0], top]
    weighted = used / (batch.magnitude[:, top] * np.sqrt(batch.spread[:, top] * variance))[:, None]
    leverage = (np.einsum("kij,ki->kj", gathered.root[:, 0], weighted) ** 2).sum(axis=1)
    missed = batch.y[:, top] - (gathered.coefficients[:, 0] * terms).sum(axis=1)
    missed = missed / (1 - np.minimum(leverage, 1 - ARITHMETIC.leverage))
    result: NDArray[np.bool_] = np.abs(missed) > least * batch.y[:, top]
    return result


def _with_local(loss: Floats, value: Floats, line: Floats, weight: Floats) -> Floats:
    """The loss (K, A) of choosing each fit when local extrapolation (K, H) is one more expert."""
    if not weight.any():
        return loss
    line, weight = line[:, None], weight[:, None]
    error = (2 * np.abs(value - line) / (np.abs(value) + line)).mean(axis=2)
    result: Floats = (1 - weight) * loss + weight * error
    return result


def _line(batch: Batch, matrix: Floats) -> Floats:
    """(K, F): values on the line through the last points."""
    result: Floats = np.exp(
        np.clip(np.log(batch.y) @ matrix.T, -ARITHMETIC.exponent, ARITHMETIC.exponent)
    )
    return result


def _meet_forecasts(batch: Batch, found: Alternatives, weight: Floats, earned: Floats) -> None:
    """Refit the chosen laws with one more observation: the forecast of law and local extrapolation
    together for the next point of the design, the extrapolation with this weight (K,), of which so
    much was earned (K,). A law that would turn negative stays as it is."""
    settings = batch.settings
    size = found.codes.shape[2] - (found.coefficients[:, 0, ::-1] != 0).argmax(axis=1)
    for k in np.unique(size[weight > 0]).tolist():
        rows = np.flatnonzero((weight > 0) & (size == k))
        codes = found.codes[rows, 0, :k]
        law = np.einsum(
            "nk,nk->n", found.coefficients[rows, 0, :k], values_at(codes, batch.following)[..., 0]
        )
        rows, codes, law = rows[law > 0], codes[law > 0], law[law > 0]
        forecast = (
            law ** (1 - weight[rows])
            * _line(batch, batch.following_line[None])[rows, 0] ** weight[rows]
        )
        y = np.column_stack([batch.y[rows], forecast])
        variance = (
            batch.spread[rows]
            * profiles(batch.distance, batch.settings.noise)[found.profile[rows, 0]]
        )
        apart = np.arange(batch.y.shape[1]) < found.change[rows, 0][:, None]
        variance = np.where(apart, 1 / ARITHMETIC.column, variance)  # of a regime that is over
        usual, sharp = settings.extrapolation.forecast_variance, settings.extrapolation.earned
        forecast_variance = np.where(earned[rows] > 0, usual * sharp, usual)
        variance = np.column_stack([variance, forecast_variance])
        tables = [
            np.concatenate([t, f], axis=1)
            for t, f in zip(batch.tables, batch.following, strict=True)
        ]
        fits = fit_rows(
            columns_of(codes, tables),
            Observed.of(y, y, variance),
            settings.coefficients,
            steps=settings.selection.steps,
        )
        kept = (np.einsum("kn,kfn->nf", fits.coefficients, columns_of(codes, batch.far)) > 0).all(
            axis=1
        )
        found.coefficients[rows[kept], 0, :k] = fits.coefficients.T[kept]
        found.root[rows[kept], 0, :k, :k] = np.moveaxis(fits.root, -1, 0)[kept]


@dataclass(frozen=True)
class Gathered:
    """The most probable fits of K series, the best first, padded to the largest number of
    coefficients: codes (K, A, k, m), coefficients (K, A, k), root (K, A, k, k), beyond (K, A, F)
    values, lead (K, A, m) terms; log prior of the hypothesis, sigma, profile, log evidence (K, A),
    and whether it is that of bounded noise.

    A fit may hold from a point on only: change (K, A) is the number of that point, zero for a law
    of all points; below_codes (K, A, 2, m) and below_coefficients (K, A, 2) are the law below it.
    """

    codes: Codes
    coefficients: Floats
    root: Floats
    beyond: Floats
    lead: Codes
    prior: Floats
    sigma: Floats
    profile: Codes
    evidence: Floats
    bounded: NDArray[np.bool_]
    change: Codes
    below_codes: Codes
    below_coefficients: Floats

    def part(self, rows: Codes) -> Gathered:
        """Those of some of the series."""
        return Gathered(*(getattr(self, f.name)[rows] for f in fields(self)))


def gather(
    batch: Batch, candidate_fits: Sequence[CandidateFits], most: int | None = None
) -> Gathered:
    """The most probable fits, `most` of them. Without it more than are kept, so that fits under
    bounded noise find room, and most of the probability is held where no other series tell the
    noise."""
    if most is None:
        settings = batch.settings.selection
        alone = at(settings.gathered_alone, len(batch.tables) - 1)
        most = 2 * settings.kept if batch.levels.pooled else alone
    library = kernel()
    if library is not None:
        return _compiled_gather(library, batch, candidate_fits, most)
    log_weight = np.concatenate(
        [w.log_weight.reshape(len(batch.y), -1) for w in candidate_fits], axis=1
    )
    top = by_evidence(log_weight)[:, :most]
    return _gathered(batch, candidate_fits, top, np.take_along_axis(log_weight, top, axis=1))


def by_evidence(evidence: Floats) -> Codes:
    """Places (K, A) of log evidences (K, A), the greatest first; equal ones stay in order."""
    return np.argsort(-np.rint(evidence / ARITHMETIC.evidence), axis=1, kind="stable")


def _compiled_gather(
    library: CDLL, batch: Batch, candidate_fits: Sequence[CandidateFits], most: int
) -> Gathered:
    """The same by the kernel."""
    levels, points = batch.levels, batch.y.shape[1]
    groups = [
        choice.Fitted(
            **{f.name: getattr(w, f.name) for f in fields(w)},
            constants=level_constants(
                float(points - w.codes.shape[2]), levels.sigmas, levels.prior, batch.repetitions
            ),
        )
        for w in candidate_fits
    ]
    kept = min(most, sum(w.base[0].size for w in candidate_fits))
    found = choice.gathered(library, groups, batch.far, levels.sigmas, levels.profiles, kept)
    shape = found.evidence.shape
    return Gathered(
        **vars(found),
        bounded=np.zeros(shape, dtype=np.bool_),
        change=np.zeros(shape, dtype=np.int64),
        below_codes=np.zeros((*shape, BELOW, found.codes.shape[-1]), dtype=np.int64),
        below_coefficients=np.zeros((*shape, BELOW)),
    )


def _gathered(
    batch: Batch, candidate_fits: Sequence[CandidateFits], top: Codes, evidence: Floats
) -> Gathered:
    """The fits with these flat numbers and log evidence (K, A)."""
    most, parameters = (
        max(w.codes.shape[2] for w in candidate_fits),
        candidate_fits[0].codes.shape[-1],
    )
    shape, far = top.shape, batch.far[0].shape[1]
    found = Gathered(
        np.zeros((*shape, most, parameters), dtype=np.int64),
        np.zeros((*shape, most)),
        np.zeros((*shape, most, most)),
        np.zeros((*shape, far)),
        np.zeros((*shape, parameters), dtype=np.int64),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape, dtype=np.int64),
        evidence,
        np.zeros(shape, dtype=np.bool_),
        np.zeros(shape, dtype=np.int64),
        np.zeros((*shape, BELOW, parameters), dtype=np.int64),
        np.zeros((*shape, BELOW)),
    )
    start = 0
    for w in candidate_fits:
        count, (profiles, k) = w.base[0].size, w.coefficients.shape[2:]
        series, place = np.nonzero((top >= start) & (top < start + count))
        flat = top[series, place] - start
        number, profile = flat // profiles, flat % profiles
        codes, coefficients = w.codes[series, number], w.coefficients[series, number, profile]
        found.codes[series, place, :k] = codes
        found.coefficients[series, place, :k] = coefficients
        found.root[series, place, :k, :k] = w.root[series, number, profile]
        found.beyond[series, place] = w.beyond[series, number, profile]
        found.lead[series, place] = leading(batch, codes, coefficients)
        found.prior[series, place] = w.prior[series, number]
        found.profile[series, place] = batch.levels.profiles[profile]
        found.sigma[series, place] = _sigma(batch, w, series, number, profile, k)
        start += count
    return found


def leading(batch: Batch, codes: Codes, coefficients: Floats) -> Codes:
    """The terms (N, m) of hypotheses (N, k, m) that are greatest at the last point beyond; the
    constant is none of them."""
    last = np.abs(coefficients * values_at(codes, [f[:, -1:] for f in batch.far])[..., 0])
    greatest = np.where((codes > 0).any(axis=-1), last, -1.0).argmax(axis=1)
    result: Codes = codes[np.arange(len(codes)), greatest]
    return result


def _sigma(
    batch: Batch, w: CandidateFits, series: Codes, number: Codes, profile: Codes, k: int
) -> Floats:
    """Posterior mean of the logarithm of the noise level under each fit, as a level."""
    place = series, number, profile
    levels = _levels(batch, series, w.base[place], w.rss[place], k) + batch.levels.prior[:, profile]
    with np.errstate(invalid="ignore"):
        share = np.exp(levels - levels.max(axis=0))
    share = np.where(np.isfinite(share), share, 1.0)
    result: Floats = np.exp((np.log(batch.levels.sigmas) @ share) / share.sum(axis=0))
    return result
