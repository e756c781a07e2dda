"""What all readers share: names and numbers are checked."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from typing import Any

from looplaw_common.errors import DataError

from .columns import Number

MAX_PARAMETERS = 64
MAX_LINE = 1 << 20
_MAX_NAME = 200


def symbols(names: Sequence[str], where: str) -> tuple[str, ...]:
    """The names of parameters as formulas can have them: what is no letter, digit or _ becomes _,
    and reserved words and names that begin with a digit get one.

    Raises:
        DataError: a name is empty or too long, or two become the same.
    """
    found = tuple(n if n.isidentifier() and not iskeyword(n) else _symbol(n) for n in names)
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


def _symbol(name: str) -> str:
    plain = re.sub(r"\W", "_", name.strip())
    return f"_{plain}" if plain[:1].isdigit() else f"{plain}_" if iskeyword(plain) else plain


def observation_fields(
    line: str, where: str, parse: Callable[[str], object] = json.loads
) -> tuple[dict[str, Any], str, str]:
    """The fields of one observation as an object of JSON, its call path and its metric.

    Raises:
        DataError: FILE:LINE (`where`): it is no such object.
    """
    if len(line) > MAX_LINE:
        raise DataError(f"{where}: a line of {len(line)} characters")
    try:
        data = parse(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise DataError(
            f'{where}: an observation is an object, {{"params": {{"n": 64}}, "value": 1.5}}'
        )
    if "value" not in data:
        raise DataError(f'{where}: "value" is missing')
    callpath, metric = data.get("callpath", "main"), data.get("metric", "time")
    if not isinstance(callpath, str) or not isinstance(metric, str):
        raise DataError(f'{where}: "callpath" and "metric" must be text')
    return data, callpath, metric


def exact(value: object, what: str, where: str) -> Number:
    """A finite number, as it is: 64 is not 64.0.

    Raises:
        DataError: where, what, and what stands there instead.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise DataError(f"{where}: {what} is {json.dumps(value, default=str)[:40]}, not a number")
    try:
        is_finite = math.isfinite(value)
    except OverflowError:
        raise DataError(f"{where}: {what} is too large") from None
    if not is_finite:
        raise DataError(f"{where}: {what} is {value}, not a finite number")
    return value


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
    for read in (int, float) if "_" not in text else ():
        try:
            return exact(read(text), what, where)
        except ValueError:
            continue
    raise DataError(f"{where}: {what} is {text[:40]!r}, not a number")


def number_text(text: str, what: str, where: str) -> float:
    """A finite number from text, as a float.

    Raises:
        DataError: where, what, and the text.
    """
    return float(exact_text(text, what, where))


def point(params: object, where: str) -> tuple[tuple[str, float], ...]:
    """Parameter values from a JSON object.

    Raises:
        DataError: it is something else, or a value is not a number.
    """
    if not isinstance(params, Mapping) or len(params) > MAX_PARAMETERS:
        raise DataError(f'{where}: "params" must be an object of names and numbers')
    return tuple(sorted((str(k), number(v, f"parameter {k}", where)) for k, v in params.items()))


def load_json(text: str, name: str) -> Any:
    """A JSON document.

    Raises:
        DataError: FILE:LINE: why it is none.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{name}:{error.lineno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name}: not JSON: {error}") from None


def expect(value: object, kind: type, what: str, where: str) -> Any:
    """The value, when it is of that kind.

    Raises:
        DataError: where, and what is missing.
    """
    if not isinstance(value, kind):
        raise DataError(
            f"{where}: {what} is missing or not"
            f" {'an object' if kind is dict else 'a ' + kind.__name__}"
        )
    return value
