"""Chosen alternatives as models: formula, errors, rivals, interval, and whether the points can tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from .dictionary import FactorTable
from .hypotheses import Codes, scales_of, values_at
from .identify import unidentifiable
from .interval import Alternative, Outlook
from .measurements import Floats, Series
from .misfit import misfit
from .model import Model, Quality, Rival, formula_text
from .noise import KAPPAS, profiles
from .terms import Term
from .weigh import Alternatives, Batch

_IDLE = 1e-11
_RIVAL_SHARE = 0.1
_RIVALS = 5


@dataclass(frozen=True)
class Fitted:
    """K series modelled together; a Model is made from it when it is asked for."""

    series: tuple[Series, ...]
    tables: tuple[FactorTable, ...]
    free: tuple[int, ...]
    batch: Batch
    found: Alternatives

    @cached_property
    def errors(self) -> tuple[Floats, Floats, Floats, Floats]:
        """SMAPE, SMAPE of left-out points and R**2 of the chosen fits (K,), SMAPE of all (K, A)."""
        found, batch = self.found, self.batch
        values = values_at(found.codes, batch.tables)
        fitted = np.matmul(found.coefficients[:, :, None, :], values)[:, :, 0]
        used = values[:, 0] * (found.coefficients[:, 0] != 0)[..., None]
        return _errors(batch.y, fitted, _leverage(used, found.root[:, 0], batch, found.profile[:, 0]))

    @cached_property
    def _scale(self) -> Floats:
        codes = self.found.codes
        return scales_of(codes, self.tables) if self.tables else np.ones(codes.shape[:-1])

    @cached_property
    def _cache(self) -> dict[tuple[int, ...], Term]:
        return {}

    def model(self, k: int) -> Model:
        """The model of the k-th series."""
        one, found = self.series[k], self.found
        names = [one.parameters[p] for p in self.free]
        reach = tuple((name, *_reach(one.points[:, p])) for name, p in zip(names, self.free, strict=True))
        size = float(np.abs(self.batch.y[k]).max(initial=0.0))
        laws = [_law(found, k, a, self._scale, names, self.tables, self._cache, size)
                for a in range(found.weight.shape[1]) if found.weight[k, a] > 1e-6 or a == 0]
        best = laws[0]
        smape, loo, r2 = (float(e[k]) for e in self.errors[:3])
        reason = unidentifiable(one, self.free, laws, float(found.lead_share[k]), float(found.agreement[k]))
        if reason is None and len(one.means) > 2:
            columns = {name: one.points[:, p] for p, name in enumerate(one.parameters)}
            reason = misfit(one, best.evaluate(columns, one.means.shape)[0])
        points = len(one.means)
        return Model(one.callpath, one.metric, one.parameters, best.constant, best.terms,
                     Quality(smape, _adjusted(r2, points, len(best.terms)), loo, points),
                     reason is None, reason, _rivals(laws, self.errors[3][k]),
                     Outlook(tuple(laws), reach, bool(self.batch.nonnegative[k]) and size > 0))


class LazyModels(Sequence[Model]):
    """Models of many series: arrays until one of them is looked at."""

    def __init__(self, count: int) -> None:
        self._source: list[tuple[Fitted, int] | None] = [None] * count
        self._made: dict[int, Model] = {}

    def put(self, places: Sequence[int], fitted: Fitted) -> None:
        """The series of `fitted` stand at these places."""
        fitted.errors  # noqa: B018 (computed together with the fit, not at the first look)
        for k, place in enumerate(places):
            self._source[place] = (fitted, k)

    def __len__(self) -> int:
        return len(self._source)

    @overload
    def __getitem__(self, index: int) -> Model: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Model]: ...

    def __getitem__(self, index: int | slice) -> Model | Sequence[Model]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        if place not in self._made:
            source = self._source[place]
            if source is None:
                raise LookupError(f"series {place} was not modelled")
            self._made[place] = source[0].model(source[1])
        return self._made[place]


def _law(found: Alternatives, k: int, a: int, scale: Floats, names: Sequence[str], tables: Sequence[FactorTable],
         cache: dict[tuple[int, ...], Term], size: float) -> Alternative:
    """One alternative with named terms; those that contribute nothing but rounding are left out."""
    constant = 0.0
    terms: list[tuple[float, Term]] = []
    kept: list[int] = []
    for i in range(found.codes.shape[2]):
        coefficient = float(found.coefficients[k, a, i])
        if abs(coefficient) <= _IDLE * size:
            continue
        code = tuple(found.codes[k, a, i].tolist())
        coefficient /= float(scale[k, a, i])
        if not any(code):
            constant = coefficient
            kept.insert(0, i)
            continue
        if code not in cache:
            cache[code] = Term.of({n: tables[p].factors[c] for p, (n, c) in enumerate(zip(names, code, strict=True))})
        terms.append((coefficient, cache[code]))
        kept.append(i)
    rows = found.root[k, a][kept] / scale[k, a][kept][:, None]
    root = np.zeros((len(terms) + 1, len(terms) + 1))
    root[len(root) - len(rows):] = _compact(rows, len(root))
    return Alternative(float(found.weight[k, a]), float(found.sigma[k, a]), float(KAPPAS[found.profile[k, a]]), constant,
                       tuple(terms), tuple(tuple(row) for row in root.tolist()))


def _compact(rows: Floats, size: int) -> Floats:
    """Rows (r, k) as rows (r, size) with the same products between rows."""
    if rows.shape[1] <= size:
        return np.pad(rows, ((0, 0), (0, size - rows.shape[1])))
    _, upper = np.linalg.qr(rows.T)
    return np.pad(upper.T, ((0, 0), (0, size - upper.shape[0])))


def _leverage(values: Floats, root: Floats, batch: Batch, profile: Codes) -> Floats:
    """(K, P): how far each fitted value follows its own observation."""
    deviation = np.sqrt(batch.spread * profiles(batch.distance)[profile])
    weighted = values / (batch.magnitude * deviation)[:, None]
    projected = np.einsum("kij,kip->kjp", root, weighted)
    result: Floats = np.minimum((projected**2).sum(axis=1), 1 - 1e-9)
    return result


def _errors(y: Floats, fitted: Floats, leverage: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """(SMAPE, SMAPE of left-out points, R**2) of the first alternative and the SMAPE of all (K, A)."""
    best = fitted[:, 0]
    left_out = y - (y - best) / (1 - leverage)
    total = ((y - y.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    residual = ((y - best) ** 2).sum(axis=1)
    r2 = np.where(total > 0, 1 - residual / np.where(total > 0, total, 1.0), 1.0)
    return _smape(y, best), _smape(y, left_out), r2, _smape(y[:, None], fitted)


def _smape(y: Floats, f: Floats) -> Floats:
    total = np.abs(y) + np.abs(f)
    result: Floats = 200 * np.where(total > 0, np.abs(y - f) / np.where(total > 0, total, 1.0), 0.0).mean(axis=-1)
    return result


def _adjusted(r2: float, points: int, terms: int) -> float:
    freedom = points - terms - 1
    return 1 - (1 - r2) * (points - 1) / freedom if freedom > 0 else r2


def _rivals(laws: Sequence[Alternative], smape: Floats) -> tuple[Rival, ...]:
    """Other forms that are at least a tenth as probable as the chosen one."""
    forms = {tuple(t for _, t in laws[0].terms): 0}
    found = []
    for a, law in enumerate(laws[1:], 1):
        form = tuple(t for _, t in law.terms)
        if form in forms or law.weight < _RIVAL_SHARE * laws[0].weight:
            continue
        forms[form] = a
        found.append(Rival(formula_text(law.constant, law.terms), float(smape[a])))
    return tuple(found[:_RIVALS])


def _reach(x: Floats) -> tuple[float, float]:
    """(largest value, usual step of the logarithm)."""
    values = np.unique(x)
    if len(values) < 2 or values[0] <= 0:
        return float(values[-1]), 0.0
    return float(values[-1]), float(np.median(np.diff(np.log(values))))

