"""What the commands share: options, files read and written, tables shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from modeling import DataError
from modeling.readers import file_text
from staticana import InputError

from ..report import ALIASES, FORMATS, Table, render
from .console import colored, width

format_option = click.option(
    "--format",
    "form",
    type=click.Choice((*FORMATS, *ALIASES)),
    default="text",
    callback=lambda _, __, form: ALIASES.get(form, form),
    help="How tables are written; table is another word for text.",
)
debug_option = click.option("--debug", is_flag=True, help="Show a traceback with errors.")
json_option = click.option(
    "--json", "target", metavar="OUT", help="Write everything as JSON as well; - is stdout."
)


def show(table: Table, form: str) -> None:
    """A table on stdout."""
    click.echo(render(table, form, width=width(), color=colored()))


def write_json(data: object, target: str) -> None:
    """JSON to a file; - is stdout."""
    text = json.dumps(data, indent=1)
    if target == "-":
        click.echo(text)
    else:
        Path(target).write_text(text + "\n", encoding="utf-8")


def expect_place(*targets: str | Path | None) -> None:
    """That files can be written there, before the work whose result they are to hold.

    Raises:
        InputError: the directory of one does not exist.
    """
    for target in map(str, filter(None, targets)):
        folder = Path(target).parent
        if target != "-" and not folder.is_dir():
            raise InputError(f"{target}: its directory does not exist: mkdir -p {folder}")


def text_of(file: str) -> tuple[str, str]:
    """(content, name for messages) of a file of measurements; - is stdin.

    Raises:
        InputError: no such file, too large, not text.
    """
    return (sys.stdin.read(), "<stdin>") if file == "-" else (file_text(Path(file)), file)


def load_json(path: str) -> Mapping[str, Any]:
    """A JSON object from a file we wrote; - is stdin.

    Raises:
        InputError: no such file.
        DataError: not a JSON object.
    """
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        data = json.loads(text)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not text in UTF-8 (byte {error.start})") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise DataError(f"{path}: not a JSON object")
    return data


def load(path: str, name: str) -> Mapping[str, Any]:
    """A JSON object of one of our formats.

    Raises:
        InputError: no such file.
        DataError: not a JSON object of that format.
    """
    data = load_json(path)
    if data.get("format") != name:
        raise DataError(
            f"{path}: not a file of the format {name}, but"
            f" {data.get('format', 'without a format')!s:.40}"
        )
    return data


def numbers_at(places: Sequence[str], option: str = "--at") -> dict[str, float]:
    """The values that an option of the form NAME=NUMBER gives; several may stand in one, separated
    by commas.

    Raises:
        InputError: one is not NAME=NUMBER.
    """
    at: dict[str, float] = {}
    for text in (part for place in places for part in place.split(",")):
        name, equals, value = text.partition("=")
        try:
            at[name.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise InputError(f"{option} {text}: write NAME=NUMBER as in {option} n=1024")
    return at
