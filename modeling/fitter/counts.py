"""Counts among measurements: series of whole numbers without noise get an exact formula or none.

A sum of fractional powers that is fitted to counts says nothing true of them. Where a formula is
found (`modeling.integers`), it takes the place of the fitted model; where none is, the model stays
as an approximation and is marked as one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from ..data.measurements import Measurements, Series
from ..integers.bounds import Envelope
from ..integers.codes import Point
from ..integers.search import find_formula
from ..pmnf.count_law import Counted, CountLaw, Found, NoLaw
from ..pmnf.known_laws import known_law
from ..pmnf.model import Model, Models, Quality
from ..pmnf.terms import NO_PRIOR, Prior, Term
from ..settings import ARITHMETIC, COUNTED_POINTS, COUNTED_SERIES, COUNTED_VALUES

COUNTS = frozenset(
    (
        "iterations",
        "visits",
        "calls",
        "flops",
        "divisions",
        "square_roots",
        "int_operations",
        "loads",
        "stores",
        "bytes",
        "load_bytes",
        "store_bytes",
        "branches",
        "mpi_messages",
        "mpi_bytes",
    )
)
"""Metrics that are counts by their name."""
_DURATIONS = ("time", "seconds", "duration", "latency", "cycles", "_s", "_ms", "_us", "_ns")
"""Ends of the names of metrics that are no counts even where they are whole numbers."""


def whole_numbers(series: Series) -> tuple[tuple[Point, ...], tuple[int, ...]] | None:
    """The points and the counts of a series; None where it is none of counts: a value or a
    parameter is not whole, below zero or more than a double holds, or repetitions differ."""
    if len(series.means) < COUNTED_POINTS or series.metric.lower().endswith(_DURATIONS):
        return None
    if series.squares.any():
        return None
    numbers = np.concatenate([series.means, series.points.ravel()])
    if not (np.all(numbers == np.floor(numbers)) and np.abs(numbers).max() < ARITHMETIC.whole):
        return None
    if series.means.min() < 0:
        return None
    points = tuple(tuple(int(x) for x in row) for row in series.points.tolist())
    return points, tuple(int(y) for y in series.means.tolist())


def is_certain(series: Series) -> bool:
    """Is it a series of counts for sure: by its name, or because repetitions never differ?"""
    return series.metric in COUNTS or bool((series.counts >= 2).all())


def with_formulas(
    measurements: Measurements, models: Models, priors: Mapping[tuple[str, str], Prior]
) -> Models:
    """The models, those of counts replaced by exact formulas where there are such."""
    found: dict[int, Model] = {}
    searched = 0
    # the first value tells most of those that are no counts
    whole = [
        k
        for k, s in enumerate(measurements.series)
        if not s.means.size or s.means.item(0).is_integer()
    ]
    for k in whole:
        series = measurements.series[k]
        if priors and priors.get((series.callpath, series.metric), NO_PRIOR).fixed:
            continue
        numbers = whole_numbers(series)
        if numbers is None or searched >= COUNTED_SERIES:
            continue
        searched += 1
        law = decided(series, find_formula(series.parameters, *numbers))
        if isinstance(law, CountLaw):
            prior = priors.get((series.callpath, series.metric), NO_PRIOR) if priors else NO_PRIOR
            found[k] = exact_model(series, law, prior)
        elif is_certain(series):
            envelope = Envelope.of(series.parameters, *numbers)
            bounds = (None, None) if envelope is None else (envelope.lower, envelope.upper)
            model = models.models[k]
            counted = Counted.of(law, *bounds)
            if meets(model, series):
                met = f"the model meets all {len(series.means)} counts exactly"
                counted = replace(counted, seen=len(series.means), reason=f"{law.reason}; {met}")
            found[k] = replace(model, counted=counted)
    if not found:
        return models
    return Models(tuple(found.get(k, m) for k, m in enumerate(models.models)))


def decided(series: Series, found: Found) -> Found:
    """The formula that was found, none where a parameter in it had two values only: a formula of
    every family goes through two."""
    if not isinstance(found, CountLaw):
        return found
    values = {n: len(np.unique(x)) for n, x in zip(series.parameters, series.points.T, strict=True)}
    few = [n for n in series.parameters if n in found.symbols and values[n] < COUNTED_VALUES]
    if not few:
        return found
    told = ", ".join(f"{n} has {values[n]} values" for n in few)
    return NoLaw(f"{told}, which many formulas fit: measure at least {COUNTED_VALUES + 1}")


def meets(model: Model, series: Series) -> bool:
    """Does a model, though no formula of whole numbers, have all counts as its values?"""
    at = dict(zip(series.parameters, series.points.T, strict=True))
    off = np.abs(model.evaluate(at) - series.means)
    return bool((off <= ARITHMETIC.rounding * np.maximum(np.abs(series.means), 1.0)).all())


def exact_model(series: Series, law: CountLaw, prior: Prior = NO_PRIOR) -> Model:
    """An exact formula as a model; its terms are the leading ones in the normal form. It is known
    where parameters that had one value have it, unless `prior` says that these do not matter."""
    single = {
        n: float(x[0])
        for n, x in zip(series.parameters, series.points.T, strict=True)
        if np.ptp(x) == 0 and (prior.parameters is None or n in prior.parameters)
    }
    terms = known_law(law.formula).terms
    return Model(
        series.callpath,
        series.metric,
        series.parameters,
        float(terms.get(Term(()), 0.0)),
        tuple((c, t) for t, c in terms.items() if t.factors),
        Quality(0.0, 1.0, 0.0, len(series.means)),
        counted=replace(Counted.of(law), only=single),
        certainty="sure",
    )
