"""Files read once, at the door: text, documents of our own formats, and NAME=NUMBER."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from looplaw_common.documents import MAX_BYTES, convert, decode, form_of, plain
from looplaw_common.errors import DataError, InputError

T = TypeVar("T")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?(/\d{1,30})?", re.IGNORECASE)
"""An exponent of three digits has no use, and one of nine would fill the memory."""
_SHARED = b'"looplaw-analysis/2"'
_HEAD = 400
"""Bytes at the beginning of a file in which it says what it is."""


def load(path: str | Path, kind: type[T], form: str) -> T:
    """A file of one of our formats, checked against its schema; - is stdin.

    Raises:
        InputError: no such file.
        DataError: not JSON, of another format, or unlike the schema.
    """
    return _decoded(_content(str(path)), kind, str(path), form)


def load_any(path: str | Path, kinds: Mapping[str, type[Any]], what: str) -> Any:
    """A file of one of several formats: its key "format" says which schema it follows.

    Args:
        kinds: format -> schema.
        what: these formats in words, for the message.

    Raises:
        InputError: no such file.
        DataError: not JSON, of another format, or unlike its schema.
    """
    content = _content(str(path))
    form = content["format"] if isinstance(content, dict) else form_of(content, str(path))
    if form is None or form not in kinds:
        raise DataError(f"{path}: {what}")
    return _decoded(content, kinds[form], str(path), form)


def load_object(path: str | Path) -> dict[str, Any]:
    """A JSON object whose schema nobody here knows; - is stdin.

    Raises:
        InputError: no such file.
        DataError: not a JSON object.
    """
    content = _content(str(path))
    data = content if isinstance(content, dict) else plain(content, str(path))
    if not isinstance(data, dict):
        raise DataError(f"{path}: not a JSON object")
    return data


def _decoded(content: bytes | dict[str, Any], kind: type[T], name: str, form: str) -> T:
    if isinstance(content, dict):
        return convert(content, kind, name, form)
    return decode(content, kind, name, form)


def _content(path: str) -> bytes | dict[str, Any]:
    """What a file holds; of an analysis whose texts stand in a table, the members that it has
    without one: who reads it need not know that there are two ways to write it."""
    found = _bytes(path)
    if _SHARED not in found[:_HEAD]:
        return found
    from .analysis_texts import SHARED, expanded

    data = plain(found, path)
    if not isinstance(data, dict) or data.get("format") != SHARED:
        return found
    return expanded(data, path)


def _bytes(path: str) -> bytes:
    try:
        if path == "-":
            return sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else _typed()
        file = Path(path)
        if file.is_file() and file.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: larger than {MAX_BYTES >> 30} GiB")
        return file.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None


def _typed() -> bytes:
    return sys.stdin.read().encode("utf-8", "surrogatepass")


def named_numbers(words: Sequence[str], option: str = "--at") -> dict[str, int | Fraction]:
    """The values that an option of the form NAME=NUMBER gives, exactly; several may stand in one
    word, separated by commas.

    Raises:
        InputError: one is not NAME=NUMBER.
    """
    found: dict[str, int | Fraction] = {}
    for text in (part for word in words for part in word.split(",")):
        name, _, value = (part.strip() for part in text.partition("="))
        try:
            number = Fraction(value) if _NUMBER.fullmatch(value) else None
        except ZeroDivisionError:
            number = None
        if number is None or not name:
            raise InputError(f"{option} {text}: write NAME=NUMBER as in {option} n=1024")
        if name in found:
            raise InputError(f"{option} {text}: {name} has a value already")
        found[name] = number.numerator if number.denominator == 1 else number
    return found


def named_floats(words: Sequence[str], option: str = "--at") -> dict[str, float]:
    """As `named_numbers`, as floating-point numbers.

    Raises:
        InputError: one is not NAME=NUMBER.
    """
    return {name: float(number) for name, number in named_numbers(words, option).items()}
