"""What formulas are remembered between one analysis and the next."""

from __future__ import annotations

from .extrema import forget_extrema
from .printing import format_expr
from .proofs import NO_ASSUMPTIONS


def forget_formulas() -> None:
    """Forget what was found for formulas of another program: values from memory that are equal
    there carry types of that program with them."""
    forget_extrema()
    format_expr.cache_clear()
    NO_ASSUMPTIONS.forget()
