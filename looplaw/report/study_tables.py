"""The tables of a study: every loop with its law, its counts, its model of time and a verdict.

People get the columns that answer their question and fit 80 characters; programs (json, csv) get
unshortened formulas and one field for each thing, as `records`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..documents.count import CountDocument
from ..documents.study import StudyDocument, StudyLoop, at_values
from .cells import (
    Row,
    assumptions_note,
    counted_noun,
    indented,
    kind_text,
    law_lines,
    legend,
    model_text,
    records_table,
    where_text,
)
from .formulas import cut, with_condition
from .grid import Column, Lines, Table

_REMARKABLE = ("miscounted", "exceeds", "below", "not identifiable")


def study_table(study: StudyDocument) -> Table:
    """Each loop with its law, its counts, its model of time and its verdict; below, the loops that
    need attention and a summary."""
    columns = (
        Column("at", "loop", "path", 18),
        Column("law", "iterations", "formula", 12),
        Column("kind", "kind", "word"),
        Column("obeys", "counted", "word"),
        Column("time_model", "time, s", "formula", 12),
        Column("verdict", "verdict", "text", 12),
    )
    rows = tuple(
        (
            indented(loop.nesting, loop.at),
            _law_and_model(loop),
            _kind_of_law(loop),
            _counted(loop),
            model_text(loop.time_model),
            _verdict(loop),
        )
        for loop in study.loops
    )
    remarks = [
        f"{loop.at} {verdict}: {loop.verdict_reason}"
        for verdict in _REMARKABLE
        for loop in study.loops
        if loop.verdict == verdict and loop.verdict_reason
    ]
    return Table(
        columns,
        rows,
        note=(
            *remarks,
            *legend(row[1] for row in rows),
            *bindings_note(study),
            *assumptions_note(loop.total for loop in study.loops),
            study_summary(study),
        ),
        records=_study_records(study.loops),
    )


def _study_records(loops: Sequence[StudyLoop]) -> Table:
    keys = (
        "at",
        "function",
        "nesting",
        "kind",
        "law",
        "lower",
        "upper",
        "reason",
        "obeys",
        "vectors",
        "equal",
        "iterations_model",
        "time_model",
        "growth_ratio",
        "verdict",
        "verdict_reason",
        "model_quality",
        "model_error",
    )
    rows: list[Row] = []
    for loop in loops:
        total = loop.total or CountDocument("unknown")
        rows.append(
            (
                loop.at,
                loop.function,
                loop.nesting,
                total.kind,
                loop.shown_law,
                total.lower,
                total.upper,
                total.reason,
                loop.obeys,
                len(loop.counted),
                sum(p.equal is True for p in loop.counted),
                loop.iterations_model.formula if loop.iterations_model else None,
                loop.time_model.formula if loop.time_model else None,
                loop.growth_ratio,
                loop.verdict,
                loop.verdict_reason,
                loop.model_quality,
                loop.model_error,
            )
        )
    return records_table(keys, rows)


def _counted(loop: StudyLoop) -> str:
    points = len(loop.counted)
    if not points or loop.obeys not in ("yes", "no", "bounded"):
        return "-"
    if loop.obeys == "bounded":
        return f"in {points}/{points}"
    return f"{loop.obeys} {sum(p.equal is True for p in loop.counted)}/{points}"


def _verdict(loop: StudyLoop) -> Lines:
    """The verdict; where time grows otherwise than the law and that is certain, with the ratio of
    both growths."""
    ratio = loop.growth_ratio
    told = ratio not in (None, "", "1") and loop.verdict != "not identifiable"
    graded = f": {loop.model_quality}" if loop.model_quality else ""
    if loop.model_quality and loop.model_error is not None:
        graded += f" ({loop.model_error:.2g} %)"
    return (loop.verdict + graded, *((f"by {ratio}",) if told else ()))


def study_summary(study: StudyDocument) -> str:
    """One line: the number of loops, of those that were counted as predicted, and of failed
    runs."""
    s, runs = study.summary, counted_noun(len(study.runs), "run")
    models = [
        f"{n} {word}" for word in ("good", "weak", "extrapolating") if (n := getattr(s, word))
    ]
    return (
        f"{f'{s.conclusion}. ' if s.conclusion else ''}"
        f"{counted_noun(s.loops, 'loop')}: {s.exact} with an exact law, {s.obey} counted exactly as"
        f" predicted, {s.miscounted} miscounted"
        + (f", {s.unchecked} unchecked;" if s.unchecked else ";")
        + (f" modeled: {', '.join(models)};" if models else "")
        + f" {runs}, {s.failed_runs or 'none'} failed."
    )


def _law_and_model(loop: StudyLoop) -> Lines:
    """The law of a loop's iterations; where there is none, the model of its counts below."""
    if loop.law is not None and loop.law.kind != "exact":
        return (cut(with_condition(loop.law.formula)) + where_text(loop.law.holds_for),)
    law, model = law_lines(loop.total, loop.display), loop.iterations_model
    if _kind(loop) == "exact" or model is None:
        return law
    return tuple(line for line in (*law, f"counted: {model_text(model)}") if line != "?")


def bindings_note(study: StudyDocument) -> list[str]:
    """What the runs showed of the values that bound laws rest on, each once. Means and fractions,
    which have names of the analysis alone, are in the laws and in the JSON only."""
    found = {
        name: text
        for loop in study.loops
        if loop.law is not None and loop.law.kind == "bound"
        for name, text in loop.law.where.items()
        if not _NAME_OF_MEAN.fullmatch(name)
    }
    if not found:
        return []
    told = [f"{name} = {text}" for name, text in list(found.items())[:_MOST_BINDINGS]]
    more = len(found) - len(told)
    further = f", and {more} more (--json)" if more else ""
    seen = {
        n: k for loop in study.loops if loop.law is not None for n, k in loop.law.values.items()
    }
    return [f"bound: {', '.join(told)}{further}, as every run shows{at_values(seen)}."]


_MOST_BINDINGS = 8
_NAME_OF_MEAN = re.compile(r"[ftu]\d+")


def _kind_of_law(loop: StudyLoop) -> str:
    """How the law is known: see `LawDocument`; else what the analysis says of the count."""
    if loop.law is not None and loop.law.kind != "exact":
        return loop.law.kind
    return kind_text(loop.total).replace("parametric", "param.")


def _kind(loop: StudyLoop) -> str:
    return "unknown" if loop.total is None else loop.total.kind
