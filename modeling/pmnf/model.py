"""Fitted models: formula, errors, prediction interval, rivals; and their JSON form
"looplaw-models/1"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload, runtime_checkable

import numpy as np
from msgspec import UNSET, Struct, UnsetType
from numpy.typing import NDArray

from looplaw_common.documents import builtins, convert
from looplaw_common.errors import DataError, UnknownKey
from looplaw_common.html import SHOWN, Typeset, table
from looplaw_common.structs import like_dataclass

from ..data.measurements import Floats
from ..settings import DEFAULT
from .count_law import Counted, CountLaw
from .curve import CurveLaw
from .documents import IntervalDocument, ModelDocument, ModelsDocument, RegimeDocument, TermDocument
from .interval import Alternative, PredictiveMixture, beyond_few, is_negative
from .labelled import is_labelled, models_to_pandas, predict
from .law_names import law_name
from .prediction import LEVEL, WIDEST, Certainty, Of, Prediction, certainty, is_useless
from .regime import Regime, formula_text
from .terms import Term, grows_faster
from .time_law import TimeLaw

if TYPE_CHECKING:
    import pandas

FORMAT: Literal["looplaw-models/1"] = "looplaw-models/1"
_LISTED = 8
"""Names in a message."""


@like_dataclass
class Quality(Struct, frozen=True, gc=False):
    """Errors of a model on the points it was fitted to: SMAPE in % (Reisert et al., Euro-Par 2017,
    Eq. 3), adjusted coefficient of determination, SMAPE of predictions that leave the point out,
    number of points."""

    smape: float
    adjusted_r2: float
    loo_smape: float
    points: int

    def to_json(self) -> dict[str, object]:
        return {
            "smape": self.smape,
            "adjusted_r2": self.adjusted_r2,
            "loo_smape": self.loo_smape,
            "points": self.points,
        }


@dataclass(frozen=True)
class Rival:
    """Another formula that fits as well."""

    formula: str
    smape: float


@like_dataclass
class Model(Struct, frozen=True, gc=False):
    """constant + sum of coefficient * term, the law of the last regime.

    before: the law of the regime below it, if there is one. notes: what else users should know.
    law: where it is set, it is a law of time, and is evaluated; the terms are those of its largest
    regime. counted: where it has an exact formula of counts, that is evaluated. curve: where no
    sum of powers and logarithms holds, that law is evaluated, and the terms are no more than the
    nearest in the normal form. certainty: how far
    the value is known at four times the largest point; it is identifiable where that is "sure".
    unit: that of the values, empty where it is unknown.
    """

    callpath: str
    metric: str
    parameters: tuple[str, ...]
    constant: float
    terms: tuple[tuple[float, Term], ...]
    quality: Quality
    identifiable: bool = True
    reason: str | None = None
    rivals: Sequence[Rival] = ()
    mixture: PredictiveMixture | None = None
    before: Regime | None = None
    notes: tuple[str, ...] = ()
    law: TimeLaw | None = None
    counted: Counted | None = None
    certainty: Certainty | None = None
    unit: str = ""
    curve: CurveLaw | None = None

    def evaluate(self, at: Mapping[str, Floats | float]) -> Floats:
        """Values at parameter values given by name; arrays broadcast.

        Raises:
            DataError: a parameter of the formula has no value.
        """
        columns = self._columns(at)
        if self.law is not None:
            return self.law.seconds(columns)
        if self._exact is not None:
            return np.asarray(self._exact.parsed.values(columns), dtype=float)
        if self.curve is not None:
            return self.curve.evaluate(columns)
        result = np.full(
            np.broadcast_shapes(*(np.shape(c) for c in columns.values())) if columns else (),
            self.constant,
            dtype=float,
        )
        for coefficient, term in self.terms:
            result = result + coefficient * term.evaluate(columns)
        return result if self.before is None else self.before.replaced(result, columns)

    @overload
    def predict(
        self,
        at: Mapping[str, Floats | float | Sequence[float]],
        level: float = LEVEL,
        interval: Of = "mean",
    ) -> Prediction: ...
    @overload
    def predict(self, at: Any, level: float = LEVEL, interval: Of = "mean") -> Any: ...
    def predict(self, at: Any, level: float = LEVEL, interval: Of = "mean") -> Any:
        """The value and the prediction interval at parameter values given by name, or values alone
        as what they are asked with.

        Args:
            at: name -> number or array, which broadcast, gives a `Prediction`. An array (..., m) of
                the m parameters in the model's order gives an array, a DataFrame a Series, a
                Dataset or DataArray, or a mapping of labelled values, a DataArray or Series; see
                `modeling.pmnf.labelled.predict`.
            level: the probability of the interval.
            interval: what it holds: the mean of as many repetitions as were measured at a point, or
                one observation.

        Raises:
            DataError: a parameter of the formula, or of the laws beside it, has no value.
        """
        if (
            isinstance(at, Mapping)
            and not is_labelled(at)  # a Dataset is a mapping, too
            and not any(is_labelled(v) for v in at.values())
        ):
            columns = {name: np.asarray(value, dtype=float) for name, value in at.items()}
            ends = self.interval(columns, level, interval)
            known = self.certainty_at(columns)
            return Prediction.at(self.value_at(columns), *ends, level, interval, known)
        return predict(self, at)

    def _sympy_(self) -> Any:
        return self.sympy

    @property
    def sympy(self) -> Any:
        """The formula as a sympy expression over plain symbols; `sympy.sympify(model)` is the
        same. `modeling.to_sympy` has positive symbols instead."""
        from .model_forms import to_sympy

        return to_sympy(self, positive=False)

    def latex(self) -> str:
        """The formula typeset, its numbers to three digits."""
        from .model_forms import to_latex

        return to_latex(self)

    def lambdify(self, *names: str) -> Callable[..., Floats]:
        """The formula as a function of numbers or arrays, which broadcast.

        Args:
            names: the order of its arguments; that of the parameters where none is given.
        """
        order = names or self.parameters

        def law(*args: Floats | float, **named: Floats | float) -> Floats:
            return self.evaluate(dict(zip(order, args, strict=False)) | named)

        return law

    def __call__(self, **at: Floats | float) -> Floats:
        """Values at parameter values given by name, as in model(n=1e3); arrays broadcast.

        Raises:
            DataError: a parameter of the formula has no value.
        """
        return self.evaluate(at)

    @property
    def _exact(self) -> CountLaw | None:
        return None if self.counted is None else self.counted.law

    def _columns(self, at: Mapping[str, Floats | float]) -> dict[str, Floats]:
        needed = {p for _, t in self.terms for p in t.parameters}
        if self.before is not None:
            needed.add(self.before.parameter)
        if self.law is not None:
            needed = set(self.law.parameters)
        if self.curve is not None:
            needed = {self.curve.parameter}
        if self._exact is not None:
            needed = set(self._exact.symbols)
        missing = sorted(needed - set(at))
        if missing:
            raise DataError(f"{self.callpath}, {self.metric}: no value for {', '.join(missing)}")
        return {name: np.asarray(value, dtype=float) for name, value in at.items()}

    def interval(
        self, at: Mapping[str, Floats | float], level: float = LEVEL, of: Of = "mean"
    ) -> tuple[Floats, Floats]:
        """Lower and upper end of the prediction interval for a new mean of as many repetitions as
        were measured at a point, or for one observation."""
        columns = self._columns(at)
        if self.law is not None:
            return self.law.interval(columns, level)
        if self.counted is not None and self._exact is not None:
            value = self.evaluate(at)
            known = self.counted.known_at(columns) & ~(value < 0)
            return np.where(known, value, 0.0), np.where(known, value, np.inf)
        if self.curve is not None:
            others = None if self.mixture is None else self.mixture.interval(columns, level, of)
            return self.curve.interval(columns, level, others)
        if self.mixture is None:
            value = self.evaluate(at)
            return np.full_like(value, -np.inf), np.full_like(value, np.inf)
        missing = sorted(self.needed - set(at))
        if missing:
            raise DataError(f"{self.callpath}, {self.metric}: no value for {', '.join(missing)}")
        return self.mixture.interval(columns, level, of)

    def value_at(self, at: Mapping[str, Floats | float]) -> Floats:
        """Values as `evaluate` has them where they can be: where the law is below zero though no
        value can be, it is refuted, and the value is the median of the laws beside it that are not,
        NaN where there is none; also where a curve exceeds all numbers.

        Raises:
            DataError: a parameter of the formula, or of the laws beside it, has no value.
        """
        columns = self._columns(at)
        value, mixture = self.evaluate(columns), self.mixture
        if self.curve is not None:
            return np.where(np.isfinite(value), value, np.nan)
        refuted = self._refuted(columns, value)
        if not refuted.any():
            return value
        if mixture is None:
            return np.where(refuted, np.nan, value)
        median, above = mixture.interval(columns, 0.0)
        others = np.where(np.isfinite(above), median, np.nan)
        return np.where(refuted, others, value)

    def _refuted(self, columns: Mapping[str, Floats], value: Floats) -> NDArray[np.bool_]:
        """Where is the law below zero, though no value can be?"""
        mixture = self.mixture
        if self._exact is not None:
            return np.asarray(value < 0)
        computed = self.law is not None or self.curve is not None
        if computed or mixture is None or not mixture.positive or not (value < 0).any():
            return np.zeros(np.shape(value), dtype=np.bool_)
        parts = np.full(np.shape(value), abs(self.constant))
        for c, term in self.terms:
            parts = parts + np.abs(c * term.evaluate(columns))
        if self.before is not None:
            parts = np.abs(self.before.replaced(parts, columns))
        return is_negative(value, parts)

    def why_unknown(self, at: Mapping[str, Floats | float]) -> str | None:
        """Why the value at one point is not known: the law is below zero there, only one value of a
        parameter was measured, or the interval spans more than any use has for it; None where it
        is."""
        columns = self._columns(at)
        if self._refuted(columns, self.evaluate(columns)).any():
            return "the law is below zero there, so it does not hold so far"
        reach = () if self.mixture is None else self.mixture.reach
        only = {name: top for name, top, _, values in reach if values == 1}
        if self._exact is not None and self.counted is not None:
            only = self.counted.only
        for name, value in only.items():
            if columns.get(name, value) != value:
                return f"only {name} = {value:g} was measured, which tells nothing of other values"
        low, high = self.interval(columns)
        if is_useless(float(low), float(high)):
            return f"its interval spans more than a factor of {WIDEST:g}"
        return None

    def certainty_at(self, at: Mapping[str, Floats | float]) -> NDArray[np.str_]:
        """How far the mean is known at parameter values given by name: "sure" where the 90 %
        interval lies within a quarter of the value, "rough" within a factor of two, else "open".
        Beyond the points only an identifiable model is sure, and that only of parameters that had
        values enough."""
        columns = self._columns(at)
        value = self.value_at(columns)
        found = certainty(value, *self.interval(columns))
        if self.mixture is None:
            return found
        found = np.where(self._refuted(columns, self.evaluate(columns)), "open", found)
        reach = self.mixture.reach
        outside = beyond_few(reach, columns, DEFAULT.identifiability.fewest_values)
        if not self.identifiable:
            for name, top, *_ in reach:
                outside = outside | (columns.get(name, np.inf) > top)
        return np.where(outside & (found == "sure"), "rough", found)

    @property
    def needed(self) -> frozenset[str]:
        """The parameters that a prediction with its interval needs: those of the formula and of the
        laws beside it."""
        if self.law is not None:
            return self.law.parameters
        if self._exact is not None:
            return self._exact.symbols
        if self.curve is not None:
            return frozenset((self.curve.parameter,))
        beside = () if self.mixture is None else self.mixture.alternatives
        terms = (*self.terms, *(term for a in beside for term in a.terms))
        regimes = (self.before, *(a.before for a in beside))
        return frozenset(p for _, t in terms for p in t.parameters) | {
            r.parameter for r in regimes if r is not None
        }

    @property
    def lead(self) -> Term:
        """The term that outgrows the others; the empty term for a constant."""
        best = Term(())
        for coefficient, term in self.terms:
            if coefficient and (
                grows_faster(term, best) or (not best.factors and not self.constant)
            ):
                best = term
        return best

    def __repr__(self) -> str:
        sure = "" if self.identifiable else ", not identifiable"
        return f"Model({self.callpath}, {self.metric}: {self.formula}{sure})"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return Models((self,))._repr_html_()

    @property
    def formula(self) -> str:
        """Text that sympy reads; log(x, 2) is the binary logarithm."""
        if self._exact is not None:
            return self._exact.formula
        if self.curve is not None:
            return self.curve.formula
        return formula_text(self.constant, self.terms)

    def to_json(self) -> dict[str, object]:
        return {
            "callpath": self.callpath,
            "metric": self.metric,
            "constant": self.constant,
            "terms": [{"coefficient": c, "exponents": t.to_json()} for c, t in self.terms],
            "formula": self.formula,
            "name": law_name(self),
            "quality": self.quality.to_json(),
            "identifiable": self.identifiable,
            "reason": self.reason,
            "rivals": [{"formula": r.formula, "smape": r.smape} for r in self.rivals],
            "parameters": list(self.parameters),
            "interval": None if self.mixture is None else self.mixture.to_json(),
            "before": None if self.before is None else self.before.to_json(),
            "notes": list(self.notes),
            "law": None if self.law is None else self.law.to_json(),
            "counted": None if self.counted is None else builtins(self.counted),
            "certainty": self.certainty,
            "unit": self.unit or None,
            **({} if self.curve is None else {"curve": self.curve.to_json()}),
        }

    @property
    def document(self) -> ModelDocument:
        """The model as documents hold it."""
        return convert(self.to_json(), ModelDocument, f"{self.callpath}, {self.metric}")

    @staticmethod
    def of(document: ModelDocument, name: str = "model") -> Model:
        """The model that a document holds.

        Raises:
            DataError: the interval's matrices and terms differ in size; an earlier version wrote a
                law that this one does not know.
        """
        if document.exponential is not UNSET:
            raise DataError(
                f"{name}: exponential: written by an earlier version; fit the measurements again"
            )
        terms = _terms(document.terms)
        names = document.parameters
        if names is None:
            names = tuple(sorted({n for _, t in terms for n in t.parameters}))
        q = document.quality
        return Model(
            document.callpath,
            document.metric,
            names,
            document.constant,
            terms,
            Quality(q.smape, q.adjusted_r2, q.loo_smape, q.points),
            document.identifiable,
            document.reason,
            tuple(Rival(r.formula, r.smape) for r in document.rivals),
            None if document.interval is None else _mixture(document.interval, f"{name}.interval"),
            _regime(document.before),
            document.notes or (),
            None if document.law is None else document.law.learned,
            document.counted,
            document.certainty or None,
            document.unit or "",
            document.curve.learned if document.curve else None,
        )


@runtime_checkable
class BatchedModels(Protocol):
    """Models whose values and intervals are computed for all series at once."""

    def tables(self) -> Iterator[tuple[NDArray[np.int64], ModelTable]]: ...
    def values(self, at: Mapping[str, Floats | float]) -> Floats: ...
    def interval(
        self, at: Mapping[str, Floats | float], level: float, of: Of = "mean"
    ) -> tuple[Floats, Floats]: ...


@dataclass(frozen=True, repr=False)
class Models:
    """The models of a set of measurements: a sequence, in which one is also found by its call path,
    or by (call path, metric)."""

    models: Sequence[Model]

    def __len__(self) -> int:
        return len(self.models)

    def __iter__(self) -> Iterator[Model]:
        return iter(self.models)

    def __getitem__(self, key: int | str | tuple[str, str]) -> Model:
        """A model by its place, its call path, or (call path, metric).

        Raises:
            UnknownKey: no model, or several, have that name; the message lists what there is.
        """
        if isinstance(key, int):
            return self.models[key]
        callpath, metric = (key, None) if isinstance(key, str) else key
        found = [m for m in self.models if m.callpath == callpath and metric in (None, m.metric)]
        if len(found) == 1:
            return found[0]
        names = [
            repr((m.callpath, m.metric) if found else m.callpath) for m in found or self.models
        ]
        listed = ", ".join(dict.fromkeys(names[:_LISTED])) + ", ..." * (len(names) > _LISTED)
        raise UnknownKey(
            f"{key!r} names {'several models' if found else 'no model'}; there are {listed}"
        )

    def __repr__(self) -> str:
        shown = "; ".join(f"{m.callpath}: {m.formula}" for m in self.models[:3])
        return f"Models({len(self)}: {shown}{'; ...' * (len(self) > 3)})"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        heads = ("call path", "metric", "model", "leave-one-out error", "identifiable")
        return table(
            heads,
            [
                (
                    m.callpath,
                    m.metric,
                    Typeset(m.latex()),
                    f"{m.quality.loo_smape:.3g} %",
                    "yes" if m.identifiable else f"no: {m.reason or ''}",
                )
                for m in self.models[: SHOWN + 1]
            ],
            len(self),
        )

    def find(self, callpath: str, metric: str) -> Model | None:
        return next((m for m in self.models if (m.callpath, m.metric) == (callpath, metric)), None)

    def to_pandas(self) -> pandas.DataFrame:
        """A table of formulas and how well they fit, one row a model."""
        return models_to_pandas(self.models)

    def tables(self) -> Iterator[tuple[NDArray[np.int64], ModelTable]]:
        """All models as columns: places of some of them, and these, at a time."""
        if isinstance(self.models, BatchedModels):
            yield from self.models.tables()
        elif self.models:
            yield np.arange(len(self.models)), _table(self.models)

    def values(self, at: Mapping[str, Floats | float]) -> Floats:
        """Values (K, ...) of all models at the same points.

        Raises:
            DataError: a parameter has no value.
        """
        if isinstance(self.models, BatchedModels):
            return self.models.values(at)
        return np.array([m.evaluate(at) for m in self.models])

    def interval(
        self, at: Mapping[str, Floats | float], level: float = LEVEL, of: Of = "mean"
    ) -> tuple[Floats, Floats]:
        """Lower and upper ends (K, ...) of the prediction intervals of all models at the same
        points, for new means or observations.

        Raises:
            DataError: a parameter has no value.
        """
        if isinstance(self.models, BatchedModels):
            return self.models.interval(at, level, of)
        ends = np.array([m.interval(at, level, of) for m in self.models])
        return ends[:, 0], ends[:, 1]

    def to_json(self) -> dict[str, object]:
        """The contract "looplaw-models/1"."""
        return {"format": FORMAT, "models": [m.to_json() for m in self.models]}

    @staticmethod
    def from_json(data: object, name: str = "models") -> Models:
        """Read models back.

        Raises:
            DataError: the data are not in the form that `to_json` writes.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise DataError(
                f'{name}: not a file of models ("format": "{FORMAT}" is missing); make one with '
                f"looplaw fit FILE --json OUT"
            )
        return Models.of(convert(data, ModelsDocument, name), name)

    @property
    def document(self) -> ModelsDocument:
        """The models as documents hold them."""
        return ModelsDocument(FORMAT, tuple(m.document for m in self.models))

    @staticmethod
    def of(document: ModelsDocument, name: str = "models") -> Models:
        """The models that a document holds.

        Raises:
            DataError: a model contradicts itself.
        """
        return Models(
            tuple(Model.of(m, f"{name}: models[{k}]") for k, m in enumerate(document.models))
        )


def _table(models: Sequence[Model]) -> ModelTable:
    terms = [term for m in models for term in m.terms]
    smape, loo_smape, adjusted_r2 = np.array(
        [(m.quality.smape, m.quality.loo_smape, m.quality.adjusted_r2) for m in models]
    ).T
    return ModelTable(
        [m.formula for m in models],
        [m.constant for m in models],
        [len(m.terms) for m in models],
        [c for c, _ in terms],
        [str(t) for _, t in terms],
        smape,
        loo_smape,
        adjusted_r2,
        [m.quality.points for m in models],
        [m.identifiable for m in models],
        [m.reason for m in models],
    )


def _terms(found: Sequence[TermDocument]) -> tuple[tuple[float, Term], ...]:
    return tuple(
        (
            t.coefficient,
            Term.of({n: (Fraction(i), Fraction(j)) for n, (i, j) in t.exponents.items()}),
        )
        for t in found
    )


def _regime(found: RegimeDocument | UnsetType | None) -> Regime | None:
    if not found or isinstance(found, UnsetType):
        return None
    return Regime(found.parameter, found.until, found.constant, _terms(found.terms))


def _mixture(document: IntervalDocument, name: str) -> PredictiveMixture:
    if not document.alternatives:
        raise DataError(f"{name}.alternatives: a law at least is expected")
    for k, a in enumerate(document.alternatives):
        size = len(a.terms) + 1
        if len(a.root) != size or any(len(row) != size for row in a.root):
            raise DataError(
                f"{name}.alternatives[{k}].root: expected {size} rows of {size} numbers"
            )
    return PredictiveMixture(
        tuple(
            Alternative(
                a.weight, a.sigma, a.kappa, a.constant, _terms(a.terms), a.root, _regime(a.before)
            )
            for a in document.alternatives
        ),
        tuple(
            (n, top, step, int(values[0]) if values else 0)
            for n, (top, step, *values) in document.reach.items()
        ),
        document.positive,
        document.scatter or 0.0,
        max(document.widened or 1.0, 1.0),
        bool(document.unseen),
        document.shown or 0,
    )


@dataclass(frozen=True)
class ModelTable:
    """K models as columns, where there are too many to look at one by one.

    formula, constant; lengths: the number of terms of each, with the coefficients and texts of all
    terms, one model's after the other's; smape, loo_smape, adjusted_r2 and points as in `Quality`;
    identifiable, and the reason where one is not.
    """

    formula: Sequence[str]
    constant: Sequence[float]
    lengths: Sequence[int]
    coefficients: Sequence[float]
    terms: Sequence[str]
    smape: Floats
    loo_smape: Floats
    adjusted_r2: Floats
    points: Sequence[int]
    identifiable: Sequence[bool]
    reason: Sequence[str | None]

    def __len__(self) -> int:
        return len(self.formula)
