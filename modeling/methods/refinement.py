"""Iterative refinement of exponents by mediants (Reisert et al., Euro-Par 2017, section 3).

Four slices of the exponent plane, beta = 0, 1, 2 and alpha = 0, each start at their best integer
and move along the Stern-Brocot tree. A refined candidate is accepted when it improves the SMAPE by
a factor of 1.5, the search ends when no slice improves by a factor of 2 in an iteration, and the
constant stays unless the SMAPE falls to half.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..data.measurements import Series
from ..pmnf.terms import Term
from .plain import PlainFit, least_squares, usable

ACCEPTANCE, TERMINATION, NON_CONSTANCY = 1.5, 2.0, 2.0
_MOST_ITERATIONS = 12
_ALPHAS, _BETAS = 6, 3


@dataclass(frozen=True)
class _Slice:
    """One line through the exponent plane: how an exponent makes a term, the best one and its
    bounds."""

    term: Callable[[Fraction], Term]
    best: Fraction
    low: Fraction
    high: Fraction
    fit: PlainFit


def refinement(series: Series) -> tuple[Term, ...]:
    """The term of the refined one-term model of a series with one parameter, if any."""
    (name,) = series.parameters
    constant = least_squares((), series)
    if len(series.means) < 3 or constant.smape <= 0:
        return ()
    slices = [s for s in (_start(series, name, beta, _ALPHAS) for beta in range(3)) if s]
    start = _start(series, name, None, _BETAS)
    slices += [start] if start else []
    if not slices:
        return ()
    accepted = min((s.fit for s in slices), key=lambda f: f.rss)
    for _ in range(_MOST_ITERATIONS):
        refined = [_refine(s, series) for s in slices]
        improved = any(
            _better(old.fit, new.fit, TERMINATION) for old, new in zip(slices, refined, strict=True)
        )
        slices = refined
        candidate = min((s.fit for s in slices), key=lambda f: f.rss)
        if _better(accepted, candidate, ACCEPTANCE):
            accepted = candidate
        if not improved:
            break
    return accepted.terms if _better(constant, accepted, NON_CONSTANCY) else ()


def mediant(a: Fraction, b: Fraction) -> Fraction:
    """(n1 + n2) / (d1 + d2), which lies between the two."""
    return Fraction(a.numerator + b.numerator, a.denominator + b.denominator)


def _start(series: Series, name: str, beta: int | None, count: int) -> _Slice | None:
    """The best integer exponent of alpha for a given beta, or of beta for alpha = 0."""

    def term(exponent: Fraction) -> Term:
        return Term.of({name: (exponent, beta) if beta is not None else (0, exponent)})

    found = _fits(term, map(Fraction, range(count)), series)
    if not found:
        return None
    best = min(found, key=lambda e: found[e].rss)
    return _Slice(term, best, max(best - 1, Fraction(0)), best + 1, found[best])


def _fits(
    term: Callable[[Fraction], Term], exponents: Iterable[Fraction], series: Series
) -> dict[Fraction, PlainFit]:
    """Those exponents whose term is defined at all points and not the same there (a root of a
    logarithm below 1 is neither)."""
    terms = {e: term(e) for e in exponents}
    return {
        e: least_squares((t,), series)
        for e, t in terms.items()
        if t.factors and usable((t,), series)
    }


def _refine(s: _Slice, series: Series) -> _Slice:
    """One iteration: the mediants between the best exponent and its bounds."""
    left, right = mediant(s.low, s.best), mediant(s.best, s.high)
    fits = _fits(s.term, (e for e in (left, right) if e != s.best), series)
    if left in fits and fits[left].rss < min(
        s.fit.rss, fits[right].rss if right in fits else np.inf
    ):
        return _Slice(s.term, left, s.low, s.best, fits[left])
    if right in fits and fits[right].rss < s.fit.rss:
        return _Slice(s.term, right, s.best, s.high, fits[right])
    return _Slice(s.term, s.best, left, right, s.fit)


def _better(old: PlainFit, new: PlainFit, factor: float) -> bool:
    return new.smape * factor <= old.smape and new.smape < old.smape
