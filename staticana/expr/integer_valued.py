"""Integer-valued polynomials: formulas that are integers for integer symbols."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import lru_cache

from .polynomial import Expr, Monomial
from .terms import Number

_MOST_RESIDUES = 2_000
"""Combinations of remainders that are tried to show that fractions are whole together."""


def is_integer(e: Expr) -> bool:
    """True when the formula is an integer for integer symbols (sufficient, not necessary)."""
    if not all(a.is_whole for m in e.terms for a, _ in m):
        return False
    parts: dict[Monomial, Number] = {m: c for m, c in e.terms.items() if not isinstance(c, int)}
    return not parts or _is_whole_together(Expr(parts))


@lru_cache(maxsize=4096)
def _is_whole_together(e: Expr) -> bool:
    """Are fractions whole together, whatever whole numbers their atoms are: x*(x + 1)/2? What they
    are modulo the common denominator decides."""
    common = e.denominator
    atoms = sorted(e.atoms, key=lambda a: a.key)
    if common ** len(atoms) > _MOST_RESIDUES:
        return False
    for values in itertools.product(range(common), repeat=len(atoms)):
        at = dict(zip(atoms, values, strict=True))
        total = sum(Fraction(c) * math.prod(at[a] ** n for a, n in m) for m, c in e.terms.items())
        if total.denominator != 1:
            return False
    return True
