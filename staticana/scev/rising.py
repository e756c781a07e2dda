"""Formulas that are seen to rise with a symbol."""

from __future__ import annotations

from ..expr import Atom, Expr, Extremum, from_atom, is_nonnegative


def rises_with(e: Expr, symbol: str) -> bool:
    """Is a formula seen not to fall where a symbol rises? One whose terms are products of parts
    that are never negative and do not fall."""
    return all(
        symbol not in Expr({m: 1}).symbols
        or (c > 0 and all(n > 0 and _is_rising_part(a, symbol) for a, n in m))
        for m, c in e.terms.items()
    )


def _is_rising_part(a: Atom, symbol: str) -> bool:
    if not is_nonnegative(from_atom(a)):
        return False
    if symbol not in a.symbols:
        return True
    return isinstance(a, Extremum) and all(_is_line_up(p, symbol) for p in a.parts)


def _is_line_up(e: Expr, symbol: str) -> bool:
    """Is a formula linear in a symbol, and rises with it?"""
    return all(
        symbol not in Expr({m: 1}).symbols or (c > 0 and len(m) == 1 and m[0][0].key == symbol)
        for m, c in e.terms.items()
    )
