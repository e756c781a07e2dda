"""Extra-P's text: PARAMETER names, POINTS, and for each REGION and METRIC a line of DATA, its repetitions, for each point.

    PARAMETER n
    POINTS 64 128
    REGION main->solve
    METRIC time
    DATA 1.5 1.6
    DATA 3.1 3.0
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from modeling import DataError

from .observations import Number, Observation, Point, Series, parameters_of, parsed, repetitions, shown

_FORM = "Extra-P's text format"
_MOST_PARAMETERS = 4
_GROUP = re.compile(r"\(([^()]*)\)")


def write_extrap_text(observations: Sequence[Observation]) -> str:
    """All series at all points, which must be the same; values in the order of repetitions.

    Raises:
        DataError: ranks, threads, a point that one series lacks, more than four parameters, names that cannot be written.
    """
    names = parameters_of(observations, _FORM)
    if not 1 <= len(names) <= _MOST_PARAMETERS:
        raise DataError(f"{_FORM} has one to {_MOST_PARAMETERS} parameters, not {len(names)}; use --format extrap-json")
    for name in names:
        if not name or any(c.isspace() for c in name):
            raise DataError(f"parameter {name!r}: {_FORM} has no blanks in names; use --format extrap-json")
    series = repetitions(observations, _FORM)
    points = list(dict.fromkeys(point for found in series.values() for point in found))
    lines = [f"PARAMETER {' '.join(names)}", f"POINTS {' '.join(_point(p, names) for p in points)}"]
    for (callpath, metric), found in series.items():
        for what, text in (("call path", callpath), ("metric", metric)):
            if not text or " ".join(text.split()) != text:
                raise DataError(f"{what} {text!r}: {_FORM} cannot hold this name; use --format extrap-json")
        lacking = next((p for p in points if p not in found), None)
        if lacking is not None:
            raise DataError(f"{callpath}, {metric}: no value at {shown(lacking)}, where others have one; {_FORM} has the same "
                            f"points everywhere: use --format extrap-json")
        lines += ["", f"REGION {callpath}", f"METRIC {metric}"]
        lines += [f"DATA {' '.join(map(repr, found[p]))}" for p in points]
    return "\n".join(lines) + "\n"


def _point(point: Point, names: Sequence[str]) -> str:
    text = " ".join(repr(dict(point)[name]) for name in names)
    return text if len(names) == 1 else f"( {text} )"


def read_extrap_text(text: str, name: str) -> tuple[Observation, ...]:
    """Parse observations; the values of a line become repetitions. As in Extra-P, a metric may stand before or behind its
    region and holds until the next one.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    reader = _Reader(name)
    for k, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            reader.line(line.split(), f"{name}:{k}")
    return reader.result()


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.parameters: list[str] = []
        self.points: list[list[Number]] = []
        self.callpath, self.metric, self.at = "", "", 0
        self.values: list[Observation] = []
        self.seen: set[Series] = set()

    def line(self, words: Sequence[str], where: str) -> None:
        """One line that is not empty."""
        word, rest = words[0], words[1:]
        if word == "PARAMETER":
            self.parameters += rest
            if len(set(self.parameters)) != len(self.parameters):
                raise DataError(f"{where}: a parameter occurs twice")
        elif word == "POINTS":
            self._points(" ".join(rest), where)
        elif word in ("REGION", "METRIC"):
            self._finish(where)
            name = " ".join(rest)
            self.callpath, self.metric = (name, self.metric) if word == "REGION" else (self.callpath, name)
        elif word == "DATA":
            self._data(rest, where)
        else:
            raise DataError(f"{where}: a line begins with PARAMETER, POINTS, REGION, METRIC or DATA, not {word[:20]!r}")

    def _points(self, text: str, where: str) -> None:
        groups = [g.split() for g in _GROUP.findall(text)] if "(" in text else \
            [[word] for word in text.split()] if len(self.parameters) == 1 else [text.split()]
        if "(" in text and _GROUP.sub("", text).strip():
            raise DataError(f"{where}: write points as ( 64 1 ) ( 64 2 )")
        for group in groups:
            if len(group) != len(self.parameters):
                raise DataError(f"{where}: a point of {len(group)} values, but there are {len(self.parameters)} parameters")
            self.points.append([parsed(word, "a coordinate", where) for word in group])

    def _data(self, words: Sequence[str], where: str) -> None:
        if self.at >= len(self.points):
            raise DataError(f"{where}: more lines of DATA than the {len(self.points)} points")
        series = self.callpath or "main", self.metric or "time"
        if self.at == 0 and series in self.seen:
            raise DataError(f"{where}: {series[0]}, {series[1]} has data twice")
        self.seen.add(series)
        params = dict(zip(self.parameters, self.points[self.at], strict=True))
        self.values += [Observation(params, *series, parsed(word, "a value", where),
                                    repetition=k) for k, word in enumerate(words)]
        self.at += 1

    def _finish(self, where: str) -> None:
        if self.at and self.at < len(self.points):
            raise DataError(f"{where}: {self.callpath}, {self.metric} has {self.at} lines of DATA for {len(self.points)} points")
        self.at = 0

    def result(self) -> tuple[Observation, ...]:
        self._finish(self.name)
        if not self.values:
            raise DataError(f"{self.name}: holds no observations")
        return tuple(self.values)
