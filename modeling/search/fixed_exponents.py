"""Hypotheses when the exponents are known: only the coefficients are fitted. Slower terms may be
too small to show, so they may be left out.

What was believed beforehand may be wrong, and few noisy points cannot refute it. So all other laws
compete with the known one, each side with a share of the prior (Bayesian model averaging; Hoeting
et al., Statistical Science 14, 1999): the choice and the intervals then say how far the points
support what was believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ..data.measurements import Floats
from ..pmnf.hypotheses import Candidates, Codes
from ..pmnf.terms import Term
from ..settings import HypothesisSettings, Settings


def testable(points: Floats, settings: Settings) -> bool:
    """Are there so many points (P, m) that a known law can be wrong, and no more parameters than
    other laws can be compared in?"""
    varying = int((np.ptp(points, axis=0) > 0).sum()) if len(points) else 0
    enough = len(points) >= settings.identifiability.fewest_sure
    return enough and varying <= settings.hypotheses.most_tested


def mixed(
    known: Sequence[Candidates], others: Sequence[Candidates], settings: HypothesisSettings
) -> list[Candidates]:
    """Hypotheses of a known law with the probability that it is right, all others with the rest."""
    right = settings.log_right - _total(known)
    return [replace(c, prior=c.prior + right) for c in known] + [
        replace(c, prior=c.prior + settings.log_wrong) for c in others
    ]


def _total(candidates: Sequence[Candidates]) -> float:
    """The logarithm of the sum of the prior, which is that of all series."""
    return float(np.logaddexp.reduce(np.concatenate([c.prior[0] for c in candidates])))


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
