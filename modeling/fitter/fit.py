"""From measurements to models: series that share their points are modelled together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError, InputError

from ..data.measurements import Floats, Measurements, Series, Stack
from ..evidence.local_extrapolation import NO_EXTRAPOLATION, local_line, stacked_weight
from ..evidence.noise import Levels, pooled_levels, repetition_evidence
from ..evidence.noise_shape import Repetitions, pooled_bounded_prior
from ..methods import METHODS
from ..pmnf.dictionary import Factor, FactorTable, TermTable
from ..pmnf.hypotheses import Candidates, Codes
from ..pmnf.model import Models
from ..pmnf.terms import NO_PRIOR, Prior, Term, growth_in
from ..search.bounded_noise_selection import with_bounded_noise
from ..search.fixed_exponents import fixed_candidates, leading
from ..search.model_selection import Batch, choose, fit_candidates, gather, level_evidence, outside
from ..search.multi_parameter import several_candidates
from ..search.single_parameter import enumerate_hypotheses, single_candidates
from ..search.static_lower_bound import above_bound
from .fitted import Fitted, LazyModels

MOST_PARAMETERS = 10
FAR = (2.0, 4.0)
"""Multiples of the largest values at which models are compared; the last one decides which term
leads."""
_FARTHER = (64.0,)
_SAMPLE = {1: 128, 2: 48}
_FEWEST = 24
_CHUNK = {1: 16384, 2: 1024}
_BLOCK = 1 << 19
_USUAL_POINTS = 125
_USUAL_SHARE = 0.5
_FEWEST_POINTS, _FEWEST_SERIES = 3, 4


@dataclass(frozen=True)
class Group:
    """K series with the same points and the same prior, and their places among all; `free`
    parameters (columns of points) vary and may occur."""

    series: Stack
    places: Codes
    prior: Prior
    free: tuple[int, ...]

    def repetitions(self, rows: Codes) -> Repetitions:
        """What those of some of the series say of the shape of noise."""
        of = self.series
        return Repetitions(
            of.counts[rows], of.means[rows], of.squares[rows], of.lows[rows], of.highs[rows]
        )


@dataclass(frozen=True)
class PooledNoise:
    """What the series of one metric tell of each other: levels of their noise; extrapolation_weight: the weight of
    the line through the last points in forecasts."""

    levels: Levels
    extrapolation_weight: float = NO_EXTRAPOLATION


UNPOOLED = PooledNoise(Levels.every())


def fit(
    measurements: Measurements,
    priors: Mapping[tuple[str, str], Prior] | None = None,
    *,
    method: str = "default",
    pooled: Mapping[str, PooledNoise] | None = None,
) -> Models:
    """Model every series.

    Args:
        measurements: what was observed.
        priors: (callpath, metric) -> what is known beforehand.
        method: "default" weighs all hypotheses by their evidence; those of the papers are listed in
            METHODS.
        pooled: what all series of each metric tell of each other, where these are a part of more
            (see `pool_noise`); without it these measurements tell it.

    Raises:
        InputError: no such method.
        DataError: more parameters vary in a series than can be told apart.
    """
    if method != "default":
        if method not in METHODS:
            raise InputError(f"--method {method}: there are default, {', '.join(METHODS)}")
        return Models(
            tuple(
                METHODS[method](s, (priors or {}).get((s.callpath, s.metric), NO_PRIOR))
                for s in measurements.series
            )
        )
    groups = list(_groups(measurements, priors or {}))
    return Models(_modelled(groups, _pooled_by_metric(groups) if pooled is None else pooled))


def fit_stack(series: Stack, pooled: Mapping[str, PooledNoise]) -> LazyModels:
    """Models of series with the same points, which are a part of more: `pooled` is what these tell
    of each other (see `pool_noise`). The same as those of `fit`, without an object for each series.

    Raises:
        DataError: more parameters vary than can be told apart.
    """
    return _modelled(list(_split(series, np.arange(len(series)), NO_PRIOR)), pooled)


def _modelled(groups: Sequence[Group], pooled: Mapping[str, PooledNoise]) -> LazyModels:
    """Models of all series of the groups."""
    found, every = LazyModels(sum(len(group.series) for group in groups)), Levels.every()
    for group in groups:
        frame = _Frame(group)
        step = max(
            1,
            _CHUNK.get(len(group.free), 256)
            * _USUAL_POINTS
            // max(len(frame.points), _USUAL_POINTS),
        )
        for part in _alike(group):
            noise = pooled.get(group.series.metrics[part[0]], UNPOOLED)
            for start in range(0, len(part), step):
                some = part[start : start + step]
                unusual = _put(found, frame, some, noise.levels, noise.extrapolation_weight)
                if len(unusual):
                    _put(
                        found,
                        frame,
                        unusual,
                        replace(every, bounded=noise.levels.bounded),
                        noise.extrapolation_weight,
                    )
    return found


def sampled(parts: Sequence[tuple[int, int]]) -> list[slice]:
    """Which of the series of a metric tell its noise levels: a slice of each part (free parameters,
    number of series with the same points and positive values), whose series are sorted by call
    path."""
    total = sum(size for _, size in parts)
    sample = min((_SAMPLE.get(free, _FEWEST) for free, _ in parts), default=0)
    result = []
    for _, size in parts:
        share = max(1, round(sample * size / max(total, sample)))
        step = max(1, size // share)
        result.append(slice(0, step * share, step))
    return result


def pool_noise(sample: Measurements) -> dict[str, PooledNoise]:
    """What the series of each metric tell of each other, from such a sample of them as `sampled`
    chooses."""
    return {metric: _pooled(parts) for metric, parts in _usable(list(_groups(sample, {}))).items()}


def evidence_of(series: Series, prior: Prior = NO_PRIOR) -> float:
    """Log evidence of all hypotheses that the prior allows together, for relative deviations (units
    of y do not matter)."""
    frame = _Frame(
        next(_groups(Measurements((series,)), {(series.callpath, series.metric): prior}))
    )
    batch = frame.batch(np.arange(1), Levels.every(), NO_EXTRAPOLATION)
    weights = np.concatenate(
        [w.log_weight.ravel() for w in fit_candidates(batch, frame.candidates(batch))]
    )
    return float(weights.max() + np.log(np.exp(weights - weights.max()).sum()))


def _put(
    found: LazyModels, frame: _Frame, rows: Codes, levels: Levels, extrapolation_weight: float
) -> Codes:
    """Model some series of a group; returns those whose noise is none of the levels."""
    group = frame.group
    unusual: list[Codes] = []
    whole = frame.batch(rows, levels, extrapolation_weight)
    candidates = frame.candidates(whole)
    block = max(1, _BLOCK // (len(frame.points) * sum(c.codes.shape[1] for c in candidates)))
    for start in range(0, len(rows), block):
        part = slice(start, start + block)
        some, batch = rows[part], whole.part(part)
        candidate_fits = fit_candidates(batch, [c.part(part) for c in candidates])
        chosen = choose(
            batch, with_bounded_noise(batch, candidate_fits, gather(batch, candidate_fits))
        )
        found.put(
            group.places[some],
            Fitted(group.series.take(some.tolist()), frame.terms, group.free, batch, chosen),
        )
        unusual.append(some[outside(batch, candidate_fits)])
    return np.concatenate(unusual)


def _groups(measurements: Measurements, priors: Mapping[tuple[str, str], Prior]) -> Iterator[Group]:
    alike: dict[tuple[tuple[str, ...], bytes, Prior], list[int]] = {}
    for k, s in enumerate(measurements.series):
        prior = priors.get((s.callpath, s.metric), NO_PRIOR) if priors else NO_PRIOR
        alike.setdefault((s.parameters, s.points.tobytes(), prior), []).append(k)
    for (_, _, prior), places in alike.items():
        yield from _split(
            Stack.of([measurements.series[k] for k in places]), np.array(places), prior
        )


def _split(series: Stack, places: Codes, prior: Prior) -> Iterator[Group]:
    """Series with the same points and the same prior: those that measured something, and those that
    are zero everywhere, which have no scale that growth could be told by."""
    free = tuple(
        k
        for k, name in enumerate(series.parameters)
        if np.ptp(series.points[:, k]) > 0
        and (prior.parameters is None or name in prior.parameters)
    )
    if len(free) > MOST_PARAMETERS:
        raise DataError(
            f"{series.callpaths[0]}, {series.metrics[0]}: {len(free)} parameters vary, and"
            f" {MOST_PARAMETERS} can be told apart; leave out those that do not matter"
        )
    happens = series.means.any(axis=1)
    for rows, varying in ((np.flatnonzero(happens), free), (np.flatnonzero(~happens), ())):
        if len(rows) == len(series):
            yield Group(series, places, prior, varying)
        elif len(rows):
            yield Group(series.take(rows.tolist()), places[rows], prior, varying)


def _alike(group: Group) -> list[Codes]:
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


def _pooled_by_metric(groups: Sequence[Group]) -> dict[str, PooledNoise]:
    """What a sample of the series of each metric tells of all."""
    return {metric: _pooled(_few(parts)) for metric, parts in _usable(groups).items()}


def _few(parts: Sequence[tuple[Group, Codes]]) -> list[tuple[Group, Codes]]:
    """A sample of some rows of groups."""
    slices = sampled([(len(group.free), len(rows)) for group, rows in parts])
    return [(group, rows[some]) for (group, rows), some in zip(parts, slices, strict=True)]


def _pooled(parts: Sequence[tuple[Group, Codes]]) -> PooledNoise:
    """What some series of one metric tell."""
    levels = _levels_of(parts)
    return PooledNoise(
        levels, NO_EXTRAPOLATION if levels.pooled else _extrapolation_weight_of(parts)
    )


def _usable(groups: Sequence[Group]) -> dict[str, list[tuple[Group, Codes]]]:
    """The rows of series of each metric that tell of its noise, by call path: positive values at
    more than two points."""
    usable: dict[str, list[tuple[Group, Codes]]] = {}
    for group in groups:
        for part in _alike(group):
            found = usable.setdefault(group.series.metrics[part[0]], [])
            if len(group.series.points) > 2 and (group.series.means[part[0]] > 0).all():
                found.append(
                    (group, np.array(sorted(part.tolist(), key=group.series.callpaths.__getitem__)))
                )
    return usable


def _levels_of(parts: Sequence[tuple[Group, Codes]]) -> Levels:
    """Noise levels that some series of one metric tell of."""
    if sum(len(rows) for _, rows in parts) < 2:
        return Levels.every()
    every = Levels.every()
    evidence = []
    for group, rows in parts:
        frame = _Frame(group)
        batch = frame.batch(rows, every, NO_EXTRAPOLATION)
        evidence.append(level_evidence(batch, fit_candidates(batch, frame.candidates(batch))))
    bounded = pooled_bounded_prior([group.repetitions(rows) for group, rows in parts])
    return replace(pooled_levels(np.concatenate(evidence)), bounded=bounded)


def _extrapolation_weight_of(parts: Sequence[tuple[Group, Codes]]) -> float:
    """How much the line through the last points would have been worth for the largest points of
    series of one metric, had they not been measured; NO_EXTRAPOLATION where they are too few to tell."""
    chosen: list[tuple[Series, Prior, Series]] = []
    for group, rows in parts:
        kept = _below_top(group.series.points)
        if group.free and kept.sum() >= _FEWEST_POINTS:
            chosen += [
                (s, group.prior, s.part(kept)) for s in map(group.series.series, rows.tolist())
            ]
    if len(chosen) < _FEWEST_SERIES:
        return NO_EXTRAPOLATION
    priors = {(s.callpath, s.metric): prior for s, prior, _ in chosen}
    shorter = list(_groups(Measurements(tuple(short for *_, short in chosen)), priors))
    levels = {
        metric: PooledNoise(_levels_of(_few(found))) for metric, found in _usable(shorter).items()
    }
    forecasts = []
    for (whole, _, short), model in zip(chosen, _modelled(shorter, levels), strict=True):
        top = int(np.lexsort(whole.points.T)[-1])
        line = local_line(short.points, whole.points[top : top + 1])[0] @ np.log(short.means)
        law = float(
            model.evaluate(dict(zip(whole.parameters, whole.points[top].tolist(), strict=True)))
        )
        forecasts.append((law, float(np.exp(line)), float(whole.means[top])))
    return stacked_weight(*np.array(forecasts).T)


def _below_top(points: Floats) -> NDArray[np.bool_]:
    """(P,): points that are the largest in none of the parameters that vary."""
    result: NDArray[np.bool_] = ~(
        (points == points.max(axis=0)) & (np.ptp(points, axis=0) > 0)
    ).any(axis=1)
    return result


class _Frame:
    """What series of a group have in common: factor tables, their columns, hypotheses."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.points = group.series.points[:, list(group.free)]
        names = [group.series.parameters[k] for k in group.free]
        self.tables = [
            FactorTable.of(
                self.points[:, k],
                _known_factors(group.prior.terms, name),
                growth_in(group.prior.upper, name) if group.prior.upper else None,
            )
            for k, name in enumerate(names)
        ]
        self.terms = TermTable(tuple(names), tuple(self.tables))
        self.columns = [t.columns(self.points[:, k]) for k, t in enumerate(self.tables)]
        self.far = [_far_columns(t, self.points, k) for k, t in enumerate(self.tables)]
        self.known = [
            c for c in (_code(t, names, self.tables) for t in group.prior.terms) if c is not None
        ]
        self.fixed = self._fixed(names) if group.prior.fixed else None
        if len(names) == 1:
            known = frozenset(int(c[0]) for c in self.known)
            self.hypotheses = enumerate_hypotheses(self.tables[0], len(self.points), known)
        self.distance = _distance(self.points)
        top = self.points.max(axis=0) if len(names) else np.ones(0)
        self.local = local_line(self.points, np.stack([top * f for f in FAR]))
        after = top * np.array([_step(x) for x in self.points.T])
        self.following = [t.columns(after[k : k + 1]) for k, t in enumerate(self.tables)] or [
            np.ones((1, 1))
        ]
        self.following_line = local_line(self.points, after[None])[0]

    def batch(self, rows: Codes, levels: Levels, extrapolation_weight: float) -> Batch:
        """Some of the series."""
        y, counts = self.group.series.means[rows], self.group.series.counts[rows]
        magnitude = np.abs(y)
        if not (y > 0).all():
            usual = magnitude.mean(axis=1, keepdims=True) * _USUAL_SHARE
            magnitude = np.maximum(magnitude, np.where(usual > 0, usual, 1.0))
        spread = counts.mean(axis=1, keepdims=True) / counts
        freedom = (counts - 1).sum(axis=1)
        squares = (self.group.series.squares[rows] / magnitude**2).sum(axis=1)
        tables, far = (
            (self.columns, self.far)
            if self.columns
            else ([np.ones((1, y.shape[1]))], [np.ones((1, 2))])
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
            repetition_evidence(squares, freedom, counts.mean(axis=1), levels.sigmas),
            self.local,
            extrapolation_weight,
            self.following,
            self.following_line,
            self.group.repetitions(rows),
        )

    def candidates(self, batch: Batch) -> list[Candidates]:
        """Hypotheses worth an exact fit, those below the static lower bound made improbable."""
        names = [self.group.series.parameters[k] for k in self.group.free]
        return above_bound(
            self._candidates(batch),
            self.tables,
            [growth_in(self.group.prior.lower, n) for n in names],
        )

    def _fixed(self, names: Sequence[str]) -> tuple[list[Codes], list[bool]] | None:
        """Factor numbers of the terms of the known law, of what varies in them, and which of them
        lead; None where one is not defined at the points or none varies."""
        moving = list(
            dict.fromkeys(
                Term(tuple(f for f in t.factors if f[0] in names)) for t in self.group.prior.terms
            )
        )
        moving = [t for t in moving if t.factors]
        codes = [c for c in (_code(t, names, self.tables) for t in moving) if c is not None]
        return (codes, leading(moving)) if moving and len(codes) == len(moving) else None

    def _candidates(self, batch: Batch) -> list[Candidates]:
        found = fixed_candidates(*self.fixed, len(self.points), len(batch.y)) if self.fixed else []
        if found:
            return found
        if not self.tables:
            return [
                Candidates(
                    np.zeros((len(batch.y), 1, 1, 1), dtype=np.int64), np.zeros((len(batch.y), 1))
                )
            ]
        if len(self.tables) == 1:
            return single_candidates(
                self.hypotheses,
                self.columns[0],
                batch.y,
                batch.magnitude,
                batch.spread,
                batch.distance,
                batch.levels,
                batch.repetitions,
            )
        return several_candidates(
            self.points,
            self.tables,
            self.columns,
            batch.y,
            batch.magnitude,
            batch.spread,
            self.known,
            batch.levels,
            batch.repetitions,
        )


def _step(x: Floats) -> float:
    """The usual ratio of neighbouring values of a parameter."""
    values = np.unique(x[x > 0])
    return float(np.exp(np.median(np.diff(np.log(values))))) if len(values) > 1 else FAR[0]


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


def _far_columns(table: FactorTable, points: Floats, k: int) -> Floats:
    """(T, F) values of factors beyond the data: far out, at twice and four times all largest
    values, and where only one parameter grows; the last one is four times all."""
    top, count = points[:, k].max(), points.shape[1]
    rows = [top * f for f in _FARTHER]
    if count > 1:
        rows += [top * FAR[-1] if other == k else top for other in range(count)]
        rows += [top * FAR[-1] if other == k else points[:, k].min() for other in range(count)]
    x = np.array([*rows, *(top * f for f in FAR)])
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
