"""What series with the same points have in common: factor tables, hypotheses, points beyond the
data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from ..data.measurements import Floats, Measurements, Stack
from ..data.units import measures_rate
from ..evidence.disturbances import Cleaned, cleaned
from ..evidence.local_extrapolation import NO_EXTRAPOLATION, extrapolates, local_line
from ..evidence.noise import Evidence, Levels, repetition_evidence
from ..evidence.noise_shape import Repetitions
from ..evidence.resolution import rounding_noise
from ..pmnf.curve import CurveLaw
from ..pmnf.dictionary import Factor, FactorTable, TermTable
from ..pmnf.hypotheses import Candidates, Codes
from ..pmnf.terms import NO_PRIOR, Prior, Standing, Term, growth_in
from ..search.batch import Batch
from ..search.candidate_fits import fit_candidates, level_evidence
from ..search.changes import Changes
from ..search.curves import curve_laws
from ..search.fixed_exponents import (
    fixed_candidates,
    leading,
    mixed,
    near_candidates,
    neighbours,
    testable,
)
from ..search.gathered import Gathered, gather
from ..search.grid_regimes import GridDesign, with_grid_regimes
from ..search.line_factors import LineHypotheses
from ..search.multi_parameter import SeveralDesign, several_candidates
from ..search.regime_selection import RegimeDesign, regime_levels, with_regimes
from ..search.single_parameter import Hypotheses, enumerate_hypotheses, single_candidates
from ..search.static_lower_bound import above_bound
from ..search.traits import Traits
from ..search.whole_tiles import TileDesign, tile_levels, with_whole_tiles
from ..settings import DEFAULT, DESIGNS_KEPT, RESOLUTION, BatchSettings, Settings


@dataclass(frozen=True)
class Group:
    """K series with the same points and the same prior, their disturbances taken out, and their
    places among all; `free` parameters (columns of points) vary and may occur."""

    cleaned: Cleaned
    places: Codes
    prior: Prior
    free: tuple[int, ...]

    @property
    def series(self) -> Stack:
        """The series."""
        return self.cleaned.series

    def repetitions(self, rows: Codes) -> Repetitions:
        """The repetitions of some of the series, from which the shape of noise is inferred."""
        of = self.series
        return Repetitions(
            of.counts[rows], of.means[rows], of.squares[rows], of.lows[rows], of.highs[rows]
        )


def groups_of(
    measurements: Measurements,
    priors: Mapping[tuple[str, str], Prior],
    settings: Settings = DEFAULT,
) -> Iterator[Group]:
    """Series with the same points and the same prior together."""
    alike: dict[tuple[tuple[str, ...], bytes, int], list[int]] = defaultdict(list)
    numbers, first = {NO_PRIOR: 0}, [NO_PRIOR]  # the hash of a prior is that of all its terms
    number = 0
    for k, s in enumerate(measurements.series):
        if priors:
            prior = priors.get((s.callpath, s.metric), NO_PRIOR)
            number = numbers.setdefault(prior, len(first))
            if number == len(first):
                first.append(prior)
        alike[s.parameters, s.points.tobytes(), number].append(k)
    for (_, _, number), places in alike.items():
        yield from split(
            Stack.of([measurements.series[k] for k in places]),
            np.array(places),
            first[number],
            settings,
        )


def split(
    series: Stack, places: Codes, prior: Prior, settings: Settings = DEFAULT
) -> Iterator[Group]:
    """Series with the same points and the same prior: those that measured something, and those that
    are zero everywhere, which have no scale to measure growth by.

    Raises:
        DataError: more parameters vary than the fitter can handle.
    """
    free = free_parameters(series.parameters, series.points, prior)
    if fault := too_many(len(free), settings.batch):
        raise DataError(f"{series.callpaths[0]}, {series.metrics[0]}: {fault}")
    happens = series.means.any(axis=1)
    found = cleaned(series, settings.disturbances)
    for rows, varying in ((np.flatnonzero(happens), free), (np.flatnonzero(~happens), ())):
        if len(rows) == len(series):
            yield Group(found, places, prior, varying)
        elif len(rows):
            yield Group(found.take(rows), places[rows], prior, varying)


def free_parameters(names: Sequence[str], points: Floats, prior: Prior) -> tuple[int, ...]:
    """The numbers of the parameters (columns of points) that vary and may occur."""
    return tuple(
        k
        for k, name in enumerate(names)
        if np.ptp(points[:, k]) > 0 and (prior.parameters is None or name in prior.parameters)
    )


def too_many(free: int, settings: BatchSettings = DEFAULT.batch) -> str | None:
    """Why so many varying parameters cannot be modelled; None where they can."""
    most = settings.most_parameters
    if free <= most:
        return None
    return (
        f"{free} parameters vary, and {most} can be told apart; leave out those that do not matter"
    )


def below_top(points: Floats) -> NDArray[np.bool_]:
    """(P,): points that are the largest in none of the parameters that vary."""
    result: NDArray[np.bool_] = ~(
        (points == points.max(axis=0)) & (np.ptp(points, axis=0) > 0)
    ).any(axis=1)
    return result


def alike(group: Group) -> list[Codes]:
    """Rows of series of one metric and of positive values, or not: those are modelled with absolute
    residuals."""
    positive = np.all(group.series.means > 0, axis=1)
    names = list(dict.fromkeys(group.series.metrics))
    number = dict(zip(names, range(len(names)), strict=True))
    kind = (
        2 * np.array([number[m] for m in group.series.metrics]) + positive
        if len(names) > 1
        else positive * 1
    )
    _, first = np.unique(kind, return_index=True)
    return [np.flatnonzero(kind == kind[k]) for k in np.sort(first)]


class Space:
    """What all series at the same points share under the same prior: factor tables, their columns,
    hypotheses, distances from the largest point."""

    def __init__(
        self, names: Sequence[str], points: Floats, prior: Prior, settings: Settings
    ) -> None:
        self.prior, self.points, self.settings = prior, points, settings
        self.tables = [
            FactorTable.of(
                self.points[:, k],
                _known_factors(prior.terms, name),
                growth_in(prior.upper, name) if prior.upper else None,
                settings.dictionary,
            )
            for k, name in enumerate(names)
        ]
        self.terms = TermTable(tuple(names), tuple(self.tables))
        self.columns = [t.columns(self.points[:, k]) for k, t in enumerate(self.tables)]
        self.far = [
            _far_columns(t, self.points, k, settings.batch) for k, t in enumerate(self.tables)
        ]
        self.known = [
            c for c in (_code(t, names, self.tables) for t in prior.terms) if c is not None
        ]
        self.fixed = self._fixed(names) if prior.fixed else None
        self.testable = testable(points, settings)
        self.distance = _distance(self.points)
        self.changes = Changes.of(self.points)
        top = self.points.max(axis=0) if len(names) else np.ones(0)
        beyond = np.stack([top * f for f in settings.batch.far])
        self.extrapolates = extrapolates(self.points)
        self.local = local_line(self.points, beyond, settings.extrapolation)
        after = top * np.array([_step(x, settings.batch.far[0]) for x in self.points.T])
        self.following = [t.columns(after[k : k + 1]) for k, t in enumerate(self.tables)] or [
            np.ones((1, 1))
        ]
        self.following_line = local_line(self.points, after[None], settings.extrapolation)[0]

    @cached_property
    def hypotheses(self) -> list[Hypotheses]:
        """All hypotheses, by size; none with several parameters, whose products are searched."""
        if len(self.tables) != 1:
            return []
        known = frozenset(int(c[0]) for c in self.known)
        return enumerate_hypotheses(self.tables[0], len(self.points), known, self.settings)

    @cached_property
    def traits(self) -> Traits | None:
        """The kinds of laws; none with several parameters, or where terms are known."""
        if len(self.tables) != 1 or self.prior.terms:
            return None
        return Traits.of(self.tables[0], self.hypotheses)

    @cached_property
    def near(self) -> list[list[Codes]]:
        """The neighbours of a law that is fixed (see `fixed_exponents`); none without one."""
        if not self.fixed:
            return []
        return neighbours(self.fixed[0], self.tables, self.settings.hypotheses)

    @cached_property
    def regimes(self) -> RegimeDesign | None:
        """Laws that hold from a size on; none with several parameters, or where the exponents are
        known."""
        if len(self.tables) != 1 or self.fixed:
            return None
        lower = growth_in(self.prior.lower, self.terms.names[0])
        return RegimeDesign.of(
            self.points[:, 0], self.tables[0], self.hypotheses, lower, self.settings
        )

    @cached_property
    def several(self) -> SeveralDesign:
        """What the search for laws of several parameters needs of the points."""
        hypotheses = [LineHypotheses(t, self.settings) for t in self.tables]
        every = np.ones(len(self.points), dtype=np.bool_)
        return SeveralDesign.of(self.points, every, self.columns, hypotheses)

    @cached_property
    def grid(self) -> GridDesign | None:
        """Changes of a law of several parameters; none where its exponents or bounds are known."""
        if len(self.tables) < 2 or self.prior.terms or self.prior.lower or self.prior.upper:
            return None
        return GridDesign.of(self.points, self.several, self.changes, self.settings)

    @cached_property
    def tiles(self) -> TileDesign | None:
        """Laws of whole tiles; none with several parameters, or where the exponents are known."""
        if len(self.tables) != 1 or self.fixed or self.prior.lower:
            return None
        return TileDesign.of(self.points[:, 0], self.tables[0], self.settings.tiles)

    def _fixed(self, names: Sequence[str]) -> tuple[list[Codes], list[bool]] | None:
        """Factor numbers of the terms of the known law, of what varies in them, and which of them
        lead; None where one is not defined at the points or none varies."""
        moving = list(
            dict.fromkeys(
                Term(tuple(f for f in t.factors if f[0] in names)) for t in self.prior.terms
            )
        )
        moving = [t for t in moving if t.factors]
        codes = [c for c in (_code(t, names, self.tables) for t in moving) if c is not None]
        return (codes, leading(moving)) if moving and len(codes) == len(moving) else None


@lru_cache(maxsize=DESIGNS_KEPT)
def _space(
    names: tuple[str, ...], points: bytes, count: int, prior: Prior, settings: Settings
) -> Space:
    """The space of points given by the bytes of their values; measurements often come one by one at
    the same points."""
    return Space(names, np.frombuffer(points).reshape(count, len(names)), prior, settings)


class Design:
    """The design of an experiment with the series of a group."""

    def __init__(self, group: Group, settings: Settings = DEFAULT) -> None:
        self.group, self.settings = group, settings
        points = group.series.points[:, list(group.free)]
        names = tuple(group.series.parameters[k] for k in group.free)
        self.space = space = _space(names, points.tobytes(), len(points), group.prior, settings)
        self.points, self.tables, self.terms = space.points, space.tables, space.terms
        self.columns, self.far, self.distance = space.columns, space.far, space.distance

    def batch(
        self, rows: Codes, levels: Levels, extrapolation_weight: float, *, rounded: bool = True
    ) -> Batch:
        """Some of the series; `rounded`: no noise is believed that is less than the rounding of
        their values."""
        y, counts = self.group.series.means[rows], self.group.series.counts[rows]
        magnitude = np.abs(y)
        if not (y > 0).all():
            usual = magnitude.mean(axis=1, keepdims=True) * self.settings.batch.usual_share
            magnitude = np.maximum(magnitude, np.where(usual > 0, usual, 1.0))
        spread = counts.mean(axis=1, keepdims=True) / counts
        freedom = (counts - 1).sum(axis=1)
        squares = (self.group.series.squares[rows] / magnitude**2).sum(axis=1)
        tables, far = (
            (self.columns, self.far)
            if self.columns
            else ([np.ones((1, y.shape[1]))], [np.ones((1, len(self.settings.batch.far)))])
        )
        return Batch(
            y,
            magnitude,
            spread,
            self.distance,
            tables,
            far,
            np.asarray((y >= 0).all(axis=1)),
            levels,
            repetition_evidence(squares, freedom, counts.mean(axis=1), levels)
            - (self._below_rounding(rows, levels) if rounded else 0.0),
            self.space.local,
            self.space.extrapolates,
            extrapolation_weight if self.space.extrapolates else NO_EXTRAPOLATION,
            self.space.following,
            self.space.following_line,
            self.group.repetitions(rows),
            self.space.changes,
        )

    def _below_rounding(self, rows: Codes, levels: Levels) -> Floats:
        """(K, S): what is taken off the log likelihood of noise that is less than the rounding of
        the values."""
        of = self.group.series
        known = (np.where(np.isnan(a[rows]), of.means[rows], a[rows]) for a in (of.lows, of.highs))
        least = rounding_noise(np.concatenate(list(known), axis=1), of.are_times[rows])
        return np.where(levels.sigmas < least[:, None], RESOLUTION.excluded, 0.0)

    def candidates(self, batch: Batch) -> list[Candidates]:
        """Hypotheses worth an exact fit, those below the static lower bound made improbable."""
        names = [self.group.series.parameters[k] for k in self.group.free]
        found = above_bound(
            self._candidates(batch),
            self.tables,
            [growth_in(self.group.prior.lower, n) for n in names],
            self.settings.hypotheses,
        )
        learned, traits = batch.levels.traits, self.space.traits
        return found if learned is None or traits is None else traits.believed(found, learned)

    def with_known(self, gathered: Gathered) -> Gathered:
        """The most probable fits; what is left by a law that was given is noise, and no law that is
        missing."""
        if not self.space.fixed or not self.space.testable:
            return gathered
        known = np.stack([np.zeros_like(self.space.fixed[0][0]), *self.space.fixed[0]])
        given = (gathered.codes[..., None, :] == known).all(axis=-1).any(axis=-1)
        own = (given | (gathered.coefficients == 0)).all(axis=-1)
        return replace(gathered, explained=gathered.explained | own)

    def with_regimes(self, batch: Batch, gathered: Gathered) -> Gathered:
        """The most probable fits, laws that hold from a size on and whole tiles among them."""
        regimes, grid = self.space.regimes, self.space.grid
        if grid is not None:
            return with_grid_regimes(batch, gathered, grid)
        if regimes is None:
            return gathered
        found = with_regimes(batch, gathered, regimes)
        tiles = self.space.tiles
        return with_whole_tiles(batch, found, tiles) if tiles else found

    def curves(self, batch: Batch, gathered: Gathered, rows: Codes) -> dict[int, CurveLaw]:
        """The curves that series with these numbers follow rather than any of these laws; none with
        several parameters, or where the law is known or bounded."""
        prior, free, series = self.space.prior, self.group.free, self.group.series
        bounded = prior.fixed or prior.upper or prior.terms
        if len(free) != 1 or bounded:
            return {}
        name, x = series.parameters[free[0]], self.points[:, 0]
        units = series.units or [""] * len(series)
        rates = np.array([measures_rate(series.metrics[k], units[k]) for k in rows.tolist()])
        return curve_laws(batch, gathered, name, x, (rates, series.are_times[rows]))

    def level_evidence(self, batch: Batch) -> Evidence:
        """What some series say of noise levels, and of the kinds of their laws."""
        fits, traits = fit_candidates(batch, self.candidates(batch)), self.space.traits
        each = traits.evidence(batch, fits) if traits else level_evidence(batch, fits)[None]
        usual = np.exp(traits.log_prior) if traits else None
        others = np.full((2, *each.shape[1:-1]), -np.inf)
        if self.space.regimes:
            best = gather(batch, fits, 1)
            others[0] = regime_levels(batch, best, self.space.regimes)
            if self.space.tiles:
                others[1] = tile_levels(batch, best, self.space.tiles)
        return Evidence(each, usual, others)

    def _candidates(self, batch: Batch) -> list[Candidates]:
        known = self.known_candidates(batch)
        if not known:
            return self.free_candidates(batch)
        if not self.space.testable or not (batch.y > 0).all():
            return known
        standing = self.space.prior.standing
        near = [] if standing is Standing.BELIEVED else self.near_candidates(batch)
        return mixed(known, near, self.free_candidates(batch), standing, self.settings.hypotheses)

    def known_candidates(self, batch: Batch) -> list[Candidates]:
        """Hypotheses made of the terms of a law that was given as fixed; none without one."""
        if not self.space.fixed:
            return []
        size = len(self.points), len(batch.y)
        return fixed_candidates(*self.space.fixed, *size, self.settings.hypotheses)

    def near_candidates(self, batch: Batch) -> list[Candidates]:
        """Hypotheses of the laws that differ in one place from one that was given as fixed."""
        size = len(self.points), len(batch.y)
        return near_candidates(self.space.near, self.tables, *size, self.settings.hypotheses)

    def free_candidates(self, batch: Batch) -> list[Candidates]:
        """Hypotheses of any law of the parameters that may occur."""
        if not self.tables:
            return [
                Candidates(
                    np.zeros((len(batch.y), 1, 1, 1), dtype=np.int64), np.zeros((len(batch.y), 1))
                )
            ]
        if len(self.tables) == 1:
            return single_candidates(
                self.space.hypotheses,
                self.columns[0],
                batch.y,
                batch.magnitude,
                batch.spread,
                batch.distance,
                batch.levels,
                batch.repetitions,
            )
        return several_candidates(
            [self.space.several],
            np.zeros(len(batch.y), dtype=np.int64),
            batch.y,
            batch.magnitude,
            batch.spread,
            self.space.known,
            batch.levels,
            batch.repetitions,
        )


def _step(x: Floats, usual: float) -> float:
    """The median ratio of neighbouring values of a parameter; the usual one where there is none."""
    values = np.unique(x[x > 0])
    return float(np.exp(np.median(np.diff(np.log(values))))) if len(values) > 1 else usual


def _known_factors(terms: Sequence[Term], name: str) -> tuple[Factor, ...]:
    return tuple((i, j) for t in terms for n, i, j in t.factors if n == name)


def _code(term: Term, names: Sequence[str], tables: Sequence[FactorTable]) -> np.ndarray | None:
    """Factor numbers of a term; None where a factor is not defined at the points."""
    code = np.zeros(len(names), dtype=np.int64)
    for name, i, j in term.factors:
        if name not in names or (i, j) not in tables[names.index(name)].factors:
            return None
        code[names.index(name)] = tables[names.index(name)].factors.index((i, j))
    return code if code.any() else None


def _far_columns(table: FactorTable, points: Floats, k: int, settings: BatchSettings) -> Floats:
    """(T, F) values of factors beyond the data: far out, at twice and four times all largest
    values, and where only one parameter grows; the last one is four times all."""
    top, count = points[:, k].max(), points.shape[1]
    rows = [top * f for f in settings.farther]
    if count > 1:
        rows += [top * settings.far[-1] if other == k else top for other in range(count)]
        rows += [
            top * settings.far[-1] if other == k else points[:, k].min() for other in range(count)
        ]
    x = np.array([*rows, *(top * f for f in settings.far)])
    return table.columns(x)


def _distance(points: Floats) -> Floats:
    """Steps below the largest point (P,): in each parameter the logarithm of the ratio, in units of
    the median step."""
    total = np.zeros(len(points))
    for x in points.T:
        values = np.unique(x)
        place = np.log(values) if values[0] > 0 else np.arange(len(values), dtype=float)
        step = np.median(np.diff(place)) if len(values) > 1 else 1.0
        total += ((place[-1] - place[np.searchsorted(values, x)]) / step) ** 2
    return np.sqrt(total)
