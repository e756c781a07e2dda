"""JSON Lines: one observation a line, {"params": {"n": 64}, "callpath": "main->solve", "metric": "time", "value": 1.2}.

This is Extra-P's layout. `rank`, `thread` and `repetition` may stand beside; observations that differ only in them are
repetitions of the same point. Talpas files have "parameters" for "params" and may separate fields by semicolons.

Usual lines begin with the parameters and end with the value. Of their three texts, few differ between the lines of a file:

    {"params": {"n": 64   }   , "callpath": "main->solve", "metric": "time", "value"   :   1.2   }
    head                      middle                                                       number
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from math import isfinite

import numpy as np

from ..errors import DataError
from .checks import MAX_LINE, number, observation_fields, point
from .columns import Columns, Numbers, Observation, Params

_LEAST, _MOST = 1 << 10, 1 << 16
_MOST_KNOWN = 1 << 16
_PARAMS = re.compile(r'"(params|parameters)"\s*:\s*\{')


def read_json_lines(text: str, name: str, before: int = 0) -> Columns:
    """All observations, `before` lines of the file having come before.

    Blocks of usual lines are read at once; where a block holds another line, so are smaller ones around it, and what
    remains is parsed line by line.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    found = Columns()
    usual = _Usual(found)
    start, size = 0, _LEAST
    while start < len(text):
        end = text.find("\n", start + size) + 1 or len(text)
        block = text[start:end]
        lines = usual.read(block)
        if not lines and size > _LEAST:
            size = max(size // 8, _LEAST)
            continue
        if not lines:
            found.add(_observations(block, name, before))
        before += lines or block.count("\n")
        start, size = end, min(2 * size, _MOST)
    return found


def is_json_lines(text: str) -> bool:
    """Does the first line hold an observation?"""
    first = text.lstrip()[:MAX_LINE].split("\n", 1)[0]
    return first.startswith("{") and _PARAMS.search(first) is not None and '"value"' in first


class _Usual:
    """Adds usual lines to columns."""

    def __init__(self, found: Columns) -> None:
        self._found = found
        self._heads = _Known(lambda head: found.points[_point(head)])
        self._middles = _Known(lambda middle: found.series[_series(middle)])

    def read(self, block: str) -> int:
        """Add a block of whole lines, and return how many there are; 0 where one is not usual, and nothing is added.

        A line is JSON if its parts are: `_point` and `_series` show that, with the same text before and behind, there is an
        object of JSON in which the number is the value, and the list of all numbers shows that each is one.
        """
        if len(block) > MAX_LINE:
            return 0
        if "\r" in block:
            block = block.replace("\r\n", "\n")
        return self._add(*_at_braces(block)) or self._add(*_at_first_braces(block))

    def _add(self, heads: Sequence[str], rests: Sequence[str]) -> int:
        if not rests:
            return 0
        middles, _, numbers = zip(*map(str.rpartition, rests, repeat(":")), strict=True)
        text = ",".join(numbers)
        try:
            values = json.loads(f"[{text}]")
            if len(values) != len(rests) or "\n" in text or not set(map(type, values)) <= {int, float}:
                return 0
            if not all(map(isfinite, values)):
                return 0
            points, series = self._heads.of(heads), self._middles.of(middles)
        except (ValueError, OverflowError, RecursionError, DataError):
            return 0  # read line by line, it is named
        self._found.extend(series, points, np.array(values, dtype=float))
        return len(values)


def _at_braces(block: str) -> tuple[Sequence[str], Sequence[str]]:
    """Heads, each with the end of the line before, and the rests of lines that have no other closing braces."""
    pieces = f"\n{block}".split("}")
    return (pieces[0::2], pieces[1::2]) if len(pieces) % 2 and pieces.pop() == "\n" else ((), ())


def _at_first_braces(block: str) -> tuple[Sequence[str], Sequence[str]]:
    """The same of lines with braces in names behind the parameters."""
    *lines, end = block.split("}\n")
    heads, _, rests = zip(*map(str.partition, lines, repeat("}")), strict=True) if lines else ((), (), ())
    return (["\n" + head for head in heads], rests) if not end else ((), ())


class _Known(Numbers[str]):
    """Texts with the numbers of what they mean; each is parsed once as long as there are few."""

    def __init__(self, number_of: Callable[[str], int]) -> None:
        self._number_of = number_of

    def __missing__(self, text: str) -> int:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        found = self[text] = self._number_of(text)
        return found


def _point(head: str) -> Params:
    """The parameters of a line that begins, after the end of the one before, with the head and a closing brace.

    Raises:
        ValueError, DataError: this is no beginning of a usual line.
    """
    data = json.loads(head + "}}")
    if list(data) != ["params"] or head.rfind("\n") != 0:
        raise ValueError
    return point(data["params"], "")


def _series(middle: str) -> tuple[str, str]:
    """Call path and metric of a line that has this between the parameters and the number.

    Raises:
        ValueError, DataError: this is no middle of a usual line.
    """
    if not middle.endswith('"value"') or "\\" in middle or "\n" in middle:  # \"value" ends another name
        raise ValueError
    data, callpath, metric = observation_fields('{"": {}' + middle + ": 0}", "")
    if "params" in data or "parameters" in data:
        raise ValueError
    return callpath, metric


def _observations(block: str, name: str, before: int) -> Iterator[Observation]:
    for count, line in enumerate(block.split("\n"), before + 1):
        if line.strip():
            yield _observation(line, f"{name}:{count}")


def _observation(line: str, where: str) -> Observation:
    data, callpath, metric = observation_fields(line, where, _parsed)
    params = point(data.get("params", data.get("parameters")), where)
    return Observation(callpath, metric, params, number(data["value"], "value", where))


def _parsed(line: str) -> object:
    """A line of JSON, or one with semicolons for commas, as Talpas writes it."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        try:
            return json.loads(line.replace(";", ","))
        except (ValueError, RecursionError):
            pass
        raise
