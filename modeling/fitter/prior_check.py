"""Priors that the points refute: what was known beforehand may be wrong.

A fixed law is tested by its Bayes factor, the evidence of all other laws over that of the fixed one
with or without its lesser terms (Kass and Raftery, JASA 90, 1995): a law that holds gains from
excluding what is wrong, and loses all where it excludes what is right. One that loses is dropped,
and the model says so; its neighbours are still preferred where the points do not refute them, too.
All others are averaged with the laws that they exclude (see `fixed_exponents`), and the model says
where these are more probable. Bounds and parameters that cannot matter are proved, not believed:
they stay. Terms that are merely preferred need no test, since every other law competes with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np

from ..data.measurements import Floats, Measurements, Series
from ..evidence.local_extrapolation import NO_EXTRAPOLATION
from ..evidence.noise import Levels
from ..pmnf.hypotheses import Candidates
from ..pmnf.terms import NO_PRIOR, Prior, Standing
from ..search.batch import Batch
from ..search.candidate_fits import fit_candidates
from ..search.fixed_exponents import testable, total_prior
from ..settings import Settings
from .design import Design, alike, groups_of

Priors = Mapping[tuple[str, str], Prior]


@dataclass(frozen=True)
class Verdict:
    """What the points say of a fixed law: the prior to fit with, and a note where they do not bear
    the law out."""

    prior: Prior
    note: str | None = None


def verdicts(measurements: Measurements, priors: Priors, settings: Settings) -> dict[int, Verdict]:
    """What the points say of the fixed laws of some series, by number.

    A prior is tested where so many points are left that a law can be wrong, and no more parameters
    vary than can be compared.
    """
    number = [
        k
        for k, s in enumerate(measurements.series)
        if _tested(s, priors.get((s.callpath, s.metric), NO_PRIOR), settings)
    ]
    if not number:
        return {}
    data = Measurements(tuple(measurements.series[k] for k in number))
    evidence = _evidence_of(data, priors, settings)
    return {
        k: _verdict(_Evidence(*found), priors[series.callpath, series.metric], settings)
        for k, series, found in zip(number, data.series, evidence.tolist(), strict=True)
    }


@dataclass(frozen=True)
class _Evidence:
    """Log evidence of a law given beforehand, of its neighbours, and of all laws."""

    known: float
    near: float
    free: float


def _verdict(found: _Evidence, prior: Prior, settings: Settings) -> Verdict:
    rules, terms = settings.hypotheses, " + ".join(map(str, prior.terms))
    doubted = found.near - found.known > rules.doubted
    others = found.free
    if doubted:
        others = float(np.logaddexp(rules.log_near + found.near, rules.log_not_near + found.free))
    against = others - found.known
    if against > rules.refuted:
        near = doubted and found.free - found.near < rules.refuted
        return Verdict(
            replace(prior, standing=Standing.REFUTED)
            if near
            else replace(prior, terms=(), fixed=False),  # what is proved stays
            f"the points refute the given law {terms} (Bayes factor e**{against:.0f}): the model"
            " is fitted without it",
        )
    kept = replace(prior, standing=Standing.DOUBTED) if doubted else prior
    right = 1 / (1 + np.exp(against + rules.log_wrong - rules.log_right))
    if right >= 0.5:
        return Verdict(kept)
    return Verdict(
        kept,
        f"the points neither support nor refute the given law {terms} (probability {right:.0%}):"
        " it is averaged with other laws; measure larger or more points",
    )


def _tested(series: Series, prior: Prior, settings: Settings) -> bool:
    return prior.fixed and testable(series.points, settings) and bool((series.means > 0).all())


def _evidence_of(measurements: Measurements, priors: Priors, settings: Settings) -> Floats:
    """(K, 3): log evidence of the law that the prior of each series fixes, of its neighbours, and
    of all laws, all within the bounds and the parameters that are proved; zero where nothing is
    fixed."""
    found = np.zeros((len(measurements.series), len(fields(_Evidence))))
    every = Levels.every(settings)
    for group in groups_of(measurements, priors, settings):
        design = Design(group, settings)
        for part in alike(group):
            batch = design.batch(part, every, NO_EXTRAPOLATION)
            known, near = design.known_candidates(batch), design.near_candidates(batch)
            if not known:
                continue
            of_near = _evidence(batch, near) - total_prior(near) if near else -np.inf
            free = _evidence(batch, design.free_candidates(batch))
            found[group.places[part]] = np.column_stack(
                [_evidence(batch, known), np.broadcast_to(of_near, free.shape), free]
            )
    return found


def _evidence(batch: Batch, candidates: list[Candidates]) -> Floats:
    """(K,): log evidence of all candidates together."""
    fits = fit_candidates(batch, candidates)
    weights = np.concatenate([f.log_weight.reshape(len(batch.y), -1) for f in fits], axis=1)
    result: Floats = np.logaddexp.reduce(weights, axis=1)
    return result
