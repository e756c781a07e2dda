"""Polynomials with rational coefficients over atoms.

Everything is immutable and in normal form when built, so that equal formulas compare equal in the
common cases, and everything evaluates exactly: integers stay Python integers. sympy is not used
here: building one of its expressions costs as much as analysing a whole loop.

Formulas hold atoms and atoms hold formulas, so the two classes stand in one file. Three questions
about them are asked here and answered above, where each shape of atom is known: `rebuilt` in the
files that normalise, `written` and `in_sympy` in `printing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, cached_property, lru_cache, singledispatch
from math import gcd, lcm
from typing import Any, Self

from .budget import check
from .terms import (
    MAX_BITS,
    MAX_POWER,
    MAX_TERMS,
    Factor,
    Number,
    TooComplex,
    accumulate,
    are_independent,
    bits,
    dependent_product,
    factor_key,
    independent_product,
    monomial_product,
    number,
    scaled,
    times_whole,
)

MAX_TEXT = 100_000
"""As many characters as an atom may have: one may stand in another, and be written out there."""
_FEW = 3
"""Products of terms that are found one by one."""
_SMALL = 64
"""Numbers up to this, and down to its opposite, are kept as formulas."""


class Atom(Factor):
    """A symbol, or one of the few other shapes that counting needs: a text in normal form, with the
    parts it stands for.

    Subclasses are immutable; `key` is the plain text.
    """

    __slots__ = ("__dict__", "key")
    key: str
    is_whole = True  # an integer for integer symbols
    is_never_negative = False
    is_symbol = False
    is_free = False  # nothing but what is assumed tells its sign, or bounds it

    @classmethod
    def _of(cls, key: str, **fields: object) -> Self:
        """The atom of this key, with its fields; equal keys mean equal atoms.

        Raises:
            TooComplex: it is longer than `MAX_TEXT`.
        """
        if len(key) > MAX_TEXT:
            raise TooComplex
        self = str.__new__(cls, key)
        self.key = key
        for name, value in fields.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return self.key

    @property
    def parts(self) -> tuple[Expr, ...]:
        """The formulas inside."""
        return ()

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        """The same shape over other parts, normalised anew."""
        return rebuilt(self, parts)

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        """The exact value.

        Raises:
            KeyError: a symbol has no value.
        """
        raise NotImplementedError

    def substitute(self, values: Mapping[str, Expr]) -> Expr:
        """Replace symbols, of which there is one at least."""
        return self.rebuild(tuple(p.substitute(values) for p in self.parts))

    @cached_property
    def bounds(self) -> tuple[Expr, ...]:
        """Formulas that are at least zero, whatever numbers the symbols are."""
        return (from_atom(self),) if self.is_never_negative else ()

    @property
    def alternatives(self) -> tuple[Expr, ...]:
        """The formulas of which it is the least or the greatest."""
        return ()

    @property
    def is_least(self) -> bool:
        """Is it the least of its alternatives?"""
        return False

    @cached_property
    def symbols(self) -> frozenset[str]:
        """Names of the free symbols."""
        return frozenset().union(*(p.symbols for p in self.parts)) if self.parts else frozenset()

    @cached_property
    def has_sum(self) -> bool:
        """Is it a sum without closed form, or is there one in it?"""
        return any(p.has_sum for p in self.parts)


Monomial = tuple[tuple[Atom, int], ...]
_UNIT: dict[Monomial, Number] = {(): 1}
"""The terms of the formula 1."""


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
    def only_term(self) -> tuple[Monomial, Number] | None:
        """(monomial, coefficient) when there is exactly one term, else None."""
        if len(self.terms) != 1:
            return None
        ((monomial, coefficient),) = self.terms.items()
        return monomial, coefficient

    @property
    def line(self) -> tuple[Atom, Number, Number] | None:
        """(a, c, d) where this is c a + d for exactly one atom a, else None."""
        varying = [m for m in self.terms if m]
        a = lone_atom(varying[0]) if len(varying) == 1 else None
        return None if a is None else (a, self.terms[varying[0]], self.terms.get((), 0))

    @property
    def atom(self) -> Atom | None:
        """The atom when this is exactly one atom, else None."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if coefficient == 1:
                return lone_atom(monomial)
        return None

    @property
    def atoms(self) -> set[Atom]:
        """The factors of all terms, without the atoms inside them."""
        return {a for m in self.terms for a, _ in m}

    def has(self, *shapes: type[Atom]) -> bool:
        """Is there an atom of one of these shapes in it, at any depth?"""
        return any(isinstance(a, shapes) for a in self.all_atoms())

    @property
    def has_sum(self) -> bool:
        """Is there a sum without closed form in it?"""
        return any(a.has_sum for m in self.terms for a, _ in m)

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

    @property
    def positive_terms(self) -> Expr:
        """The terms with a plus, the constant aside: what stands on the left of e >= 0."""
        return self.only(lambda m, c: bool(m) and c > 0)

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
        first, *others = self.terms or [()]
        common = dict(first)
        for m in others:
            if not common:
                break
            powers = dict(m)
            common = {a: min(n, powers[a]) for a, n in common.items() if a in powers}
        if not common:
            return (), self
        rest = {
            tuple((a, n - common.get(a, 0)) for a, n in m if n > common.get(a, 0)): c
            for m, c in self.terms.items()
        }
        return tuple(sorted(common.items(), key=factor_key)), Expr(rest)

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
            accumulate(terms, less, -1)
        return Expr(terms)

    def __rsub__(self, other: Expr | Number) -> Expr:
        return expr(other) - self

    def __mul__(self, other: Expr | Number) -> Expr:
        if not isinstance(other, Expr):
            return self._times_number(other)
        left, right = self.terms, other.terms
        if left == _UNIT:
            return other
        if right == _UNIT:
            return self
        if not left or not right:
            return ZERO
        products = len(left) * len(right)
        if products == 1:  # most often: no loop is needed, nor a look at the clock
            ((m, a),), ((n, b),) = left.items(), right.items()
            return Expr({monomial_product(m, n) if m and n else m or n: number(a * b)})
        check()
        if products > MAX_TERMS * 8:
            raise TooComplex
        if products > _FEW and are_independent(self.atoms, other.atoms):
            if products > MAX_TERMS:
                raise TooComplex
            return Expr(independent_product(left, right))
        return Expr(dependent_product(left, right))

    def _times_number(self, factor: Number) -> Expr:
        if not factor:
            return ZERO
        if type(factor) is int:
            return self if factor == 1 else Expr(times_whole(self.terms, factor))
        n, d = factor.numerator, factor.denominator
        return Expr({m: scaled(c, n, d) for m, c in self.terms.items()})

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
    def denominator(self) -> int:
        """The least number that makes all coefficients whole."""
        return lcm(*(c.denominator for c in self.terms.values()))

    @property
    def leading(self) -> Number:
        """The coefficient of the term that is last in the order of monomials, the constant
        aside."""
        lead = max((m for m in self.terms if m), key=lambda m: [(a.key, e) for a, e in m])
        return self.terms[lead]

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
        check()
        replace = _Replacement(change, {} if known is None else known, products)
        kept: dict[Monomial, Number] = {}
        changed: dict[Monomial, Number] = {}
        for monomial, coefficient in self.terms.items():
            product, factor = replace(monomial, coefficient)
            if product is None:
                kept[monomial] = coefficient
            elif len(self.terms) == 1:
                return product * factor
            else:
                changed = _with_multiple(changed, product, factor)
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

    # -- in other languages: what they need is imported when one of these is asked for
    def _sympy_(self) -> Any:
        return self.sympy

    @property
    def sympy(self) -> Any:
        """The formula as a sympy expression over plain symbols; also `sympy.sympify(formula)`."""
        return in_sympy(self)

    def latex(self) -> str:
        """The formula typeset."""
        from looplaw_common.formula import parse_formula
        from looplaw_common.formula.text import latex
        from looplaw_common.formula.tree import WithoutCertain

        return latex(WithoutCertain()(parse_formula(str(self)).tree))

    def lambdify(self, *names: str) -> Callable[..., Any]:
        """The formula as an exact function of numbers or arrays, which broadcast.

        Args:
            names: the order of its arguments; alphabetical where none is given.

        Returns:
            A function by position or by name. Its values are integers (or fractions) for numbers
            and an array of integers, or of floating-point numbers where one is no integer of 64
            bits, for arrays.

        Raises:
            TypeError: a symbol of the formula is not among the names.
        """
        from .broadcasting import exact_function

        order = names or tuple(sorted(self.symbols))
        missing = sorted(self.symbols - set(order))
        if missing:
            raise TypeError(
                f"the formula has {', '.join(missing)} as well: name all of its symbols"
            )
        law = exact_function(self.evaluate, order)
        law.__doc__ = f"{self}, of {', '.join(order)}"
        return law

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            self._text = written(self)
            return self._text

    def __repr__(self) -> str:
        return f"Expr({self})"


# -- asked here, answered above (see the beginning of this file)
@singledispatch
def rebuilt(a: Atom, parts: tuple[Expr, ...]) -> Expr:
    """The shape of an atom over other parts, in normal form."""
    return from_atom(a)


@singledispatch
def written(e: object) -> str:
    """Text of a formula or of an atom that sympy reads."""
    raise NotImplementedError(f"{type(e).__name__} has no text")


@singledispatch
def in_sympy(e: object) -> Any:
    """The formula as an expression of sympy's."""
    raise NotImplementedError(f"{type(e).__name__} is unknown to sympy")


# -- replacement of atoms
class _Replacement:
    """What becomes of terms when their atoms are replaced; see `Expr.map_atoms`.

    known: what an atom becomes; None where it stays as it is. products: likewise of a monomial.
    """

    __slots__ = ("_change", "_known", "_products")

    def __init__(
        self,
        change: Callable[[Atom], Expr],
        known: dict[Atom, Expr | None],
        products: dict[Monomial, Expr | None] | None,
    ) -> None:
        self._change, self._known, self._products = change, known, products

    def __call__(self, monomial: Monomial, coefficient: Number) -> tuple[Expr | None, Number]:
        """(formula, factor) whose product the term becomes; (None, ...) where it stays."""
        products = self._products
        if products is None:
            return self._product(monomial, coefficient), 1
        if monomial not in products:
            products[monomial] = self._product(monomial, 1)
        return products[monomial], coefficient

    def _product(self, monomial: Monomial, coefficient: Number) -> Expr | None:
        """A term with its atoms replaced; None where none of them changes."""
        known = self._known
        same: list[tuple[Atom, int]] = []
        moved: list[tuple[Expr, int]] = []
        for a, e in monomial:
            if a not in known:
                value = self._change(a)
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


def _with_multiple(
    terms: dict[Monomial, Number], e: Expr, factor: Number
) -> dict[Monomial, Number]:
    """Terms and a formula times a number; the longer of the two takes up the shorter, in place."""
    added: Mapping[Monomial, Number] = e.terms
    if len(terms) < len(added):
        terms, added, factor = dict((e * factor).terms), terms, 1
    accumulate(terms, added, factor)
    return terms


# -- formulas from what they are made of
class Sym(Atom):
    """An integer symbol."""

    __slots__ = ("name",)
    name: str
    is_symbol = True
    is_free = True

    def __new__(cls, name: str) -> Self:
        self = cls._of(name)
        self.name = name
        self.symbols = frozenset((name,))
        return self

    def substitute(self, values: Mapping[str, Expr]) -> Expr:
        return values[self.name]

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        try:
            return values[self.name]
        except KeyError:
            raise KeyError(f"no value for {self.name}") from None


@lru_cache(maxsize=4096)
def sym(name: str) -> Expr:
    """The formula that is one symbol."""
    return from_atom(Sym(name))


def lone_atom(monomial: Monomial) -> Atom | None:
    """The atom when the monomial is exactly one, to the power of 1; else None."""
    return monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else None


def from_atom(a: Atom) -> Expr:
    """The formula that is one atom."""
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
        if factor:
            terms = _with_multiple(terms, e, factor)
    return Expr(terms)


ZERO = _small(0)
ONE = _small(1)
