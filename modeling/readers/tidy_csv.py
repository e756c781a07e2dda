"""CSV in the tidy form: a header, then one line for each observation or, with several columns of
values, for each point.

Columns named callpath (or region, kernel, function), metric, rank, thread and repetition have that
meaning (in a table of ranks, rep and run number repetitions too), and value and metric:NAME hold
what was measured. Without these, a column named as times usually are (time, time_s, "elapsed (ms)",
runtime, seconds, ...) does. A column unit names the unit of the values, as may the name of theirs.
Columns of what follows from times (speedup, efficiency, gflops, ...) are metrics, too, and their
statistics (stddev, median, ...) are left out. Every other column is a parameter where its cells are
numbers, and tells series apart where they are words; an empty cell says that the observation has
none of it. Commas, semicolons or tabs separate columns.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice

from looplaw_common.errors import DataError, InputError

from ..data.checks import MAX_PARAMETERS, exact_text, label, measured_text, whole
from ..data.columns import Columns
from ..data.observations import Fault, Number, Observation
from ..data.units import is_unit, unit_in, unit_of
from .keys import labelled, number_in, say_dropped
from .reader import TextReader

METRIC_PREFIX = "metric:"
UNIT = "unit"
_CALLPATH = ("callpath", "region", "kernel", "function")
_REPETITION = ("repetition", "rep", "run")
_MEASURED = frozenset(
    """time wall walltime wall_time cpu_time user_time system_time elapsed elapsed_time runtime
    run_time execution_time exec_time duration latency seconds milliseconds microseconds
    nanoseconds""".split()
)
"""Names of times only: bytes or iterations may as well be a parameter, and taken for a metric would
be lost as one."""
_DERIVED = frozenset(
    """speedup speed_up efficiency parallel_efficiency scaling_efficiency gflops mflops tflops
    gflop/s mflop/s gflops/s flops/s throughput bandwidth ops_per_second ops/s""".split()
)
"""Names of what follows from times, which is never varied."""
_STATISTICS = frozenset(
    """stddev std_dev std stdev sd stderr std_err standard_deviation variance cv mean median min max
    minimum maximum""".split()
)
"""Names of statistics of the values beside them."""
_SEEN = 1000
"""Rows that tell columns of words from columns of numbers."""
_QUANTITY = re.compile(r"[-+]?\.?[0-9]")
_SHORT_UNITS = ("ns", "us", "ms", "s", "sec")
"""Columns of times where no other column may hold values."""
_UNIT = re.compile(r"[ _]*(?:[\[(].*[\])]|(?<=[ _])(?:s|sec|ms|us|ns))$")
_LONGEST = 80  # of a name that may be that of a metric; the pattern takes quadratic time
_SEPARATORS = (",", ";", "\t")
MAX_COLUMNS = 1024
"""Columns of a table: each may be a parameter or a metric, that is, another series."""


@dataclass(frozen=True)
class Row:
    """One line of a table: FILE:LINE, its number, and its cells as they stand."""

    where: str
    line: int
    cells: Sequence[str]


@dataclass(frozen=True)
class Table:
    """What the columns of a table mean: the number of the column of each role, None where there is
    none; values: column -> metric; parameters: name -> column."""

    name: str
    header: tuple[str, ...]
    separator: str
    callpath: int | None
    metric: int | None
    rank: int | None
    thread: int | None
    repetition: int | None
    unit: int | None
    values: Mapping[int, str]
    parameters: Mapping[str, int]
    labels: Mapping[str, int] = field(default_factory=dict)

    @staticmethod
    def of(
        text: str,
        name: str,
        values: Sequence[str] = (),
        parameters: Sequence[str] = (),
        ignored: Sequence[str] = (),
    ) -> Table:
        """Read the header.

        Args:
            values: the columns that hold values; by default those that the header marks.
            parameters: the columns that are parameters; by default all without another meaning.
            ignored: columns without a meaning here.

        Raises:
            InputError: there is no such column.
            DataError: two columns have the same name, or there are too many.
        """
        header, separator = _header(text)
        if len(header) > MAX_COLUMNS:
            raise DataError(
                f"{name}:1: {len(header)} columns, at most {MAX_COLUMNS} are read; write one"
                " observation a line with the columns callpath, metric and value"
            )
        if len(set(header)) != len(header):
            raise DataError(f"{name}:1: two columns have the same name")
        if missing := [c for c in (*values, *parameters, *ignored) if c not in header]:
            raise InputError(
                f"{name}: no column {', '.join(missing)}; there are {', '.join(header)}"
            )
        path = _first(header, _CALLPATH)
        metric = None if values else _first(header, ("metric",))
        rank, thread = _first(header, ("rank",)), _first(header, ("thread",))
        repetition = _first(header, _REPETITION if rank is not None else _REPETITION[:1])
        unit = None if UNIT in parameters else _first(header, (UNIT,))
        found = {header.index(v): "time" if v == "value" else v for v in values}
        found = found or _values(header)
        taken = {path, metric, rank, thread, repetition, unit, *found, *map(header.index, ignored)}
        own = [c for k, c in enumerate(header) if k not in taken]
        labels: list[str] = []
        if not parameters:
            own, labels, dropped = _kinds(
                own, header, text, separator, has_statistics=metric is None
            )
            say_dropped(name, dropped, "are neither sizes nor variants")
        if len(parameters or own) > MAX_PARAMETERS:
            raise DataError(
                f"{name}:1: {len(parameters or own)} columns would be parameters, at most"
                f" {MAX_PARAMETERS} can be; call those with values metric:NAME, or leave some out"
            )
        return Table(
            name,
            tuple(header),
            separator,
            path,
            metric,
            rank,
            thread,
            repetition,
            unit,
            found,
            {c: header.index(c) for c in parameters or own},
            {c: header.index(c) for c in labels},
        )

    def rows(self, parts: Iterable[str]) -> Iterator[Row]:
        """The lines after the header that are not empty; the parts of the text are whole lines.

        Raises:
            DataError: FILE:LINE: it is not CSV, or has another number of cells than the header.
        """
        lines = chain.from_iterable(io.StringIO(part, newline="") for part in parts)
        rows = csv.reader(lines, delimiter=self.separator, strict=True)
        try:
            next(rows, None)
            for cells in rows:
                where = f"{self.name}:{rows.line_num}"
                if cells and len(cells) != len(self.header):
                    raise DataError(
                        f"{where}: {len(cells)} fields, the header has {len(self.header)}"
                    )
                if cells:
                    yield Row(where, rows.line_num, cells)
        except csv.Error as error:
            raise DataError(f"{self.name}:{rows.line_num}: not CSV: {error}") from None

    def params(self, row: Row) -> dict[str, Number]:
        """The parameters of a row, without those whose cell is empty.

        Raises:
            DataError: FILE:LINE: a parameter is not a number.
        """
        return {
            name: exact_text(row.cells[k], f"parameter {name}", row.where)
            for name, k in self.parameters.items()
            if row.cells[k].strip()
        }

    def rank_of(self, row: Row) -> int | None:
        """The rank of a row, if it has one.

        Raises:
            DataError: FILE:LINE: it is not a whole number from 0.
        """
        text = self._cell(row, self.rank)
        return whole(text, "rank", row.where) if text else None

    def observations(self, row: Row, strict: bool) -> Iterator[Observation]:
        """One observation for each column of values that is not empty.

        Raises:
            DataError: FILE:LINE: a cell is not a number.
        """
        try:
            params, rank, fault = self.params(row), self.rank_of(row), None
        except DataError as error:
            params, rank, fault = {}, None, Fault(str(error))
        unit = unit_of(self._cell(row, self.unit))
        thread, repetition = self._cell(row, self.thread), self._cell(row, self.repetition)
        callpath, named = (
            cell if strict else cell.strip()
            for cell in (
                "main" if self.callpath is None else row.cells[self.callpath],
                "time" if self.metric is None else row.cells[self.metric],
            )
        )
        if self.labels:
            words = ((n, row.cells[k].strip()) for n, k in self.labels.items())
            callpath = labelled(callpath, [(n, word) for n, word in words if word])
        for k, metric in self.values.items():
            if not row.cells[k].strip() and not (strict and len(self.values) == 1):
                continue
            yield Observation(
                params,
                callpath,
                named if metric == "time" else metric,
                fault or measured_text(row.cells[k], metric, row.where),
                rank,
                _index(thread, "thread", row.where, strict),
                _index(repetition, "repetition", row.where, strict),
                row.line,
                unit or unit_in(self.header[k]),
            )

    def _cell(self, row: Row, column: int | None) -> str:
        return "" if column is None else row.cells[column].strip()


def read_csv(
    text: str,
    name: str,
    *,
    strict: bool = False,
    values: Sequence[str] = (),
    parameters: Sequence[str] = (),
) -> Iterator[Observation]:
    """The observations of a table.

    Args:
        strict: take names with the blanks around them, and refuse threads and repetitions that are
            not numbers.
        values, parameters: the columns that hold values, and that are parameters; by default, as
            the header tells.

    Raises:
        InputError: there is no such column.
        DataError: FILE:LINE: it is not CSV, or has another number of cells than the header.
    """
    return _observations(
        Table.of(text, name, values, parameters), (text.removeprefix("\ufeff"),), strict
    )


def read_columns(parts: Iterator[str], name: str) -> Columns:
    """All observations in columns; the parts of the text are whole lines. Arguments and errors as
    for `read_csv`."""
    first = next(parts, "")
    return Columns.of(_observations(Table.of(first, name), chain((first,), parts), False))


def _observations(table: Table, parts: Iterable[str], strict: bool) -> Iterator[Observation]:
    if not table.values:
        raise DataError(
            f"{table.name}:1: which column was measured? Name it value or {METRIC_PREFIX}NAME;"
            f" there are {', '.join(table.header)[:200]}"
        )
    for row in table.rows(parts):
        yield from table.observations(row, strict)


def is_csv(text: str) -> bool:
    """Does the header name what was measured?"""
    return bool(_values(_header(text)[0]))


def has_ranks(text: str) -> bool:
    """Is there a column of ranks?"""
    return "rank" in _header(text)[0]


def _index(text: str, what: str, where: str, strict: bool) -> int | None:
    return None if not text else whole(text, what, where) if strict else label(text)


def _first(header: Sequence[str], names: Sequence[str]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _header(text: str) -> tuple[list[str], str]:
    """The names of the columns, and what separates them."""
    text = text.removeprefix("\ufeff")
    line = text.split("\n", 1)[0]
    separator = next((s for s in _SEPARATORS if s in line), ",")
    # the limit is far beyond any header, and spares a copy of a large file
    rows = csv.reader(io.StringIO(text[: 1 << 20], newline=""), delimiter=separator)
    try:
        return [c.strip() for c in next(rows, [])], separator
    except csv.Error:  # not a header of any length that people write
        return [], separator


def _kinds(
    names: Sequence[str], header: Sequence[str], text: str, separator: str, *, has_statistics: bool
) -> tuple[list[str], list[str], list[str]]:
    """Of columns without another meaning, those that are parameters, those that tell series apart
    since most of their cells are words, and those of no use: statistics of values, and numbers with
    a unit beside words. A table with a column of metrics has one value a line, and no statistics
    beside it."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    cells: dict[str, list[str]] = {name: [] for name in names}
    places = {name: header.index(name) for name in names}
    try:
        for row in islice(reader, 1, 1 + _SEEN):
            for name, k in places.items():
                if k < len(row) and row[k].strip():
                    cells[name].append(row[k].strip())
    except csv.Error:  # said with its line where the rows are read
        pass
    parameters, labels, dropped = [], [], []
    for name, found in cells.items():
        words = [c for c in found if number_in(c) is None]
        if has_statistics and _plain(name) in _STATISTICS:
            dropped.append(name)
        elif 2 * len(words) <= len(found):
            parameters.append(name)
        elif sum(bool(_QUANTITY.match(c)) for c in words) > len(words) / 2:
            dropped.append(name)
        else:
            labels.append(name)
    return parameters, labels, dropped


def _plain(name: str) -> str:
    """The name of a column without its unit, in small letters."""
    return _UNIT.sub("", name.lower()).strip().replace(" ", "_")


def _values(header: Sequence[str]) -> dict[int, str]:
    """Columns that hold values -> their metric; that of a column "value" is time where no column
    names it, and that of a column named by a unit, as "seconds", is time too."""
    marked = {
        k: c.removeprefix(METRIC_PREFIX)
        for k, c in enumerate(header)
        if c.startswith(METRIC_PREFIX)
    }
    named = {k: _plain(c) for k, c in enumerate(header) if len(c) <= _LONGEST}
    marked |= {k: "time" for k, n in named.items() if n == "value"}
    times = {k: header[k] for k, n in named.items() if n in _MEASURED}
    units = [k for k, c in times.items() if is_unit(c)]
    if not times and not marked:
        units = [k for k, n in named.items() if n in _SHORT_UNITS]
    if len(units) == 1 and "time" not in times.values():
        times[units[0]] = "time"
    derived = {k: header[k] for k, n in named.items() if n in _DERIVED}
    return (marked or times) | (derived if marked or times else {})


READERS = (
    TextReader(
        "CSV",
        ".csv",
        is_csv,
        read_csv,
        order=90,  # almost any text has a header, so the others are asked first
        observe_strictly=partial(read_csv, strict=True),
        observe_parts=read_columns,
        has_ranks=has_ranks,
    ),
)
