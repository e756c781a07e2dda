"""Hypotheses when the exponents are known: only the coefficients are fitted. Slower terms may be
too small to show, so they may be left out.

What was believed beforehand may be wrong, and few noisy points cannot refute it. So all other laws
compete with the known one, each side with a share of the prior (Bayesian model averaging; Hoeting
et al., Statistical Science 14, 1999): the choice and the intervals then say how far the points
support what was believed.

A wrong law is a hint all the same: it mostly differs from the right one in a single place. Where
its neighbours fit clearly better, they compete with a share of the prior of their own; always to
let them compete would cost right laws what noise makes of so many rivals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..pmnf.dictionary import FactorTable
from ..pmnf.hypotheses import Candidates, Codes
from ..pmnf.terms import Standing, Term
from ..settings import HypothesisSettings, Settings


def testable(points: Floats, settings: Settings) -> bool:
    """Are there so many points (P, m) that a known law can be wrong, and no more parameters than
    other laws can be compared in?"""
    varying = int((np.ptp(points, axis=0) > 0).sum()) if len(points) else 0
    enough = len(points) >= settings.identifiability.fewest_sure
    return enough and varying <= settings.hypotheses.most_tested


def mixed(
    known: Sequence[Candidates],
    near: Sequence[Candidates],
    others: Sequence[Candidates],
    standing: Standing,
    settings: HypothesisSettings,
) -> list[Candidates]:
    """Hypotheses of a known law with the probability that it is right, its neighbours and all
    others with the rest; neighbours count from where the points cast doubt on it, the law itself
    until they refute it."""
    shares = {
        Standing.BELIEVED: ((known, settings.log_right), (others, settings.log_wrong)),
        Standing.DOUBTED: (
            (known, settings.log_right),
            (near, settings.log_wrong + settings.log_near),
            (others, settings.log_wrong + settings.log_not_near),
        ),
        Standing.REFUTED: ((near, settings.log_near), (others, settings.log_not_near)),
    }[standing]
    return [
        replace(c, prior=c.prior + share - (0.0 if some is others else total_prior(some)))
        for some, share in shares
        for c in some
    ]


def total_prior(candidates: Sequence[Candidates]) -> float:
    """The logarithm of the sum of the prior of hypotheses, which is that of all series."""
    return float(np.logaddexp.reduce(np.concatenate([c.prior[0] for c in candidates])))


def neighbours(
    law: Sequence[Codes], tables: Sequence[FactorTable], settings: HypothesisSettings
) -> list[list[Codes]]:
    """The laws that differ from one in a single place: a term is left out, or in one term the
    factor of one parameter is another one whose exponents are at most so far off."""
    moves = [_moves(table, settings.farthest) for table in tables]
    terms = {tuple(code.tolist()) for code in law}
    found: list[list[Codes]] = []
    for k, code in enumerate(law):
        before, after = list(law[:k]), list(law[k + 1 :])
        if len(law) > 1:
            found.append(before + after)
        for place, near in enumerate(moves):
            for factor in np.flatnonzero(near[code[place]]).tolist():
                other = code.copy()
                other[place] = factor
                if other.any() and tuple(other.tolist()) not in terms:
                    found.append([*before, other, *after])
    return found


def _moves(table: FactorTable, farthest: float) -> NDArray[np.bool_]:
    """(T, T): factors that are neighbours of each other."""
    powers, logs = np.array([[float(i), float(j)] for i, j in table.factors]).T
    result: NDArray[np.bool_] = (np.abs(powers - powers[:, None]) <= farthest) & (
        np.abs(logs - logs[:, None]) <= farthest
    )
    return result


def near_candidates(
    laws: Sequence[Sequence[Codes]],
    tables: Sequence[FactorTable],
    points: int,
    series: int,
    settings: HypothesisSettings,
) -> list[Candidates]:
    """All hypotheses of the neighbours of a known law, with all of their terms, by size; a factor
    that the known law does not have counts as it does in any law."""
    sizes: dict[int, list[Candidates]] = {}
    for law in laws:
        cost = sum(t.unusual[c] for code in law for t, c in zip(tables, code, strict=True))
        for c in fixed_candidates(law, [True] * len(law), points, series, settings):
            sizes.setdefault(c.size, []).append(replace(c, prior=c.prior - cost))
    return [
        Candidates(
            np.concatenate([c.codes for c in same], axis=1),
            np.concatenate([c.prior for c in same], axis=1),
        )
        for _, same in sorted(sizes.items())
    ]


def leading(terms: Sequence[Term]) -> list[bool]:
    """Which terms no other one dominates: another has at least the same growth in every parameter,
    and more in one."""

    def growth(term: Term, name: str) -> tuple[float, float]:
        return next(((float(i), float(j)) for n, i, j in term.factors if n == name), (0.0, 0.0))

    names = sorted({n for t in terms for n in t.parameters})
    rows = [[growth(t, n) for n in names] for t in terms]
    return [
        not any(
            other != own and all(a >= b for a, b in zip(other, own, strict=True)) for other in rows
        )
        for own in rows
    ]


def fixed_candidates(
    codes: Sequence[Codes],
    must: Sequence[bool],
    points: int,
    series: int,
    settings: HypothesisSettings,
) -> list[Candidates]:
    """All hypotheses made of known terms (each m factor numbers), with and without a constant, by
    size; terms that `must` occur are in all of them. Empty where the points are too few even for
    these.

    The prior prefers hypotheses with all terms.
    """
    sizes: dict[int, tuple[list[Codes], list[float]]] = {}
    optional = [k for k, needed in enumerate(must) if not needed]
    constant = np.zeros_like(codes[0])
    without_constant, with_constant = settings.log_constant.tolist()
    for count in range(len(optional) + 1):
        for chosen in combinations(optional, count):
            terms = [codes[k] for k, needed in enumerate(must) if needed or k in chosen]
            prior = settings.absent * (len(optional) - count)
            for extra, log_prior in (([], without_constant), ([constant], with_constant)):
                if len(terms) + len(extra) <= points:
                    rows, priors = sizes.setdefault(len(terms) + len(extra), ([], []))
                    rows.append(np.stack([*extra, *terms]))
                    priors.append(prior + log_prior)
    return [
        Candidates(
            np.broadcast_to(np.stack(rows), (series, len(rows), *rows[0].shape)).copy(),
            np.tile(priors, (series, 1)),
        )
        for _, (rows, priors) in sorted(sizes.items())
    ]
