"""Priors that the points refute: what was known beforehand may be wrong.

A fixed law is tested by its Bayes factor, the evidence of all laws over that of the fixed one with
or without its lesser terms (Kass and Raftery, JASA 90, 1995): a law that holds gains from excluding
what is wrong, and loses all where it excludes what is right. One that loses is dropped, and the
model says so. Bounds and parameters that cannot matter are proved, not believed: they stay. Terms
that are merely preferred need no test, since every other law competes with them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..data.measurements import Floats, Measurements, Series
from ..evidence.local_extrapolation import NO_EXTRAPOLATION
from ..evidence.noise import Levels
from ..pmnf.terms import NO_PRIOR, Prior
from ..search.candidate_fits import fit_candidates
from ..settings import Settings
from .design import Design, alike, groups_of

Priors = Mapping[tuple[str, str], Prior]


def refuted(measurements: Measurements, priors: Priors, settings: Settings) -> dict[int, str]:
    """Why the priors of some series, by number, do not hold; all others may.

    A prior is tested where so many points are left that a law can be wrong, and without it no more
    parameters vary than can be compared.
    """
    number = [
        k
        for k, s in enumerate(measurements.series)
        if _testable(s, priors.get((s.callpath, s.metric), NO_PRIOR), settings)
    ]
    if not number:
        return {}
    data = Measurements(tuple(measurements.series[k] for k in number))
    against = _evidence(data, {}, settings) - _evidence(data, priors, settings)
    found: dict[int, str] = {}
    for place in np.flatnonzero(against > settings.hypotheses.refuted).tolist():
        s = data.series[place]
        found[number[place]] = (
            f"the points refute the law given beforehand, {_terms(priors, s)} (Bayes factor"
            f" e**{against[place]:.0f}): the model is fitted without it"
        )
    return found


def _testable(series: Series, prior: Prior, settings: Settings) -> bool:
    varying = int((np.ptp(series.points, axis=0) > 0).sum()) if len(series.points) else 0
    most = settings.hypotheses.most_tested
    enough = len(series.points) >= settings.identifiability.fewest_sure
    return prior.fixed and enough and varying <= most and bool((series.means > 0).all())


def _evidence(measurements: Measurements, priors: Priors, settings: Settings) -> Floats:
    """(K,): log evidence of all laws of each series that a prior allows."""
    found = np.zeros(len(measurements.series))
    every = Levels.every(settings)
    for group in groups_of(measurements, priors, settings):
        design = Design(group, settings)
        for part in alike(group):
            batch = design.batch(part, every, NO_EXTRAPOLATION)
            fits = fit_candidates(batch, design.candidates(batch))
            weights = np.concatenate([f.log_weight.reshape(len(part), -1) for f in fits], axis=1)
            found[group.places[part]] = np.logaddexp.reduce(weights, axis=1)
    return found


def _terms(priors: Priors, series: Series) -> str:
    return " + ".join(map(str, priors[series.callpath, series.metric].terms))
