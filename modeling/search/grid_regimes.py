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

from collections import Counter
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
    parameters that vary, and what the search for laws of several needs, where several vary."""

    rows: NDArray[np.bool_]
    values: Sequence[int]
    free: tuple[int, ...]
    several: SeveralDesign | None

    @staticmethod
    def of(points: Floats, rows: NDArray[np.bool_], whole: SeveralDesign) -> Side:
        """Some of the points (P, m) of a design."""
        values = [len(np.unique(x)) for x in points[rows].T]
        free = tuple(k for k, count in enumerate(values) if count > 1)
        several = None
        if len(free) > 1:
            columns = [whole.columns[k] for k in free]
            hypotheses = [whole.factors[k].hypotheses for k in free]
            several = SeveralDesign.of(points[:, free], rows, columns, hypotheses)
        return Side(rows, values, free, several)


@dataclass(frozen=True, eq=False)
class GridDesign:
    """What series with the same points (P, m) share: what the search for laws of all of them needs,
    the places of a change, and the hypotheses with one parameter by parameter and number of
    values."""

    points: Floats
    whole: SeveralDesign
    changes: Changes
    settings: Settings
    _hypotheses: dict[tuple[int, int], list[Hypotheses]] = field(default_factory=dict, repr=False)
    _sides: dict[int, tuple[Side, Side]] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(
        points: Floats, whole: SeveralDesign, changes: Changes, settings: Settings
    ) -> GridDesign | None:
        """None where the points are too few to tell a change from a law."""
        found = GridDesign(points, whole, changes, settings)
        return found if len(found.places) else None

    @cached_property
    def places(self) -> Codes:
        """Numbers of the changes that leave enough points on both sides, or of as many of them as
        are tried, at even ranks."""
        rules = self.settings.regimes
        below = self.changes.number_below()
        fewest = np.minimum(below, len(self.points) - below)
        found = np.flatnonzero(fewest >= rules.fewest_on_grid)
        few = min(len(found), rules.most_on_grid)
        return found[np.linspace(0, len(found) - 1, few).round().astype(np.int64)]

    def sides(self, place: int) -> tuple[Side, Side]:
        """The points below a change and above it."""
        found = self._sides.get(place)
        if found is None:
            [below] = self.changes.below(np.array([place]))
            found = (
                Side.of(self.points, below, self.whole),
                Side.of(self.points, ~below, self.whole),
            )
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
    place, series = np.nonzero(_worth_a_look(batch, gathered, design))
    result = gathered
    for some in blocks(np.arange(len(place)), batch.settings):
        places = design.places[place[some]]
        found = _from(batch.part(series[some]), places, design)
        result = _with(result, series[some], places, found)
    return result


def _with(gathered: Gathered, series: Codes, place: Codes, more: Gathered) -> Gathered:
    """The most probable fits when some series (N,) have rivals that begin at a place (N,)."""
    rows, row = np.unique(series, return_inverse=True)
    places, column = np.unique(place, return_inverse=True)
    shape = len(rows), len(places)
    rivals = {}
    for f in fields(more):
        own = getattr(more, f.name)
        every = np.zeros((*shape, *own.shape[1:]), dtype=own.dtype)
        if f.name == "evidence":
            every[:] = -np.inf
        every[row, column] = own
        rivals[f.name] = every.reshape(shape[0], -1, *own.shape[2:])
    size = max(gathered.codes.shape[2], more.codes.shape[2])
    below = max(gathered.below_codes.shape[2], more.below_codes.shape[2])
    gathered = widened(gathered, size, below)
    result = gathered.part(np.arange(len(gathered.evidence)))
    joined = merged(gathered.part(rows), widened(Gathered(**rivals), size, below))
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
    logs, y = _logarithms(design.points), np.log(batch.y)
    apart = _apart_from_line(batch, gathered) > rules.far_apart
    for row, place in zip(result, places, strict=True):
        [below] = design.changes.below(place[None])
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


def _from(batch: Batch, places: Codes, design: GridDesign) -> Gathered:
    """The fits of a last regime that begins at a place (K,), the most probable first."""
    rules, series = batch.settings.regimes, len(batch.y)
    numbers, which = np.unique(places, return_inverse=True)
    below, above = zip(*map(design.sides, numbers.tolist()), strict=True)
    sides, which = [*below, *above], np.concatenate([which, which + len(numbers)])
    both = _on_sides(batch, np.stack([s.rows for s in sides])[which])
    fits = fit_candidates(both, _candidates(both, design, sides, which))
    first, last = slice(0, series), slice(series, None)
    under, over = both.part(first), both.part(last)
    fits_under = [w.part(first) for w in fits]
    evidence = level_evidence(under, fits_under)[..., 0]  # (K, S)
    law = _Law.best(fits_under)
    share = batch.levels.changes - np.log(len(design.places))
    parameter = design.changes.parameter[places]
    values = np.array([s.values for s in above])[which[first], parameter]
    same = np.where(values == 1, rules.same_at_one, rules.same)[:, None]
    levels = (evidence + share).T[:, :, None] + over.levels.prior[:, 0][:, None, None]
    found = [_scaled(over, law, levels + np.log(same))]
    plain = [w.part(last) for w in fits if w.codes.shape[2] <= BELOW]
    found += [_own(over, w, levels + np.log1p(-same)) for w in plain]
    profile = np.where(values <= rules.few_values, rules.few_profile, 0)
    return _gathered(over, found, law, places, profile)


def _on_sides(batch: Batch, rows: NDArray[np.bool_]) -> Batch:
    """Each series twice, with those points alone (2 K, P) and one noise throughout. Repetitions
    tell of the noise once, with the points above the change."""
    twice, levels = np.tile(np.arange(len(batch.y)), 2), batch.levels
    prior = np.logaddexp.reduce(levels.prior, axis=1)[:, None]
    both = batch.part(twice)
    repetitions = both.repetitions.copy()
    repetitions[: len(batch.y)] = 0.0
    return replace(
        both,
        spread=np.where(rows, both.spread, np.inf),
        levels=replace(levels, profiles=np.zeros(1, dtype=np.int64), prior=prior),
        repetitions=repetitions,
    )


def _candidates(
    batch: Batch, design: GridDesign, sides: Sequence[Side], which: Codes
) -> list[Candidates]:
    """All laws of the parameters that vary on the sides, whose numbers are `which` (K,)."""
    alike: dict[tuple[tuple[int, ...], int | None], list[int]] = {}
    for number, side in enumerate(sides):
        # laws of one parameter are ranked for the points of each side
        alike.setdefault((side.free, None if side.several else number), []).append(number)
    found = []
    for numbers in alike.values():
        rows = np.flatnonzero(np.isin(which, numbers))
        some = [sides[k] for k in numbers]
        own = _of_sides(batch.part(rows), design, some, np.searchsorted(numbers, which[rows]))
        found.append((rows, [_of_all(c, some[0].free, len(batch.tables)) for c in own]))
    return found[0][1] if len(found) == 1 else _joined(found, len(which))


def _of_sides(
    batch: Batch, design: GridDesign, sides: Sequence[Side], which: Codes
) -> list[Candidates]:
    """The same of sides on which the same parameters vary, in these alone."""
    free, levels, repetitions = sides[0].free, batch.levels, batch.repetitions
    if not free:
        shape = len(batch.y), 1
        return [Candidates(np.zeros((*shape, 1, 0), dtype=np.int64), np.zeros(shape))]
    several = [side.several for side in sides if side.several is not None]
    if several:
        common = batch.y, batch.magnitude, batch.spread
        return several_candidates(several, which, *common, [], levels, repetitions)
    rows = sides[0].rows
    every = batch.tables[free[0]], batch.y, batch.magnitude, batch.spread
    columns, y, magnitude, spread = (np.ascontiguousarray(a[:, rows]) for a in every)
    return single_candidates(
        design.hypotheses(free[0], sides[0].values[free[0]]),
        columns,
        y,
        magnitude,
        spread,
        batch.distance[rows],
        levels,
        repetitions,
    )


def _joined(parts: Sequence[tuple[Codes, list[Candidates]]], series: int) -> list[Candidates]:
    """Candidates of all series from those of some with these numbers, the n-th ones of each size
    together."""
    found: dict[tuple[int, int], list[tuple[Codes, Candidates]]] = {}
    for rows, candidates in parts:
        sizes: Counter[int] = Counter()
        for c in candidates:
            found.setdefault((sizes[c.size], c.size), []).append((rows, c))
            sizes[c.size] += 1
    result = []
    for key in sorted(found):
        number = max(c.prior.shape[1] for _, c in found[key])
        codes = np.zeros((series, number, *found[key][0][1].codes.shape[2:]), dtype=np.int64)
        every = Candidates(codes, np.full((series, number), -np.inf))
        for rows, c in found[key]:
            every.codes[rows, : c.prior.shape[1]] = c.codes
            every.prior[rows, : c.prior.shape[1]] = c.prior
        result.append(every)
    return result


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
        """The most probable one of all sizes, padded; of those that are equal but for rounding the
        first one."""
        size = max(w.codes.shape[2] for w in fits)
        weights = [np.rint(w.log_weight[..., 0] / ARITHMETIC.evidence) for w in fits]
        top = np.stack([w.max(axis=1) for w in weights])
        series, several = len(fits[0].codes), fits[0].codes.shape[-1]
        law = _Law(np.zeros((series, size, several), dtype=np.int64), np.zeros((series, size)))
        for number, w in enumerate(fits):
            rows = np.flatnonzero(top.argmax(axis=0) == number)
            best = weights[number][rows].argmax(axis=1)
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
    values = np.where(np.isfinite(batch.spread), law.values(batch.tables), 1.0)
    columns = np.ascontiguousarray(values.T)[None]
    usable = (values > 0).all(axis=1)
    settings = batch.settings
    fits = fit_rows(
        np.where(usable, columns, 1.0),
        Observed.of(batch.y, batch.magnitude, batch.spread),
        settings.coefficients,
        steps=settings.selection.steps,
    )
    each = (
        level_likelihood(fits.base, fits.rss, batch.points - 1, batch.levels.sigmas)
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
    batch: Batch, found: Sequence[_Found], law: _Law, places: Codes, profile: Codes
) -> Gathered:
    """The most probable ones of all, with the noise profiles (K,) that their forecasts have."""
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
        np.broadcast_to(profile[:, None], shape).copy(),
        own,
        np.zeros(shape, dtype=np.bool_),
        np.broadcast_to(places[:, None], shape).copy(),
        np.broadcast_to(law.codes[:, None], (*shape, *law.codes.shape[1:])).copy(),
        np.broadcast_to(law.coefficients[:, None], (*shape, law.coefficients.shape[1])).copy(),
    )
