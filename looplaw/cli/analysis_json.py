"""Analyses as JSON: in the shape of small programs, or with a table of texts for large ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import click
import msgspec

from ..documents.analysis import AnalysisDocument
from ..documents.analysis_texts import SHARED_FROM, analysis_parts, project_parts
from .common import write_json, write_parts

F = TypeVar("F", bound=Callable[..., Any])

version_option: Callable[[F], F] = click.option(
    "--format-version",
    "version",
    type=click.IntRange(1, 2),
    metavar="1|2",
    help="Of --json: 2 keeps texts that repeat in a table; by default analyses of more than"
    f" {SHARED_FROM} loops do.",
)


class ProjectDocument(msgspec.Struct, frozen=True):
    """The laws of a library: an analysis of each exported function, in its own arguments."""

    format: Literal["looplaw-project/1"]
    files: tuple[str, ...]
    left_out: dict[str, str]
    analyses: tuple[AnalysisDocument, ...]


def write_analysis(
    document: AnalysisDocument, target: str, version: int | None, *, without_floats: bool = False
) -> None:
    """An analysis to a file; - is stdout. See `write_json`."""
    if _is_shared([document], version):
        write_parts(analysis_parts(document), target)
    else:
        write_json(document, target, without_floats=without_floats)


def write_project(project: ProjectDocument, target: str, version: int | None) -> None:
    """The analyses of a library to a file; - is stdout."""
    if not _is_shared(project.analyses, version):
        write_json(project, target, without_floats=True)
        return
    head = {"format": "looplaw-project/2", "files": project.files, "left_out": project.left_out}
    write_parts(project_parts(head, project.analyses), target)


def _is_shared(documents: Sequence[AnalysisDocument], version: int | None) -> bool:
    if version is not None:
        return version > 1
    return sum(len(d.loops) + len(d.library) for d in documents) > SHARED_FROM
