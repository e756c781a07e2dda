"""The result of counting: exact, parametric, bounded or unknown, as outside readers get it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from looplaw_common.errors import DataError

from .assumed import assumption
from .expr import Expr, Number, TooComplex

Kind = Literal["exact", "parametric", "bounded", "unknown"]


@dataclass(frozen=True)
class Unknown:
    """A symbol of a formula that is no program parameter: what it means and where it arises."""

    symbol: str
    meaning: str
    at: str

    @property
    def is_argument(self) -> bool:
        """An argument of the function that is counted: a parameter of its own, not a mean or a
        loaded value."""
        return self.meaning.startswith("argument ")

    @property
    def is_guard(self) -> bool:
        """1 where a run comes to a place that it comes to at most once, else 0."""
        return self.meaning.startswith("whether ")

    def to_json(self) -> dict[str, str]:
        return {"symbol": self.symbol, "meaning": self.meaning, "at": self.at}


@dataclass(frozen=True)
class Count:
    """How often something runs.

    kind: "exact": a formula in program parameters; "parametric": a formula with the opaque symbols
    listed; "bounded": no formula, but lower and upper; "unknown": none of them. `reason` says why a
    count is not exact, `assumptions` what must hold for the formula to be right; those of them that
    can be evaluated are `preconditions`, formulas that must be >= 0.
    """

    kind: Kind
    formula: Expr | None = None
    lower: Expr | None = None
    upper: Expr | None = None
    opaque: tuple[Unknown, ...] = ()
    assumptions: tuple[str, ...] = ()
    reason: str | None = None
    preconditions: tuple[Expr, ...] = ()

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

    @staticmethod
    def sum(counts: Sequence[Count], *, what: str = "the formula") -> Count:
        """How often several things run together; `what` would be too long, where the sum is.

        Formulas add up to a formula, bounds to bounds: a sum is as certain as its least certain
        part.
        """
        try:
            formula = _added([c.formula for c in counts])
            lower, upper = _added([c.lower for c in counts]), _added([c.upper for c in counts])
        except TooComplex:
            return Count.unknown(f"{what} would be too long")
        opaque = tuple(dict.fromkeys(o for c in counts for o in c.opaque))
        assumptions = tuple(sorted({a for c in counts for a in c.assumptions}))
        preconditions = tuple(dict.fromkeys(n for c in counts for n in c.preconditions))
        reason = next((c.reason for c in counts if c.reason), None)
        if formula is None:
            kind: Kind = "bounded" if upper is not None else "unknown"
            reason = reason or "no formula was found"
            return Count(kind, None, lower, upper, (), assumptions, reason, preconditions)
        kind = "parametric" if opaque else "exact"
        return Count(kind, formula, lower, upper, opaque, assumptions, reason, preconditions)

    def evaluate(self, values: Mapping[str, Number]) -> Number | None:
        """The exact value; None where there is no formula, a symbol has no value, or something that
        the count rests on is known not to be true."""
        if self.formula is None or not self.formula.symbols <= values.keys():
            return None
        if not self.holds(values):
            return None
        return self.formula.evaluate(values)

    def holds(self, values: Mapping[str, Number]) -> bool:
        """False where something that the count rests on is not true, or has no value."""
        try:
            return all(
                n.evaluate(values) >= 0 for n in self.preconditions if n.symbols <= values.keys()
            )
        except ZeroDivisionError:  # that what divides is not zero is another of them
            return False

    def _sympy_(self) -> Any:
        return self.sympy

    @property
    def sympy(self) -> Any:
        """The formula as a sympy expression over plain symbols; `sympy.sympify(count)` is the same.

        Under `subs`, `xreplace` and `sympy.lambdify` it has the value that `evaluate` gives.

        Raises:
            DataError: the count has no formula; the message says why, and what it has instead.
        """
        return self._stated().sympy

    def latex(self) -> str:
        """The formula typeset.

        Raises:
            DataError: the count has no formula.
        """
        return self._stated().latex()

    def lambdify(self, *names: str) -> Callable[..., Any]:
        """The formula as an exact function of numbers or arrays; see `Expr.lambdify`.

        Raises:
            DataError: the count has no formula. TypeError: a symbol is not among the names.
        """
        return self._stated().lambdify(*names)

    def _stated(self) -> Expr:
        if self.formula is not None:
            return self.formula
        bounds = [n for n, e in (("lower", self.lower), ("upper", self.upper)) if e is not None]
        instead = (
            f"; use its bound{'s' * (len(bounds) > 1)} {' and '.join(f'.{n}' for n in bounds)}"
            if bounds
            else ""
        )
        reason = f": {self.reason}" if self.reason else ""
        raise DataError(f"this count is {self.kind} and has no formula{reason}{instead}")

    def __repr__(self) -> str:
        if self.formula is not None:
            return f"Count({self.kind}: {self.formula})"
        bounds = [f"at least {self.lower}"] * (self.lower is not None)
        bounds += [f"at most {self.upper}"] * (self.upper is not None)
        return f"Count({self.kind}: {', '.join(bounds) or self.reason})"

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
        } | ({"assumed": list(_assumed(self.assumptions))} if self.assumptions else {})


@lru_cache(maxsize=1024)
def _assumed(texts: tuple[str, ...]) -> tuple[dict[str, str | None], ...]:
    """Assumptions as JSON has them: the counts of a function share them."""
    return tuple(assumption(text).to_json() for text in texts)


def _added(parts: Sequence[Expr | None]) -> Expr | None:
    """The sum of formulas; None where one is missing.

    Raises:
        TooComplex: the sum is too long.
    """
    total: Expr | None = None
    for p in parts:
        if p is None:
            return None
        total = p if total is None else total + p
    return total
