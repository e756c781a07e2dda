"""Regimes: the law of a model may hold from a size on only, with another law below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..data.measurements import Floats
from .terms import Term


@dataclass(frozen=True)
class Regime:
    """The law up to a value of one parameter, where another one begins: constant + sum of
    coefficient * term where `parameter` is less than `until`."""

    parameter: str
    until: float
    constant: float
    terms: tuple[tuple[float, Term], ...]

    def replaced(self, values: Floats, at: Mapping[str, Floats]) -> Floats:
        """Values (...) of the law that follows, those of this one where it holds."""
        here = np.asarray(at[self.parameter]) < self.until
        if not here.any():
            return values
        own = self.constant + sum((c * t.evaluate(at) for c, t in self.terms), np.zeros(()))
        return np.where(here, own, values)

    @property
    def formula(self) -> str:
        """Text that sympy reads; log(x, 2) is the binary logarithm."""
        return formula_text(self.constant, self.terms)

    def to_json(self) -> dict[str, object]:
        return {
            "parameter": self.parameter,
            "until": self.until,
            "constant": self.constant,
            "terms": [{"coefficient": c, "exponents": t.to_json()} for c, t in self.terms],
            "formula": self.formula,
        }


def formula_text(constant: float, terms: Sequence[tuple[float, Term]]) -> str:
    """Text that sympy reads; log(x, 2) is the binary logarithm."""
    text = f"{constant:.10g}" if constant or not terms else ""
    for coefficient, term in terms:
        size = f"{abs(coefficient):.10g}*{term}"
        if text:
            text += f" - {size}" if coefficient < 0 else f" + {size}"
        else:
            text = f"-{size}" if coefficient < 0 else size
    return text
