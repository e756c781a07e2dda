"""Powers of a number, and the whole parts of the inverses: logarithms and roots.

Logarithms and roots are found by integer arithmetic: floating point fails at powers of two.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Self

from .atoms import Atom, OfOne, Sym
from .extrema import Extremum, maximum, untruncate
from .integer_valued import is_integer
from .polynomial import ZERO, Expr, expr, from_atom
from .printing import is_linear
from .proofs import Assumptions, is_nonnegative
from .quotients import Floor
from .terms import MAX_BITS, MAX_POWER, Number, TooComplex, bits, number

_HIGHEST_LEAST = 2
"""The highest number that an exponent is tried to be shown not to be below."""


class Pow(Atom):
    """base ** exponent for an integer base of at least 2."""

    __slots__ = ("base", "exponent")
    base: int
    exponent: Expr
    is_never_negative = True
    is_power = True

    def __new__(cls, base: int, exponent: Expr) -> Self:
        return cls._of(f"{base}**({exponent})", base=base, exponent=exponent)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.exponent,)

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return power(self.base, parts[0])

    @property
    def is_whole(self) -> bool:  # type: ignore[override]
        return (self.exponent.constant or 0) >= 0

    def merged(self, power: int, other: Atom, other_power: int) -> tuple[Atom, ...] | None:
        """Powers of one base are one where their exponents have something in common."""
        if not isinstance(other, Pow) or self.base != other.base:
            return None
        first, second = self.exponent * power, other.exponent * other_power
        exponent = first + second
        if len(exponent.terms) >= len(first.terms) + len(second.terms):
            return None
        return (Pow(self.base, exponent),) if exponent else ()

    @property
    def is_parity_hidden(self) -> bool:
        """A power of two is even where its exponent is positive, which nobody knows of a linear one
        as long as a symbol is in it, nor of Max(0, a linear one)."""
        atom = self.exponent.atom
        choices = atom.args if isinstance(atom, Extremum) and not atom.is_least else ()
        return (
            self.base % 2 == 1
            or is_linear(self.exponent)
            or (
                bool(choices)
                and all(is_linear(e) if e.constant is None else e.constant <= 0 for e in choices)
            )
        )

    def bounds(self, assumptions: Assumptions | None = None) -> Sequence[Expr]:
        least = next(
            (
                k
                for k in range(_HIGHEST_LEAST, -1, -1)
                if is_nonnegative(self.exponent - k, assumptions)
            ),
            None,
        )
        return [] if least is None else [from_atom(self) - self.base**least]

    def written(self) -> str:
        bare = isinstance(self.exponent.atom, (Sym, Extremum, Floor))
        return f"{self.base}**{self.exponent}" if bare else f"{self.base}**({self.exponent})"

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        exponent = self.exponent.evaluate(values)
        if not -100_000 <= exponent <= 100_000:
            raise OverflowError(f"{self.base}**{exponent} is too large")
        return number(Fraction(self.base) ** int(exponent))


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


class Inverse(OfOne):
    """The whole part of the inverse of i -> number**i, or of i -> i**number, at `arg`."""

    __slots__ = ("number",)
    number: int
    is_never_negative = True

    def __new__(cls, number: int, arg: Expr) -> Self:
        return cls._of(f"{cls.name}{number}({arg})", number=number, arg=arg)


class CLog(Inverse):
    """The smallest i >= 0 with base ** i >= arg: ceiling(log(Max(1, arg), base))."""

    __slots__ = ()
    name = "clog"

    @property
    def base(self) -> int:
        return self.number

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return ceil_log(self.base, parts[0])

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return _ceil_log(self.base, math.ceil(self.arg.evaluate(values)))

    def written(self) -> str:
        log = f"log({maximum(1, self.arg)}, 2)"
        return f"ceiling({log})" if self.base == 2 else f"ceiling({log}/log({self.base}, 2))"


def _ceil_log(base: int, arg: int) -> int:
    if arg <= 1:
        return 0
    if base == 2:
        return (arg - 1).bit_length()
    count, reached = 0, 1
    while reached < arg:
        reached *= base
        count += 1
    return count


def ceil_log(base: int, arg: Expr) -> Expr:
    """The smallest i >= 0 with base ** i >= arg."""
    value = arg.constant
    if value is not None:
        return expr(_ceil_log(base, math.ceil(value)))
    # clog(trunc(a/b) + k) = clog(floor(a/b) + k) for k <= 1: for a < 0 both arguments are at most
    # 1.
    if is_nonnegative(1 - arg):
        return ZERO
    shifted = untruncate(arg - 1)
    exponent = _exponent(base, arg, _whole_power(base, shifted))
    if exponent is not None:
        return exponent if is_nonnegative(exponent) else maximum(0, exponent)
    return from_atom(CLog(base, shifted + 1))


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
    if not isinstance(quotient, Floor) or quotient.den.constant is None:
        return None
    ((monomial, factor), *more) = quotient.num.terms.items()
    if more or len(monomial) != 1 or monomial[0][1] != 1:
        return None
    atom, ratio = monomial[0][0], Fraction(factor) / Fraction(quotient.den.constant)
    if not isinstance(atom, Pow) or atom.base != base or ratio <= 0:
        return None
    shift = _ceil_log(base, max(ratio.numerator, ratio.denominator))
    if ratio not in (base**shift, Fraction(1, base**shift)):
        return None
    return atom.exponent + (shift if ratio >= 1 else -shift)


def log_of_power(a: CLog, arg: Expr, assumptions: Assumptions) -> Expr | None:
    """clog of c b**x + d, where it is x + k for all x that may be: of 2**(x - 1) + 1, x for
    x >= 1."""
    constant = Fraction(arg.terms.get((), 0))
    rest = [(m, Fraction(c)) for m, c in arg.terms.items() if m]
    if len(rest) != 1 or len(rest[0][0]) != 1 or rest[0][0][0][1] != 1 or rest[0][1] <= 0:
        return None
    top, c = rest[0][0][0][0], rest[0][1]
    if not isinstance(top, Pow) or top.base != a.base:
        return None
    shift = 0
    while Fraction(a.base) ** shift < c:
        shift += 1
    while Fraction(a.base) ** (shift - 1) >= c:
        shift -= 1
    if Fraction(a.base) ** shift == c and constant > 0:
        shift += 1
    scale = math.lcm(c.denominator, constant.denominator, a.base ** max(0, 1 - shift))
    whole = from_atom(top) * scale
    enough = whole * Fraction(a.base) ** shift - arg * scale
    needed = arg * scale - whole * Fraction(a.base) ** (shift - 1) - 1
    exponent = top.exponent + shift
    shown = all(is_nonnegative(e, assumptions) for e in (enough, needed, exponent))
    return exponent if shown else None


def least_exponent(arg: Expr) -> Expr | None:
    """What is not below 0 where c b**x - d is not, for numbers c, d > 0: x - k."""
    constant = Fraction(arg.terms.get((), 0))
    rest = [(m, Fraction(c)) for m, c in arg.terms.items() if m]
    if constant >= 0 or len(rest) != 1 or rest[0][1] <= 0:
        return None
    top = rest[0][0][0][0]
    if len(rest[0][0]) != 1 or rest[0][0][0][1] != 1 or not isinstance(top, Pow):
        return None
    limit, k = -constant / rest[0][1], 0
    while Fraction(top.base) ** k < limit:
        k += 1
    while Fraction(top.base) ** (k - 1) >= limit:
        k -= 1
    return top.exponent - k


class Root(Inverse):
    """The whole part of the degree-th root of arg; 0 where arg is negative."""

    __slots__ = ()
    name = "root"

    @property
    def degree(self) -> int:
        return self.number

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return root(self.degree, parts[0])

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return _root(self.degree, math.floor(self.arg.evaluate(values)))

    def written(self) -> str:
        inside = self.arg if is_nonnegative(self.arg) else maximum(0, self.arg)
        if self.degree == 2:
            return f"floor(sqrt({inside}))"
        # compiled to floating point, 64**(1/3) is 3.9999999999999996; no root of k + 1/2 is whole
        half = " + 1/2" if is_integer(self.arg) else ""
        return f"floor(({inside}{half})**(1/{self.degree}))"


def _root(degree: int, value: int) -> int:
    if value <= 0:
        return 0
    if degree == 2:
        return math.isqrt(value)
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle - 1)
    return low


def root(degree: int, arg: Expr) -> Expr:
    """The largest i >= 0 with i**degree <= arg, 0 where there is none."""
    value = arg.constant
    if value is not None:
        return expr(_root(degree, math.floor(value)))
    if is_nonnegative(-arg):
        return ZERO
    arg = untruncate(arg)
    if len(arg.terms) == 1:
        ((monomial, coefficient),) = arg.terms.items()
        if (
            coefficient == 1
            and len(monomial) == 1
            and monomial[0][1] == degree
            and is_nonnegative(from_atom(monomial[0][0]))
        ):
            return from_atom(monomial[0][0])
    return from_atom(Root(degree, arg))
