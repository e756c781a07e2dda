"""JSON Lines of any length, read piece by piece."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from modeling import DataError, InputError
from modeling.data.columns import Columns
from modeling.data.observations import Observation
from modeling.readers.jsonlines import read_columns, read_json_lines

_PIECE = 16 << 20
_MOST_REST = 64 << 20


def columns_of(path: str) -> Iterator[Columns]:
    """The observations of a file of JSON Lines in columns, piece by piece; - is stdin.

    Raises:
        InputError: no such file, not text, or of another format.
        DataError: FILE:LINE: what is wrong with that line.
    """
    for text, name, before in _pieces(path):
        if not before and text.lstrip()[:1] not in ("{", ""):
            raise InputError(
                f"{name}: --workers, --threads, --scheduler and --out read JSON Lines or a"
                f" directory of Parquet; type looplaw export {name} --format parquet --out data,"
                " and fit data"
            )
        yield read_columns((text,), name, before)


def observations_of(path: str) -> Iterator[Observation]:
    """The observations of a file of JSON Lines with ranks, threads and repetitions.

    Raises:
        InputError: no such file, or not text.
        DataError: FILE:LINE: what is wrong with that line.
    """
    for text, name, before in _pieces(path):
        yield from read_json_lines(text, name, before, strict=True)


def _pieces(path: str) -> Iterator[tuple[str, str, int]]:
    """(whole lines, name for messages, number of lines before) of a file."""
    if path == "-":
        yield from _split(sys.stdin.buffer, "<stdin>")
        return
    try:
        with Path(path).open("rb") as stream:
            yield from _split(stream, path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None


def _split(stream: BinaryIO, name: str) -> Iterator[tuple[str, str, int]]:
    rest, before = b"", 0
    while piece := stream.read(_PIECE):
        whole, newline, rest = (rest + piece).rpartition(b"\n")
        if len(rest) > _MOST_REST:
            raise DataError(f"{name}:{before + 1}: a line of more than {_MOST_REST >> 20} MiB")
        yield _text(whole + newline, name, before), name, before
        before += whole.count(b"\n") + bool(newline)
    yield _text(rest, name, before), name, before


def _text(data: bytes, name: str, before: int) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = before + data[: error.start].count(b"\n") + 1
        raise InputError(f"{name}:{line}: not text in UTF-8") from None
