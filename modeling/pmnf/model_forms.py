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

from ..data.measurements import Floats
from .formula import parse_formula
from .formula_sympy import symbol_of, sympy_of
from .formula_text import latex
from .known_laws import from_terms
from .model import Model, Models
from .terms import Term

if TYPE_CHECKING:
    import sympy

Direction = Mapping[str, int | str | Fraction]
"""Parameter -> the power of t with which it grows as t goes to infinity; those that are not named
are held."""
_CANCELLED = 1e-12


def to_sympy(model: Model, *, positive: bool = True) -> sympy.Expr:
    """The formula as a sympy expression in positive symbols, or in plain ones.

    Raises:
        InputError: sympy cannot have the name of a parameter, or the formula.
    """
    symbols = {n: symbol_of(n, positive=positive or None) for n in model.parameters}
    if model.counted is not None and (law := model.counted.law) is not None:
        return sympy_of(law.parsed.tree, symbols)
    if model.exponential is not None:
        return sympy_of(parse_formula(model.exponential.formula).tree, symbols)
    return sympy_of(from_terms(model.constant, model.terms), symbols)


def to_latex(model: Model, digits: int = 3) -> str:
    """The formula in LaTeX, coefficients rounded to so many digits."""
    if model.counted is not None and (law := model.counted.law) is not None:
        return latex(law.parsed.tree)
    if model.exponential is not None:
        return latex(parse_formula(model.exponential.formula).tree)
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
class Growth:
    """How two models compare far out: the one that outgrows the other (None: they grow alike), the
    limit of the first over the second (0, infinity, or what they differ by), and the leading growth
    (power, logarithm) of each along the way."""

    faster: Model | None
    ratio: float
    orders: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]


def compare_growth(
    a: Model, b: Model, along: Direction | None = None, held: Mapping[str, float] | None = None
) -> Growth:
    """Which of two models outgrows the other when the parameters grow together, and by what they
    differ in the end.

    Args:
        along: {"n": 1, "p": 3} is n = t, p = t**3 for t to infinity. None: all parameters grow
            alike.
        held: values of the parameters that do not grow, where a formula has them.

    Raises:
        DataError: neither model has such a parameter, a power is negative, or one that is held has
            no value.
    """
    powers = _direction((a, b), along)
    (first, x), (second, y) = _lead(a, powers, held or {}), _lead(b, powers, held or {})
    if first == second:
        return Growth(None, x / y if y else 1.0 if not x else math.inf, (first, second))
    return Growth(
        a if first > second else b,
        math.copysign(math.inf, x * y) if first > second else 0.0,
        (first, second),
    )


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


def _lead(
    model: Model, powers: Mapping[str, Fraction], held: Mapping[str, float]
) -> tuple[tuple[Fraction, Fraction], float]:
    """(power, logarithm) of t in the fastest part, and its coefficient: terms that grow alike add
    up, and where they cancel the next ones lead."""
    still = {n for _, t in model.terms for n in t.parameters if not powers[n]}
    if still - set(held):
        raise DataError(
            f"{model.callpath}, {model.metric}: {', '.join(sorted(still - set(held)))} is held, so"
            f" its value is needed, as in held={{{sorted(still - set(held))[0]!r}: 64}}"
        )
    constant = Fraction(0), Fraction(0)
    sums, sizes = {constant: model.constant}, {constant: abs(model.constant)}
    for coefficient, term in model.terms:
        moving = [(powers[n], i, j) for n, i, j in term.factors if powers[n]]
        rest = Term(tuple(f for f in term.factors if not powers[f[0]]))
        order = (
            sum((d * i for d, i, _ in moving), Fraction(0)),
            sum((j for _, _, j in moving), Fraction(0)),
        )
        value = coefficient * float(
            rest.evaluate({n: np.asarray(held[n], dtype=float) for n in rest.parameters})
        )
        value *= math.prod(float(d) ** float(j) for d, _, j in moving)  # log(t**d) = d log(t)
        sums[order] = sums.get(order, 0.0) + value
        sizes[order] = sizes.get(order, 0.0) + abs(value)
    left = {order: value for order, value in sums.items() if abs(value) > _CANCELLED * sizes[order]}
    order = max(left, default=constant)
    return order, left.get(order, 0.0)


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
