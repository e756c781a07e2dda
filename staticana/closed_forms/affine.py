"""Formulas that are affine in an index."""

from __future__ import annotations

from ..expr import Expr


def integer_slope(e: Expr, index: str) -> tuple[int, Expr] | None:
    """(slope, rest) for e = slope * index + rest with an integer slope other than zero."""
    line = e.affine_in(index)
    if line is None:
        return None
    slope = line[0].constant
    return (slope, line[1]) if isinstance(slope, int) and slope else None
