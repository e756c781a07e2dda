"""What can be shown of a formula's sign: from the shapes of its atoms, and from facts."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from .budget import Provisional
from .polynomial import Atom, Expr, Monomial, Number, from_atom


class Facts:
    """Formulas known to be at least zero (integer symbols), used to drop guards that cannot bind."""

    __slots__ = ("_cache", "_more", "known", "simplified", "sums")

    def __init__(self, known: Iterable[Expr] = ()) -> None:
        self.simplified: dict[Expr, Expr] = {}
        self._more: dict[tuple[Expr, ...], Facts] = {}
        self.sums: dict[
            tuple[Expr, str, Expr], Expr
        ] = {}  # of (body, index, count), found under these facts
        self.known: tuple[Expr, ...] = tuple(dict.fromkeys(k for k in known if k.constant is None))
        self._cache: dict[Expr, bool] = {}

    def plus(self, *more: Expr) -> Facts:
        """These and more; the same object for the same formulas, so that what was shown from them
        is kept."""
        found = self._more.get(more)
        if found is None:
            found = self._more[more] = Facts((*self.known, *more))
        return found

    def proves(self, e: Expr) -> bool:
        """True when e >= 0 follows (a search of bounded depth: False means "not shown")."""
        found = self._cache.get(e)
        if found is None:
            with Provisional(self._cache, e, False):  # a proof must not rest on itself
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
    return len(monomial) == 1 and monomial[0][1] == 1 and monomial[0][0].never_positive(facts)


def _atom_nonnegative(a: Atom, facts: Facts | None) -> bool:
    if a.is_never_negative:
        return True
    shown = a.never_negative(facts)
    if shown is not None:
        return shown
    if facts is not None and facts.known:
        e = from_atom(a)
        return e in facts.known or facts.proves(e)
    return False


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
            if a.alternatives or m in bad:
                sources.extend(a.bounds())
    for fact in sources:
        has = fact.terms.get(monomial)
        if has and (has > 0) == (coefficient > 0):
            rest = e - fact * (coefficient / Fraction(has))
            if (
                monomial not in rest.terms
                and len(rest.terms) <= 12
                and _prove(rest, facts, depth - 1)
            ):
                return True
    # a Min on the wrong side (or a Max): it suffices to show it for every argument
    if len(monomial) == 1 and monomial[0][1] == 1:
        a = monomial[0][0]
        if a.alternatives and a.is_least == (coefficient > 0):
            rest = e - from_atom(a) * coefficient
            return all(_prove(rest + p * coefficient, facts, depth - 1) for p in a.alternatives)
    return False


def _known_sign(monomial: Monomial, facts: Facts, whole: Expr) -> bool:
    for a, n in monomial:
        if n % 2 == 0:
            continue
        if a.is_symbol:
            if not any(k.terms.get(((a, 1),), 0) > 0 and _single(k, a) for k in facts.known):
                return False
        elif from_atom(a) == whole or not _atom_nonnegative(a, facts):
            return False
    return True


def _single(fact: Expr, a: Atom) -> bool:
    """The fact says a >= something not negative, on its own."""
    return (
        len(fact.terms) <= 2
        and all(not m or m == ((a, 1),) for m in fact.terms)
        and fact.terms.get((), 0) <= 0
    )


def _lift(e: Expr, facts: Facts) -> bool:
    """All monomials are fine but the constant is negative: n - 1 >= 0 from the fact n - 1 >= 0,
    likewise scaled."""
    constant = Fraction(e.terms.get((), 0))
    sources = [*facts.known, *(k for m in e.terms for a, _ in m for k in a.bounds())]
    for fact in sources:
        low = Fraction(fact.terms.get((), 0))
        if low >= 0:
            continue
        rest = e - fact * (constant / low)
        if all(c > 0 and (not m or _known_sign(m, facts, e)) for m, c in rest.terms.items()):
            return True
    return False
