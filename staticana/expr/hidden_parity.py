"""Which quotients sympy keeps rounded, since it cannot tell that their numerators are even.

sympy 1.14 takes a product for an integer when its numerator has as many even factors as 2 divides
the denominator, whatever else divides it: over integer symbols ``Max(0, 2*r)/6`` loses its floor,
and so does ``n*(k*m + j)/p`` when the numbers for k, j and p come before those for m and n.
"""

from __future__ import annotations

from fractions import Fraction

from .atoms import Extremum, Pow, Quotient
from .polynomial import Atom, Expr, Monomial, Sym, lone_atom


def is_hidden(e: Expr) -> bool:
    """Can sympy never tell that it is even while a symbol is left in it: a sum over different atoms
    without products of them, one coefficient of each odd?"""
    odd: dict[str, bool] = {}
    for m, c in e.terms.items():
        if len(m) > 1 or (m and not is_hidden_atom(m[0][0])):
            return False
        if m:
            odd[m[0][0].key] = odd.get(m[0][0].key, False) or Fraction(c).numerator % 2 == 1
    return all(odd.values())


def is_hidden_atom(a: Atom) -> bool:
    """Can sympy never tell that an atom is even while a symbol is left in it?"""
    match a:
        case Extremum():
            return all(p.constant is not None or is_hidden(p) for p in a.args)
        case Quotient():
            return is_hidden(a.num)
        case Pow():
            return a.base % 2 == 1 or _may_be_zero(a.exponent)
    return True


def _may_be_zero(exponent: Expr) -> bool:
    """A power of two is even where its exponent is positive, which nobody knows of a linear one as
    long as a symbol is in it, nor of Max(0, a linear one)."""
    if is_linear(exponent):
        return True
    atom = exponent.atom
    return (
        isinstance(atom, Extremum)
        and not atom.is_least
        and all(is_linear(e) if e.constant is None else e.constant <= 0 for e in atom.args)
    )


def is_linear(e: Expr) -> bool:
    """A sum of multiples of symbols and a number."""
    return all(not m or isinstance(lone_atom(m), Sym) for m in e.terms)


def is_safe(num: Expr, den: Expr) -> bool:
    """Does sympy keep the floor around num/den as they are written, with factors taken out?"""
    divisor = den.constant
    if divisor is not None:
        whole = abs(int(divisor))
        two = whole & -whole
        if two in (1, whole):
            return True
    common, rest = num.common_factor()
    factored = bool(common) and len(num.terms) > 1
    return (not factored or is_hidden(rest)) and is_safe_as_sum(num)


def is_safe_as_sum(num: Expr) -> bool:
    """Does it keep the floor around a quotient whose numerator is written as a sum?"""
    return all(_is_safe_product(m) for m in num.terms)


def _is_safe_product(monomial: Monomial) -> bool:
    """sympy adds the exponents of powers of one number: 2**k * 2**Max(0, m) is even from k = 1
    on."""
    powers = [a for a, _ in monomial if isinstance(a, Pow)]
    return all(is_hidden_atom(a) for a, _ in monomial) and (
        len(powers) < 2 or all(is_linear(a.exponent) for a in powers)
    )
