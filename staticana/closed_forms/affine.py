"""Formulas that are affine in an index."""

from __future__ import annotations

from ..expr import ZERO, Expr


def affine_in(e: Expr, index: str) -> tuple[int, Expr] | None:
    """(slope, rest) for e = slope * index + rest with an integer slope other than zero."""
    parts = e.split(index)
    if parts is None or set(parts) - {0, 1} or 1 not in parts:
        return None
    slope = parts[1].constant
    if not isinstance(slope, int):
        return None
    return slope, parts.get(0, ZERO)
