"""Tables as people write them: CSV, markdown, columns of blanks, logs and records of JSON.

`dialects` finds the tables of a text, `cells` reads numbers with their units, `names` and `roles`
tell what the columns mean, and `table` gives the observations in the rows.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain

from looplaw_common.errors import DataError, InputError, LooplawWarning
from looplaw_common.text import in_one_line

from ...data.columns import Columns
from ...data.measurements import Measurements
from ...data.observations import Observation
from ..choice import NOTHING, Choice
from ..collect import collect
from ..reader import TextReader
from .dialects import grids_in, ways_in
from .grid import Grid, Row
from .separated import separated_values
from .table import METRIC_PREFIX, OF_CELLS, UNIT, Table

__all__ = [
    "METRIC_PREFIX",
    "READERS",
    "UNIT",
    "Choice",
    "Table",
    "of_rows",
    "read_tables",
    "table_of",
]

_STRANGERS = {
    r"sec/op\b.*\bvs base": "a comparison of benchstat; give the files that it compared: looplaw"
    " compare old.txt new.txt",
    r"^group\s+\S+\s+\S+\n-+\s+-+": "a comparison of critcmp; cargo criterion"
    " --message-format=json writes the times: looplaw compare A.json B.json",
    r"Flat profile:|% +cumulative +self": "a profile of gprof, of one run: it says nothing of other"
    " sizes; time several, and write n,time lines",
    r"Overhead +Command +Shared Object": "a profile of perf, of one run; perf stat -j -o FILE at"
    " several sizes says how counters grow",
}
"""Signs of formats that hold nothing to fit, and what to type instead."""
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_LISTED = 8
"""Notes on tables after the first."""
_REQUESTS = "timeStamp,elapsed,label,"
_LOOKED_AT = 1 << 18
"""Characters of a text that tell whether it holds a table."""


def table_of(text: str, name: str, choice: Choice, ignored: Iterable[str] = ()) -> Table:
    """The table of a text that is one.

    Raises:
        InputError: there is no column of a name that is chosen.
        DataError: there is no table, or what its columns mean is not known.
    """
    grid = next(grids_in(text, name), None)
    if grid is None:
        raise DataError(f"{name}: holds no table")
    return Table.of(grid, choice, tuple(ignored))


def of_rows(header: Iterable[str], rows: Iterable[Iterable[object]], name: str) -> Measurements:
    """The measurements in a table that is held in memory.

    Args:
        rows: numbers and words; None and NaN stand for what is missing.

    Raises:
        DataError: nothing tells what was measured, or a row is wrong.
    """
    cells = [
        Row(f"{name}, row {k}", k, ["" if v is None or v != v else str(v) for v in row])
        for k, row in enumerate(rows, 1)
    ]
    table = Table.of(Grid(name, 1, tuple(header), partial(iter, cells)))
    columns = Columns.of(_observations([table], strict=False))
    columns.reading = _said([table], name)
    return collect(columns, name)


def read_tables(
    text: str, name: str, *, strict: bool = False, choice: Choice = NOTHING
) -> Iterator[Observation]:
    """The observations of all tables of a text whose columns tell what was measured.

    Args:
        strict: take names with the blanks around them, and refuse threads and repetitions that are
            not numbers.
        choice: what the user says of the columns.

    Raises:
        InputError: there is no column of a name that is chosen.
        DataError: FILE:LINE: nothing tells what was measured in any table, or a row is wrong.
    """
    return _observations(_tables(text, name, choice), strict)


def read_columns(parts: Iterator[str], name: str, choice: Choice = NOTHING) -> Columns:
    """All observations in columns; the parts of the text are whole lines, of which only separated
    values are read one by one. Errors as for `read_tables`."""
    first = next(parts, "").removeprefix("\ufeff")
    while len(first) < _LOOKED_AT and (part := next(parts, "")):
        first += part
    if not choice and first.startswith(_REQUESTS):
        raise InputError(
            f"{name}: a log of JMeter's single requests: say --params allThreads --values elapsed"
            " --series label"
        )
    grid = separated_values(first, name) if first.lstrip()[:1] not in ("[", "{") else None
    if grid is not None and grid.lines is not None:
        table = Table.of(grid, choice)
        rows = table.grid.lines(chain((first,), parts)) if table.grid.lines else table.grid.rows()
        found = Columns.of(o for row in rows for o in table.observations(row))
        found.reading = _said([table], name)
        return found
    tables = _tables(first + "".join(parts), name, choice)
    found = Columns.of(_observations(tables, strict=False))
    found.reading = _said(tables, name)
    return found


def _said(tables: list[Table], name: str) -> str:
    """How the columns were taken, where that was not said in a warning of what is not used."""
    table = tables[0]
    reading = table.reading + (f"; {len(tables)} tables" if len(tables) > 1 else "")
    cells = [
        in_one_line(f"; not used at line {other.grid.line}: {what} ({why})")
        for other in tables[1:]
        for what, why in other.roles.left_out.items()
        if why in OF_CELLS
    ]
    reading += "".join(cells[:_LISTED])
    if not table.roles.left_out and not cells:
        return "" if table.is_stated else reading
    warnings.warn(f"{name}: {reading}", LooplawWarning, stacklevel=2)
    return ""


def _tables(text: str, name: str, choice: Choice) -> list[Table]:
    ranked: list[Table] = []
    wrong: list[DataError] = []
    for grids in ways_in(text, name):
        found = []
        for table in _of_grids(grids, choice, wrong):
            if table.roles.parameters or not table.grid.is_loose or table.ranks:
                found.append(table)
        if any(t.roles.parameters or not t.grid.is_loose for t in found) or (found and choice):
            return found
        ranked = ranked or found
        if wrong and any(grid.is_named or grid.beside for grid in grids):
            break  # a table that says too little is none to be read otherwise
    if not ranked:
        _diagnose(text, name)
        if wrong:
            raise wrong[0]
        raise DataError(
            f"{name}: nothing varies in its tables, so nothing can grow; name the column of sizes"
            " with --params and that of times with --values"
        )
    return ranked


def _of_grids(grids: Sequence[Grid], choice: Choice, wrong: list[DataError]) -> list[Table]:
    """The tables that say enough; one without names may be as another one beside it. What is wrong
    with the others is added to `wrong`."""
    found: dict[int, Table] = {}
    for k, grid in enumerate(grids):
        try:
            found[k] = Table.of(grid, choice)
        except DataError as error:
            wrong.append(error)
    nameless = [t for t in found.values() if not t.grid.is_named and t.roles.parameters]
    for k, grid in enumerate(grids):
        twin = next((t for t in nameless if t.grid.header == grid.header), None)
        if k not in found and twin is not None and not choice:
            roles = {place: n for n, place in twin.roles.parameters.items()} | {**twin.roles.values}
            header = tuple(roles.get(place, n) for place, n in enumerate(grid.header))
            with suppress(DataError):
                found[k] = Table.of(replace(grid, header=header, is_named=True))
    return [found[k] for k in sorted(found)]


def _observations(tables: list[Table], strict: bool) -> Iterator[Observation]:
    for table, prefix in zip(tables, _captions([t.grid for t in tables]), strict=True):
        for row in table.grid.rows():
            yield from table.observations(row, strict=strict, prefix=prefix)


def _captions(grids: Sequence[Grid]) -> list[str]:
    """What tells the tables of a text apart; nothing where there is one."""
    if len(grids) == 1:
        return [""]
    headings = Counter(g.caption for g in grids)
    full = [
        g.caption
        if g.caption and headings[g.caption] == 1
        else f"{g.caption}: {g.above}".removeprefix(": ")
        if g.above
        else ""
        for g in grids
    ]
    again = Counter(full)
    return [
        f if f and again[f] == 1 else f"{f or g.caption or 'table'} at line {g.line}"
        for f, g in zip(full, grids, strict=True)
    ]


def _diagnose(text: str, name: str) -> None:
    """Say what to type for a text that holds nothing to fit.

    Raises:
        InputError: the text is one.
    """
    for sign, cure in _STRANGERS.items():
        if re.search(sign, text[:_LOOKED_AT]):
            raise InputError(f"{name}: {cure}")
    numbers = re.split(r"[\s,;]+", text[:_LOOKED_AT].strip())
    if len(numbers) > 1 and all(map(_NUMBER.fullmatch, numbers)) and "\n" not in text.strip():
        raise InputError(
            f"{name}: {len(numbers)} numbers in one line, and no size that they were measured at;"
            " write one n,time line for each"
        )


def _is_separated(text: str) -> bool:
    is_json = text.lstrip("\ufeff \t\r\n")[:1] in ("[", "{")
    return not is_json and separated_values(text[:_LOOKED_AT], "") is not None


def _is_table(text: str) -> bool:
    text = text if text.lstrip()[:1] in ("[", "{") else text[:_LOOKED_AT]
    return next(grids_in(text, ""), None) is not None


def _has_ranks(text: str) -> bool:
    grid = separated_values(text, "")
    return grid is not None and "rank" in grid.header


READERS = (
    TextReader(
        "CSV",
        ".csv",
        _is_separated,
        read_tables,
        order=90,  # almost any text has a header, so the others are asked first
        observe_strictly=partial(read_tables, strict=True),
        observe_parts=read_columns,
        has_ranks=_has_ranks,
        choose=read_columns,
    ),
    TextReader(
        "tables in text (markdown, columns, JSON records)",
        ".tsv",
        _is_table,
        read_tables,
        order=91,
        observe_strictly=partial(read_tables, strict=True),
        observe_parts=None,
        choose=read_columns,
        diagnose=_diagnose,
    ),
)
