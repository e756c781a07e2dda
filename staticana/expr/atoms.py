"""The shapes of atoms, as data: what each is made of, and its value at numbers.

How a shape is normalised is said in `extrema`, `quotients`, `powers` and `sums`; what is known of
its sign in `proofs`; how it is written in `printing` and `sympy`. A new shape subclasses `Atom`,
registers itself for `rebuilt` and `written`, and says by flags what proofs may use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Literal, Self

from .integer_inverses import integer_log, integer_root
from .polynomial import ZERO, Atom, Expr, from_atom, sym
from .terms import Factor, Number, number

MAX_SUM = 20_000_000
"""Terms of a sum without closed form that are added up one by one when it is evaluated."""
_LARGEST_EXPONENT = 100_000
"""Of a power that is evaluated: its value has as many digits, or a third of them."""


class OfOne(Atom):
    """A function of one formula; subclasses name it in `name` and register with `rebuilt`."""

    __slots__ = ("arg",)
    name = ""
    arg: Expr

    def __new__(cls, arg: Expr) -> Self:
        return cls._of(f"{cls.name}({arg})", arg=arg)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.arg,)


# -- choices
class Extremum(Atom):
    """Max or Min of two or more formulas."""

    __slots__ = ("args", "kind")
    kind: Literal["Max", "Min"]
    args: tuple[Expr, ...]

    def __new__(cls, kind: Literal["Max", "Min"], args: tuple[Expr, ...]) -> Self:
        return cls._of(f"{kind}({', '.join(map(str, args))})", kind=kind, args=args)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.args

    @property
    def alternatives(self) -> tuple[Expr, ...]:
        return self.args

    @property
    def is_least(self) -> bool:
        return self.kind == "Min"

    @cached_property
    def bounds(self) -> tuple[Expr, ...]:
        e = from_atom(self)
        return tuple(p - e if self.is_least else e - p for p in self.args)

    @property
    def truncated(self) -> Expr | None:
        """x for Max(0, x), else None."""
        if self.kind == "Max" and len(self.args) == 2 and ZERO in self.args:
            return self.args[0] + self.args[1]
        return None

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        found = [a.evaluate(values) for a in self.args]
        return min(found) if self.is_least else max(found)


class Step(OfOne):
    """1 where arg >= 0, else 0."""

    __slots__ = ()
    name = "step"
    is_never_negative = True
    is_indicator = True

    @cached_property
    def bounds(self) -> tuple[Expr, ...]:
        e = from_atom(self)
        return e, 1 - e

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return 1 if self.arg.evaluate(values) >= 0 else 0


# -- quotients
class Quotient(Atom):
    """A quotient made whole; subclasses say how."""

    __slots__ = ("den", "num")
    name = ""
    num: Expr
    den: Expr

    def __new__(cls, num: Expr, den: Expr) -> Self:
        return cls._of(f"{cls.name}({num}|{den})", num=num, den=den)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.num, self.den

    def exact(self, values: Mapping[str, Number]) -> Fraction:
        """The quotient before it is made whole."""
        return Fraction(self.num.evaluate(values)) / Fraction(self.den.evaluate(values))


class Floor(Quotient):
    """floor(num / den)."""

    __slots__ = ()
    name = "floor"

    @cached_property
    def bounds(self) -> tuple[Expr, ...]:
        den = self.den.constant
        if den is None or den <= 0:
            return ()
        below = from_atom(self) * den
        return self.num - below, below + (den - 1) - self.num

    def is_negated(self, *, is_negative: bool) -> bool:
        """Is it better read as minus ceiling(-num / den)? So is -floor(-x / d), and floor(-x / d)
        where there is no plus in x; `is_negative`: a minus stands before it."""
        signs = {c < 0 for m, c in self.num.terms.items() if m}
        return True in signs and (is_negative or False not in signs)

    @property
    def rounded_up(self) -> Expr | None:
        """x where this is ceiling(x / den) for a number den: x + den - 1 stands in it; else
        None."""
        divisor, constant = self.den.constant, self.num.terms.get((), 0)
        if divisor is not None and divisor > 1 and constant == divisor - 1:
            return self.num - constant
        return None

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return math.floor(self.exact(values))


class Trunc(Quotient):
    """num / den rounded towards zero, as C divides; `den` is positive."""

    __slots__ = ()
    name = "trunc"

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return math.trunc(self.exact(values))


# -- powers and their inverses
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

    @property
    def is_whole(self) -> bool:  # type: ignore[override]
        return (self.exponent.constant or 0) >= 0

    def merged(self, power: int, other: Factor, other_power: int) -> tuple[Self, ...] | None:
        """Powers of one base are one where their exponents have something in common."""
        if not isinstance(other, Pow) or self.base != other.base:
            return None
        first, second = self.exponent * power, other.exponent * other_power
        exponent = first + second
        if len(exponent.terms) >= len(first.terms) + len(second.terms):
            return None
        return (type(self)(self.base, exponent),) if exponent else ()

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        exponent = self.exponent.evaluate(values)
        if not -_LARGEST_EXPONENT <= exponent <= _LARGEST_EXPONENT:
            raise OverflowError(f"{self.base}**{exponent} is too large")
        return number(Fraction(self.base) ** int(exponent))


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
        """The number whose power reaches `arg`."""
        return self.number

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return integer_log(self.base, math.ceil(self.arg.evaluate(values)))


class Root(Inverse):
    """The whole part of the degree-th root of arg; 0 where arg is negative."""

    __slots__ = ()
    name = "root"

    @property
    def degree(self) -> int:
        """2 for a square root."""
        return self.number

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return integer_root(self.degree, math.floor(self.arg.evaluate(values)))


# -- sums
class Sum(Atom):
    """sum of body for index = 0 .. count - 1 (empty where count <= 0), kept because it has no
    closed form."""

    __slots__ = ("body", "count", "index")
    body: Expr
    index: str  # type: ignore[assignment]  # no atom needs the methods of strings
    count: Expr  # type: ignore[assignment]
    has_sum = True

    def __new__(cls, body: Expr, index: str, count: Expr) -> Self:
        return cls._of(f"Sum({body}|{index}|{count})", body=body, index=index, count=count)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.body, self.count

    @property
    def within(self) -> tuple[Expr, Expr]:
        """What is at least zero for every index of the sum."""
        index = sym(self.index)
        return index, self.count - 1 - index

    def substitute(self, values: Mapping[str, Expr]) -> Expr:
        clear = self.clear_of(values)
        return clear.rebuild((clear.body.substitute(values), clear.count.substitute(values)))

    def clear_of(self, values: Mapping[str, Expr]) -> Sum:
        """The same sum over an index that `values` neither replaces nor contains."""
        free = frozenset(values).union(*(v.symbols for v in values.values()))
        return self.renamed(free) if self.index in free else self

    def renamed(self, taken: Iterable[str]) -> Sum:
        """The same sum over an index that is not among `taken`."""
        taken = set(taken) | self.body.symbols
        number = 0
        while (fresh := f"{self.index.rstrip('0123456789')}{number}") in taken:
            number += 1
        return Sum(self.body.substitute({self.index: sym(fresh)}), fresh, self.count)

    @cached_property
    def symbols(self) -> frozenset[str]:
        return (self.body.symbols - {self.index}) | self.count.symbols

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        count = int(self.count.evaluate(values))
        if count > MAX_SUM:
            raise OverflowError(f"a sum over {count} terms without a closed form")
        inner = dict(values)
        total: Number = 0
        for i in range(count):
            inner[self.index] = i
            total += self.body.evaluate(inner)
        return total
