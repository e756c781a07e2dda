"""Chosen alternatives of series modelled together as arrays: values, errors and intervals of all at
once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from ..data.measurements import Floats, Stack
from ..evidence.disturbances import Cleaned
from ..evidence.goodness_of_fit import beyond_rounding
from ..evidence.noise import profiles
from ..kernel import intervals as compiled
from ..pmnf.curve import CurveLaw
from ..pmnf.dictionary import TermTable
from ..pmnf.goodness import adjusted_determination, determination, smape
from ..pmnf.hypotheses import Codes, scales_of, values_at
from ..pmnf.interval import Reach, beyond, opened, unseen_changes, within
from ..pmnf.prediction import Of
from ..pmnf.terms import NO_PRIOR, Prior
from ..search.batch import Batch
from ..search.gathered import fitted_with, live
from ..search.model_selection import Alternatives
from ..settings import ARITHMETIC, COLUMNS_KEPT, INTERVAL, Settings
from .written import Terms, written


@dataclass(frozen=True)
class Errors:
    """Errors of K chosen fits: their values (K, P), SMAPE, leave-one-out SMAPE and adjusted R**2
    (K,)."""

    fitted: Floats
    smape: Floats
    loo_smape: Floats
    adjusted_r2: Floats


@dataclass(frozen=True)
class ChosenLaws:
    """The alternatives (K, A) found for K series, the chosen one first. `widened` is how much wider
    their intervals are than each tells of itself; `prior` what was known of them beforehand;
    `curves` the laws of those that follow no sum of powers, by their numbers."""

    cleaned: Cleaned
    terms: TermTable
    free: tuple[int, ...]
    batch: Batch
    found: Alternatives
    widened: float = 1.0
    prior: Prior = NO_PRIOR
    curves: Mapping[int, CurveLaw] = field(default_factory=dict)

    @property
    def series(self) -> Stack:
        """The series, without their disturbances."""
        return self.cleaned.series

    @property
    def settings(self) -> Settings:
        """The constants of the fitter."""
        return self.batch.settings

    def values(self, at: Mapping[str, Floats]) -> Floats:
        """Values (K, N) of all models at N points.

        Raises:
            DataError: a parameter that varies has no value.
        """
        columns = self._columns_at(at)
        value = self.summed(self.values_at_columns(columns, _length(at), most=1))
        found = self._with_below(value, columns, at)[:, 0]
        for k, law in self.curves.items():
            found[k] = law.evaluate(at)
        return found

    def interval(
        self, at: Mapping[str, Floats], level: float, of: Of = "mean", *, unseen: bool = True
    ) -> tuple[Floats, Floats]:
        """Lower and upper ends (K, N) of all series' prediction intervals, as those of their
        models, at N points; without `unseen` as the points tell them alone: as though no law of
        time ended beyond the data, and few values decided exponents. The last answer is kept.

        Raises:
            DataError: a parameter that varies has no value.
        """
        low, high = self._asked(at, level, of, (unseen and self.has_unseen,))[0]
        return low.copy(), high.copy()

    def both_intervals(
        self, at: Mapping[str, Floats], level: float
    ) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Those of a mean without `unseen`, and with it."""
        both = self._asked(at, level, "mean", (False, True) if self.has_unseen else (False,))
        return both[0], both[-1]

    def _asked(
        self, at: Mapping[str, Floats], level: float, of: Of, ways: tuple[bool, ...]
    ) -> list[tuple[Floats, Floats]]:
        """See `interval`, with and without `unseen`."""
        asked = (*(x.tobytes() for x in at.values()), *at, level, of)
        missing = tuple(unseen for unseen in ways if (*asked, unseen) not in self._ends)
        if missing:
            found = self._interval(at, level, of, missing)
            for k, law in self.curves.items():
                for ends in found:
                    others = ends[0][k], ends[1][k]
                    ends[0][k], ends[1][k] = law.interval(at, level, others)
            self._ends.clear()  # of one question, which certainty and readers ask alike
            self._ends |= {(*asked, u): ends for u, ends in zip(missing, found, strict=True)}
        return [self._ends[*asked, unseen] for unseen in ways]

    @cached_property
    def _ends(self) -> dict[tuple[object, ...], tuple[Floats, Floats]]:
        """What `interval` found last."""
        return {}

    def _interval(
        self, at: Mapping[str, Floats], level: float, of: Of, ways: tuple[bool, ...]
    ) -> list[tuple[Floats, Floats]]:
        """The ends with and without `unseen`: all of them at once, as though at other points."""
        length, own = _length(at), ways if self.unseen.any() else ways[:1]
        every = {n: np.tile(x, len(own)) for n, x in at.items()} if len(own) > 1 else at
        changed = self.unseen[:, None] * unseen_changes(self.reach, every, (len(own) * length,))
        changed = changed * np.repeat(own, length)
        low, high = self._raw_interval(every, level, of, changed)
        parts = [slice(k * length, (k + 1) * length) for k in range(len(own))]
        ends = [(low[:, part], high[:, part]) for part in parts]
        if len(own) < len(ways):
            ends += [(low.copy(), high.copy())]
        return [self._opened(e, at, level) if u else e for u, e in zip(ways, ends, strict=True)]

    def _raw_interval(
        self, at: Mapping[str, Floats], level: float, of: Of, changed: Floats
    ) -> tuple[Floats, Floats]:
        """The ends where laws have ended with some probability (K, N)."""
        columns, ends = self._columns_at(at), within(self.reach, at)
        inner, shape = self._columns_at(ends), (_length(at),)
        distance = beyond(self.reach, at, shape)
        scatter = self.scatter if of == "observation" else np.zeros(len(self.series))
        kept = self.weight / self.weight.sum(axis=1, keepdims=True)
        found, kappa = self.found, self.settings.noise.slopes[self.found.profile]
        return compiled.ends(
            compiled.Mixtures(
                *(found.codes, found.coefficients, found.root, self.live),
                *(found.sigma, kappa, kept, self.positive),
            ),
            *(self._or_one(columns, shape), self._or_one(inner, shape)),
            self._below(at, ends),
            distance,
            scatter,
            changed,
            self.widened,
            compiled.levels_of(level),
        )

    def _opened(
        self, ends: tuple[Floats, Floats], at: Mapping[str, Floats], level: float
    ) -> tuple[Floats, Floats]:
        """See `opened`."""
        by_series = self.positive[:, None], level, self.shown[:, None]
        return opened(ends, self.reach, at, *by_series)

    def _or_one(self, columns: list[Floats], shape: tuple[int, ...]) -> list[Floats]:
        """Values of factors, those of a constant where no parameter varies."""
        return columns if self.free else [np.ones((1, *shape))]

    def _below(self, at: Mapping[str, Floats], ends: Mapping[str, Floats]) -> compiled.Below | None:
        """The laws of the regimes below, for points and for where the data end on the way there."""
        if not self.changed:
            return None
        regimes = self._changes[1], self.found.below_codes, self.found.below_coefficients
        return compiled.Below(*regimes, self._below_each(at), self._below_each(ends))

    @cached_property
    def errors(self) -> Errors:
        """How far the chosen fits are from the observations."""
        found, y = self.found, self.batch.y
        values, best = self._chosen_at_points
        best = best[:, 0]
        used = values[:, 0] * (found.coefficients[:, 0] != 0)[..., None]
        if self.changed:  # a law does not follow points below its regime
            used = used * ~self.batch.changes.below(found.change[:, 0])[:, None]
        profile = fitted_with(found.profile[:, 0], found.change[:, 0])
        leverage = _leverage(used, found.root[:, 0], self.batch, profile)
        terms = ((self.live[:, 0] > 0) & found.codes[:, 0].any(axis=-1)).sum(axis=1)
        near = best, y - (y - best) / (1 - leverage)
        for k, law in self.curves.items():
            near[0][k], near[1][k] = law.at_points(self.series.points[:, self.free[0]], y[k])
            terms[k] = 1
        if not y.all():  # beside a zero all of rounding would be an error
            near = beyond_rounding(y, near[0]), beyond_rounding(y, near[1])
        return Errors(
            best,
            smape(y, near[0]),
            smape(y, near[1]),
            adjusted_determination(determination(y, best), y.shape[1], terms),
        )

    @cached_property
    def smape_of_all(self) -> Floats:
        """(K, A): SMAPE of all alternatives, for those who look at rivals."""
        return smape(self.batch.y[:, None], self._at_points(self.found.codes.shape[1])[1])

    @cached_property
    def _chosen_at_points(self) -> tuple[Floats, Floats]:
        """Those of the first fits."""
        return self._at_points(1)

    def _at_points(self, count: int) -> tuple[Floats, Floats]:
        """Values of the terms (K, A, k, P) of the first A fits at the points, and of these (K, A,
        P)."""
        values = values_at(self.found.codes[:, :count], self.batch.tables)
        coefficients = self.found.coefficients[:, :count, :, None]
        points = self.series.points[:, list(self.free)].T
        fitted = self._with_below(
            summed(coefficients, values),
            self.batch.tables,
            dict(zip(self.terms.names, points, strict=True)),
        )
        return values, fitted

    @cached_property
    def live(self) -> Floats:
        """(K, A, k): 1 for coefficients that contribute more than rounding, 0 for the others."""
        return np.where(live(self.batch.y, self.found.coefficients, self.found.root), 1.0, 0.0)

    @cached_property
    def coefficients(self) -> Floats:
        """(K, A, k): coefficients of unscaled terms, idle ones 0."""
        return self.live * self.found.coefficients / self.scale

    @cached_property
    def scale(self) -> Floats:
        codes = self.found.codes
        return scales_of(codes, self.terms.tables) if self.free else np.ones(codes.shape[:-1])

    @cached_property
    def weight(self) -> Floats:
        """(K, A): probabilities, those too small to matter 0."""
        weight = np.where(
            self.found.weight > self.settings.report.least_weight, self.found.weight, 0.0
        )
        weight[:, 0] = self.found.weight[:, 0]
        return weight

    @cached_property
    def reach(self) -> Reach:
        points, varying = self.series.points, set(self.free)
        occurring = self.prior.parameters
        found = []
        for p, name in enumerate(self.series.parameters):
            top, step, values = _reach(points[:, p])
            if p in varying:  # the exponents of a known law are not decided by the points
                found.append((name, top, step, 0 if self.prior.fixed else values))
            elif values == 1 and (occurring is None or name in occurring):
                found.append((name, top, step, values))
        return tuple(found)

    @cached_property
    def scatter(self) -> Floats:
        """(K,): relative variance of one observation beyond that of the mean of a point, from the
        scatter of repetitions."""
        counts, y = self.series.counts, self.batch.magnitude
        freedom = (counts - 1).sum(axis=1)
        squares = (self.series.squares / y**2).sum(axis=1)
        within = squares / np.maximum(freedom, 1.0)
        result: Floats = within * (1 - 1 / np.maximum(counts.mean(axis=1), 1.0))
        return result

    @cached_property
    def positive(self) -> NDArray[np.bool_]:
        """(K,): can no value be negative?"""
        return self.batch.nonnegative & self.batch.y.any(axis=1)

    @cached_property
    def unseen(self) -> NDArray[np.bool_]:
        """(K,): may laws end beyond the data and no point tell of it, as those of time do?"""
        return self.series.are_times

    @cached_property
    def has_unseen(self) -> bool:
        """Is there anything beyond the data that the points do not tell?"""
        few = 2 + len(INTERVAL.open_values)
        return (
            bool(self.unseen.any())
            or any(0 < values < few for *_, values in self.reach)
            or bool((self.shown <= len(INTERVAL.open_terms)).any())
        )

    @property
    def varying(self) -> list[tuple[str, int]]:
        """The parameters that vary and may occur, with their columns among all."""
        return list(zip(self.terms.names, self.free, strict=True))

    @cached_property
    def leading(self) -> Codes:
        """(K,): the numbers of the leading terms among those of the chosen laws; -1 where a law has
        a constant only."""
        found = self.found
        codes = found.codes[:, 0]
        last = np.abs(
            found.coefficients[:, 0] * values_at(codes, [f[:, -1:] for f in self.batch.far])[..., 0]
        )
        varies = codes.any(axis=-1) & (self.live[:, 0] > 0)
        result: Codes = np.where(varies, last, -1.0).argmax(axis=1)
        return np.where(varies.any(axis=1), result, -1)

    @cached_property
    def shown(self) -> Codes:
        """(K,): the number of points that show the leading term of each chosen law beyond noise;
        all of them where the law has no other."""
        found, y = self.found, self.batch.y
        parts = found.coefficients[:, 0, :, None] * self._chosen_at_points[0][:, 0]
        parts = np.abs(parts * self.live[:, 0, :, None])
        lead = self.leading
        row = np.arange(len(y))
        noise = self.settings.identifiability.showing * found.sigma[:, :1] * np.abs(y)
        shows = parts[row, lead] > noise
        own = ~self.batch.changes.below(found.change[:, 0])
        shows &= own
        every = own.sum(axis=1)
        result: Codes = np.where(lead >= 0, shows.sum(axis=1), every)
        return result

    def _columns_at(self, at: Mapping[str, Floats]) -> list[Floats]:
        """Values (T_l, N) of the factors of each parameter at N points."""
        missing = sorted(set(self.terms.names) - set(at))
        if missing:
            raise DataError(
                f"{self.series.callpaths[0]}, {self.series.metrics[0]}: no value for"
                f" {', '.join(missing)}"
            )
        if len(self._columns) > COLUMNS_KEPT:
            self._columns.clear()
        found = []
        for table, name in zip(self.terms.tables, self.terms.names, strict=True):
            asked = name, at[name].tobytes()
            if asked not in self._columns:
                self._columns[asked] = table.columns(at[name])
            found.append(self._columns[asked])
        return found

    @cached_property
    def _columns(self) -> dict[tuple[str, bytes], Floats]:
        """Values of factors that were asked for last: values, intervals and their inner ends ask
        for the same."""
        return {}

    @cached_property
    def changed(self) -> bool:
        """Does any law hold from a point on only?"""
        return bool(self.found.change.any())

    @cached_property
    def _changes(self) -> tuple[Codes, Codes]:
        """The numbers of the changes that the laws have, and (K, A) which of them each has."""
        numbers, which = np.unique(self.found.change, return_inverse=True)
        return numbers, which.reshape(self.found.change.shape)

    def _below_each(self, at: Mapping[str, Floats]) -> NDArray[np.bool_]:
        """(changes, N): points below each change that the laws have."""
        changes, numbers = self.batch.changes, self._changes[0]
        columns = np.stack([at[n] for n in self.terms.names])[changes.parameter[numbers]]
        result: NDArray[np.bool_] = columns < changes.start[numbers, None]
        return result

    def _is_below(self, at: Mapping[str, Floats]) -> NDArray[np.bool_]:
        """(K, A, N): points below the regime of each law."""
        result: NDArray[np.bool_] = self._below_each(at)[self._changes[1]]
        return result

    def _with_below(
        self, above: Floats, columns: Sequence[Floats], at: Mapping[str, Floats]
    ) -> Floats:
        """Values (K, A, N) of the first A laws, those of the regime below where that holds."""
        if not self.changed:
            return above
        some = slice(0, above.shape[1])
        codes, coefficients = (
            self.found.below_codes[:, some],
            self.found.below_coefficients[:, some],
        )
        below = summed(coefficients[..., None], values_at(codes, columns))
        return np.where(self._is_below(at)[:, some], below, above)

    def values_at_columns(
        self,
        columns: Sequence[Floats],
        size: int,
        rows: Codes | slice = slice(None),
        most: int | None = None,
    ) -> Floats:
        """(K, A, k, N): values of the terms of the first alternatives, all of them without `most`,
        from those of the factors of each parameter."""
        return values_at(self.found.codes[rows, :most], self._or_one(list(columns), (size,)))

    def summed(self, values: Floats, rows: Codes | slice = slice(None)) -> Floats:
        """(K, A, N): values of the fits from those of their terms."""
        coefficients = (self.found.coefficients * self.live)[rows, : values.shape[1]]
        return summed(coefficients[..., None], values)

    def chosen(self, k: int) -> tuple[float, Terms]:
        """Constant and terms of the k-th chosen fit."""
        constants, terms = self.written
        return constants[k], terms[k]

    @cached_property
    def written(self) -> tuple[list[float], list[Terms]]:
        """Constants and terms of all chosen fits."""
        return written(self.found.codes[:, 0], self.coefficients[:, 0], self.terms)

    def named(self, k: int, a: int) -> tuple[float, Terms]:
        """Constant and terms of one alternative."""
        return self.in_words(self.found.codes[k, a].tolist(), self.coefficients[k, a].tolist())

    def in_words(
        self, codes: Sequence[Sequence[int]], coefficients: Sequence[float]
    ) -> tuple[float, Terms]:
        constant, terms = 0.0, []
        for code, coefficient in zip(codes, coefficients, strict=True):
            if coefficient and any(code):
                terms.append((coefficient, self.terms.term(tuple(code))))
            elif coefficient:
                constant = coefficient
        return constant, tuple(terms)


def summed(a: Floats, b: Floats) -> Floats:
    """(..., N): sums of few products (..., k, N), one after the other: parts of laws may be far
    greater than their sums, and the kernel adds them in this order."""
    products = a * b
    total: Floats = products[..., 0, :]
    for k in range(1, products.shape[-2]):
        total = total + products[..., k, :]
    return total


def _length(at: Mapping[str, Floats]) -> int:
    """How many points are given by name."""
    return len(next(iter(at.values())))


def _leverage(values: Floats, root: Floats, batch: Batch, profile: Codes) -> Floats:
    """(K, P): how far each fitted value follows its own observation."""
    deviation = np.sqrt(batch.spread * profiles(batch.distance, batch.settings.noise)[profile])
    weighted = values / (batch.magnitude * deviation)[:, None]
    projected = np.einsum("kij,kip->kjp", root, weighted)
    result: Floats = np.minimum((projected**2).sum(axis=1), 1 - ARITHMETIC.leverage)
    return result


def _reach(x: Floats) -> tuple[float, float, int]:
    """(largest value, usual step of the logarithm, number of values)."""
    values = np.unique(x)
    if len(values) < 2 or values[0] <= 0:
        return float(values[-1]), 0.0, len(values)
    return float(values[-1]), float(np.median(np.diff(np.log(values)))), len(values)
