"""The terms of polynomials: monomials over atoms with rational coefficients, and their arithmetic.

A polynomial is a dictionary from monomials to coefficients; integers stay Python integers. What is
here works on such dictionaries in place of formulas (`polynomial`), since nothing is done more
often.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from .atoms import Atom

Number = Union[int, Fraction]
Monomial = tuple[tuple["Atom", int], ...]

atom_key = itemgetter(0)

MAX_TERMS = 200
"""A formula with more monomials than this is not a law anyone reads; building it raises
`TooComplex`."""

MAX_BITS = 1 << 13
"""Nor is one with a number longer than this, or a power higher than `MAX_POWER`. Python writes such
numbers: those of up to 4,300 digits."""
MAX_POWER = 1 << 12


class TooComplex(Exception):
    """A formula outgrew `MAX_TERMS`, `MAX_BITS` or `MAX_POWER`, or an atom the length of its text;
    the loop is then reported as unknown, with this reason."""


def bits(value: Number) -> int:
    """Bits of a number, those above and below the line."""
    return value.numerator.bit_length() + value.denominator.bit_length() - 1


def number(value: Number) -> Number:
    """A whole number as an integer."""
    return value if type(value) is int or value.denominator != 1 else value.numerator


def scaled(value: Number, numerator: int, denominator: int) -> Number:
    """value*numerator/denominator; most are integers that it divides."""
    if type(value) is int:
        whole, rest = divmod(value * numerator, denominator)
        return whole if not rest else Fraction(value * numerator, denominator)
    return number(value * Fraction(numerator, denominator))


def times_whole(terms: dict[Monomial, Number], factor: int) -> dict[Monomial, Number]:
    """A polynomial's terms times an integer; most coefficients are integers."""
    return {m: c * factor if type(c) is int else number(c * factor) for m, c in terms.items()}


def accumulate(
    terms: dict[Monomial, Number], more: dict[Monomial, Number], factor: Number = 1
) -> None:
    """Add a polynomial's terms, each times a number, to others, in place."""
    for monomial, coefficient in more.items():
        added = coefficient * factor
        total = terms.get(monomial, 0) + (added if type(added) is int else number(added))
        if total:
            terms[monomial] = total
        else:
            del terms[monomial]
    if len(terms) > MAX_TERMS:
        raise TooComplex


def monomial_product(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials; most often one of them is a single atom."""
    if len(left) == 1:
        left, right = right, left
    if len(right) == 1:
        ((a, e),) = right
        if not a.is_power:
            at = bisect_left(left, (a,))
            if at == len(left) or left[at][0] != a:
                return (*left[:at], *right, *left[at:])
            return (*left[:at], (a, 1 if a.is_indicator else left[at][1] + e), *left[at + 1 :])
    powers = dict(left)
    for a, e in right:
        powers[a] = powers.get(a, 0) + e
    bases: list[Atom] = []
    for a in powers:
        if a.is_indicator:
            powers[a] = 1
        elif a.is_power:
            bases.append(a)
    if len(bases) > 1:
        _merge_powers(powers, bases)
    return tuple(sorted(powers.items(), key=atom_key))


def _merge_powers(powers: dict[Atom, int], found: list[Atom]) -> None:
    """2**x 2**-x = 1: factors that are one become one."""
    for at, a in enumerate(found):
        for b in found[at + 1 :]:
            if a not in powers or b not in powers:
                continue
            merged = a.merged(powers[a], b, powers[b])
            if merged is not None:
                del powers[a], powers[b]
                for c in merged:
                    powers[c] = powers.get(c, 0) + 1


def are_independent(left: set[Atom], right: set[Atom]) -> bool:
    """Has no factor anything to do with one of another formula?"""
    return left.isdisjoint(right) and not (
        any(a.is_power for a in left) and any(a.is_power for a in right)
    )


def independent_product(
    left: dict[Monomial, Number], right: dict[Monomial, Number]
) -> dict[Monomial, Number]:
    """The product of terms that have no factors in common: each pair is a term of its own, with the
    factors of both, each once."""
    return {
        tuple(sorted(m + n)) if m and n else m or n: a * b
        if type(a) is int and type(b) is int
        else number(a * b)
        for m, a in left.items()
        for n, b in right.items()
    }
