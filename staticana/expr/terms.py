"""Terms of polynomials: monomials over factors with rational coefficients, and their arithmetic.

A polynomial is a dictionary from monomials to coefficients; integers stay Python integers. What is
here works on such dictionaries, whatever their factors stand for; `polynomial` makes formulas of
them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Self, TypeVar, Union

Number = Union[int, Fraction]

MAX_TERMS = 200
"""A formula with more monomials than this is not a law anyone reads; building it raises
`TooComplex`."""

MAX_BITS = 1 << 13
"""Nor is one with a number longer than this, or a power higher than `MAX_POWER`. Python writes such
numbers: those of up to 4,300 digits."""
MAX_POWER = 1 << 12
"""The highest power, and the largest constant in an exponent; see `MAX_BITS`."""


class TooComplex(Exception):
    """A formula outgrew `MAX_TERMS`, `MAX_BITS` or `MAX_POWER`, or an atom the length of its text;
    the loop is then reported as unknown, with this reason."""


# -- numbers
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


def ratio(a: Number, b: Number) -> Number:
    """a / b; a fraction only where it is one, for these take long."""
    if type(a) is int and type(b) is int:
        whole, rest = divmod(a, b)
        return whole if not rest else Fraction(a, b)
    return number(a / Fraction(b))


# -- monomials
class Factor(str):
    """What monomials are products of: a text, which orders and identifies it, and how it
    multiplies.

    Being the text, factors are compared and hashed as strings are, in C: nothing is done more
    often.
    """

    __slots__ = ()
    is_indicator = False  # 0 or 1: its own square
    is_power = False  # of a number: several in a product may be one

    def merged(self, power: int, other: Self, other_power: int) -> tuple[Self, ...] | None:
        """The product of two powers of such factors as fewer factors; None where they have nothing
        in common."""
        return None


_F = TypeVar("_F", bound=Factor)
_M = TypeVar("_M", bound=Hashable)

factor_key = itemgetter(0)
"""Orders the (factor, exponent) pairs of a monomial."""


def monomial_product(
    left: tuple[tuple[_F, int], ...], right: tuple[tuple[_F, int], ...]
) -> tuple[tuple[_F, int], ...]:
    """The product of two monomials; most often one of them is a single factor."""
    if len(left) == 1:
        left, right = right, left
    if len(right) == 1 and not right[0][0].is_power:
        return _with_factor(left, *right[0])
    powers = dict(left)
    for a, e in right:
        powers[a] = powers.get(a, 0) + e
    bases: list[_F] = []
    for a in powers:
        if a.is_indicator:
            powers[a] = 1
        elif a.is_power:
            bases.append(a)
    if len(bases) > 1:
        _merge_powers(powers, bases)
    return tuple(sorted(powers.items(), key=factor_key))


def _with_factor(
    monomial: tuple[tuple[_F, int], ...], a: _F, power: int
) -> tuple[tuple[_F, int], ...]:
    """A monomial times the power of one factor, in its place."""
    at = bisect_left(monomial, (a,))
    if at == len(monomial) or monomial[at][0] != a:
        return (*monomial[:at], (a, power), *monomial[at:])
    raised = 1 if a.is_indicator else monomial[at][1] + power
    return (*monomial[:at], (a, raised), *monomial[at + 1 :])


def _merge_powers(powers: dict[_F, int], found: list[_F]) -> None:
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


# -- polynomials
def times_whole(terms: Mapping[_M, Number], factor: int) -> dict[_M, Number]:
    """A polynomial's terms times an integer; most coefficients are integers."""
    return {m: c * factor if type(c) is int else number(c * factor) for m, c in terms.items()}


def accumulate(terms: dict[_M, Number], more: Mapping[_M, Number], factor: Number = 1) -> None:
    """Add a polynomial's terms, each times a number, to others, in place.

    Raises:
        TooComplex: there are more than `MAX_TERMS` then.
    """
    for monomial, coefficient in more.items():
        added = coefficient * factor
        total = terms.get(monomial, 0) + (added if type(added) is int else number(added))
        if total:
            terms[monomial] = total
        else:
            del terms[monomial]
    if len(terms) > MAX_TERMS:
        raise TooComplex


def are_independent(left: set[_F], right: set[_F]) -> bool:
    """Has no factor anything to do with one of another formula?"""
    return left.isdisjoint(right) and not (
        any(a.is_power for a in left) and any(a.is_power for a in right)
    )


def independent_product(
    left: Mapping[tuple[tuple[_F, int], ...], Number],
    right: Mapping[tuple[tuple[_F, int], ...], Number],
) -> dict[tuple[tuple[_F, int], ...], Number]:
    """The product of terms that have no factors in common: each pair is a term of its own, with the
    factors of both, each once."""
    return {
        tuple(sorted(m + n)) if m and n else m or n: a * b
        if type(a) is int and type(b) is int
        else number(a * b)
        for m, a in left.items()
        for n, b in right.items()
    }


def dependent_product(
    left: Mapping[tuple[tuple[_F, int], ...], Number],
    right: Mapping[tuple[tuple[_F, int], ...], Number],
) -> dict[tuple[tuple[_F, int], ...], Number]:
    """The product of terms that may have factors in common: pairs may be the same term, or cancel.

    Raises:
        TooComplex: there are more than `MAX_TERMS` of them.
    """
    terms: dict[tuple[tuple[_F, int], ...], Number] = {}
    for m, a in left.items():
        for n, b in right.items():
            monomial = monomial_product(m, n) if m and n else m or n
            total = terms.get(monomial, 0) + a * b
            if total:
                terms[monomial] = number(total)
            else:
                terms.pop(monomial, None)
    if len(terms) > MAX_TERMS:
        raise TooComplex
    return terms
