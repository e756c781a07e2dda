"""Chosen laws as models: formula, errors, rivals, prediction interval, identifiability."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np

from ..data.measurements import Floats
from ..pmnf.hypotheses import scales_of
from ..pmnf.interval import Alternative, PredictiveMixture
from ..pmnf.lazy import lazies
from ..pmnf.model import Model, ModelTable, Quality, Rival
from ..pmnf.prediction import Certainty
from ..pmnf.regime import Regime, formula_text
from ..settings import ARITHMETIC
from .certainty import Verdicts
from .laws import ChosenLaws


class Fitted(ChosenLaws):
    """K series modelled together. Errors, intervals and reasons are computed for all at once; a
    Model is made from them when it is asked for."""

    @cached_property
    def _verdicts(self) -> tuple[list[str | None], list[Certainty]]:
        """Why models are not identifiable, and how sure they are. What this was found with is not
        kept, since it would keep this alive."""
        verdicts = Verdicts(self)
        return verdicts.reasons, verdicts.certainty

    def model(self, k: int) -> Model:
        """The model of the k-th series."""
        return self.models([k])[0]

    def models(self, rows: Sequence[int]) -> list[Model]:
        """The models of these series."""
        names, reach, widened, *told = self._told
        constant, terms, *columns = (map(c.__getitem__, rows) for c in (*self.written, *told))
        callpath, metric, quality, sure, reason, positive, scatter, unseen, shown, *said = columns
        laws = lazies(Fitted._laws, self, rows)
        mixture = map(
            PredictiveMixture,
            *(laws, repeat(reach), positive, scatter, repeat(widened), unseen, shown),
        )
        before: Iterable[Regime | None] = repeat(None)
        if self.changed:
            before = [None if k in self.curves else self._regime(k, 0) for k in rows]
        notes, certainty, unit = said
        return list(
            map(
                Model,
                *(callpath, metric, repeat(names), constant, terms, quality, sure, reason),
                *(lazies(Fitted._rivals, self, rows), mixture, before, notes),
                *(repeat(None), repeat(None), certainty, unit),
                map(self.curves.get, rows),
            )
        )

    @cached_property
    def _told(self) -> tuple[Any, ...]:
        """What models say beside their laws: names of the parameters, reach and width of intervals,
        then a list of each of their fields, since numbers of lists are read faster than those of
        arrays."""
        series = self.series
        reasons, certainty = self._verdicts
        noted = self.cleaned.notes()
        notes: list[tuple[str, ...]] = [()] * len(series)
        for k, note in noted.items():
            notes[k] = (note,)
        for k, law in self.curves.items():
            notes[k] = (law.told, *notes[k])
        return (
            *(series.parameters, self.reach, self.widened),
            *(series.callpaths, series.metrics, self._qualities),
            *([r is None for r in reasons], reasons),
            *(a.tolist() for a in (self.positive, self.scatter, self.unseen, self.shown)),
            *(notes, certainty, series.units or [""] * len(series)),
        )

    def table(self, rows: Sequence[int]) -> ModelTable:
        """The models of these series as columns."""
        named = [self.chosen(k) for k in rows]
        reasons = [self._verdicts[0][k] for k in rows]
        errors = self.errors
        return ModelTable(
            [
                formula_text(*n) if law is None else law.formula
                for n, law in zip(named, map(self.curves.get, rows), strict=True)
            ],
            [constant for constant, _ in named],
            [len(terms) for _, terms in named],
            [c for _, terms in named for c, _ in terms],
            [str(t) for _, terms in named for _, t in terms],
            errors.smape[rows],
            errors.loo_smape[rows],
            errors.adjusted_r2[rows],
            [errors.fitted.shape[1]] * len(named),
            [r is None for r in reasons],
            reasons,
        )

    def _regime(self, k: int, a: int) -> Regime | None:
        """The regime below that of one alternative."""
        if not self.changed or not self.found.change[k, a]:
            return None
        codes = self.found.below_codes[k, a]
        scaled = self.found.below_coefficients[k, a] / scales_of(codes, self.terms.tables)
        constant, terms = self.in_words(codes.tolist(), scaled.tolist())
        changes, place = self.batch.changes, self.found.change[k, a]
        name = self.terms.names[changes.parameter[place]]
        is_rounding = abs(constant) <= ARITHMETIC.rounding * float(
            np.abs(self.errors.fitted[k]).min()
        )
        return Regime(
            name, float(changes.start[place]), 0.0 if terms and is_rounding else constant, terms
        )

    @cached_property
    def _qualities(self) -> list[Quality]:
        errors, points = self.errors, self.errors.fitted.shape[1]
        columns = (errors.smape.tolist(), errors.adjusted_r2.tolist(), errors.loo_smape.tolist())
        return list(map(Quality, *columns, repeat(points)))

    def _laws(self, k: int) -> tuple[Alternative, ...]:
        """The alternatives of one series; their terms that contribute nothing but rounding are left
        out."""
        return tuple(self._law(k, a) for a in np.flatnonzero(self.weight[k]).tolist() or [0])

    def _law(self, k: int, a: int) -> Alternative:
        found, coefficients = self.found, self.coefficients[k, a]
        constant, terms = self.named(k, a)
        live, plain = coefficients != 0, ~found.codes[k, a].any(axis=1)
        kept = [*np.flatnonzero(live & plain).tolist(), *np.flatnonzero(live & ~plain).tolist()]
        root = np.zeros((len(terms) + 1, len(terms) + 1))
        root[len(root) - len(kept) :] = _compact(
            (found.root[k, a] / self.scale[k, a][:, None])[kept], len(root)
        )
        return Alternative(
            float(found.weight[k, a]),
            float(found.sigma[k, a]),
            float(self.settings.noise.slopes[found.profile[k, a]]),
            constant,
            terms,
            tuple(tuple(row) for row in root.tolist()),
            self._regime(k, a),
        )

    def _rivals(self, k: int) -> tuple[Rival, ...]:
        """Other forms that are at least a tenth as probable as the chosen one."""
        forms = {tuple(t for _, t in self.chosen(k)[1])}
        rivals = []
        for a in np.flatnonzero(
            self.weight[k] >= self.settings.report.rival_share * self.weight[k, 0]
        ).tolist():
            constant, terms = self.named(k, a)
            form = tuple(t for _, t in terms)
            if form not in forms:
                forms.add(form)
                rivals.append(Rival(formula_text(constant, terms), float(self.smape_of_all[k, a])))
        return tuple(rivals[: self.settings.report.rivals])


def _compact(rows: Floats, size: int) -> Floats:
    """Rows (r, k) as rows (r, size) with the same products between rows."""
    result = np.zeros((len(rows), size))
    used = rows[:, rows.any(axis=0)]
    if used.shape[1] > size:
        used = np.linalg.qr(used.T)[1].T
    result[:, : used.shape[1]] = used
    return result
