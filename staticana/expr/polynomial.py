"""Polynomials with rational coefficients over atoms (see `atoms`).

Everything is immutable and in normal form when built, so that equal formulas compare equal in the
common cases, and everything evaluates exactly: integers stay Python integers. sympy is not used
here: building one of its expressions costs as much as analysing a whole loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import gcd
from typing import TYPE_CHECKING, Any

from looplaw_common.formula import parse_formula
from looplaw_common.formula.text import latex
from looplaw_common.formula.tree import WithoutCertain

from .budget import check
from .printing import format_expr
from .terms import (
    MAX_BITS,
    MAX_POWER,
    MAX_TERMS,
    Monomial,
    Number,
    TooComplex,
    accumulate,
    are_independent,
    atom_key,
    bits,
    independent_product,
    monomial_product,
    number,
    scaled,
    times_whole,
)

if TYPE_CHECKING:
    from .atoms import Atom

_UNIT: dict[Monomial, Number] = {(): 1}
_FEW = 3
"""Products of terms that are found one by one."""

_SMALL = 64
"""Numbers up to this, and down to its opposite, are kept as formulas."""


class Expr:
    """A polynomial over atoms: `terms` maps a monomial (sorted (atom, exponent) pairs) to its
    coefficient."""

    __slots__ = (
        "_hash",
        "_symbols",
        "_text",
        "terms",
    )  # those with _ are filled when they are first asked for
    _hash: int
    _symbols: frozenset[str]
    _text: str

    def __init__(self, terms: dict[Monomial, Number]) -> None:
        self.terms = terms

    # -- structure
    @property
    def symbols(self) -> frozenset[str]:
        """Names of the free symbols."""
        try:
            return self._symbols
        except AttributeError:
            sets = [a.symbols for m in self.terms for a, _ in m]
            # of a single atom, one set serves both
            self._symbols = sets[0] if len(sets) == 1 else frozenset().union(*sets)
            return self._symbols

    @property
    def constant(self) -> Number | None:
        """The value when this is a number, else None."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and () in self.terms:
            return self.terms[()]
        return None

    @property
    def atom(self) -> Atom | None:
        """The atom when this is exactly one atom, else None."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1:
                return monomial[0][0]
        return None

    @property
    def atoms(self) -> set[Atom]:
        return {a for m in self.terms for a, _ in m}

    def all_atoms(self) -> set[Atom]:
        """The atoms, and those inside them."""
        found: set[Atom] = set()
        work = list(self.atoms)
        while work:
            a = work.pop()
            if a not in found:
                found.add(a)
                for part in a.parts:
                    work.extend(part.atoms)
        return found

    def split(self, name: str) -> dict[int, Expr] | None:
        """Coefficients by power of the symbol; None where it also stands inside another atom."""
        found: dict[int, dict[Monomial, Number]] = {}
        for monomial, coefficient in self.terms.items():
            power, rest = 0, []
            for a, e in monomial:
                if a == name:
                    power = e
                elif name in a.symbols:
                    return None
                else:
                    rest.append((a, e))
            found.setdefault(power, {})[tuple(rest)] = coefficient
        return {power: Expr(terms) for power, terms in found.items()}

    def affine_in(self, name: str) -> tuple[Expr, Expr] | None:
        """(slope, value at 0) where the formula is affine in a symbol, or free of it; else None."""
        parts = self.split(name)
        if parts is None or not parts.keys() <= {0, 1}:
            return None
        return parts.get(1, ZERO), parts.get(0, ZERO)

    def only(self, keep: Callable[[Monomial, Number], bool]) -> Expr:
        """The terms that `keep` holds for."""
        return Expr({m: c for m, c in self.terms.items() if keep(m, c)})

    def by(self, factor: Atom) -> tuple[Expr, Expr]:
        """(a, b) with a + b factor, for a factor with no other power than 1."""
        without: dict[Monomial, Number] = {}
        times: dict[Monomial, Number] = {}
        for m, c in self.terms.items():
            if (factor, 1) in m:
                times[tuple(p for p in m if p[0] != factor)] = c
            else:
                without[m] = c
        return Expr(without), Expr(times)

    def common_factor(self) -> tuple[Monomial, Expr]:
        """A monomial that divides every term, and the rest: n*(n + 1)/2 is what a person writes."""
        shared: dict[Atom, int] | None = None
        for m in self.terms:
            powers = dict(m)
            shared = (
                powers
                if shared is None
                else {a: min(n, powers[a]) for a, n in shared.items() if a in powers}
            )
            if not shared:
                return (), self
        common = shared or {}
        rest = {
            tuple((a, n - common.get(a, 0)) for a, n in m if n > common.get(a, 0)): c
            for m, c in self.terms.items()
        }
        return tuple(sorted(common.items(), key=atom_key)), Expr(rest)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Expr):
            return self is other or self.terms == other.terms
        return isinstance(other, (int, Fraction)) and self.constant == other

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.terms.items()))
            return self._hash

    def __bool__(self) -> bool:
        return bool(self.terms)

    # -- arithmetic
    def __add__(self, other: Expr | Number) -> Expr:
        if not isinstance(other, Expr):
            other = expr(other)
        if len(self.terms) < len(other.terms):
            self, other = other, self
        if not other.terms:
            return self
        terms = dict(self.terms)
        accumulate(terms, other.terms)
        return Expr(terms)

    __radd__ = __add__

    def __neg__(self) -> Expr:
        return Expr({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Expr | Number) -> Expr:
        less = other.terms if isinstance(other, Expr) else expr(other).terms
        if not less:
            return self
        if len(self.terms) < len(less):
            terms = {m: -c for m, c in less.items()}
            accumulate(terms, self.terms)
        else:
            terms = dict(self.terms)
            for monomial, coefficient in less.items():
                total = terms.get(monomial, 0) - coefficient
                if total:
                    terms[monomial] = total
                else:
                    del terms[monomial]
            if len(terms) > MAX_TERMS:
                raise TooComplex
        return Expr(terms)

    def __rsub__(self, other: Expr | Number) -> Expr:
        return expr(other) - self

    def __mul__(self, other: Expr | Number) -> Expr:
        if not isinstance(other, Expr):
            if not other:
                return ZERO
            if type(other) is int:
                return self if other == 1 else Expr(times_whole(self.terms, other))
            n, d = other.numerator, other.denominator
            return Expr({m: scaled(c, n, d) for m, c in self.terms.items()})
        if self.terms == _UNIT:
            return other
        if other.terms == _UNIT:
            return self
        if not self.terms or not other.terms:
            return ZERO
        products = len(self.terms) * len(other.terms)
        if products == 1:
            ((left, a),) = self.terms.items()
            ((right, b),) = other.terms.items()
            return Expr(
                {monomial_product(left, right) if left and right else left or right: number(a * b)}
            )
        check()
        if products > MAX_TERMS * 8:
            raise TooComplex
        if products > _FEW and are_independent(self.atoms, other.atoms):
            if products > MAX_TERMS:
                raise TooComplex
            return Expr(independent_product(self.terms, other.terms))
        terms: dict[Monomial, Number] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = monomial_product(left, right) if left and right else left or right
                total = terms.get(monomial, 0) + a * b
                if total:
                    terms[monomial] = number(total)
                else:
                    terms.pop(monomial, None)
        if len(terms) > MAX_TERMS:
            raise TooComplex
        return Expr(terms)

    __rmul__ = __mul__

    def __pow__(self, power: int) -> Expr:
        """The product of `power` factors.

        Raises:
            TooComplex: it has too many terms, or too long a number.
        """
        if power > MAX_POWER or power * self.longest > MAX_BITS:
            raise TooComplex
        result = ONE
        for _ in range(power):
            result = result * self
        return result

    def over(self, divisor: Number) -> Expr:
        """Exact division by a number."""
        return self * (1 / Fraction(divisor))

    @property
    def content(self) -> int:
        """The greatest common divisor of the coefficients; 1 where one is a fraction."""
        found = 0
        for c in self.terms.values():
            if type(c) is not int:
                return 1
            found = gcd(found, c)
            if found == 1:
                break
        return found

    @property
    def longest(self) -> int:
        """Bits of the longest coefficient beyond the first; 0 for those of 1 and -1."""
        return max((bits(c) - 1 for c in self.terms.values()), default=0)

    # -- substitution and evaluation
    def substitute(self, values: Mapping[str, Expr]) -> Expr:
        """Replace symbols; parts of atoms are normalised anew."""
        if not values or self.symbols.isdisjoint(values):
            return self
        return self.map_atoms(
            lambda a: from_atom(a) if a.symbols.isdisjoint(values) else a.substitute(values)
        )

    def map_atoms(
        self,
        change: Callable[[Atom], Expr],
        known: dict[Atom, Expr | None] | None = None,
        products: dict[Monomial, Expr | None] | None = None,
    ) -> Expr:
        """Replace every top-level atom by a formula; `known` keeps the replacements for further
        calls, `products` what becomes of whole monomials, for many formulas that share them."""
        if not self.terms or self.terms.keys() == _UNIT.keys():
            return self
        cache: dict[Atom, Expr | None] = {} if known is None else known  # None: unchanged
        check()
        kept: dict[Monomial, Number] = {}
        changed: dict[Monomial, Number] = {}
        for monomial, coefficient in self.terms.items():
            factor: Number = 1
            if products is None:
                product = _mapped(monomial, coefficient, change, cache)
            else:
                if monomial not in products:
                    products[monomial] = _mapped(monomial, 1, change, cache)
                product, factor = products[monomial], coefficient
            if product is None:
                kept[monomial] = coefficient
                continue
            if len(self.terms) == 1:
                return product * factor
            added = product.terms
            if len(changed) < len(added):
                changed, added, factor = dict((product * factor).terms), changed, 1
            accumulate(changed, added, factor)
        if len(kept) == len(self.terms):
            return self
        if not kept:
            return Expr(changed)
        return Expr(kept) + Expr(changed) if changed else Expr(kept)

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        """The exact value.

        Raises:
            KeyError: a symbol has no value.
        """
        total: Number = 0
        for monomial, coefficient in self.terms.items():
            product: Number = coefficient
            # guards first: what they exclude need not have a value (a division by zero, say)
            for a, e in monomial if len(monomial) < 2 else sorted(monomial, key=_guards_first):
                product *= a.evaluate(values) ** e
                if not product:
                    break
            total += product
        return number(total)

    # -- for people, and for sympy, which is imported when it is asked for
    def _sympy_(self) -> Any:
        return self.sympy

    @property
    def sympy(self) -> Any:
        """The formula as a sympy expression over plain symbols; also `sympy.sympify(formula)`."""
        from .sympy import to_sympy

        return to_sympy(self)

    def latex(self) -> str:
        """The formula typeset."""
        return latex(WithoutCertain()(parse_formula(str(self)).tree))

    def lambdify(self, *names: str) -> Callable[..., Any]:
        """The formula as an exact function of numbers or arrays, which broadcast.

        Args:
            names: the order of its arguments; alphabetical where none is given.

        Raises:
            TypeError: a symbol of the formula is not among the names.
        """
        from .sympy import lambdify

        return lambdify(self, names or None)

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            self._text = format_expr(self)
            return self._text

    def __repr__(self) -> str:
        return f"Expr({self})"


def _mapped(
    monomial: Monomial,
    coefficient: Number,
    change: Callable[[Atom], Expr],
    known: dict[Atom, Expr | None],
) -> Expr | None:
    """A term with its atoms replaced; None where none of them changes."""
    same: list[tuple[Atom, int]] = []
    moved: list[tuple[Expr, int]] = []
    for a, e in monomial:
        if a not in known:
            value = change(a)
            known[a] = None if value.terms == {((a, 1),): 1} else value
        replacement = known[a]
        if replacement is None:
            same.append((a, e))
        else:
            moved.append((replacement, e))
    return _product(tuple(same), coefficient, moved) if moved else None


def _product(monomial: Monomial, coefficient: Number, factors: list[tuple[Expr, int]]) -> Expr:
    """A term times powers of formulas. Most of these are one atom, which took another one's place:
    such terms are multiplied without a formula for each step."""
    product: Expr | None = None
    for factor, power in factors:
        if len(factor.terms) != 1:
            raised = factor if power == 1 else factor**power
            product = raised if product is None else product * raised
            continue
        ((more, times),) = factor.terms.items()
        for _ in range(power):
            monomial = monomial_product(monomial, more) if monomial and more else monomial or more
            coefficient = coefficient * times
    single = Expr({monomial: number(coefficient)})
    return single if product is None else product * single


def _guards_first(pair: tuple[Atom, int]) -> bool:
    return not pair[0].is_indicator


def from_atom(a: Atom) -> Expr:
    return Expr({((a, 1),): 1})


def expr(value: Expr | Number) -> Expr:
    """A number as a formula; formulas pass."""
    if isinstance(value, Expr):
        return value
    if type(value) is int and -_SMALL <= value <= _SMALL:
        return _small(value)
    return Expr({(): number(value)}) if value else ZERO


@cache
def _small(value: int) -> Expr:
    """A small number as a formula, of which there is one: most numbers are small."""
    return Expr({(): value} if value else {})


def linear(parts: Iterable[tuple[Expr, int]]) -> Expr:
    """The sum of formulas, each times a number.

    Raises:
        TooComplex: one of the sums on the way is too long.
    """
    terms: dict[Monomial, Number] = {}
    for e, factor in parts:
        if not factor:
            continue
        added = e.terms
        if len(terms) < len(added):
            terms, added, factor = dict((e * factor).terms), terms, 1
        accumulate(terms, added, factor)
    return Expr(terms)


ZERO = _small(0)
ONE = _small(1)
