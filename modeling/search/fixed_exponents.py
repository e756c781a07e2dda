"""Hypotheses when the exponents are known: only the coefficients are fitted. Slower terms may be
too small to show, so they may be left out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ..pmnf.hypotheses import Candidates, Codes
from ..pmnf.terms import Term
from ..settings import HypothesisSettings


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
