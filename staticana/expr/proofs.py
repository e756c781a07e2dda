"""What can be shown of a formula's sign: from the shapes of its atoms, and from assumptions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from .atoms import Atom, sym
from .budget import Provisional
from .integer_valued import is_integer
from .polynomial import Expr, from_atom
from .terms import Monomial, Number, number


class Assumptions:
    """Formulas that are at least zero for integer symbols; guards that they imply are dropped."""

    __slots__ = ("_cache", "_least", "_more", "_symbols", "atoms", "known", "simplified", "sums")

    def __init__(self, known: Iterable[Expr] = ()) -> None:
        self.simplified: dict[Expr, Expr] = {}
        self.atoms: dict[Atom, Expr | None] = {}  # simplified; None: as it was
        self._more: dict[tuple[Expr, ...], Assumptions] = {}
        self.sums: dict[
            tuple[Expr, str, Expr], Expr
        ] = {}  # of (body, index, count), found under these assumptions
        self.known: tuple[Expr, ...] = tuple(dict.fromkeys(k for k in known if k.constant is None))
        self._cache: dict[Expr, bool] = {}
        self._least: frozenset[Atom] | None = None
        self._symbols: frozenset[str] | None = None

    def plus(self, *more: Expr) -> Assumptions:
        """These and more; the same object for the same formulas, so that what was shown from them
        is kept."""
        found = self._more.get(more)
        if found is None:
            found = self._more[more] = Assumptions()
            told = (k for k in more if k.constant is None)
            found.known = tuple(dict.fromkeys((*self.known, *told)))
        return found

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that they say something of."""
        if self._symbols is None:
            self._symbols = frozenset[str]().union(*(k.symbols for k in self.known))
        return self._symbols

    @property
    def not_negative(self) -> frozenset[Atom]:
        """The symbols of which one of the formulas says by itself that they are at least zero."""
        if self._least is None:
            self._least = frozenset(
                m[0][0]
                for k in self.known
                for m, c in k.terms.items()
                if c > 0 and len(m) == 1 and m[0][1] == 1 and _single(k, m[0][0])
            )
        return self._least

    def forget(self) -> None:
        """Forget what was found under these assumptions."""
        for found in (self.simplified, self.atoms, self._more, self.sums, self._cache):
            found.clear()

    def proves(self, e: Expr) -> bool:
        """True when e >= 0 follows (a search of bounded depth: False means "not shown")."""
        found = self._cache.get(e)
        if found is None:
            with Provisional(self._cache, e, False):  # a proof must not rest on itself
                found = self._cache[e] = (
                    _prove(e, self, 5) or _is_positive_beyond(e, self) or _is_rounded(e, self)
                )
        return found


NO_ASSUMPTIONS = Assumptions()


def is_nonnegative(e: Expr, assumptions: Assumptions | None = None) -> bool:
    """True when e >= 0 can be shown."""
    value = e.constant
    if value is not None:
        return value >= 0
    if all(_never_negative(m, c, assumptions) for m, c in e.terms.items()):
        return True
    assumptions = assumptions or NO_ASSUMPTIONS
    if _is_free(e) and assumptions.symbols.isdisjoint(e.symbols):
        return False  # as of most: nothing is known of what is in it
    return assumptions.proves(e)


def _is_free(e: Expr) -> bool:
    """Are there symbols and values from memory alone in it?"""
    return all(a.is_free for m in e.terms for a, _ in m)


def _never_negative(
    monomial: Monomial, coefficient: Number, assumptions: Assumptions | None
) -> bool:
    if coefficient > 0:
        return all(n % 2 == 0 or _atom_nonnegative(a, assumptions) for a, n in monomial)
    return len(monomial) == 1 and monomial[0][1] == 1 and monomial[0][0].never_positive(assumptions)


def _atom_nonnegative(a: Atom, assumptions: Assumptions | None) -> bool:
    if a.is_never_negative:
        return True
    shown = a.never_negative(assumptions)
    if shown is not None:
        return shown
    if assumptions is not None and assumptions.known:
        e = from_atom(a)
        return e in assumptions.known or assumptions.proves(e)
    return False


def _prove(e: Expr, assumptions: Assumptions, depth: int) -> bool:
    value = e.constant
    if value is not None:
        return value >= 0
    own = e.atom
    bad = [m for m, c in e.terms.items() if m and not (c > 0 and _known_sign(m, assumptions, own))]
    if not bad:
        if e.terms.get((), 0) >= 0 or _lift(e, assumptions):
            return True
        return depth > 0 and _by_cases(e, e.terms, assumptions, depth)
    if depth == 0:
        return False
    monomial = bad[0]
    coefficient = e.terms[monomial]
    sources = list(assumptions.known)
    for m in e.terms:
        for a, _ in m:
            if not a.is_symbol and (m in bad or a.alternatives):  # a symbol has no bounds
                sources.extend(a.bounds(assumptions))
    for fact in sources:
        has = fact.terms.get(monomial)
        if has and (has > 0) == (coefficient > 0):
            rest = e - (fact if has == coefficient else fact * _ratio(coefficient, has))
            if (
                monomial not in rest.terms
                and len(rest.terms) <= 12
                and _prove(rest, assumptions, depth - 1)
            ):
                return True
    return _by_cases(e, (monomial, *e.terms), assumptions, depth)


def _by_cases(e: Expr, monomials: Iterable[Monomial], assumptions: Assumptions, depth: int) -> bool:
    """A Min on the wrong side (or a Max): it suffices to show it for every argument."""
    chosen = next((m for m in monomials if _is_case(m, e.terms[m])), None)
    if chosen is None:
        return False
    a, coefficient = chosen[0][0], e.terms[chosen]
    rest = e - from_atom(a) * coefficient
    return all(_prove(rest + p * coefficient, assumptions, depth - 1) for p in a.alternatives)


def _is_case(monomial: Monomial, coefficient: Number) -> bool:
    """Is it a Min that is added, or a Max that is taken away?"""
    if len(monomial) != 1 or monomial[0][1] != 1:
        return False
    a = monomial[0][0]
    return bool(a.alternatives) and a.is_least == (coefficient > 0)


def _ratio(a: Number, b: Number) -> Number:
    """a / b; a fraction only where it is one, for these take long."""
    if type(a) is int and type(b) is int:
        whole, rest = divmod(a, b)
        return whole if not rest else Fraction(a, b)
    return number(a / Fraction(b))


def _is_rounded(e: Expr, assumptions: Assumptions) -> bool:
    """Is a sum of rounded fractions above -1 without the rounding, so that it is at least 0?

    ceil(i/2) + floor((n - i)/2) - 1 is more than n/2 - 3/2, for n >= 1 more than -1.
    """
    rest, found = e, 0
    for m, c in e.terms.items():
        if len(m) != 1 or m[0][1] != 1 or not m[0][0].is_rounded:
            continue
        for fact in m[0][0].bounds(assumptions):
            has = fact.terms.get(m, 0)
            if has and (has > 0) == (c > 0):
                rest, found = rest - fact * _ratio(c, has), found + 1
                break
    if found < 2 or not is_integer(e):
        return False
    scale = lcm(*(Fraction(c).denominator for c in rest.terms.values()))
    return _prove(rest * scale + (scale - 1), assumptions, 3)


_LARGEST_SHIFT = 1 << 16
_MOST_SHIFTED = 12


def _is_positive_beyond(e: Expr, assumptions: Assumptions) -> bool:
    """Has a polynomial no negative coefficient when its symbols are counted from their least
    values: s**3 - 1 = t**3 + 3*t**2 + 3*t for s = t + 1?"""
    if len(e.terms) > _MOST_SHIFTED or not any(_degree(m) > 1 for m in e.terms):
        return False
    least: dict[str, Fraction] = {}
    for fact in assumptions.known:
        symbols = [m for m in fact.terms if m]
        if len(symbols) == 1 and len(symbols[0]) == 1 and symbols[0][0][1] == 1:
            a, slope = symbols[0][0][0], fact.terms[symbols[0]]
            if a.is_symbol and slope > 0:
                low = -Fraction(fact.terms.get((), 0)) / Fraction(slope)
                least[a.key] = max(low, least.get(a.key, low))
    if not all(a.is_symbol and a.key in least for m in e.terms for a, _ in m):
        return False
    if any(low > _LARGEST_SHIFT for low in least.values()):
        return False
    shifted = e.substitute({name: sym(name) + low for name, low in least.items() if low})
    return all(c >= 0 for c in shifted.terms.values())


def _degree(monomial: Monomial) -> int:
    return sum(n for _, n in monomial)


def _known_sign(monomial: Monomial, assumptions: Assumptions, whole: Atom | None) -> bool:
    """Is a product of atoms at least zero? whole: the atom of which that is asked, if it is one."""
    for a, n in monomial:
        if n % 2 == 0:
            continue
        if a.is_symbol:
            if a not in assumptions.not_negative:
                return False
        elif whole == a or not _atom_nonnegative(a, assumptions):
            return False
    return True


def _single(fact: Expr, a: Atom) -> bool:
    """The fact says a >= something not negative, on its own."""
    return (
        len(fact.terms) <= 2
        and all(not m or m == ((a, 1),) for m in fact.terms)
        and fact.terms.get((), 0) <= 0
    )


def _lift(e: Expr, assumptions: Assumptions) -> bool:
    """All monomials are fine but the constant is negative: n - 1 >= 0 from the fact n - 1 >= 0,
    likewise scaled."""
    constant = e.terms.get((), 0)
    sources = [
        *assumptions.known,
        *(k for m in e.terms for a, _ in m for k in a.bounds(assumptions)),
    ]
    for fact in sources:
        low = fact.terms.get((), 0)
        if low >= 0:
            continue
        rest = e - fact * _ratio(constant, low)
        if all(
            c > 0 and (not m or _known_sign(m, assumptions, e.atom)) for m, c in rest.terms.items()
        ):
            return True
    return False
