"""The options that say what of a study's answer is shown, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from ..documents.study import StudyDocument
from ..laws.answer import Answer
from ..report.answer_text import ORDERS, TOP, Shown, answer_text
from ..report.study_tables import study_table
from .common import show
from .console import colored, table_width, tell_lines, width

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--all", "every", is_flag=True, help="Show every loop, in the order of the source."
    ),
    click.option(
        "--sort",
        "order",
        type=click.Choice(ORDERS),
        metavar="ORDER",
        help=f"Order by {', '.join(ORDERS[:-1])} or {ORDERS[-1]}.",
    ),
    click.option(
        "--top", type=click.IntRange(1), metavar="N", help=f"Show N kernels.  [default: {TOP}]"
    ),
    click.option(
        "--filter",
        "pattern",
        metavar="PATTERN",
        help="Show loops whose place, function or verdict matches, as in 'io.c*'.",
    ),
)


cost_option = click.option(
    "--cost-per-hour",
    "cost",
    type=click.FloatRange(0, min_open=True),
    metavar="PRICE",
    help="What an hour of a node like this one costs: then the answer says what a run costs.",
)


def answer_options(command: F) -> F:
    """Adds --all, --sort, --top and --filter."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def show_study(study: StudyDocument, form: str, given: Mapping[str, Any], found: Answer) -> None:
    """A study on stdout: the answer for people, the table of all loops in other formats."""
    if form != "text":
        show(study_table(study), form)
        return
    shown = Shown(given["top"], given["every"], given["order"], given["pattern"])
    columns = {"width": width(), "table_width": table_width()}
    tell_lines(answer_text(found, shown, **columns, color=colored()))
