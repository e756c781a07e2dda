"""The value of a register, and what a load finds in memory, as the analysis knows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..expr import Expr

NO_PRECONDITIONS: frozenset[Expr] = frozenset()


def is_float(kind: str) -> bool:
    """Is it a type of floating-point numbers, or of vectors, arrays or structures?"""
    return kind in ("float", "double", "half", "x86_fp80", "fp128") or kind[0] in "<[{"


@dataclass(frozen=True)
class Value:
    """A formula and what must be >= 0 for it to be right."""

    expr: Expr
    preconditions: frozenset[Expr] = NO_PRECONDITIONS


class Since(NamedTuple):
    """The writes that a load sees: `writes` tells them from others in their function; the value may
    differ between executions of `block`."""

    writes: str
    block: str


@dataclass(frozen=True)
class Reached:
    """What a load sees: `value`; else what was there on entry (`on_entry`); else something unknown.

    `outside`: unknown functions called in between, taken not to write there. `since`: where the
    writes are known but not what they leave, which they are; loads that see the same writes see one
    value.
    """

    value: Value | None = None
    on_entry: bool = False
    outside: frozenset[str] = frozenset()
    since: Since | None = None


UNREACHED = Reached()
"""Nothing is known of what a load sees."""
