"""How a model grows: symbolic forms, derivatives, which of two grows faster, and what grew since an
earlier experiment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from looplaw_common.errors import DataError
from looplaw_common.formula.formula import Formula, parse_formula
from looplaw_common.formula.growth import Growth, Order, Term, growth, value_of
from looplaw_common.formula.sympy import symbol_of, sympy_of
from looplaw_common.formula.text import latex, normal_text
from looplaw_common.formula.tree import Node

from ..data.measurements import Floats
from .known_laws import from_terms
from .model import Model, Models

if TYPE_CHECKING:
    import sympy

Direction = Mapping[str, int | str | Fraction]
"""Parameter -> the power of t with which it grows as t goes to infinity; those that are not named
are held."""


def tree_of(model: Model) -> Node:
    """The formula, its coefficients exact."""
    if model.counted is not None and (law := model.counted.law) is not None:
        return law.parsed.tree
    if model.curve is not None:
        return parse_formula(model.curve.formula).tree
    return from_terms(model.constant, model.terms)


def to_sympy(model: Model, *, positive: bool = True) -> sympy.Expr:
    """The formula as a sympy expression in positive symbols, or in plain ones.

    Raises:
        InputError: sympy cannot have the name of a parameter, or the formula.
    """
    symbols = {n: symbol_of(n, positive=positive or None) for n in model.parameters}
    return sympy_of(tree_of(model), symbols)


def to_latex(model: Model, digits: int = 3) -> str:
    """The formula in LaTeX, coefficients rounded to so many digits."""
    if tree_of(model) != from_terms(model.constant, model.terms):
        return latex(tree_of(model))
    terms = [(_rounded(coefficient, digits), term) for coefficient, term in model.terms]
    return latex(from_terms(_rounded(model.constant, digits), terms))


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")


def derivative(model: Model, parameter: str, at: Mapping[str, Floats | float]) -> Floats:
    """Partial derivative with respect to a parameter; arrays broadcast.

    Raises:
        DataError: the model has no such parameter, or one has no value.
    """
    if parameter not in model.parameters:
        raise DataError(f"{model.callpath}, {model.metric}: no parameter {parameter}")
    model.evaluate(at)
    columns = {n: np.asarray(v, dtype=float) for n, v in at.items()}
    x = columns[parameter]
    result = np.zeros(np.broadcast_shapes(*(c.shape for c in columns.values())))
    for coefficient, term in model.terms:
        for name, i, j in term.factors:
            if name == parameter:
                with np.errstate(all="ignore"):
                    rate = float(i) / x + (float(j) / (x * np.log(x)) if j else 0.0)
                result = result + coefficient * term.evaluate(columns) * rate
    return result


@dataclass(frozen=True)
class GrowthComparison:
    """How two models compare far out: the one that outgrows the other (None: they grow alike), the
    limit of the first over the second (0, infinity, or what they differ by), and the leading order
    of each along the way."""

    faster: Model | None
    ratio: float
    orders: tuple[Order, Order]


def compare_growth(
    a: Model, b: Model, along: Direction | None = None, held: Mapping[str, float] | None = None
) -> GrowthComparison:
    """Which of two models outgrows the other when the parameters grow together, and by what they
    differ in the end.

    Args:
        along: {"n": 1, "p": 3} is n = t, p = t**3 for t to infinity. None: all parameters grow
            alike.
        held: values of the parameters that do not grow, where a formula has them.

    Raises:
        DataError: neither model has such a parameter, a power is negative, or one that is held has
            no value.
        InputError: a formula has no value far out.
    """
    powers = _direction((a, b), along)
    x, y = (_lead(model, powers, held or {}) for model in (a, b))
    orders, sign = (x.order, y.order), x.order.over(y.order).sign
    first, second = float(x.low), float(y.low)
    if not sign:
        ratio = first / second if second else 1.0 if not first else math.inf
        return GrowthComparison(None, ratio, orders)
    ratio = math.copysign(math.inf, first * second) if sign > 0 else 0.0
    return GrowthComparison(a if sign > 0 else b, ratio, orders)


def faster(
    a: Model, b: Model, along: Direction | None = None, held: Mapping[str, float] | None = None
) -> Model | None:
    """Which of two outgrows the other, as `compare_growth`; None when they grow alike."""
    return compare_growth(a, b, along, held).faster


def _direction(models: Sequence[Model], along: Direction | None) -> dict[str, Fraction]:
    names = tuple(
        dict.fromkeys(
            n
            for m in models
            for n in (*m.parameters, *(p for _, t in m.terms for p in t.parameters))
        )
    )
    if along is None:
        return dict.fromkeys(names, Fraction(1))
    for name, power in along.items():
        if name not in names:
            raise DataError(f"no parameter {name}; there are {', '.join(names) or 'none'}")
        if Fraction(power) < 0:
            raise DataError(f"{name} grows with the power {power} of t; it must be 0 or above")
    return {n: Fraction(along.get(n, 0)) for n in names}


def _lead(model: Model, powers: Mapping[str, Fraction], held: Mapping[str, float]) -> Term:
    """The leading term along a direction."""
    tree = tree_of(model)
    formula = Formula(normal_text(tree), tree)
    if still := sorted(n for n in formula.symbols - held.keys() if not powers[n]):
        raise DataError(
            f"{model.callpath}, {model.metric}: {', '.join(still)} is held, so"
            f" its value is needed, as in held={{{still[0]!r}: 64}}"
        )
    grown = {n: Growth.parameter(power) for n, power in powers.items() if power}
    return growth(value_of(formula, {**held, **grown})).lead


@dataclass(frozen=True)
class Change:
    """One call path and metric in two experiments: the two laws, whether the later one grows faster
    (slower: False, alike: None), and the ratio of later to earlier value at a point."""

    earlier: Model
    later: Model
    grows_faster: bool | None
    ratio: float


def changes(earlier: Models, later: Models, at: Mapping[str, float]) -> tuple[Change, ...]:
    """What became of every call path and metric that both experiments have; the greatest increase
    first."""
    found = []
    for model in later.models:
        before = earlier.find(model.callpath, model.metric)
        if before is None:
            continue
        winner = faster(before, model)
        old, new = float(before.evaluate(at)), float(model.evaluate(at))
        ratio = new / old if old else float("inf") if new else 1.0
        found.append(Change(before, model, None if winner is None else winner is model, ratio))
    return tuple(sorted(found, key=lambda c: (c.grows_faster is not True, -c.ratio)))
