"""Polynomials with rational coefficients over atoms.

An atom is a symbol or one of the few non-polynomial shapes that counting needs; each shape says in
its own file how it is normalised, evaluated, written, and what is known of its sign. Everything is
immutable and in normal form when built, so that equal formulas compare equal in the common cases,
and everything evaluates exactly: integers stay Python integers. sympy is not used here: building
one of its expressions costs as much as analysing a whole loop.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import gcd
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self, Union

from .budget import check
from .printing import format_expr

if TYPE_CHECKING:
    from .proofs import Assumptions


Number = Union[int, Fraction]
Monomial = tuple[tuple["Atom", int], ...]

_atom_key = itemgetter(0)
_UNIT: dict[Monomial, Number] = {(): 1}

MAX_TERMS = 200
"""A formula with more monomials than this is not a law anyone reads; building it raises
`TooComplex`."""


_MOST_RESIDUES = 2_000
"""Combinations of remainders that are tried to show that fractions are whole together."""
_FEW = 3
"""Products of terms that are found one by one."""

_SMALL = 64
"""Numbers up to this, and down to its opposite, are kept as formulas."""

MAX_TEXT = 100_000
"""As many characters as an atom may have: one may stand in another, and be written out there."""


class TooComplex(Exception):
    """A formula outgrew `MAX_TERMS` or `MAX_TEXT`; the loop is then reported as unknown, with this
    reason."""


class Atom(str):
    """A factor of a monomial: a text in normal form, which orders and identifies it, with the parts
    it stands for.

    Being the text, atoms are compared and hashed as strings are, in C: nothing is done more often.
    Subclasses are immutable; `key` is the plain text.
    """

    __slots__ = ("__dict__", "key")
    key: str
    is_whole = True  # an integer for integer symbols
    is_never_negative = False
    is_symbol = False
    is_free = False  # nothing but what is assumed tells its sign, or bounds it
    is_indicator = False  # 0 or 1: its own square
    is_power = False  # of a number: several in a product may be one
    is_rounded = False  # a fraction rounded down, which its bounds are less than 1 beside

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
        return Expr({((self, 1),): 1})

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        raise NotImplementedError

    def substitute(self, values: Mapping[str, Expr]) -> Expr:
        """Replace symbols, of which there is one at least."""
        return self.rebuild(tuple(p.substitute(values) for p in self.parts))

    def merged(self, power: int, other: Atom, other_power: int) -> tuple[Atom, ...] | None:
        """The product of two powers of such atoms as fewer factors; None where they have nothing in
        common."""
        return None

    def written(self) -> str:
        """How sympy reads it."""
        raise NotImplementedError

    def written_opposite(self, *, is_negative: bool) -> str | None:
        """How sympy reads minus this atom, where that has a shape of its own; `is_negative`: minus
        stands before it."""
        return None

    @property
    def is_parity_hidden(self) -> bool:
        """Can sympy never tell that it is even while a symbol is left in it? See
        `printing.rounded`."""
        return True

    # What the shape alone says, for proofs.
    def never_negative(self, assumptions: Assumptions | None) -> bool | None:
        """Is it >= 0 everywhere? None: that is up to the assumptions."""
        return None

    def never_positive(self, assumptions: Assumptions | None) -> bool:
        """Can it be shown to be <= 0 everywhere?"""
        return False

    def bounds(self, assumptions: Assumptions | None = None) -> Sequence[Expr]:
        """Formulas that are at least zero."""
        return [from_atom(self)] if self.is_never_negative else []

    @property
    def alternatives(self) -> tuple[Expr, ...]:
        """The formulas of which it is the least or the greatest."""
        return ()

    @property
    def is_least(self) -> bool:
        """Is it the least of its alternatives?"""
        return False

    def where_positive(self) -> Expr | None:
        """A simpler formula that is the same where either is positive."""
        return None

    @cached_property
    def symbols(self) -> frozenset[str]:
        """Names of the free symbols."""
        return frozenset().union(*(p.symbols for p in self.parts)) if self.parts else frozenset()

    @cached_property
    def has_sum(self) -> bool:
        """Is it a sum without closed form, or is there one in it?"""
        return any(a.has_sum for p in self.parts for m in p.terms for a, _ in m)


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

    def written(self) -> str:
        return self.key

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        try:
            return values[self.name]
        except KeyError:
            raise KeyError(f"no value for {self.name}") from None


class OfOne(Atom):
    """A function of one formula; subclasses name it in `name` and normalise in `rebuild`."""

    __slots__ = ("arg",)
    name = ""
    arg: Expr

    def __new__(cls, arg: Expr) -> Self:
        return cls._of(f"{cls.name}({arg})", arg=arg)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.arg,)


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
        sym = Sym(name)
        found: dict[int, dict[Monomial, Number]] = {}
        for monomial, coefficient in self.terms.items():
            power, rest = 0, []
            for a, e in monomial:
                if a == sym:
                    power = e
                elif name in a.symbols:
                    return None
                else:
                    rest.append((a, e))
            found.setdefault(power, {})[tuple(rest)] = coefficient
        return {power: Expr(terms) for power, terms in found.items()}

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
        return tuple(sorted(common.items(), key=_atom_key)), Expr(rest)

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
        _accumulate(terms, other.terms)
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
            _accumulate(terms, self.terms)
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
                return self if other == 1 else Expr(_times_whole(self.terms, other))
            n, d = other.numerator, other.denominator
            return Expr({m: _scaled(c, n, d) for m, c in self.terms.items()})
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
            return Expr({_times(left, right) if left and right else left or right: number(a * b)})
        check()
        if products > MAX_TERMS * 8:
            raise TooComplex
        if products > _FEW and _are_apart(self.atoms, other.atoms):
            if products > MAX_TERMS:
                raise TooComplex
            return Expr(_apart(self.terms, other.terms))
        terms: dict[Monomial, Number] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = _times(left, right) if left and right else left or right
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
            _accumulate(changed, added, factor)
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

    # -- for sympy, which is imported when one of these is asked for
    def _sympy_(self) -> Any:
        return self.sympy

    @property
    def sympy(self) -> Any:
        """The formula as a sympy expression over plain symbols; also `sympy.sympify(formula)`."""
        from .sympy import to_sympy

        return to_sympy(self)

    def latex(self) -> str:
        """The formula typeset."""
        from .sympy import latex

        return latex(self)

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
            monomial = _times(monomial, more) if monomial and more else monomial or more
            coefficient = coefficient * times
    single = Expr({monomial: number(coefficient)})
    return single if product is None else product * single


def _guards_first(pair: tuple[Atom, int]) -> bool:
    return not pair[0].is_indicator


def _accumulate(
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


def _times_whole(terms: dict[Monomial, Number], factor: int) -> dict[Monomial, Number]:
    """A polynomial's terms times an integer; most coefficients are integers."""
    return {m: c * factor if type(c) is int else number(c * factor) for m, c in terms.items()}


def _scaled(value: Number, numerator: int, denominator: int) -> Number:
    """value*numerator/denominator; most are integers that it divides."""
    if type(value) is int:
        whole, rest = divmod(value * numerator, denominator)
        return whole if not rest else Fraction(value * numerator, denominator)
    return number(value * Fraction(numerator, denominator))


def number(value: Number) -> Number:
    """A whole number as an integer."""
    return value if type(value) is int or value.denominator != 1 else value.numerator


def _times(left: Monomial, right: Monomial) -> Monomial:
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
    return tuple(sorted(powers.items(), key=_atom_key))


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


def from_atom(a: Atom) -> Expr:
    return Expr({((a, 1),): 1})


@lru_cache(maxsize=4096)
def sym(name: str) -> Expr:
    """The formula that is one symbol."""
    return from_atom(Sym(name))


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


def _are_apart(left: set[Atom], right: set[Atom]) -> bool:
    """Has no factor anything to do with one of another formula?"""
    return left.isdisjoint(right) and not (
        any(a.is_power for a in left) and any(a.is_power for a in right)
    )


def _apart(left: dict[Monomial, Number], right: dict[Monomial, Number]) -> dict[Monomial, Number]:
    """The product of terms that have no factors in common: each pair is a term of its own, with the
    factors of both, each once."""
    return {
        tuple(sorted(m + n)) if m and n else m or n: a * b
        if type(a) is int and type(b) is int
        else number(a * b)
        for m, a in left.items()
        for n, b in right.items()
    }


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
        _accumulate(terms, added, factor)
    return Expr(terms)


ZERO = _small(0)
ONE = _small(1)


def is_integer(e: Expr) -> bool:
    """True when the formula is an integer for integer symbols (sufficient, not necessary)."""
    if not all(a.is_whole for m in e.terms for a, _ in m):
        return False
    parts: dict[Monomial, Number] = {m: c for m, c in e.terms.items() if not isinstance(c, int)}
    return not parts or _is_whole_together(Expr(parts))


@lru_cache(maxsize=4096)
def _is_whole_together(e: Expr) -> bool:
    """Are fractions whole together, whatever whole numbers their atoms are: x*(x + 1)/2? What they
    are modulo the common denominator decides."""
    common = math.lcm(*(Fraction(c).denominator for c in e.terms.values()))
    atoms = sorted(e.atoms, key=lambda a: a.key)
    if common ** len(atoms) > _MOST_RESIDUES:
        return False
    for values in itertools.product(range(common), repeat=len(atoms)):
        at = dict(zip(atoms, values, strict=True))
        total = sum(Fraction(c) * math.prod(at[a] ** n for a, n in m) for m, c in e.terms.items())
        if total.denominator != 1:
            return False
    return True
