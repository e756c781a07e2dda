"""Laws of several parameters that hold from a value of one of them on.

A library takes another algorithm from 128 processes on, a loop leaves a cache from some size on:
on a grid all points at the larger values of that parameter then lie on another law than the others.
One law throughout takes such a step for a steep power, x**3 or x**4, that the last values alone
show, and is far too high beyond them. As in `regime_selection`, with the points below a change
under a law g and the others under a law f,

    p(y | f, s) = p(change) / Q * p(f | g) p(y_above | f, s) * sum_g p(g) p(y_below | g, s)

for each of Q places, which here are all values of all parameters but the smallest ones. Both laws
are searched as those of all points are. The law above is likely to be the one below at another
cost, and a change at the largest value, which leaves no growth to see, nearly always is.

Most series have no change: products of powers, one on each side, must describe the points far
better than the best law does before more is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.posterior import Observed, fit_rows, level_likelihood, log_sum
from ..pmnf.hypotheses import Candidates, Codes, values_at
from ..settings import ARITHMETIC, Settings
from .batch import Batch
from .candidate_fits import CandidateFits, at_levels, fit_candidates, level_evidence
from .changes import Changes
from .gathered import BELOW, Gathered, by_evidence, leading, merged, widened
from .multi_parameter import SeveralDesign, several_candidates
from .regime_selection import blocks
from .single_parameter import Hypotheses, enumerate_hypotheses, single_candidates


@dataclass(frozen=True, eq=False)
class Side:
    """The points rows (P,) on one side of a change: how many values each parameter has there, the
    parameters that vary, the factors of all at the points, and what the search for laws of several
    needs, where several vary."""

    rows: NDArray[np.bool_]
    values: Sequence[int]
    free: Sequence[int]
    tables: Sequence[Floats]
    several: SeveralDesign | None

    @staticmethod
    def of(whole: SeveralDesign, rows: NDArray[np.bool_]) -> Side:
        """Some of the points of a design."""
        points = whole.points[rows]
        values = [len(np.unique(x)) for x in points.T]
        free = [k for k, count in enumerate(values) if count > 1]
        tables = [np.ascontiguousarray(t[:, rows]) for t in whole.columns]
        several = None
        if len(free) > 1:
            hypotheses = [whole.factors[k].hypotheses for k in free]
            several = SeveralDesign.of(points[:, free], [tables[k] for k in free], hypotheses)
        return Side(rows, values, free, tables, several)


@dataclass(frozen=True, eq=False)
class GridDesign:
    """What series with the same points share: what the search for laws of all of them needs, the
    places of a change, and the hypotheses with one parameter by parameter and number of values."""

    whole: SeveralDesign
    changes: Changes
    settings: Settings
    _hypotheses: dict[tuple[int, int], list[Hypotheses]] = field(default_factory=dict, repr=False)
    _sides: dict[int, tuple[Side, Side]] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(whole: SeveralDesign, changes: Changes, settings: Settings) -> GridDesign | None:
        """None where the points are too few to tell a change from a law."""
        found = GridDesign(whole, changes, settings)
        return found if found.places else None

    @cached_property
    def places(self) -> list[int]:
        """Numbers of the changes that leave enough points on both sides."""
        fewest = self.settings.regimes.fewest_on_grid
        below = self.changes.below.sum(axis=1)
        enough = np.minimum(below, len(self.whole.points) - below) >= fewest
        return np.flatnonzero(enough).tolist()

    def sides(self, place: int) -> tuple[Side, Side]:
        """The points below a change and above it."""
        found = self._sides.get(place)
        if found is None:
            below = self.changes.below[place]
            found = Side.of(self.whole, below), Side.of(self.whole, ~below)
            self._sides[place] = found
        return found

    def hypotheses(self, parameter: int, values: int) -> list[Hypotheses]:
        """Those of one parameter that has so many values."""
        key = parameter, values
        if key not in self._hypotheses:
            self._hypotheses[key] = enumerate_hypotheses(
                self.whole.tables[parameter], values, settings=self.settings
            )
        return self._hypotheses[key]


def with_grid_regimes(batch: Batch, gathered: Gathered, design: GridDesign) -> Gathered:
    """The most probable fits, those of a last regime among them, from those of one law."""
    looked_at = _worth_a_look(batch, gathered, design)
    if not looked_at.any():
        return gathered
    result = gathered
    for place, worth in zip(design.places, looked_at, strict=True):
        for some in blocks(np.flatnonzero(worth), batch.settings):
            result = _with(result, some, _from(batch.part(some), place, design))
    return result


def _with(gathered: Gathered, rows: Codes, more: Gathered) -> Gathered:
    """The most probable fits when those of some rows have further rivals."""
    size = max(gathered.codes.shape[2], more.codes.shape[2])
    below = max(gathered.below_codes.shape[2], more.below_codes.shape[2])
    gathered = widened(gathered, size, below)
    result = gathered.part(np.arange(len(gathered.evidence)))
    joined = merged(gathered.part(rows), widened(more, size, below))
    for f in fields(result):
        getattr(result, f.name)[rows] = getattr(joined, f.name)
    return result


def _worth_a_look(batch: Batch, gathered: Gathered, design: GridDesign) -> NDArray[np.bool_]:
    """(places, K): may two laws describe a series far better than one does? Not where others tell
    its noise, and that is all that is left."""
    rules, places = batch.settings.regimes, design.places
    result = np.zeros((len(places), len(batch.y)), dtype=np.bool_)
    if batch.levels.pooled or not (batch.y > 0).all():
        return result
    left = gathered.sigma[:, 0] ** 2 * batch.y.shape[1]
    noisy = (gathered.sigma[:, 0] > rules.least_noise) & ~gathered.explained[:, 0]
    logs, y = _logarithms(design.whole.points), np.log(batch.y)
    apart = _apart_from_line(batch, gathered) > rules.far_apart
    for row, place in zip(result, places, strict=True):
        below = design.changes.below[place]
        two = _scatter(logs[below], y[:, below]) + _scatter(logs[~below], y[:, ~below])
        row[:] = noisy & (apart | (two < rules.far_better * left))
    return result


def _apart_from_line(batch: Batch, gathered: Gathered) -> Floats:
    """(K,): how far the best law is from local extrapolation at the first of the points beyond, in
    logarithms."""
    if not batch.extrapolates:
        return np.zeros(len(batch.y))
    law = gathered.beyond[:, 0, -len(batch.local)]
    line = np.log(batch.y) @ batch.local[0]
    result: Floats = np.abs(np.log(np.maximum(law, ARITHMETIC.tiny)) - line)
    return result


def _logarithms(points: Floats) -> Floats:
    """(P, 1 + m): one, and the logarithm of each parameter that is positive."""
    positive = points[:, (points > 0).all(axis=0)]
    return np.column_stack([np.ones(len(points)), np.log(positive)])


def _scatter(logs: Floats, y: Floats) -> Floats:
    """(K,): squares that products of powers leave of logarithms y (K, P)."""
    basis = np.linalg.svd(logs, full_matrices=False)
    used = basis[0][:, basis[1] > ARITHMETIC.column * basis[1][0]]
    left: Floats = ((y - y @ used @ used.T) ** 2).sum(axis=1)
    return left


def _from(batch: Batch, place: int, design: GridDesign) -> Gathered:
    """The fits of a last regime that begins at a place, the most probable first."""
    rules, (below, above) = batch.settings.regimes, design.sides(place)
    under, over = _part(batch, below), _part(batch, above)
    silent = replace(under, repetitions=np.zeros_like(under.repetitions))
    fits = _fits(silent, design, below)
    evidence = level_evidence(silent, fits)[..., 0]  # (K, S)
    law = _Law.best(fits)
    share = batch.levels.changes - np.log(len(design.places))
    values = above.values[design.changes.parameter[place]]
    same = rules.same_at_one if values == 1 else rules.same
    levels = (evidence + share).T[:, :, None] + over.levels.prior[:, 0][:, None, None]
    found = [_scaled(over, law, levels + np.log(same))]
    own = np.log1p(-same)
    plain = [w for w in _fits(over, design, above) if w.codes.shape[2] <= BELOW]
    found += [_own(over, w, levels + own) for w in plain]
    profile = rules.few_profile if values <= rules.few_values else 0
    return _gathered(over, found, law, place, profile)


def _part(batch: Batch, side: Side) -> Batch:
    """Some of the points alone, with one noise throughout."""
    levels, rows = batch.levels, side.rows
    prior = np.logaddexp.reduce(levels.prior, axis=1)[:, None]
    return replace(
        batch,
        y=np.ascontiguousarray(batch.y[:, rows]),
        magnitude=np.ascontiguousarray(batch.magnitude[:, rows]),
        spread=np.ascontiguousarray(batch.spread[:, rows]),
        distance=batch.distance[rows],
        tables=side.tables,
        levels=replace(levels, profiles=np.zeros(1, dtype=np.int64), prior=prior),
        observed=batch.observed.points(rows),
    )


def _fits(batch: Batch, design: GridDesign, side: Side) -> list[CandidateFits]:
    """All laws of the parameters that vary on one side, fitted."""
    free, several = side.free, len(side.values)
    if not free:
        shape = len(batch.y), 1
        found = [Candidates(np.zeros((*shape, 1, several), dtype=np.int64), np.zeros(shape))]
        return fit_candidates(batch, found)
    common = batch.y, batch.magnitude, batch.spread
    if side.several is not None:
        levels, repetitions = batch.levels, batch.repetitions
        found = several_candidates(side.several, *common, [], levels, repetitions)
    else:
        found = single_candidates(
            design.hypotheses(free[0], side.values[free[0]]),
            batch.tables[free[0]],
            *common,
            batch.distance,
            batch.levels,
            batch.repetitions,
        )
    return fit_candidates(batch, [_of_all(c, free, several) for c in found])


def _of_all(candidates: Candidates, free: Sequence[int], several: int) -> Candidates:
    """Hypotheses of some of the parameters as those of all."""
    if len(free) == several:
        return candidates
    codes = np.zeros((*candidates.codes.shape[:-1], several), dtype=np.int64)
    codes[..., free] = candidates.codes
    return Candidates(codes, candidates.prior)


@dataclass(frozen=True)
class _Law:
    """One law of each series: codes (K, k, m), coefficients (K, k)."""

    codes: Codes
    coefficients: Floats

    @staticmethod
    def best(fits: Sequence[CandidateFits]) -> _Law:
        """The most probable one of all sizes, padded."""
        size = max(w.codes.shape[2] for w in fits)
        top = np.stack([w.log_weight[..., 0].max(axis=1) for w in fits])
        series, several = len(fits[0].codes), fits[0].codes.shape[-1]
        law = _Law(np.zeros((series, size, several), dtype=np.int64), np.zeros((series, size)))
        for number, w in enumerate(fits):
            rows = np.flatnonzero(top.argmax(axis=0) == number)
            best = w.log_weight[rows, :, 0].argmax(axis=1)
            law.codes[rows, : w.codes.shape[2]] = w.codes[rows, best]
            law.coefficients[rows, : w.codes.shape[2]] = w.coefficients[rows, best, 0]
        return law

    def values(self, tables: Sequence[Floats]) -> Floats:
        """(K, P)."""
        found: Floats = np.einsum("kc,kcp->kp", self.coefficients, values_at(self.codes, tables))
        return found


@dataclass(frozen=True)
class _Found:
    """Laws of the regime above: codes (K, n, k, m), coefficients (K, n, k), root (K, n, k, k),
    beyond (K, n, F), prior (K, n), and log evidence (S, K, n) with that of all below."""

    codes: Codes
    coefficients: Floats
    root: Floats
    beyond: Floats
    prior: Floats
    levels: Floats

    def padded(self, size: int) -> _Found:
        """With room for so many coefficients."""
        more = (0, size - self.codes.shape[2])
        none = (0, 0)
        return replace(
            self,
            codes=np.pad(self.codes, (none, none, more, none)),
            coefficients=np.pad(self.coefficients, (none, none, more)),
            root=np.pad(self.root, (none, none, more, more)),
        )

    @staticmethod
    def joined(parts: Sequence[_Found]) -> _Found:
        """All laws of parts of the same size."""
        axes = {f.name: 2 if f.name == "levels" else 1 for f in fields(_Found)}
        return _Found(
            **{n: np.concatenate([getattr(p, n) for p in parts], axis=a) for n, a in axes.items()}
        )


def _own(batch: Batch, w: CandidateFits, levels: Floats) -> _Found:
    """The laws of the points above, whatever is below."""
    series = np.arange(len(batch.y))[:, None]
    each = at_levels(batch, series, w.base[..., 0], w.rss[..., 0], w.codes.shape[2])
    return _Found(
        w.codes, w.coefficients[:, :, 0], w.root[:, :, 0], w.beyond[:, :, 0], w.prior, each + levels
    )


def _scaled(batch: Batch, law: _Law, levels: Floats) -> _Found:
    """The law below at another cost."""
    columns = np.ascontiguousarray(law.values(batch.tables).T)[None]
    usable = (columns[0] > 0).all(axis=0)
    settings = batch.settings
    fits = fit_rows(
        np.where(usable, columns, 1.0),
        Observed.of(batch.y, batch.magnitude, batch.spread),
        settings.coefficients,
        steps=settings.selection.steps,
    )
    each = (
        level_likelihood(fits.base, fits.rss, float(batch.y.shape[1] - 1), batch.levels.sigmas)
        + batch.repetitions.T
    )
    factor = fits.coefficients[0][:, None]
    coefficients = law.coefficients * factor
    root = np.zeros((*coefficients.shape, coefficients.shape[1]))
    root[..., 0] = law.coefficients * fits.root[0, 0][:, None]
    beyond = np.einsum("kc,kcf->kf", coefficients, values_at(law.codes, batch.far))
    impossible = ~usable | (factor[:, 0] < 1) | ((beyond < 0).any(axis=1) & batch.nonnegative)
    return _Found(
        law.codes[:, None],
        coefficients[:, None],
        root[:, None],
        beyond[:, None],
        np.zeros((len(factor), 1)),
        np.where(impossible, -np.inf, each)[..., None] + levels,
    )


def _gathered(
    batch: Batch, found: Sequence[_Found], law: _Law, place: int, profile: int
) -> Gathered:
    """The most probable ones of all, with the noise profile that their forecasts have."""
    every = np.concatenate([f.levels for f in found], axis=2)
    evidence = log_sum(every.copy())
    first = by_evidence(evidence)[:, : batch.settings.regimes.kept]
    row = np.arange(len(first))[:, None]
    own = evidence[row, first]
    possible = np.isfinite(own)
    share = np.where(possible, np.exp(every[:, row, first] - np.where(possible, own, 0.0)), 0.0)
    sigma = np.exp(np.einsum("ska,s->ka", share, np.log(batch.levels.sigmas)))

    size = max(f.codes.shape[2] for f in found)
    laws = _Found.joined([f.padded(size) for f in found])
    codes, coefficients = laws.codes[row, first], laws.coefficients[row, first]
    lead = leading(batch, codes.reshape(-1, *codes.shape[2:]), coefficients.reshape(-1, size))
    shape = own.shape
    return Gathered(
        codes,
        coefficients,
        laws.root[row, first],
        laws.beyond[row, first],
        lead.reshape(*shape, -1),
        laws.prior[row, first],
        sigma,
        np.full(shape, profile),
        own,
        np.zeros(shape, dtype=np.bool_),
        np.full(shape, place),
        np.broadcast_to(law.codes[:, None], (*shape, *law.codes.shape[1:])).copy(),
        np.broadcast_to(law.coefficients[:, None], (*shape, law.coefficients.shape[1])).copy(),
    )
