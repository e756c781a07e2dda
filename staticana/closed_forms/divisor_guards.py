"""Quotients whose divisor may be zero where nothing is counted, made safe to evaluate anywhere."""

from __future__ import annotations

from ..expr import (
    Assumptions,
    Atom,
    Expr,
    Floor,
    Loaded,
    Pow,
    Sum,
    Trunc,
    from_atom,
    is_nonnegative,
    maximum,
)
from .index_range import inner_assumptions


def with_divisors_guarded(e: Expr, assumptions: Assumptions) -> Expr:
    """The same formula with a value where what is around it keeps a divisor from being zero: n /
    Max(1, s) for n / s."""
    if not any(isinstance(a, (Floor, Trunc)) and a.den.constant is None for a in e.all_atoms()):
        return e

    def guard(a: Atom) -> Expr:
        if isinstance(a, Loaded):  # what is at an address is told by the address as it is
            return from_atom(a)
        inner = (
            inner_assumptions(a.index, a.count, assumptions) if isinstance(a, Sum) else assumptions
        )
        parts = tuple(
            with_divisors_guarded(p, inner if at == 0 else assumptions)
            for at, p in enumerate(a.parts)
        )
        if (
            isinstance(a, (Floor, Trunc))
            and not isinstance(parts[1].atom, Pow)
            and not is_nonnegative(parts[1] - 1, assumptions)
        ):
            parts = parts[0], maximum(1, parts[1], assumptions=assumptions)
        return a.rebuild(parts)

    return e.map_atoms(guard)
