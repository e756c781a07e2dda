"""JSON Lines: one observation a line, {"params": {"n": 64}, "callpath": "main->solve", "metric":
"time", "value": 1.2}.

This is Extra-P's layout; `rank`, `thread`, `repetition` and `unit` are optional. Talpas files have
"parameters" for "params" and may separate fields by semicolons.

`parse_line` reads one line with all its fields. `read_columns` reads what is aggregated, six times
as fast (0.7 instead of 4.2 us a line): usual lines begin with the parameters and end with the
value, and a file has few distinct texts before the value, so that each of these is parsed once:

    {"params": {"n": 64   }   , "callpath": "main->solve", "metric": "time", "value"   :   1.2   }
    head                      middle                                                       number
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat
from math import isfinite

import numpy as np

from looplaw_common.documents import once, what_is_wrong
from looplaw_common.errors import DataError

from ..data.checks import MAX_LINE, exact, label, parameters, whole
from ..data.columns import Columns, Numbers
from ..data.measurements import Floats
from ..data.observations import Fault, Observation, Point, point_of, sound
from ..data.units import unit_of
from .keys import say_dropped
from .reader import TextReader

FIELDS = ("params", "callpath", "metric", "value", "rank", "thread", "repetition", "unit")
"""The fields of an observation, in the order in which they are written."""

_BLOCK = 1 << 15
_MOST_KNOWN = 1 << 16
_PARAMS = re.compile(r'"(params|parameters)"\s*:\s*\{')
_MIDDLE = re.compile(
    r', ?"callpath": ?"([^"\\\x00-\x1f]*)", ?"metric": ?"([^"\\\x00-\x1f]*)", ?"value"'
)
_NUMBER = re.compile(r" ?(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\}\r?")


def read_json_lines(
    text: str, name: str, before: int = 0, *, strict: bool = False
) -> Iterator[Observation]:
    """The observations one by one.

    Args:
        before: number of the file's lines before the text.
        strict: refuse unknown fields, and labels of threads and repetitions that are not numbers.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    for count, line in enumerate(text.split("\n"), before + 1):
        if line.strip():
            yield parse_line(line, name, count, strict=strict)


def _lenient(text: str, name: str) -> Iterator[Observation]:
    """The observations one by one, with faults for those that cannot be used."""
    for count, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _parse(line, name, count, False)


def parse_line(line: str, name: str, count: int, *, strict: bool = False) -> Observation:
    """The observation in one line, the `count`-th of a file; arguments as for `read_json_lines`.

    Raises:
        DataError: FILE:LINE: what is wrong with it.
    """
    return next(sound((_parse(line, name, count, strict),)))


def _parse(line: str, name: str, count: int, strict: bool) -> Observation:
    """The same, with a `Fault` for its value where the line belongs to a series but cannot be used.

    Raises:
        DataError: FILE:LINE: what is wrong with a line that belongs to none.
    """
    where = f"{name}:{count}"
    if len(line) > MAX_LINE:
        raise DataError(f"{where}: a line of {len(line)} characters")
    try:
        data = _parsed(line)
    except RecursionError as error:
        raise DataError(f"{where}: not JSON: {error}") from None
    except ValueError as error:
        raise DataError(f"{where}: {what_is_wrong(error)}") from None
    if not isinstance(data, dict):
        raise DataError(
            f'{where}: an observation is an object, {{"params": {{"n": 64}}, "value": 1.5}}'
        )
    if strict and (unknown := sorted(set(data) - {*FIELDS, "parameters"})):
        raise DataError(f"{where}: unknown field {unknown[0]!r}; there are {', '.join(FIELDS)}")
    if not strict and count == 1 and "value" in data:
        say_dropped(name, sorted(set(data) - {*FIELDS, "parameters"}), "no observation has")
    callpath, metric = data.get("callpath", "main"), data.get("metric", "time")
    if not isinstance(callpath, str) or not isinstance(metric, str):
        raise DataError(f'{where}: "callpath" and "metric" must be text')
    rank, thread, repetition = data.get("rank"), data.get("thread"), data.get("repetition")
    try:
        if "value" not in data:
            raise DataError(f'{where}: "value" is missing')
        unit = data.get("unit") or ""
        if not isinstance(unit, str):
            raise DataError(f'{where}: "unit" must be text, as in "ms"')
        return Observation(
            parameters(data.get("params", data.get("parameters")), where),
            callpath,
            metric,
            exact(data["value"], "value", where),
            None if rank is None else whole(rank, "rank", where),
            _index(thread, "thread", where, strict),
            _index(repetition, "repetition", where, strict),
            count,
            unit_of(unit),
        )
    except DataError as error:
        return Observation({}, callpath, metric, Fault(str(error)), line=count)


def _index(value: object, what: str, where: str, strict: bool) -> int | None:
    return None if value is None else whole(value, what, where) if strict else label(value)


def read_columns(parts: Iterable[str], name: str, before: int = 0) -> Columns:
    """All observations in columns; the parts of the text are whole lines, and `before` lines of the
    file precede them.

    Blocks of usual lines are read at once, other blocks line by line, and only lines that are not
    usual are parsed as JSON.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    lines = _Lines()
    for part in parts:
        start = 0
        while start < len(part):
            end = part.find("\n", start + _BLOCK) + 1 or len(part)
            block = part[start:end]
            before += lines.read_usual(block) or lines.read(block, name, before)
            start = end
    return lines.found


_FIRST = 2
"""Lines of which one is to look like an observation: the other may be damaged."""


def is_json_lines(text: str) -> bool:
    """Do the first lines hold an observation, or what is meant as one?"""
    first = text.lstrip()[:MAX_LINE].split("\n", _FIRST)[:_FIRST]
    return any(
        line.startswith("{")
        and ('"callpath"' in line or (_PARAMS.search(line) is not None and '"value"' in line))
        for line in first
    )


def _names_ranks(text: str) -> bool:
    return '"rank"' in text


def _name_first_fault(text: str, name: str) -> None:
    """Raise what is wrong with the first line if it has a value but no parameters."""
    if '"value"' in (first := text.split("\n", 1)[0]):
        parse_line(first, name, 1)


class _Lines:
    """Adds lines to columns."""

    def __init__(self) -> None:
        # the lambdas refer to `found` only: without a cycle, memory is freed at once
        self.found = found = Columns()
        self._heads = _Known(lambda head: found.points[_point(head)])
        self._middles = _Known(lambda middle: found.series[_series(middle)])

    def read_usual(self, block: str) -> int:
        """Add a block of whole lines, and return how many there are; 0 where one is not usual, and
        nothing is added.

        A line is an observation if its parts are those of one: heads and middles, each looked at
        once, and the numbers, which are parsed as one list.
        """
        if len(block) > MAX_LINE:
            return 0
        if "\r" in block:
            block = block.replace("\r\n", "\n")
        return self._add(*_at_braces(block)) or self._add(*_at_first_braces(block))

    def _add(self, heads: Sequence[str], rests: Sequence[str]) -> int:
        try:
            points = self._heads.of(heads)
            middles, _, numbers = zip(*map(str.rpartition, rests, repeat(":")), strict=True)
            values = _values(numbers)
            series = self._middles.of(middles)  # last: series are numbered by the lines' order
        except (ValueError, OverflowError, RecursionError, DataError):
            return 0
        self.found.extend(series, points, values)
        return len(values)

    def read(self, block: str, name: str, before: int) -> int:
        """Add lines one by one, and return how many there are.

        Raises:
            DataError: NAME:LINE, counted from those before: what is wrong with that line.
        """
        lines = block.removesuffix("\n").split("\n")
        each = (
            self._row(line, name, count)
            for count, line in enumerate(lines, before + 1)
            if line.strip()
        )
        rows = [row for row in each if row is not None]
        if rows:
            series, points, values = zip(*rows, strict=True)
            self.found.extend(
                np.array(series, dtype=np.intc),
                np.array(points, dtype=np.intc),
                np.array(values, dtype=float),
            )
        return len(lines)

    def _row(self, line: str, name: str, count: int) -> tuple[int, int, float] | None:
        """The numbers of a line's series and point, and its value; None of one that cannot be used,
        which is noted."""
        head, _, rest = line.partition("}")
        middle, _, end = rest.rpartition(":")
        number = _NUMBER.fullmatch(end)
        if number and isfinite(value := float(number[1])) and len(line) <= MAX_LINE:
            try:
                place = self._heads[f"\n{head}"]
                return self._middles[middle], place, value
            except (ValueError, RecursionError, DataError):
                pass
        o = _parse(line, name, count, False)
        found = self.found.value_of(o)
        if isinstance(found, Fault):
            return None
        return self.found.series[o.series], self.found.points[o.point], float(found)


def _values(numbers: Sequence[str]) -> Floats:
    """Finite numbers as JSON has them.

    Raises:
        ValueError, OverflowError, RecursionError: one is something else.
    """
    text = ",".join(numbers)
    values = json.loads(f"[{text}]")
    found = np.array(values, dtype=float) if set(map(type, values)) <= {int, float} else np.empty(0)
    if len(found) != len(numbers) or "\n" in text or not np.isfinite(found).all():
        raise ValueError
    return found


def _at_braces(block: str) -> tuple[Sequence[str], Sequence[str]]:
    """Heads, each with the end of the line before, and the rests of lines that have no other
    closing braces."""
    pieces = f"\n{block}".split("}")
    return (pieces[0::2], pieces[1::2]) if len(pieces) % 2 and pieces.pop() == "\n" else ((), ())


def _at_first_braces(block: str) -> tuple[Sequence[str], Sequence[str]]:
    """The same of lines with braces in names behind the parameters."""
    *lines, end = block.split("}\n")
    heads, _, rests = (
        zip(*map(str.partition, lines, repeat("}")), strict=True) if lines else ((), (), ())
    )
    return (["\n" + head for head in heads], rests) if not end else ((), ())


class _Known(Numbers[str]):
    """Texts with the numbers of what they mean; each is parsed once as long as there are few."""

    def __init__(self, number_of: Callable[[str], int]) -> None:
        self._number_of = number_of

    def __missing__(self, text: str) -> int:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        number = self[text] = self._number_of(text)
        return number


def _point(head: str) -> Point:
    """The parameters of a line that begins, after the end of the one before, with the head and a
    closing brace.

    Raises:
        ValueError, DataError: this is no beginning of a usual line.
    """
    if not head.startswith('\n{"params"') or "\n" in head[1:]:
        raise ValueError
    data = json.loads(head + "}}", object_pairs_hook=once)
    if list(data) != ["params"]:
        raise ValueError
    return point_of(parameters(data["params"], ""))


def _series(middle: str) -> tuple[str, str]:
    """Call path and metric of a line that has this between the parameters and the number.

    Raises:
        ValueError: this is no middle of a usual line.
    """
    found = _MIDDLE.fullmatch(middle)
    if found is None:
        raise ValueError
    return found[1], found[2]


def _parsed(line: str) -> object:
    """A line of JSON, or one with semicolons for commas, as Talpas writes it."""
    try:
        return json.loads(line, object_pairs_hook=once)
    except (ValueError, RecursionError):
        try:
            return json.loads(line.replace(";", ","), object_pairs_hook=once)
        except (ValueError, RecursionError):
            pass
        raise


READERS = (
    TextReader(
        "JSON Lines",
        ".jsonl",
        is_json_lines,
        _lenient,
        order=20,
        observe_strictly=partial(read_json_lines, strict=True),
        observe_parts=read_columns,
        has_ranks=_names_ranks,
        diagnose=_name_first_fault,
    ),
)
