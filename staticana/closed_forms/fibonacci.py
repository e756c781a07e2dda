"""Fibonacci numbers as formulas: x, y -> y, x + y is the one recurrence with a matrix that is not
triangular which loops and functions that call themselves often have, and its closed form needs no
bound.

F(i) = floor(phi**i / sqrt(5) + 1/2) with phi = (1 + sqrt(5)) / 2, since the other root contributes
less than 1/2; hence F(i) >= n exactly from i = ceil(log_phi(sqrt(5) (n - 1/2))) on, a number that
is never whole by itself (phi**i / sqrt(5) is irrational). Source: Graham, Knuth and Patashnik,
Concrete Mathematics, equations 6.124 and 6.125.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..expr import (
    ONE,
    ZERO,
    Expr,
    Number,
    OfOne,
    expr,
    from_atom,
    is_nonnegative,
    lone_atom,
    maximum,
    rebuilt,
    step,
    written,
)

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


def place(x: int, y: int) -> tuple[int, int] | None:
    """(g, k) with x = g F(k) and y = g F(k + 1), g >= 1, k >= 0: where neighbours stand in the
    sequence."""
    if x < 0 or y < 1:
        return None
    g = math.gcd(x, y)
    a, b, k = 0, 1, 0
    while a < x // g:
        a, b, k = b, a + b, k + 1
    # F(1) = F(2): (1, 1) is at 1, (1, 2) at 2
    for at, pair in ((k, (a, b)), (k + 1, (b, a + b))):
        if pair == (x // g, y // g):
            return g, at
    return None


def combined(e: Expr, name: str) -> tuple[Expr, int, int] | None:
    """e = rest + c F(i + k) for the symbol i called `name`, as (rest, c, k); None where e is of
    another form."""
    found = over_two(e, name)
    if found is None:
        return None
    rest, first, second, least = found
    sign = -1 if first < 0 or second < 0 else 1
    if second == 0:
        return rest, first, least
    # first F(m) + second F(m + 1) = g F(m + k + 1) where (first, second) = g (F(k), F(k + 1))
    at = place(first * sign, second * sign)
    return None if at is None else (rest, at[0] * sign, least + at[1] + 1)


def over_two(e: Expr, name: str) -> tuple[Expr, int, int, int] | None:
    """e = rest + a F(i + m) + b F(i + m + 1), as (rest, a, b, m): any Fibonacci numbers at a
    distance from i are made of two."""
    rest, found = ZERO, dict[int, int]()
    for monomial, coefficient in e.terms.items():
        if all(name not in a.symbols for a, _ in monomial):
            rest = rest + Expr({monomial: coefficient})
            continue
        a = lone_atom(monomial)
        if not isinstance(a, Fib) or not isinstance(coefficient, int):
            return None
        line = a.arg.affine_in(name)
        shift = None if line is None or line[0] != ONE else line[1].constant
        if not isinstance(shift, int) or shift < 0:
            return None
        found[shift] = found.get(shift, 0) + coefficient
    if not found:
        return None
    least = min(found)
    first = second = 0  # F(m + j) = F(j - 1) F(m) + F(j) F(m + 1)
    for shift, coefficient in found.items():
        j = shift - least
        first += coefficient * (_fib(j - 1)[0] if j else 1)
        second += coefficient * _fib(j)[0]
    return rest, first, second, least


def first_beyond(start: tuple[int, int], limit: Expr) -> tuple[Expr, Expr] | None:
    """Bounds of the first i with G(i) > limit, for G(0), G(1) = start and G(i + 2) = G(i) + G(i +
    1).

    From i = 1 on, G lies between F moved by two distances: F(i - 1 + low) <= G(i) <= F(i - 1 +
    high), since that holds for two neighbours. None where G does not grow.
    """
    zeroth, first = start
    second = zeroth + first
    if zeroth < 0 or first < 1:
        return None
    low, high = 0, 0
    while _fib(low + 1)[0] <= first and _fib(low + 2)[0] <= second:
        low += 1
    while _fib(high)[0] < first or _fib(high + 1)[0] < second:
        high += 1
    reached, goes_on = fibonacci_index(limit + 1), step(limit - zeroth)
    return (1 + maximum(0, reached - high)) * goes_on, (1 + maximum(0, reached - low)) * goes_on
