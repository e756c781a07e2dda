"""From series to models: hypotheses, choice, quality, identifiability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from .dictionary import allowed, single_terms, small_terms
from .errors import InputError
from .lasso import active_sets
from .measurements import Floats, Measurements, Series
from .model import Model, Models, Quality, Rival, Spread
from .search import EXACT, Candidate, Design, criterion, noise_level, refine, residuals, weights
from .terms import NO_PRIOR, Prior, Term

Method = Literal["search", "lasso"]
_BEAM = 24
_FINALISTS = 12
_REACH = 4.0  # how far beyond the data rivals are compared and negative predictions are excluded


def fit(measurements: Measurements, priors: Mapping[tuple[str, str], Prior] | None = None, *,
        method: Method = "search") -> Models:
    """Model every series.

    Args:
        measurements: what was observed.
        priors: (callpath, metric) -> what is known beforehand.
        method: "search" ranks all hypotheses of one and two terms; "lasso" those that a LASSO path proposes.

    Raises:
        InputError: no such method.
    """
    if method not in ("search", "lasso"):
        raise InputError(f"--method {method}: there are search and lasso")
    groups: dict[tuple[tuple[str, ...], bytes, Prior], list[Series]] = {}
    for s in measurements.series:
        prior = (priors or {}).get((s.callpath, s.metric), NO_PRIOR)
        groups.setdefault((s.parameters, s.points.tobytes(), prior), []).append(s)
    found: dict[tuple[str, str], Model] = {}
    for (_, _, known), group in groups.items():
        for model in fit_group(group, known, method):
            found[model.callpath, model.metric] = model
    return Models(tuple(found[s.callpath, s.metric] for s in measurements.series))


def fit_group(group: Sequence[Series], prior: Prior, method: Method) -> list[Model]:
    """Model series that share their points and their prior; one set of design columns serves them all."""
    parameters, points = group[0].parameters, group[0].points
    free = tuple(p for p in allowed(parameters, prior) if np.ptp(points[:, parameters.index(p)]) > 0)
    usable = [t for t in prior.terms if t.parameters <= set(free) and t.factors]
    names = tuple(dict.fromkeys((*usable, *single_terms(free), *small_terms(free)))) if free else ()
    design = Design(names, parameters, points)
    y, w = weights(group)
    singles = list(range(len(design.terms)))
    chosen = [design.index[t] for t in usable if t in design.index]
    first = residuals(design, [(k,) for k in singles], y, w) if singles else np.empty((len(group), 0))
    models = []
    for k, series in enumerate(group):
        hypotheses = _hypotheses(design, free, first[k], y[k], w[k], chosen, len(points), method)
        models.append(_choose(series, design, hypotheses, y[k], w[k], frozenset(chosen), parameters))
    return models


def _hypotheses(design: Design, free: tuple[str, ...], first: Floats, y: Floats, w: Floats, known: list[int],
                points: int, method: Method) -> list[tuple[int, ...]]:
    """The hypotheses worth an exact fit to one series, besides the constant."""
    if not len(first) or points < 3:
        return []
    cost = np.array([t.complexity for t in design.terms])
    order = np.argsort(criterion(first, points, 2, cost, (0.0, 0.0)), kind="stable")
    found: list[tuple[int, ...]] = [(int(k),) for k in order[:_FINALISTS]]
    if points < 4:
        return found
    small = [design.index[t] for t in small_terms(free) if t in design.index]
    pairs: set[tuple[int, ...]] = set()
    if method == "lasso":
        pairs |= {g for g in _lasso_sets(design, sorted({*small, *known}), y, w) if len(g) > 1}
    if len(free) > 1:
        for k in (*order[:_BEAM].tolist(), *small):
            pairs |= {tuple(sorted((int(k), j))) for j in _joint(design) if j != k}
    elif method == "lasso":
        # the path shrinks what it selects; the strongest terms are also tried with every other one
        pairs |= {tuple(sorted((int(k), j))) for k in order[:10] for j in small if j != k}
    else:
        pairs |= set(combinations(sorted(small), 2))
    pairs |= set(combinations(sorted(known), 2))
    two = [p for p in pairs if len(p) == 2]
    if two:
        rss = residuals(design, two, y[None], w[None])[0]
        rank = criterion(rss, points, 3, np.array([cost[list(p)].sum() for p in two]), (0.0, 0.0))
        best = np.argsort(rank, kind="stable")[:_FINALISTS]
        found += [two[int(k)] for k in best]
    found += [p for p in pairs if len(p) > 2 and len(p) + 1 < points]
    if 2 < len(known) <= points - 2:
        found += [g for size in range(3, min(len(known), 4) + 1) for g in combinations(sorted(known), size)
                  if size + 2 <= points]
    if points >= 5 and two:
        # a third term where two reproduce the data only nearly: counts are often cubic polynomials
        best_two = [two[int(k)] for k in np.argsort(rss, kind="stable")[:4]]
        plain = [k for k in small if all(i.denominator == 1 and not j for _, i, j in design.terms[k].factors)]
        found += [tuple(sorted((*p, k))) for p in best_two for k in plain if k not in p]
    return list(dict.fromkeys(found))


def _joint(design: Design) -> list[int]:
    """Columns of terms with whole exponents and at most one logarithm in each factor."""
    return [k for k, t in enumerate(design.terms) if all(i.denominator == 1 and 0 <= j <= 1 for _, i, j in t.factors)]


def _lasso_sets(design: Design, columns: list[int], y: Floats, w: Floats) -> list[tuple[int, ...]]:
    """Sets of terms along the LASSO path, columns and response centred (the constant is not penalised)."""
    if not columns:
        return []
    x = design.columns[columns]
    total = w.sum()
    x = x - (x @ w / total)[:, None]
    centred = y - (y @ w) / total
    size = np.sqrt((x * x) @ w)
    x = x / np.where(size > 0, size, 1.0)[:, None]
    return [tuple(sorted(columns[k] for k in g)) for g in active_sets((x * w) @ x.T, (x * w) @ centred)]


def _choose(series: Series, design: Design, hypotheses: list[tuple[int, ...]], y: Floats, w: Floats,
            known: frozenset[int], parameters: tuple[str, ...]) -> Model:
    points = len(y)
    noise = noise_level(series)
    candidates: list[Candidate] = []
    nonnegative = bool((y >= 0).all())
    reach = _outside(series)
    unit = float(series.counts.mean()) or 1.0
    work: list[tuple[int, ...]] = [(), *hypotheses]
    seen: set[tuple[int, ...]] = set()
    while work:
        group = work.pop()
        if group in seen or points < len(group) + 1:
            continue
        seen.add(group)
        solved = refine(design, group, y, w, points)
        if solved is None:
            continue
        coefficients, covariance, leverage, rss, loo = solved
        terms = tuple(design.terms[k] for k in group)
        share = np.abs(coefficients[1:]) * design.scale[list(group)] if group else np.ones(0)
        idle = share < 1e-9 * np.abs(y).max(initial=0.0)
        if idle.any():  # a term that contributes nothing but rounding
            work.append(tuple(k for k, unused in zip(group, idle, strict=True) if not unused))
            continue
        exact = rss / max(float(w @ (y * y)), 1e-300) < EXACT**2 * 100
        if group and len(group) + 1 >= points and not (exact and points > len(group) + 1):
            continue
        if nonnegative and group and not _stays_positive(terms, coefficients, reach):
            continue
        cost = sum(0.0 if k in known else design.terms[k].complexity for k in group)
        score = float(criterion(rss / unit, points, len(group) + 1, cost, noise))
        if exact:
            score = -1e6 + 10 * len(group) + cost
        candidates.append(Candidate(terms, coefficients, rss / unit, score, loo / unit, covariance * unit, leverage))
    candidates.sort(key=lambda c: (c.score, [str(t) for t in c.terms]))
    best = candidates[0]
    return _model(series, best, candidates[1:], y, points, parameters, noise)


def _outside(series: Series) -> dict[str, Floats]:
    """Points beyond the data at which a model must still make sense: every parameter alone and all together."""
    low, high = series.points.min(axis=0), series.points.max(axis=0)
    rows = [high * _REACH, high * 16, low, high]
    for k in range(len(high)):
        far = low.copy()
        far[k] = high[k] * _REACH
        rows.append(far)
    table = np.array(rows)
    return {name: table[:, k] for k, name in enumerate(series.parameters)}


def _stays_positive(terms: tuple[Term, ...], coefficients: Floats, reach: dict[str, Floats]) -> bool:
    """Is the model nowhere negative at the points beyond the data?"""
    value = np.full(len(next(iter(reach.values()))), coefficients[0])
    for c, t in zip(coefficients[1:], terms, strict=True):
        value = value + c * t.evaluate(reach)
    finite = value[np.isfinite(value)]
    scale = np.abs(finite).max(initial=0.0)
    return bool((finite >= -1e-9 * scale).all())


def smape(y: Floats, f: Floats) -> float:
    """Symmetric mean absolute percentage error in %, 0 to 200 (Reisert et al., Euro-Par 2017)."""
    total = np.abs(y) + np.abs(f)
    return float(200 * np.mean(np.where(total > 0, np.abs(y - f) / np.where(total > 0, total, 1.0), 0.0)))


def _model(series: Series, best: Candidate, others: list[Candidate], y: Floats, points: int,
           parameters: tuple[str, ...], noise: tuple[float, float]) -> Model:
    columns = {name: series.points[:, k] for k, name in enumerate(parameters)}
    constant, factors = float(best.coefficients[0]), best.coefficients[1:]
    magnitude = max(np.abs(y).max(initial=0.0), 1e-300)
    if abs(constant) < 1e-9 * magnitude:
        constant = 0.0  # rounding of an exact fit
    predicted = np.full(points, constant)
    for c, t in zip(factors, best.terms, strict=True):
        predicted = predicted + c * t.evaluate(columns)
    left_out = y - (y - predicted) / np.maximum(1 - best.leverage, 1e-9)
    dof = points - len(best.terms) - 1
    spread_total = float(((y - y.mean()) ** 2).sum())
    residual = float(((y - predicted) ** 2).sum())
    r2 = 1 - residual / spread_total if spread_total > 0 else 1.0
    adjusted = 1 - (1 - r2) * (points - 1) / dof if dof > 0 else r2
    variance, extra = noise
    total_dof = dof + int(extra)
    sigma = float(np.sqrt((best.residual + variance * extra) / total_dof)) if total_dof > 0 else 0.0
    rivals = [c for c in others if c.score < best.score + 2 and c.terms]
    reason = _not_identifiable(series, best, rivals, columns)
    model = Model(series.callpath, series.metric, parameters, constant,
                  tuple((float(c), t) for c, t in zip(factors, best.terms, strict=True)),
                  Quality(smape(y, predicted), adjusted, smape(y, left_out) if points > 1 else 0.0, points),
                  reason is None, reason, (),
                  Spread(sigma, total_dof, tuple(tuple(map(float, row)) for row in best.covariance)))
    listed = tuple(Rival(str(Model("", "", parameters, float(c.coefficients[0]),
                                   tuple((float(v), t) for v, t in zip(c.coefficients[1:], c.terms, strict=True)),
                                   model.quality).formula), smape(y, _values(c, columns, points)))
                   for c in rivals[:5])
    return Model(**{**model.__dict__, "rivals": listed})


def _values(c: Candidate, columns: Mapping[str, Floats], points: int) -> Floats:
    value = np.full(points, c.coefficients[0])
    for v, t in zip(c.coefficients[1:], c.terms, strict=True):
        value = value + v * t.evaluate(columns)
    return value


def _not_identifiable(series: Series, best: Candidate, rivals: list[Candidate],
                      columns: Mapping[str, Floats]) -> str | None:
    """Why the points cannot tell which law holds; None where they can."""
    distinct = {n: len(np.unique(c)) for n, c in columns.items()}
    varying = [n for n, d in distinct.items() if d > 1]
    if not varying:
        return "only one point was measured: vary a parameter"
    few = [n for n in varying if distinct[n] < 3]
    if len(series.points) < 3 or len(few) == len(varying):
        return f"{', '.join(f'{n} has {distinct[n]} values' for n in varying)}: measure at least 4"
    if len(varying) > 1:
        logs = np.log(np.maximum(np.stack([columns[n] for n in varying], axis=1), 1e-12))
        logs = logs - logs.mean(axis=0)
        if np.linalg.matrix_rank(logs, tol=1e-6 * max(1.0, np.abs(logs).max())) < len(varying):
            return f"{' and '.join(varying)} always change together: vary one of them alone"
    far = {n: np.array([c.max() * _REACH]) for n, c in columns.items()}
    here = float(_values(best, far, 1)[0])
    for c in rivals:
        if c.score < best.score + 0.7:
            there = float(_values(c, far, 1)[0])
            if abs(there - here) > 0.5 * (abs(here) + abs(there)) / 2:
                where = ", ".join(f"{n}={v[0]:g}" for n, v in far.items())
                return f"another law fits as well and differs beyond the points: measure at {where}"
    return None
