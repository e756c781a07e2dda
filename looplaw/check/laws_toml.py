"""laws.toml: the laws expected of a program's kernels; reading, checking, and writing a first file.

Formulas are in the language of `looplaw_common.formula.formula`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from looplaw_common.errors import InputError
from looplaw_common.files import write_new
from looplaw_common.formula.formula import FormulaError
from modeling import Measurements, Series, fit
from modeling.expectations.expectations import Evidence, Finding, Law, judge, parse_law

from ..documents.laws import AssumeTable, LawsFile, LawTable
from ..documents.toml_file import load_toml
from ..laws.law_terms import without_guards
from .evidence import Subject
from .relations import Relation, parse_relations

_SEEDED_OPERATIONS = ("work", "flops", "mpi_messages", "mpi_bytes")
_ZERO = "it is zero"
_COVERED = ("iterations", "work")
"""Metrics of which every kernel has a law, if any kernel has one."""


@dataclass(frozen=True)
class Assumed:
    """Relations that laws.toml states of functions whose names match a pattern."""

    function: str
    relations: tuple[Relation, ...]


def read_laws(path: Path) -> tuple[tuple[Law, ...], tuple[Assumed, ...]]:
    """The laws in a file, and what it states of parameters.

    Raises:
        InputError: no such file; what is wrong with which law.
    """
    file = load_toml(path, LawsFile, "no such file; looplaw check ... --init writes one")
    if not file.law and not file.assume:
        raise InputError(f"{path}: law: no laws; write [[law]] with kernel, metric and expect")
    laws = tuple(_law(law, path, k) for k, law in enumerate(file.law))
    return laws, tuple(_assumed(table, path, k) for k, table in enumerate(file.assume))


def _assumed(table: AssumeTable, path: Path, number: int) -> Assumed:
    where = f"{path}: assume[{number}]"
    if not table.function:
        raise InputError(f'{where}.function: is empty; write function = "..." or leave it out')
    try:
        return Assumed(table.function, parse_relations(table.relation, where))
    except FormulaError as error:
        raise error.within(f"{where}.relation") from None
    except InputError as error:
        raise InputError(f"{where}.relation: {error}") from None


def _law(law: LawTable, path: Path, number: int) -> Law:
    where = f"{path}: law[{number}]"
    for key, text in (("kernel", law.kernel), ("metric", law.metric), ("expect", law.expect)):
        if not text:
            raise InputError(f'{where}.{key}: is empty; write {key} = "..."')
    try:
        return parse_law(law.kernel, law.metric, law.expect, law.tolerance, law.risk)
    except FormulaError as error:
        raise error.within(f"{path}: {law.kernel}") from None
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def hold(laws: Sequence[Law], subjects: Sequence[Subject]) -> tuple[Finding, ...]:
    """Check every law with every kernel that it names."""
    found = []
    for law in laws:
        named = [s for s in subjects if s.matches(law.kernel, law.metric)]
        found += [judge(law, s.names[0], s.evidence, s.at) for s in named]
        if not named:
            metrics = sorted({s.metric for s in subjects if s.matches(law.kernel, s.metric)})
            found.append(
                Finding(
                    law,
                    law.kernel,
                    "unchecked",
                    f"its {law.metric} is not known here, only {', '.join(metrics)}",
                )
                if metrics
                else Finding(law, law.kernel, "unmatched", "no kernel has this name")
            )
    return tuple(found)


def seed(subjects: Iterable[Subject]) -> tuple[tuple[Law, ...], tuple[str, ...]]:
    """(laws that hold today, remarks): the growth of every formula and measurement; a remark for
    each kernel without a law."""
    laws, remarks = list[Law](), []
    for subject in (s for s in subjects if not s.derived):
        if (
            subject.metric in ("iterations", "time")
            or subject.metric in _SEEDED_OPERATIONS
            or not subject.evidence.formula
        ):
            why = _no_law(subject)
            law = (
                next((law for law in _candidates(subject) if _holds(law, subject)), None)
                if why is None
                else None
            )
            if law is None:
                why = why or "no law was found that holds today"
                if subject.metric == "work" and why == _ZERO:
                    continue  # of a function without loops
                remarks.append(f"{subject.names[0]}, {subject.metric}: {why}")
            elif law not in laws:
                laws.append(law)
    return tuple(laws), tuple(remarks)


def without_law(laws: Sequence[Law], subjects: Iterable[Subject]) -> tuple[tuple[str, str], ...]:
    """(kernel, its formula) of loops and functions that no law names, such as a new loop; only of
    metrics that the laws are about."""
    covered = {law.metric for law in laws if law.metric in _COVERED}
    found = []
    for s in subjects:
        formula = s.evidence.formula
        if s.metric not in covered or s.derived or formula is None:
            continue
        if not formula.symbols or any(s.matches(law.kernel, law.metric) for law in laws):
            continue
        found.append((s.names[0], without_guards(formula.formula).text))
    return tuple(found)


def only_static(subjects: Iterable[Subject]) -> list[Subject]:
    """The subjects with what their formulas say, and nothing of what was measured."""
    return [
        replace(s, evidence=Evidence(formula=s.evidence.formula))
        for s in subjects
        if s.metric != "time"
    ]


def _no_law(subject: Subject) -> str | None:
    """Why no law is written for a subject, although one would hold today: a law of zero says
    nothing of growth, and one of a model that the points do not identify is a guess."""
    formula, sample = subject.evidence.formula, subject.evidence.sample
    if formula is not None and not formula.symbols and formula.evaluate({}) == 0:
        return _ZERO
    if sample is not None and all(not values.any() for values in sample.repetitions):
        return "it was zero in all runs"
    if formula is None and sample is None and not subject.identifiable:
        return "its model is not identifiable from the points measured"
    return None


def _holds(law: Law, subject: Subject) -> bool:
    try:
        found = judge(law, subject.names[0], subject.evidence)
    except InputError:
        return False
    return found.status in ("holds", "holds where") and not found.is_open


def _candidates(subject: Subject) -> Iterable[Law]:
    """Laws to try, the simplest first: from the formula, else the measurements, else the model."""
    name, evidence = subject.names[0], subject.evidence
    if evidence.formula is not None:
        plain = without_guards(evidence.formula.formula)
        yield parse_law(name, subject.metric, f"O({plain.text})")
        yield parse_law(name, subject.metric, f"O({evidence.formula.text})")
        return
    if evidence.sample is not None:
        yield from _of_measurements(name, subject.metric, evidence)
    elif evidence.models:
        parts = evidence.models[0].parts
        yield parse_law(name, subject.metric, f"O({parts[-1].text})")
        yield parse_law(name, subject.metric, f"O({evidence.models[0].text})")


def _of_measurements(name: str, metric: str, evidence: Evidence) -> Iterable[Law]:
    sample = evidence.sample
    assert sample is not None
    series = Series.from_values(name, metric, sample.parameters, sample.points, sample.repetitions)
    model = fit(Measurements((series,))).models[0]
    if not model.identifiable:
        return
    if model.counted is not None:
        if model.counted.formula is not None:
            yield parse_law(name, metric, f"O({model.counted.formula})")
        return
    terms = [str(term) for c, term in model.terms if c > 0]
    yield parse_law(name, metric, f"O({model.lead if model.terms else 1})")
    if terms:
        yield parse_law(name, metric, f"O({' + '.join(terms)})")


def laws_text(laws: Sequence[Law]) -> str:
    """The laws as TOML, ready to be edited."""
    head = (
        "# Expected laws; check them with: looplaw check STUDY --laws FILE\n# expect: O(n*log2(n))"
        " bounds growth; <=, >= and == bound values; tolerance is relative (0.1 is 10 %).\n"
    )
    return head + "".join(
        f"\n[[law]]\nkernel = {_quoted(law.kernel)}\nmetric = {_quoted(law.metric)}\n"
        f"expect = {_quoted(law.text)}\n"
        + (f"tolerance = {law.tolerance}\n" if law.tolerance is not None else "")
        for law in laws
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a JSON string is a TOML basic string


def save_laws(path: Path, laws: Sequence[Law]) -> None:
    """Write laws to a new file.

    Raises:
        InputError: the file is there already.
    """
    try:
        write_new(path, laws_text(laws))
    except FileExistsError:
        raise InputError(
            f"{path}: is there already; name another one with --laws or remove it"
        ) from None
