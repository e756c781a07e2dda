"""Formulas at many points at once: integer arrays in, an integer array out.

Coefficients are scaled to integers and every atom is evaluated in 64-bit integers, so that
quotients are rounded as exactly as `Expr.evaluate` rounds them while values stay below 2**62.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .atoms import Extremum, Floor, Quotient, Step, Trunc
from .polynomial import Atom, Expr, Sym

Integers = NDArray[np.int64] | int


class NotVectorisedError(ValueError):
    """The formula has an atom that only `Expr.evaluate` knows: a logarithm, a root, a sum."""


def is_vectorised(e: Expr) -> bool:
    """Can `at_points` evaluate the formula?"""
    return all(isinstance(a, (Sym, Extremum, Step, Floor, Trunc)) for a in e.all_atoms())


def at_points(e: Expr, values: Mapping[str, Integers]) -> Integers:
    """The values of an integer-valued formula; arrays are broadcast against each other.

    Raises:
        NotVectorisedError: see `is_vectorised`.
        KeyError: a symbol has no value.
    """
    numerator, denominator = _scaled(e, values)
    return numerator // denominator


def _scaled(e: Expr, values: Mapping[str, Integers]) -> tuple[Integers, int]:
    """(numerator, denominator) of the formula, the denominator that of its coefficients."""
    denominator = e.denominator
    total: Integers = 0
    for monomial, coefficient in e.terms.items():
        product: Integers = int(coefficient * denominator)
        for atom, power in monomial:
            product = product * _atom(atom, values) ** power
        total = total + product
    return total, denominator


def _atom(atom: Atom, values: Mapping[str, Integers]) -> Integers:
    match atom:
        case Sym():
            return values[atom.key]
        case Extremum():
            choose = np.minimum if atom.is_least else np.maximum
            first, *others = (at_points(a, values) for a in atom.args)
            for other in others:
                first = choose(first, other)
            return first
        case Step():
            return np.asarray(_scaled(atom.arg, values)[0] >= 0).astype(np.int64)
        case Floor() | Trunc():
            return _quotient(atom, values)
    raise NotVectorisedError(atom.key)


def _quotient(atom: Quotient, values: Mapping[str, Integers]) -> Integers:
    num, below = _scaled(atom.num, values)
    den, above = _scaled(atom.den, values)
    num, den = np.asarray(num * above), np.asarray(den * below)
    if isinstance(atom, Trunc):
        whole: Integers = np.sign(num) * np.sign(den) * (np.abs(num) // np.abs(den))
        return whole
    rounded: Integers = num // den
    return rounded
