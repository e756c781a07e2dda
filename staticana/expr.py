"""Exact formulas: polynomials with rational coefficients over atoms.

An atom is a symbol or one of the few non-polynomial shapes that counting needs: floor and truncated quotients,
maximum and minimum, powers of a constant, integer logarithms, the indicator of ``e >= 0``, and sums that have no
closed form. Everything is immutable and in normal form when built, so that equal formulas compare equal in the common
cases, and everything evaluates exactly: integers stay Python integers, logarithms are found by integer arithmetic
(floating point fails at powers of two). sympy is not used here: building one of its expressions costs as much as
analysing a whole loop. `str` gives text that ``sympy.sympify`` reads.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Self, Union

from .budget import check, provisional

Number = Union[int, Fraction]
Monomial = tuple[tuple["Atom", int], ...]

_atom_key = itemgetter(0)

MAX_TERMS = 200
"""A formula with more monomials than this is not a law anyone reads; building it raises `TooComplex`."""


class TooComplex(Exception):
    """A formula outgrew `MAX_TERMS`; the loop is then reported as unknown, with this reason."""


class Atom(str):
    """A factor of a monomial: a text in normal form, which orders and identifies it, with the parts it stands for.

    Being the text, atoms are compared and hashed as strings are, in C: nothing is done more often. Subclasses are
    immutable; `key` is the plain text.
    """

    __slots__ = ("__dict__", "key")
    key: str
    is_whole = True  # an integer for integer symbols
    is_never_negative = False

    @classmethod
    def _of(cls, key: str) -> Self:
        self = str.__new__(cls, key)
        self.key = key
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

    def written(self) -> str:
        """How sympy reads it, for shapes that are not of this file (see `_atom`)."""
        raise TypeError(type(self))

    @cached_property
    def symbols(self) -> frozenset[str]:
        """Names of the free symbols."""
        return frozenset().union(*(p.symbols for p in self.parts)) if self.parts else frozenset()


class Sym(Atom):
    """An integer symbol."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Self:
        self = cls._of(name)
        self.name = name
        return self

    @cached_property
    def symbols(self) -> frozenset[str]:
        return frozenset((self.name,))

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        try:
            return values[self.name]
        except KeyError:
            raise KeyError(f"no value for {self.name}") from None


class Expr:
    """A polynomial over atoms: `terms` maps a monomial (sorted (atom, exponent) pairs) to its coefficient."""

    __slots__ = ("_hash", "_symbols", "_text", "terms")  # those with _ are filled when they are first asked for
    _hash: int
    _symbols: frozenset[str]
    _text: str

    def __init__(self, terms: dict[Monomial, Number]) -> None:
        self.terms = terms

    # -- structure ---------------------------------------------------------------------------------------------
    @property
    def symbols(self) -> frozenset[str]:
        """Names of the free symbols."""
        try:
            return self._symbols
        except AttributeError:
            self._symbols = frozenset().union(*[a.symbols for a in self.atoms])
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
            (monomial, coefficient), = self.terms.items()
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

    # -- arithmetic --------------------------------------------------------------------------------------------
    def __add__(self, other: Expr | Number) -> Expr:
        if not isinstance(other, Expr):
            other = expr(other)
        if len(self.terms) < len(other.terms):
            self, other = other, self
        terms = dict(self.terms)
        _accumulate(terms, other.terms)
        return Expr(terms)

    __radd__ = __add__

    def __neg__(self) -> Expr:
        return Expr({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Expr | Number) -> Expr:
        return self + -expr(other)

    def __rsub__(self, other: Expr | Number) -> Expr:
        return expr(other) + -self

    def __mul__(self, other: Expr | Number) -> Expr:
        if not isinstance(other, Expr):
            return Expr({m: _number(c * other) for m, c in self.terms.items()}) if other else ZERO
        products = len(self.terms) * len(other.terms)
        if products == 1:
            (left, a), = self.terms.items()
            (right, b), = other.terms.items()
            return Expr({_times(left, right) if left and right else left or right: _number(a * b)})
        check()
        if products > MAX_TERMS * 8:
            raise TooComplex
        terms: dict[Monomial, Number] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = _times(left, right) if left and right else left or right
                total = terms.get(monomial, 0) + a * b
                if total:
                    terms[monomial] = _number(total)
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
        return self * Fraction(1, 1) * (1 / Fraction(divisor))

    # -- substitution and evaluation ---------------------------------------------------------------------------
    def substitute(self, values: Mapping[str, Expr]) -> Expr:
        """Replace symbols; parts of atoms are normalised anew."""
        if not values or self.symbols.isdisjoint(values):
            return self
        return self.map_atoms(lambda a: _substitute(a, values))

    def map_atoms(self, change: Callable[[Atom], Expr], known: dict[Atom, Expr | None] | None = None) -> Expr:
        """Replace every top-level atom by a formula; `known` keeps the replacements for further calls."""
        cache: dict[Atom, Expr | None] = {} if known is None else known  # None: unchanged
        check()
        kept: dict[Monomial, Number] = {}
        changed: dict[Monomial, Number] = {}
        for monomial, coefficient in self.terms.items():
            same, product = [], expr(coefficient)
            for a, e in monomial:
                if a not in cache:
                    value = change(a)
                    cache[a] = None if value.atom == a else value
                replacement = cache[a]
                if replacement is None:
                    same.append((a, e))
                else:
                    product = product * (replacement**e if e != 1 else replacement)
            if len(same) == len(monomial):
                kept[monomial] = coefficient
            else:
                added = (product * Expr({tuple(same): 1}) if same else product).terms
                if len(changed) < len(added):
                    changed, added = dict(added), changed
                _accumulate(changed, added)
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
        return _number(total)

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            self._text = format_expr(self)
            return self._text

    def __repr__(self) -> str:
        return f"Expr({self})"


def _guards_first(pair: tuple[Atom, int]) -> bool:
    return not isinstance(pair[0], Step)


def _accumulate(terms: dict[Monomial, Number], more: dict[Monomial, Number]) -> None:
    """Add a polynomial's terms to others, in place."""
    for monomial, coefficient in more.items():
        total = terms.get(monomial, 0) + coefficient
        if total:
            terms[monomial] = total
        else:
            del terms[monomial]
    if len(terms) > MAX_TERMS:
        raise TooComplex


def _number(value: Number) -> Number:
    return value if isinstance(value, int) or value.denominator != 1 else value.numerator


def _times(left: Monomial, right: Monomial) -> Monomial:
    if len(right) == 1:
        (a, e), = right
        if not isinstance(a, Pow):
            at = bisect_left(left, (a,))
            if at == len(left) or left[at][0] != a:
                return (*left[:at], *right, *left[at:])
            return (*left[:at], (a, 1 if isinstance(a, Step) else left[at][1] + e), *left[at + 1:])
    powers = dict(left)
    for a, e in right:
        powers[a] = powers.get(a, 0) + e
    bases: list[Pow] = []
    for a in powers:
        if isinstance(a, Step):
            powers[a] = 1  # an indicator is its own square
        elif isinstance(a, Pow):
            bases.append(a)
    if len(bases) > 1:
        _merge_powers(powers, bases)
    return tuple(sorted(powers.items(), key=_atom_key))


def _merge_powers(powers: dict[Atom, int], found: list[Pow]) -> None:
    """2**x 2**-x = 1: powers of one base become one where their exponents have something in common."""
    for at, a in enumerate(found):
        for b in found[at + 1:]:
            if a.base != b.base or a not in powers or b not in powers:
                continue
            first, second = a.exponent * powers[a], b.exponent * powers[b]
            exponent = first + second
            if len(exponent.terms) < len(first.terms) + len(second.terms):
                del powers[a], powers[b]
                if exponent:
                    c = Pow(a.base, exponent)
                    powers[c] = powers.get(c, 0) + 1


def _substitute(a: Atom, values: Mapping[str, Expr]) -> Expr:
    if a.symbols.isdisjoint(values):
        return from_atom(a)
    if isinstance(a, Sym):
        return values[a.name]
    if isinstance(a, Sum):
        inner = {k: v for k, v in values.items() if k != a.index}
        free = frozenset().union(*(v.symbols for v in inner.values())) if inner else frozenset()
        if a.index in free:
            return a.renamed(free).substitute(values)
        return a.rebuild(tuple(p.substitute(inner if at == 0 else values) for at, p in enumerate(a.parts)))
    return a.rebuild(tuple(p.substitute(values) for p in a.parts))


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
    return Expr({(): _number(value)}) if value else ZERO


ZERO = Expr({})
ONE = Expr({(): 1})


def is_integer(e: Expr) -> bool:
    """True when every monomial is an integer for integer symbols (sufficient, not necessary)."""
    return all(isinstance(c, int) and all(_atom_is_integer(a) for a, _ in m) for m, c in e.terms.items())


def _atom_is_integer(a: Atom) -> bool:
    return a.is_whole and (not isinstance(a, Pow) or (a.exponent.constant or 0) >= 0)


# -- quotients ---------------------------------------------------------------------------------------------------
class Floor(Atom):
    """floor(num / den)."""

    __slots__ = ("den", "num")
    num: Expr
    den: Expr

    def __new__(cls, num: Expr, den: Expr) -> Self:
        self = cls._of(f"floor({num}|{den})")
        self.num, self.den = num, den
        return self

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.num, self.den

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return floor_div(*parts)

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        quotient: int = math.floor(Fraction(self.num.evaluate(values)) / Fraction(self.den.evaluate(values)))
        return quotient


class Trunc(Atom):
    """num / den rounded towards zero, as C divides; `den` is positive."""

    __slots__ = ("den", "num")
    num: Expr
    den: Expr

    def __new__(cls, num: Expr, den: Expr) -> Self:
        self = cls._of(f"trunc({num}|{den})")
        self.num, self.den = num, den
        return self

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.num, self.den

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return trunc_div(*parts)

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        exact = Fraction(self.num.evaluate(values)) / Fraction(self.den.evaluate(values))
        return math.trunc(exact)


def floor_div(num: Expr, den: Expr | int) -> Expr:
    """floor(num / den); whole multiples of the divisor are taken out."""
    den = expr(den)
    divisor = den.constant
    if divisor is None:
        if num == ZERO:
            return ZERO
        if num == den:
            return ONE
        outside, inside = _take_multiples(num, den)
        if not inside:
            return outside
        if inside.terms.get((), 0) == -1 and inside.constant is None and is_integer(inside):
            # one form for one value, the one people write: floor((x - 1) / p) = ceiling(x / p) - 1
            return outside - from_atom(Floor(-inside - 1, den)) - 1
        return outside + from_atom(Floor(inside, den))
    if divisor == 0:
        return from_atom(Floor(num, den))  # evaluates to the division error that it is
    scaled = num.over(divisor)
    whole: dict[Monomial, Number] = {}
    part: dict[Monomial, Number] = {}
    for monomial, coefficient in scaled.terms.items():
        if all(_atom_is_integer(a) for a, _ in monomial):
            floor = math.floor(coefficient)
            if floor == coefficient:
                whole[monomial] = coefficient
                continue
            if not monomial:
                if floor:
                    whole[monomial] = floor
                coefficient = coefficient - floor
        part[monomial] = coefficient
    outside = Expr(whole)
    if not part:
        return outside
    if set(part) == {()}:
        return outside  # a fraction below one
    common = math.lcm(*(Fraction(c).denominator for c in part.values()))
    inside = Expr({m: _number(Fraction(c) * common) for m, c in part.items()})
    nested = _nested_floor(inside, common)
    if nested is not None:
        return outside + nested
    lead = max((m for m in inside.terms if m), key=lambda m: [(a.key, e) for a, e in m])
    if inside.terms[lead] < 0 and is_integer(inside):
        # one form for one value: floor(-x / d) = -floor((x + d - 1) / d)
        return outside - floor_div(-inside + (common - 1), common)
    return outside + from_atom(Floor(inside, expr(common)))


def _nested_floor(num: Expr, den: int) -> Expr | None:
    """floor(floor(a / b) / c) = floor(a / (b c)); with an integer added: floor((floor(a / b) + k) / c) likewise."""
    floors = [(m, c) for m, c in num.terms.items() if len(m) == 1 and isinstance(m[0][0], Floor) and c == 1]
    if len(floors) != 1 or len(num.terms) > 2:
        return None
    a = floors[0][0][0][0]
    rest = num - from_atom(a)
    inner = a.parts[1].constant
    if floors[0][0][0][1] != 1 or inner is None or inner <= 0 or rest.constant is None or not is_integer(rest):
        return None
    return floor_div(a.parts[0] + rest * inner, expr(den * inner))


def _take_multiples(num: Expr, den: Expr) -> tuple[Expr, Expr]:
    """num = q den + rest for a symbolic divisor that is one atom or one monomial with coefficient one."""
    if len(den.terms) != 1:
        return (ONE, num - den) if len((num - den).terms) < len(num.terms) else (ZERO, num)
    (monomial, unit), = den.terms.items()
    outside: dict[Monomial, Number] = {}
    inside: dict[Monomial, Number] = {}
    for m, c in num.terms.items():
        powers = dict(m)
        if unit in (1, -1) and all(powers.get(a, 0) >= e for a, e in monomial) and isinstance(c, int):
            rest = tuple((a, e - dict(monomial).get(a, 0)) for a, e in m if e - dict(monomial).get(a, 0))
            outside[rest] = c * int(unit)
        else:
            inside[m] = c
    return Expr(outside), Expr(inside)


def ceil_div(num: Expr, den: Expr | int) -> Expr:
    """ceiling(num / den)."""
    return -floor_div(-num, den)


def trunc_div(num: Expr, den: Expr | int) -> Expr:
    """num / den as C divides, for a positive divisor."""
    den = expr(den)
    if num.constant is not None and den.constant:
        a, b = int(num.constant), int(den.constant)
        return expr(abs(a) // abs(b) * (1 if a * b >= 0 else -1))
    if den == ONE:
        return num
    if den.constant and is_integer(num.over(den.constant)):
        return num.over(den.constant)
    if is_nonnegative(num):
        return floor_div(num, den)
    return from_atom(Trunc(num, den))


# -- maximum, minimum, indicator -----------------------------------------------------------------------------------
class Extremum(Atom):
    """Max or Min of two or more formulas."""

    __slots__ = ("args", "kind")
    kind: str
    args: tuple[Expr, ...]

    def __new__(cls, kind: str, args: tuple[Expr, ...]) -> Self:
        self = cls._of(f"{kind}({', '.join(map(str, args))})")
        self.kind, self.args = kind, args
        return self

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.args

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return maximum(*parts) if self.kind == "Max" else minimum(*parts)

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        found = [a.evaluate(values) for a in self.args]
        return max(found) if self.kind == "Max" else min(found)


def maximum(*args: Expr | Number, facts: Facts | None = None) -> Expr:
    """Max; arguments that another one provably reaches are dropped."""
    return _extremum("Max", [expr(a) for a in args], facts)


def minimum(*args: Expr | Number, facts: Facts | None = None) -> Expr:
    """Min; arguments that another one provably undercuts are dropped."""
    return _extremum("Min", [expr(a) for a in args], facts)


def _extremum(kind: str, args: list[Expr], facts: Facts | None) -> Expr:
    if facts is None or not facts.known:
        return _plain_extremum(kind, tuple(args))
    return _reduced(kind, args, facts)


@lru_cache(maxsize=16384)
def _plain_extremum(kind: str, args: tuple[Expr, ...]) -> Expr:
    return _reduced(kind, list(args), None)


def _reduced(kind: str, args: list[Expr], facts: Facts | None) -> Expr:
    """The extremum without the arguments that another one makes idle."""
    flat: list[Expr] = []
    for a in args:
        inner = a.atom
        flat.extend(inner.args if isinstance(inner, Extremum) and inner.kind == kind else [a])
    flat = list(dict.fromkeys(flat))
    kept: list[Expr] = []
    sign = 1 if kind == "Max" else -1
    for at, a in enumerate(flat):
        others = kept + flat[at + 1:]
        if not any(is_nonnegative((b - a) * sign, facts) for b in others):
            kept.append(a)
    if len(kept) == 1:
        return kept[0]
    if kind == "Max" and ZERO in kept:
        kept = list(dict.fromkeys(_unguard(_untruncate(a)) for a in kept))
        if len(kept) == 1:
            return kept[0]
    common = _common(kept)
    if common:
        return common + _extremum(kind, [k - common for k in kept], facts)
    kept.sort(key=lambda e: (e.constant is None, str(e)))
    return from_atom(Extremum(kind, tuple(kept)))


def _unguard(e: Expr) -> Expr:
    """In Max(0, Min(Max(0, a), b)) the inner guard is idle: the minimum is positive only where both are."""
    inner = e.atom
    if not isinstance(inner, Extremum) or inner.kind != "Min":
        return e
    args = []
    for a in inner.args:
        guard = a.atom
        if isinstance(guard, Extremum) and guard.kind == "Max" and ZERO in guard.args:
            rest = tuple(p for p in guard.args if p != ZERO)
            a = maximum(*rest) if rest else a
        args.append(a)
    return minimum(*args)


def _common(args: list[Expr]) -> Expr:
    """Nothing is taken out of a maximum with a number: Max(0, n) reads better than n + Max(-n, 0)."""
    if any(a.constant is not None for a in args):
        return ZERO
    shared = {m: c for m, c in args[0].terms.items() if all(a.terms.get(m) == c for a in args[1:])}
    return Expr(shared)


def _untruncate(e: Expr) -> Expr:
    """In Max(0, trunc(a/b) + k) with k <= 0, the quotient may be rounded down as well: both are not positive for a < 0.
    Likewise Max(0, a) + k, which may be a + k."""
    for m, c in e.terms.items():
        a = m[0][0] if len(m) == 1 and c == 1 and m[0][1] == 1 else None
        guarded = isinstance(a, Extremum) and a.kind == "Max" and len(a.args) == 2 and ZERO in a.args
        if a is not None and (guarded or isinstance(a, Trunc)):
            rest = e - from_atom(a)
            if rest.constant is None or rest.constant > 0:
                return e
            return rest + (a.parts[0] + a.parts[1] if guarded else floor_div(*a.parts))
    return e


class OfOne(Atom):
    """A function of one formula; subclasses name it in `name` and normalise in `rebuild`."""

    __slots__ = ("arg",)
    name = ""
    arg: Expr

    def __new__(cls, arg: Expr) -> Self:
        self = cls._of(f"{cls.name}({arg})")
        self.arg = arg
        return self

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.arg,)


class Step(OfOne):
    """1 where arg >= 0, else 0."""

    __slots__ = ()
    name = "step"

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return step(parts[0])

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return 1 if self.arg.evaluate(values) >= 0 else 0


def step(arg: Expr, facts: Facts | None = None) -> Expr:
    """The indicator of arg >= 0 for integer-valued `arg`; of e and its complement one is kept, so that they add to 1."""
    value = arg.constant
    if value is not None:
        return ONE if value >= 0 else ZERO
    if is_nonnegative(arg, facts):
        return ONE
    if is_nonnegative(-arg - 1, facts) and is_integer(arg):
        return ZERO
    if arg.terms.get((), 0) <= -1:
        arg = _untruncate(arg)  # x / c >= 1 says the same rounded down
    if is_integer(arg):
        divisor = math.gcd(*(int(c) for m, c in arg.terms.items() if m))
        if divisor > 1:
            arg = Expr({m: (math.floor(Fraction(c, divisor)) if not m else _number(Fraction(c, divisor)))
                        for m, c in arg.terms.items()})
            arg = Expr({m: c for m, c in arg.terms.items() if c})
        lead = max((m for m in arg.terms if m), key=lambda m: [(a.key, e) for a, e in m])
        if arg.terms[lead] < 0:
            return 1 - from_atom(Step(-arg - 1))
    return from_atom(Step(arg))


def choose(condition: Expr, yes: Expr, no: Expr) -> Expr:
    """condition ? yes : no for an indicator; minimum and maximum are recognised."""
    if yes == no:
        return yes
    value = condition.constant
    if value is not None:
        return yes if value else no
    inner, swap = condition.atom, False
    if inner is None:
        inner, swap = (1 - condition).atom, True
    if isinstance(inner, Step):
        first, second = (no, yes) if swap else (yes, no)
        difference = first - second
        for offset in (0, 1):  # chosen where first >= second, or first > second: Max; the other way round: Min
            if inner.arg + offset == difference:
                return maximum(first, second)
            if inner.arg + offset == -difference:
                return minimum(first, second)
    return no + condition * (yes - no)


# -- powers and logarithms -------------------------------------------------------------------------------------------
class Pow(Atom):
    """base ** exponent for an integer base of at least 2."""

    __slots__ = ("base", "exponent")
    base: int
    exponent: Expr

    def __new__(cls, base: int, exponent: Expr) -> Self:
        self = cls._of(f"{base}**({exponent})")
        self.base, self.exponent = base, exponent
        return self

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.exponent,)

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return power(self.base, parts[0])

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        exponent = self.exponent.evaluate(values)
        if not -100_000 <= exponent <= 100_000:
            raise OverflowError(f"{self.base}**{exponent} is too large")
        return _number(Fraction(self.base) ** int(exponent))


def power(base: int, exponent: Expr) -> Expr:
    """base ** exponent; the constant part of the exponent becomes a coefficient."""
    constant = exponent.terms.get((), 0)
    if not isinstance(constant, int) or abs(constant) > 4096:
        raise TooComplex
    rest = exponent - constant
    factor = _number(Fraction(base) ** constant)
    return expr(factor) if not rest else from_atom(Pow(base, rest)) * factor


class CLog(Atom):
    """The smallest i >= 0 with base ** i >= arg: ceiling(log(Max(1, arg), base))."""

    __slots__ = ("arg", "base")
    base: int
    arg: Expr

    def __new__(cls, base: int, arg: Expr) -> Self:
        self = cls._of(f"clog{base}({arg})")
        self.base, self.arg = base, arg
        return self

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.arg,)

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return ceil_log(self.base, parts[0])

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return _ceil_log(self.base, math.ceil(self.arg.evaluate(values)))


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
    # clog(trunc(a/b) + k) = clog(floor(a/b) + k) for k <= 1: for a < 0 both arguments are at most 1.
    if is_nonnegative(1 - arg):
        return ZERO
    shifted = _untruncate(arg - 1)
    inner = arg.atom
    if isinstance(inner, Pow) and inner.base == base and is_nonnegative(inner.exponent):
        return inner.exponent
    return from_atom(CLog(base, shifted + 1))


class Root(Atom):
    """The whole part of the degree-th root of arg; 0 where arg is negative."""

    __slots__ = ("arg", "degree")
    degree: int
    arg: Expr

    def __new__(cls, degree: int, arg: Expr) -> Self:
        self = cls._of(f"root{degree}({arg})")
        self.degree, self.arg = degree, arg
        return self

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.arg,)

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return root(self.degree, parts[0])

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return _root(self.degree, math.floor(self.arg.evaluate(values)))


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
    arg = _untruncate(arg)
    if len(arg.terms) == 1:
        (monomial, coefficient), = arg.terms.items()
        if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == degree and is_nonnegative(from_atom(monomial[0][0])):
            return from_atom(monomial[0][0])
    return from_atom(Root(degree, arg))


# -- sums ------------------------------------------------------------------------------------------------------------
class Sum(Atom):
    """sum of body for index = 0 .. count - 1 (empty where count <= 0), kept because it has no closed form."""

    __slots__ = ("body", "count", "index")
    body: Expr
    index: str  # type: ignore[assignment]  # no atom needs the methods of strings
    count: Expr  # type: ignore[assignment]

    def __new__(cls, body: Expr, index: str, count: Expr) -> Self:
        self = cls._of(f"Sum({body}|{index}|{count})")
        self.body, self.index, self.count = body, index, count
        return self

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.body, self.count

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        body, count = parts
        if count == ZERO or not body:
            return ZERO
        return from_atom(Sum(body, self.index, count))

    def renamed(self, taken: Iterable[str]) -> Expr:
        """The same sum over an index that is not among `taken`."""
        taken = set(taken) | self.body.symbols
        number = 0
        while (fresh := f"{self.index.rstrip('0123456789')}{number}") in taken:
            number += 1
        return from_atom(Sum(self.body.substitute({self.index: sym(fresh)}), fresh, self.count))

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


MAX_SUM = 20_000_000
"""Terms of a sum without closed form that are added up one by one when it is evaluated."""


# -- memory ----------------------------------------------------------------------------------------------------------
LOADED = "load["
"""How the key of every `Loaded` begins; the key also stands among the symbols of formulas that hold it."""


class Loaded(Atom):
    """What a function finds in memory at an address when it is entered.

    `text` is the source expression, with {0}, {1}, ... for the formulas `inside` (indices); `origin` is what the
    analysis knows of the access. Both describe; two loads of one address and type are one value.
    """

    __slots__ = ("address", "inside", "kind", "origin", "text")
    address: Expr
    kind: str
    text: str
    inside: tuple[Expr, ...]
    origin: object

    def __new__(cls, address: Expr, kind: str, text: str = "", inside: tuple[Expr, ...] = (),
                 origin: object = None) -> Self:
        self = cls._of(f"{LOADED}{kind}]({address})")
        self.address, self.kind, self.text, self.inside, self.origin = address, kind, text, inside, origin
        return self

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.address, *self.inside)

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return from_atom(Loaded(parts[0], self.kind, self.text, parts[1:], self.origin))

    @cached_property
    def symbols(self) -> frozenset[str]:
        return self.address.symbols | {self.key}

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        try:
            return values[self.key]
        except KeyError:
            raise KeyError(f"no value for {self.key}") from None


def has_loaded(e: Expr) -> bool:
    """Does the formula hold values from memory?"""
    return any(s.startswith(LOADED) for s in e.symbols)


def map_loaded(e: Expr, change: Callable[[Loaded], Expr]) -> Expr:
    """Replace the values from memory; those inside addresses come first."""
    if not has_loaded(e):
        return e

    def replace(a: Atom) -> Expr:
        if not any(s.startswith(LOADED) for s in a.symbols):
            return from_atom(a)
        if isinstance(a, Loaded):
            whole = a.rebuild(tuple(map_loaded(p, change) for p in a.parts)).atom
            assert isinstance(whole, Loaded)
            return change(whole)
        return a.rebuild(tuple(map_loaded(p, change) for p in a.parts))
    return e.map_atoms(replace)


# -- facts and proofs ------------------------------------------------------------------------------------------------
class Facts:
    """Formulas known to be at least zero (integer symbols), used to drop guards that cannot bind."""

    __slots__ = ("_cache", "_more", "_simplified", "known", "sums")

    def __init__(self, known: Iterable[Expr] = ()) -> None:
        self._simplified: dict[Expr, Expr] = {}
        self._more: dict[tuple[Expr, ...], Facts] = {}
        self.sums: dict[tuple[Expr, str, Expr], Expr] = {}  # of (body, index, count), found under these facts
        self.known: tuple[Expr, ...] = tuple(dict.fromkeys(k for k in known if k.constant is None))
        self._cache: dict[Expr, bool] = {}

    def plus(self, *more: Expr) -> Facts:
        """These and more; the same object for the same formulas, so that what was shown from them is kept."""
        found = self._more.get(more)
        if found is None:
            found = self._more[more] = Facts((*self.known, *more))
        return found

    def proves(self, e: Expr) -> bool:
        """True when e >= 0 follows (a search of bounded depth: False means "not shown")."""
        found = self._cache.get(e)
        if found is None:
            with provisional(self._cache, e, False):  # a proof must not rest on itself
                found = self._cache[e] = _prove(e, self, 5)
        return found


NO_FACTS = Facts()


def is_nonnegative(e: Expr, facts: Facts | None = None) -> bool:
    """True when e >= 0 can be shown."""
    value = e.constant
    if value is not None:
        return value >= 0
    if all(_never_negative(m, c, facts) for m, c in e.terms.items()):
        return True
    return (facts or NO_FACTS).proves(e)


def _never_negative(monomial: Monomial, coefficient: Number, facts: Facts | None) -> bool:
    if coefficient > 0:
        return all(n % 2 == 0 or _atom_nonnegative(a, facts) for a, n in monomial)
    # -floor(-x / d) is a quotient rounded up
    a, n = monomial[0] if len(monomial) == 1 else (None, 0)
    return isinstance(a, Floor) and n == 1 and is_nonnegative(-a.num, facts) and is_nonnegative(a.den, facts)


def _atom_nonnegative(a: Atom, facts: Facts | None) -> bool:
    if isinstance(a, (Pow, CLog, Step, Root)) or a.is_never_negative:
        return True
    if isinstance(a, Extremum):
        test = any if a.kind == "Max" else all
        return test(is_nonnegative(p, facts) for p in a.args)
    if isinstance(a, (Floor, Trunc)):
        return is_nonnegative(a.num, facts) and is_nonnegative(a.den, facts)
    if isinstance(a, Sum):
        inner = (facts or NO_FACTS).plus(sym(a.index), a.count - 1 - sym(a.index))
        return is_nonnegative(a.body, inner)
    if facts is not None and facts.known:
        e = from_atom(a)
        return e in facts.known or facts.proves(e)
    return False


def _intrinsic(a: Atom) -> list[Expr]:
    """What an atom's shape alone says, as formulas that are at least zero."""
    e = from_atom(a)
    if isinstance(a, Pow):
        return [e - 1] if is_nonnegative(a.exponent) else []
    if isinstance(a, Step):
        return [e, 1 - e]
    if isinstance(a, (CLog, Root)) or a.is_never_negative:
        return [e]
    if isinstance(a, Extremum):
        sign = 1 if a.kind == "Max" else -1
        return [(e - p) * sign for p in a.args]
    if isinstance(a, Floor) and a.den.constant is not None and a.den.constant > 0:
        return [a.num - e * a.den.constant, e * a.den.constant + (a.den.constant - 1) - a.num]
    if isinstance(a, Trunc) and a.den.constant is not None and is_nonnegative(a.num):
        return [a.num - e * a.den.constant]
    return []


def _prove(e: Expr, facts: Facts, depth: int) -> bool:
    value = e.constant
    if value is not None:
        return value >= 0
    bad = [m for m, c in e.terms.items() if m and not (c > 0 and _known_sign(m, facts, e))]
    if not bad:
        return e.terms.get((), 0) >= 0 or _lift(e, facts)
    if depth == 0:
        return False
    monomial = bad[0]
    coefficient = Fraction(e.terms[monomial])
    sources = list(facts.known)
    for m in e.terms:
        for a, _ in m:
            if isinstance(a, Extremum) or m in bad:
                sources.extend(_intrinsic(a))
    for fact in sources:
        has = fact.terms.get(monomial)
        if has and (has > 0) == (coefficient > 0):
            rest = e - fact * (coefficient / Fraction(has))
            if monomial not in rest.terms and len(rest.terms) <= 12 and _prove(rest, facts, depth - 1):
                return True
    # a Min on the wrong side (or a Max): it suffices to show it for every argument
    for a in {a for a, n in monomial if isinstance(a, Extremum) and n == 1}:
        if len(monomial) == 1 and (a.kind == "Min") == (coefficient > 0):
            rest = e - from_atom(a) * coefficient
            if all(_prove(rest + p * coefficient, facts, depth - 1) for p in a.args):
                return True
    return False


def _known_sign(monomial: Monomial, facts: Facts, whole: Expr) -> bool:
    for a, n in monomial:
        if n % 2 == 0:
            continue
        if isinstance(a, Sym):
            if not any(k.terms.get(((a, 1),), 0) > 0 and _single(k, a) for k in facts.known):
                return False
        elif from_atom(a) == whole or not _atom_nonnegative(a, facts):
            return False
    return True


def _single(fact: Expr, a: Atom) -> bool:
    """The fact says a >= something not negative, on its own."""
    return len(fact.terms) <= 2 and all(not m or m == ((a, 1),) for m in fact.terms) and fact.terms.get((), 0) <= 0


def _lift(e: Expr, facts: Facts) -> bool:
    """All monomials are fine but the constant is negative: n - 1 >= 0 from the fact n - 1 >= 0, likewise scaled."""
    constant = Fraction(e.terms.get((), 0))
    sources = [*facts.known, *(k for m in e.terms for a, _ in m for k in _intrinsic(a))]
    for fact in sources:
        low = Fraction(fact.terms.get((), 0))
        if low >= 0:
            continue
        rest = e - fact * (constant / low)
        if all(c > 0 and (not m or _known_sign(m, facts, e)) for m, c in rest.terms.items()):
            return True
    return False


def simplify(e: Expr, facts: Facts) -> Expr:
    """Rebuild atoms under what is known: guards that cannot bind disappear."""
    found = facts._simplified.get(e)
    if found is not None:
        return found

    def change(a: Atom) -> Expr:
        if isinstance(a, Sym):
            return from_atom(a)
        if isinstance(a, Sum):
            inner = facts.plus(sym(a.index), a.count - 1 - sym(a.index))
            return a.rebuild((simplify(a.body, inner), simplify(a.count, facts)))
        parts = tuple(simplify(p, facts) for p in a.parts)
        if isinstance(a, Extremum):
            return _extremum(a.kind, list(parts), facts)
        if isinstance(a, Step):
            return step(parts[0], facts)
        if isinstance(a, Trunc) and is_nonnegative(parts[0], facts) and is_nonnegative(parts[1], facts):
            return floor_div(*parts)
        if isinstance(a, Floor):
            return _power_quotient(parts[0], parts[1], facts) or a.rebuild(parts)
        return a.rebuild(parts)
    facts._simplified[e] = result = e.map_atoms(change)
    return result


def _power_quotient(num: Expr, den: Expr, facts: Facts) -> Expr | None:
    """c b**x / (d b**y) where it is a whole number: c/d is a power of b and the exponents' difference is not negative."""
    if len(num.terms) != 1 or len(den.terms) != 1:
        return None
    (top, c), = num.terms.items()
    (bottom, d), = den.terms.items()
    if len(top) != 1 or len(bottom) > 1 or not isinstance(top[0][0], Pow) or top[0][1] != 1:
        return None
    base, exponent = top[0][0].base, top[0][0].exponent
    if bottom:
        if not isinstance(bottom[0][0], Pow) or bottom[0][0].base != base or bottom[0][1] != 1:
            return None
        exponent = exponent - bottom[0][0].exponent
    ratio, shift = Fraction(c) / Fraction(d), 0
    sign = 1 if ratio > 0 else -1
    ratio *= sign
    while ratio < 1 and (ratio * base).numerator:
        ratio, shift = ratio * base, shift - 1
        if shift < -64:
            return None
    if ratio.denominator != 1 or not is_nonnegative(exponent + shift, facts):
        return None
    return power(base, exponent + shift) * (ratio * sign)


# -- text ------------------------------------------------------------------------------------------------------------
def format_expr(e: Expr) -> str:
    """Text that sympy.sympify reads, using + - * / ** floor ceiling Max Min log(x, 2) Piecewise Sum."""
    if any(isinstance(a, Step) for m in e.terms for a, _ in m):
        return _cases(e)
    return _polynomial(e)


def _polynomial(e: Expr) -> str:
    if not e.terms:
        return "0"
    if len(e.terms) == 1:
        return _sum(e)
    denominator = math.lcm(*(Fraction(c).denominator for c in e.terms.values()))
    common, rest = _common_factor(e * denominator)
    if common:
        content = math.gcd(*(int(c) for c in rest.terms.values())) * (-1 if all(c < 0 for c in rest.terms.values()) else 1)
        shared = math.gcd(content, denominator)
        rest, content, denominator = rest.over(content), content // shared, denominator // shared
        below = f"/{denominator}" if denominator > 1 else ""
        return f"{_monomial(common, content)}*({_sum(rest)}){below}"
    below = f"/{denominator}" if denominator > 1 else ""
    return f"({_sum(e * denominator)}){below}" if below else _sum(e)


def guarded(e: Expr) -> tuple[Expr, tuple[Expr, ...]]:
    """(rest, conditions): e is the rest where all the conditions are >= 0, and 0 elsewhere."""
    conditions: list[Expr] = []
    while True:
        for s in sorted(a for a in e.atoms if isinstance(a, Step)):
            without, times = _by_step(e, s)
            if not without:
                e = times
                conditions.append(s.arg)
                break
            if without == -times:
                e = without
                conditions.append(-s.arg - 1)
                break
        else:
            return e, tuple(conditions)


def _by_step(e: Expr, s: Step) -> tuple[Expr, Expr]:
    """(a, b) with e = a + b s."""
    without: dict[Monomial, Number] = {}
    times: dict[Monomial, Number] = {}
    for m, c in e.terms.items():
        if (s, 1) in m:
            times[tuple(p for p in m if p[0] != s)] = c
        else:
            without[m] = c
    return Expr(without), Expr(times)


def _cases(e: Expr) -> str:
    """One Piecewise around a formula whose terms share their conditions, or that has one condition at all."""
    rest, conditions = guarded(e)
    if len(conditions) > 1:
        return f"Piecewise({', '.join(f'(0, {relation(c, fails=True)})' for c in conditions)}, ({rest}, True))"
    if conditions:
        return f"Piecewise(({rest}, {relation(conditions[0])}), (0, True))"
    steps = [a for a in rest.atoms if isinstance(a, Step)]
    if len(steps) == 1 and len(rest.terms) > 1:
        without, times = _by_step(rest, steps[0])
        cases = f"Piecewise(({without + times}, {relation(steps[0].arg)}), ({without}, True))"
        return min(cases, _polynomial(rest), key=len)
    return _polynomial(rest)


def relation(e: Expr, *, fails: bool = False) -> str:
    """e >= 0, or e < 0 where it `fails`, with every term on the side where it has no minus."""
    scaled = e * math.lcm(*(Fraction(c).denominator for c in e.terms.values()))
    left = Expr({m: c for m, c in scaled.terms.items() if m and c > 0})
    constant = scaled.terms.get((), 0)
    if left:
        return f"{left} {'<' if fails else '>='} {left - scaled}"
    return f"{constant - scaled} {'>' if fails else '<='} {expr(constant)}"


def _common_factor(e: Expr) -> tuple[Monomial, Expr]:
    """A monomial that divides every term, and the rest: n*(n + 1)/2 is what a person writes."""
    shared: dict[Atom, int] | None = None
    for m in e.terms:
        powers = dict(m)
        shared = powers if shared is None else {a: min(n, powers[a]) for a, n in shared.items() if a in powers}
        if not shared:
            return (), e
    common = tuple(sorted((shared or {}).items(), key=_atom_key))
    rest = {tuple((a, n - dict(common).get(a, 0)) for a, n in m if n > dict(common).get(a, 0)): c
            for m, c in e.terms.items()}
    return common, Expr(rest)


def _sum(e: Expr) -> str:
    def order(item: tuple[Monomial, Number]) -> tuple[int, str]:
        return (-sum(n for _, n in item[0]), "".join(a.key for a, _ in item[0]))
    parts: list[str] = []
    terms = sorted(e.terms.items(), key=order)
    first = next((at for at, (_, c) in enumerate(terms) if c > 0), 0)  # people write b - a, not -a + b
    for monomial, coefficient in [terms[first], *terms[:first], *terms[first + 1:]]:
        text = _monomial(monomial, coefficient)
        if parts:
            text = f" - {text[1:]}" if text.startswith("-") else f" + {text}"
        parts.append(text)
    return "".join(parts)


def _monomial(monomial: Monomial, coefficient: Number) -> str:
    sign, value = ("-", -coefficient) if coefficient < 0 else ("", coefficient)
    factors: list[str] = []
    for a, n in sorted(monomial, key=lambda pair: (not isinstance(pair[0], Sym), pair[0].key)):
        ceiling = a.num.constant is None and isinstance(a, Floor) if isinstance(a, Floor) else False
        if ceiling and n % 2 and _prefers_ceiling(a):
            text, sign = _ceiling(a), ("" if sign else "-")
        else:
            text = _atom(a)
        factors.append(text if n == 1 else f"{text}**{n}" if not isinstance(a, Pow) else f"({text})**{n}")
    ratio = Fraction(value)
    if ratio.numerator != 1 or not factors:
        factors.insert(0, str(ratio.numerator))
    text = "*".join(factors)
    return f"{sign}{text}" + (f"/{ratio.denominator}" if ratio.denominator != 1 else "")


def _prefers_ceiling(a: Atom) -> bool:
    """-floor(-x/d) is written ceiling(x/d)."""
    assert isinstance(a, Floor)
    return any(c < 0 for m, c in a.num.terms.items() if m)


def _ceiling(a: Atom) -> str:
    assert isinstance(a, Floor)
    return f"ceiling({_quotient(-a.num, a.den)})"


def _quotient(num: Expr, den: Expr) -> str:
    top, bottom = str(num), str(den)
    if len(num.terms) > 1 or "/" in top:
        top = f"({top})"
    if (den.constant is None and den.atom is None) or isinstance(den.atom, Pow):
        bottom = f"({bottom})"
    return f"{top}/{bottom}"


def _atom(a: Atom) -> str:
    if isinstance(a, (Sym, Loaded)):
        return a.key
    if isinstance(a, Floor):
        constant = a.num.terms.get((), 0)
        if a.den.constant is not None and constant == a.den.constant - 1 and a.den.constant > 1:
            return f"ceiling({_quotient(a.num - constant, a.den)})"
        return f"floor({_quotient(a.num, a.den)})"
    if isinstance(a, Trunc):
        up, down = maximum(0, a.num), maximum(0, -a.num)
        return f"(floor({_quotient(up, a.den)}) - floor({_quotient(down, a.den)}))"
    if isinstance(a, Extremum):
        return f"{a.kind}({', '.join(map(str, a.args))})"
    if isinstance(a, Pow):
        inside = str(a.exponent)
        return f"{a.base}**{inside}" if isinstance(a.exponent.atom, (Sym, Extremum, Floor)) else f"{a.base}**({inside})"
    if isinstance(a, Root):
        inside = str(a.arg if is_nonnegative(a.arg) else maximum(0, a.arg))
        return f"floor(sqrt({inside}))" if a.degree == 2 else f"floor(({inside})**(1/{a.degree}))"
    if isinstance(a, CLog):
        inside = str(maximum(1, a.arg))
        log = f"log({inside}, 2)"
        return f"ceiling({log})" if a.base == 2 else f"ceiling({log}/log({a.base}, 2))"
    if isinstance(a, Step):
        return f"Piecewise((1, {a.arg!s} >= 0), (0, True))"
    if isinstance(a, Sum):
        return f"Sum({a.body!s}, ({a.index}, 0, {a.count - 1!s}))"
    return a.written()
