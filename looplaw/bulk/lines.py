"""Observations from JSON Lines of any length, read piece by piece."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from modeling import DataError, InputError
from modeling.data.columns import Observation
from modeling.readers.jsonlines import read_json_lines

_PIECE = 16 << 20
_MOST_REST = 64 << 20


def observations(path: str) -> Iterator[Observation]:
    """The observations of a file of JSON Lines; - is stdin.

    Raises:
        InputError: no such file. DataError: FILE:LINE: what is wrong with that line.
    """
    if path == "-":
        yield from _pieces(sys.stdin.buffer, "<stdin>")
        return
    try:
        with Path(path).open("rb") as stream:
            yield from _pieces(stream, path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None


def _pieces(stream: BinaryIO, name: str) -> Iterator[Observation]:
    rest, before = b"", 0
    while piece := stream.read(_PIECE):
        whole, newline, rest = (rest + piece).rpartition(b"\n")
        if len(rest) > _MOST_REST:
            raise DataError(f"{name}:{before + 1}: a line of more than {_MOST_REST >> 20} MiB")
        yield from read_json_lines(_text(whole + newline, name), name, before)
        before += whole.count(b"\n") + bool(newline)
    yield from read_json_lines(_text(rest, name), name, before)


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not text in UTF-8 (byte {error.start} of a piece)") from None
