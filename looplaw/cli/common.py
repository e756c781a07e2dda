"""What the commands share: options, JSON written, tables shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from looplaw_common.documents import builtins, json_text
from looplaw_common.errors import InputError
from looplaw_common.files import write_whole

from ..report.grid import ALIASES, FORMATS, Table, render
from .console import colored, put, table_width, tell_lines

F = TypeVar("F", bound=Callable[..., Any])
_SAFE = "looplaw.safe"
_format = click.option(
    "--format",
    "form",
    type=click.Choice((*FORMATS, *ALIASES)),
    metavar="FORMAT",
    default="text",
    callback=lambda _, __, form: ALIASES.get(form, form),
    help=f"Write tables as {', '.join(FORMATS[:-1])} or {FORMATS[-1]}.",
)
safe_option = click.option(
    "--safe",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, given: context.meta.setdefault(_SAFE, given),
    help="In CSV, put an apostrophe before texts that a spreadsheet would compute.",
)
debug_option = click.option("--debug", is_flag=True, help="Show a traceback with errors.")
json_option = click.option(
    "--json",
    "target",
    metavar="[FILE]",
    is_flag=False,
    flag_value="-",
    help="Write JSON to FILE, or print it.",
)


def format_option(command: F) -> F:
    """--format, and --safe, which belongs to it."""
    return _format(safe_option(command))


def is_safe() -> bool:
    """Was --safe given?"""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_SAFE))


def show(table: Table, form: str) -> None:
    """A table on stdout."""
    text = render(table, form, width=table_width(), color=colored(), safe=is_safe())
    (put if form in ("json", "csv") else tell_lines)(text)


def write_json(data: object, target: str, *, without_floats: bool = False) -> None:
    """JSON, or a document as JSON, to a file; - is stdout.

    Args:
        without_floats: the document has none, so that msgspec writes what `json` would, and writes
            tens of megabytes of analyses at once.
    """
    if without_floats and isinstance(data, msgspec.Struct):
        text = json_text(data)
    else:
        plain = builtins(data) if isinstance(data, msgspec.Struct) else data
        text = json.dumps(plain, indent=1)
    if target == "-":
        put(text)
    else:
        write_whole(target, text + "\n")


def write_parts(parts: Iterable[bytes], target: str) -> None:
    """What comes in parts, without all of it in memory, to a file; - is stdout."""
    if target != "-":
        write_whole(target, parts)
        return
    for part in parts:
        put(part, nl=False)


def expect_place(*targets: str | Path | None) -> None:
    """That files can be written there, before the work whose result they are to hold.

    Raises:
        InputError: the directory of one does not exist.
    """
    for target in map(str, filter(None, targets)):
        folder = Path(target).parent
        if target != "-" and not folder.is_dir():
            raise InputError(f"{target}: its directory does not exist: mkdir -p {folder}")
