"""Powers of a number in normal form, and the whole parts of the inverses: logarithms and roots."""

from __future__ import annotations

import math
from fractions import Fraction

from .atoms import CLog, Floor, Pow, Root
from .extrema import maximum, untruncate
from .integer_inverses import integer_log, integer_root
from .polynomial import ZERO, Expr, expr, from_atom, lone_atom, rebuilt
from .proofs import Assumptions, is_nonnegative
from .terms import MAX_BITS, MAX_POWER, TooComplex, bits, number

_LARGEST_SHIFT = 64
"""Powers of the base that a quotient of powers is tried to be moved by, to be whole."""


# -- powers
def power(base: int, exponent: Expr) -> Expr:
    """base ** exponent; the constant part of the exponent becomes a coefficient.

    Raises:
        TooComplex: that would be too long.
    """
    constant = exponent.terms.get((), 0)
    if not isinstance(constant, int) or abs(constant) > MAX_POWER:
        raise TooComplex
    if abs(constant) * (bits(base) - 1) > MAX_BITS:
        raise TooComplex
    rest = exponent - constant
    factor = number(Fraction(base) ** constant)
    return expr(factor) if not rest else from_atom(Pow(base, rest)) * factor


@rebuilt.register(Pow)
def _rebuilt_power(a: Pow, parts: tuple[Expr, ...]) -> Expr:
    return power(a.base, parts[0])


def _least_power(base: int, value: Fraction) -> int:
    """The smallest k, of either sign, with base**k >= value, for value > 0."""
    k = 0
    while Fraction(base) ** k < value:
        k += 1
    while Fraction(base) ** (k - 1) >= value:
        k -= 1
    return k


def _line_of_power(e: Expr) -> tuple[Pow, Fraction, Fraction] | None:
    """(a, c, d) where this is c a + d for exactly one power of a number a and c > 0, else None."""
    line = e.line
    if line is None:
        return None
    a, slope, shift = line
    return (a, Fraction(slope), Fraction(shift)) if isinstance(a, Pow) and slope > 0 else None


def least_exponent(arg: Expr) -> Expr | None:
    """What is not below 0 where c b**x - d is not, for numbers c, d > 0: x - k."""
    line = _line_of_power(arg)
    if line is None:
        return None
    a, slope, shift = line
    return a.exponent - _least_power(a.base, -shift / slope) if shift < 0 else None


def power_quotient(num: Expr, den: Expr, assumptions: Assumptions) -> Expr | None:
    """c b**x / (d b**y) where it is a whole number: c/d is a power of b and the exponents'
    difference is not negative."""
    above, below = _multiple_of_power(num), _multiple_of_power(den)
    if above is None or below is None:
        return None
    (top, c), (bottom, d) = above, below
    if top is None or (bottom is not None and bottom.base != top.base):
        return None
    exponent = top.exponent if bottom is None else top.exponent - bottom.exponent
    moved = _whole_multiple(c / d, top.base)
    if moved is None:
        return None
    factor, shift = moved
    if not is_nonnegative(exponent + shift, assumptions):
        return None
    return power(top.base, exponent + shift) * factor


def _multiple_of_power(e: Expr) -> tuple[Pow | None, Fraction] | None:
    """(a, c) where this is c a for a power of a number; a is None where it is the number c alone.
    None for every other formula."""
    term = e.only_term
    if term is None:
        return None
    a = lone_atom(term[0])
    if isinstance(a, Pow):
        return a, Fraction(term[1])
    return None if term[0] else (None, Fraction(term[1]))


def _whole_multiple(ratio: Fraction, base: int) -> tuple[Fraction, int] | None:
    """(whole number k, shift) with ratio = k base**shift; None where there is none."""
    size, shift = abs(ratio), 0
    while size < 1:
        size, shift = size * base, shift - 1
        if shift < -_LARGEST_SHIFT:
            return None
    return (size if ratio > 0 else -size, shift) if size.denominator == 1 else None


# -- logarithms
def ceil_log(base: int, arg: Expr) -> Expr:
    """The smallest i >= 0 with base ** i >= arg."""
    value = arg.constant
    if value is not None:
        return expr(integer_log(base, math.ceil(value)))
    # clog(trunc(a/b) + k) = clog(floor(a/b) + k) for k <= 1: for a < 0 both arguments are at most
    # 1.
    if is_nonnegative(1 - arg):
        return ZERO
    shifted = untruncate(arg - 1)
    exponent = _exponent(base, arg, _whole_power(base, shifted))
    if exponent is not None:
        return exponent if is_nonnegative(exponent) else maximum(0, exponent)
    return from_atom(CLog(base, shifted + 1))


@rebuilt.register(CLog)
def _rebuilt_log(a: CLog, parts: tuple[Expr, ...]) -> Expr:
    return ceil_log(a.base, parts[0])


def _exponent(base: int, arg: Expr, below: Expr | None) -> Expr | None:
    """x where max(0, x) is the logarithm of base**x, or of floor(base**y) + 1: then it is y + 1,
    and what is below 1 rounds down to 0."""
    if below is not None:
        return below + 1
    atom = arg.atom
    return atom.exponent if isinstance(atom, Pow) and atom.base == base else None


def _whole_power(base: int, e: Expr) -> Expr | None:
    """y for floor(base**y)."""
    quotient = e.atom
    if not isinstance(quotient, Floor) or not quotient.den.constant:
        return None
    multiple = _multiple_of_power(quotient.num)
    if multiple is None:
        return None
    atom, factor = multiple
    if atom is None:
        return None
    ratio = factor / Fraction(quotient.den.constant)
    if atom.base != base or ratio <= 0:
        return None
    shift = integer_log(base, max(ratio.numerator, ratio.denominator))
    if ratio not in (base**shift, Fraction(1, base**shift)):
        return None
    return atom.exponent + (shift if ratio >= 1 else -shift)


def log_of_power(a: CLog, arg: Expr, assumptions: Assumptions) -> Expr | None:
    """clog of c b**x + d, where it is x + k for all x that may be: of 2**(x - 1) + 1, x for
    x >= 1."""
    line = _line_of_power(arg)
    if line is None or line[0].base != a.base:
        return None
    top, slope, shift = line
    k = _least_power(a.base, slope)
    if Fraction(a.base) ** k == slope and shift > 0:
        k += 1
    scale = math.lcm(slope.denominator, shift.denominator, a.base ** max(0, 1 - k))
    whole = from_atom(top) * scale
    enough = whole * Fraction(a.base) ** k - arg * scale
    needed = arg * scale - whole * Fraction(a.base) ** (k - 1) - 1
    exponent = top.exponent + k
    shown = all(is_nonnegative(e, assumptions) for e in (enough, needed, exponent))
    return exponent if shown else None


# -- roots
def root(degree: int, arg: Expr) -> Expr:
    """The largest i >= 0 with i**degree <= arg, 0 where there is none."""
    value = arg.constant
    if value is not None:
        return expr(integer_root(degree, math.floor(value)))
    if is_nonnegative(-arg):
        return ZERO
    arg = untruncate(arg)
    return _exact_root(degree, arg) or from_atom(Root(degree, arg))


@rebuilt.register(Root)
def _rebuilt_root(a: Root, parts: tuple[Expr, ...]) -> Expr:
    return root(a.degree, parts[0])


def _exact_root(degree: int, arg: Expr) -> Expr | None:
    """x for x**degree, where x is an atom that is not negative."""
    term = arg.only_term
    if term is None or term[1] != 1 or len(term[0]) != 1:
        return None
    ((a, exponent),) = term[0]
    x = from_atom(a)
    return x if exponent == degree and is_nonnegative(x) else None
