"""JSON Lines: one observation a line, {"params": {"n": 64}, "callpath": "main->solve", "metric": "time", "value": 1.2}.

This is Extra-P's layout. `rank`, `thread` and `repetition` may stand beside; observations that differ only in them are
repetitions of the same point. Talpas files have "parameters" for "params" and may separate fields by semicolons.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite

from .collect import Observation, number, observation_fields, point

_MAX_LINE = 1 << 20
_MOST_KNOWN = 1 << 16
_USUAL = re.compile(r'\{"params": ?(\{[^{}\n]*\}), ?"callpath": ?"([^"\\\x00-\x1f]*)", ?"metric": ?"([^"\\\x00-\x1f]*)", ?'
                    r'"value": ?(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\}(?:\r?\n|\Z)')
_PARAMS = re.compile(r'"(params|parameters)"\s*:\s*\{')


def read_json_lines(text: str, name: str, before: int = 0) -> Iterator[Observation]:
    """Observations line by line, `before` lines of the file having come before.

    Lines as Extra-P writes them are taken apart by one pattern, their parameters parsed once for each distinct text; all
    others are parsed as JSON.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    points: dict[str, tuple[tuple[str, float], ...]] = {}
    start, number_of_line = 0, before
    while start < len(text):
        number_of_line += 1
        usual = _USUAL.match(text, start)
        if usual and usual.end() - start <= _MAX_LINE:
            params, callpath, metric, value = usual.groups()
            known = points.get(params)
            if known is None:
                known = _observation(usual.group(), f"{name}:{number_of_line}").params
                if len(points) < _MOST_KNOWN:
                    points[params] = known
            found = float(value)
            if isfinite(found):
                yield Observation(callpath, metric, known, found)
                start = usual.end()
                continue
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if line.strip():
            yield _observation(line, f"{name}:{number_of_line}")
        start = end + 1


def is_json_lines(text: str) -> bool:
    """Does the first line hold an observation?"""
    first = text.lstrip()[:_MAX_LINE].split("\n", 1)[0]
    return first.startswith("{") and _PARAMS.search(first) is not None and '"value"' in first


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
