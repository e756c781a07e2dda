"""Formulas at real values of their symbols, quickly and not exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

from ..expr import Atom, CLog, Expr, Extremum, Floor, Pow, Step, Sym, Trunc
from .refusal import Refused

Values = Mapping[str, float]
Function = Callable[[Values], float]


@lru_cache(maxsize=8192)
def function(e: Expr) -> Function:
    """The formula as a function of the values of its symbols.

    Raises:
        Refused: it has a root, a sum without a closed form, or a value from memory.
    """
    number = e.constant
    if number is not None:
        fixed = float(number)
        return lambda values: fixed
    terms = [(float(c), [(_atom(a), p) for a, p in m]) for m, c in e.terms.items()]

    def evaluate(values: Values) -> float:
        total = 0.0
        for coefficient, factors in terms:
            product = coefficient
            for factor, power in factors:
                product *= factor(values) ** power
            total += product
        return total

    return evaluate


def _atom(atom: Atom) -> Function:
    match atom:
        case Sym():
            name = atom.name
            return lambda values: values[name]
        case Extremum():
            parts = [function(a) for a in atom.args]
            choose = min if atom.is_least else max
            return lambda values: choose(f(values) for f in parts)
        case Step():
            inner = function(atom.arg)
            return lambda values: float(inner(values) >= 0)
        case Floor() | Trunc():
            num, den = function(atom.num), function(atom.den)
            whole = math.floor if isinstance(atom, Floor) else math.trunc
            return lambda values: float(whole(num(values) / (den(values) or 1.0)))
        case Pow():
            base, exponent = float(atom.base), function(atom.exponent)
            return lambda values: base ** min(exponent(values), 60.0)
        case CLog():
            root, arg = math.log(atom.base), function(atom.arg)
            return lambda values: float(math.ceil(math.log(max(arg(values), 1.0)) / root - 1e-9))
    raise Refused(f"a formula has a form that is not evaluated: {atom}")
