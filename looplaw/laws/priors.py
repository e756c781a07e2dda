"""Priors of the fitter from static analyses and from laws that a user gives.

A study, `looplaw fit --analysis` and `--law`, and Python take them from here.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from looplaw_common.formula.formula import Formula, FormulaError, parse_formula
from modeling import Measurements, Prior, Term, known_law, prior_of
from modeling.fitter.fit import evidence_of
from modeling.pmnf.known_laws import MOST_TERMS
from staticana import Analysis, InputError
from staticana.expr import Expr

from ..documents.analysis import ANALYSIS, AnalysisDocument
from ..documents.count import CountDocument
from ..documents.reading import load
from .law_terms import in_range
from .loop_call_tree import gathered

Priors = dict[tuple[str, str], Prior]
_LAW = (
    "--law FORMULA, or --law CALLPATH:METRIC=FORMULA, as in --law 'main->spmv:time=rows*nnz_mean'"
)
_DOUBT = math.log(1000)
_CONSTANT = (Fraction(0), Fraction(0))


@dataclass(frozen=True)
class _Known:
    """A count as text; `parameters` can influence it, `wider` what lies inside it too (the
    functions that it calls); `inside` are the terms of all that is counted in there, of the count
    itself too."""

    formula: str | None
    lower: str | None
    upper: str | None
    parameters: frozenset[str]
    wider: frozenset[str]
    inside: tuple[Term, ...]


def analysis_priors(
    analysis: Analysis,
    measured: Collection[str],
    lowest: Mapping[str, int],
    free: frozenset[str] = frozenset(),
) -> Priors:
    """(place of a loop, metric) -> what the analysis says of its iterations and its time.

    Args:
        measured: names of the columns of the points: the parameters varied, and symbols that were
            measured.
        lowest: the smallest values swept; guards that make no difference from there on are
            left out of formulas.
        free: parameters that the analysis does not know: whatever is not exact may depend on them.
    """

    def text(formula: Expr | None) -> str | None:
        return None if formula is None else str(in_range(formula, lowest))

    counted = {loop.at: text(loop.total.formula) for loop in (*analysis.loops, *analysis.library)}
    inside = gathered(
        {loop.at: loop.inner for loop in (*analysis.loops, *analysis.library)},
        {at: _terms(formula, measured) for at, formula in counted.items()},
    )
    influence = {f.symbol: frozenset(f.parameters) for f in analysis.functions}
    found: Priors = {}
    for loop in analysis.loops:
        parameters = frozenset(loop.parameters) | (
            frozenset() if loop.total.kind == "exact" else free
        )
        wider = parameters.union(
            free, *(influence.get(name, frozenset()) for name, _ in loop.headers)
        )
        known = _Known(
            counted[loop.at],
            text(loop.total.lower),
            text(loop.total.upper),
            parameters,
            wider,
            inside[loop.at],
        )
        found |= _of(loop.at, known, measured)
    return found


def _terms(formula: str | None, measured: Collection[str]) -> tuple[Term, ...]:
    """The terms of a formula that are made of what was measured."""
    law = {} if formula is None else known_law(formula).terms
    return tuple(t for t in law if t.factors and t.parameters <= set(measured))


def _of(callpath: str, known: _Known, measured: Collection[str]) -> Priors:
    """Iterations follow the law itself; times prefer the terms of all that runs in that time, but
    caches bend them."""
    exact = prior_of(
        known.formula,
        lower=known.lower,
        upper=known.upper,
        parameters=known.parameters,
        measured=measured,
        fixed=True,
    )
    parameters = known.wider.union(*(term.parameters for term in known.inside))
    return {
        (callpath, "iterations"): exact,
        (callpath, "time"): Prior(parameters, _leading(known.inside)),
    }


def _leading(terms: Sequence[Term]) -> tuple[Term, ...]:
    """At most as many terms as a prior holds; first those that the fewest others outgrow in every
    parameter."""
    return tuple(
        sorted(terms, key=lambda term: sum(_outgrows(other, term) for other in terms))[:MOST_TERMS]
    )


def _outgrows(a: Term, b: Term) -> bool:
    """Does a grow at least as fast as b in every parameter, and is another term?"""
    x, y = ({name: (i, j) for name, i, j in term.factors} for term in (a, b))
    return a != b and all(x.get(name, _CONSTANT) >= y.get(name, _CONSTANT) for name in x | y)


def file_priors(path: str, measurements: Measurements) -> Priors:
    """What an analysis in a file (looplaw analyze --json) says of measurements: of loops by their
    place, and of call paths that end in the name of a function by what that function does.

    Raises:
        InputError: no such file, or nothing in it is a call path of the measurements.
        DataError: the file holds no analysis.
    """
    measured = measurements.parameters
    known = dict(_of_document(load(path, AnalysisDocument, ANALYSIS), measured))
    found: Priors = {}
    for series in measurements.series:
        law = known.get(series.callpath) or known.get(series.callpath.split("->")[-1])
        if law is not None:
            priors = _of(series.callpath, law, measured)
            prior = priors.get((series.callpath, series.metric))
            found[series.callpath, series.metric] = prior or Prior(law.wider)
    if not found:
        raise InputError(
            f"{path}: none of its loops and functions is a call path of the measurements "
            f"({', '.join(dict.fromkeys(s.callpath for s in measurements.series))[:200]})"
        )
    return found


def _of_document(data: AnalysisDocument, measured: Collection[str]) -> Iterator[tuple[str, _Known]]:
    influence: dict[str, frozenset[str]] = {}
    for f in data.functions:
        own = influence.get(f.name, frozenset()) | frozenset(f.parameters)
        influence[f.name] = own
        yield f.name, _counted(f.work, own, own, _terms(f.work.formula, measured))
    loops = (*data.loops, *data.library)
    inside = gathered(
        {loop.at: loop.inner for loop in loops},
        {loop.at: _terms(loop.total.formula, measured) for loop in loops},
    )
    for loop in data.loops:
        parameters = frozenset(loop.parameters)
        wider = parameters | influence.get(loop.function, frozenset())
        yield loop.at, _counted(loop.total, parameters, wider, inside[loop.at])


def _counted(
    count: CountDocument,
    parameters: frozenset[str],
    wider: frozenset[str],
    inside: tuple[Term, ...],
) -> _Known:
    return _Known(count.formula, count.lower, count.upper, parameters, wider, inside)


@dataclass(frozen=True)
class GivenLaw:
    """A --law option: a formula for one series, or for all where `series` is None."""

    text: str
    series: tuple[str, str] | None
    formula: Formula


def parse_law_option(text: str) -> GivenLaw:
    """CALLPATH:METRIC=FORMULA, or FORMULA.

    Raises:
        InputError: it is neither.
    """
    head, equals, formula = text.rpartition("=")
    callpath, _, metric = head.rpartition(":")
    if equals and not callpath:
        raise InputError(f"--law {text}: write {_LAW}")
    try:
        return GivenLaw(text, (callpath, metric) if equals else None, parse_formula(formula))
    except FormulaError as error:
        raise error.within("--law") from None


def law_priors(laws: Sequence[GivenLaw], measurements: Measurements) -> Priors:
    """Priors of the laws that a user gives; only the coefficients of their terms are fitted.

    Raises:
        InputError: a law names no series, is no sum of terms, or has a symbol that was not
            measured.
    """
    found: Priors = {}
    for law in laws:
        named = [s for s in measurements.series if law.series in (None, (s.callpath, s.metric))]
        if not named and law.series is not None:
            raise InputError(f"--law {law.text}: no series {', '.join(law.series)}; write {_LAW}")
        prior = prior_of(law.formula.text, measured=measurements.parameters, fixed=True)
        if not prior.fixed:
            raise InputError(
                f"--law {law.text}: write a sum of products of powers and logarithms of what was"
                f" measured, {', '.join(measurements.parameters)}"
            )
        found |= {(s.callpath, s.metric): prior for s in named}
    return found


def doubtful(laws: Priors, measurements: Measurements) -> Iterator[str]:
    """A line for each series that other laws describe far better than the one that was given."""
    for series in measurements.series:
        prior = laws.get((series.callpath, series.metric))
        if prior is not None and evidence_of(series) > evidence_of(series, prior) + _DOUBT:
            yield (
                f"{series.callpath}, {series.metric}: other laws describe the points far better"
                f" than {' + '.join(map(str, prior.terms))}; leave --law out to see them"
            )
