"""Model selection: the choice among the most probable fits.

The choice minimises the expected loss under all alternatives (Bayesian decision), so that a
compromise between rivals may win over the most probable one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.local_extrapolation import along_line, extrapolation_weight
from ..evidence.noise import profiles
from ..evidence.posterior import Observed, fit_rows
from ..kernel import choice
from ..pmnf.hypotheses import Codes, columns_of, values_at
from ..settings import ARITHMETIC, at
from .batch import Batch
from .gathered import Gathered, fitted_with, live

A = TypeVar("A", bound=np.generic)


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
    settings = batch.settings.selection
    trust = at(batch.settings.extrapolation.choice_weight, len(batch.tables) - 1)
    usual = trust * _line_weight(batch, gathered)
    line_weight, power = np.maximum(usual, earned), evidence_power(batch, gathered)
    line = np.zeros((len(power), settings.horizon))
    if line_weight.any():
        line = along_line(batch.y, batch.local.T)
    found = choice.chosen(
        gathered.evidence, power, gathered.beyond, gathered.lead, line, line_weight, settings
    )
    return found.order, found.share, found.lead_share, found.agreement


def _kept(
    gathered: Gathered, order: Codes, share: Floats, lead_share: Floats, agreement: Floats
) -> Alternatives:
    """The fits with these numbers (K, kept)."""

    def of(array: NDArray[A]) -> NDArray[A]:
        return choice.in_order(order, array)

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


def evidence_power(batch: Batch, gathered: Gathered) -> Floats:
    """Power of the evidence (K,). Large deviations that neither other series nor repetitions show
    are not noise but a law that is missing from the dictionary; neighbouring points then deviate
    alike, so that many of them count as a few independent ones."""
    settings = batch.settings.selection
    doubtful = (
        (gathered.sigma[:, 0] > settings.noise_limit)
        & ~gathered.explained[:, 0]
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
    return np.where(gathered.explained[:, 0], 0.0, weight)


def misses_top(batch: Batch, gathered: Gathered, least: Floats) -> NDArray[np.bool_]:
    """(K,): series whose most probable law, fitted without the largest point, is at least so far
    off there (relative errors (K,), from the leverage of the point), and by more than rounding
    where it was fitted with it."""
    if not (batch.y > 0).all():
        return np.zeros(len(batch.y), dtype=np.bool_)
    top = int(batch.distance.argmin())
    codes = gathered.codes[:, 0]
    terms = values_at(codes, [t[:, top : top + 1] for t in batch.tables])[..., 0]
    used = terms * live(batch.y, gathered.coefficients[:, :1], gathered.root[:, :1])[:, 0]
    variance = profiles(batch.distance, batch.settings.noise)[
        fitted_with(gathered.profile[:, 0], gathered.change[:, 0]), top
    ]
    weighted = used / (batch.magnitude[:, top] * np.sqrt(batch.spread[:, top] * variance))[:, None]
    leverage = (np.einsum("kij,ki->kj", gathered.root[:, 0], weighted) ** 2).sum(axis=1)
    missed = batch.y[:, top] - (gathered.coefficients[:, 0] * terms).sum(axis=1)
    off = missed / (1 - np.minimum(leverage, 1 - ARITHMETIC.leverage))
    apart = np.abs(missed) > ARITHMETIC.rounding * batch.y[:, top]
    result: NDArray[np.bool_] = apart & (np.abs(off) > least * batch.y[:, top])
    return result


def _meet_forecasts(batch: Batch, found: Alternatives, weight: Floats, earned: Floats) -> None:
    """Refit the chosen laws with one more observation: the forecast of law and local extrapolation
    together for the next point of the design, the extrapolation with this weight (K,), of which so
    much was earned (K,). A law that would turn negative stays as it is."""
    settings = batch.settings
    used = live(batch.y, found.coefficients[:, :1], found.root[:, :1])[:, 0]
    size = found.codes.shape[2] - used[:, ::-1].argmax(axis=1)
    for k in np.unique(size[weight > 0]).tolist():
        rows = np.flatnonzero((weight > 0) & (size == k))
        codes = found.codes[rows, 0, :k]
        law = np.einsum(
            "nk,nk->n", found.coefficients[rows, 0, :k], values_at(codes, batch.following)[..., 0]
        )
        rows, codes, law = rows[law > 0], codes[law > 0], law[law > 0]
        forecast = (
            law ** (1 - weight[rows])
            * along_line(batch.y, batch.following_line[None].T)[rows, 0] ** weight[rows]
        )
        y = np.column_stack([batch.y[rows], forecast])
        variance = (
            batch.spread[rows]
            * profiles(batch.distance, batch.settings.noise)[
                fitted_with(found.profile[rows, 0], found.change[rows, 0])
            ]
        )
        apart = batch.changes.below(found.change[rows, 0])
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
        found.coefficients[rows[kept], 0], found.root[rows[kept], 0] = 0.0, 0.0
        found.coefficients[rows[kept], 0, :k] = fits.coefficients.T[kept]
        found.root[rows[kept], 0, :k, :k] = np.moveaxis(fits.root, -1, 0)[kept]
