"""Priors that the points refute: what was known beforehand may be wrong.

A fixed law is tested by its Bayes factor, the evidence of all other laws over that of the fixed one
with or without its lesser terms (Kass and Raftery, JASA 90, 1995): a law that holds gains from
excluding what is wrong, and loses all where it excludes what is right. One that loses is dropped,
and the model says so. All others are averaged with the laws that they exclude (see
`fixed_exponents`), and the model says where these are more probable. Bounds and parameters that
cannot matter are proved, not believed: they stay. Terms that are merely preferred need no test,
since every other law competes with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..data.measurements import Floats, Measurements, Series
from ..evidence.local_extrapolation import NO_EXTRAPOLATION
from ..evidence.noise import Levels
from ..pmnf.hypotheses import Candidates
from ..pmnf.terms import NO_PRIOR, Prior
from ..search.batch import Batch
from ..search.candidate_fits import fit_candidates
from ..search.fixed_exponents import testable
from ..settings import Settings
from .design import Design, alike, groups_of

Priors = Mapping[tuple[str, str], Prior]


@dataclass(frozen=True)
class Verdict:
    """What the points say of a fixed law: it is refuted, or they do not bear it out; and why."""

    refuted: bool
    note: str


def verdicts(measurements: Measurements, priors: Priors, settings: Settings) -> dict[int, Verdict]:
    """What the points say against the priors of some series, by number; they bear out all others.

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
    against = _evidence_against(data, priors, settings)
    found: dict[int, Verdict] = {}
    for place, (k, series) in enumerate(zip(number, data.series, strict=True)):
        verdict = _verdict(float(against[place]), _terms(priors, series), settings)
        if verdict is not None:
            found[k] = verdict
    return found


def _verdict(against: float, terms: str, settings: Settings) -> Verdict | None:
    """From the log Bayes factor of all other laws over one of these terms."""
    rules = settings.hypotheses
    if against > rules.refuted:
        return Verdict(
            True,
            f"the points refute the law given beforehand, {terms} (Bayes factor"
            f" e**{against:.0f}): the model is fitted without it",
        )
    right = 1 / (1 + np.exp(against + rules.log_wrong - rules.log_right))
    if right >= 0.5:
        return None
    return Verdict(
        False,
        f"the points do not bear out the law given beforehand, {terms} (probability {right:.0%}),"
        " nor refute it: it is averaged with other laws; measure larger or more points",
    )


def _tested(series: Series, prior: Prior, settings: Settings) -> bool:
    return prior.fixed and testable(series.points, settings) and bool((series.means > 0).all())


def _evidence_against(measurements: Measurements, priors: Priors, settings: Settings) -> Floats:
    """(K,): log evidence of all laws of each series over that of the law that its prior fixes; both
    within the bounds and the parameters that are proved."""
    found = np.zeros(len(measurements.series))
    every = Levels.every(settings)
    for group in groups_of(measurements, priors, settings):
        design = Design(group, settings)
        for part in alike(group):
            batch = design.batch(part, every, NO_EXTRAPOLATION)
            known = design.known_candidates(batch)
            if known:
                found[group.places[part]] = _evidence(
                    batch, design.free_candidates(batch)
                ) - _evidence(batch, known)
    return found


def _evidence(batch: Batch, candidates: list[Candidates]) -> Floats:
    """(K,): log evidence of all candidates together."""
    fits = fit_candidates(batch, candidates)
    weights = np.concatenate([f.log_weight.reshape(len(batch.y), -1) for f in fits], axis=1)
    result: Floats = np.logaddexp.reduce(weights, axis=1)
    return result


def _terms(priors: Priors, series: Series) -> str:
    return " + ".join(map(str, priors[series.callpath, series.metric].terms))
