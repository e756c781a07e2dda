"""Analyses, models and comparisons as notebooks show them: tables with typeset formulas.

`%load_ext looplaw.notebook` makes IPython show them so; `html` gives the text for any other use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from modeling import Model, Models
from staticana import Analysis

from .compare import Comparison
from .report.formulas import fewer_digits, latex
from .report.listing_html import clean

_SHOWN = 200
"""Rows of a table; more are counted, not shown."""


def html(thing: Analysis | Model | Models | Comparison) -> str:
    """A table of what is known, everything in it escaped; formulas are LaTeX between dollar signs."""
    match thing:
        case Analysis():
            return _table(("loop", "function", "iterations in a run", "kind"),
                          [(loop.at, loop.function, _math(_law(loop.total)), loop.total.kind) for loop in thing.loops])
        case Model():
            return _models((thing,))
        case Models():
            return _models(thing.models)
        case Comparison():
            return _table(("loop", "law", "counted as predicted", "time, s", "verdict"),
                          [(r.loop.at, _math(r.display or _law(r.loop.total)), r.obeys,
                            _math(r.time_model.formula) if r.time_model else "", f"{r.verdict}: {clean(r.reason)}")
                           for r in thing.rows])


def load_ipython_extension(shell: Any) -> None:
    """What %load_ext calls."""
    formatter = shell.display_formatter.formatters["text/html"]
    show: Callable[[Any], str] = html
    for kind in (Analysis, Model, Models, Comparison):
        formatter.for_type(kind, show)


def _law(count: Any) -> str:
    if count.formula is not None:
        return str(count.formula)
    bounds = [f"at least {count.lower}"] * (count.lower is not None) + [f"at most {count.upper}"] * (count.upper is not None)
    return ", ".join(bounds) or f"unknown: {count.reason}"


def _models(models: Sequence[Model]) -> str:
    return _table(("call path", "metric", "model", "error on points left out", "identifiable"),
                  [(m.callpath, m.metric, _math(m.formula), f"{m.quality.loo_smape:.3g} %",
                    "yes" if m.identifiable else f"no: {clean(m.reason or '')}") for m in models])


class _Math(str):
    """Text that is LaTeX already."""


def _math(formula: str) -> str:
    typeset = latex(fewer_digits(formula))
    return formula if typeset is None else _Math(f"${typeset}$")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{h}</th>" for h in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows[:_SHOWN])
    more = f"<p>and {len(rows) - _SHOWN} more</p>" if len(rows) > _SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(text: str) -> str:
    """Dollar signs of data are no formulas."""
    return escape(text) if isinstance(text, _Math) else escape(clean(text)).replace("$", "&#36;")
