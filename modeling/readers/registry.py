"""The readers that the files of this folder define; nothing else lists them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from looplaw_common.errors import DataError, InputError

from ..data.checks import load_json
from .reader import FileReader, Reader

_LINE = '{"params": {"n": 64}, "callpath": "solve", "metric": "time", "value": 1.5}'


@cache
def text_readers() -> tuple[Reader, ...]:
    """The readers of text, in the order in which they are asked: those come first whose first line
    no other format has, and those last that know little of their text."""
    found = [reader for module in _modules() for reader in getattr(module, "READERS", ())]
    return tuple(sorted(found, key=lambda reader: reader.order))


@cache
def file_readers() -> tuple[FileReader, ...]:
    """The readers of other files."""
    return tuple(r for module in _modules() for r in getattr(module, "FILE_READERS", ()))


def _modules() -> Iterator[ModuleType]:
    package = importlib.import_module(__name__.rpartition(".")[0])
    for found in pkgutil.iter_modules(package.__path__):
        yield importlib.import_module(f"{package.__name__}.{found.name}")


def reader_of(text: str, name: str, suffix: str = "") -> Reader:
    """The reader that knows a text.

    Args:
        suffix: how the file's name ends. Where no reader knows the text, the only one of this
            suffix is taken, so that its errors say what is wrong.

    Raises:
        InputError: none does.
        DataError: the text is empty, or a damaged form of a known format.
    """
    for reader in text_readers():
        if reader.matches(text):
            return reader
    if not text.strip():
        raise DataError(f"{name}: is empty")
    of_suffix = [r for r in text_readers() if r.suffix == suffix]
    if len(of_suffix) == 1:
        return of_suffix[0]
    for reader in text_readers():
        reader.diagnose(text, name)
    if suffix == ".json":
        load_json(text, name)  # says where it is none
    raise InputError(
        f"{name}: no reader knows this content. Write a table (CSV) with a header, or lines such as"
        f" {_LINE}. Also known: {', '.join(r.name for r in text_readers())}"
    )


def file_reader_of(path: Path) -> FileReader | None:
    """The reader of a file, or of a folder that holds such files; None where readers of text are
    to be asked."""
    if path.is_dir():
        return next((r for r in file_readers() if r.is_in(path)), None)
    return next((r for r in file_readers() if r.read_file and path.match(r.pattern)), None)
