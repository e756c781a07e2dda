"""The result of counting: exact, parametric, bounded or unknown, as outside readers get it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .expr import Expr, Number

Kind = Literal["exact", "parametric", "bounded", "unknown"]


@dataclass(frozen=True)
class Opaque:
    """A symbol of a formula that is no program parameter: what it means and where it arises."""

    symbol: str
    meaning: str
    at: str

    @property
    def is_argument(self) -> bool:
        """An argument of the function that is counted: a parameter of its own, not a mean or a
        loaded value."""
        return self.meaning.startswith("argument ")

    def to_json(self) -> dict[str, str]:
        return {"symbol": self.symbol, "meaning": self.meaning, "at": self.at}


@dataclass(frozen=True)
class Count:
    """How often something runs.

    kind: "exact": a formula in program parameters; "parametric": a formula with the opaque symbols
    listed; "bounded": no formula, but lower and upper; "unknown": none of them. `reason` says why a
    count is not exact, `assumptions` what must hold for the formula to be right; those of them that
    can be evaluated are `needs`, formulas that must be >= 0.
    """

    kind: Kind
    formula: Expr | None = None
    lower: Expr | None = None
    upper: Expr | None = None
    opaque: tuple[Opaque, ...] = ()
    assumptions: tuple[str, ...] = ()
    reason: str | None = None
    needs: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        if (self.kind in ("exact", "parametric")) != (self.formula is not None):
            raise ValueError(
                f"a count of kind {self.kind} {'needs a' if self.formula is None else 'has no'}"
                " formula"
            )

    @staticmethod
    def unknown(reason: str) -> Count:
        """Nothing can be said, and why."""
        return Count("unknown", reason=reason)

    def evaluate(self, values: Mapping[str, Number]) -> Number | None:
        """The exact value; None where there is no formula or a symbol has no value."""
        if self.formula is None or not self.formula.symbols <= values.keys():
            return None
        return self.formula.evaluate(values)

    def holds(self, values: Mapping[str, Number]) -> bool:
        """False where something that the count rests on is not true."""
        return all(n.evaluate(values) >= 0 for n in self.needs if n.symbols <= values.keys())

    def to_json(self) -> dict[str, object]:
        def text(e: Expr | None) -> str | None:
            return None if e is None else str(e)

        return {
            "kind": self.kind,
            "formula": text(self.formula),
            "lower": text(self.lower),
            "upper": text(self.upper),
            "opaque": [o.to_json() for o in self.opaque],
            "assumptions": list(self.assumptions),
            "reason": self.reason,
        }
