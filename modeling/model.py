"""Fitted models: formula, errors, prediction interval, rivals; and their JSON form "looplaw-models/1"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import stats

from .errors import DataError
from .measurements import Floats
from .terms import Term, grows_faster

FORMAT = "looplaw-models/1"


@dataclass(frozen=True)
class Quality:
    """Errors of a model on the points it was fitted to: SMAPE in % (Reisert et al., Euro-Par 2017, Eq. 3), adjusted
    coefficient of determination, SMAPE of predictions that leave the point out, number of points."""

    smape: float
    adjusted_r2: float
    loo_smape: float
    points: int

    def to_json(self) -> dict[str, object]:
        return {"smape": self.smape, "adjusted_r2": self.adjusted_r2, "loo_smape": self.loo_smape,
                "points": self.points}


@dataclass(frozen=True)
class Rival:
    """Another formula that fits as well."""

    formula: str
    smape: float


@dataclass(frozen=True)
class Spread:
    """What an interval needs: relative standard deviation of the residuals, degrees of freedom, and the scaled
    covariance of the coefficients (constant first), to be multiplied by sigma**2."""

    sigma: float
    dof: int
    covariance: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Model:
    """constant + sum of coefficient * term."""

    callpath: str
    metric: str
    parameters: tuple[str, ...]
    constant: float
    terms: tuple[tuple[float, Term], ...]
    quality: Quality
    identifiable: bool = True
    reason: str | None = None
    rivals: tuple[Rival, ...] = ()
    spread: Spread | None = field(default=None, repr=False)

    def evaluate(self, at: Mapping[str, Floats | float]) -> Floats:
        """Values at parameter values given by name; arrays broadcast.

        Raises:
            DataError: a parameter of the formula has no value.
        """
        columns = self._columns(at)
        result = np.full(np.broadcast_shapes(*(np.shape(c) for c in columns.values())) if columns else (),
                         self.constant, dtype=float)
        for coefficient, term in self.terms:
            result = result + coefficient * term.evaluate(columns)
        return result

    def _columns(self, at: Mapping[str, Floats | float]) -> dict[str, Floats]:
        needed = {p for _, t in self.terms for p in t.parameters}
        missing = sorted(needed - set(at))
        if missing:
            raise DataError(f"{self.callpath}, {self.metric}: no value for {', '.join(missing)}")
        return {name: np.asarray(value, dtype=float) for name, value in at.items()}

    def interval(self, at: Mapping[str, Floats | float], level: float = 0.9) -> tuple[Floats, Floats]:
        """Lower and upper end of the prediction interval for one new observation."""
        value = self.evaluate(at)
        if self.spread is None or self.spread.dof < 1:
            return np.full_like(value, -np.inf), np.full_like(value, np.inf)
        columns = self._columns(at)
        rows = np.stack([np.ones_like(value), *(np.broadcast_to(t.evaluate(columns), value.shape)
                                                for _, t in self.terms)], axis=-1)
        covariance = np.array(self.spread.covariance)
        variance = self.spread.sigma**2 * (value**2 + np.einsum("...i,ij,...j->...", rows, covariance, rows))
        half = stats.t.ppf(0.5 + level / 2, self.spread.dof) * np.sqrt(np.maximum(variance, 0))
        return value - half, value + half

    @property
    def lead(self) -> Term:
        """The term that outgrows the others; the empty term for a constant."""
        best = Term(())
        for coefficient, term in self.terms:
            if coefficient and (grows_faster(term, best) or (not best.factors and not self.constant)):
                best = term
        return best

    @property
    def formula(self) -> str:
        """Text that sympy reads; log(x, 2) is the binary logarithm."""
        parts = [f"{self.constant:.10g}"] if self.constant or not self.terms else []
        for coefficient, term in self.terms:
            text = f"{abs(coefficient):.10g}*{term}"
            parts.append(f"{'-' if coefficient < 0 else '+' if parts else ''}{text}")
        return " ".join(p if k == 0 else f"{p[0]} {p[1:]}" for k, p in enumerate(parts))

    def to_json(self) -> dict[str, object]:
        return {"callpath": self.callpath, "metric": self.metric, "constant": self.constant,
                "terms": [{"coefficient": c, "exponents": {n: [str(i), str(j)] for n, i, j in t.factors}}
                          for c, t in self.terms],
                "formula": self.formula, "quality": self.quality.to_json(), "identifiable": self.identifiable,
                "reason": self.reason, "rivals": [{"formula": r.formula, "smape": r.smape} for r in self.rivals],
                "parameters": list(self.parameters),
                "interval": None if self.spread is None else
                {"sigma": self.spread.sigma, "dof": self.spread.dof,
                 "covariance": [list(row) for row in self.spread.covariance]}}


@dataclass(frozen=True)
class Models:
    """The models of a set of measurements."""

    models: tuple[Model, ...]

    def find(self, callpath: str, metric: str) -> Model | None:
        return next((m for m in self.models if (m.callpath, m.metric) == (callpath, metric)), None)

    def to_json(self) -> dict[str, object]:
        """The contract "looplaw-models/1"."""
        return {"format": FORMAT, "models": [m.to_json() for m in self.models]}

    @staticmethod
    def from_json(data: object, name: str = "models") -> Models:
        """Read models back.

        Raises:
            DataError: the data are not in the form that `to_json` writes.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT or not isinstance(data.get("models"), Sequence):
            raise DataError(f"{name}: not a file of models (\"format\": \"{FORMAT}\" is missing); make one with "
                            f"looplaw fit FILE --json OUT")
        try:
            return Models(tuple(_model(m) for m in data["models"]))
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise DataError(f"{name}: a model is not as it should be: {error!r}") from None


def _model(data: Mapping[str, object]) -> Model:
    terms = []
    for t in _list(data["terms"]):
        exponents = {str(n): (Fraction(str(pair[0])), Fraction(str(pair[1]))) for n, pair in t["exponents"].items()}
        terms.append((float(t["coefficient"]), Term.of(exponents)))
    q = data["quality"]
    assert isinstance(q, Mapping)
    raw = data.get("interval")
    spread = None
    if isinstance(raw, Mapping):
        spread = Spread(float(raw["sigma"]), int(raw["dof"]),
                        tuple(tuple(float(x) for x in row) for row in raw["covariance"]))
        if len(spread.covariance) != len(terms) + 1:
            raise ValueError("covariance and terms differ in size")
    names = tuple(str(p) for p in _list(data.get("parameters", sorted({n for _, t in terms for n in t.parameters}))))
    return Model(str(data["callpath"]), str(data["metric"]), names, float(str(data["constant"])), tuple(terms),
                 Quality(float(q["smape"]), float(q["adjusted_r2"]), float(q["loo_smape"]), int(q["points"])),
                 bool(data["identifiable"]), None if data.get("reason") is None else str(data["reason"]),
                 tuple(Rival(str(r["formula"]), float(r["smape"])) for r in _list(data.get("rivals", []))), spread)


def _list(value: object) -> list[Any]:  # shapes are checked where they are used
    if not isinstance(value, list):
        raise TypeError("a list is missing")
    return value
