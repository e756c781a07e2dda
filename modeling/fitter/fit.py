"""From measurements to models: series that share their points are modelled together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from looplaw_common.errors import InputError

from ..data.measurements import Measurements, Series, Stack
from ..evidence.local_extrapolation import NO_EXTRAPOLATION
from ..evidence.noise import Levels
from ..least_squares.threads import one_blas_thread
from ..methods import METHODS
from ..pmnf.model import Models
from ..pmnf.terms import NO_PRIOR, Prior
from ..search.candidate_fits import fit_candidates
from ..settings import DEFAULT, Settings
from .batches import PooledNoise, modelled
from .counts import with_formulas
from .design import Design, free_parameters, groups_of, split, too_many
from .lazy_models import LazyModels
from .pooling import pooled_by_metric
from .prior_check import verdicts


def fit(
    measurements: Measurements,
    priors: Mapping[tuple[str, str], Prior] | None = None,
    *,
    method: str = "default",
    pooled: Mapping[str, PooledNoise] | None = None,
    settings: Settings = DEFAULT,
) -> Models:
    """Model every series; counts without noise by an exact formula, where there is one.

    Args:
        measurements: what was observed.
        priors: (callpath, metric) -> what is known beforehand; a fixed law that the points
            refute is dropped, one that they do not bear out is averaged with all others; a note
            of the model says so.
        method: "default" compares all hypotheses by their evidence; those of the papers are listed
            in METHODS.
        pooled: what all series of each metric have in common, where these are a part of more (see
            `pool_noise`); without it these measurements are pooled.
        settings: the constants of the default method.

    Raises:
        InputError: no such method.
        DataError: more parameters vary in a series than can be told apart.
    """
    if method != "default":
        if method not in METHODS:
            raise InputError(f"--method {method}: there are default, {', '.join(METHODS)}")
        each = (
            METHODS[method](s, (priors or {}).get((s.callpath, s.metric), NO_PRIOR))
            for s in measurements.series
        )
        return Models(
            tuple(replace(m, unit=s.unit) for m, s in zip(each, measurements.series, strict=True))
        )
    judged = verdicts(measurements, priors, settings) if priors else {}
    kept = dict(priors or {})
    for k, verdict in judged.items():
        kept[measurements.series[k].callpath, measurements.series[k].metric] = verdict.prior
    groups = list(groups_of(measurements, kept, settings))
    with one_blas_thread(len(measurements.series)):
        noise = pooled_by_metric(groups, settings) if pooled is None else pooled
        fitted = Models(modelled(groups, noise, settings))
    notes = {k: verdict.note for k, verdict in judged.items() if verdict.note}
    if notes:
        fitted = Models(
            tuple(
                replace(m, notes=(*m.notes, notes[k])) if k in notes else m
                for k, m in enumerate(fitted.models)
            )
        )
    return with_formulas(measurements, fitted, kept)


def fittable(
    measurements: Measurements,
    priors: Mapping[tuple[str, str], Prior] | None = None,
    settings: Settings = DEFAULT,
) -> Measurements:
    """The measurements without the series that `fit` would refuse, which are `left_out`; all of
    them where it would refuse each."""
    kept, left_out = [], list(measurements.left_out)
    for s in measurements.series:
        prior = (priors or {}).get((s.callpath, s.metric), NO_PRIOR)
        fault = too_many(len(free_parameters(s.parameters, s.points, prior)), settings.batch)
        if fault is None:
            kept.append(s)
        else:
            left_out.append(f"{s.callpath}, {s.metric}: {fault}")
    return Measurements(tuple(kept), tuple(left_out)) if kept else measurements


def fit_stack(
    series: Stack, pooled: Mapping[str, PooledNoise], settings: Settings = DEFAULT
) -> LazyModels:
    """Models of series with the same points, which are a part of more: `pooled` is what all of them
    have in common (see `pool_noise`). The same as those of `fit`, without an object for each
    series.

    Raises:
        DataError: more parameters vary than can be told apart.
    """
    groups = list(split(series, np.arange(len(series)), NO_PRIOR, settings))
    with one_blas_thread(len(series)):
        return modelled(groups, pooled, settings)


def evidence_of(series: Series, prior: Prior = NO_PRIOR, settings: Settings = DEFAULT) -> float:
    """Log evidence of all hypotheses that the prior allows together, for relative deviations (units
    of y do not matter); a fixed law stands for itself, without those that are averaged with it."""
    priors = {(series.callpath, series.metric): prior}
    design = Design(next(groups_of(Measurements((series,)), priors, settings)), settings)
    batch = design.batch(np.arange(1), Levels.every(settings), NO_EXTRAPOLATION)
    candidates = design.known_candidates(batch) or design.candidates(batch)
    weights = np.concatenate([w.log_weight.ravel() for w in fit_candidates(batch, candidates)])
    return float(weights.max() + np.log(np.exp(weights - weights.max()).sum()))
