"""Chosen alternatives as models: formula, errors, rivals, prediction interval, identifiability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from ..data.measurements import Floats, Stack
from ..data.units import is_time
from ..evidence.disturbances import Cleaned
from ..evidence.goodness_of_fit import poor_fits
from ..evidence.noise import profiles
from ..pmnf.dictionary import TermTable
from ..pmnf.goodness import adjusted_determination, determination, smape
from ..pmnf.hypotheses import Codes, scales_of, values_at
from ..pmnf.interval import Alternative, Laws, PredictiveMixture, Reach, beyond, unseen_changes
from ..pmnf.lazy import lazy
from ..pmnf.model import Model, ModelTable, Quality, Rival
from ..pmnf.prediction import LEVEL, Certainty, Of, certainty
from ..pmnf.regime import Regime, formula_text
from ..pmnf.terms import Term
from ..search.batch import Batch
from ..search.gathered import fitted_with
from ..search.identifiability import (
    NOISE,
    design_fault,
    discriminating_points,
    few_points_question,
    further_points,
    open_question,
    outlier_question,
)
from ..search.model_selection import Alternatives
from ..settings import ARITHMETIC, Settings

Terms = tuple[tuple[float, Term], ...]


@dataclass(frozen=True)
class Errors:
    """Errors of K chosen fits: their values (K, P), SMAPE, leave-one-out SMAPE and adjusted R**2
    (K,)."""

    fitted: Floats
    smape: Floats
    loo_smape: Floats
    adjusted_r2: Floats


@dataclass(frozen=True)
class Fitted:
    """K series modelled together. Errors, intervals and reasons are computed for all at once; a
    Model is made from them when it is asked for. `widened` is that of their intervals."""

    cleaned: Cleaned
    terms: TermTable
    free: tuple[int, ...]
    batch: Batch
    found: Alternatives
    widened: float = 1.0

    @property
    def series(self) -> Stack:
        """The series, without their disturbances."""
        return self.cleaned.series

    @property
    def settings(self) -> Settings:
        """The constants of the fitter."""
        return self.batch.settings

    def model(self, k: int) -> Model:
        """The model of the k-th series."""
        constant, terms = self._chosen(k)
        names, reach, widened, *columns = self._told
        callpath, metric, quality, reason, positive, scatter, unseen, notes, certainty, unit = (
            c[k] for c in columns
        )
        return Model(
            callpath,
            metric,
            names,
            constant,
            terms,
            quality,
            reason is None,
            reason,
            lazy(Fitted._rivals, self, k),
            PredictiveMixture(
                lazy(Fitted._laws, self, k), reach, positive, scatter, widened, unseen
            ),
            self._regime(k, 0) if self._changed else None,
            notes,
            None,
            None,
            certainty,
            unit,
        )

    @cached_property
    def _told(self) -> tuple[Any, ...]:
        """What models say beside their laws: names of the parameters, reach and width of intervals,
        then a list of each of their fields, since numbers of lists are read faster than those of
        arrays."""
        series = self.series
        noted = self.cleaned.notes()
        notes: list[tuple[str, ...]] = [()] * len(series)
        for k, note in noted.items():
            notes[k] = (note,)
        return (
            *(series.parameters, self._reach, self.widened),
            *(series.callpaths, series.metrics, self._qualities, self._reasons),
            *(a.tolist() for a in (self._positive, self._scatter, self._unseen)),
            *(notes, self._certainty, series.units or [""] * len(series)),
        )

    def table(self, rows: Sequence[int]) -> ModelTable:
        """The models of these series as columns."""
        named = [self._chosen(k) for k in rows]
        reasons = [self._reasons[k] for k in rows]
        errors = self.errors
        return ModelTable(
            [formula_text(*n) for n in named],
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

    def values(self, at: Mapping[str, Floats]) -> Floats:
        """Values (K, N) of all models at N points.

        Raises:
            DataError: a parameter that varies has no value.
        """
        columns = self._columns_at(at)
        value = self._summed(self._values_at(columns, _length(at), most=1))
        return self._with_below(value, columns, at)[:, 0]

    def interval(
        self, at: Mapping[str, Floats], level: float, of: Of = "mean", *, unseen: bool = True
    ) -> tuple[Floats, Floats]:
        """Lower and upper ends (K, N) of all series' prediction intervals, as those of their
        models, at N points; without `unseen` as though no law of time ended beyond the data. The
        last answer is kept.

        Raises:
            DataError: a parameter that varies has no value.
        """
        unseen = unseen and bool(self._unseen.any())
        asked = (*(x.tobytes() for x in at.values()), *at, level, of, unseen)
        if asked not in self._ends:
            self._ends.clear()  # of one question, which certainty and readers ask alike
            self._ends[asked] = self._interval(at, level, of, unseen=unseen)
        low, high = self._ends[asked]
        return low.copy(), high.copy()

    @cached_property
    def _ends(self) -> dict[tuple[object, ...], tuple[Floats, Floats]]:
        """What `interval` found last."""
        return {}

    def _interval(
        self, at: Mapping[str, Floats], level: float, of: Of, *, unseen: bool
    ) -> tuple[Floats, Floats]:
        columns = self._columns_at(at)
        values, found = self._values_at(columns, _length(at)), self.found
        sigma = found.sigma[..., None]
        deviation = sigma * np.sqrt(
            (np.einsum("kaij,kain->kajn", found.root * self._live[..., None], values) ** 2).sum(
                axis=2
            )
        )
        value = self._with_below(self._summed(values), columns, at)
        if self._changed:
            deviation = np.where(self._is_below(at), sigma * np.abs(value), deviation)
        kept = self._weight / self._weight.sum(axis=1, keepdims=True)
        laws = Laws(
            *(
                np.moveaxis(a, 1, 0)
                for a in (
                    value,
                    deviation,
                    sigma,
                    self.settings.noise.slopes[found.profile][..., None],
                    kept[..., None],
                )
            )
        )
        shape = values.shape[-1:]
        changed: float | Floats = 0.0
        if unseen:
            changed = self._unseen[:, None] * unseen_changes(self._reach, at, shape)
        return laws.interval(
            beyond(self._reach, at, shape),
            self._positive[:, None],
            level,
            self._scatter[:, None] if of == "observation" else 0.0,
            self.widened,
            changed,
        )

    @cached_property
    def errors(self) -> Errors:
        """How far the chosen fits are from the observations."""
        found, y = self.found, self.batch.y
        values, best = self._at_points(1)
        best = best[:, 0]
        used = values[:, 0] * (found.coefficients[:, 0] != 0)[..., None]
        if self._changed:  # a law does not follow points below its regime
            used = used * ~self.batch.changes.below[found.change[:, 0]][:, None]
        profile = fitted_with(found.profile[:, 0], found.change[:, 0])
        leverage = _leverage(used, found.root[:, 0], self.batch, profile)
        terms = ((self._live[:, 0] > 0) & found.codes[:, 0].any(axis=-1)).sum(axis=1)
        return Errors(
            best,
            smape(y, best),
            smape(y, y - (y - best) / (1 - leverage)),
            adjusted_determination(determination(y, best), y.shape[1], terms),
        )

    @cached_property
    def _smape_of_all(self) -> Floats:
        """(K, A): SMAPE of all alternatives, for those who look at rivals."""
        return smape(self.batch.y[:, None], self._at_points(self.found.codes.shape[1])[1])

    def _at_points(self, count: int) -> tuple[Floats, Floats]:
        """Values of the terms (K, A, k, P) of the first A fits at the points, and of these (K, A,
        P)."""
        values = values_at(self.found.codes[:, :count], self.batch.tables)
        coefficients = self.found.coefficients[:, :count, None]
        points = self.series.points[:, list(self.free)].T
        fitted = self._with_below(
            np.matmul(coefficients, values)[:, :, 0],
            self.batch.tables,
            dict(zip(self.terms.names, points, strict=True)),
        )
        return values, fitted

    @cached_property
    def _live(self) -> Floats:
        """(K, A, k): 1 for coefficients that contribute more than rounding, and are told by more
        than the rounding of the values, 0 for the others."""
        size = np.abs(self.batch.y).max(axis=1, initial=0.0)[:, None, None]
        told = ARITHMETIC.slack * np.sqrt(np.einsum("kaij,kaij->kai", *(self.found.root,) * 2))
        least = np.maximum(ARITHMETIC.idle * size, told)
        return np.where(np.abs(self.found.coefficients) > least, 1.0, 0.0)

    @cached_property
    def _coefficients(self) -> Floats:
        """(K, A, k): coefficients of unscaled terms, idle ones 0."""
        return self._live * self.found.coefficients / self._scale

    @cached_property
    def _scale(self) -> Floats:
        codes = self.found.codes
        return scales_of(codes, self.terms.tables) if self.free else np.ones(codes.shape[:-1])

    @cached_property
    def _weight(self) -> Floats:
        """(K, A): probabilities, those too small to matter 0."""
        weight = np.where(
            self.found.weight > self.settings.report.least_weight, self.found.weight, 0.0
        )
        weight[:, 0] = self.found.weight[:, 0]
        return weight

    @cached_property
    def _reach(self) -> Reach:
        points = self.series.points
        return tuple(
            (name, *_reach(points[:, p]))
            for name, p in zip(self.terms.names, self.free, strict=True)
        )

    @cached_property
    def _scatter(self) -> Floats:
        """(K,): relative variance of one observation beyond that of the mean of a point, from the
        scatter of repetitions."""
        counts, y = self.series.counts, self.batch.magnitude
        freedom = (counts - 1).sum(axis=1)
        squares = (self.series.squares / y**2).sum(axis=1)
        within = squares / np.maximum(freedom, 1.0)
        result: Floats = within * (1 - 1 / np.maximum(counts.mean(axis=1), 1.0))
        return result

    @cached_property
    def _positive(self) -> NDArray[np.bool_]:
        """(K,): can no value be negative?"""
        return self.batch.nonnegative & self.batch.y.any(axis=1)

    @cached_property
    def _unseen(self) -> NDArray[np.bool_]:
        """(K,): may laws end beyond the data and no point tell of it, as those of time do?"""
        return np.array([is_time(self.series.unit(k)) for k in range(len(self.series))])

    @cached_property
    def _certainty(self) -> list[Certainty]:
        """How far each value is known at four times the largest point; never "sure" where the
        design or the fit forbids it."""
        return self._certainty_of(unseen=True) if self._unseen.any() else self._determined

    @cached_property
    def _determined(self) -> list[Certainty]:
        """The same as far as the points tell, which do not tell of laws that end beyond them."""
        return self._certainty_of(unseen=False)

    def _certainty_of(self, *, unseen: bool) -> list[Certainty]:
        top = {n: self.series.points[:, p].max() for n, p in self._free}
        at = {n: np.array([x * self.settings.batch.far[-1]]) for n, x in top.items()}
        at = at or {"": np.zeros(1)}
        value = self.values(at)[:, 0]
        low, high = (end[:, 0] for end in self.interval(at, LEVEL, unseen=unseen))
        found: list[Certainty] = certainty(value, low, high).tolist()
        return [
            "rough" if c == "sure" and (few or why is not None) else c
            for c, few, why in zip(found, self._few_values.tolist(), self._faults, strict=True)
        ]

    @property
    def _free(self) -> list[tuple[str, int]]:
        """The parameters that vary and may occur, with their columns among all."""
        return list(zip(self.terms.names, self.free, strict=True))

    @cached_property
    def _faults(self) -> list[str | None]:
        """Why nothing may be sure whatever the interval says; None where it may be."""
        parameters, points = self.series.parameters, self.series.points
        settings = self.settings.identifiability
        fault = design_fault(parameters, points, settings)
        if fault is not None:
            return [fault] * len(self.series)
        poor = poor_fits(self.series, self.errors.fitted, self.settings.goodness)
        found = [poor.get(k) for k in range(len(self.series))]
        if not self.free:
            return found
        for k in np.flatnonzero(self._outlier).tolist():
            found[k] = found[k] or outlier_question(self.errors.fitted[k], self.batch.y[k])
        shown = self._showing
        for k in np.flatnonzero(shown <= settings.most_top).tolist():
            found[k] = found[k] or few_points_question(int(shown[k]), self._chosen(k)[1])
        return found

    @cached_property
    def _few_values(self) -> NDArray[np.bool_]:
        """(K,): has the leading term a parameter of so few values that with this noise many laws
        are like it there, and unlike it beyond?"""
        settings, lead = self.settings.identifiability, self._leading
        few = [
            i
            for i, (_, column) in enumerate(self._free)
            if len(np.unique(self.series.points[:, column])) < settings.fewest_values
        ]
        noisy = self.found.sigma[:, 0] > settings.quiet
        codes = self.found.codes[np.arange(len(lead)), 0, np.maximum(lead, 0)]
        result: NDArray[np.bool_] = noisy & (lead >= 0) & (codes[:, few] > 0).any(axis=1)
        return result

    @cached_property
    def _outlier(self) -> NDArray[np.bool_]:
        """(K,): is the largest point taken for an outlier?"""
        outlier = self.settings.noise.outlier
        weight = np.where(self.found.profile == outlier, self._weight, 0.0).sum(axis=1)
        result: NDArray[np.bool_] = (self.found.profile[:, 0] == outlier) | (
            weight > 0.5 * self._weight.sum(axis=1)
        )
        return result

    @cached_property
    def _showing(self) -> Codes:
        """(K,): the number of points that show the leading term of each chosen law beyond noise;
        all of them where the law has no other."""
        found, y = self.found, self.batch.y
        parts = found.coefficients[:, 0, :, None] * values_at(found.codes[:, 0], self.batch.tables)
        parts = np.abs(parts * self._live[:, 0, :, None])
        lead = self._leading
        row = np.arange(len(y))
        noise = self.settings.identifiability.showing * found.sigma[:, :1] * np.abs(y)
        shows = parts[row, lead] > noise
        own = ~self.batch.changes.below[found.change[:, 0]]
        shows &= own
        every = own.sum(axis=1)
        result: Codes = np.where(lead >= 0, shows.sum(axis=1), every)
        return result

    @cached_property
    def _leading(self) -> Codes:
        """(K,): the numbers of the leading terms among those of the chosen laws; -1 where a law has
        a constant only."""
        found = self.found
        codes = found.codes[:, 0]
        last = np.abs(
            found.coefficients[:, 0] * values_at(codes, [f[:, -1:] for f in self.batch.far])[..., 0]
        )
        varies = codes.any(axis=-1) & (self._live[:, 0] > 0)
        result: Codes = np.where(varies, last, -1.0).argmax(axis=1)
        return np.where(varies.any(axis=1), result, -1)

    @cached_property
    def _reasons(self) -> list[str | None]:
        """Why a model is not identifiable, with what to measure next; None where it is."""
        parameters, points = self.series.parameters, self.series.points
        reasons = [
            why or ("" if c != "sure" else None)
            for why, c in zip(self._faults, self._determined, strict=True)
        ]
        doubtful = np.array([k for k, why in enumerate(reasons) if why == ""], dtype=np.int64)
        if not self.free:
            return [NOISE if why == "" else why for why in reasons]
        if len(doubtful):
            further = further_points(points.max(axis=0), self.free, self.settings.identifiability)
            flat = further.reshape(-1, points.shape[1])
            columns = [
                t.columns(flat[:, p]) for t, p in zip(self.terms.tables, self.free, strict=True)
            ]
            values = self._summed(self._values_at(columns, len(flat), doubtful), doubtful)
            multiple, direction = discriminating_points(
                values.reshape(*values.shape[:2], *further.shape[:2]),
                self._weight[doubtful],
                self.found.sigma[doubtful],
                self.settings.identifiability,
            )
            for k, point in zip(doubtful.tolist(), further[multiple, direction], strict=True):
                reasons[k] = open_question(parameters, point, float(self.found.lead_share[k]))
        return reasons

    def _columns_at(self, at: Mapping[str, Floats]) -> list[Floats]:
        """Values (T_l, N) of the factors of each parameter at N points."""
        missing = sorted(set(self.terms.names) - set(at))
        if missing:
            raise DataError(
                f"{self.series.callpaths[0]}, {self.series.metrics[0]}: no value for"
                f" {', '.join(missing)}"
            )
        return [t.columns(at[n]) for t, n in zip(self.terms.tables, self.terms.names, strict=True)]

    @cached_property
    def _changed(self) -> bool:
        """Does any law hold from a point on only?"""
        return bool(self.found.change.any())

    def _is_below(self, at: Mapping[str, Floats]) -> NDArray[np.bool_]:
        """(K, A, N): points below the regime of each law."""
        changes = self.batch.changes
        columns = np.stack([at[n] for n in self.terms.names])[changes.parameter]
        result: NDArray[np.bool_] = (columns < changes.start[:, None])[self.found.change]
        return result

    def _with_below(
        self, above: Floats, columns: Sequence[Floats], at: Mapping[str, Floats]
    ) -> Floats:
        """Values (K, A, N) of the first A laws, those of the regime below where that holds."""
        if not self._changed:
            return above
        some = slice(0, above.shape[1])
        codes, coefficients = (
            self.found.below_codes[:, some],
            self.found.below_coefficients[:, some],
        )
        below = np.einsum("kac,kacn->kan", coefficients, values_at(codes, columns))
        return np.where(self._is_below(at)[:, some], below, above)

    def _regime(self, k: int, a: int) -> Regime | None:
        """The regime below that of one alternative."""
        if not self._changed or not self.found.change[k, a]:
            return None
        codes = self.found.below_codes[k, a]
        scaled = self.found.below_coefficients[k, a] / scales_of(codes, self.terms.tables)
        constant, terms = self._in_words(codes.tolist(), scaled.tolist())
        changes, place = self.batch.changes, self.found.change[k, a]
        name = self.terms.names[changes.parameter[place]]
        return Regime(name, float(changes.start[place]), constant, terms)

    def _values_at(
        self,
        columns: Sequence[Floats],
        size: int,
        rows: Codes | slice = slice(None),
        most: int | None = None,
    ) -> Floats:
        """(K, A, k, N): values of the terms of the first alternatives, all of them without `most`,
        from those of the factors of each parameter."""
        codes = self.found.codes[rows, :most]
        return values_at(codes, columns if self.free else [np.ones((1, size))])

    def _summed(self, values: Floats, rows: Codes | slice = slice(None)) -> Floats:
        """(K, A, N): values of the fits from those of their terms."""
        coefficients = (self.found.coefficients * self._live)[rows, : values.shape[1]]
        result: Floats = np.matmul(coefficients[:, :, None, :], values)[:, :, 0]
        return result

    def _chosen(self, k: int) -> tuple[float, Terms]:
        """Constant and terms of the k-th chosen fit."""
        made, places, coefficients, size = self._written
        constant, terms = 0.0, []
        for i in range(k * size, (k + 1) * size):
            if coefficient := coefficients[i]:
                if (term := made[places[i]]) is None:
                    constant = coefficient
                else:
                    terms.append((coefficient, term))
        return constant, tuple(terms)

    @cached_property
    def _written(self) -> tuple[list[Term | None], list[int], list[float], int]:
        """The terms that occur in chosen fits (None: the constant), and of each coefficient of
        these, one after the other, the place of its term among them, and its value; with how many
        coefficients a fit has. Flat lists, since the garbage collector visits lists of lists."""
        codes = self.found.codes[:, 0]
        size, parameters = codes.shape[1:]
        rows = codes.reshape(-1, parameters)
        if parameters == 1:
            first, places = np.unique(rows[:, 0], return_inverse=True)
            first = first[:, None]
        else:
            first, places = np.unique(rows, axis=0, return_inverse=True)
        made = [self.terms.term(tuple(c)) if any(c) else None for c in first.tolist()]
        return made, places.reshape(-1).tolist(), self._coefficients[:, 0].ravel().tolist(), size

    @cached_property
    def _qualities(self) -> list[Quality]:
        errors, points = self.errors, self.errors.fitted.shape[1]
        columns = (errors.smape.tolist(), errors.adjusted_r2.tolist(), errors.loo_smape.tolist())
        return [Quality(*row, points) for row in zip(*columns, strict=True)]

    def _named(self, k: int, a: int) -> tuple[float, Terms]:
        """Constant and terms of one alternative."""
        return self._in_words(self.found.codes[k, a].tolist(), self._coefficients[k, a].tolist())

    def _in_words(
        self, codes: Sequence[Sequence[int]], coefficients: Sequence[float]
    ) -> tuple[float, Terms]:
        constant, terms = 0.0, []
        for code, coefficient in zip(codes, coefficients, strict=True):
            if coefficient and any(code):
                terms.append((coefficient, self.terms.term(tuple(code))))
            elif coefficient:
                constant = coefficient
        return constant, tuple(terms)

    def _laws(self, k: int) -> tuple[Alternative, ...]:
        """The alternatives of one series; their terms that contribute nothing but rounding are left
        out."""
        return tuple(self._law(k, a) for a in np.flatnonzero(self._weight[k]).tolist() or [0])

    def _law(self, k: int, a: int) -> Alternative:
        found, coefficients = self.found, self._coefficients[k, a]
        constant, terms = self._named(k, a)
        live, plain = coefficients != 0, ~found.codes[k, a].any(axis=1)
        kept = [*np.flatnonzero(live & plain).tolist(), *np.flatnonzero(live & ~plain).tolist()]
        root = np.zeros((len(terms) + 1, len(terms) + 1))
        root[len(root) - len(kept) :] = _compact(
            (found.root[k, a] / self._scale[k, a][:, None])[kept], len(root)
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
        forms = {tuple(t for _, t in self._chosen(k)[1])}
        rivals = []
        for a in np.flatnonzero(
            self._weight[k] >= self.settings.report.rival_share * self._weight[k, 0]
        ).tolist():
            constant, terms = self._named(k, a)
            form = tuple(t for _, t in terms)
            if form not in forms:
                forms.add(form)
                rivals.append(Rival(formula_text(constant, terms), float(self._smape_of_all[k, a])))
        return tuple(rivals[: self.settings.report.rivals])


class LazyModels(Sequence[Model]):
    """Models of many series: arrays until one of them is looked at."""

    def __init__(self, count: int) -> None:
        self._fitted: list[Fitted] = []
        self._where = np.full((2, count), -1)  # number of the Fitted, and of the series in it
        self._made: dict[int, Model] = {}

    def put(self, places: Codes, fitted: Fitted) -> None:
        """The series of `fitted` stand at these places."""
        self._where[0, places], self._where[1, places] = len(self._fitted), np.arange(len(places))
        self._fitted.append(fitted)

    def tables(self) -> Iterator[tuple[Codes, ModelTable]]:
        """All models as columns: some of the places at a time."""
        for fitted, places, rows in self.parts():
            yield places, fitted.table(rows.tolist())

    def values(self, at: Mapping[str, Floats | float]) -> Floats:
        """Values (K, ...) of all models at the same points."""
        flat, shape = _flat(at)
        found = np.empty((len(self), len(next(iter(flat.values())))))
        for fitted, places, rows in self.parts():
            found[places] = fitted.values(flat)[rows]
        return found.reshape(len(self), *shape)

    def interval(
        self, at: Mapping[str, Floats | float], level: float, of: Of = "mean"
    ) -> tuple[Floats, Floats]:
        """Lower and upper ends (K, ...) of all models' prediction intervals at the same points."""
        flat, shape = _flat(at)
        ends = np.empty((2, len(self), len(next(iter(flat.values())))))
        for fitted, places, rows in self.parts():
            ends[:, places] = np.array(fitted.interval(flat, level, of))[:, rows]
        low, high = ends.reshape(2, len(self), *shape)
        return low, high

    def parts(self) -> Iterator[tuple[Fitted, Codes, Codes]]:
        """Series modelled together: their places among all, and numbers among them."""
        order = np.argsort(self._where[0], kind="stable")
        ends = np.searchsorted(
            self._where[0], np.arange(len(self._fitted)), side="right", sorter=order
        )
        for fitted, places in zip(self._fitted, np.split(order, ends), strict=False):
            if len(places):  # others may have taken the places of all
                yield fitted, places, self._where[1, places]

    def __len__(self) -> int:
        return self._where.shape[1]

    def __iter__(self) -> Iterator[Model]:
        made, fitted = self._made, self._fitted
        for place, (part, k) in enumerate(zip(*self._where.tolist(), strict=True)):
            model = made.get(place)
            if model is None:
                model = made[place] = fitted[part].model(k)
            yield model

    @overload
    def __getitem__(self, index: int) -> Model: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Model]: ...

    def __getitem__(self, index: int | slice) -> Model | Sequence[Model]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        if place not in self._made:
            part, k = self._where[:, place].tolist()
            self._made[place] = self._fitted[part].model(k)
        return self._made[place]


def _length(at: Mapping[str, Floats]) -> int:
    """How many points are given by name."""
    return len(next(iter(at.values())))


def _flat(at: Mapping[str, Floats | float]) -> tuple[dict[str, Floats], tuple[int, ...]]:
    """Points given by name, broadcast and in one row, and the shape they had."""
    columns = dict(
        zip(
            at, np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in at.values())), strict=True
        )
    )
    shape = next(iter(columns.values())).shape if columns else ()
    return {name: x.reshape(-1) for name, x in columns.items()} or {"": np.zeros(1)}, shape


def _compact(rows: Floats, size: int) -> Floats:
    """Rows (r, k) as rows (r, size) with the same products between rows."""
    result = np.zeros((len(rows), size))
    used = rows[:, rows.any(axis=0)]
    if used.shape[1] > size:
        used = np.linalg.qr(used.T)[1].T
    result[:, : used.shape[1]] = used
    return result


def _leverage(values: Floats, root: Floats, batch: Batch, profile: Codes) -> Floats:
    """(K, P): how far each fitted value follows its own observation."""
    deviation = np.sqrt(batch.spread * profiles(batch.distance, batch.settings.noise)[profile])
    weighted = values / (batch.magnitude * deviation)[:, None]
    projected = np.einsum("kij,kip->kjp", root, weighted)
    result: Floats = np.minimum((projected**2).sum(axis=1), 1 - ARITHMETIC.leverage)
    return result


def _reach(x: Floats) -> tuple[float, float]:
    """(largest value, usual step of the logarithm)."""
    values = np.unique(x)
    if len(values) < 2 or values[0] <= 0:
        return float(values[-1]), 0.0
    return float(values[-1]), float(np.median(np.diff(np.log(values))))
