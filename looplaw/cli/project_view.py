"""`looplaw analyze --compile-commands`: what is shown of a whole project."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from looplaw_common.errors import InputError

from ..documents.analysis import AnalysisDocument
from ..projects.kept import Asked
from ..report.analysis_tables import analysis_table, exports_table
from ..settings.settings import parse_parameters
from .common import show, write_json
from .console import INTERRUPTED, say
from .ending import endable

_MOST_LEFT_OUT = 12
"""Files and functions that are named with the reason that they are left out."""


class ProjectDocument(msgspec.Struct, frozen=True):
    """The laws of a library: an analysis of each exported function, in its own arguments."""

    format: Literal["looplaw-project/1"]
    files: tuple[str, ...]
    left_out: dict[str, str]
    analyses: tuple[AnalysisDocument, ...]


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
            told=say,
            fresh=given["no_cache"],
        )
    if found.is_program or given["entry"] != "main":
        document = found.analyses[0]
        if target:
            write_json(document, target, without_floats=True)
        if target != "-":
            show(analysis_table(document, wide=given["wide"]), form)
    else:
        project = ProjectDocument(
            "looplaw-project/1", tuple(map(str, found.files)), found.left_out, found.analyses
        )
        if target:
            write_json(project, target, without_floats=True)
        if target != "-":
            show(exports_table(found.analyses, wide=given["wide"]), form)
    for name, why in list(found.left_out.items())[:_MOST_LEFT_OUT]:
        say(f"left out: {name}: {why}")
    if len(found.left_out) > _MOST_LEFT_OUT:
        say(f"left out: {len(found.left_out) - _MOST_LEFT_OUT} further")
    if allowance.is_stopped:
        sys.exit(INTERRUPTED)
