"""Counts that follow one polynomial up to some size and another one beyond: max and min of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from looplaw_common.formula.tree import Call, Name, Node, Number, Power

from .atoms import Atom, plus, product
from .codes import Point, rational_bits
from .linear import solved
from .write import tree_of_sum

_DEGREE = 3
_CONFIRMING = 2


_MOST_STARTS = 64
"""Places at which growth may begin that are tried."""


def pieces(name: str, points: Sequence[Point], values: Sequence[int]) -> Iterator[tuple[Atom, ...]]:
    """Columns that may make up counts which follow one law up to some size and another beyond.

    One is Max(P, Q) or Min(P, Q) with two polynomials, each confirmed by two points of its own
    beyond those that determine it; others are 1 and powers of Max(0, x - c), where the counts begin
    to grow beyond c.
    """
    yield from (((atom,)) for atom in _two_laws(name, points, values))
    yield from _late_growth(name, points, values)


def _late_growth(
    name: str, points: Sequence[Point], values: Sequence[int]
) -> Iterator[tuple[Atom, ...]]:
    pairs = sorted(zip((p[0] for p in points), values, strict=True))
    flat = next((k for k, (_, y) in enumerate(pairs) if y != pairs[0][1]), len(pairs))
    if flat <= _CONFIRMING or flat == len(pairs):
        return
    last, following = pairs[flat - 1][0], pairs[flat][0]
    for c in range(last, min(following, last + _MOST_STARTS)):
        beyond = Call("Max", (Number(0), plus(Name(name), -c)))
        bits = 4 + rational_bits(Fraction(c))
        for degree in range(1, min(_DEGREE, len(pairs) - flat - _CONFIRMING) + 1):
            powers = [
                Atom(
                    beyond if d == 1 else Power(beyond, Number(d)),
                    (bits if d == 1 else 0) + d,
                    _raised(c, d),
                )
                for d in range(1, degree + 1)
            ]
            yield (product(()), *powers) if pairs[0][1] else tuple(powers)


def _raised(c: int, degree: int) -> Callable[[Point], int]:
    return lambda p: max(0, p[0] - c) ** degree


def _two_laws(name: str, points: Sequence[Point], values: Sequence[int]) -> Iterator[Atom]:
    pairs = sorted(zip((p[0] for p in points), values, strict=True))
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    for cut in range(_CONFIRMING + 1, len(xs) - _CONFIRMING):
        left, right = _polynomial(xs[:cut], ys[:cut]), _polynomial(xs[cut:], ys[cut:])
        if left is None or right is None or left == right:
            continue
        for function, pick in (("Max", max), ("Min", min)):
            of = _picked(pick, left, right)
            if all(of((x,)) == y for x, y in pairs):
                sides = (_tree(name, left), _tree(name, right))
                ordered = tuple(sorted(sides, key=lambda t: not isinstance(t, Number)))
                bits = 4 + sum(1 + rational_bits(c) for c in (*left, *right))
                yield Atom(Call(function, ordered), bits, of)


def _picked(
    pick: Callable[[Fraction, Fraction], Fraction],
    left: Sequence[Fraction],
    right: Sequence[Fraction],
) -> Callable[[Point], int]:
    def of(p: Point) -> int:
        found = pick(_value(left, p[0]), _value(right, p[0]))
        # a value that is not whole must differ from every count
        return int(found) if found.denominator == 1 else -1

    return of


def _value(coefficients: Sequence[Fraction], x: int) -> Fraction:
    value = Fraction(0)
    for c in reversed(coefficients):
        value = value * x + c
    return value


def _polynomial(xs: Sequence[int], ys: Sequence[int]) -> tuple[Fraction, ...] | None:
    """The coefficients of the polynomial of least degree through all points, from the constant on;
    None where it is not confirmed."""
    for degree in range(min(_DEGREE, len(xs) - 1 - _CONFIRMING) + 1):
        found = solved([[x**d for x in xs] for d in range(degree + 1)], ys)
        if found is not None:
            return found
    return None


def _tree(name: str, coefficients: Sequence[Fraction]) -> Node:
    x = Name(name)
    columns: list[Node] = [Number(1), x]
    columns += [Power(x, Number(d)) for d in range(2, len(coefficients))]
    return tree_of_sum(list(zip(coefficients, columns, strict=False)))
