"""Formulas that are seen to rise with a symbol."""

from __future__ import annotations

from ..expr import Atom, Expr, Extremum, Floor, Step, from_atom, is_nonnegative
from ..expr.atoms import Inverse


def rises_with(e: Expr, symbol: str) -> bool:
    """Is a formula seen not to fall where a symbol rises? One whose terms are products of parts
    that are never negative and do not fall."""
    return _moves(e, symbol, 1)


def falls_with(e: Expr, symbol: str) -> bool:
    """Is a formula seen not to rise where a symbol rises?"""
    return _moves(e, symbol, -1)


def _moves(e: Expr, symbol: str, sign: int) -> bool:
    """Is a formula times a sign seen not to fall where a symbol rises?"""
    return all(
        symbol not in Expr({m: 1}).symbols
        or (len(m) == 1 and m[0][1] == 1 and _atom_moves(m[0][0], symbol, sign if c > 0 else -sign))
        or (c * sign > 0 and all(n > 0 and _is_rising_part(a, symbol) for a, n in m))
        for m, c in e.terms.items()
    )


def _is_rising_part(a: Atom, symbol: str) -> bool:
    return is_nonnegative(from_atom(a)) and (symbol not in a.symbols or _atom_moves(a, symbol, 1))


def _atom_moves(a: Atom, symbol: str, sign: int) -> bool:
    if a.key == symbol:
        return sign > 0
    if isinstance(a, Extremum):
        return all(_moves(p, symbol, sign) for p in a.parts)
    if isinstance(a, Floor):
        den = a.den.constant
        return den is not None and den > 0 and _moves(a.num, symbol, sign)
    return isinstance(a, (Inverse, Step)) and _moves(a.arg, symbol, sign)
