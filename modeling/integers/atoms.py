"""Whole-valued functions that counts of loops are made of, and their description lengths.

Powers of a parameter, rounded logarithms (loops that double), rounded quotients (tiles, shares of
processes), rounded roots (sieves), powers of two, the larger and the smaller of two parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt, log2

from looplaw_common.formula.tree import (
    Add,
    Call,
    Divide,
    Name,
    Negative,
    Node,
    Number,
    Power,
    multiplied,
)

from ..pmnf.count_law import POWER_OF_TWO
from .codes import Point, integer_bits

_BASES = (3, 4, 8, 10)
_STARTS = (3, 5, 10, 100)
_SMALL_DIVISOR, _ROUND_DIVISORS = (
    16,
    (20, 24, 25, 32, 48, 50, 64, 96, 100, 128, 200, 256, 512, 1024),
)
_EVERY_SHIFT = 8
"""Divisors up to which all shifts are tried."""
_MOST_BITS = 1 << 14
"""Longest power of two that is worked with."""


@dataclass(frozen=True)
class Atom:
    """A function of a point. only_at: (parameter, what it has to be for this to be the value);
    polynomial: it is one; factors: whose product it is, none where it is no product."""

    tree: Node
    bits: float
    of: Callable[[Point], int]
    only_at: tuple[str, str] | None = None
    polynomial: bool = False
    factors: tuple[Atom, ...] = ()


def powers(names: Sequence[str], k: int, most: int) -> list[Atom]:
    """x, x**2, ... of the k-th parameter."""
    name = Name(names[k])
    return [
        Atom(
            name if d == 1 else Power(name, Number(d)),
            d + 0.5,
            lambda p, k=k, d=d: p[k] ** d,  # type: ignore[misc]
            polynomial=True,
        )
        for d in range(1, most + 1)
    ]


def shifted(name: str, k: int, shift: int, degree: int) -> Atom:
    """(x + shift)**degree of the k-th parameter."""
    base = plus(Name(name), shift)
    return Atom(
        base if degree == 1 else Power(base, Number(degree)),
        degree + 0.5 + integer_bits(shift),
        lambda p: (p[k] + shift) ** degree,
        polynomial=True,
    )


def plus(node: Node, value: int) -> Node:
    """node + value."""
    if not value:
        return node
    return Add((node, Negative(Number(-value)) if value < 0 else Number(value)))


def rounded(names: Sequence[str], k: int, values: Sequence[int]) -> Iterator[Atom]:
    """Rounded logarithms, roots and quotients, and powers of two, of the k-th parameter, which has
    these values; the simplest first."""
    least, most = min(values), max(values)
    if least > 0:
        yield from _logarithms(names[k], k, values)
    yield from _quotients(names[k], k, most)
    if least > 0:
        yield from _roots(names[k], k, values)
    if least >= 0 and most <= _MOST_BITS:
        yield Atom(Power(Number(2), Name(names[k])), 4.0, lambda p: 1 << p[k])
        yield Atom(Power(Number(3), Name(names[k])), 7.0, lambda p: 3 ** p[k])
        half = Call("floor", (Divide(Name(names[k]), Number(2)),))
        yield Atom(Power(Number(2), half), 7.0, lambda p: 1 << p[k] // 2)


def floor_log(value: int, base: int) -> int:
    """The largest e with base**e <= value."""
    if base == 2:
        return value.bit_length() - 1
    e, power = 0, base
    while power <= value:
        e, power = e + 1, power * base
    return e


def ceiling_log(value: int, base: int) -> int:
    """The least e with base**e >= value."""
    return 0 if value <= 1 else floor_log(value - 1, base) + 1


def _log(name: Node, base: int) -> Node:
    return Call("log", (name, Number(base)))


def _logarithms(name: str, k: int, values: Sequence[int]) -> Iterator[Atom]:
    x, two = Name(name), Number(2)
    if all(v & (v - 1) == 0 for v in values):
        at = (name, POWER_OF_TWO)
        yield Atom(_log(x, 2), 3.0, lambda p: floor_log(p[k], 2), at)
    else:
        for function, of in (("ceiling", ceiling_log), ("floor", floor_log)):
            log = Call(function, (_log(x, 2),))
            yield Atom(log, 4.0, lambda p, of=of: of(p[k], 2))  # type: ignore[misc]
            yield Atom(
                Power(two, log),
                6.0,
                lambda p, of=of: 1 << of(p[k], 2),  # type: ignore[misc]
            )
    if min(values) > 1:
        less = Call("ceiling", (_log(plus(x, -1), 2),))
        yield Atom(less, 8.0, lambda p: ceiling_log(p[k] - 1, 2))
    yield Atom(Call("floor", (_log(plus(x, 1), 2),)), 8.0, lambda p: floor_log(p[k] + 1, 2))
    for base in _BASES:
        for function, of in (("ceiling", ceiling_log), ("floor", floor_log)):
            yield Atom(
                Call(function, (_log(x, base),)),
                6.0 + log2(base) / 2,
                lambda p, of=of, base=base: of(p[k], base),  # type: ignore[misc]
            )
    for start in _STARTS:
        if min(values) >= start:
            part = Divide(x, Number(start))
            yield Atom(
                Call("ceiling", (_log(part, 2),)),
                6.0 + log2(start),
                lambda p, start=start: ceiling_log(-(-p[k] // start), 2),  # type: ignore[misc]
            )
            yield Atom(
                Call("floor", (_log(part, 2),)),
                6.0 + log2(start),
                lambda p, start=start: floor_log(p[k] // start, 2),  # type: ignore[misc]
            )


def doublings(name: str, values: Sequence[int]) -> Iterator[tuple[Atom, Atom]]:
    """Rounded binary logarithms and the powers of two that belong to them: loops that double add up
    to such a power."""
    if min(values) < 1 or all(v & (v - 1) == 0 for v in values):
        return
    for function, of in (("ceiling", ceiling_log), ("floor", floor_log)):
        log = Call(function, (_log(Name(name), 2),))
        yield (
            Atom(log, 4.0, lambda p, of=of: of(p[0], 2)),  # type: ignore[misc]
            Atom(
                Power(Number(2), log),
                4.0,
                lambda p, of=of: 1 << of(p[0], 2),  # type: ignore[misc]
            ),
        )


def _quotients(name: str, k: int, most: int) -> Iterator[Atom]:
    x = Name(name)
    divisors = [b for b in (*range(2, _SMALL_DIVISOR + 1), *_ROUND_DIVISORS) if b < most]
    for b in divisors:
        cost = 3 + (1 + log2(log2(b) + 1) if b & (b - 1) == 0 else integer_bits(b))
        part = Divide(x, Number(b))
        yield Atom(Call("floor", (part,)), cost, lambda p, b=b: p[k] // b)  # type: ignore[misc]
        yield Atom(
            Call("ceiling", (part,)),
            cost,
            lambda p, b=b: -(-p[k] // b),  # type: ignore[misc]
        )
        shifts = range(1, b - 1) if b <= _EVERY_SHIFT else (1, b - 2)
        for c in shifts:
            yield Atom(
                Call("floor", (Divide(plus(x, c), Number(b)),)),
                cost + 1 + min(integer_bits(c), integer_bits(b - c)),
                lambda p, b=b, c=c: (p[k] + c) // b,  # type: ignore[misc]
            )


def _roots(name: str, k: int, values: Sequence[int]) -> Iterator[Atom]:
    root = Call("sqrt", (Name(name),))
    yield Atom(Call("floor", (root,)), 5.0, lambda p: isqrt(p[k]))
    yield Atom(Call("ceiling", (root,)), 6.0, lambda p: isqrt(p[k] - 1) + 1)


def joint(names: Sequence[str], a: int, b: int, points: Sequence[Point]) -> Iterator[Atom]:
    """Functions of two parameters that are no products: quotients, the larger, the smaller."""
    x, y = Name(names[a]), Name(names[b])
    if a < b:
        yield Atom(Call("Min", (x, y)), 5.0, lambda p: min(p[a], p[b]))
        yield Atom(Call("Max", (x, y)), 5.0, lambda p: max(p[a], p[b]))
    yield Atom(Call("Max", (Number(0), Add((x, Negative(y))))), 6.0, lambda p: max(0, p[a] - p[b]))
    if all(p[b] > 0 for p in points):
        part = Divide(x, y)
        yield Atom(Call("ceiling", (part,)), 5.0, lambda p: -(-p[a] // p[b]))
        yield Atom(Call("floor", (part,)), 5.0, lambda p: p[a] // p[b])
        yield Atom(Call("Mod", (x, y)), 6.0, lambda p: p[a] % p[b])
        for shift in (-1, 1):
            yield Atom(
                Call("ceiling", (Divide(plus(x, shift), y),)),
                8.0,
                lambda p, shift=shift: -(-(p[a] + shift) // p[b]),  # type: ignore[misc]
            )


def residue(name: str, k: int, r: int, q: int) -> Atom:
    """1 where the k-th parameter leaves the remainder r when divided by q, else 0."""
    x = Name(name)
    tree: Node
    if q == 2:
        tree = Call("Mod", (plus(x, 1 - r), Number(2)))
    else:
        step = [Call("floor", (Divide(plus(x, -c), Number(q)),)) for c in (r, r + 1)]
        tree = Add((step[0], Negative(step[1])))
    return Atom(tree, 6.0 + q, lambda p: int(p[k] % q == r))


def product(factors: Sequence[Atom]) -> Atom:
    """The product; of none, 1."""
    if len(factors) == 1:
        return factors[0]
    if not factors:
        return Atom(Number(1), 0.5, lambda p: 1, polynomial=True)
    marks = [f.only_at for f in factors if f.only_at]

    def of(p: Point) -> int:
        value = 1
        for f in factors:
            value *= f.of(p)
        return value

    return Atom(
        multiplied([f.tree for f in factors]),
        sum(f.bits for f in factors),
        of,
        marks[0] if marks else None,
        all(f.polynomial for f in factors),
        tuple(factors),
    )


__all__ = [
    "Atom",
    "doublings",
    "joint",
    "plus",
    "powers",
    "product",
    "residue",
    "rounded",
    "shifted",
]
