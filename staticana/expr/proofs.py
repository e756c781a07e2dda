"""What can be shown of a formula's sign: from the shapes of its atoms, and from assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from .atoms import Extremum, Floor, Pow, Quotient, Sum, Trunc
from .budget import Provisional
from .integer_valued import is_integer
from .polynomial import Atom, Expr, Monomial, from_atom, lone_atom, sym
from .terms import Number, ratio

_DEPTH = 5
"""Facts that one proof may add, one after another."""
_DEPTH_OF_ROUNDED = 3
"""Likewise, once quotients were replaced by what they are rounded from."""
_LONGEST = 12
"""Terms of a formula in the middle of a proof: longer ones are not shown by adding more facts."""
_HIGHEST_LEAST = 2
"""The highest number that an exponent is tried to be shown not to be below."""
_LARGEST_SHIFT = 1 << 16
"""The largest least value from which a symbol is counted: powers of it become coefficients."""


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
            lines = [line for line in (k.line for k in self.known) if line is not None]
            self._least = frozenset(a for a, slope, shift in lines if slope > 0 and shift <= 0)
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
                    _prove(e, self, _DEPTH) or _is_positive_beyond(e, self) or _is_rounded(e, self)
                )
        return found


NO_ASSUMPTIONS = Assumptions()
"""Nothing but what shapes tell; it keeps what was shown from them alone."""


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


# -- what shapes say of signs
def _never_negative(
    monomial: Monomial, coefficient: Number, assumptions: Assumptions | None
) -> bool:
    if coefficient > 0:
        return all(n % 2 == 0 or _atom_nonnegative(a, assumptions) for a, n in monomial)
    a = lone_atom(monomial)
    return isinstance(a, Floor) and _has_signs(-a.num, a.den, assumptions)


def _atom_nonnegative(a: Atom, assumptions: Assumptions | None) -> bool:
    if a.is_never_negative:
        return True
    shown = _by_shape(a, assumptions)
    if shown is not None:
        return shown
    if assumptions is not None and assumptions.known:
        e = from_atom(a)
        return e in assumptions.known or assumptions.proves(e)
    return False


def _by_shape(a: Atom, assumptions: Assumptions | None) -> bool | None:
    """Can it be shown to be >= 0 from its parts? None: only the assumptions can tell."""
    match a:
        case Extremum():
            enough = all if a.is_least else any
            return enough(is_nonnegative(p, assumptions) for p in a.args)
        case Quotient():
            return _has_signs(a.num, a.den, assumptions)
        case Sum():
            return is_nonnegative(a.body, (assumptions or NO_ASSUMPTIONS).plus(*a.within))
    return None


def _has_signs(num: Expr, den: Expr, assumptions: Assumptions | None) -> bool:
    """Are both of a quotient's parts at least zero?"""
    return is_nonnegative(num, assumptions) and is_nonnegative(den, assumptions)


def _bounds(a: Atom, assumptions: Assumptions) -> Sequence[Expr]:
    """Formulas that are at least zero: those of the shape, and those that rest on its parts."""
    match a:
        case Pow():
            tried = range(_HIGHEST_LEAST, -1, -1)
            shown = (k for k in tried if is_nonnegative(a.exponent - k, assumptions))
            least = next(shown, None)
            return () if least is None else (from_atom(a) - a.base**least,)
        case Trunc():
            divisor = a.den.constant
            if divisor is not None and is_nonnegative(a.num):  # then it is rounded down
                return (a.num - from_atom(a) * divisor,)
    return a.bounds


# -- the search
def _prove(e: Expr, assumptions: Assumptions, depth: int) -> bool:
    """Is e >= 0 shown by adding up facts, or by cases, in so many steps?"""
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
    return any(
        _prove(rest, assumptions, depth - 1) for rest in _without(e, bad, assumptions)
    ) or _by_cases(e, (bad[0], *e.terms), assumptions, depth)


def _without(e: Expr, bad: list[Monomial], assumptions: Assumptions) -> Iterator[Expr]:
    """What is left of e once a multiple of one fact takes away the first term of unknown sign: e is
    not below 0 where that is not."""
    facts = (*assumptions.known, *_facts_inside(e, bad, assumptions))
    rests = (_cancelled(e, fact, bad[0]) for fact in facts)
    return (rest for rest in rests if rest is not None and len(rest.terms) <= _LONGEST)


def _facts_inside(e: Expr, bad: list[Monomial], assumptions: Assumptions) -> list[Expr]:
    """Bounds of the atoms in terms of unknown sign; of those in other terms only where they are one
    of several values, which may take a bad term away."""
    helpful = (a for m in e.terms for a, _ in m if m in bad or a.alternatives)
    return [fact for a in helpful for fact in _bounds(a, assumptions)]


def _cancelled(e: Expr, fact: Expr, monomial: Monomial) -> Expr | None:
    """e less the multiple of a fact that takes away one of its terms; None where that multiple is
    negative, since nothing follows then."""
    coefficient, has = e.terms[monomial], fact.terms.get(monomial, 0)
    if not has or (has > 0) != (coefficient > 0):
        return None
    return e - (fact if has == coefficient else fact * ratio(coefficient, has))


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
    a = lone_atom(monomial)
    return a is not None and bool(a.alternatives) and a.is_least == (coefficient > 0)


def _is_rounded(e: Expr, assumptions: Assumptions) -> bool:
    """Is a sum of rounded fractions above -1 without the rounding, so that it is at least 0?

    ceil(i/2) + floor((n - i)/2) - 1 is more than n/2 - 3/2, for n >= 1 more than -1.
    """
    rest, replaced = e, 0
    for m, c in e.terms.items():
        fact = _rounding(m, c)
        if fact is not None:
            rest, replaced = rest - fact * ratio(c, fact.terms[m]), replaced + 1
    if replaced < 2 or not is_integer(e):
        return False
    scale = rest.denominator
    return _prove(rest * scale + (scale - 1), assumptions, _DEPTH_OF_ROUNDED)


def _rounding(monomial: Monomial, coefficient: Number) -> Expr | None:
    """The fact that takes away the rounding of a quotient, on the side on which it is added."""
    a = lone_atom(monomial)
    facts = a.bounds if isinstance(a, Floor) else ()
    return next((k for k in facts if k.terms.get(monomial, 0) * coefficient > 0), None)


def _is_positive_beyond(e: Expr, assumptions: Assumptions) -> bool:
    """Has a polynomial no negative coefficient when its symbols are counted from their least
    values: s**3 - 1 = t**3 + 3*t**2 + 3*t for s = t + 1?"""
    if len(e.terms) > _LONGEST or not any(_degree(m) > 1 for m in e.terms):
        return False
    least = _least_values(assumptions)
    if not all(a.is_symbol and a.key in least for a in e.atoms):
        return False
    if any(low > _LARGEST_SHIFT for low in least.values()):
        return False
    shifted = e.substitute({name: sym(name) + low for name, low in least.items() if low})
    return all(c >= 0 for c in shifted.terms.values())


def _least_values(assumptions: Assumptions) -> dict[str, Fraction]:
    """The greatest number that each symbol is assumed not to be below."""
    least: dict[str, Fraction] = {}
    for a, slope, shift in filter(None, (fact.line for fact in assumptions.known)):
        if a.is_symbol and slope > 0:
            low = -Fraction(shift) / Fraction(slope)
            least[a.key] = max(low, least.get(a.key, low))
    return least


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


def _lift(e: Expr, assumptions: Assumptions) -> bool:
    """All monomials are fine but the constant is negative: n - 1 >= 0 from the fact n - 1 >= 0,
    likewise scaled."""
    sources = [
        *assumptions.known,
        *(k for m in e.terms for a, _ in m for k in _bounds(a, assumptions)),
    ]
    rests = (_cancelled(e, fact, ()) for fact in sources)
    return any(r is not None and _has_no_doubt(r, assumptions, e.atom) for r in rests)


def _has_no_doubt(e: Expr, assumptions: Assumptions, whole: Atom | None) -> bool:
    """Are all terms at least zero, each by itself?"""
    return all(c > 0 and (not m or _known_sign(m, assumptions, whole)) for m, c in e.terms.items())
