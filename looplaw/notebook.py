"""Analyses, models, comparisons and studies as notebooks show them: tables with typeset formulas,
plots below.

Analyses, models and studies show themselves as tables. `%load_ext looplaw.notebook` adds plots and
comparisons; `html` gives the text for any other use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from looplaw_common.html import Typeset, table
from looplaw_common.text import visible
from modeling import DataError, Model, Models
from staticana import Analysis

from .api import Study
from .documents.study import StudyLoop, TimesDocument
from .laws.comparison import Comparison, Row
from .report.cells import percent
from .report.formulas import fewer_digits, latex
from .report.pictures.figures import available
from .report.pictures.series import Picture, foretold_by, picture_of, picture_of_model, svg
from .report.study_tables import study_summary

_DRAWN = 6
"""Plots below it."""


def html(thing: Analysis | Model | Models | Comparison | Study) -> str:
    """A table of what is known, everything in it escaped, formulas as LaTeX between dollar signs;
    below, where matplotlib is installed, plots of models with their 90 % intervals and of what was
    measured."""
    match thing:
        case Analysis():
            return table(
                ("loop", "function", "iterations in a run", "kind"),
                [
                    (loop.at, loop.function, _math(_law(loop.total)), loop.total.kind)
                    for loop in thing.loops
                ],
            )
        case Model():
            return _models((thing,)) + _plots([picture_of_model(thing)])
        case Models():
            return _models(thing.models) + _plots(picture_of_model(m) for m in thing.models)
        case Comparison():
            return table(
                ("loop", "law", "counted as predicted", "time, s", "verdict"),
                [
                    (
                        r.loop.at,
                        _math(r.display or _law(r.loop.total)),
                        r.obeys,
                        _math(r.time_model.formula) if r.time_model else "",
                        f"{r.verdict}: {visible(r.reason)}",
                    )
                    for r in thing.rows
                ],
            ) + _plots(_measured(_times(r), r.time_model) for r in thing.rows)
        case Study():
            return _study(thing)


def _study(study: Study) -> str:
    loops = study.document.loops
    law = "law" if any(loop.total for loop in loops) else None
    heads = (
        "loop" if law else "series",
        *((law, "counted as predicted") if law else ()),
        "model",
        "verdict",
    )
    rows = [
        (
            loop.at,
            *((_math(loop.shown_law or _reason(loop)), loop.obeys) if law else ()),
            _math(loop.time_model.formula) if loop.time_model else "",
            ": ".join(word for word in (loop.verdict, loop.verdict_reason) if word),
        )
        for loop in loops
    ]
    return (
        f"<p>{escape(visible(study_summary(study.document)))}</p>" * bool(law)
        + table(heads, rows)
        + _plots(_measured(loop, model) for loop, model in study.kernels())
    )


def _reason(loop: StudyLoop) -> str:
    """Why a loop has no formula."""
    return (loop.total.reason if loop.total else None) or "unknown"


def _times(row: Row) -> StudyLoop:
    """A row of a comparison as a study has it, so far as plots need it."""
    times = tuple(TimesDocument(dict(p), tuple(v)) for p, v in row.times or ())
    return StudyLoop(row.loop.at, row.loop.function, time=times)


def _measured(loop: StudyLoop, model: Model | None) -> Picture | None:
    """None where nothing was measured at several values."""
    try:
        return None if model is None else picture_of([(loop, foretold_by(model))], None)
    except DataError:
        return None


def _plots(pictures: Iterable[Picture | None]) -> str:
    """The first plots; nothing where matplotlib is missing."""
    if not available():
        return ""
    shown = [picture for picture in pictures if picture is not None][:_DRAWN]
    figures = "".join(
        f'<div style="display:inline-block">{svg(picture)}</div>' for picture in shown
    )
    return f"<div>{figures}</div>" if figures else ""


def load_ipython_extension(shell: Any) -> None:
    """What %load_ext calls."""
    formatter = shell.display_formatter.formatters["text/html"]
    show: Callable[[Any], str] = html
    for kind in (Analysis, Model, Models, Comparison, Study):
        formatter.for_type(kind, show)


def _law(count: Any) -> str:
    if count.formula is not None:
        return str(count.formula)
    bounds = [f"at least {count.lower}"] * (count.lower is not None) + [
        f"at most {count.upper}"
    ] * (count.upper is not None)
    return ", ".join(bounds) or f"unknown: {count.reason}"


def _models(models: Sequence[Model]) -> str:
    return table(
        ("call path", "metric", "model", "error on points left out", "identifiable"),
        [
            (
                m.callpath,
                m.metric,
                _math(m.formula),
                f"{percent(m.quality.loo_smape)} %",
                "yes" if m.identifiable else f"no: {visible(m.reason or '')}",
            )
            for m in models
        ],
    )


def _math(formula: str) -> str:
    typeset = latex(fewer_digits(formula))
    return visible(formula) if typeset is None else Typeset(typeset)
