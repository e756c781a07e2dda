"""Work in whole tiles: values that rise in steps, as an alternative to noise around a smooth law.

Blocks, pages, vectors and rounds of workers are filled or not: the cost of x is a + b ceil(x / t),
which no smooth law follows to better than half a step, and which looks like a law of another power
with much noise. Such laws are fitted for many t; what they say beyond the data is their middle, a +
b / 2 + (b / t) x, a line in the normal form.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ..data.measurements import Floats
from ..evidence.posterior import Fits, Observed, fit_rows, level_likelihood
from ..pmnf.dictionary import LINE, FactorTable
from ..pmnf.hypotheses import Codes
from ..settings import ARITHMETIC, UNIFORM, TileSettings
from .batch import Batch
from .gathered import BELOW, Gathered, by_evidence, merged, widened
from .regime_selection import blocks, padded

UNIFORM_VARIANCE = 0.5**2 / UNIFORM
"""Variance of what is uniform over a range of one."""


@dataclass(frozen=True)
class TileDesign:
    """What series with the same points share: sizes t (T,) of a tile that make a difference, each
    the middle of those with the same whole numbers ceil(x / t) (T, P), with the log probability and
    the standard deviation of log t (T,) of these; and the number of the factor x in its table, with
    its scale."""

    tiles: Floats
    counts: Floats
    prior: Floats
    spread: Floats
    factor: int
    scale: float

    @staticmethod
    def of(x: Floats, table: FactorTable, settings: TileSettings) -> TileDesign | None:
        """For values x (P,) of a parameter; None where the points are too few, x itself is not in
        the dictionary, or no tile makes a difference."""
        if len(x) < settings.fewest or x.min() <= 0 or LINE not in table.factors:
            return None
        tiles = x.max() / np.geomspace(settings.steps[0], settings.steps[1], settings.tried)
        counts = np.ceil(x / tiles[:, None] * (1 - settings.slack))
        found, label = np.unique(counts, axis=0, return_inverse=True)
        apart = np.array([len(np.unique(c)) for c in found])
        kept = (apart > 1) & (apart < len(x))
        if not kept.any():
            return None
        label, many = label.reshape(-1), np.bincount(label.reshape(-1)).astype(float)
        logs = np.log(tiles)
        middle = np.bincount(label, logs) / many
        variance = np.bincount(label, (logs - middle[label]) ** 2) / many
        variance += (logs[0] - logs[1]) ** 2 * UNIFORM_VARIANCE  # between those that are tried
        factor = table.factors.index(LINE)
        return TileDesign(
            np.exp(middle[kept]),
            found[kept],
            np.log(many[kept] / settings.tried),
            np.sqrt(variance[kept]),
            factor,
            float(table.scale[factor]),
        )


def with_whole_tiles(batch: Batch, gathered: Gathered, design: TileDesign) -> Gathered:
    """The most probable fits, those of whole tiles among them."""
    settings = batch.settings
    rows = _worth_a_look(batch, gathered)
    if not len(rows):
        return gathered
    gathered = widened(gathered, max(BELOW, gathered.codes.shape[2]))
    result = gathered.part(np.arange(len(gathered.evidence)))
    for some in blocks(rows, settings):
        joined = merged(gathered.part(some), _fits(batch.part(some), design, gathered))
        for f in fields(result):
            getattr(result, f.name)[some] = getattr(joined, f.name)
    return result


def tile_levels(batch: Batch, gathered: Gathered, design: TileDesign) -> Floats:
    """Log evidence (K, S) of noise levels under whole tiles, without their log odds."""
    result = np.full((len(batch.y), len(batch.levels.sigmas)), -np.inf)
    for some in blocks(_worth_a_look(batch, gathered), batch.settings):
        each = _line_fits(batch.part(some), design)[1]
        result[some] = np.logaddexp.reduce(each, axis=2).T - batch.levels.steps
    return result


def _worth_a_look(batch: Batch, gathered: Gathered) -> Codes:
    """Numbers of the series that may rise in steps: those with noise, where they share none, and
    all of them where others do."""
    settings, levels = batch.settings.tiles, batch.levels
    if not (batch.y > 0).all() or (levels.pooled and levels.steps <= settings.log_share):
        return np.zeros(0, dtype=np.int64)
    noisy = levels.pooled | (gathered.sigma[:, 0] > settings.least_noise)
    return np.flatnonzero(noisy & ~gathered.explained[:, 0])


def _line_fits(batch: Batch, design: TileDesign) -> tuple[Fits, Floats]:
    """Lines a + b ceil(x / t) through the points of each series, for each size t of a tile, and
    their log evidence (S, K, T) at each noise level."""
    settings = batch.settings
    series, points = batch.y.shape
    tiles = len(design.tiles)
    owner, number = np.repeat(np.arange(series), tiles), np.tile(np.arange(tiles), series)
    columns = np.stack([np.ones((points, len(owner))), design.counts[number].T])
    fits = fit_rows(
        columns,
        Observed.of(batch.y, batch.magnitude, batch.spread).take(owner),
        settings.coefficients,
        steps=settings.selection.steps,
    )
    likelihood = level_likelihood(
        fits.base, fits.rss, float(points - BELOW), batch.levels.sigmas
    ).reshape(-1, series, tiles)
    each = likelihood + batch.levels.steps + design.prior + batch.repetitions.T[..., None]
    rising = (fits.coefficients[1] > 0).reshape(series, tiles)
    return fits, np.where(rising, each, -np.inf)


def _fits(batch: Batch, design: TileDesign, like: Gathered) -> Gathered:
    """Lines through the middles of the steps, the most probable first."""
    settings = batch.settings
    fits, each = _line_fits(batch, design)
    each = each + np.logaddexp.reduce(batch.levels.prior, axis=1)[:, None, None]
    evidence = np.logaddexp.reduce(each, axis=0)
    each = np.where(np.isfinite(evidence), each, 0.0)
    posterior = np.exp(each - each.max(axis=0))
    posterior /= posterior.sum(axis=0)
    sigma = np.exp(np.einsum("skt,s->kt", posterior, np.log(batch.levels.sigmas)))
    first = by_evidence(evidence)[:, : settings.regimes.kept]
    return _as_lines(batch, design, like, fits, evidence, sigma, first)


def _with_steps(root: Floats, off: Floats) -> Floats:
    """Roots (K, A, 2, 2) of covariances of constant and slope, to which add, in units of the noise,
    what a step is off its middle and what sizes of a tile with the same steps differ by, (2, K,
    A)."""
    whole = root @ root.swapaxes(-1, -2)
    whole[..., 0, 0] += off[0] ** 2
    whole[..., 1, 1] += off[1] ** 2
    found = np.zeros(root.shape)
    found[..., 1, 1] = np.sqrt(whole[..., 1, 1])
    found[..., 0, 1] = whole[..., 0, 1] / np.maximum(found[..., 1, 1], ARITHMETIC.tiny)
    found[..., 0, 0] = np.sqrt(np.maximum(whole[..., 0, 0] - found[..., 0, 1] ** 2, 0.0))
    return found


def _as_lines(
    batch: Batch,
    design: TileDesign,
    like: Gathered,
    fits: Fits,
    evidence: Floats,
    sigma: Floats,
    first: Codes,
) -> Gathered:
    """The middles of the steps of some fits as laws in the normal form."""
    row = np.arange(len(first))[:, None]
    place = row * len(design.tiles) + first
    step = np.zeros((*first.shape, BELOW, BELOW))  # constant and slope, from a and b
    step[..., 0, 0], step[..., 0, 1] = 1.0, 0.5
    step[..., 1, 1] = design.scale / design.tiles[first]
    coefficients = np.einsum("kaij,jka->kai", step, fits.coefficients[:, place])
    root = np.einsum("kaij,jlka->kail", step, fits.root[:, :, place])
    off = np.stack([fits.coefficients[1, place] * UNIFORM_VARIANCE**0.5, coefficients[..., 1]])
    off[1] *= design.spread[first]
    root = _with_steps(root, off / sigma[row, first])
    codes = np.zeros((*first.shape, BELOW), dtype=np.int64)
    codes[..., 1] = design.factor
    beyond = np.einsum("kai,if->kaf", coefficients, batch.far[0][[0, design.factor]])
    own = evidence[row, first]
    impossible = (beyond < 0).any(axis=2) & batch.nonnegative[:, None]
    none = np.zeros((len(first), BELOW))
    found = padded(
        like,
        codes,
        coefficients,
        root,
        beyond,
        codes[..., 1],
        np.zeros(first.shape),
        sigma[row, first],
        np.where(impossible, -np.inf, own),
        0,
        none.astype(np.int64),
        none,
    )
    return replace(found, explained=np.ones(first.shape, dtype=np.bool_))
