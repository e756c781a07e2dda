"""The ways to write a table, each in a module of its own that gives `Grid`s: separated values,
drawn tables, lines of a log and sentences, records of JSON.

`grids_in` asks all of them. A text may hold several tables and other lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from .aligned import framed, of_blanks
from .grid import Grid
from .json_tables import of_json, of_json_log
from .log_lines import in_turns, of_log, of_prose
from .separated import separated_values

_MOST_LINES = 200_000
"""Lines of a text in which tables are looked for."""
_MOST_PROSE = 1 << 14
_ERROR = re.compile(r"\s*±\s{2,}")
_ERRORS = re.compile(r"\s*±\s*")
"""What JMH writes between a score and its error, which has a column of its own."""
_JMH = re.compile(r"^Benchmark\b.*\bScore\s+Error\b", re.MULTILINE)


def grids_in(text: str, name: str) -> Iterator[Grid]:
    """The tables of a text, those first whose dialect leaves least doubt."""
    return chain.from_iterable(islice(ways_in(text, name), 1))


def ways_in(text: str, name: str) -> Iterator[Sequence[Grid]]:
    """The ways to read a text as tables, those first that leave least doubt: later ones are asked
    where nothing grows in a table of lines."""
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in "[{" and (found := of_json(text, name)) is not None:
        yield [found]
        return
    if not _JMH.search(text) and (separated := separated_values(text, name)) is not None:
        yield [separated]
        return
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    if (logged := of_json_log(lines, name)) is not None:
        yield [logged]
        return
    if drawn := list(framed(lines, name)):
        yield drawn
        return
    error = _ERRORS if _JMH.search(text) else _ERROR
    lines = [error.sub("  ", line) for line in lines]
    blanks = of_blanks(lines, name)
    if any(table.is_named for table in blanks):
        yield blanks
    if turns := in_turns(lines, name):
        yield turns
    if blanks and not any(table.is_named for table in blanks):
        yield blanks
    if tables := of_log(lines, name):
        yield tables
    if tables := of_prose(text[:_MOST_PROSE], name):
        yield tables
