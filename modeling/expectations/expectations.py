"""Expected laws of metrics, and whether measurements, models and static formulas keep them.

An expectation is a text: `O(n*log(n))` bounds the growth, up to constant factors and slower terms;
`<= 5*n^2/p`, `>= n` and `== n*(n - 1)/2` bound the values (after Shudler et al., "Exascaling Your
Library: Will Your Implementation Meet Your Expectations?", ICS 2015).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import Formula, parse_formula

from ..pmnf.assumed_formula import AssumedFormula
from ..pmnf.model import Model
from .formula_verdict import FormulaVerdict, assuming, hold_growth, hold_values, misses
from .growth_test import Sample, divergence_model, expected_at, formula_grows_beyond, grows_beyond

Relation = Literal["O", "<=", ">=", "==", "<", ">"]
"""< and > are for relations of parameters, which are integers."""
Status = Literal["holds", "holds where", "broken", "unchecked", "unmatched"]
_TEXT = re.compile(r"\s*(?:(O)\s*\((.*)\)|(<=|>=|==)(.*))\s*", re.DOTALL)
# standard deviations of a point's center by which a noisy value must miss its bound
_SURE = 4.0
_TOLERANCE = 0.1  # default of `Law.tolerance` for metrics with noise


@dataclass(frozen=True)
class Law:
    """The expectation of one metric of the kernels that `kernel` names (a call path, or a pattern
    with *). tolerance: share of a value by which it may miss the bound; risk: admissible
    probability of a false alarm of a bound of growth."""

    kernel: str
    metric: str
    relation: Relation
    formula: Formula
    tolerance: float | None = None
    risk: float | None = None

    @property
    def text(self) -> str:
        return (
            f"O({self.formula.text})"
            if self.relation == "O"
            else f"{self.relation} {self.formula.text}"
        )


@dataclass(frozen=True)
class Evidence:
    """All that is known of one metric of one kernel: measurements, the static formula with what it
    assumes, and models that fit."""

    sample: Sample | None = None
    formula: AssumedFormula | None = None
    models: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The verdict on a law for one kernel. divergence: a model of measured over expected, if there
    is one; at: file:line:column; where, is_open: see `FormulaVerdict`."""

    law: Law
    kernel: str
    status: Status
    reason: str
    divergence: Model | None = None
    at: str | None = None
    where: tuple[str, ...] = ()
    is_open: bool = False

    def to_json(self) -> dict[str, object]:
        return {
            "kernel": self.kernel,
            "metric": self.law.metric,
            "expect": self.law.text,
            "status": self.status,
            "reason": self.reason,
            "where": list(self.where),
            "at": self.at,
            "divergence": None if self.divergence is None else self.divergence.to_json(),
        }


def parse_law(
    kernel: str, metric: str, expect: str, tolerance: float | None = None, risk: float | None = None
) -> Law:
    """Read the text of an expectation.

    Raises:
        InputError: the text, tolerance or risk is invalid; the message says what is allowed.
    """
    match = _TEXT.fullmatch(expect)
    if match is None:
        raise InputError(
            f'expect = "{expect}": write O(n*log(n)), <= 5*n^2/p, >= n or == n*(n - 1)/2'
        )
    if tolerance is not None and not (math.isfinite(tolerance) and tolerance >= 0):
        raise InputError(f"tolerance = {tolerance}: a share such as 0.1 is expected")
    if risk is not None and not 0 < risk < 1:
        raise InputError(
            f"risk = {risk}: the probability of a false alarm, such as 0.01, is expected"
        )
    relation = cast(Relation, match[1] or match[3])  # the pattern admits no other
    return Law(
        kernel, metric, relation, parse_formula(match[2] if match[1] else match[4]), tolerance, risk
    )


def judge(law: Law, kernel: str, evidence: Evidence, at: str | None = None) -> Finding:
    """Judge a law by what is known of a kernel: by the static formula first, which has no noise,
    then by measurements, then by models.

    Raises:
        InputError: a symbol of the law is no parameter.
    """
    by_formula = None if evidence.formula is None else judge_formula(law, evidence.formula)
    if by_formula is not None and by_formula.status == "broken":
        return _found(law, kernel, by_formula, at)
    if evidence.sample is not None:
        status, reason = _judge_sample(law, evidence.sample)
        model = divergence_model(kernel, law.metric, evidence.sample, law.formula)
        return Finding(law, kernel, status, reason, model, at)
    if by_formula is not None and by_formula.status != "unchecked":
        return _found(law, kernel, by_formula, at)
    if evidence.models and law.relation == "O":
        return Finding(law, kernel, *_judge_models(law, evidence.models), at=at)
    if by_formula is not None:
        return _found(law, kernel, by_formula, at)
    return Finding(
        law, kernel, "unchecked", "neither a formula nor measurements to check the law with", at=at
    )


def _found(law: Law, kernel: str, verdict: FormulaVerdict, at: str | None) -> Finding:
    return Finding(
        law,
        kernel,
        verdict.status,
        verdict.reason,
        at=at,
        where=verdict.where,
        is_open=verdict.is_open,
    )


def judge_formula(law: Law, formula: AssumedFormula) -> FormulaVerdict:
    """The verdict of the static formula, where its assumptions hold."""
    if law.relation != "O":
        return hold_values(law.relation, law.formula, formula, tolerance=law.tolerance or 0.0)
    try:
        grown = formula_grows_beyond(formula.formula, law.formula, formula.assumed)
    except InputError as error:
        return FormulaVerdict("unchecked", str(error))
    if grown:
        return FormulaVerdict("broken", f"the formula {formula.text} outgrows it in {grown}")
    said = assuming(formula.assumed.words)
    return hold_growth(formula, None, f"the formula is {formula.text}{said}")


def _judge_sample(law: Law, sample: Sample) -> tuple[Status, str]:
    if law.relation == "O":
        growth = grows_beyond(
            sample,
            law.formula,
            tolerance=_TOLERANCE if law.tolerance is None else law.tolerance,
            risk=law.risk,
        )
        return ("broken" if growth.alarm else "holds"), growth.reason
    tolerance = law.tolerance if law.tolerance is not None else 0.0 if sample.counts else _TOLERANCE
    slack = 0.0 if sample.counts else _SURE * sample.noise()[0]
    bounds = expected_at(law.formula, sample)
    for point, value, bound in zip(sample.points, sample.centers, bounds, strict=True):
        if misses(law.relation, float(value), float(bound), tolerance + slack):
            where = ", ".join(f"{n}={v:g}" for n, v in zip(sample.parameters, point, strict=True))
            return "broken", f"{value:g} at {where}, expected {law.relation} {bound:g}"
    return "holds", f"at all {len(bounds)} points"


def _judge_models(law: Law, models: Sequence[Formula]) -> tuple[Status, str]:
    """Broken only if every model that fits outgrows the law."""
    grown = [formula_grows_beyond(m, law.formula) for m in models]
    if all(grown):
        return "broken", f"the model {models[0].text} outgrows it in {grown[0]}"
    return "holds", (
        f"the model is {models[0].text}"
        if not grown[0]
        else f"the model {models[0].text} outgrows it, but others that fit as well do not"
    )
