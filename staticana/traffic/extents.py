"""The range of bytes of each object that a nest may touch, by interval arithmetic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..expr import Atom, CLog, Expr, Extremum, Floor, Pow, Step, Sym, Trunc
from .references import Guard, LoopNode, Node, Reference
from .refusal import Refused

Interval = tuple[Fraction, Fraction]
_LARGEST = 1 << 50
"""Bytes of the farthest address from the start of an object."""


@dataclass(frozen=True)
class Extent:
    """First and last byte of an object, and its first and last row."""

    first: int
    last: int
    first_row: int = 0
    last_row: int = 0

    def __or__(self, other: Extent) -> Extent:
        return Extent(
            min(self.first, other.first),
            max(self.last, other.last),
            min(self.first_row, other.first_row),
            max(self.last_row, other.last_row),
        )


def extents(body: Sequence[Node], values: Mapping[str, int]) -> dict[str, Extent]:
    """What may be touched of each object; what is returned may be larger than what is touched,
    never smaller.

    Raises:
        Refused: a formula has a shape that is not evaluated, or a range is far too large.
    """
    found: dict[str, Extent] = {}
    _visit(body, {name: (Fraction(v), Fraction(v)) for name, v in values.items()}, found)
    return found


def _visit(body: Sequence[Node], at: dict[str, Interval], found: dict[str, Extent]) -> None:
    for node in body:
        if isinstance(node, Reference):
            low, high = interval(node.offset, at)
            if node.spread is not None:
                chosen = max(Fraction(0), interval(node.spread.count, at)[1])
                high += interval(node.spread.stride, at)[1] * chosen
            if max(abs(low), abs(high)) > _LARGEST:
                raise Refused(f"the address at {node.at} has a range that is too large")
            rows = (Fraction(0), Fraction(0)) if node.row is None else interval(node.row, at)
            own = Extent(int(low), int(high) + node.size - 1, int(rows[0]), int(rows[1]))
            found[node.object] = found.get(node.object, own) | own
        elif isinstance(node, Guard):
            _visit(node.body, at, found)
        else:
            assert isinstance(node, LoopNode)
            trips = interval(node.trips, at)[1]
            if trips > 0:
                _visit(node.body, {**at, node.index: (Fraction(0), trips - 1)}, found)


def interval(e: Expr, at: Mapping[str, Interval]) -> Interval:
    """Bounds of a formula; exact where every symbol occurs once.

    A polynomial that has a symbol in the first power only is taken at both ends of it, which keeps
    8*n*i - 8*i*i + ... from being torn apart term by term where that is possible.
    """
    low = high = Fraction(0)
    for monomial, coefficient in e.terms.items():
        product: Interval = (Fraction(coefficient), Fraction(coefficient))
        for atom, power in monomial:
            product = _times(product, _power(_atom(atom, at), power))
        low, high = low + product[0], high + product[1]
    return low, high


def _times(a: Interval, b: Interval) -> Interval:
    found = [x * y for x in a for y in b]
    return min(found), max(found)


def _power(a: Interval, power: int) -> Interval:
    found = [a[0] ** power, a[1] ** power]
    if power % 2 == 0 and a[0] < 0 < a[1]:
        found.append(Fraction(0))
    return min(found), max(found)


def _atom(atom: Atom, at: Mapping[str, Interval]) -> Interval:
    match atom:
        case Sym():
            return at[atom.name]
        case Extremum():
            found = [interval(a, at) for a in atom.args]
            choose = min if atom.is_least else max
            return choose(f[0] for f in found), choose(f[1] for f in found)
        case Step():
            return Fraction(0), Fraction(1)
        case Floor() | Trunc():
            num, den = interval(atom.num, at), interval(atom.den, at)
            if den[0] <= 0 <= den[1]:
                raise Refused("a formula divides by what may be 0")
            ends = [x / y for x in num for y in den]
            return Fraction(min(ends) // 1), Fraction(-(-max(ends) // 1))
        case CLog():
            ends = [max(Fraction(1), x) for x in interval(atom.arg, at)]
            return tuple(Fraction((math.ceil(x) - 1).bit_length()) for x in ends)  # type: ignore[return-value]
        case Pow():
            exponent = interval(atom.exponent, at)
            if exponent[1] > 60:
                raise Refused("a power is too large")
            return tuple(Fraction(atom.base) ** max(0, int(x)) for x in exponent)  # type: ignore[return-value]
    raise Refused(f"a formula has a form that is not evaluated: {atom}")
