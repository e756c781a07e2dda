"""Sums of columns as formulas that a person would write: factors, one denominator, one floor."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, isqrt, lcm

from looplaw_common.formula.text import normal_text
from looplaw_common.formula.tree import (
    Call,
    Divide,
    Multiply,
    Name,
    Negative,
    Node,
    Number,
    Power,
    added,
    multiplied,
)

Terms = Sequence[tuple[Fraction, Node]]
_MOST_TRIED = 1 << 20
"""Largest coefficient whose divisors are tried as denominators and numerators of roots."""


def formula_of(terms: Terms) -> str:
    """The sum of coefficient * column as text."""
    return normal_text(tree_of_sum(terms))


def tree_of_sum(terms: Terms) -> Node:
    """The sum of coefficient * column: factored where it is a polynomial in one parameter, else
    over one denominator."""
    terms = [(c, node) for c, node in terms if c]
    if not terms:
        return Number(0)
    polynomial = _as_polynomial(terms)
    if polynomial is not None and len(terms) > 1:
        return _factored(*polynomial)
    below = lcm(*(c.denominator for c, _ in terms))
    whole = [(int(c * below), node) for c, node in terms]
    common = reduce(gcd, (c for c, _ in whole)) if len(whole) > 1 else 1
    if all(c < 0 for c, _ in whole) and len(whole) > 1:
        common = -common
    whole = [(c // common, node) for c, node in whole]
    shared = _shared(whole)
    if shared is not None:
        whole = [(c, _without(node, shared)) for c, node in whole]
    top = _sum(whole)
    factors = [f for f in (Number(common) if common != 1 else None, shared, top) if f is not None]
    return _over(multiplied(factors) if len(factors) > 1 else factors[0], below)


def _factors(node: Node) -> tuple[Node, ...]:
    return node.factors if isinstance(node, Multiply) else (node,)


def _shared(terms: Sequence[tuple[int, Node]]) -> Node | None:
    """A factor that all columns have, other than a parameter's power."""
    if len(terms) < 2:
        return None
    for factor in _factors(terms[0][1]):
        if factor != Number(1) and all(factor in _factors(node) for _, node in terms):
            return factor
    return None


def _without(node: Node, factor: Node) -> Node:
    rest = list(_factors(node))
    rest.remove(factor)
    return multiplied(rest) if rest else Number(1)


def _sum(terms: Sequence[tuple[int, Node]]) -> Node:
    """Integers times columns, the steepest first, constants last."""
    ordered = sorted(terms, key=lambda t: -_degree(t[1]))
    if ordered[0][0] < 0 and any(c > 0 and node != Number(1) for c, node in ordered):
        ordered.sort(key=lambda t: t[0] < 0)
    return added([_times(c, node) for c, node in ordered])


def _degree(node: Node) -> int:
    """How fast a column grows, roughly: powers, each other function as one, 2**n as many."""
    if isinstance(node, Multiply):
        return sum(map(_degree, node.factors))
    if isinstance(node, Power):
        degree = node.exponent.value if isinstance(node.exponent, Number) else 1000
        return int(degree) * _degree(node.base) if isinstance(node.base, Name) else int(degree)
    return 0 if isinstance(node, Number) else 1


def _times(c: int, node: Node) -> Node:
    if node == Number(1):
        return Negative(Number(-c)) if c < 0 else Number(c)
    size = node if abs(c) == 1 else multiplied([Number(abs(c)), node])
    return Negative(size) if c < 0 else size


def _over(top: Node, below: int) -> Node:
    return top if below == 1 else Divide(top, Number(below))


def _as_polynomial(terms: Terms) -> tuple[str, list[Fraction]] | None:
    """(parameter, coefficients from the constant on) of a sum of powers of one parameter."""
    name: str | None = None
    found: dict[int, Fraction] = {}
    for c, node in terms:
        base, degree = _power(node)
        if degree is None or (base is not None and name is not None and base != name):
            return None
        name = base or name
        found[degree] = found.get(degree, Fraction(0)) + c
    if name is None:
        return None
    return name, [found.get(d, Fraction(0)) for d in range(max(found) + 1)]


def _power(node: Node) -> tuple[str | None, int | None]:
    if node == Number(1):
        return None, 0
    if isinstance(node, Name):
        return node.name, 1
    if (
        isinstance(node, Power)
        and isinstance(node.base, Name)
        and isinstance(node.exponent, Number)
    ):
        return node.base.name, int(node.exponent.value)
    return None, None


def _factored(name: str, coefficients: list[Fraction]) -> Node:
    """A polynomial as a product of its linear factors and what is left, over one denominator."""
    below = lcm(*(c.denominator for c in coefficients))
    whole = [int(c * below) for c in coefficients]
    common = reduce(gcd, whole)
    rest = [c // common for c in whole]
    linear: list[tuple[int, int]] = []  # (a, b): a*x + b
    while len(rest) > 1 and not rest[0]:
        rest = rest[1:]
        linear.append((1, 0))
    while len(rest) > 1 and (root := _root(rest)) is not None:
        rest = _divided(rest, root)
        linear.append((root.denominator, -root.numerator))
    if len(rest) > 2 and len(linear) < 1:
        rest, linear, common = [c // common for c in whole], [], common
    if len(rest) == 1:
        common, rest = common * rest[0], [1]
    if below != 1 and (shared := gcd(common, below)) > 1:
        common, below = common // shared, below // shared
    x = Name(name)
    factors: list[Node] = []
    for a, b in sorted(set(linear), key=lambda f: (f[0], f[1] != 0, -f[1])):
        base = _sum([(a, x), *([(b, Number(1))] if b else [])])
        often = linear.count((a, b))
        factors.append(base if often == 1 else Power(base, Number(often)))
    if rest != [1]:
        factors.append(_expanded(x, rest))
    sign = -1 if common < 0 else 1
    if abs(common) != 1 or not factors:
        factors.insert(0, Number(abs(common)))
    product = _over(multiplied(factors), below)
    return Negative(product) if sign < 0 else product


def _expanded(x: Name, coefficients: Sequence[int]) -> Node:
    terms: list[tuple[int, Node]] = []
    for d in reversed(range(len(coefficients))):
        if coefficients[d]:
            power: Node = Number(1) if d == 0 else x if d == 1 else Power(x, Number(d))
            terms.append((coefficients[d], power))
    return added([_times(c, node) for c, node in terms])


def _divisors(value: int) -> list[int]:
    value = abs(value)
    small = [d for d in range(1, isqrt(value) + 1) if value % d == 0]
    return sorted({*small, *(value // d for d in small)})


def _root(coefficients: Sequence[int]) -> Fraction | None:
    """A rational root of an integer polynomial; None where there is none, or numbers are large."""
    first, last = coefficients[0], coefficients[-1]
    if abs(first) > _MOST_TRIED or abs(last) > _MOST_TRIED:
        return None
    for q in _divisors(last):
        for p in _divisors(first):
            for root in (Fraction(p, q), Fraction(-p, q)):
                if not reduce(lambda v, c: v * root + c, reversed(coefficients), Fraction(0)):
                    return root
    return None


def _divided(coefficients: Sequence[int], root: Fraction) -> list[int]:
    """The polynomial divided by (denominator * x - numerator) of a root."""
    found: list[Fraction] = []
    carry = Fraction(0)
    for c in reversed(coefficients):
        carry = carry * root + c
        found.append(carry)
    return [int(c / root.denominator) for c in reversed(found[:-1])]


def floored(node_terms: Terms, periodic: Sequence[Fraction]) -> Node | None:
    """floor(P(n) + c) for a polynomial P plus constants that depend on the remainder of n, if they
    lie less than one apart; where all values are whole it is the same."""
    top = max(periodic)
    if top - min(periodic) >= 1:
        return None
    shifted = [(c, node) for c, node in node_terms if node != Number(1)]
    inside = tree_of_sum([*shifted, (top, Number(1))])
    return Call("floor", (inside,))
