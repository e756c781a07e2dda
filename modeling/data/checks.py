"""Checks that all readers share: names, numbers and JSON, with errors that name file and line."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from keyword import iskeyword
from typing import Any

from looplaw_common.documents import what_is_wrong
from looplaw_common.errors import DataError

from .observations import Fault, Number

MAX_PARAMETERS = 64
MAX_LINE = 1 << 20
_MAX_NAME = 200
_RANKS = 1 << 31


def symbols(names: Sequence[str], where: str) -> tuple[str, ...]:
    """The names of parameters as formulas can have them: what is no letter, digit or _ becomes one
    _, each of it where two names would become the same, brackets at the end go, and reserved words
    and names that begin with a digit get one.

    Raises:
        DataError: a name is empty or too long, or two become the same.
    """
    found = tuple(map(_symbol, names))
    if len({*found}) < len(found):
        found = tuple(_symbol(n, each=True) for n in names)
    for name in names:
        if not name.strip() or len(name) > _MAX_NAME:
            raise DataError(
                f"{where}: a parameter is called {name[:40]!r}; give it a name of letters, digits"
                " and _"
            )
    if len(set(found)) < len(found):
        twice = next(s for s in found if found.count(s) > 1)
        raise DataError(
            f"{where}:"
            f" {' and '.join(repr(n) for n, s in zip(names, found, strict=True) if s == twice)} are"
            f" both {twice} in a formula; rename one"
        )
    return found


def _symbol(name: str, *, each: bool = False) -> str:
    if name.isidentifier() and not iskeyword(name):
        return name
    name = name.strip()
    plain = re.sub(r"\W" if each else r"\W+", "_", name if each else name.rstrip(")]}") or name)
    return f"_{plain}" if plain[:1].isdigit() else f"{plain}_" if iskeyword(plain) else plain


def exact(value: object, what: str, where: str) -> Number:
    """A finite number as it is, perhaps as text: 64 is not 64.0.

    Raises:
        DataError: where, what, and what stands there instead.
    """
    if isinstance(value, str):
        value = _number_in(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise DataError(f"{where}: {what} is {json.dumps(value, default=str)[:40]}, not a number")
    try:
        is_finite = math.isfinite(value)
    except OverflowError:
        raise DataError(f"{where}: {what} is too large") from None
    if not is_finite:
        raise DataError(f"{where}: {what} is {value}, not a finite number")
    return value


def measured(value: object, what: str, where: str) -> Number:
    """A measured value as `exact` reads it; a `Fault` where it is none, so that the other series of
    a file can be read."""
    try:
        return exact(value, what, where)
    except DataError as error:
        return Fault(str(error))


def measured_text(text: str, what: str, where: str) -> Number:
    """The same of a text, as `exact_text` reads it."""
    try:
        return exact_text(text, what, where)
    except DataError as error:
        return Fault(str(error))


def _number_in(text: str) -> object:
    """The number that a text is; the text where it is none."""
    for read in (int, float) if "_" not in text else ():
        try:
            return read(text)
        except ValueError:
            continue
    return text


def number(value: object, what: str, where: str) -> float:
    """A finite number as a float.

    Raises:
        DataError: where, what, and what stands there instead.
    """
    return float(exact(value, what, where))


def exact_text(text: str, what: str, where: str) -> Number:
    """A finite number from text: an integer where it is written as one.

    Raises:
        DataError: where, what, and the text.
    """
    found = _number_in(text)
    if isinstance(found, str):
        raise DataError(f"{where}: {what} is {text[:40]!r}, not a number")
    return exact(found, what, where)


def whole(value: object, what: str, where: str) -> int:
    """The number of a rank, thread or repetition: a whole number from 0, perhaps as text.

    Raises:
        DataError: where, what, and what stands there instead.
    """
    found = _whole(value)
    if found is None or found >= _RANKS:
        raise DataError(f"{where}: {what} is {str(value)[:40]!r}, not a whole number from 0")
    return found


def label(value: object) -> int:
    """The number of a thread or repetition that may have any label.

    A whole number from 0 stays what it is. Any other label becomes a number beyond these that
    depends on its text alone, so that equal labels have equal numbers.
    """
    found = _whole(value)
    if found is None:
        digest = hashlib.blake2b(str(value).encode("utf-8", "replace"), digest_size=7).digest()
        found = _RANKS + int.from_bytes(digest, "big")
    return found


def _whole(value: object) -> int | None:
    if isinstance(value, str):
        text = value.strip()
        try:
            value = int(text) if text.isdecimal() else float(text)
        except ValueError:
            return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def parameters(params: object, where: str) -> dict[str, Number]:
    """Parameter values from a JSON object, in its order.

    Raises:
        DataError: it is something else, or a value is not a number.
    """
    if not isinstance(params, Mapping) or len(params) > MAX_PARAMETERS:
        raise DataError(f'{where}: "params" must be an object of names and numbers')
    return {str(name): exact(value, f"parameter {name}", where) for name, value in params.items()}


def load_json(text: str, name: str) -> Any:
    """A document in JSON.

    Raises:
        DataError: FILE:LINE: why it is none.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{name}:{error.lineno}: not JSON: {error.msg}") from None
    except ValueError as error:
        raise DataError(f"{name}: {what_is_wrong(error)}") from None
    except RecursionError as error:
        raise DataError(f"{name}: not JSON: {error}") from None


def expect(value: object, kind: type, what: str, where: str) -> Any:
    """The value, if it is of that kind.

    Raises:
        DataError: where, and what is missing.
    """
    if not isinstance(value, kind):
        raise DataError(
            f"{where}: {what} is missing or not"
            f" {'an object' if kind is dict else 'a ' + kind.__name__}"
        )
    return value
