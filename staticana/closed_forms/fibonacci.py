"""Fibonacci numbers as formulas: how often functions run that call themselves with n - 1 and n - 2,
and how long Euclid's algorithm takes at most.

F(i) = floor(phi**i / sqrt(5) + 1/2) with phi = (1 + sqrt(5)) / 2, since the other root contributes
less than 1/2; hence F(i) >= n exactly from i = ceil(log_phi(sqrt(5) (n - 1/2))) on, a number that
is never whole by itself (phi**i / sqrt(5) is irrational). Source: Graham, Knuth and Patashnik,
Concrete Mathematics, equations 6.124 and 6.125.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..expr import Expr, Number, OfOne, expr, from_atom, is_nonnegative, maximum, rebuilt, written

_GOLDEN = "(1 + sqrt(5))/2"
_LARGEST = 1_000_000
"""The last Fibonacci number that is evaluated: it has 208,988 digits."""


def _fib(n: int) -> tuple[int, int]:
    """(F(n), F(n + 1)) by doubling."""
    if n == 0:
        return 0, 1
    a, b = _fib(n >> 1)
    c, d = a * (2 * b - a), a * a + b * b
    return (d, c + d) if n & 1 else (c, d)


class Fib(OfOne):
    """The Fibonacci number F(arg), 0 where arg is negative."""

    __slots__ = ()
    name = "fib"
    is_never_negative = True

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        at = math.floor(self.arg.evaluate(values))
        if at > _LARGEST:
            raise OverflowError(f"the Fibonacci number {at} is too large")
        return _fib(max(0, at))[0]


class FibIndex(OfOne):
    """The smallest i >= 0 with F(i) >= arg."""

    __slots__ = ()
    name = "fibindex"
    is_never_negative = True

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return _index(math.ceil(self.arg.evaluate(values)))


def _index(least: int) -> int:
    at, x, y = 0, 0, 1
    while x < least:
        at, x, y = at + 1, y, x + y
    return at


def fibonacci(arg: Expr) -> Expr:
    """F(arg), 0 where arg is negative."""
    value = arg.constant
    if isinstance(value, int) and value <= 90:
        return expr(_fib(max(0, value))[0])
    return from_atom(Fib(arg))


def fibonacci_index(arg: Expr) -> Expr:
    """The smallest i >= 0 with F(i) >= arg."""
    value = arg.constant
    return expr(_index(math.ceil(value))) if value is not None else from_atom(FibIndex(arg))


@rebuilt.register(Fib)
def _rebuilt_number(a: Fib, parts: tuple[Expr, ...]) -> Expr:
    return fibonacci(parts[0])


@rebuilt.register(FibIndex)
def _rebuilt_index(a: FibIndex, parts: tuple[Expr, ...]) -> Expr:
    return fibonacci_index(parts[0])


@written.register(Fib)
def _number_text(a: Fib) -> str:
    arg = a.arg if is_nonnegative(a.arg) else maximum(0, a.arg)
    return f"floor(({_GOLDEN})**({arg})/sqrt(5) + 1/2)"


@written.register(FibIndex)
def _index_text(a: FibIndex) -> str:
    return f"ceiling(log(Max(1, sqrt(5)*({a.arg * 2 - 1})/2), 2)/log({_GOLDEN}, 2))"
