"""What `looplaw analyze` shows of the files of a compilation database, and of a library."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from looplaw_common.errors import InputError

from ..projects.kept import Asked
from ..report.analysis_tables import analysis_table
from ..report.exports_table import exports_table
from ..settings.settings import parse_parameters
from .analysis_json import ProjectDocument, write_analysis, write_project
from .common import show
from .console import INTERRUPTED, say
from .ending import endable

if TYPE_CHECKING:
    from staticana.expr.budget import Allowance

    from ..projects.analysing import Project

_SILENCE_S = 2.0
_MOST_LEFT_OUT = 12
"""Files and functions that are named with the reason that they are left out."""


def asked_for(given: Mapping[str, Any]) -> Asked:
    """What the options ask for."""
    return Asked(
        given["entry"],
        parse_parameters(given["params"]),
        given["strict"],
        given["budget"],
        given["budget_total"],
        given["budget_memory"],
        given["warp"],
    )


def show_project(
    program: tuple[str, ...], given: Mapping[str, Any], refused: bool, form: str, target: str | None
) -> None:
    """Analyse the files of a compilation database and show what was found.

    Raises:
        InputError: other options do not go with it, or nothing can be analysed.
    """
    from ..projects.analysing import analysed
    from ..projects.database import files_of

    if program:
        raise InputError("--compile-commands names the files: leave out PROGRAM")
    if refused or given["per_function"]:
        raise InputError("--compile-commands shows loops: use --json for all that is known of them")
    main = given["main_file"]
    with endable(given["budget"], given["budget_total"], given["budget_memory"]) as allowance:
        found = analysed(
            files_of(given["database"]),
            asked_for(given),
            main=None if main is None else Path(main).resolve(),
            jobs=given["jobs"] or os.cpu_count() or 1,
            allowance=allowance,
            told=_seldom(),
            fresh=given["no_cache"],
        )
    if found.is_program or given["entry"] != "main":
        document = found.analyses[0]
        if target:
            write_analysis(document, target, given["version"], without_floats=True)
        if target != "-":
            show(analysis_table(document, wide=given["wide"]), form)
    else:
        _show_exports(found, given, form, target)
    _end(found, allowance)


def show_library(
    ir: str, files: Sequence[str], given: Mapping[str, Any], form: str, target: str | None
) -> None:
    """Analyse every exported function of a module without a main function, and show the laws.

    Args:
        ir: the files as one module.

    Raises:
        InputError: a parameter is named, and there is no one function whose it is; or no function
            is exported.
    """
    from ..projects.analysing import library_analysed

    if given["params"]:
        raise InputError(
            "--param names what one function is handed, and there is no main function: add --entry"
        )
    with endable(given["budget"], given["budget_total"], given["budget_memory"]) as allowance:
        found = library_analysed(
            ir,
            asked_for(given),
            jobs=os.cpu_count() or 1,
            allowance=allowance,
            told=_seldom(
                "no main function: a library, of which every exported function is analysed"
            ),
            fresh=given["no_cache"],
        )
    _show_exports(replace(found, files=tuple(map(Path, files))), given, form, target)
    _end(found, allowance)


def _seldom(first: str = "") -> Callable[[str], None]:
    """Says what is done at the moment to people who have waited for some seconds; `first` at
    once."""
    last = time.monotonic()

    def told(text: str) -> None:
        nonlocal first, last
        if first:
            say(first)
            first = ""
        if time.monotonic() - last >= _SILENCE_S:
            last = time.monotonic()
            say(text)

    return told


def _show_exports(found: Project, given: Mapping[str, Any], form: str, target: str | None) -> None:
    project = ProjectDocument(
        "looplaw-project/1", tuple(map(str, found.files)), found.left_out, found.analyses
    )
    if target:
        write_project(project, target, given["version"])
    if target != "-":
        show(exports_table(found.analyses, wide=given["wide"]), form)


def _end(found: Project, allowance: Allowance) -> None:
    """Say what was left out, and that the analysis was interrupted."""
    for name, why in list(found.left_out.items())[:_MOST_LEFT_OUT]:
        say(f"left out: {name}: {why}")
    if len(found.left_out) > _MOST_LEFT_OUT:
        say(f"left out: {len(found.left_out) - _MOST_LEFT_OUT} further")
    if allowance.is_stopped:
        sys.exit(INTERRUPTED)
