"""Atoms in which bounds of sums are written: logarithms that are not rounded, and reciprocals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Self

from ..expr import (
    ZERO,
    Atom,
    Expr,
    Number,
    OfOne,
    from_atom,
    is_nonnegative,
    maximum,
    rebuilt,
    sym,
    written,
)


class Log(OfOne):
    """The logarithm of arg to base 2, 0 where arg is less than 1. Its value is no rational number
    in general: evaluated to 53 bits, which the distance of the factors in `_LN2` from ln 2
    outweighs by far."""

    __slots__ = ()
    name = "log"
    is_whole = False
    is_never_negative = True

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        arg = self.arg.evaluate(values)
        whole = int(arg)
        if arg == whole and whole > 0 and whole & (whole - 1) == 0:
            return whole.bit_length() - 1
        return Fraction(math.log2(arg)) if arg > 1 else 0


def logarithm(arg: Expr) -> Expr:
    """log2(Max(1, arg))."""
    value = arg.constant
    return ZERO if value is not None and value <= 1 else from_atom(Log(arg))


@rebuilt.register(Log)
def _rebuilt(a: Log, parts: tuple[Expr, ...]) -> Expr:
    return logarithm(parts[0])


@written.register(Log)
def _log(a: Log) -> str:
    return f"log({a.arg if is_nonnegative(a.arg - 1) else maximum(1, a.arg)}, 2)"


class Reciprocal(Atom):
    """1 / (variable + shift), for the index of a sum and shift >= 1; only while a bound is
    derived."""

    __slots__ = ("shift", "variable")
    variable: str
    shift: Expr
    is_whole = False
    is_never_negative = True

    def __new__(cls, variable: str, shift: Expr) -> Self:
        return cls._of(f"1/({variable} + {shift})", variable=variable, shift=shift)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return sym(self.variable), self.shift


@written.register(Reciprocal)
def _reciprocal(a: Reciprocal) -> str:
    return f"1/({a.variable} + {a.shift})"
