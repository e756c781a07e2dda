"""What a static analysis tells the fitter of each series: one place for a study, `looplaw fit --analysis` and Python."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modeling import DataError, Measurements, Prior, prior_of
from modeling.fitting import evidence_of
from staticana import Analysis, Count, InputError
from staticana.expr import Expr

from .common import load
from .laws import in_range

Priors = dict[tuple[str, str], Prior]
_LAW = "--law FORMULA, or --law CALLPATH:METRIC=FORMULA, as in --law 'main->spmv:time=rows*nnz_mean'"
_DOUBT = math.log(1000)


@dataclass(frozen=True)
class _Known:
    """A count as text; `parameters` can influence it, `wider` what lies inside it too (the functions that it calls)."""

    formula: str | None
    lower: str | None
    upper: str | None
    parameters: frozenset[str]
    wider: frozenset[str]


def analysis_priors(analysis: Analysis, measured: Collection[str], lowest: Mapping[str, int],
                    free: frozenset[str] = frozenset()) -> Priors:
    """(place of a loop, metric) -> what the analysis says of its iterations and its time.

    Args:
        measured: names of the columns of the points: the parameters varied, and symbols that were measured.
        lowest: the smallest values swept; guards that are idle from there on are left out of formulas.
        free: parameters that the analysis does not know: whatever is not exact may depend on them.
    """
    def text(formula: Expr | None) -> str | None:
        return None if formula is None else str(in_range(formula, lowest))

    def known(count: Count, parameters: frozenset[str], wider: frozenset[str]) -> _Known:
        return _Known(text(count.formula), text(count.lower), text(count.upper), parameters, wider)
    influence = {f.symbol: frozenset(f.parameters) for f in analysis.functions}
    found: Priors = {}
    for loop in analysis.loops:
        parameters = frozenset(loop.parameters) | (frozenset() if loop.total.kind == "exact" else free)
        wider = parameters.union(free, *(influence.get(name, frozenset()) for name, _ in loop.headers))
        found |= _of(loop.at, known(loop.total, parameters, wider), measured)
    return found


def _of(callpath: str, known: _Known, measured: Collection[str]) -> Priors:
    """Iterations follow the law itself; times prefer its terms, but caches bend them."""
    exact = prior_of(known.formula, lower=known.lower, upper=known.upper, parameters=known.parameters, measured=measured,
                     fixed=True)
    return {(callpath, "iterations"): exact, (callpath, "time"): Prior(known.wider | (exact.parameters or frozenset()),
                                                                        exact.terms)}


def file_priors(path: str, measurements: Measurements) -> Priors:
    """What an analysis in a file (looplaw analyze --json) says of measurements: of loops by their place, and of call paths
    that end in the name of a function by what that function does.

    Raises:
        InputError: no such file, or nothing in it is a call path of the measurements.
        DataError: the file holds no analysis.
    """
    data = load(path, "looplaw-analysis/1")
    measured = measurements.parameters
    try:
        known = dict(_from_json(data))
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path}: not as looplaw writes it: {error!r}") from None
    found: Priors = {}
    for series in measurements.series:
        law = known.get(series.callpath) or known.get(series.callpath.split("->")[-1])
        if law is not None:
            priors = _of(series.callpath, law, measured)
            prior = priors.get((series.callpath, series.metric))
            found[series.callpath, series.metric] = prior or Prior(law.wider)
    if not found:
        raise InputError(f"{path}: none of its loops and functions is a call path of the measurements "
                         f"({', '.join(dict.fromkeys(s.callpath for s in measurements.series))[:200]})")
    return found


def _from_json(data: Mapping[str, Any]) -> Iterator[tuple[str, _Known]]:
    influence: dict[str, frozenset[str]] = {}
    for f in data["functions"]:
        influence[f["name"]] = influence.get(f["name"], frozenset()) | frozenset(f["parameters"])
        yield f["name"], _counted(f["work"], influence[f["name"]], influence[f["name"]])
    for loop in data["loops"]:
        parameters = frozenset(loop["parameters"])
        yield loop["at"], _counted(loop["total"], parameters, parameters | influence.get(loop["function"], frozenset()))


def _counted(count: Mapping[str, Any], parameters: frozenset[str], wider: frozenset[str]) -> _Known:
    return _Known(count["formula"], count["lower"], count["upper"], parameters, wider)


def law_priors(laws: Sequence[str], measurements: Measurements) -> Priors:
    """What --law options say: CALLPATH:METRIC=FORMULA of one series, or FORMULA of all; only its coefficients are fitted.

    Raises:
        InputError: it is no formula, names no series, or a symbol that was not measured.
    """
    found: Priors = {}
    for text in laws:
        head, equals, formula = text.rpartition("=")
        callpath, _, metric = head.rpartition(":")
        if equals and not callpath:
            raise InputError(f"--law {text}: write {_LAW}")
        named = [s for s in measurements.series if not equals or (s.callpath, s.metric) == (callpath, metric)]
        if not named:
            raise InputError(f"--law {text}: no series {callpath}, {metric}; write {_LAW}")
        prior = prior_of(formula.strip(), measured=measurements.parameters, fixed=True)
        if not prior.fixed:
            raise InputError(f"--law {text}: write a sum of products of powers and logarithms of what was measured, "
                             f"{', '.join(measurements.parameters)}")
        found |= {(s.callpath, s.metric): prior for s in named}
    return found


def doubtful(laws: Priors, measurements: Measurements) -> Iterator[str]:
    """A line for each series that other laws describe far better than the one that was given."""
    for series in measurements.series:
        prior = laws.get((series.callpath, series.metric))
        if prior is not None and evidence_of(series) > evidence_of(series, prior) + _DOUBT:
            yield (f"{series.callpath}, {series.metric}: other laws describe the points far better than "
                   f"{' + '.join(map(str, prior.terms))}; leave --law out to see them")
