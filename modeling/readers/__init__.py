"""Readers of measurement files: a reader is one function in one file and one entry in `READERS`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from ..errors import InputError
from ..measurements import Measurements
from .jsonlines import read_json_lines

READERS: dict[str, Callable[[str, str], Measurements]] = {".jsonl": read_json_lines, ".json": read_json_lines}
"""File suffix -> reader of (text, name of the file for messages)."""

_MAX_BYTES = 2 << 30


def read(path: str | Path) -> Measurements:
    """Read measurements; "-" is standard input.

    Raises:
        InputError: no such file, or of a kind that no reader knows.
        DataError: the file's content is wrong; the message names file and line.
    """
    if str(path) == "-":
        return read_json_lines(sys.stdin.read(), "<stdin>")
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    if path.stat().st_size > _MAX_BYTES:
        raise InputError(f"{path}: larger than {_MAX_BYTES >> 30} GiB")
    reader = READERS.get(path.suffix)
    if reader is None:
        raise InputError(f"{path}: no reader for {path.suffix or 'a file without suffix'}; known: {', '.join(READERS)}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not text in UTF-8 (byte {error.start})") from None
    return reader(text, str(path))
