"""The value of a register as the analysis knows it."""

from __future__ import annotations

from dataclasses import dataclass

from ..expr import Expr

NO_NEEDS: frozenset[Expr] = frozenset()


@dataclass(frozen=True)
class Value:
    """A formula and what must be >= 0 for it to be right."""

    expr: Expr
    needs: frozenset[Expr] = NO_NEEDS
