"""How a model grows: symbolic forms, derivatives, which of two grows faster, and what grew since an earlier experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .errors import DataError
from .measurements import Floats
from .model import Model, Models

if TYPE_CHECKING:
    import sympy


def to_sympy(model: Model) -> sympy.Expr:
    """The formula as a sympy expression in positive symbols."""
    import sympy
    symbols = {n: sympy.Symbol(n, positive=True) for n in model.parameters}
    result = sympy.Float(model.constant)
    for coefficient, term in model.terms:
        product = sympy.Float(coefficient)
        for name, i, j in term.factors:
            product *= symbols[name] ** sympy.Rational(i.numerator, i.denominator)
            product *= sympy.log(symbols[name], 2) ** sympy.Rational(j.numerator, j.denominator)
        result += product
    return result


def to_latex(model: Model, digits: int = 3) -> str:
    """The formula in LaTeX, coefficients rounded to so many digits."""
    parts = [_number(model.constant, digits)] if model.constant or not model.terms else []
    for coefficient, term in model.terms:
        text = _number(abs(coefficient), digits)
        for name, i, j in term.factors:
            symbol = name if len(name) == 1 else rf"\mathrm{{{name}}}".replace("_", r"\_")
            text += (rf" \, {symbol}" + ("" if i == 1 else f"^{{{i}}}")) if i else ""
            text += (r" \, \log_2" + ("" if j == 1 else f"^{{{j}}}") + f" {symbol}") if j else ""
        parts.append(("-" if coefficient < 0 else "+" if parts else "") + text)
    return " ".join(parts)


def _number(value: float, digits: int) -> str:
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


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


def faster(a: Model, b: Model) -> Model | None:
    """Which of two outgrows the other when all parameters grow together; None when they grow alike."""
    order = {id(m): _order(m) for m in (a, b)}
    if order[id(a)] == order[id(b)]:
        return None
    return a if order[id(a)] > order[id(b)] else b


def _order(model: Model) -> tuple[float, float]:
    """(power, logarithm) of the leading term, coefficients aside."""
    found = [(float(sum(i for _, i, _ in t.factors)), float(sum(j for _, _, j in t.factors))) for c, t in model.terms if c]
    return max([*found, (0.0, 0.0)] if model.constant or not found else found)


@dataclass(frozen=True)
class Change:
    """One call path and metric in two experiments: the two laws, whether the later one grows faster (slower: False, alike:
    None), and the ratio of later to earlier value at a point."""

    earlier: Model
    later: Model
    grows_faster: bool | None
    ratio: float


def changes(earlier: Models, later: Models, at: Mapping[str, float]) -> tuple[Change, ...]:
    """What became of every call path and metric that both experiments have; the greatest increase first."""
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
